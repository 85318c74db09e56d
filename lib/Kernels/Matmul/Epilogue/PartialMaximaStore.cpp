//===- PartialMaximaStore.cpp - The largest features of a token -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of an argmax over the features nothing else is stored than, for every 16
// features of a token, the largest result and its position. NaN is larger than
// any number, and of equal ones the first counts.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue/ResultStore.h"
#include "SparseFlow/Dialect/SFTile/IR/RowLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"

#include <limits>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr float kInfinity = std::numeric_limits<float>::infinity();
// Features of a part, and what the code of a NaN is larger by.
static constexpr int64_t kFeatures = kFeaturesOfMaximum;
static constexpr float kOfNan = 2 * kFeatures;

static LayoutAttr transposed(LayoutAttr layout) {
  auto turn = [](ArrayRef<Coord> bits) {
    return llvm::map_to_vector(
        bits, [](Coord bit) { return Coord{bit.col, bit.row}; });
  };
  LinearLayout from = layout.getLayout();
  return LayoutAttr::get(
      layout.getContext(),
      LinearLayout(turn(from.registerBits()), turn(from.laneBits())));
}

PartialMaximaStore::PartialMaximaStore(const MatmulProblem &problem,
                                       KernelBuilder &b, Epilogue &epilogue,
                                       Value pointer)
    : problem(problem), b(b), epilogue(epilogue) {
  OpBuilder &builder = b.builder;
  int64_t parts = llvm::divideCeil(problem.n, kFeatures);
  values = b.view(pointer, builder.getF32Type(), b.count(), parts);
  Value behind = LLVM::GEPOp::create(builder, b.loc, pointer.getType(),
                                     builder.getF32Type(), pointer,
                                     b.mul(b.count(), parts));
  positions = b.view(behind, builder.getI32Type(), b.count(), parts);
}

void PartialMaximaStore::store(ArrayRef<AccumulatorTile> accumulators, Value) {
  for (const AccumulatorTile &tile : accumulators) {
    int64_t tokens = cast<FragType>(tile.sums.getType()).getShape()[1];
    for (int64_t first = 0; first < tokens; first += epilogue.tokensOfSlice()) {
      Value token = b.add(tile.token, tile.tokenOffset + first);
      Value results =
          epilogue.apply(slice(b, tile.sums, first, epilogue.tokensOfSlice()),
                         tile.feature, token);
      auto type = cast<FragType>(results.getType());
      for (int64_t row = 0; row < type.getShape()[0]; row += kFeatures) {
        Value part =
            SliceOp::create(b.builder, b.loc,
                            b.frag({kFeatures, type.getShape()[1]},
                                   type.getElementType(), type.getLayout()),
                            results, row, 0);
        storePart(part, b.add(tile.feature, row), token);
      }
    }
  }
}

