//===- Passes.td - Mathematics for the NVPTX back end ----*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_CONVERSION_LOWERMATH_PASSES_TD
#define SPARSEFLOW_CONVERSION_LOWERMATH_PASSES_TD

include "mlir/Pass/PassBase.td"

def SparseFlowLowerMathPass : Pass<"sparseflow-lower-math"> {
  let summary = "Lower scalar arith/math to what NVPTX selects without calls";
  let description = [{
    Rewrites the scalar floating-point `arith` and `math` ops below the op the
    pass runs on, so that the NVPTX back end selects every one of them inline
    from sm_80 on: no device library, no call.

    * f16 and bf16 computations become f32 computations between `arith.extf`
      and `arith.truncf`. For addf, subf, mulf, divf, negf, sqrt, comparisons,
      minima and maxima this gives the same bits as one rounding in the narrow
      type.
    * f32 functions become a few fused multiply-adds around the hardware
      approximations `ex2.approx`, `rcp.approx` and `rsqrt.approx`, called as
      `llvm.call_intrinsic`. The bounds are in docs/Rationale/Math.md.
    * `1 + tanh(u)`, `1 - tanh(u)`, `1 + erf(u)` and `1 - erf(u)` are evaluated
      as one function each (`2/(1+exp(-2u))`, `erfc(-u)`), which does not lose
      the digits that the sum would cancel.
    * An op with the fast-math flag `afn` (and, for divf, `arcp`) takes the
      shorter form whose bounds are stated beside the exact ones.

    Before:

    ```mlir
    %s = arith.addf %a, %b : f16
    %e = math.exp2 %x : f32
    %f = math.floor %x : f32
    ```

    After:

    ```mlir
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.addf %0, %1 : f32
    %s = arith.truncf %2 : f32 to f16
    %e = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%x) : (f32) -> f32
    %f = llvm.call_intrinsic "llvm.floor.f32"(%x) : (f32) -> f32
    ```

    The pass fails on a floating-point `arith` or `math` op that it does not
    know, naming the op and what is supported. Integer ops are left alone.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"approximate", "approximate", "bool", /*default=*/"false",
           "Lower every op as if it carried the fast-math flag afn">
  ];
  let statistics = [
    Statistic<"numLowered", "ops-lowered", "Number of math ops rewritten">
  ];
}

#endif // SPARSEFLOW_CONVERSION_LOWERMATH_PASSES_TD
