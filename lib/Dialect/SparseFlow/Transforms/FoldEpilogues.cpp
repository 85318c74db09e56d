//===- FoldEpilogues.cpp - Elementwise linalg joins its matmul ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Views.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWFOLDEPILOGUES
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;
using linalg::GenericOp;

//===----------------------------------------------------------------------===//
// One form for elementwise ops
//===----------------------------------------------------------------------===//

/// Writes every all-parallel linalg op with projected-permutation maps as a
/// linalg.generic. Contractions keep their names.
static void generalize(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) {
    bool isElementwise =
        op.getNumParallelLoops() == op.getNumLoops() &&
        llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return map.isProjectedPermutation(/*allowZeroInResults=*/false);
        });
    if (isElementwise && !isa<GenericOp>(op) && op.hasPureTensorSemantics())
      ops.push_back(op);
  });
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    [[maybe_unused]] FailureOr<GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    assert(succeeded(generic) && "an elementwise named op has a generic form");
  }
}

/// Fuses each elementwise generic into its only user.
static LogicalResult fuseElementwise(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  linalg::populateElementwiseOpsFusionPatterns(
      patterns, [](OpOperand *operand) { return operand->get().hasOneUse(); });
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  GenericOp::getCanonicalizationPatterns(patterns, function.getContext());
  return applyPatternsGreedily(function, std::move(patterns));
}

//===----------------------------------------------------------------------===//
// Fusion into a matmul
//===----------------------------------------------------------------------===//

namespace {
/// A generic that can join the epilogue of the matmul it reads.
struct Fusion {
  GenericOp op;
  /// The tensors that become epilogue operands, with their block arguments.
  SmallVector<Value> operands;
  SmallVector<Broadcast> broadcasts;
  SmallVector<BlockArgument> operandArguments;
  /// The block arguments that hold the element of the matmul's result.
  SmallVector<BlockArgument> resultArguments;
};
} // namespace

static bool isOperandElement(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type>(type);
}

