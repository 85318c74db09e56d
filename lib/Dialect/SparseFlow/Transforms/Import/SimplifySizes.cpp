//===- SimplifySizes.cpp - Run-time shapes become shapes ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClampIndices.h"
#include "RaiseOps.h"
#include "SizeAlgebra.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWSIMPLIFYSIZES
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

//===----------------------------------------------------------------------===//
// Equalities
//===----------------------------------------------------------------------===//

static Size countElements(SizeAlgebra &sizes, Value tensor) {
  Size product;
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t i = 0; i < type.getRank(); ++i)
    product = sizes.multiply(product, sizes.getDim(tensor, i));
  return product;
}

using VisitEqual = function_ref<void(const Size &, const Size &)>;

/// One dimension of each operand that the same loop indexes.
static void visitLoops(SizeAlgebra &sizes, linalg::LinalgOp op,
                       VisitEqual visit) {
  SmallVector<std::optional<Size>> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [i, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      Size size = sizes.getDim(operand.get(), i);
      std::optional<Size> &first = loops[dim.getPosition()];
      if (!first)
        first = size;
      else
        visit(*first, size);
    }
  }
}

/// Sizes that are equal by what `op` is.
static void visitEqualSizes(SizeAlgebra &sizes, Operation *op,
                            VisitEqual visit) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    visitLoops(sizes, linalgOp, visit);
  } else if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    if (isa<RankedTensorType>(reshape.getSource().getType()) &&
        isa<RankedTensorType>(reshape.getType()))
      visit(countElements(sizes, reshape.getSource()),
            countElements(sizes, reshape.getResult()));
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    Value first = concat.getInputs().front();
    for (Value input : concat.getInputs().drop_front())
      for (int64_t i = 0; i < concat.getResultType().getRank(); ++i)
        if (i != static_cast<int64_t>(concat.getDim()))
          visit(sizes.getDim(first, i), sizes.getDim(input, i));
  }
}

/// What has to be equal in every call that does not fail.
static void collectEqualities(SizeAlgebra &sizes, func::FuncOp function) {
  bool changed = true;
  while (changed) {
    changed = false;
    function.walk([&](Operation *op) {
      if (auto check = dyn_cast<cf::AssertOp>(op)) {
        auto compare = check.getArg().getDefiningOp<arith::CmpIOp>();
        if (compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
            op->getParentOp() == function)
          changed |= sizes.unify(sizes.get(compare.getLhs()),
                                 sizes.get(compare.getRhs()));
        return;
      }
      visitEqualSizes(sizes, op, [&](const Size &a, const Size &b) {
        changed |= sizes.unify(a, b);
      });
    });
  }
}

