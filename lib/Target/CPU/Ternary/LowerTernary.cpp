//===- LowerTernary.cpp - Ternary weights as linalg on bytes --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Support/Remarks.h"
#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Ternary/LowerQuantize.h"
#include "Target/CPU/Ternary/TernaryBlob.h"
#include "Target/CPU/Ternary/TernaryCache.h"
#include "Target/CPU/Ternary/TernaryProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_LOWERTERNARY
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::cpu;

/// An uninitialised tensor with the leading dimensions of `like`, then `tail`.
static Value createEmpty(OpBuilder &b, Location loc, Value like,
                         unsigned leading, ArrayRef<int64_t> tail,
                         Type element) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<int64_t> shape(type.getShape().take_front(leading));
  shape.append(tail.begin(), tail.end());
  SmallVector<Value> sizes;
  for (unsigned i = 0; i < leading; ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(tensor::DimOp::create(b, loc, like, i));
  return tensor::EmptyOp::create(b, loc, shape, element, sizes);
}

static Value createZero(OpBuilder &b, Location loc, Value empty) {
  Type element = getElementTypeOrSelf(empty.getType());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
}

/// `value` in the type that sums have, f32 or i32.
static Value widen(OpBuilder &b, Location loc, Value value, Type sum) {
  if (value.getType() == sum)
    return value;
  if (isa<FloatType>(sum))
    return arith::ExtFOp::create(b, loc, sum, value);
  return arith::ExtSIOp::create(b, loc, sum, value);
}

namespace {

using Iterator = utils::IteratorType;

/// One product, `lead` dimensions of tokens before its features.
class ProductLowering {
public:
  ProductLowering(OpBuilder &b, MatmulOp op, const TernaryBlob &blob)
      : b(b), op(op), blob(blob), loc(op.getLoc()),
        lead(op.getResultType().getRank() - 1),
        isInteger(op.getXType().getElementType().isInteger(8)),
        sum(isInteger ? Type(b.getI32Type()) : Type(b.getF32Type())) {}

  /// The f32 accumulator [.., T, N].
  Value create() {
    int64_t planes = blob.encoding.getPlanes();
    bool grouped = blob.groups() > 1;
    std::string reason = blob.explainUnpacking(op.getXType());
    bool hasVectorForm = reason.empty();
    if (!hasVectorForm)
      explain(op, "matmul") << "trits are unpacked before they are multiplied: "
                            << "vector loops over packed trits take " << reason;
    Value x = grouped ? createGroupedX() : op.getX();
    Type element =
        isInteger ? Type(b.getI8Type()) : op.getXType().getElementType();
    SmallVector<Value> inputs;
    for (int64_t plane = 0; plane < planes; ++plane)
      inputs.push_back(
          hasVectorForm
              ? createMarkedSums(plane)
              : createSums(x, blob.createTrits(b, loc, plane, element, grouped),
                           grouped));
    for (int64_t plane = 0; plane < planes; ++plane)
      inputs.push_back(grouped ? blob.createScales(b, loc, plane)
                               : blob.createRowScales(b, loc, plane));
    return grouped ? createScaled(inputs) : createRowScaled(inputs);
  }

private:
  AffineExpr dim(unsigned i) { return b.getAffineDimExpr(i); }
  SmallVector<AffineExpr> tokens() {
    SmallVector<AffineExpr> dims;
    for (unsigned i = 0; i < lead; ++i)
      dims.push_back(dim(i));
    return dims;
  }

