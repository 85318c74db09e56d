//===- RaiseLinalg.cpp - Contractions become sparseflow.matmul ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWRAISELINALG
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
/// A contraction y[..., t, n] += x[..., t, k] * w[n, k].
struct Contraction {
  Value x, w, init;
};
} // namespace

/// The value under extensions to a wider float, which change no product.
static Value skipExtension(Value value) {
  while (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  return value;
}

/// Matches a body that yields out + in0 * in1, in any order of operands.
static bool isMultiplyAdd(linalg::LinalgOp op) {
  Block &block = *op.getBlock();
  if (block.getNumArguments() != 3)
    return false;
  Value in0 = block.getArgument(0), in1 = block.getArgument(1);
  Value out = block.getArgument(2);
  auto add =
      block.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || (add.getLhs() != out && add.getRhs() != out))
    return false;
  Value product = add.getLhs() == out ? add.getRhs() : add.getLhs();
  auto mul = skipExtension(product).getDefiningOp<arith::MulFOp>();
  if (!mul)
    return false;
  Value lhs = skipExtension(mul.getLhs()), rhs = skipExtension(mul.getRhs());
  return (lhs == in0 && rhs == in1) || (lhs == in1 && rhs == in0);
}

/// The loops that the results of `map` name, or nothing where one is no loop.
static std::optional<SmallVector<unsigned>> getLoops(AffineMap map) {
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    loops.push_back(dim.getPosition());
  }
  return loops;
}

/// [N, K] under an op that transposes it to [K, N], linalg.transpose or a
/// generic that says the same; null where there is none.
static Value skipTranspose(Value w) {
  auto op = w.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumLoops() != 2 || op.getNumParallelLoops() != 2)
    return nullptr;
  OpOperand *input = op.getDpsInputOperand(0);
  std::optional<SmallVector<unsigned>> from =
      getLoops(op.getMatchingIndexingMap(input));
  std::optional<SmallVector<unsigned>> to =
      getLoops(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  bool isSwap = from && to && from->size() == 2 && to->size() == 2 &&
                from->front() == to->back() && from->back() == to->front() &&
                from->front() != from->back();
  bool isCopy = op.getBlock()->getTerminator()->getOperand(0) ==
                op.getMatchingBlockArgument(input);
  return isSwap && isCopy ? input->get() : Value();
}

/// Finds x and w of `op`, whose body is a multiply-add. `reason` says why there
/// are none.
static std::optional<Contraction> matchContraction(linalg::LinalgOp op,
                                                   std::string &reason) {
  OpOperand *init = op.getDpsInitOperand(0);
  std::optional<SmallVector<unsigned>> y =
      getLoops(op.getMatchingIndexingMap(init));
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (!y || y->size() < 2 || reductions.size() != 1 ||
      op.getNumLoops() != y->size() + 1) {
    reason = "expected a result [..., T, N] and one summed dimension K";
    return std::nullopt;
  }
  unsigned k = reductions.front(), n = y->back();

  // The input that N does not index is x.
  for (unsigned i : {0u, 1u}) {
    OpOperand *x = op.getDpsInputOperand(i), *w = op.getDpsInputOperand(1 - i);
    std::optional<SmallVector<unsigned>> xLoops =
        getLoops(op.getMatchingIndexingMap(x));
    std::optional<SmallVector<unsigned>> wLoops =
        getLoops(op.getMatchingIndexingMap(w));
    SmallVector<unsigned> expected(*y);
    expected.back() = k;
    if (!xLoops || !wLoops || *xLoops != expected)
      continue;
    if (*wLoops == SmallVector<unsigned>{n, k})
      return Contraction{x->get(), w->get(), init->get()};
    if (*wLoops == SmallVector<unsigned>{k, n}) {
      Value transposed = skipTranspose(w->get());
      if (transposed)
        return Contraction{x->get(), transposed, init->get()};
      reason = "expected a weight [N, K], found [K, N]; store it transposed";
      return std::nullopt;
    }
  }
  reason = "expected x [..., T, K] and one weight [N, K] for all of x";
  return std::nullopt;
}

/// True where `value` holds zeros: a fill or a constant.
static bool isZeroFill(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getInputs()[0];
  if (matchPattern(value, m_AnyZeroFloat()))
    return true;
  SplatElementsAttr splat;
  return matchPattern(value, m_Constant(&splat)) &&
         isa<FloatType>(splat.getElementType()) &&
         splat.getSplatValue<APFloat>().isZero();
}

