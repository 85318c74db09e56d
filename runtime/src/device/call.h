//===- call.h - One call of a function --------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_CALL_H
#define SPARSEFLOW_RT_DEVICE_CALL_H

#include "device/bundle.h"

namespace sparseflow::rt {

/// One call: the caller's tensors against the function's description. Lives on
/// the stack of a launch and allocates only to describe an error.
class Call {
public:
  Call(const Function &function, DeviceContext &context,
       const sf_tensor *arguments, const sf_tensor *results, uint64_t workspace,
       uint64_t workspaceBytes)
      : function(function), context(context), arguments(arguments),
        results(results), workspace(workspace), workspaceBytes(workspaceBytes) {
  }

  /// Binds the symbols; afterwards `empty` says whether there is work at all.
  Status bind(bool &empty);
  /// Checks sizes and addresses of tensors and workspace.
  Status checkMemory(const Program &program) const;
  /// The variant of a step that this call runs: of those whose guards hold the
  /// first usable one, in the order that was measured at these sizes, else in
  /// the compiler's, behind the one that was measured to be the fastest at the
  /// sizes before and behind. In the compiler's order a dense form comes before
  /// a packed weight where its predicted time is less.
  Status choose(const LoadedProgram &loaded, size_t step, uint8_t &variant);
  /// Evaluates the launches of a variant, and puts them on `stream` if `run`
  /// says so. Of a launch that the driver refuses, failure() tells more.
  Status launch(const LoadedProgram &loaded, size_t step, size_t variant,
                bool run, sfcu_stream stream);
  /// Whether every guard of a variant holds.
  Expected<bool> accepts(const Variant &variant) const;
  /// The first guard of a variant that does not hold, in words; "" if all do.
  std::string refusal(const Variant &variant) const;

  /// What the driver said of the last launch that it refused.
  struct Failure {
    sfcu_result result = SFCU_SUCCESS;
    const KernelLaunch *launch = nullptr;
  };
  const Failure &failure() const { return lastFailure; }
  void forgetFailure() { lastFailure = {}; }
  const int64_t *sizes() const { return symbols; }
  /// The dense forms that this call may use: those of now, throughout.
  void useDenseForms(const DenseForms &forms) { dense = forms.table(); }
  /// The dense form of what an argument of this call holds, or null.
  const DenseForm *denseFormOf(size_t argument) const {
    return DenseForms::find(dense, arguments[argument].data,
                            function.arguments[argument]);
  }

private:
  std::string describe(const TensorSpec &spec, bool isResult,
                       size_t index) const;
  Status bindTensor(const TensorSpec &spec, const sf_tensor &tensor,
                    bool isResult, size_t index);
  Status checkTensor(const TensorSpec &spec, const sf_tensor &tensor,
                     bool isResult, size_t index) const;
  Status checkOverlaps(uint64_t scratch) const;
  /// Whether a result that is an update has the memory of its argument.
  Status checkUpdate(size_t result) const;
  Status pointerIsOnDevice(uint64_t pointer) const;
  /// The bits of an argument of 8 bytes. Of an address, `left` receives the
  /// bytes from there to the end of its buffer.
  Expected<uint64_t> value(const KernelArgument &argument,
                           uint64_t *left = nullptr) const;
  Expected<bool> holds(const Guard &guard) const;
  /// Says that kernels find no dense form of an argument.
  std::string noDenseForm(size_t argument) const;
  /// Of an independent step whose first variant that may run is `packed`: the
  /// first that reads a dense form and is predicted to take less time, or
  /// `packed`.
  Expected<size_t> choosePredicted(const LoadedProgram &loaded, size_t step,
                                   size_t packed) const;
  Status noVariant(const LoadedProgram &loaded, size_t step) const;
  Status launch(const KernelLaunch &launch, const LoadedKernel &kernel,
                bool run, sfcu_stream stream);
  /// Evaluates a tensor map, and encodes it into `map` if `run` says so.
  Status prepareMap(const TensorMapSpec &spec, bool run,
                    sfcu_tensor_map &map) const;
  sfcu_result enqueue(const KernelLaunch &launch, sfcu_function kernel,
                      unsigned grid, sfcu_stream stream,
                      void **parameters) const;

  const Function &function;
  DeviceContext &context;
  const sf_tensor *arguments;
  const sf_tensor *results;
  uint64_t workspace, workspaceBytes;
  int64_t symbols[ManifestLimits::symbols] = {};
  bool bound[ManifestLimits::symbols] = {};
  const DenseForms::Table *dense = nullptr;
  Failure lastFailure;
};

/// Runs a step, with another variant where the kernel of the chosen one is at
/// fault. That one may have written part of what the step computes; another
/// variant writes all of it.
Status runStep(Call &call, const LoadedProgram &loaded, size_t step,
               uint8_t &variant, sfcu_stream stream);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DEVICE_CALL_H
