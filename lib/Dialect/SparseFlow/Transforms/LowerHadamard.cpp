//===- LowerHadamard.cpp - Hadamard rotations as linalg -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/LowerAttention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

class HadamardLowering {
public:
  HadamardLowering(OpBuilder &b, HadamardOp op)
      : b(b), op(op), loc(op.getLoc()),
        type(cast<RankedTensorType>(op.getX().getType())), rank(type.getRank()),
        f32(b.getF32Type()) {}

  Value create() {
    // Of a static size of 0 there is no slice.
    if (llvm::is_contained(type.getShape(), 0))
      return createMap(
          {op.getX()}, {b.getMultiDimIdentityMap(rank)}, type,
          [](OpBuilder &, ValueRange inputs) -> Value { return inputs[0]; });
    Value value = createProducts();
    for (int64_t half = 1; half < static_cast<int64_t>(op.getBlock());
         half *= 2)
      value = createStep(value, half);
    float scale = op.getScale();
    return createMap(
        {value}, {b.getMultiDimIdentityMap(rank)}, type,
        [&](OpBuilder &b, ValueRange inputs) -> Value {
          Value factor =
              arith::ConstantOp::create(b, loc, b.getF32FloatAttr(scale));
          Value result = arith::MulFOp::create(b, loc, inputs[0], factor);
          if (type.getElementType() == f32)
            return result;
          return arith::TruncFOp::create(b, loc, type.getElementType(), result);
        });
  }

private:
  Value widen(OpBuilder &b, Value value) {
    if (value.getType() == f32)
      return value;
    return arith::ExtFOp::create(b, loc, f32, value);
  }

  /// An elementwise op that makes a tensor of `resultType`, whose dynamic sizes
  /// are those of x.
  Value createMap(ValueRange inputs, ArrayRef<AffineMap> inputMaps,
                  RankedTensorType resultType,
                  function_ref<Value(OpBuilder &, ValueRange)> body) {
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < resultType.getRank(); ++dim)
      if (resultType.isDynamicDim(dim))
        sizes.push_back(tensor::DimOp::create(b, loc, op.getX(), dim));
    Value init = tensor::EmptyOp::create(b, loc, resultType.getShape(),
                                         resultType.getElementType(), sizes);
    SmallVector<AffineMap> maps(inputMaps);
    maps.push_back(b.getMultiDimIdentityMap(resultType.getRank()));
    SmallVector<utils::IteratorType> parallel(resultType.getRank(),
                                              utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b, loc, resultType, inputs, init, maps, parallel,
               [&](OpBuilder &b, Location, ValueRange arguments) {
                 linalg::YieldOp::create(b, loc,
                                         body(b, arguments.drop_back()));
               })
        .getResult(0);
  }

  /// f32(x) * f32(signs).
  Value createProducts() {
    AffineMap identity = b.getMultiDimIdentityMap(rank);
    SmallVector<Value> inputs = {op.getX()};
    SmallVector<AffineMap> maps = {identity};
    if (op.getSigns()) {
      inputs.push_back(op.getSigns());
      maps.push_back(identity.getMinorSubMap(1));
    }
    return createMap(inputs, maps, type.clone(f32),
                     [&](OpBuilder &b, ValueRange values) -> Value {
                       Value product = widen(b, values[0]);
                       if (values.size() > 1)
                         product = arith::MulFOp::create(b, loc, product,
                                                         widen(b, values[1]));
                       return product;
                     });
  }

  /// With the last dimension as pairs of `half` elements, [.., 2, half]: their
  /// sum where the second-last index is 0, their difference where it is 1.
  Value createStep(Value value, int64_t half) {
    SmallVector<int64_t> shape(type.getShape().drop_back());
    shape.append({op.getK() / (2 * half), 2, half});
    auto pairs = RankedTensorType::get(shape, f32);
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim < rank - 1; ++dim)
      groups.push_back({dim});
    groups.push_back({rank - 1, rank, rank + 1});
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim = 0; dim < rank - 1; ++dim)
      sizes.push_back(tensor::getMixedSize(b, loc, op.getX(), dim));
    for (int64_t size : ArrayRef(shape).take_back(3))
      sizes.push_back(b.getIndexAttr(size));
    Value split =
        tensor::ExpandShapeOp::create(b, loc, pairs, value, groups, sizes);

    // Element `part` of all pairs.
    auto slice = [&](int64_t part) -> Value {
      SmallVector<OpFoldResult> offsets(rank + 2, b.getIndexAttr(0)),
          strides(rank + 2, b.getIndexAttr(1)), lengths(sizes);
      offsets[rank] = b.getIndexAttr(part);
      lengths[rank] = b.getIndexAttr(1);
      SmallVector<int64_t> sliced(shape);
      sliced.erase(sliced.begin() + rank);
      return tensor::ExtractSliceOp::create(b, loc,
                                            RankedTensorType::get(sliced, f32),
                                            split, offsets, lengths, strides);
    };
    AffineMap map = b.getMultiDimIdentityMap(rank + 2).dropResult(rank);
    Value combined = createMap(
        {slice(0), slice(1)}, {map, map}, pairs,
        [&](OpBuilder &b, ValueRange values) -> Value {
          Value sum = arith::AddFOp::create(b, loc, values[0], values[1]);
          Value difference =
              arith::SubFOp::create(b, loc, values[0], values[1]);
          Value part = linalg::IndexOp::create(b, loc, rank);
          Value isFirst =
              arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, part,
                                    arith::ConstantIndexOp::create(b, loc, 0));
          return arith::SelectOp::create(b, loc, isFirst, sum, difference);
        });
    return tensor::CollapseShapeOp::create(b, loc, type.clone(f32), combined,
                                           groups);
  }

  OpBuilder &b;
  HadamardOp op;
  Location loc;
  RankedTensorType type;
  int64_t rank;
  Type f32;
};

} // namespace

void mlir::sparseflow::lowerHadamard(RewriterBase &rewriter, HadamardOp op) {
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, HadamardLowering(rewriter, op).create());
}