/// An error where an op works for one value of a dynamic dimension only.
static LogicalResult verifySizes(SizeAlgebra &sizes, func::FuncOp function) {
  WalkResult result = function.walk([&](Operation *op) {
    bool isFixed = false;
    visitEqualSizes(sizes, op, [&](const Size &a, const Size &b) {
      auto fixed = isFixed ? std::nullopt : sizes.findFixed(a, b);
      if (!fixed)
        return;
      isFixed = true;
      op->emitOpError("is right only where dimension ")
          << fixed->dim << " of argument " << fixed->argument.getArgNumber()
          << " is " << fixed->size
          << ", but the argument's type leaves that size to the call: write "
             "the size in the type, or, where any size is meant, mend the "
             "program (torch-mlir reads a view that joins two dynamic "
             "dimensions as one that drops a dimension of size 1; "
             "sparseflow.from_torch avoids that)";
    });
    return isFixed ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A reshape of [B, S, ..] to [B', S', ..] keeps B * S only. That the two are
/// the same one by one is what every front end means by it.
static bool assumeEqualities(SizeAlgebra &sizes, tensor::ReshapeOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return false;
  Size a = countElements(sizes, op.getSource()),
       b = countElements(sizes, op.getResult());
  if (a == b || a.factor != b.factor || a.symbols.size() != b.symbols.size())
    return false;
  bool changed = false;
  for (int64_t i = 0, e = std::min(from.getRank(), to.getRank()); i < e; ++i) {
    Size x = sizes.getDim(op.getSource(), i),
         y = sizes.getDim(op.getResult(), i);
    if (x == y)
      continue;
    if (x.symbols.size() != 1 || y.symbols.size() != 1 || !sizes.unify(x, y))
      break;
    changed = true;
    explain(op, "import") << "takes dimension " << i
                          << " of what is reshaped, and of its result, to be "
                             "one size";
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

namespace {
/// Makes sizes where they are needed, each once.
class SizeBuilder {
public:
  SizeBuilder(func::FuncOp function, SizeAlgebra &sizes)
      : entry(&function.front()), builder(OpBuilder::atBlockBegin(entry)),
        sizes(sizes) {}

  /// An index or integer of `type` that is `size`, made of constants and
  /// dimensions of arguments; null where that does not say it.
  Value get(const Size &size, Type type, Location loc) {
    if (std::optional<int64_t> number = size.getConstant())
      return constant(*number, type, loc);
    auto dimension = sizes.getDimension(size);
    if (!dimension)
      return nullptr;
    // What a loop carries is an argument as well, of a block of its own.
    auto argument = dyn_cast<BlockArgument>(dimension->first);
    if (!argument || argument.getOwner() != entry)
      return nullptr;
    Value &index = dimensions[*dimension];
    if (!index)
      index = tensor::DimOp::create(builder, loc, dimension->first,
                                    dimension->second);
    if (type.isIndex())
      return index;
    Value &integer = casts[{index, type}];
    if (!integer)
      integer = arith::IndexCastOp::create(builder, loc, type, index);
    return integer;
  }
  Value constant(int64_t number, Type type, Location loc) {
    Value &made = constants[{number, type}];
    if (!made)
      made = arith::ConstantOp::create(builder, loc,
                                       builder.getIntegerAttr(type, number));
    return made;
  }

private:
  Block *entry;
  OpBuilder builder;
  SizeAlgebra &sizes;
  llvm::DenseMap<std::pair<Value, int64_t>, Value> dimensions;
  llvm::DenseMap<std::pair<Value, Type>, Value> casts;
  llvm::DenseMap<std::pair<int64_t, Type>, Value> constants;
};
} // namespace

static bool isScalarArithmetic(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      isa<arith::ConstantOp, tensor::ExtractOp, linalg::IndexOp>(op))
    return false;
  return op->getResult(0).getType().isIntOrIndex() && isPure(op);
}

/// Every integer that is a number or a dimension of an argument says so.
static void rewriteScalars(func::FuncOp function, SizeAlgebra &sizes,
                           SizeBuilder &made) {
  SmallVector<Operation *> scalars;
  function.walk([&](Operation *op) {
    if (isScalarArithmetic(op))
      scalars.push_back(op);
  });
  for (Operation *op : scalars) {
    Value result = op->getResult(0);
    Value better;
    if (result.getType().isInteger(1)) {
      if (std::optional<bool> flag = sizes.getCondition(result))
        better = made.constant(*flag, result.getType(), op->getLoc());
    } else {
      better = made.get(sizes.get(result), result.getType(), op->getLoc());
    }
    if (better && better != result)
      result.replaceAllUsesWith(better);
  }
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// Which dimensions of `a` hold the elements of which of `b`; nothing where
/// they do not meet.
static std::optional<std::pair<SmallVector<ReassociationIndices>,
                               SmallVector<ReassociationIndices>>>
groupDimensions(SizeAlgebra &sizes, ArrayRef<Size> a, ArrayRef<Size> b) {
  SmallVector<ReassociationIndices> ofA, ofB;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    ofA.push_back({static_cast<int64_t>(i)});
    ofB.push_back({static_cast<int64_t>(j)});
    Size x = a[i++], y = b[j++];
    while (x != y) {
      // The side that is a part of the other one grows.
      bool growsA = i < a.size() && (j == b.size() || sizes.divide(y, x));
      if (!growsA && j == b.size())
        return std::nullopt;
      if (growsA) {
        ofA.back().push_back(i);
        x = sizes.multiply(x, a[i++]);
      } else {
        ofB.back().push_back(j);
        y = sizes.multiply(y, b[j++]);
      }
    }
  }
  // Units at the end belong to the last group.
  for (; i < a.size(); ++i) {
    if (!a[i].isOne() || ofA.empty())
      return std::nullopt;
    ofA.back().push_back(i);
  }
  for (; j < b.size(); ++j) {
    if (!b[j].isOne() || ofB.empty())
      return std::nullopt;
    ofB.back().push_back(j);
  }
  return std::make_pair(ofA, ofB);
}

static bool isTrivial(ArrayRef<ReassociationIndices> groups) {
  return llvm::all_of(groups, [](auto &group) { return group.size() == 1; });
}

/// tensor.reshape by computed sizes becomes a collapse and an expansion.
static void rewriteReshape(IRRewriter &rewriter, SizeAlgebra &sizes,
                           SizeBuilder &made, tensor::ReshapeOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return;
  auto getSizes = [&](Value tensor) {
    SmallVector<Size> list;
    auto type = cast<RankedTensorType>(tensor.getType());
    for (int64_t i = 0; i < type.getRank(); ++i)
      list.push_back(sizes.getDim(tensor, i));
    return list;
  };
  SmallVector<Size> fromSizes = getSizes(op.getSource()),
                    toSizes = getSizes(op.getResult());
  auto groups = groupDimensions(sizes, fromSizes, toSizes);
  if (!groups) {
    explain(op, "import") << "tensor.reshape stays as it is: expected sizes "
                             "whose products follow from those of "
                          << from;
    return;
  }
  rewriter.setInsertionPoint(op);
  Value value = op.getSource();
  if (!isTrivial(groups->first))
    value = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), value,
                                            groups->first);
  if (!isTrivial(groups->second)) {
    SmallVector<OpFoldResult> shape;
    for (auto [i, size] : llvm::enumerate(to.getShape())) {
      if (ShapedType::isStatic(size)) {
        shape.push_back(rewriter.getIndexAttr(size));
        continue;
      }
      Value known = made.get(toSizes[i], rewriter.getIndexType(), op.getLoc());
      if (!known) {
        Value computed = tensor::ExtractOp::create(
            rewriter, op.getLoc(), op.getShape(),
            ValueRange{made.constant(i, rewriter.getIndexType(), op.getLoc())});
        known =
            computed.getType().isIndex()
                ? computed
                : arith::IndexCastOp::create(rewriter, op.getLoc(),
                                             rewriter.getIndexType(), computed)
                      .getResult();
      }
      shape.push_back(known);
    }
    // What is dynamic in a group has to be dynamic in what is expanded.
    SmallVector<int64_t> narrow;
    auto type = cast<RankedTensorType>(value.getType());
    for (const ReassociationIndices &group : groups->second) {
      int64_t size = 1;
      for (int64_t dim : group)
        size = ShapedType::isDynamic(size) || to.isDynamicDim(dim)
                   ? ShapedType::kDynamic
                   : size * to.getDimSize(dim);
      narrow.push_back(size);
    }
    auto source = RankedTensorType::get(narrow, type.getElementType());
    if (source != type)
      value = tensor::CastOp::create(rewriter, op.getLoc(), source, value);
    value = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), to, value,
                                          groups->second, shape);
  }
  if (value.getType() != to)
    value = tensor::CastOp::create(rewriter, op.getLoc(), to, value);
  rewriter.replaceAllUsesWith(op.getResult(), value);
}

