//===- CudaRunner.h - A bundle's function on a GPU --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_CUDARUNNER_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_CUDARUNNER_H

#include "run/CudaHandles.h"
#include "run/Result.h"

#include "sparseflow/runtime.h"

namespace sparseflow::tools {

/// Uploads an argument set and launches one function with it. Uses one stream
/// of its own. Belongs to the thread that made it, where the device's context
/// stays current for the object's life. Objects on one thread are destroyed in
/// the reverse order of their creation.
class CudaRunner {
public:
  /// Opens device `ordinal` and the bundle's function `entry`.
  static Expected<std::unique_ptr<CudaRunner>>
  create(const std::string &directory, const std::string &entry, int ordinal);
  ~CudaRunner();
  CudaRunner(const CudaRunner &) = delete;

  const std::string &deviceName() const { return name; }
  const std::string &target() const { return targetName; }
  std::string driverText() const;

  /// One launch: uploads at the first call, poisons the results, launches (by
  /// replaying a captured graph if `graph`), waits and copies the results back.
  Status run(const ArgumentSet &arguments, std::vector<HostTensor> &results,
             bool graph);

  /// Says why results are wrong, or "".
  using Judge =
      std::function<Expected<std::string>(const std::vector<HostTensor> &)>;
  /// Launches with other variants where `judge` says that the results are
  /// wrong, and quarantines the kernels of those that were
  /// (sf_function_check). What was wrong is a `note`; where no variant is
  /// right it is that, too, and no error.
  Status quarantine(const ArgumentSet &arguments,
                    std::vector<HostTensor> &results, const Judge &judge,
                    std::string &note);

  /// Times the function: `samples` replays of a graph of launches over rotated
  /// buffers, after warming up. `arguments` must not be empty().
  Expected<Timing> time(const ArgumentSet &arguments, int samples,
                        const ProgressFunction &progress);

  /// Measures the variants of this call's steps by `replays` replays each,
  /// which later launches go by, and says what one takes now: a JSON array of
  /// the decisions (docs/formats/dispatch.md). A store that cannot be written
  /// is a `note`.
  Expected<std::string> tuneDispatch(const ArgumentSet &arguments, int replays,
                                     std::string &note);

private:
  /// Device buffers of one call.
  struct DeviceSet {
    std::vector<CudaMemory> arguments, results;
    CudaMemory workspace;
    uint64_t workspaceBytes = 0;
    uint64_t totalBytes = 0;
  };

  CudaRunner() = default;
  Status check(sfcu_result result, const char *what);
  Expected<CudaMemory> allocate(uint64_t bytes, const char *what);
  Expected<DeviceSet> upload(const ArgumentSet &arguments);
  static std::vector<sf_tensor> inputsOf(const ArgumentSet &arguments,
                                         const DeviceSet &set);
  /// The dense forms of packed weights whose kernels read them.
  Status rebuildDense(const ArgumentSet &arguments, DeviceSet &set);
  /// Sets of the same contents, enough that one has left the L2 cache when its
  /// turn comes again.
  Expected<std::vector<DeviceSet>> uploadInTurns(const ArgumentSet &arguments);
  /// A call in the runtime's words; addresses into `shapes` and `arguments`.
  struct Tensors {
    std::vector<sf_tensor> inputs, outputs;
    std::vector<std::vector<int64_t>> shapes;
  };
  static Expected<Tensors> tensorsOf(const ArgumentSet &arguments,
                                     const DeviceSet &set);
  Status launch(const ArgumentSet &arguments, const DeviceSet &set);
  /// Uploads the arguments of run() and tuneDispatch() unless they are there.
  Status uploadOnce(const ArgumentSet &arguments);
  /// Fills what is not the results' first content with a pattern, and arguments
  /// that are updated in place with what they were.
  Status prepare(const ArgumentSet &arguments,
                 const std::vector<HostTensor> &results, DeviceSet &set);
  Status download(const ArgumentSet &arguments, const DeviceSet &set,
                  size_t index, HostTensor &result);
  Expected<CudaGraphExec> capture(const ArgumentSet &arguments,
                                  const std::vector<DeviceSet> &sets,
                                  int launches);
  Expected<double> timeReplay(const CudaGraphExec &graph, const CudaEvent &from,
                              const CudaEvent &to);

  const sf_driver_table *driver = nullptr;
  sf_context *context = nullptr;
  sf_bundle *bundle = nullptr;
  sf_function *function = nullptr;
  bool pushed = false;
  int device = 0;
  std::string name, targetName;
  CudaStream stream;
  const ArgumentSet *uploaded = nullptr;
  std::vector<DeviceSet> first;
  CudaGraphExec firstGraph;
};

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_CUDARUNNER_H
