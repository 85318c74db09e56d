//===- LowerToLinalg.cpp - sparseflow.matmul as dense linalg --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/LowerAttention.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"
#include "Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWLOWERTOLINALG
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

/// The map from the loops of a result of `rank` dimensions to the dimensions of
/// an operand with `broadcast`.
static AffineMap getOperandMap(Broadcast broadcast, unsigned rank,
                               MLIRContext *context) {
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, context);
  switch (broadcast) {
  case Broadcast::PerFeature:
    return identity.getMinorSubMap(1);
  case Broadcast::PerToken:
    return identity.getMajorSubMap(rank - 1);
  case Broadcast::Full:
    return identity;
  case Broadcast::Scalar:
    return AffineMap::get(rank, 0, context);
  }
  llvm_unreachable("a broadcast outside its enumeration");
}

static Value createEmpty(OpBuilder &b, MatmulOp op, Type element) {
  RankedTensorType type = op.getResultType();
  SmallVector<Value> sizes;
  for (int64_t i = 0, rank = type.getRank(); i < rank; ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(tensor::DimOp::create(b, op.getLoc(), op.getX(), i));
  return tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), element,
                                 sizes);
}

/// acc[..., t, n] = sum_k x[..., t, k] * w[n, k] in f32.
static Value createContraction(OpBuilder &b, MatmulOp op, bool isSparse) {
  Location loc = op.getLoc();
  MLIRContext *context = b.getContext();
  unsigned rank = op.getResultType().getRank();
  // Loops: the dimensions of the result, then k.
  SmallVector<AffineExpr> loops;
  for (unsigned i = 0; i <= rank; ++i)
    loops.push_back(getAffineDimExpr(i, context));
  SmallVector<AffineExpr> xDims(loops.begin(), loops.begin() + rank - 1);
  xDims.push_back(loops[rank]);
  // A weight that is transposed only for kernels is read as it was.
  AffineExpr wDims[] = {loops[rank - 1], loops[rank]};
  Value w = op.getW();
  for (const View &view : followViews(w, {0, 1}))
    if (ArrayRef<int64_t>(view.loops) == ArrayRef<int64_t>{1, 0} &&
        view.source.getType() == dropEncoding(view.source.getType()) &&
        getElementTypeOrSelf(view.source.getType()) ==
            op.getWeightElementType()) {
      w = view.source;
      std::swap(wDims[0], wDims[1]);
      break;
    }
  auto map = [&](ArrayRef<AffineExpr> dims) {
    return AffineMap::get(rank + 1, 0, dims, context);
  };
  AffineMap maps[] = {map(xDims), map(wDims),
                      map(ArrayRef(loops).take_front(rank))};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);

  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0));
  Value init =
      linalg::FillOp::create(b, loc, zero, createEmpty(b, op, b.getF32Type()))
          .getResult(0);
  auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    Value acc = arguments[2];
    Value x = arith::ExtFOp::create(b, loc, acc.getType(), arguments[0]);
    Value w = arith::ExtFOp::create(b, loc, acc.getType(), arguments[1]);
    Value product = arith::MulFOp::create(b, loc, x, w);
    Value sum = arith::AddFOp::create(b, loc, acc, product);
    if (isSparse) {
      Value isStored =
          arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, w, zero);
      sum = arith::SelectOp::create(b, loc, isStored, sum, acc);
    }
    linalg::YieldOp::create(b, loc, sum);
  };
  return linalg::GenericOp::create(b, loc, init.getType(),
                                   ValueRange{op.getX(), w}, init, maps,
                                   iterators, body)
      .getResult(0);
}

/// y = epilogue(acc, operands), elementwise.
static Value createEpilogue(OpBuilder &b, MatmulOp op, Value product) {
  unsigned rank = op.getResultType().getRank();
  SmallVector<Value> inputs{product};
  SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(rank)};
  for (auto [operand, broadcast] :
       llvm::zip(op.getEpilogueOperands(), op.getBroadcastList())) {
    inputs.push_back(operand);
    maps.push_back(getOperandMap(broadcast, rank, b.getContext()));
  }
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value init = createEmpty(b, op, op.getResultType().getElementType());
  auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    IRMapping map;
    map.map(op.getEpilogue().getArguments(), arguments.drop_back());
    for (Operation &inner : op.getEpilogue().front().without_terminator())
      b.clone(inner, map);
    linalg::YieldOp::create(b, loc, map.lookupOrDefault(op.getYieldedValue()));
  };
  return linalg::GenericOp::create(b, op.getLoc(), op.getResultType(), inputs,
                                   init, maps, iterators, body)
      .getResult(0);
}

static LogicalResult lowerMatmul(RewriterBase &rewriter, MatmulOp op) {
  if (StorageAttr storage = op.getStorageAttr())
    return op.emitOpError(
               "expected a weight tensor [N, K], found packed bytes ")
           << storage << "; run sparseflow-lower-to-linalg instead of "
           << "sparseflow-materialize-storage";
  rewriter.setInsertionPoint(op);
  Value product = createContraction(rewriter, op, op.isSparse());
  bool isProduct = op.getYieldedValue() == op.getAccumulator();
  rewriter.replaceOp(op, isProduct ? product
                                   : createEpilogue(rewriter, op, product));
  return success();
}

