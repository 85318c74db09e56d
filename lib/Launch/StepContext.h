//===- StepContext.h - Where steps of a launch list go ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_STEPCONTEXT_H
#define SPARSEFLOW_LIB_LAUNCH_STEPCONTEXT_H

#include "Launch/HostProgramBuilder.h"

namespace mlir::sparseflow {

/// What an operation of a function is converted with.
struct StepContext {
  HostProgramBuilder &program;
  /// Where kernels are generated.
  OpBuilder &kernels;
  /// The names of the kernels begin with it.
  std::string prefix;
  /// major * 10 + minor
  unsigned computeCapability;
  /// Of quantized activations: the sum of every token's values.
  DenseMap<Value, Value> &sums;

  /// Whether kernels wait by themselves for those before them (PDL).
  bool programmatic() const { return computeCapability >= 90; }
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_STEPCONTEXT_H
