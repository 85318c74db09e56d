//===- SizeAlgebra.cpp - Which sizes of a program are equal ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeAlgebra.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sparseflow;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

unsigned SizeAlgebra::find(unsigned symbol) {
  while (symbols[symbol].parent != symbol)
    symbol = symbols[symbol].parent = symbols[symbols[symbol].parent].parent;
  return symbol;
}

Size SizeAlgebra::makeSymbol(Value source, int64_t dim) {
  auto [entry, isNew] = symbolOf.try_emplace(
      {source, dim}, static_cast<unsigned>(symbols.size()));
  if (isNew)
    symbols.push_back({source, dim, entry->second});
  return Size{1, {find(entry->second)}};
}

std::optional<std::pair<Value, int64_t>>
SizeAlgebra::getDimension(const Size &size) {
  if (size.factor != 1 || size.symbols.size() != 1)
    return std::nullopt;
  const Symbol &symbol = symbols[find(size.symbols.front())];
  if (symbol.dim < 0)
    return std::nullopt;
  return std::make_pair(symbol.source, symbol.dim);
}

/// True where no value of the symbols makes it negative.
bool SizeAlgebra::isNatural(const Size &size) {
  return size.factor >= 0 && llvm::all_of(size.symbols, [&](unsigned symbol) {
           return symbols[find(symbol)].dim >= 0;
         });
}

/// What both have cancels.
static void cancel(Size &a, Size &b) {
  for (unsigned symbol : SmallVector<unsigned, 2>(a.symbols)) {
    auto *place = llvm::find(b.symbols, symbol);
    if (place == b.symbols.end())
      continue;
    b.symbols.erase(place);
    a.symbols.erase(llvm::find(a.symbols, symbol));
  }
}

std::optional<FixedSize> SizeAlgebra::findFixed(Size a, Size b) {
  cancel(a, b);
  if (a.symbols.empty())
    std::swap(a, b);
  if (a.symbols.size() != 1 || !b.symbols.empty() || a.factor <= 0 ||
      b.factor < 0 || b.factor % a.factor != 0)
    return std::nullopt;
  const Symbol &symbol = symbols[find(a.symbols.front())];
  auto argument = dyn_cast<BlockArgument>(symbol.source);
  if (symbol.dim < 0 || !argument)
    return std::nullopt;
  return FixedSize{argument, symbol.dim, b.factor / a.factor};
}

bool SizeAlgebra::unify(Size a, Size b) {
  cancel(a, b);
  if (a.factor != b.factor || a.symbols.size() != 1 || b.symbols.size() != 1)
    return false;
  unsigned x = find(a.symbols.front()), y = find(b.symbols.front());
  if (x == y)
    return false;
  // A dimension of an argument stands for its class, the first of several.
  auto rank = [&](unsigned symbol) {
    const Symbol &s = symbols[symbol];
    bool isArgument = s.dim >= 0 && isa<BlockArgument>(s.source);
    return std::make_pair(
        isArgument   ? 0
        : s.dim >= 0 ? 1
                     : 2,
        isArgument ? cast<BlockArgument>(s.source).getArgNumber() : symbol);
  };
  if (rank(y) < rank(x))
    std::swap(x, y);
  symbols[y].parent = x;
  known.clear();
  return true;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Size SizeAlgebra::multiply(const Size &a, const Size &b) {
  Size result = a;
  // No tensor has that many elements.
  if (llvm::MulOverflow(a.factor, b.factor, result.factor))
    result.factor = std::numeric_limits<int64_t>::min();
  llvm::append_range(result.symbols, b.symbols);
  llvm::sort(result.symbols);
  return result;
}

std::optional<Size> SizeAlgebra::divide(const Size &a, const Size &b) {
  if (b.factor == 0 || a.factor % b.factor != 0)
    return std::nullopt;
  Size result = a;
  result.factor /= b.factor;
  for (unsigned symbol : b.symbols) {
    auto *place = llvm::find(result.symbols, symbol);
    if (place == result.symbols.end())
      return std::nullopt;
    result.symbols.erase(place);
  }
  return result;
}

std::optional<Size> SizeAlgebra::add(const Size &a, const Size &b) {
  std::optional<int64_t> x = a.getConstant(), y = b.getConstant();
  if (x && y)
    return Size{*x + *y, {}};
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  return std::nullopt;
}

Size SizeAlgebra::get(OpFoldResult value) {
  if (auto number = getConstantIntValue(value))
    return Size{*number, {}};
  return get(cast<Value>(value));
}

Size SizeAlgebra::get(Value value) {
  auto entry = known.find({value, -1});
  if (entry != known.end())
    return entry->second;
  Size size = compute(value);
  known[{value, -1}] = size;
  return size;
}

Size SizeAlgebra::compute(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 64)
    return Size{number.getSExtValue(), {}};
  Operation *op = value.getDefiningOp();
  Size opaque = makeSymbol(value, -1);
  if (!op)
    return opaque;
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    return type && index && *index >= 0 && *index < type.getRank()
               ? getDim(dim.getSource(), *index)
               : opaque;
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op) &&
      !op->getOperand(0).getType().isInteger(1))
    return get(op->getOperand(0));
  if (isa<arith::ExtUIOp>(op) && op->getOperand(0).getType().isInteger(1))
    if (std::optional<bool> flag = getCondition(op->getOperand(0)))
      return Size{*flag ? 1 : 0, {}};
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (std::optional<bool> flag = getCondition(select.getCondition()))
      return get(*flag ? select.getTrueValue() : select.getFalseValue());
    Size a = get(select.getTrueValue()), b = get(select.getFalseValue());
    return a == b ? a : opaque;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return evaluate(apply.getAffineMap().getResult(0), apply.getOperands(),
                    apply.getAffineMap().getNumDims())
        .value_or(opaque);
  if (op->getNumOperands() != 2 || !op->getOperand(0).getType().isIntOrIndex())
    return opaque;
  Size a = get(op->getOperand(0)), b = get(op->getOperand(1));
  std::optional<int64_t> x = a.getConstant(), y = b.getConstant();
  if (isa<arith::MulIOp>(op))
    return multiply(a, b);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
          arith::CeilDivSIOp>(op))
    return divide(a, b).value_or(opaque);
  if (isa<arith::AddIOp>(op))
    return add(a, b).value_or(opaque);
  if (isa<arith::SubIOp>(op)) {
    if (x && y)
      return Size{*x - *y, {}};
    return a == b ? Size{0, {}} : y == 0 ? a : opaque;
  }
  if (!isa<arith::MaxSIOp, arith::MinSIOp>(op))
    return opaque;
  if (a == b)
    return a;
  if (!x || !y)
    return opaque;
  return Size{isa<arith::MaxSIOp>(op) ? std::max(*x, *y) : std::min(*x, *y),
              {}};
}