  /// x as [.., T, groups, columns]; zeros fill the last group.
  Value createGroupedX() {
    int64_t groups = blob.groups(), width = blob.groupColumns();
    Type element = op.getXType().getElementType();
    Value x = op.getX();
    Value empty = createEmpty(b, loc, x, lead, {groups, width}, element);
    SmallVector<Iterator> parallel(lead + 2, Iterator::parallel);
    return linalg::GenericOp::create(
               b, loc, empty.getType(), ValueRange(), empty,
               ArrayRef(b.getMultiDimIdentityMap(lead + 2)), parallel,
               [&](OpBuilder &b, Location loc, ValueRange) {
                 auto index = [&](unsigned i) -> Value {
                   return linalg::IndexOp::create(b, loc, i);
                 };
                 auto constant = [&](int64_t value) -> Value {
                   return arith::ConstantIndexOp::create(b, loc, value);
                 };
                 SmallVector<Value> place;
                 for (unsigned i = 0; i < lead; ++i)
                   place.push_back(index(i));
                 Value col = arith::AddIOp::create(
                     b, loc,
                     arith::MulIOp::create(b, loc, index(lead),
                                           constant(width)),
                     index(lead + 1));
                 place.push_back(
                     arith::MinUIOp::create(b, loc, col, constant(blob.k - 1)));
                 Value value = tensor::ExtractOp::create(b, loc, x, place);
                 Value zero =
                     arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
                 Value isInside = arith::CmpIOp::create(
                     b, loc, arith::CmpIPredicate::ult, col, constant(blob.k));
                 linalg::YieldOp::create(
                     b, loc,
                     arith::SelectOp::create(b, loc, isInside, value, zero)
                         .getResult());
               })
        .getResult(0);
  }

  /// The sums of x * trit over the columns of each group, [.., T, N, groups],
  /// or without groups over all columns, [.., T, N].
  Value createSums(Value x, Value trits, bool grouped) {
    // Loops: tokens, n, then g, then the columns.
    unsigned loops = lead + (grouped ? 3 : 2);
    SmallVector<AffineExpr> xDims = tokens(), outDims = tokens();
    SmallVector<AffineExpr> wDims{dim(lead)};
    outDims.push_back(dim(lead));
    SmallVector<int64_t> tail{blob.n};
    if (grouped) {
      for (auto *dims : {&xDims, &wDims, &outDims})
        dims->push_back(dim(lead + 1));
      tail.push_back(blob.groups());
    }
    xDims.push_back(dim(loops - 1));
    wDims.push_back(dim(loops - 1));
    MLIRContext *context = b.getContext();
    AffineMap maps[] = {AffineMap::get(loops, 0, xDims, context),
                        AffineMap::get(loops, 0, wDims, context),
                        AffineMap::get(loops, 0, outDims, context)};
    SmallVector<Iterator> iterators(loops - 1, Iterator::parallel);
    iterators.push_back(Iterator::reduction);
    Value init =
        createZero(b, loc, createEmpty(b, loc, op.getX(), lead, tail, sum));
    return linalg::GenericOp::create(
               b, loc, init.getType(), ValueRange{x, trits}, init, maps,
               iterators,
               [&](OpBuilder &b, Location loc, ValueRange arguments) {
                 Value lhs = widen(b, loc, arguments[0], sum);
                 Value rhs = widen(b, loc, arguments[1], sum);
                 Value result;
                 if (isInteger)
                   result = arith::AddIOp::create(
                       b, loc, arguments[2],
                       arith::MulIOp::create(b, loc, lhs, rhs));
                 else
                   result = arith::AddFOp::create(
                       b, loc, arguments[2],
                       arith::MulFOp::create(b, loc, lhs, rhs));
                 linalg::YieldOp::create(b, loc, result);
               })
        .getResult(0);
  }

