//===- E4M3.cpp - Floats of 8 bits in other floats ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Support/E4M3.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Operations on i32 and f32, or on vectors of them, as `like` is one.
class Words {
public:
  Words(OpBuilder &builder, Location loc, Value like)
      : builder(builder), loc(loc), i32(builder.getI32Type()),
        f32(builder.getF32Type()) {
    if (auto vector = dyn_cast<VectorType>(like.getType())) {
      i32 = vector.clone(i32);
      f32 = vector.clone(f32);
    }
  }

  Value integer(int64_t value) {
    return constant(i32,
                    builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value floating(double value) {
    return constant(f32, builder.getF32FloatAttr(value));
  }
  template <typename Op>
  Value make(Value x, Value y) {
    return Op::create(builder, loc, x, y).getResult();
  }
  Value bitAnd(Value word, int64_t mask) {
    return make<arith::AndIOp>(word, integer(mask));
  }
  Value right(Value word, int64_t bits) {
    return make<arith::ShRUIOp>(word, integer(bits));
  }
  Value add(Value x, Value y) { return make<arith::AddIOp>(x, y); }
  Value bitsOf(Value number) {
    return arith::BitcastOp::create(builder, loc, i32, number);
  }
  Value floatOf(Value word) {
    return arith::BitcastOp::create(builder, loc, f32, word);
  }
  Value compare(arith::CmpIPredicate how, Value word, int64_t with) {
    return arith::CmpIOp::create(builder, loc, how, word, integer(with));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }

private:
  Value constant(Type type, TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return arith::ConstantOp::create(builder, loc, value);
  }

  OpBuilder &builder;
  Location loc;
  Type i32, f32;
};

} // namespace

Value mlir::sparseflow::emitBitsOfE4M3(OpBuilder &builder, Location loc,
                                       Value number) {
  Words w(builder, loc, number);
  Value all = w.bitsOf(number), size = w.bitAnd(all, 0x7FFFFFFF);
  // Of normal numbers the upper bits of f32, less 120 in the exponent.
  Value odd = w.bitAnd(w.right(size, 20), 1);
  Value normal = w.add(w.right(w.add(w.add(size, w.integer(0x7FFFF)), odd), 20),
                       w.integer(-(120 << 3)));
  // Below 2^-6 they are multiples of 2^-9, which is the last bit of 2^14.
  Value sum = w.make<arith::AddFOp>(w.floatOf(size), w.floating(16384));
  Value isSmall = w.compare(arith::CmpIPredicate::slt, size, 0x3C800000);
  Value bits = w.select(isSmall, w.bitAnd(w.bitsOf(sum), 15), normal);
  return w.make<arith::OrIOp>(bits, w.bitAnd(w.right(all, 24), 0x80));
}

Value mlir::sparseflow::emitFloatOfE4M3(OpBuilder &builder, Location loc,
                                        Value top) {
  // Sign, exponent and mantissa at their places in f32, and those of NaN in the
  // top byte.
  constexpr int64_t kFloatBits = 0x87F00000, kNone = 0x7F000000;
  Words w(builder, loc, top);
  Value isNone =
      w.compare(arith::CmpIPredicate::eq, w.bitAnd(top, kNone), kNone);
  Value moved = w.make<arith::ShRSIOp>(top, w.integer(4));
  // The biases of exponents are 7 and 127; denormals are right, too.
  Value number = w.make<arith::MulFOp>(w.floatOf(w.bitAnd(moved, kFloatBits)),
                                       w.floating(0x1p120));
  return w.select(isNone, w.floating(NAN), number);
}
