//===- EmitPTX.h - PTX of a gpu.module --------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_EMITPTX_H
#define SPARSEFLOW_TARGET_NVPTX_EMITPTX_H

#include "SparseFlow/Target/NVPTX/Census.h"
#include "SparseFlow/Target/NVPTX/Kernels.h"

namespace mlir::sparseflow {

/// What comes out of the back end for one target.
struct PTXModule {
  /// The PTX text.
  std::string ptx;
  /// The LLVM IR as translated, and after -O3, when asked for.
  std::string llvmIR;
  std::string optimizedLLVMIR;
  /// Instructions per kernel, counted in the PTX.
  std::map<std::string, KernelCensus> census;
};

struct EmitPTXOptions {
  /// Also print the two LLVM modules (they are as large as the PTX).
  bool keepLLVMIR = false;
};

/// Verifies, translates, optimises and emits `kernels` for `target`. Checks
/// that the PTX of every kernel holds exactly the tensor core instructions of
/// the optimised LLVM IR: a difference means that the back end duplicated or
/// dropped a warp collective; and that registers of wgmma are left alone while
/// it runs (WgmmaRules.h). Errors are reported at ops; nothing here ends
/// the process on valid input. One MLIRContext must not be used by two calls
/// at once; different contexts may.
FailureOr<PTXModule> emitPTX(gpu::GPUModuleOp kernels, const TargetInfo &target,
                             const EmitPTXOptions &options = {});

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_EMITPTX_H