  /// The sums over all columns, read from the packed bytes one by one and
  /// marked, so that sparseflow-cpu-ternary-product makes a vector loop of it.
  Value createMarkedSums(int64_t plane) {
    unsigned loops = lead + 2;
    SmallVector<AffineExpr> xDims = tokens(), outDims = tokens();
    outDims.push_back(dim(lead));
    xDims.push_back(dim(lead + 1));
    MLIRContext *context = b.getContext();
    SmallVector<Iterator> iterators(loops - 1, Iterator::parallel);
    iterators.push_back(Iterator::reduction);
    Value init =
        createZero(b, loc, createEmpty(b, loc, op.getX(), lead, {blob.n}, sum));
    auto product = linalg::GenericOp::create(
        b, loc, init.getType(), op.getX(), init,
        {AffineMap::get(loops, 0, xDims, context),
         AffineMap::get(loops, 0, outDims, context)},
        iterators, [&](OpBuilder &b, Location loc, ValueRange arguments) {
          Value trit = blob.createTrit(
              b, loc, plane, linalg::IndexOp::create(b, loc, lead),
              linalg::IndexOp::create(b, loc, lead + 1));
          Value term = arith::MulIOp::create(
              b, loc, widen(b, loc, arguments[0], sum), trit);
          linalg::YieldOp::create(
              b, loc,
              arith::AddIOp::create(b, loc, arguments[1], term).getResult());
        });
    markTernary(product, blob, plane, kTernarySums);
    return product.getResult(0);
  }

  /// scale * sum, added up over planes.
  Value createRowScaled(ArrayRef<Value> inputs) {
    unsigned planes = inputs.size() / 2, loops = lead + 1;
    AffineMap identity = b.getMultiDimIdentityMap(loops);
    SmallVector<AffineMap> maps(planes, identity);
    maps.append(planes, identity.getMinorSubMap(1));
    maps.push_back(identity);
    SmallVector<Iterator> parallel(loops, Iterator::parallel);
    Value init = createEmpty(b, loc, op.getX(), lead, {blob.n}, b.getF32Type());
    return linalg::GenericOp::create(
               b, loc, init.getType(), inputs, init, maps, parallel,
               [&](OpBuilder &b, Location loc, ValueRange arguments) {
                 Value result;
                 for (unsigned plane = 0; plane < planes; ++plane) {
                   Value scaled = createPart(b, loc, arguments[plane],
                                             arguments[planes + plane]);
                   result = plane == 0
                                ? scaled
                                : arith::AddFOp::create(b, loc, result, scaled)
                                      .getResult();
                 }
                 linalg::YieldOp::create(b, loc, result);
               })
        .getResult(0);
  }

  /// scale * f32(sum).
  Value createPart(OpBuilder &b, Location loc, Value value, Value scale) {
    if (isInteger)
      value = arith::SIToFPOp::create(b, loc, b.getF32Type(), value);
    return arith::MulFOp::create(b, loc, scale, value);
  }

  /// The sum over groups, and in each over planes, of scale * sum.
  Value createScaled(ArrayRef<Value> inputs) {
    unsigned planes = inputs.size() / 2, loops = lead + 2;
    SmallVector<AffineExpr> outDims = tokens();
    outDims.push_back(dim(lead));
    SmallVector<AffineExpr> sumDims = outDims;
    sumDims.push_back(dim(lead + 1));
    MLIRContext *context = b.getContext();
    SmallVector<AffineMap> maps(planes,
                                AffineMap::get(loops, 0, sumDims, context));
    maps.append(planes,
                AffineMap::get(loops, 0, {dim(lead + 1), dim(lead)}, context));
    maps.push_back(AffineMap::get(loops, 0, outDims, context));
    SmallVector<Iterator> iterators(loops - 1, Iterator::parallel);
    iterators.push_back(Iterator::reduction);
    Value init = createZero(
        b, loc, createEmpty(b, loc, op.getX(), lead, {blob.n}, b.getF32Type()));
    return linalg::GenericOp::create(
               b, loc, init.getType(), inputs, init, maps, iterators,
               [&](OpBuilder &b, Location loc, ValueRange arguments) {
                 Value result = arguments.back();
                 for (unsigned plane = 0; plane < planes; ++plane) {
                   Value scaled = createPart(b, loc, arguments[plane],
                                             arguments[planes + plane]);
                   result = arith::AddFOp::create(b, loc, result, scaled);
                 }
                 linalg::YieldOp::create(b, loc, result);
               })
        .getResult(0);
  }

  OpBuilder &b;
  MatmulOp op;
  const TernaryBlob &blob;
  Location loc;
  unsigned lead;
  bool isInteger;
  Type sum;
};

} // namespace