//===----------------------------------------------------------------------===//
// Elements that are read by their place
//===----------------------------------------------------------------------===//

/// The loop that `index`, of a dimension of `size`, follows in `op`; 0 for a
/// constant 0 of a dimension of size 1. A dimension that is repeated where its
/// size is 1 (index = size == 1 ? 0 : loop) follows its loop where both have
/// one size.
static AffineExpr followLoop(SizeAlgebra &sizes, linalg::GenericOp op,
                             ArrayRef<Size> loops, Value index,
                             const Size &size, unsigned place) {
  MLIRContext *context = op.getContext();
  if (matchPattern(index, m_Zero())) {
    // A loop of size 1 in the same place reads the same.
    bool isLoop = place < loops.size() && loops[place].isOne();
    return !size.isOne() ? AffineExpr()
           : isLoop      ? getAffineDimExpr(place, context)
                         : getAffineConstantExpr(0, context);
  }
  if (auto select = index.getDefiningOp<arith::SelectOp>()) {
    auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
    bool isRepeated = compare &&
                      compare.getPredicate() == arith::CmpIPredicate::eq &&
                      matchPattern(select.getTrueValue(), m_Zero()) &&
                      sizes.get(compare.getLhs()) == size &&
                      sizes.get(compare.getRhs()).isOne();
    if (!isRepeated)
      return AffineExpr();
    index = select.getFalseValue();
  }
  auto loop = index.getDefiningOp<linalg::IndexOp>();
  if (!loop || loop->getBlock() != op.getBody() || loops[loop.getDim()] != size)
    return AffineExpr();
  return getAffineDimExpr(static_cast<unsigned>(loop.getDim()), context);
}