/// Sums that a program writes in f16 or bf16, of the products and reductions
/// that are no sparseflow.matmul, are made in f32 and rounded once, as those of
/// a matmul are.
static void promoteSum(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics())
    return;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Block &body = *op.getBlock();
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  BlockArgument out = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  if ((!type.getElementType().isF16() && !type.getElementType().isBF16()) ||
      !add || !out.hasOneUse() || *out.user_begin() != add)
    return;
  Value term = add.getLhs() == out ? add.getRhs() : add.getLhs();
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Type f32 = rewriter.getF32Type();
  unsigned rank = type.getRank();
  AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  // `value` in the other type, elementwise.
  auto convert = [&](Value value, Type element) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, value);
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, element);
    return linalg::GenericOp::create(
               rewriter, loc, empty.getType(), value, empty,
               ArrayRef{identity, identity}, parallel,
               [&](OpBuilder &b, Location loc, ValueRange arguments) {
                 Value to =
                     element.isF32()
                         ? arith::ExtFOp::create(b, loc, element, arguments[0])
                               .getResult()
                         : arith::TruncFOp::create(b, loc, element,
                                                   arguments[0])
                               .getResult();
                 linalg::YieldOp::create(b, loc, to);
               })
        .getResult(0);
  };
  Value init = convert(op.getDpsInits()[0], f32);
  auto sum = linalg::GenericOp::create(
      rewriter, loc, init.getType(), op.getDpsInputs(), init,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        auto widen = [&](Value value) -> Value {
          return value.getType().isF32()
                     ? value
                     : arith::ExtFOp::create(b, loc, f32, value).getResult();
        };
        IRMapping map;
        map.map(body.getArguments(), arguments);
        Value wide;
        // A product is not rounded either.
        if (auto mul = term.getDefiningOp<arith::MulFOp>();
            mul && isa<BlockArgument>(mul.getLhs()) &&
            isa<BlockArgument>(mul.getRhs())) {
          Value lhs = widen(map.lookup(mul.getLhs()));
          Value rhs = widen(map.lookup(mul.getRhs()));
          wide = arith::MulFOp::create(b, loc, lhs, rhs);
        } else {
          for (Operation &inner : body.without_terminator())
            if (&inner != add)
              b.clone(inner, map);
          wide = widen(map.lookupOrDefault(term));
        }
        linalg::YieldOp::create(
            b, loc,
            arith::AddFOp::create(b, loc, arguments.back(), wide).getResult());
      });
  rewriter.replaceOp(op, convert(sum.getResult(0), type.getElementType()));
}

/// Removes every encoding: arguments become dense, unpack has nothing to do.
static LogicalResult dropEncodings(func::FuncOp function) {
  WalkResult walk = function.walk([](Operation *op) -> WalkResult {
    if (isa<PruneOp, PackOp>(op) ||
        (isa<UnpackOp>(op) && cast<UnpackOp>(op).getStorageAttr()))
      return op->emitOpError("cannot run inside a compiled function: expected "
                             "weights that are pruned and unpacked already; "
                             "mark the argument with sparseflow-mark-sparse");
    if (auto unpack = dyn_cast<UnpackOp>(op)) {
      unpack.getResult().replaceAllUsesWith(unpack.getSource());
      unpack.erase();
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  for (BlockArgument argument : function.getArguments()) {
    if (getTernaryEncoding(argument.getType()))
      return function.emitError("expected no ternary argument, found argument ")
             << argument.getArgNumber() << " of type " << argument.getType()
             << "; run sparseflow-cpu-lower-ternary first";
    argument.setType(dropEncoding(argument.getType()));
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     function.getResultTypes()));
  return verifyNoEncodings(function);
}

namespace {
struct LowerToLinalg
    : sparseflow::impl::SparseFlowLowerToLinalgBase<LowerToLinalg> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal()) {
      if (failed(verifyNoEncodings(function)))
        signalPassFailure();
      return;
    }
    if (!function->hasAttr(SparseFlowDialect::kArgumentTypesAttr)) {
      FailureOr<FunctionSignature> signature = inferSignature(function);
      if (failed(signature))
        return signalPassFailure();
      recordSignature(function, *signature);
    }
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> sums;
    function.walk([&](linalg::LinalgOp op) { sums.push_back(op); });
    for (linalg::LinalgOp op : sums)
      promoteSum(rewriter, op);
    SmallVector<MatmulOp> matmuls;
    function.walk([&](MatmulOp op) { matmuls.push_back(op); });
    for (MatmulOp matmul : matmuls)
      if (failed(lowerMatmul(rewriter, matmul)))
        return signalPassFailure();
    SmallVector<AttentionOp> attentions;
    function.walk([&](AttentionOp op) { attentions.push_back(op); });
    for (AttentionOp attention : attentions)
      lowerAttention(rewriter, attention);
    for (HadamardOp rotation : llvm::to_vector(function.getOps<HadamardOp>()))
      lowerHadamard(rewriter, rotation);
    for (SampleOp sample : llvm::to_vector(function.getOps<SampleOp>()))
      lowerSample(rewriter, sample);
    for (CacheAppendOp append :
         llvm::to_vector(function.getOps<CacheAppendOp>())) {
      if (!append.isDense())
        continue;
      rewriter.setInsertionPoint(append);
      Value whole = append.getPages()
                        ? createAppendedToPages(rewriter, append)
                        : createAppended(rewriter, append).getResult(0);
      rewriter.replaceOp(append, whole);
    }
    if (failed(dropEncodings(function)))
      signalPassFailure();
  }
};
} // namespace