/// y = epilogue(acc, operands), elementwise.
static Value createEpilogue(OpBuilder &b, MatmulOp op, Value product) {
  unsigned rank = op.getResultType().getRank();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  SmallVector<Value> inputs{product};
  SmallVector<AffineMap> maps{identity};
  for (auto [operand, broadcast] :
       llvm::zip(op.getEpilogueOperands(), op.getBroadcastList())) {
    inputs.push_back(operand);
    maps.push_back(
        broadcast == Broadcast::PerFeature ? identity.getMinorSubMap(1)
        : broadcast == Broadcast::PerToken ? identity.getMajorSubMap(rank - 1)
        : broadcast == Broadcast::Full
            ? identity
            : AffineMap::get(rank, 0, b.getContext()));
  }
  maps.push_back(identity);
  SmallVector<Iterator> parallel(rank, Iterator::parallel);
  Value init = createEmpty(b, op.getLoc(), op.getX(), rank - 1,
                           {op.getResultType().getShape().back()},
                           op.getResultType().getElementType());
  return linalg::GenericOp::create(
             b, op.getLoc(), op.getResultType(), inputs, init, maps, parallel,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               IRMapping map;
               map.map(op.getEpilogue().getArguments(), arguments.drop_back());
               for (Operation &inner :
                    op.getEpilogue().front().without_terminator())
                 b.clone(inner, map);
               linalg::YieldOp::create(
                   b, loc, map.lookupOrDefault(op.getYieldedValue()));
             })
      .getResult(0);
}

/// Elementwise on tensors of one shape.
static Value
createElementwise(OpBuilder &b, Location loc, ValueRange inputs, Type element,
                  function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  auto type = cast<RankedTensorType>(inputs[0].getType());
  unsigned rank = type.getRank();
  Value empty = createEmpty(b, loc, inputs[0], rank, {}, element);
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              b.getMultiDimIdentityMap(rank));
  SmallVector<Iterator> parallel(rank, Iterator::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), inputs, empty, maps, parallel,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(b, loc,
                                       body(b, loc, arguments.drop_back()));
             })
      .getResult(0);
}

/// The values of the weight, rounded once to its element type.
static Value createDense(OpBuilder &b, UnpackOp op, const TernaryBlob &blob) {
  Location loc = op.getLoc();
  Type f32 = b.getF32Type();
  SmallVector<Value> inputs;
  for (int64_t plane = 0; plane < blob.encoding.getPlanes(); ++plane) {
    inputs.push_back(blob.createTrits(b, loc, plane, f32, false));
    inputs.push_back(blob.createScales(b, loc, plane));
  }
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Value empty =
      createEmpty(b, loc, op.getResult(), 2, {}, type.getElementType());
  AffineExpr n = b.getAffineDimExpr(0), k = b.getAffineDimExpr(1);
  SmallVector<AffineMap> maps;
  for (unsigned i = 0; i < inputs.size(); i += 2) {
    maps.push_back(b.getMultiDimIdentityMap(2));
    maps.push_back(AffineMap::get(
        2, 0, {k.floorDiv(std::max<int64_t>(blob.groupColumns(), 1)), n},
        b.getContext()));
  }
  maps.push_back(b.getMultiDimIdentityMap(2));
  return linalg::GenericOp::create(
             b, loc, empty.getType(), inputs, empty, maps,
             ArrayRef{Iterator::parallel, Iterator::parallel},
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               Value value;
               for (unsigned i = 0; i + 1 < arguments.size(); i += 2) {
                 Value part = arith::MulFOp::create(b, loc, arguments[i + 1],
                                                    arguments[i]);
                 value = i == 0 ? part
                                : arith::AddFOp::create(b, loc, value, part)
                                      .getResult();
               }
               linalg::YieldOp::create(
                   b, loc,
                   arith::TruncFOp::create(b, loc, type.getElementType(), value)
                       .getResult());
             })
      .getResult(0);
}

