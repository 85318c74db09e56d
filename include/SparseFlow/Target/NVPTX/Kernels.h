//===- Kernels.h - From a gpu.module to LLVM IR -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gpu.module in the form that code generation ends with holds only
// `llvm.func` kernels (attribute `nvvm.kernel`), their helpers and globals,
// written in the llvm and nvvm dialects. A kernel may carry
//   sftile.shared_bytes : i64 attribute, dynamic shared memory in bytes
//   nvvm.reqntid        : array, threads of a block
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_KERNELS_H
#define SPARSEFLOW_TARGET_NVPTX_KERNELS_H

#include "SparseFlow/Target/NVPTX/TargetInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::sparseflow {

/// Registers what translateKernels needs in the context's registry. Call it
/// before the context is used from several threads.
void registerKernelTranslations(DialectRegistry &registry);

/// Refuses, with an error at the op, everything that LLVM's back end would
/// answer with an abort or that a launch on `target` would refuse: foreign
/// ops, instructions the chip or the PTX version lacks, mathematics without a
/// lowering, operands that must be constants, calls without a body, more
/// shared memory or threads than a block can have.
LogicalResult verifyKernels(gpu::GPUModuleOp kernels, const TargetInfo &target);

/// Translates the ops of `kernels` to LLVM IR, before any optimisation: the
/// triple and the data layout of nvptx64 are set, inline assembly and matrix
/// instructions are marked convergent. A simulator takes exactly this module.
/// Errors are reported at the module's location.
FailureOr<std::unique_ptr<llvm::Module>>
translateKernels(gpu::GPUModuleOp kernels, llvm::LLVMContext &context);

/// The NVPTX back end for `target`. Thread-safe; the error says what is wrong
/// with the LLVM in use.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetInfo &target);

/// Runs LLVM's -O3 pipeline for `machine` over a module that translateKernels
/// made. The target's own callbacks take part, so the pipeline knows which
/// instructions are convergent.
void optimizeKernels(llvm::Module &module, llvm::TargetMachine &machine);

/// Counts, per kernel, the tensor core instructions that the optimised module
/// holds, intrinsics and inline assembly alike. PTX must hold as many.
llvm::StringMap<int64_t> countTensorCoreCalls(const llvm::Module &module);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_KERNELS_H