/// Why the types of `c` cannot be those of a sparseflow.matmul; empty where
/// they can.
static std::string checkTypes(const Contraction &c, Type resultType) {
  auto x = dyn_cast<RankedTensorType>(c.x.getType());
  auto w = dyn_cast<RankedTensorType>(c.w.getType());
  auto y = dyn_cast<RankedTensorType>(resultType);
  if (!x || !w || !y)
    return "expected ranked tensors";
  std::string reason;
  llvm::raw_string_ostream os(reason);
  Type element = x.getElementType();
  if (element != w.getElementType() || (!element.isF16() && !element.isBF16()))
    os << "expected f16 x f16 or bf16 x bf16, found " << element << " x "
       << w.getElementType();
  else if (!isa<Float16Type, BFloat16Type, Float32Type>(y.getElementType()))
    os << "expected an f16, bf16 or f32 result, found " << y.getElementType();
  else if (!w.hasStaticShape())
    os << "expected a weight of static shape, found " << w;
  else if (x.getEncoding())
    os << "expected only the weight to be sparse, found x " << x;
  else if (NmAttr nm = getNmEncoding(w); nm && !nm.isAlongLastAxis())
    os << "expected the weight's encoding to group K, found " << nm;
  else if (w.getEncoding() && !getNmEncoding(w))
    os << "expected a dense or N:M weight, found " << w.getEncoding()
       << "; run sparseflow-import-encodings";
  else if (x.getShape().back() != w.getDimSize(1))
    os << "expected K = " << w.getDimSize(1) << " in x, found " << x;
  else if (MatmulOp::inferResultType(x, w.getDimSize(0), y.getElementType()) !=
           y)
    os << "expected the result type "
       << MatmulOp::inferResultType(x, w.getDimSize(0), y.getElementType())
       << ", found " << y;
  return reason;
}

/// y = round(acc), or y = round(acc + init) for an initial value.
static Value buildMatmul(RewriterBase &rewriter, linalg::LinalgOp op,
                         const Contraction &c) {
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = resultType.getElementType();
  bool isZero = isZeroFill(c.init);
  SmallVector<Value> operands;
  SmallVector<Broadcast> broadcasts;
  if (!isZero) {
    operands.push_back(c.init);
    broadcasts.push_back(Broadcast::Full);
  }
  return MatmulOp::create(
      rewriter, op->getLoc(), resultType, c.x, c.w, operands, broadcasts,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        Value value = arguments[0];
        if (!isZero) {
          Value init = arguments[1];
          if (init.getType() != value.getType())
            init = arith::ExtFOp::create(b, loc, value.getType(), init);
          value = arith::AddFOp::create(b, loc, value, init);
        }
        MatmulOp::buildIdentityEpilogue(b, loc, value, element);
      });
}

static void raise(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op->getNumResults() != 1 || op.getNumReductionLoops() == 0)
    return;
  std::string reason;
  std::optional<Contraction> contraction;
  if (!isMultiplyAdd(op))
    reason = "expected the body out + x * w on floats";
  else
    contraction = matchContraction(op, reason);
  if (contraction)
    reason = checkTypes(*contraction, op->getResult(0).getType());
  if (!contraction || !reason.empty()) {
    explain(op, "import") << op->getName().getStringRef()
                          << " stays as it is: " << reason;
    return;
  }

  rewriter.setInsertionPoint(op);
  Type accumulator = getElementTypeOrSelf(op->getResult(0).getType());
  if (!accumulator.isF32())
    explain(op, "import") << "accumulates in f32 instead of " << accumulator;
  auto w = cast<RankedTensorType>(contraction->w.getType());
  NmAttr nm = getNmEncoding(w);
  Remark note = explain(op, "import");
  note << "raised " << op->getName().getStringRef() << "; the weight ["
       << w.getDimSize(0) << ", " << w.getDimSize(1) << "] is ";
  if (nm)
    note << nm.getN() << ":" << nm.getM();
  else
    note << "dense";
  rewriter.replaceOp(op, buildMatmul(rewriter, op, *contraction));
}

namespace {
struct RaiseLinalg : sparseflow::impl::SparseFlowRaiseLinalgBase<RaiseLinalg> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      raise(rewriter, op);
    // What only fed the contractions: fills, empty tensors, transposes.
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>(
        [&](Operation *op) {
          if (isOpTriviallyDead(op))
            rewriter.eraseOp(op);
        });
  }
};
} // namespace
