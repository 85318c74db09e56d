//===- Lanes.cpp - One scalar for each lane of a vector -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/Lanes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <numeric>

using namespace mlir;
using namespace mlir::sparseflow;

int64_t Lanes::startMultiple() const { return std::gcd(multiple, offset); }

static int64_t keyOf(Value value) {
  return reinterpret_cast<int64_t>(value.getAsOpaquePointer());
}

void IndexArithmetic::appendKey(Key &key, const Lanes &lanes) {
  if (lanes.isLine) {
    key.insert(key.end(), {-1, keyOf(lanes.base), lanes.offset, lanes.step});
    return;
  }
  key.push_back(lanes.values.size());
  for (Value value : lanes.values)
    key.push_back(keyOf(value));
}

Value IndexArithmetic::index(int64_t value) {
  Key key = {-2, value};
  Value &result = known[key];
  if (!result)
    result = arith::ConstantIndexOp::create(builder, loc, value);
  return result;
}

Value IndexArithmetic::compute(Op op, Value a, Value b) {
  Key key = {op, keyOf(a), keyOf(b)};
  if (auto found = known.find(key); found != known.end())
    return found->second;
  Value result;
  switch (op) {
  case Add:
    result = builder.createOrFold<arith::AddIOp>(loc, a, b);
    break;
  case Sub:
    result = builder.createOrFold<arith::SubIOp>(loc, a, b);
    break;
  case Mul:
    result = builder.createOrFold<arith::MulIOp>(loc, a, b);
    break;
  // No index is negative where it is divided.
  case Div:
    result = builder.createOrFold<arith::DivUIOp>(loc, a, b);
    break;
  case Rem:
    result = builder.createOrFold<arith::RemUIOp>(loc, a, b);
    break;
  case MinS:
    result = builder.createOrFold<arith::MinSIOp>(loc, a, b);
    break;
  case MaxS:
    result = builder.createOrFold<arith::MaxSIOp>(loc, a, b);
    break;
  }
  return known[key] = result;
}

Value IndexArithmetic::computeBy(Op op, Value a, int64_t b) {
  if (b == 0 && op == Add)
    return a;
  if (b == 1 && (op == Mul || op == Div))
    return a;
  return compute(op, a, index(b));
}

Value IndexArithmetic::valueOf(const Size &size) {
  return size.isStatic() ? index(size.number) : size.value;
}

Lanes IndexArithmetic::number(int64_t value) {
  Lanes lanes;
  lanes.isLine = true;
  lanes.offset = value;
  lanes.type = builder.getIndexType();
  return lanes;
}

Lanes IndexArithmetic::uniform(Value index, int64_t multiple) {
  return line(index, /*step=*/0, multiple);
}

Lanes IndexArithmetic::line(Value base, int64_t step, int64_t multiple) {
  Lanes lanes = number(0);
  lanes.base = base;
  lanes.step = step;
  lanes.multiple = multiple;
  return lanes;
}

Value IndexArithmetic::at(const Lanes &lanes, int64_t lane) {
  if (!lanes.isLine)
    return lanes.values.size() == 1 ? lanes.values[0] : lanes.values[lane];
  int64_t offset = lanes.offset + lanes.step * lane;
  Value value = lanes.base ? computeBy(Add, lanes.base, offset) : index(offset);
  if (lanes.type.isIndex())
    return value;
  Key key = {-3, keyOf(value)};
  Value &cast = known[key];
  if (!cast)
    cast = arith::IndexCastOp::create(builder, loc, lanes.type, value);
  return cast;
}

Lanes IndexArithmetic::single(const Lanes &lanes, int64_t lane) {
  Lanes result = lanes;
  if (lanes.isLine) {
    result.offset += lanes.step * lane;
    result.step = 0;
  } else if (lanes.values.size() > 1) {
    result.values = {lanes.values[lane]};
  }
  return result;
}

Lanes IndexArithmetic::each(const Lanes &a, const Lanes &b,
                            function_ref<Value(Value, Value)> op) {
  Lanes result;
  bool isUniform = a.isUniform() && b.isUniform();
  for (int64_t lane = 0; lane < (isUniform ? 1 : width); ++lane)
    result.values.push_back(op(at(a, lane), at(b, lane)));
  result.type = result.values[0].getType();
  return result;
}

