//===- Call.h - The operator that calls a bundle's function -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_ONNXRUNTIME_CALL_H
#define SPARSEFLOW_TOOLS_ONNXRUNTIME_CALL_H

#include "Gpu.h"
#include "OrtAbi.h"

namespace sparseflow::ort {

/// What a session's options say to every operator of the library.
struct Config {
  /// The folder of bundles; "" where the option is missing.
  std::string bundles;
  /// Null: the CPU.
  Gpu *gpu = nullptr;
};

/// Reads the entries sparseflow.bundles and sparseflow.device.
tools::Expected<Config> readConfig(const Api &api,
                                   const SessionOptions *options);

/// A node: a function with its packed weights. compute() may run on many
/// threads at once.
class Call {
public:
  static tools::Expected<std::unique_ptr<Call>>
  create(const Config &config, const Api &api, const KernelInfo *info);

  tools::Status compute(KernelContext *context);

private:
  explicit Call(const Api &api) : api(api) {}
  const tools::Function &function() const {
    return bundle.manifest.functions[index];
  }
  tools::Status readWeights(const KernelInfo *info);
  tools::Status bind(KernelContext *context, size_t argument,
                     std::vector<int64_t> &symbols,
                     std::vector<int64_t> &leading,
                     tools::HostTensor &input) const;

  const Api &api;
  tools::BundleManifest bundle;
  size_t index = 0;
  /// By argument; empty for what is not packed. Dense where the CPU computes.
  std::vector<tools::Argument> weights;
  /// Null on the CPU.
  std::unique_ptr<Gpu::Function> onGpu;
};

} // namespace sparseflow::ort

#endif // SPARSEFLOW_TOOLS_ONNXRUNTIME_CALL_H
