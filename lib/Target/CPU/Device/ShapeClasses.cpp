//===- ShapeClasses.cpp - Which dimensions of a function are equal --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Device/ShapeClasses.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mlir::sparseflow::cpu;

namespace {
/// Dimensions of tensors, joined op by op.
class Joiner {
public:
  unsigned getId(Value value, unsigned dim) {
    auto [entry, isNew] =
        ids.try_emplace({value, dim}, static_cast<unsigned>(members.size()));
    if (isNew) {
      members.push_back({value, dim});
      classes.insert(entry->second);
    }
    return entry->second;
  }
  void join(Value x, unsigned xDim, Value y, unsigned yDim) {
    classes.unionSets(getId(x, xDim), getId(y, yDim));
  }
  void joinAll(Value x, Value y) {
    auto type = dyn_cast<RankedTensorType>(x.getType());
    for (int64_t i = 0; type && i < type.getRank(); ++i)
      join(x, i, y, i);
  }
  /// Joins `result` with `left` where that is as large as `right`.
  void joinIfEqual(Value result, Value left, Value right) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    for (int64_t i = 0; type && i < type.getRank(); ++i)
      if (getClass(left, i) == getClass(right, i))
        join(result, i, left, i);
  }
  unsigned getClass(Value value, unsigned dim) {
    return classes.getLeaderValue(getId(value, dim));
  }

  void visit(Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return visitLinalg(linalgOp);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [init, result] :
           llvm::zip(loop.getInitArgs(), loop.getResults()))
        joinAll(result, init);
      return;
    }
    // Loops of one iteration leave their branches behind, which the walk has
    // seen.
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (branch.getElseRegion().empty())
        return;
      for (auto [result, left, right] :
           llvm::zip(branch.getResults(), branch.thenYield().getOperands(),
                     branch.elseYield().getOperands()))
        joinIfEqual(result, left, right);
      return;
    }
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      return joinAll(insert.getResult(), insert.getDest());
    if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      if (isa<RankedTensorType>(cast.getSource().getType()))
        joinAll(cast.getResult(), cast.getSource());
      return;
    }
    if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      unsigned next = 0;
      for (int64_t i = 0; i < empty.getType().getRank(); ++i)
        if (empty.getType().isDynamicDim(i))
          joinWithSize(empty.getResult(), i, empty.getDynamicSizes()[next++]);
      return;
    }
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
      return visitReshape(collapse.getSrc(), collapse.getResult(),
                          collapse.getReassociationIndices());
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      for (auto [i, size] : llvm::enumerate(expand.getMixedOutputShape()))
        if (auto value = dyn_cast<Value>(size))
          joinWithSize(expand.getResult(), i, value);
      return visitReshape(expand.getResult(), expand.getSrc(),
                          expand.getReassociationIndices());
    }
  }

  int64_t getStaticSize(unsigned id) {
    auto [value, dim] = members[id];
    return cast<RankedTensorType>(value.getType()).getDimSize(dim);
  }
  unsigned size() const { return members.size(); }
  unsigned leader(unsigned id) { return classes.getLeaderValue(id); }

private:
  void visitLinalg(linalg::LinalgOp op) {
    llvm::DenseMap<unsigned, std::pair<Value, unsigned>> loops;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (unsigned i = 0; i < map.getNumResults(); ++i) {
        auto loop = dyn_cast<AffineDimExpr>(map.getResult(i));
        if (!loop)
          continue;
        auto [first, isNew] = loops.try_emplace(
            loop.getPosition(), std::make_pair(operand.get(), i));
        if (!isNew)
          join(operand.get(), i, first->second.first, first->second.second);
      }
    }
    for (auto [result, init] : llvm::zip(op->getResults(), op.getDpsInits()))
      joinAll(result, init);
  }

  /// `size` gives dimension `dim` of `value`.
  void joinWithSize(Value value, unsigned dim, Value size) {
    auto source = size.getDefiningOp<tensor::DimOp>();
    if (!source || !isa<RankedTensorType>(source.getSource().getType()))
      return;
    if (std::optional<int64_t> index = source.getConstantIndex())
      join(value, dim, source.getSource(), *index);
  }

  void visitReshape(Value expanded, Value collapsed,
                    ArrayRef<ReassociationIndices> groups) {
    // Beside units a dimension keeps its size.
    auto shape = cast<RankedTensorType>(expanded.getType()).getShape();
    for (auto [i, group] : llvm::enumerate(groups)) {
      SmallVector<int64_t> large = llvm::filter_to_vector(
          group, [&](int64_t dim) { return shape[dim] != 1; });
      if (large.size() == 1)
        join(expanded, large.front(), collapsed, i);
      else if (group.size() == 1)
        join(expanded, group[0], collapsed, i);
    }
  }

  llvm::DenseMap<std::pair<Value, unsigned>, unsigned> ids;
  SmallVector<std::pair<Value, unsigned>> members;
  llvm::EquivalenceClasses<unsigned> classes;
};
} // namespace