/// The largest of `results`, a fragment of kFeatures x tokens, for each token.
void PartialMaximaStore::storePart(Value results, Value feature, Value token) {
  OpBuilder &builder = b.builder;
  Location loc = b.loc;
  auto type = cast<FragType>(results.getType());
  int64_t tokens = type.getShape()[1];
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  LayoutAttr layout = transposed(type.getLayout());
  FragType wide = b.frag(type.getShape(), f32, type.getLayout());
  FragType turned = b.frag({tokens, kFeatures}, f32, layout);
  FragType column = b.frag(
      {tokens, 1}, f32,
      LayoutAttr::get(builder.getContext(), getRowLayout(layout.getLayout())));
  auto number = [&](OpBuilder &inner, float value) -> Value {
    return arith::ConstantOp::create(inner, loc, inner.getF32FloatAttr(value));
  };
  auto integer = [&](OpBuilder &inner, int64_t value) -> Value {
    return arith::ConstantOp::create(
        inner, loc, inner.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  auto isNan = [&](OpBuilder &inner, Value value) -> Value {
    return arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::UNO, value,
                                 value);
  };
  auto select = [&](OpBuilder &inner, Value condition, Value yes,
                    Value no) -> Value {
    return arith::SelectOp::create(inner, loc, condition, yes, no);
  };

  Value elements =
      b.map(wide, results, [&](OpBuilder &inner, ValueRange in) -> Value {
        IRMapping mapping;
        mapping.map(problem.maxima.block->getArgument(0), in[0]);
        Value element = cloneScalars(inner, problem.maxima.yielded, mapping);
        return element.getType() == f32
                   ? element
                   : arith::ExtFOp::create(inner, loc, f32, element);
      });
  elements = TransposeOp::create(builder, loc, turned, elements);
  FragType numbers = b.frag({tokens, kFeatures}, i32, layout);
  Value inside =
      PositionsOp::create(builder, loc, numbers, Dimension::Col, b.i32(0));
  SmallVector<Value> inputs = {elements, inside};
  // Features behind the last are no elements.
  bool hasOthers = problem.n % kFeatures;
  auto isFeature = [&](OpBuilder &inner, Value place) -> Value {
    return arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt, place,
                                 integer(inner, problem.n));
  };
  Value compared = elements;
  if (hasOthers) {
    inputs.push_back(PositionsOp::create(builder, loc, numbers, Dimension::Col,
                                         b.toI32(feature)));
    compared = b.map(turned, {elements, inputs.back()},
                     [&](OpBuilder &inner, ValueRange in) {
                       return select(inner, isFeature(inner, in[1]), in[0],
                                     number(inner, -kInfinity));
                     });
  }
  // Of the numbers: a NaN is no maximum.
  Value largest =
      ReduceOp::create(builder, loc, column, Reduction::Max, compared);
  inputs.insert(inputs.begin() + 1,
                BroadcastOp::create(builder, loc, turned, largest));
  // The first of those has the largest code, NaNs above numbers; 0: it is not
  // one of them.
  Value codes = b.map(turned, inputs, [&](OpBuilder &inner, ValueRange in) {
    Value isOne = arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::UGE,
                                        in[0], in[1]);
    if (hasOthers)
      isOne = arith::AndIOp::create(inner, loc, isOne, isFeature(inner, in[3]));
    Value code = arith::SIToFPOp::create(
        inner, loc, f32,
        arith::SubIOp::create(inner, loc, integer(inner, kFeatures), in[2]));
    Value ofNan =
        arith::AddFOp::create(inner, loc, code, number(inner, kOfNan));
    code = select(inner, isNan(inner, in[0]), ofNan, code);
    return select(inner, isOne, code, number(inner, 0.0f));
  });
  Value code = ReduceOp::create(builder, loc, column, Reduction::Max, codes);
  auto isOfNan = [&](OpBuilder &inner, Value value) -> Value {
    return arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OGT, value,
                                 number(inner, kOfNan));
  };
  Value value =
      b.map(column, {largest, code}, [&](OpBuilder &inner, ValueRange in) {
        return select(inner, isOfNan(inner, in[1]),
                      number(inner, std::numeric_limits<float>::quiet_NaN()),
                      in[0]);
      });
  FragType places1 = b.frag({tokens, 1}, i32, column.getLayout());
  Value begin = PositionsOp::create(builder, loc, places1, Dimension::Col,
                                    b.toI32(feature));
  Value position =
      b.map(places1, {code, begin}, [&](OpBuilder &inner, ValueRange in) {
        Value less =
            arith::SubFOp::create(inner, loc, in[0], number(inner, kOfNan));
        Value own = select(inner, isOfNan(inner, in[0]), less, in[0]);
        own = arith::SubIOp::create(
            inner, loc, integer(inner, kFeatures),
            arith::FPToSIOp::create(inner, loc, i32, own));
        return arith::AddIOp::create(inner, loc, in[1], own);
      });
  Value part = b.div(feature, kFeatures);
  StoreOp::create(builder, loc, value, values, token, part, Access::Direct, 4);
  StoreOp::create(builder, loc, position, positions, token, part,
                  Access::Direct, 4);
}