/// What an affine expression of sizes is: newer MLIR says products by one.
std::optional<Size> SizeAlgebra::evaluate(AffineExpr expr, ValueRange operands,
                                          unsigned dims) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return Size{number.getValue(), {}};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return get(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return get(operands[dims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Size> a = evaluate(binary.getLHS(), operands, dims),
                      b = evaluate(binary.getRHS(), operands, dims);
  if (!a || !b)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return multiply(*a, *b);
  case AffineExprKind::Add:
    return add(*a, *b);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return divide(*a, *b);
  default:
    return std::nullopt;
  }
}

std::optional<bool> SizeAlgebra::getCondition(Value condition) {
  APInt number;
  if (matchPattern(condition, m_ConstantInt(&number)))
    return !number.isZero();
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getLhs().getType().isInteger(1))
    return std::nullopt;
  Size a = get(compare.getLhs()), b = get(compare.getRhs());
  std::optional<int64_t> x = a.getConstant(), y = b.getConstant();
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (x && y)
    return arith::applyCmpPredicate(predicate,
                                    APInt(64, static_cast<uint64_t>(*x), true),
                                    APInt(64, static_cast<uint64_t>(*y), true));
  if (a == b)
    return arith::applyCmpPredicate(predicate, APInt(64, 0), APInt(64, 0));
  // A size is not negative.
  using Predicate = arith::CmpIPredicate;
  if (y && *y <= 0 && isNatural(a)) {
    if (predicate == Predicate::slt)
      return false;
    if (predicate == Predicate::sge)
      return true;
  }
  if (y && *y < 0 && isNatural(a)) {
    if (predicate == Predicate::eq || predicate == Predicate::sle)
      return false;
    if (predicate == Predicate::ne || predicate == Predicate::sgt)
      return true;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Size SizeAlgebra::getDim(Value tensor, int64_t dim) {
  int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  if (ShapedType::isStatic(size))
    return Size{size, {}};
  auto entry = known.find({tensor, dim});
  if (entry != known.end())
    return entry->second;
  Size computed = computeDim(tensor, dim);
  known[{tensor, dim}] = computed;
  return computed;
}

Size SizeAlgebra::computeDim(Value tensor, int64_t dim) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return makeSymbol(tensor, dim);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return get(empty.getDynamicSize(static_cast<unsigned>(dim)));
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
    return getDim(style.getTiedOpOperand(cast<OpResult>(tensor))->get(), dim);
  // All but features: those of queries, and of what a weight multiplies.
  if (auto attention = dyn_cast<AttentionOp>(op))
    if (tensor == attention->getResult(0) &&
        dim + 1 < cast<RankedTensorType>(tensor.getType()).getRank())
      return getDim(attention.getQ(), dim);
  if (auto matmul = dyn_cast<MatmulOp>(op))
    if (dim + 1 < cast<RankedTensorType>(tensor.getType()).getRank())
      return getDim(matmul.getX(), dim);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return getDim(insert.getDest(), dim);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    if (auto type = dyn_cast<RankedTensorType>(cast.getSource().getType());
        type && ShapedType::isDynamic(type.getDimSize(dim)))
      return getDim(cast.getSource(), dim);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return get(expand.getMixedOutputShape()[static_cast<size_t>(dim)]);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    Size product;
    for (int64_t part :
         collapse.getReassociationIndices()[static_cast<size_t>(dim)])
      product = multiply(product, getDim(collapse.getSrc(), part));
    return product;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    int64_t next = 0;
    for (auto [i, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(i) && next++ == dim)
        return get(size);
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    if (static_cast<int64_t>(concat.getDim()) != dim)
      return getDim(concat.getInputs().front(), dim);
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    if (auto shape = reshape.getShape().getDefiningOp<tensor::FromElementsOp>())
      return get(shape.getElements()[static_cast<unsigned>(dim)]);
  return makeSymbol(tensor, dim);
}
