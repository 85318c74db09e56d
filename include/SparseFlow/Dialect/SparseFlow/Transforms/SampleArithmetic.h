//===- SampleArithmetic.h - The numbers of a sample op ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_SAMPLEARITHMETIC_H
#define SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_SAMPLEARITHMETIC_H

#include "mlir/IR/Builders.h"

namespace mlir::sparseflow {

/// Writes the arithmetic of sparseflow.sample, which the CPU and kernels have
/// in common. Logits are f32; keys i32, without a sign in the order of logits;
/// weights and sums of them i64, without a sign.
class SampleArithmetic {
public:
  SampleArithmetic(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc), i32(builder.getI32Type()),
        i64(builder.getI64Type()), f32(builder.getF32Type()) {}

  /// f16, bf16 or f32 as f32.
  Value widen(Value logit);
  /// Equal logits have equal keys; that of a NaN is the largest.
  Value keyOf(Value logit);
  /// That of -infinity, which is more than 0.
  Value leastKey();
  /// The logit of a key, which is none of a NaN.
  Value logitOf(Value key);
  /// Whether the largest key of a row is that of a number, which is finite.
  Value isFinite(Value largestKey);
  /// Whether tokens are drawn, or the likeliest one is taken.
  Value isRandom(Value temperature);
  /// What differences of logits are multiplied by: `quotient` is dividend()
  /// over the temperature, by a division that no option makes approximate.
  Value scaleOf(Value quotient);
  Value dividend();
  /// The weight of a logit in a row whose largest is `largest`.
  Value weightOf(Value logit, Value largest, Value scale);
  /// Whether `top_k` and `top_p` drop any tokens.
  Value limitsCount(Value topK, int64_t vocabulary);
  Value limitsSum(Value topP);
  /// What weights of tokens that are likelier have to stay below.
  Value limitOf(Value sum, Value topP);
  /// A random i64 from `seed` (i64) and `position` (i32).
  Value randomOf(Value seed, Value position);
  /// A random place below `sum`.
  Value placeOf(Value random, Value sum);

private:
  Value word(int64_t value);
  Value wideWord(int64_t value);
  Value number(float value);
  /// The upper 32 bits of the product of i64 whose upper ones are 0.
  Value upper(Value value);
  Value lower(Value value);

  OpBuilder &builder;
  Location loc;
  Type i32, i64, f32;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_SAMPLEARITHMETIC_H