namespace {
/// Sums of sizes, of classes that `numbers` has.
class BoundBuilder {
public:
  BoundBuilder(Joiner &joiner,
               const llvm::DenseMap<unsigned, unsigned> &numbers)
      : joiner(joiner), numbers(numbers) {}

  /// Adds `factor` times a number; false if it is no such sum.
  bool add(OpFoldResult number, int64_t factor) {
    if (std::optional<int64_t> known = getConstantIntValue(number)) {
      bound.constant += factor * *known;
      return true;
    }
    auto value = cast<Value>(number);
    if (auto sum = value.getDefiningOp<arith::AddIOp>())
      return add(sum.getLhs(), factor) && add(sum.getRhs(), factor);
    if (auto difference = value.getDefiningOp<arith::SubIOp>())
      return add(difference.getLhs(), factor) &&
             add(difference.getRhs(), -factor);
    auto dim = value.getDefiningOp<tensor::DimOp>();
    std::optional<int64_t> index = dim ? dim.getConstantIndex() : std::nullopt;
    return index && addDim(dim.getSource(), *index, factor);
  }

  bool addDim(Value tensor, int64_t dim, int64_t factor) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    if (!type)
      return false;
    if (!type.isDynamicDim(dim)) {
      bound.constant += factor * type.getDimSize(dim);
      return true;
    }
    auto found = numbers.find(joiner.getClass(tensor, dim));
    if (found == numbers.end())
      return false;
    for (auto &[known, number] : bound.terms)
      if (number == found->second) {
        known += factor;
        return true;
      }
    bound.terms.push_back({factor, found->second});
    return true;
  }

  ShapeClasses::Bound bound;

private:
  Joiner &joiner;
  const llvm::DenseMap<unsigned, unsigned> &numbers;
};
} // namespace

static void addBounds(tensor::ExtractSliceOp op, Joiner &joiner,
                      const llvm::DenseMap<unsigned, unsigned> &numbers,
                      ShapeClasses &result) {
  for (auto [dim, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    BoundBuilder sum(joiner, numbers);
    if (getConstantIntValue(stride) != 1 || !sum.add(offset, 1) ||
        !sum.add(size, 1) || !sum.addDim(op.getSource(), dim, -1))
      continue;
    llvm::erase_if(sum.bound.terms, [](auto term) { return term.first == 0; });
    if (sum.bound.terms.empty())
      continue;
    llvm::raw_string_ostream stream(sum.bound.slice);
    stream << "the slice of dimension " << dim << " at ";
    if (auto place = op.getLoc()->findInstanceOf<FileLineColLoc>())
      stream << place.getFilename().getValue() << ":" << place.getLine() << ":"
             << place.getColumn();
    else
      stream << op.getLoc();
    result.bounds.push_back(std::move(sum.bound));
  }
}

ShapeClasses ShapeClasses::compute(func::FuncOp function) {
  Joiner joiner;
  function.walk([&](Operation *op) { joiner.visit(op); });
  SmallVector<Value> interface(function.getArguments());
  llvm::append_range(interface,
                     function.getBody().back().getTerminator()->getOperands());
  ShapeClasses result;
  llvm::DenseMap<unsigned, unsigned> numbers;
  for (Value value : interface) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    auto &dims = result.values.emplace_back();
    for (int64_t i = 0; type && i < type.getRank(); ++i)
      dims.push_back(
          numbers.try_emplace(joiner.getClass(value, i), numbers.size())
              .first->second);
  }
  result.sizes.assign(numbers.size(), ShapedType::kDynamic);
  for (unsigned id = 0; id < joiner.size(); ++id) {
    auto found = numbers.find(joiner.leader(id));
    if (found != numbers.end() &&
        !ShapedType::isDynamic(joiner.getStaticSize(id)))
      result.sizes[found->second] = joiner.getStaticSize(id);
  }
  function.walk([&](tensor::ExtractSliceOp op) {
    // Those in loops have offsets of their own.
    if (op->getParentOp() == function)
      addBounds(op, joiner, numbers, result);
  });
  return result;
}