/// An element that is read at the place of the loops is an operand.
///
///   generic outs(%o) { %i = linalg.index 0; tensor.extract %x[%i] }
///   ->  generic ins(%x) outs(%o) { ^bb0(%in: f16, ...): %in }
static void rewriteExtracts(IRRewriter &rewriter, SizeAlgebra &sizes,
                            linalg::GenericOp op,
                            SmallVectorImpl<Operation *> &replaced) {
  if (!op.hasPureTensorSemantics())
    return;
  SmallVector<Size> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [i, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        loops[dim.getPosition()] = sizes.getDim(operand.get(), i);
  }
  SmallVector<std::pair<tensor::ExtractOp, AffineMap>> reads;
  for (auto extract : op.getBody()->getOps<tensor::ExtractOp>()) {
    SmallVector<AffineExpr> exprs;
    for (auto [i, index] : llvm::enumerate(extract.getIndices()))
      exprs.push_back(followLoop(sizes, op, loops, index,
                                 sizes.getDim(extract.getTensor(), i), i));
    bool isOutside = extract.getTensor().getParentBlock() != op.getBody();
    if (isOutside && llvm::all_of(exprs, [](AffineExpr e) { return !!e; }))
      reads.emplace_back(
          extract, AffineMap::get(op.getNumLoops(), 0, exprs, op.getContext()));
  }
  if (reads.empty())
    return;
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned first = inputs.size();
  for (auto [i, read] : llvm::enumerate(reads)) {
    auto [extract, map] = read;
    inputs.push_back(extract.getTensor());
    maps.insert(maps.begin() + first + i, map);
    BlockArgument argument = op.getBody()->insertArgument(
        first + i, extract.getType(), extract.getLoc());
    rewriter.replaceAllUsesWith(extract.getResult(), argument);
  }
  rewriter.setInsertionPoint(op);
  auto replacement = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray());
  rewriter.inlineRegionBefore(op.getRegion(), replacement.getRegion(),
                              replacement.getRegion().begin());
  rewriter.replaceAllUsesWith(op->getResults(), replacement->getResults());
  replaced.push_back(op);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// True where `value` is computed from sizes and constants only.
static bool dependsOnSizesOnly(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tensor::DimOp, arith::ConstantOp>(op))
    return true;
  return (isa<arith::ArithDialect>(op->getDialect()) ||
          isa<affine::AffineApplyOp>(op)) &&
         llvm::all_of(op->getOperands(), dependsOnSizesOnly);
}

/// Front ends assert at run time that dynamic sizes agree, and that ids are
/// inside of what they index.
static void dropAsserts(func::FuncOp function) {
  unsigned onSizes = 0, onIndices = 0;
  SmallVector<cf::AssertOp> checks;
  function.walk([&](cf::AssertOp op) { checks.push_back(op); });
  for (cf::AssertOp op : checks) {
    if (isa<linalg::LinalgOp>(op->getParentOp()))
      ++onIndices;
    else if (dependsOnSizesOnly(op.getArg()))
      ++onSizes;
    else
      explain(op, "import")
          << "dropped a run-time check: '" << op.getMsg() << "'";
    op.erase();
  }
  if (onSizes)
    explain(function, "import")
        << "dropped " << onSizes
        << " run-time checks of sizes: a call passes each size once";
  if (onIndices)
    explain(function, "import")
        << "dropped " << onIndices
        << " run-time checks of elements: an index outside of a tensor reads "
           "its nearest element, and a checked run refuses it";
}

namespace {
struct SimplifySizes
    : sparseflow::impl::SparseFlowSimplifySizesBase<SimplifySizes> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.getBody().hasOneBlock())
      return;
    IRRewriter rewriter(&getContext());
    SizeAlgebra sizes;
    collectEqualities(sizes, function);
    function.walk([&](tensor::ReshapeOp op) {
      if (assumeEqualities(sizes, op))
        collectEqualities(sizes, function);
    });
    if (failed(verifySizes(sizes, function)))
      return signalPassFailure();
    dropAsserts(function);
    SizeBuilder made(function, sizes);
    SmallVector<tensor::ReshapeOp> reshapes;
    SmallVector<linalg::GenericOp> generics;
    function.walk([&](Operation *op) {
      if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
        reshapes.push_back(reshape);
      else if (auto generic = dyn_cast<linalg::GenericOp>(op))
        generics.push_back(generic);
    });
    // What is replaced goes last: sizes are known by values.
    SmallVector<Operation *> replaced;
    for (linalg::GenericOp op : generics)
      rewriteExtracts(rewriter, sizes, op, replaced);
    for (tensor::ReshapeOp op : reshapes)
      rewriteReshape(rewriter, sizes, made, op);
    rewriteScalars(function, sizes, made);
    clampIndices(function, sizes);
    for (Operation *op : replaced)
      rewriter.eraseOp(op);
    eraseDeadOps(rewriter, function); // What only the sizes needed.
  }
};
} // namespace