/// `plane` holds bytes of 0 and 1.
static Value createPopcount(OpBuilder &b, PlanePopcountOp op, Value plane) {
  Location loc = op.getLoc();
  unsigned rank = cast<RankedTensorType>(plane.getType()).getRank();
  Value init = createZero(
      b, loc, createEmpty(b, loc, plane, rank - 1, {}, b.getI32Type()));
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  SmallVector<Iterator> iterators(rank - 1, Iterator::parallel);
  iterators.push_back(Iterator::reduction);
  return linalg::GenericOp::create(
             b, loc, init.getType(), plane, init,
             ArrayRef{identity, identity.getMajorSubMap(rank - 1)}, iterators,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               Value bit =
                   arith::ExtUIOp::create(b, loc, b.getI32Type(), arguments[0]);
               linalg::YieldOp::create(
                   b, loc,
                   arith::AddIOp::create(b, loc, arguments[1], bit)
                       .getResult());
             })
      .getResult(0);
}

static Value createMask(OpBuilder &b, PlaneMaskOp op, Value plane) {
  Type element = getElementTypeOrSelf(op.getResult().getType());
  return createElementwise(
      b, op.getLoc(), {op.getSource(), plane}, element,
      [&](OpBuilder &b, Location loc, ValueRange v) -> Value {
        Value none = arith::ConstantIntOp::create(b, loc, 0, 8);
        Value isSet =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, v[1], none);
        Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
        return arith::SelectOp::create(b, loc, isSet, v[0], zero);
      });
}