Lanes IndexArithmetic::add(const Lanes &a, const Lanes &b) {
  if (!a.isLine || !b.isLine)
    return each(a, b, [&](Value x, Value y) { return compute(Add, x, y); });
  Lanes sum = a;
  sum.limit = 0;
  if (b.base)
    sum.base = a.base ? compute(Add, a.base, b.base) : b.base;
  sum.offset += b.offset;
  sum.step += b.step;
  sum.multiple = std::gcd(a.multiple, b.multiple);
  return sum;
}

Lanes IndexArithmetic::sub(const Lanes &a, const Lanes &b) {
  if (!a.isLine || !b.isLine)
    return each(a, b, [&](Value x, Value y) { return compute(Sub, x, y); });
  Lanes difference = a;
  difference.limit = 0;
  if (b.base)
    difference.base = compute(Sub, a.base ? a.base : index(0), b.base);
  difference.offset -= b.offset;
  difference.step -= b.step;
  difference.multiple = std::gcd(a.multiple, b.multiple);
  return difference;
}

Lanes IndexArithmetic::scale(const Lanes &a, const Size &size) {
  if (size.isStatic() && a.isLine) {
    Lanes result = a;
    result.limit = 0;
    if (a.base)
      result.base = computeBy(Mul, a.base, size.number);
    result.offset *= size.number;
    result.step *= size.number;
    result.multiple *= size.number;
    if (size.number == 0)
      return number(0);
    return result;
  }
  if (std::optional<int64_t> constant = a.constant();
      constant && *constant == 0)
    return number(0);
  if (a.isLine && a.step == 0) {
    int64_t multiple = a.startMultiple() * size.multiple;
    return uniform(compute(Mul, at(a, 0), valueOf(size)), multiple);
  }
  return each(a, a,
              [&](Value x, Value) { return compute(Mul, x, valueOf(size)); });
}

/// What all lanes of `a` and `size` have as a common unit: lanes within one are
/// in one row of `size`.
static int64_t unitOf(const Lanes &a, const Size &size) {
  return std::gcd(a.startMultiple(),
                  size.isStatic() ? size.number : size.multiple);
}

static bool isInOneUnit(const Lanes &a, const Size &size, int64_t width) {
  return a.isLine && a.step >= 0 && unitOf(a, size) > a.step * (width - 1);
}

bool IndexArithmetic::isOneSided(const Lanes &a, const Size &limit) const {
  return a.isUniform() || isInOneUnit(a, limit, width);
}

Lanes IndexArithmetic::div(const Lanes &a, const Size &size) {
  if (size.number == 1)
    return a;
  if (std::optional<int64_t> constant = a.constant();
      constant && size.isStatic() && *constant >= 0 && size.number > 0)
    return number(*constant / size.number);
  if (isInOneUnit(a, size, width)) {
    Value start = at(single(a, 0), 0);
    int64_t multiple = a.startMultiple();
    if (!size.isStatic() || !size.number || multiple % size.number)
      multiple = 1;
    else
      multiple /= size.number;
    return uniform(compute(Div, start, valueOf(size)), multiple);
  }
  return each(a, a,
              [&](Value x, Value) { return compute(Div, x, valueOf(size)); });
}

Lanes IndexArithmetic::rem(const Lanes &a, const Size &size) {
  if (size.number == 1)
    return number(0);
  if (std::optional<int64_t> constant = a.constant();
      constant && size.isStatic() && *constant >= 0 && size.number > 0)
    return number(*constant % size.number);
  if (isInOneUnit(a, size, width)) {
    int64_t unit = unitOf(a, size);
    Lanes rest = number(0);
    if (size.isStatic() && unit == size.number)
      rest.step = a.step;
    else
      rest =
          line(compute(Rem, at(single(a, 0), 0), valueOf(size)), a.step, unit);
    if (size.isStatic())
      rest.limit = size.number;
    return rest;
  }
  return each(a, a,
              [&](Value x, Value) { return compute(Rem, x, valueOf(size)); });
}

