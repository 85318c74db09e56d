//===- Gpu.h - Calls from host memory on a GPU ------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_ONNXRUNTIME_GPU_H
#define SPARSEFLOW_TOOLS_ONNXRUNTIME_GPU_H

#include "arguments/Arguments.h"
#include "run/CudaHandles.h"

#include <map>
#include <memory>
#include <mutex>

namespace sparseflow::ort {

/// One GPU for all sessions of the process: its context and memory for what one
/// call takes and gives. Any thread may use it; calls run one after the other.
/// What get() returns lives until the process ends.
class Gpu {
public:
  /// SF_ERROR_NO_DEVICE where there is none of this number.
  static tools::Expected<Gpu *> get(int ordinal);

  /// A bundle's function with its packed weights in the GPU's memory.
  class Function {
  public:
    ~Function();
    Function(const Function &) = delete;

    /// Uploads `inputs`, the arguments that are not packed (null for those that
    /// are), launches, waits, and copies the one result to `result`, of
    /// `resultBytes`. `symbols`: a value for each symbol of `function`.
    tools::Status call(const tools::Function &spec,
                       const std::vector<int64_t> &symbols,
                       const std::vector<const tools::HostTensor *> &inputs,
                       void *result, size_t resultBytes);

  private:
    friend class Gpu;
    explicit Function(Gpu &gpu) : gpu(gpu) {}
    Gpu &gpu;
    std::shared_ptr<sf_bundle> bundle;
    sf_function *function = nullptr;
    struct Weight {
      tools::CudaMemory memory;
      size_t bytes = 0;
    };
    /// By argument; empty for what is not packed.
    std::vector<Weight> weights;
  };

  /// Loads `name` of the bundle in `directory` and uploads the packed ones of
  /// `arguments`, whose bytes have been checked; nodes that call the same
  /// bundle share it.
  tools::Expected<std::unique_ptr<Function>>
  load(const std::string &directory, const std::string &name,
       const std::vector<tools::Argument> &arguments);

private:
  Gpu() = default;
  tools::Status check(sfcu_result result, const char *what);
  tools::Expected<tools::CudaMemory> allocate(size_t bytes);
  template <typename Body>
  auto withContext(Body &&body) -> decltype(body());

  std::mutex mutex;
  const sf_driver_table *driver = nullptr;
  sf_context *context = nullptr;
  std::map<std::string, std::weak_ptr<sf_bundle>> bundles;
  tools::CudaMemory scratch;
  size_t scratchBytes = 0;
};

} // namespace sparseflow::ort

#endif // SPARSEFLOW_TOOLS_ONNXRUNTIME_GPU_H
