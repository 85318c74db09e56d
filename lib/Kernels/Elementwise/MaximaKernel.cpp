//===- MaximaKernel.cpp - The position of a row's maximum -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Elementwise/MaximaKernel.h"
#include "Kernels/Support/ThreadCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kThreads = 256, kWarp = 32;
static constexpr int64_t kLeast = INT32_MIN, kMost = INT32_MAX;

namespace {

class MaximaGenerator : ThreadCode {
public:
  MaximaGenerator(const MaximaKernel &spec, OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec) {}

  gpu::GPUFuncOp run() {
    gpu::GPUFuncOp kernel = openKernel(spec.name, /*pointers=*/2, /*numbers=*/1,
                                       kThreads, spec.programmatic);
    Value token = blockId();
    Value row = advance(kernel.getArgument(0), token, spec.parts, f32);
    Value behind =
        advance(row, kernel.getArgument(2), spec.parts, builder.getI32Type());
    // The largest that a thread finds, and the first position of it.
    SmallVector<Value> own = forLoop(
        threadId(), integer(spec.parts), integer(kThreads),
        {integer(kLeast), integer(kMost)}, [&](Value part, ValueRange best) {
          Value key = keyOf(load(f32, advance(row, part, 1, f32), 4));
          Value place = load(i32, advance(behind, part, 1, i32), 4);
          Value isLarger = less(best[0], key);
          Value isFirst = arith::AndIOp::create(
              builder, loc,
              arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                    best[0], key),
              less(place, best[1]));
          Value takes = arith::OrIOp::create(builder, loc, isLarger, isFirst);
          return SmallVector<Value>{select(takes, key, best[0]),
                                    select(takes, place, best[1])};
        });
    Value largest = blockMax(own[0], words(kernel, "keys"), kThreads);
    // Of those that have it the first: the largest of the others' complements.
    Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        own[0], largest);
    Value turned = bitXor(own[1], integer(-1));
    Value last = blockMax(select(isOne, turned, integer(kLeast)),
                          words(kernel, "positions"), kThreads);
    Value position = bitXor(last, integer(-1));
    ifTrue(equal(threadId(), 0), [&] {
      Value result = position;
      int64_t bytes = 4;
      if (spec.positionType.isInteger(64)) {
        result = wide(position);
        bytes = 8;
      }
      store(result, advance(kernel.getArgument(1), token, 1, result.getType()),
            bytes);
    });
    closeKernel(kernel);
    return kernel;
  }

private:
  Value words(gpu::GPUFuncOp kernel, StringRef what) {
    LLVM::GlobalOp array =
        sharedArray(kernel, spec.name + "_" + what, i32, kThreads / kWarp);
    return LLVM::AddressOfOp::create(builder, loc, array);
  }

  /// An integer that compares like `value`, 0 like -0 and NaN above all.
  Value keyOf(Value value) {
    Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                        value, value);
    Value isZero = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, value, floating(0.0f));
    Value bits = bitsOf(value);
    Value isNegative = less(bits, integer(0));
    Value key = select(isNegative, bitXor(bits, integer(kMost)), bits);
    key = select(isZero, integer(0), key);
    return select(isNan, integer(kMost), key);
  }

  const MaximaKernel &spec;
};

} // namespace

gpu::GPUFuncOp MaximaKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return MaximaGenerator(*this, builder).run();
}
