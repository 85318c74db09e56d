//===- PartialMaximaStore.cpp - The largest features of a token -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The epilogue of an argmax over the features: for every 16 features of a token
// it stores the largest result and its position, and nothing else. NaN is
// larger than any number; of equal results the first counts.
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

namespace {

/// Writes bodies of maps on scalars.
struct Scalars {
  OpBuilder &builder;
  Location loc;

  Value number(float value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(value));
  }
  Value integer(int64_t value) {
    return arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value isLess(Value a, int64_t b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a,
                                 integer(b));
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value isNan(Value value) {
    return compare(arith::CmpFPredicate::UNO, value, value);
  }
  /// Whether `code` is one of a NaN.
  Value isCodeOfNan(Value code) {
    return compare(arith::CmpFPredicate::OGT, code, number(kOfNan));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }
};

} // namespace

/// The elements that are compared, f32, of a fragment of kFeatures x tokens: a
/// row of `type` for each token.
Value PartialMaximaStore::elementsOf(Value results, FragType type) {
  auto given = cast<FragType>(results.getType());
  Type f32 = b.builder.getF32Type();
  FragType wide = b.frag(given.getShape(), f32, given.getLayout());
  Value elements =
      b.map(wide, results, [&](OpBuilder &inner, ValueRange in) -> Value {
        IRMapping mapping;
        mapping.map(problem.maxima.block->getArgument(0), in[0]);
        Value element = cloneScalars(inner, problem.maxima.yielded, mapping);
        return element.getType() == f32
                   ? element
                   : arith::ExtFOp::create(inner, b.loc, f32, element);
      });
  return TransposeOp::create(b.builder, b.loc, type, elements);
}

/// For each token a code of the first feature that is the maximum, of `column`:
/// kFeatures less the feature, so that a reduction to the largest finds the
/// first. `largest` are the maxima of the numbers; a NaN is a maximum above
/// those, and its code larger by kOfNan. `features`, given where the last part
/// is not full, are the numbers of features in the result.
Value PartialMaximaStore::codesOf(Value elements, Value largest, Value inside,
                                  Value features, FragType column) {
  auto type = cast<FragType>(elements.getType());
  SmallVector<Value> inputs = {
      elements, BroadcastOp::create(b.builder, b.loc, type, largest), inside};
  if (features)
    inputs.push_back(features);
  Value codes = b.map(type, inputs, [&](OpBuilder &inner, ValueRange in) {
    Scalars scalars{inner, b.loc};
    Value isOne = scalars.compare(arith::CmpFPredicate::UGE, in[0], in[1]);
    if (features)
      isOne = arith::AndIOp::create(inner, b.loc, isOne,
                                    scalars.isLess(in[3], problem.n));
    Value code = arith::SIToFPOp::create(
        inner, b.loc, inner.getF32Type(),
        arith::SubIOp::create(inner, b.loc, scalars.integer(kFeatures), in[2]));
    Value ofNan =
        arith::AddFOp::create(inner, b.loc, code, scalars.number(kOfNan));
    code = scalars.select(scalars.isNan(in[0]), ofNan, code);
    return scalars.select(isOne, code, scalars.number(0.0f));
  });
  return ReduceOp::create(b.builder, b.loc, column, Reduction::Max, codes);
}

/// Stores the maximum and its position among `results`, a fragment of kFeatures
/// x tokens that begins at `feature` and `token`, for each token.
void PartialMaximaStore::storePart(Value results, Value feature, Value token) {
  OpBuilder &builder = b.builder;
  Location loc = b.loc;
  auto type = cast<FragType>(results.getType());
  int64_t tokens = type.getShape()[1];
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  // Reductions are along rows: tokens become rows.
  LayoutAttr layout = transposed(type.getLayout());
  FragType turned = b.frag({tokens, kFeatures}, f32, layout);
  FragType numbers = b.frag({tokens, kFeatures}, i32, layout);
  FragType column = b.frag(
      {tokens, 1}, f32,
      LayoutAttr::get(builder.getContext(), getRowLayout(layout.getLayout())));

  Value elements = elementsOf(results, turned);
  Value inside =
      PositionsOp::create(builder, loc, numbers, Dimension::Col, b.i32(0));
  // Features behind the last are no elements.
  Value features, compared = elements;
  if (problem.n % kFeatures) {
    features = PositionsOp::create(builder, loc, numbers, Dimension::Col,
                                   b.toI32(feature));
    compared = b.map(turned, {elements, features},
                     [&](OpBuilder &inner, ValueRange in) {
                       Scalars scalars{inner, loc};
                       return scalars.select(scalars.isLess(in[1], problem.n),
                                             in[0], scalars.number(-kInfinity));
                     });
  }
  // Of the numbers: a NaN is no maximum here.
  Value largest =
      ReduceOp::create(builder, loc, column, Reduction::Max, compared);
  Value code = codesOf(elements, largest, inside, features, column);
  Value value =
      b.map(column, {largest, code}, [&](OpBuilder &inner, ValueRange in) {
        Scalars scalars{inner, loc};
        return scalars.select(
            scalars.isCodeOfNan(in[1]),
            scalars.number(std::numeric_limits<float>::quiet_NaN()), in[0]);
      });
  FragType integers = b.frag({tokens, 1}, i32, column.getLayout());
  Value begin = PositionsOp::create(builder, loc, integers, Dimension::Col,
                                    b.toI32(feature));
  Value position =
      b.map(integers, {code, begin}, [&](OpBuilder &inner, ValueRange in) {
        Scalars scalars{inner, loc};
        Value less =
            arith::SubFOp::create(inner, loc, in[0], scalars.number(kOfNan));
        Value own = scalars.select(scalars.isCodeOfNan(in[0]), less, in[0]);
        own = arith::SubIOp::create(
            inner, loc, scalars.integer(kFeatures),
            arith::FPToSIOp::create(inner, loc, i32, own));
        return arith::AddIOp::create(inner, loc, in[1], own);
      });
  Value part = b.div(feature, kFeatures);
  StoreOp::create(builder, loc, value, values, token, part, Access::Direct, 4);
  StoreOp::create(builder, loc, position, positions, token, part,
                  Access::Direct, 4);
}
