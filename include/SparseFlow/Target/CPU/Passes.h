//===- Passes.h - Passes of the CPU device ----------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass pipeline that puts them in order is in CpuPipeline.h.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_CPU_PASSES_H
#define SPARSEFLOW_TARGET_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace func {
class FuncOp;
} // namespace func
namespace sparseflow::cpu {

#define GEN_PASS_DECL
#include "SparseFlow/Target/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "SparseFlow/Target/CPU/Passes.h.inc"

} // namespace sparseflow::cpu
} // namespace mlir

#endif // SPARSEFLOW_TARGET_CPU_PASSES_H