Lanes IndexArithmetic::clamp(const Lanes &a, const Size &size) {
  auto inside = [&](Value x, Value) {
    Value last = size.isStatic() ? index(size.number - 1)
                                 : compute(Sub, size.value, index(1));
    // In this order: of an empty dimension nothing is read but index 0.
    return compute(MaxS, compute(MinS, x, last), index(0));
  };
  Lanes result = each(a, a, inside);
  if (result.values.size() > 1)
    return result;
  return uniform(result.values[0]);
}

Lanes IndexArithmetic::apply(AffineExpr expr, ArrayRef<Lanes> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return number(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Lanes left = apply(binary.getLHS(), dims);
  if (expr.getKind() == AffineExprKind::Add)
    return add(left, apply(binary.getRHS(), dims));
  // The right side of all others is a constant where there are no symbols.
  int64_t factor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  Size size{factor, Value(), factor};
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return scale(left, size);
  case AffineExprKind::FloorDiv:
    return div(left, size);
  case AffineExprKind::Mod:
    return rem(left, size);
  case AffineExprKind::CeilDiv:
    return div(add(left, number(size.number - 1)), size);
  default:
    llvm_unreachable("unknown expression");
  }
}

/// Drops what has size 1, where every index is 0.
static void dropUnits(ArrayRef<Lanes> indices, ArrayRef<Size> sizes,
                      SmallVectorImpl<Lanes> &keptIndices,
                      SmallVectorImpl<Size> &keptSizes) {
  for (auto [index, size] : llvm::zip(indices, sizes))
    if (size.number != 1) {
      keptIndices.push_back(index);
      keptSizes.push_back(size);
    }
}

static bool isSame(const Lanes &a, const Lanes &b) {
  return a.isLine == b.isLine && a.base == b.base && a.offset == b.offset &&
         a.step == b.step && a.values == b.values;
}

Lanes IndexArithmetic::linearize(ArrayRef<Lanes> allIndices,
                                 ArrayRef<Size> allSizes) {
  SmallVector<Lanes> indices;
  SmallVector<Size> sizes;
  dropUnits(allIndices, allSizes, indices, sizes);
  if (indices.empty())
    return number(0);
  for (const Run &run : runs)
    if (llvm::equal(run.indices, indices, isSame) &&
        ArrayRef<Size>(run.sizes).drop_front() ==
            ArrayRef<Size>(sizes).drop_front())
      return run.linear;
  Lanes offset = indices[0];
  for (size_t i = 1; i < indices.size(); ++i)
    offset = add(scale(offset, sizes[i]), indices[i]);
  return offset;
}

SmallVector<Lanes> IndexArithmetic::delinearize(const Lanes &linear,
                                                ArrayRef<Size> sizes) {
  SmallVector<Lanes> indices(sizes.size(), number(0));
  auto *firstLarge =
      llvm::find_if(sizes, [](const Size &size) { return size.number != 1; });
  int64_t first = firstLarge - sizes.begin();
  Lanes rest = linear;
  for (int64_t i = int64_t(sizes.size()) - 1; i >= first; --i) {
    if (sizes[i].number == 1)
      continue;
    indices[i] = i == first ? rest : rem(rest, sizes[i]);
    if (i != first)
      rest = div(rest, sizes[i]);
  }
  Run run{linear, {}, {}};
  dropUnits(indices, sizes, run.indices, run.sizes);
  runs.push_back(std::move(run));
  return indices;
}

Size IndexArithmetic::product(IndexArithmetic &self, ArrayRef<Size> sizes) {
  Size result{1, Value(), 1};
  for (const Size &size : sizes) {
    if (result.isStatic() && size.isStatic()) {
      result.number *= size.number;
      result.multiple = result.number;
      continue;
    }
    if (result.number == 1) {
      result = size;
      continue;
    }
    if (size.number == 1)
      continue;
    int64_t left = result.isStatic() ? result.number : result.multiple;
    int64_t right = size.isStatic() ? size.number : size.multiple;
    result.value = self.compute(Mul, self.valueOf(result), self.valueOf(size));
    result.number = ShapedType::kDynamic;
    result.multiple = left * right;
  }
  return result;
}
