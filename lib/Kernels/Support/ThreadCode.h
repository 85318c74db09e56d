//===- ThreadCode.h - What one thread computes -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers of generators that write what a thread computes: its arithmetic,
// loads and stores, and what it does together with its warp and block, in
// operations of arith, scf, gpu and sftile. Integers are i32 where nothing else
// is said; pointers keep their address space.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_SUPPORT_THREADCODE_H
#define SPARSEFLOW_LIB_KERNELS_SUPPORT_THREADCODE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::sparseflow {

class ThreadCode {
public:
  ThreadCode(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc), i32(builder.getI32Type()),
        i64(builder.getI64Type()), f32(builder.getF32Type()) {}

  /// A kernel of `pointers` to global memory and then `numbers` i64, for blocks
  /// of `threads`; code goes into its body from here on. `programmatic`: it
  /// is launched with PDL and waits for the kernels before it.
  gpu::GPUFuncOp openKernel(StringRef name, int64_t pointers, int64_t numbers,
                            int64_t threads, bool programmatic);
  /// Ends it; code goes behind it from here on.
  void closeKernel(gpu::GPUFuncOp kernel);
  /// An array in the shared memory of `kernel`.
  LLVM::GlobalOp sharedArray(gpu::GPUFuncOp kernel, const Twine &name,
                             Type element, int64_t count);

  Value integer(int64_t value);
  /// The same in i64.
  Value integer64(int64_t value);
  Value floating(float value);
  Value bitsOf(Value value);
  /// The larger of `largest` and the magnitudes of `values` (f32), as bits.
  Value largestMagnitude(Value largest, ArrayRef<Value> values);
  /// The bits, as f32, of the largest magnitude of numbers of `type` (16 bits),
  /// two in each of `words` (i32).
  Value largestOfPairs(ArrayRef<Value> words, Type type);
  Value floatOf(Value bits);
  /// i32, without a sign, as i64.
  Value wide(Value value);
  /// The lower half of an i64.
  Value narrow(Value value);

  Value add(Value a, Value b);
  Value add(Value a, int64_t b) { return b ? add(a, integer(b)) : a; }
  Value sub(Value a, Value b);
  /// Of i32, or of i64 where both are values; without a sign.
  Value mul(Value a, Value b);
  Value mul(Value a, int64_t b) { return mul(a, integer(b)); }
  Value div(Value a, Value b);
  Value div(Value a, int64_t b) { return div(a, integer(b)); }
  Value rem(Value a, Value b);
  Value rem(Value a, int64_t b) { return rem(a, integer(b)); }
  Value bitAnd(Value a, int64_t mask);
  Value bitOr(Value a, Value b);
  Value bitXor(Value a, Value b);
  Value left(Value a, int64_t bits);
  Value right(Value a, int64_t bits);
  Value less(Value a, Value b);
  /// Without a sign: a negative number is a large one.
  Value below(Value a, Value b);
  Value equal(Value a, int64_t b);
  Value select(Value condition, Value yes, Value no);
  Value negated(Value condition);

  /// `pointer` + `index` (i32 or i64) * `scale` elements.
  Value advance(Value pointer, Value index, int64_t scale, Type element);
  /// `pointer` + `bytes`, an i32 or i64 or a number.
  Value at(Value pointer, Value bytes);
  Value at(Value pointer, int64_t bytes);
  Value load(Type type, Value pointer, int64_t alignment);
  void store(Value value, Value pointer, int64_t alignment);
  /// What the word (i32) of shared memory was before it became one more, by one
  /// thread of the block at a time.
  Value count(Value pointer);
  /// The sum of `count` words, i32 or f32, `step` bytes apart from each of
  /// `places` on, in this order.
  Value addUp(Type type, ArrayRef<Value> places, int64_t count, int64_t step);

  void ifTrue(Value condition, function_ref<void()> body);
  /// For i from `from` below `to` by `step`, all i32; `body` gets i and the
  /// carried values and returns their next ones.
  SmallVector<Value>
  forLoop(Value from, Value to, Value step, ValueRange carried,
          function_ref<SmallVector<Value>(Value, ValueRange)> body);
  void barrier();
  /// Waits for the kernels before (PDL) and lets dependent kernels start:
  /// `launchFirst`, before the wait, or behind it.
  void griddepWait(bool launchFirst);

  /// Brings the first `bytes` (i32), `most` at most, of global memory at
  /// `pointer` to the L2 cache, by the `threads` threads of the block. In front
  /// of griddepWait: whoever writes there meanwhile writes to that cache, too.
  void prefetch(Value pointer, Value bytes, int64_t most, int64_t threads);

  /// Bytes of `low` (0 to 3) and `high` (4 to 7), one for each nibble of
  /// `selector`; a nibble's top bit repeats the sign of the byte instead.
  Value permute(Value low, Value high, int64_t selector) {
    return permute(low, high, integer(selector));
  }
  Value permute(Value low, Value high, Value selector);
  /// Four f32 as signed bytes of an i32: the nearest integers, half to even,
  /// and 0 for a NaN.
  Value roundToBytes(ArrayRef<Value> numbers);
  /// `sum` and the signed bytes of `word`.
  Value addBytes(Value word, Value sum);

  /// The thread's number in its block and the block's number in the grid, i32.
  Value threadId();
  Value blockId();

  /// `value` (32 bits) of lane `lane` of the warp, or of the lane whose number
  /// differs from the own one by the bits of `mask`.
  Value shuffle(Value value, Value lane);
  Value shuffleXor(Value value, int64_t mask);
  /// `value` (i32) of all lanes of a warp, combined. Every lane gets the
  /// result.
  Value warpReduce(Value value, gpu::AllReduceOperation kind);
  /// Of integers with a sign. Bits of f32 without a sign compare like these.
  Value warpMax(Value value) {
    return warpReduce(value, gpu::AllReduceOperation::MAXSI);
  }
  Value warpSum(Value value) {
    return warpReduce(value, gpu::AllReduceOperation::ADD);
  }
  /// The largest `value` (i32) of all `threads` threads of the
  /// block; `words` points to a word of shared memory for each warp. Every
  /// thread gets the result.
  Value blockMax(Value value, Value words, int64_t threads);

  OpBuilder &builder;
  Location loc;
  Type i32, i64, f32;
};

/// The steps of sparseflow.quantize for the elements that a thread holds.
class QuantizeSteps {
public:
  QuantizeSteps(ThreadCode &code) : code(code) {}

  /// Finds a token's scale and its reciprocal: `magnitude` are the bits of the
  /// largest absolute value.
  void setMagnitude(Value magnitude);
  /// The token's scale, a NaN where the token has one or an infinity.
  Value shownScale();
  /// The steps for the token whose magnitude lane `lane` has set.
  QuantizeSteps ofLane(Value lane) const;
  /// 16 elements (f32) quantized, as four words of bytes, in the order of
  /// columns in which MMAs of tern.v1 read them, or in their natural one. Adds
  /// the integers to `sum`.
  SmallVector<Value> round(ArrayRef<Value> elements, Value &sum, bool natural);
  /// Stores the token's scale and the sum of its integers, of which each of the
  /// block's `threads` threads has `sum`. `words` points to a word of shared
  /// memory for each warp.
  void storeToken(Value sum, Value words, int64_t threads, Value scaleAt,
                  Value sumAt);
  /// The same where the threads are the lanes of a warp.
  void storeTokenOfWarp(Value sum, Value lane, Value scaleAt, Value sumAt);

private:
  ThreadCode &code;
  Value finite, scale, inverse;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_SUPPORT_THREADCODE_H
