//===- RaiseLinalg.cpp - Contractions become sparseflow.matmul ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaiseOps.h"

#include "Dialect/SparseFlow/Transforms/Views.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
  /// The loops of y.
  SmallVector<int64_t> loops;
  /// w is [K, N] in memory.
  bool isTransposed = false;
};
} // namespace

/// Whether `view` reads its source, f16 or bf16, by exactly `loops`.
static bool reads(const View &view, ArrayRef<int64_t> loops) {
  Type element = getElementTypeOrSelf(view.source.getType());
  return (element.isF16() || element.isBF16()) && view.element == element &&
         ArrayRef<int64_t>(view.loops) == loops;
}

/// The oldest value that is the activations by `loops`; `operand` where none is
/// older.
static Value findActivations(Value operand, ArrayRef<int64_t> loops) {
  Value found = operand;
  for (const View &view : followViews(operand, loops))
    if (reads(view, loops))
      found = view.source;
  return found;
}

/// The oldest value among `views` that is a weight [N, K], and of those one
/// with an encoding; null where all have another order.
static Value findWeight(ArrayRef<View> views, int64_t n, int64_t k) {
  Value found;
  for (const View &view : views) {
    if (!reads(view, {n, k}))
      continue;
    found = view.source;
    if (cast<RankedTensorType>(found.getType()).getEncoding())
      break;
  }
  return found;
}

/// Finds x and w of `op`, whose body is a multiply-add. `reason` says why there
/// are none.
static std::optional<Contraction> matchContraction(linalg::LinalgOp op,
                                                   std::string &reason) {
  OpOperand *init = op.getDpsInitOperand(0);
  std::optional<SmallVector<int64_t>> y =
      getLoops(op.getMatchingIndexingMap(init));
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (!y || y->size() < 2 || reductions.size() != 1 ||
      op.getNumLoops() != y->size() + 1) {
    reason = "expected a result [..., T, N] and one summed dimension K";
    return std::nullopt;
  }
  int64_t k = reductions.front(), n = y->back();

  // The input that N does not index is x.
  for (unsigned i : {0u, 1u}) {
    OpOperand *x = op.getDpsInputOperand(i), *w = op.getDpsInputOperand(1 - i);
    std::optional<SmallVector<int64_t>> xLoops =
        getLoops(op.getMatchingIndexingMap(x));
    std::optional<SmallVector<int64_t>> wLoops =
        getLoops(op.getMatchingIndexingMap(w));
    SmallVector<int64_t> expected(*y);
    expected.back() = k;
    if (!xLoops || !wLoops || *xLoops != expected)
      continue;
    SmallVector<View> views = followViews(w->get(), *wLoops);
    Value activations = findActivations(x->get(), expected);
    if (Value weight = findWeight(views, n, k))
      return Contraction{activations, weight, init->get(), *y};
    if (*wLoops == SmallVector<int64_t>{n, k})
      return Contraction{activations, w->get(), init->get(), *y};
    bool isEncoded = false;
    Value transposed;
    for (const View &view : views)
      if (reads(view, {k, n})) {
        transposed = view.source;
        isEncoded |=
            cast<RankedTensorType>(transposed.getType()).getEncoding() !=
            nullptr;
      }
    if (!transposed)
      continue;
    if (!isEncoded)
      return Contraction{activations, transposed, init->get(), *y,
                         /*isTransposed=*/true};
    reason =
        "expected a sparse weight [N, K], found [K, N]; store it transposed";
    return std::nullopt;
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
  if (c.isTransposed)
    w = RankedTensorType::get({w.getDimSize(1), w.getDimSize(0)},
                              w.getElementType());
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
  else if (w.getEncoding() && !getNmEncoding(w) && !getTernaryEncoding(w))
    os << "expected a dense, N:M or ternary weight, found " << w.getEncoding()
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

/// A bias is often written as the initial value, repeated over the tokens: the
/// vector under it, where there is one, else `init` itself.
static std::pair<Value, Broadcast> findOperand(Value init,
                                               ArrayRef<int64_t> loops) {
  Type element = getElementTypeOrSelf(init.getType());
  SmallVector<View> views = followViews(init, loops);
  for (const View &view : llvm::reverse(views)) {
    std::optional<Broadcast> broadcast = classifyBroadcast(view.loops, loops);
    auto type = cast<RankedTensorType>(view.source.getType());
    if (broadcast && type.getElementType() == element && !type.getEncoding())
      return {view.source, *broadcast};
  }
  return {init, Broadcast::Full};
}

/// The weight [K, N] of `c` as [N, K].
static Value transposeWeight(RewriterBase &rewriter, Location loc,
                             const Contraction &c) {
  auto type = cast<RankedTensorType>(c.w.getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, ArrayRef<int64_t>{type.getDimSize(1), type.getDimSize(0)},
      type.getElementType());
  return linalg::TransposeOp::create(rewriter, loc, c.w, empty,
                                     ArrayRef<int64_t>{1, 0})
      ->getResult(0);
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
    auto [value, broadcast] = findOperand(c.init, c.loops);
    operands.push_back(value);
    broadcasts.push_back(broadcast);
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

/// The matmul that `op` is, or the reason why it is none.
static std::optional<Contraction> match(linalg::LinalgOp op,
                                        std::string &reason) {
  if (op.getNumReductionLoops() == 1 && !isContraction(op)) {
    reason = "expected the body out + x * w on floats";
    return std::nullopt;
  }
  std::optional<Contraction> contraction = matchContraction(op, reason);
  if (contraction)
    reason = checkTypes(*contraction, op->getResult(0).getType());
  return reason.empty() ? contraction : std::nullopt;
}

static void raise(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op->getNumResults() != 1 || op.getNumReductionLoops() == 0)
    return;
  std::string reason;
  std::optional<Contraction> contraction = match(op, reason);
  if (!contraction) {
    explain(op, "import") << op->getName().getStringRef()
                          << " stays as it is: " << reason;
    return;
  }

  rewriter.setInsertionPoint(op);
  Type accumulator = getElementTypeOrSelf(op->getResult(0).getType());
  if (!accumulator.isF32())
    explain(op, "import") << "accumulates in f32 instead of " << accumulator;
  if (contraction->isTransposed)
    contraction->w = transposeWeight(rewriter, op->getLoc(), *contraction);
  auto w = cast<RankedTensorType>(contraction->w.getType());
  NmAttr nm = getNmEncoding(w);
  Remark note = explain(op, "import");
  note << "raised " << op->getName().getStringRef() << "; the weight ["
       << w.getDimSize(0) << ", " << w.getDimSize(1) << "] is ";
  if (nm)
    note << nm.getN() << ":" << nm.getM();
  else if (TernaryAttr quantized = getTernaryEncoding(w))
    note << quantized.getKeyword();
  else
    note << "dense";
  if (contraction->isTransposed)
    note << ", found as [K, N]: a GPU transposes it in every call; store it as "
            "[N, K]";
  rewriter.replaceOp(op, buildMatmul(rewriter, op, *contraction));
}

namespace {
struct RaiseLinalg : sparseflow::impl::SparseFlowRaiseLinalgBase<RaiseLinalg> {
  void runOnOperation() override { raiseLinalgOps(getOperation(), raise); }
};
} // namespace