namespace {
struct LowerTernaryPass
    : public sparseflow::cpu::impl::LowerTernaryBase<LowerTernaryPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    bytes.clear();
    lowered.clear();
    if (failed(lowerCaches(function)))
      return signalPassFailure();
    for (BlockArgument argument : function.getArguments())
      if (getTernaryEncoding(argument.getType()) &&
          failed(lowerArgument(function, argument)))
        return signalPassFailure();
    // Caches that grew are pages.
    function.setType(
        FunctionType::get(&getContext(), function.front().getArgumentTypes(),
                          function.front().getTerminator()->getOperandTypes()));
    lowerPlanes(function);
    IRRewriter rewriter(&getContext());
    SmallVector<QuantizeOp> quantized;
    function.walk([&](QuantizeOp op) { quantized.push_back(op); });
    for (QuantizeOp op : quantized)
      lowerQuantize(rewriter, op);
    WalkResult walk = function.walk([](TernarizeOp op) -> WalkResult {
      return op.emitOpError("cannot run inside a compiled function: expected "
                            "weights that are ternary already; pack them with "
                            "'sparseflow pack --format ternary'");
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  /// The argument becomes its packed bytes, its users read them.
  LogicalResult lowerArgument(func::FuncOp function, BlockArgument argument) {
    auto type = cast<RankedTensorType>(argument.getType());
    FailureOr<StorageAttr> storage = StorageAttr::getFor(type, [&] {
      return function.emitError("cannot pack argument ")
             << argument.getArgNumber() << ": ";
    });
    if (failed(storage))
      return failure();
    TernaryBlob blob{argument, getTernaryEncoding(type), type.getDimSize(0),
                     type.getDimSize(1)};
    // What is generated reads bytes.
    argument.setType(storage->getBlobType());
    IRRewriter rewriter(&getContext());
    // A copy: what is generated uses the argument too.
    for (Operation *owner : llvm::to_vector(argument.getUsers())) {
      rewriter.setInsertionPoint(owner);
      if (auto op = dyn_cast<MatmulOp>(owner); op && op.getW() == argument) {
        Value product = ProductLowering(rewriter, op, blob).create();
        bool isProduct = op.getYieldedValue() == op.getAccumulator();
        rewriter.replaceOp(
            op, isProduct ? product : createEpilogue(rewriter, op, product));
      } else if (auto op = dyn_cast<UnpackOp>(owner)) {
        rewriter.replaceOp(op, createDense(rewriter, op, blob));
      } else if (auto op = dyn_cast<PlaneSplitOp>(owner)) {
        splitPlane(rewriter, op, blob);
      } else if (auto op = dyn_cast<PackOp>(owner)) {
        rewriter.replaceOp(op, argument);
      } else {
        return owner->emitOpError("cannot read argument ")
               << argument.getArgNumber() << ", which is ternary: expected "
               << "sparseflow.matmul, unpack or plane_split";
      }
    }
    return success();
  }

  // The bits of a plane are bytes of 0 and 1 here: a vector of i1 would be
  // stored as packed bits, which a scalar loop then reads as bytes.

  void splitPlane(OpBuilder &b, PlaneSplitOp op, const TernaryBlob &blob) {
    Location loc = op.getLoc();
    Value trits = blob.createTrits(b, loc, op.getPlane(), b.getI8Type(), false);
    for (auto [plane, sign] : {std::pair(op.getPlus(), 1), {op.getMinus(), -1}})
      bytes[plane] = createElementwise(
          b, loc, trits, b.getI8Type(),
          [sign = sign](OpBuilder &b, Location loc,
                        ValueRange arguments) -> Value {
            Value wanted = arith::ConstantIntOp::create(b, loc, sign, 8);
            Value isSet = arith::CmpIOp::create(
                b, loc, arith::CmpIPredicate::eq, arguments[0], wanted);
            return arith::ExtUIOp::create(b, loc, b.getI8Type(), isSet);
          });
    lowered.push_back(op);
  }

  /// The bytes of a plane; one that another op made is widened.
  Value getBytes(OpBuilder &b, Value plane) {
    Value &known = bytes[plane];
    if (!known)
      known = createElementwise(
          b, plane.getLoc(), plane, b.getI8Type(),
          [](OpBuilder &b, Location loc, ValueRange v) -> Value {
            return arith::ExtUIOp::create(b, loc, b.getI8Type(), v[0]);
          });
    return known;
  }

  void lowerPlanes(func::FuncOp function) {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (isa<PlaneAndOp, PlaneOrOp, PlanePopcountOp, PlaneMaskOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      Location loc = op->getLoc();
      if (auto popcount = dyn_cast<PlanePopcountOp>(op)) {
        rewriter.replaceOp(
            op, createPopcount(rewriter, popcount,
                               getBytes(rewriter, popcount.getPlane())));
      } else if (auto mask = dyn_cast<PlaneMaskOp>(op)) {
        Value plane = getBytes(rewriter, mask.getPlane());
        rewriter.replaceOp(op, createMask(rewriter, mask, plane));
      } else {
        Value lhs = getBytes(rewriter, op->getOperand(0));
        Value rhs = getBytes(rewriter, op->getOperand(1));
        bool isAnd = isa<PlaneAndOp>(op);
        bytes[op->getResult(0)] = createElementwise(
            rewriter, loc, {lhs, rhs}, rewriter.getI8Type(),
            [isAnd](OpBuilder &b, Location loc, ValueRange v) -> Value {
              if (isAnd)
                return arith::AndIOp::create(b, loc, v[0], v[1]);
              return arith::OrIOp::create(b, loc, v[0], v[1]);
            });
        lowered.push_back(op);
      }
    }
    // Users that are no plane ops see bits again.
    for (Operation *op : llvm::reverse(lowered)) {
      rewriter.setInsertionPointAfter(op);
      for (Value plane : op->getResults()) {
        if (plane.use_empty())
          continue;
        rewriter.setInsertionPointAfterValue(bytes[plane]);
        rewriter.replaceAllUsesWith(
            plane,
            createElementwise(
                rewriter, op->getLoc(), bytes[plane], rewriter.getI1Type(),
                [](OpBuilder &b, Location loc, ValueRange v) -> Value {
                  return arith::TruncIOp::create(b, loc, b.getI1Type(), v[0]);
                }));
      }
      rewriter.eraseOp(op);
    }
  }

  llvm::DenseMap<Value, Value> bytes;
  SmallVector<Operation *> lowered;
};
} // namespace