/// The value that the epilogue reads in place of `operand`, which `op` reads:
/// the operand, or what it only repeats; null where no broadcast fits.
static std::pair<Value, Broadcast> findOperand(GenericOp op,
                                               OpOperand &operand) {
  std::optional<SmallVector<int64_t>> loops =
      getLoops(op.getMatchingIndexingMap(&operand));
  std::optional<SmallVector<int64_t>> result =
      getLoops(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  Type element = getElementTypeOrSelf(operand.get().getType());
  SmallVector<View> views = followViews(operand.get(), *loops);
  for (const View &view : llvm::reverse(views)) {
    std::optional<Broadcast> broadcast = classifyBroadcast(view.loops, *result);
    auto type = cast<RankedTensorType>(view.source.getType());
    if (broadcast && type.getElementType() == element && !type.getEncoding())
      return {view.source, *broadcast};
  }
  return {Value(), Broadcast::Full};
}

/// Checks that `op` can join the epilogue of `matmul`, whose result only `op`
/// reads. Returns why not in `reason`.
static std::optional<Fusion> matchFusion(MatmulOp matmul, GenericOp op,
                                         std::string &reason) {
  llvm::raw_string_ostream os(reason);
  if (op.getNumLoops() != op.getNumParallelLoops() ||
      op->getNumResults() != 1 || !op.hasPureTensorSemantics()) {
    os << "it is not elementwise with one result";
    return std::nullopt;
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!output.isPermutation() ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
        return map.isProjectedPermutation(false);
      })) {
    os << "its indexing maps are no projected permutations";
    return std::nullopt;
  }
  if (!isOperandElement(type.getElementType())) {
    os << "its result holds " << type.getElementType()
       << "; expected f16, bf16 or f32";
    return std::nullopt;
  }
  auto expected = RankedTensorType::get(matmul.getResultType().getShape(),
                                        type.getElementType());
  if (type != expected) {
    os << "its result is " << type << "; expected " << expected;
    return std::nullopt;
  }
  for (Operation &inner : op.getBody()->without_terminator())
    if (!isScalarComputation(&inner)) {
      os << inner.getName() << " is no scalar arith or math op on floats";
      return std::nullopt;
    }

  Fusion fusion{op, {}, {}, {}, {}};
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty() && operand.get() != matmul.getResult())
      continue;
    if (operand.get() == matmul.getResult()) {
      if (op.getMatchingIndexingMap(&operand) != output) {
        os << "it reads the matmul's result transposed or broadcast";
        return std::nullopt;
      }
      fusion.resultArguments.push_back(argument);
      continue;
    }
    auto operandType = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!operandType) {
      os << "operand " << operand.getOperandNumber() << " is a scalar of type "
         << operand.get().getType() << "; pass it as a tensor of rank 0";
      return std::nullopt;
    }
    if (!isOperandElement(operandType.getElementType()) ||
        operandType.getEncoding()) {
      os << "operand " << operand.getOperandNumber() << " is " << operandType
         << ", not a dense tensor of f16, bf16 or f32";
      return std::nullopt;
    }
    auto [source, broadcast] = findOperand(op, operand);
    if (!source) {
      os << "operand " << operand.getOperandNumber()
         << " is neither per feature, per token, full nor scalar";
      return std::nullopt;
    }
    fusion.operands.push_back(source);
    fusion.broadcasts.push_back(broadcast);
    fusion.operandArguments.push_back(argument);
  }
  // Constants may stand outside the body; nothing else may.
  WalkResult walk = op.getBody()->walk([&](Operation *inner) {
    for (Value value : inner->getOperands()) {
      Operation *source = value.getDefiningOp();
      bool isInside = value.getParentBlock() == op.getBody();
      if (!isInside && !isa_and_nonnull<arith::ConstantOp>(source)) {
        os << "its body reads a scalar from outside; pass it as a tensor of "
              "rank 0";
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return std::nullopt;
  return fusion;
}

/// Replaces `matmul` and `fusion.op` by one matmul where `fusion.op` stands, so
/// that every operand is defined before it.
static MatmulOp applyFusion(RewriterBase &rewriter, MatmulOp matmul,
                            Fusion &fusion) {
  rewriter.setInsertionPoint(fusion.op);
  SmallVector<Value> operands(matmul.getEpilogueOperands());
  SmallVector<Broadcast> broadcasts = matmul.getBroadcastList();
  unsigned oldCount = operands.size();
  operands.append(fusion.operands);
  broadcasts.append(fusion.broadcasts);
  auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    IRMapping map;
    map.map(matmul.getEpilogue().getArguments(),
            arguments.take_front(oldCount + 1));
    for (Operation &op : matmul.getEpilogue().front().without_terminator())
      b.clone(op, map);
    Value product = map.lookupOrDefault(matmul.getYieldedValue());
    for (BlockArgument argument : fusion.resultArguments)
      map.map(argument, product);
    map.map(fusion.operandArguments, arguments.drop_front(oldCount + 1));
    Block *inner = fusion.op.getBody();
    // Constants from outside are cloned where they are first read.
    auto importConstants = [&](Operation &op) {
      for (Value value : op.getOperands())
        if (value.getParentBlock() != inner && !map.contains(value))
          b.clone(*value.getDefiningOp(), map);
    };
    for (Operation &op : inner->without_terminator()) {
      importConstants(op);
      b.clone(op, map);
    }
    importConstants(*inner->getTerminator());
    YieldOp::create(b, loc, map.lookup(inner->getTerminator()->getOperand(0)));
  };
  auto fused = MatmulOp::create(
      rewriter, rewriter.getFusedLoc({matmul.getLoc(), fusion.op.getLoc()}),
      fusion.op->getResult(0).getType(), matmul.getX(), matmul.getW(), operands,
      broadcasts, body);
  if (matmul.getStorageAttr())
    fused.setStorageAttr(matmul.getStorageAttr());
  fused->setDiscardableAttrs(llvm::to_vector(matmul->getDiscardableAttrs()));
  rewriter.replaceOp(fusion.op, fused);
  rewriter.eraseOp(matmul);
  return fused;
}

/// "arith.addf, arith.maximumf; operands: per_feature"
static void describe(Remark &remark, const Fusion &fusion) {
  GenericOp op = fusion.op;
  llvm::SetVector<StringRef> names;
  for (Operation &inner : op.getBody()->without_terminator())
    names.insert(inner.getName().getStringRef());
  if (names.empty())
    names.insert("a copy");
  llvm::interleaveComma(names, remark, [&](StringRef n) { remark << n; });
  if (fusion.broadcasts.empty())
    return;
  remark << "; operands: ";
  llvm::interleaveComma(fusion.broadcasts, remark, [&](Broadcast broadcast) {
    remark << stringifyBroadcast(broadcast);
  });
}

/// The one op that uses `matmul`, however often; null for none or several.
static Operation *getOnlyUser(MatmulOp matmul) {
  llvm::SmallPtrSet<Operation *, 2> users(matmul->user_begin(),
                                          matmul->user_end());
  return users.size() == 1 ? *users.begin() : nullptr;
}

/// Fuses what follows `matmul` until something cannot be fused.
static void foldChain(RewriterBase &rewriter, MatmulOp matmul) {
  while (true) {
    Operation *user = getOnlyUser(matmul);
    if (!user) {
      if (llvm::any_of(matmul->getUsers(),
                       [](Operation *op) { return isa<GenericOp>(op); }))
        explain(matmul, "epilogue")
            << "not fused: the matmul has several users, so it is stored";
      return;
    }
    auto generic = dyn_cast<GenericOp>(user);
    if (!generic)
      return;
    std::string reason;
    std::optional<Fusion> fusion = matchFusion(matmul, generic, reason);
    if (!fusion) {
      explain(generic, "epilogue") << "not fused: " << reason;
      return;
    }
    Remark note = explain(generic, "epilogue");
    note << "fused ";
    describe(note, *fusion);
    matmul = applyFusion(rewriter, matmul, *fusion);
  }
}

namespace {
struct FoldEpilogues
    : sparseflow::impl::SparseFlowFoldEpiloguesBase<FoldEpilogues> {
  void runOnOperation() override {
    generalize(getOperation());
    if (failed(fuseElementwise(getOperation())))
      return signalPassFailure();
    // From the last matmul to the first: of two products that meet in one op,
    // the later one takes it and the earlier one stays where it is.
    SmallVector<MatmulOp> matmuls;
    getOperation().walk([&](MatmulOp op) { matmuls.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (MatmulOp matmul : llvm::reverse(matmuls))
      foldChain(rewriter, matmul);
  }
};
} // namespace
