//===- Passes.h - Scalar mathematics for the NVPTX back end -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Lowers scalar f16, bf16 and f32 `arith`/`math` ops to `arith` on f32 and i32
// and to `llvm.call_intrinsic`, all of which NVPTX selects inline from sm_80
// on. docs/Rationale/Math.md states the error bounds.
//
// The intrinsics that the result may call, all on f32:
//   llvm.nvvm.  ex2.approx.ftz.f32  ex2.approx.f32  rcp.approx.ftz.f
//               rsqrt.approx.f  lg2.approx.f
//   llvm.       fma.f32  fabs.f32  copysign.f32  sqrt.f32  floor.f32  ceil.f32
//               trunc.f32  roundeven.f32  maximum.f32  minimum.f32
//               maxnum.f32  minnum.f32
// and, for ops marked `afn` or `arcp` only:
//   llvm.nvvm.  sqrt.approx.f  div.full
// They are calls and not ops because -convert-gpu-to-nvvm makes calls of the
// device library of arith's minima and maxima and refuses most `llvm.intr` ops.
//
// Everything here may be called from several threads on different IR.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_CONVERSION_LOWERMATH_PASSES_H
#define SPARSEFLOW_CONVERSION_LOWERMATH_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class RewritePatternSet;

namespace sparseflow {

#define GEN_PASS_DECL
#include "SparseFlow/Conversion/LowerMath/Passes.h.inc"

/// Adds the patterns that lower every op that `verifyLowerableMath` accepts,
/// for the greedy driver: one of them also replaces users of its op. With
/// `approximate`, every op is lowered as if it carried the flag `afn`.
void populateLowerMathPatterns(RewritePatternSet &patterns,
                               bool approximate = false);

/// Fails, after an error at each offending op below `root`, when a
/// floating-point `arith` or `math` op is not one that the patterns lower or
/// that NVPTX selects as it stands.
LogicalResult verifyLowerableMath(Operation *root);

#define GEN_PASS_REGISTRATION
#include "SparseFlow/Conversion/LowerMath/Passes.h.inc"

} // namespace sparseflow
} // namespace mlir

#endif // SPARSEFLOW_CONVERSION_LOWERMATH_PASSES_H
