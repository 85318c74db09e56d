//===- ElementEmitter.cpp - Elements of tensors, as code ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/ElementEmitter.h"
#include "Kernels/Tensor/BodyEmitter.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::sparseflow;

// The widest access to memory.
static constexpr int64_t kAccessBytes = 16;

int64_t mlir::sparseflow::elementBytes(Type element) {
  return element.isIndex()
             ? 8
             : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// What an element is in memory.
static Type storedType(Type element) {
  Builder builder(element.getContext());
  if (element.isInteger(1))
    return builder.getI8Type();
  return element.isIndex() ? builder.getI64Type() : element;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void ElementEmitter::bind(gpu::GPUFuncOp opened, unsigned pointers,
                          unsigned numbers) {
  kernel = opened;
  firstPointer = pointers;
  for (int64_t number = 0; number < group.numbers; ++number)
    parameters.push_back(
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                   kernel.getArgument(numbers + number)));
}

void ElementEmitter::assumeVector(KernelForm form) {
  std::optional<std::pair<Value, int64_t>> dynamic;
  vectorOf(group, form, dynamic);
  if (!dynamic || access.vector == 1)
    return;
  auto found = group.sizes.find(*dynamic);
  if (found != group.sizes.end())
    multiples[found->second] = access.vector;
}

SmallVector<Size> ElementEmitter::sizesOf(Value tensor) {
  SmallVector<Size> sizes;
  auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [dim, number] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isStatic(number)) {
      sizes.push_back({number, Value(), number});
      continue;
    }
    int64_t parameter = group.sizes.lookup({tensor, int64_t(dim)});
    auto multiple = multiples.find(parameter);
    sizes.push_back({ShapedType::kDynamic, parameters[parameter],
                     multiple == multiples.end() ? 1 : multiple->second});
  }
  return sizes;
}

SmallVector<Size> ElementEmitter::loopSizes(linalg::LinalgOp op) {
  SmallVector<Size> sizes(op.getNumLoops());
  SmallVector<bool> isKnown(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [expr, size] :
         llvm::zip(map.getResults(), sizesOf(operand.get()))) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      // A number says more than a value of it.
      if (!dim || (isKnown[dim.getPosition()] &&
                   (sizes[dim.getPosition()].isStatic() || !size.isStatic())))
        continue;
      sizes[dim.getPosition()] = size;
      isKnown[dim.getPosition()] = true;
    }
  }
  return sizes;
}

SmallVector<Lanes> ElementEmitter::loopsOf(linalg::LinalgOp op, int64_t number,
                                           ArrayRef<Lanes> indices) {
  SmallVector<Lanes> loops(op.getNumLoops(), IndexArithmetic::number(0));
  AffineMap map =
      op.getMatchingIndexingMap(op.getDpsInitOperand(unsigned(number)));
  for (auto [expr, index] : llvm::zip(map.getResults(), indices))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      loops[dim.getPosition()] = index;
  return loops;
}

Value ElementEmitter::pointerOf(Value tensor) {
  Value source = skipReshapes(tensor);
  auto *found = llvm::find(group.inputs, source);
  if (found == group.inputs.end())
    return Value();
  return kernel.getArgument(firstPointer + (found - group.inputs.begin()));
}

Value ElementEmitter::scalar(Value value) {
  auto found = group.scalars.find(value);
  if (found == group.scalars.end())
    return compute(value);
  Value parameter = parameters[found->second];
  if (value.getType().isIndex())
    return parameter;
  return arith::IndexCastOp::create(builder, loc, value.getType(), parameter);
}

Value ElementEmitter::compute(Value value) {
  Operation *op = value.getDefiningOp();
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  if (!extract) {
    IRMapping operands;
    for (Value operand : op->getOperands())
      operands.map(operand, scalar(operand));
    return builder.clone(*op, operands)
        ->getResult(cast<OpResult>(value).getResultNumber());
  }
  SmallVector<Lanes> indices;
  for (auto [index, size] :
       llvm::zip(extract.getIndices(), sizesOf(extract.getTensor())))
    indices.push_back(clamp(uniform(scalar(index)), size));
  return at(evaluate(extract.getTensor(), indices), 0);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Elements of one access of a line with step 1.
static int64_t accessLength(const Lanes &offset, Type stored, int64_t width,
                            int64_t vector) {
  int64_t most = std::min(width, kAccessBytes / elementBytes(stored));
  if (vector == 1)
    return 1;
  int64_t unit = offset.startMultiple();
  return unit ? std::min<int64_t>(most, unit & -unit) : most;
}

Value ElementEmitter::address(Value pointer, Value offset, Type stored) {
  Value wide =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), offset);
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), stored, pointer,
                             wide);
}

Value ElementEmitter::toStored(Value value) {
  Type type = value.getType(), stored = storedType(type);
  if (type.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, stored, value);
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, stored, value);
  return value;
}

Value ElementEmitter::fromStored(Type element, function_ref<Value(Type)> load) {
  Value value = load(storedType(element));
  if (element.isInteger(1)) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                 zero);
  }
  if (element.isIndex())
    return arith::IndexCastOp::create(builder, loc, element, value);
  return value;
}

Lanes ElementEmitter::load(Value tensor, Value pointer,
                           ArrayRef<Lanes> indices) {
  Type element = getElementTypeOrSelf(tensor.getType());
  Type stored = storedType(element);
  int64_t bytes = elementBytes(stored);
  Lanes offset = linearize(indices, sizesOf(tensor));
  Lanes result;
  result.type = element;
  auto add = [&](Value value) {
    result.values.push_back(fromStored(element, [&](Type) { return value; }));
  };
  if (offset.isUniform() || !offset.isLine || offset.step != 1) {
    int64_t count = offset.isUniform() ? 1 : width;
    for (int64_t lane = 0; lane < count; ++lane)
      add(LLVM::LoadOp::create(builder, loc, stored,
                               address(pointer, at(offset, lane), stored),
                               bytes));
    return result;
  }
  int64_t length = accessLength(offset, stored, width, access.vector);
  for (int64_t lane = 0; lane < width; lane += length) {
    Value from = address(pointer, at(offset, lane), stored);
    if (length == 1) {
      add(LLVM::LoadOp::create(builder, loc, stored, from, bytes));
      continue;
    }
    Value vector = LLVM::LoadOp::create(
        builder, loc, VectorType::get({length}, stored), from, bytes * length);
    for (int64_t i = 0; i < length; ++i)
      add(vector::ExtractOp::create(builder, loc, vector, i));
  }
  return result;
}

void ElementEmitter::store(int64_t number, const Lanes &elements,
                           ArrayRef<Lanes> indices) {
  Value tensor = group.outputs[number];
  Value pointer =
      kernel.getArgument(firstPointer + group.inputs.size() + number);
  Type element = getElementTypeOrSelf(tensor.getType());
  Type stored = storedType(element);
  int64_t bytes = elementBytes(stored);
  Lanes offset = linearize(indices, sizesOf(tensor));
  auto valueAt = [&](int64_t lane) { return toStored(at(elements, lane)); };
  bool isVector = offset.isLine && offset.step == 1;
  int64_t length =
      isVector ? accessLength(offset, stored, width, access.vector) : 1;
  for (int64_t lane = 0; lane < width; lane += length) {
    Value to = address(pointer, at(offset, lane), stored);
    Value value = valueAt(lane);
    if (length > 1) {
      SmallVector<Value> values = {value};
      for (int64_t i = 1; i < length; ++i)
        values.push_back(valueAt(lane + i));
      value = vector::FromElementsOp::create(
          builder, loc, VectorType::get({length}, stored), values);
    }
    LLVM::StoreOp::create(builder, loc, value, to, bytes * length);
  }
}

//===----------------------------------------------------------------------===//
// Lanes that go different ways
//===----------------------------------------------------------------------===//

Lanes ElementEmitter::laneByLane(ArrayRef<Lanes> indices,
                                 function_ref<Lanes(ArrayRef<Lanes>)> compute) {
  int64_t lanes = std::exchange(width, 1);
  Lanes result;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    SmallVector<Lanes> own = llvm::map_to_vector(
        indices, [&](const Lanes &index) { return single(index, lane); });
    Lanes element = compute(own);
    result.values.push_back(at(element, 0));
    result.type = element.type;
  }
  width = lanes;
  return result;
}

Lanes ElementEmitter::choose(Value condition, Type element,
                             function_ref<Lanes()> yes,
                             function_ref<Lanes()> no) {
  APInt known;
  if (matchPattern(condition, m_ConstantInt(&known)))
    return known.isZero() ? no() : yes();
  auto branch = scf::IfOp::create(builder, loc,
                                  SmallVector<Type>(width, element), condition,
                                  /*withElseRegion=*/true);
  auto fill = [&](Block *block, function_ref<Lanes()> compute) {
    OpBuilder::InsertionGuard guard(builder);
    Scope scope(*this);
    builder.setInsertionPointToStart(block);
    Lanes lanes = compute();
    SmallVector<Value> values;
    for (int64_t lane = 0; lane < width; ++lane)
      values.push_back(at(lanes, lane));
    scf::YieldOp::create(builder, loc, values);
  };
  fill(branch.thenBlock(), yes);
  fill(branch.elseBlock(), no);
  Lanes result;
  llvm::append_range(result.values, branch.getResults());
  result.type = element;
  return result;
}

Value ElementEmitter::compare(arith::CmpIPredicate predicate, const Lanes &a,
                              const Lanes &b) {
  return builder.createOrFold<arith::CmpIOp>(
      loc, predicate, at(single(a, 0), 0), at(single(b, 0), 0));
}

Lanes ElementEmitter::numberOf(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return IndexArithmetic::number(*constant);
  return uniform(scalar(cast<Value>(number)));
}

static Size sizeOf(const Lanes &number) {
  if (std::optional<int64_t> constant = number.constant())
    return {*constant, Value(), *constant};
  return {ShapedType::kDynamic, number.base,
          std::max<int64_t>(number.multiple, 1)};
}

//===----------------------------------------------------------------------===//
// Ops that arrange elements
//===----------------------------------------------------------------------===//

Lanes ElementEmitter::concat(tensor::ConcatOp op, ArrayRef<Lanes> indices) {
  int64_t dim = op.getDim();
  // Where each input ends.
  SmallVector<Lanes> ends;
  Lanes end = IndexArithmetic::number(0);
  for (Value input : op.getInputs()) {
    Size size = sizesOf(input)[dim];
    Lanes extent = size.isStatic() ? IndexArithmetic::number(size.number)
                                   : uniform(size.value, size.multiple);
    end = add(end, extent);
    ends.push_back(end);
  }
  auto isShared = [&](const Lanes &limit) {
    Size size = sizeOf(limit);
    if (!limit.constant())
      size.multiple = std::max<int64_t>(limit.startMultiple(), 1);
    return isOneSided(indices[dim], size);
  };
  if (!llvm::all_of(ArrayRef(ends).drop_back(), isShared))
    return laneByLane(indices,
                      [&](ArrayRef<Lanes> own) { return concat(op, own); });
  Type element = op.getResultType().getElementType();
  std::function<Lanes(size_t)> from = [&](size_t number) -> Lanes {
    auto own = [&] {
      SmallVector<Lanes> at(indices);
      if (number)
        at[dim] = sub(at[dim], ends[number - 1]);
      return evaluate(op.getInputs()[number], at);
    };
    if (number + 1 == ends.size())
      return own();
    Value isHere =
        compare(arith::CmpIPredicate::slt, indices[dim], ends[number]);
    return choose(isHere, element, own, [&] { return from(number + 1); });
  };
  return from(0);
}

Lanes ElementEmitter::extract(tensor::ExtractSliceOp op,
                              ArrayRef<Lanes> indices) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<Lanes> source;
  size_t next = 0;
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  for (auto [dim, stride] : llvm::enumerate(op.getMixedStrides())) {
    OpFoldResult offset = offsets[dim];
    Lanes index = numberOf(offset);
    if (!dropped.test(dim))
      index = add(index, scale(indices[next++], sizeOf(numberOf(stride))));
    source.push_back(index);
  }
  return evaluate(op.getSource(), source);
}

Value ElementEmitter::isInside(const Lanes &index, const Lanes &from,
                               const Lanes &end) {
  auto truth = [&](bool value) {
    return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
  };
  Value above = truth(true);
  if (from.constant() != 0)
    above = compare(arith::CmpIPredicate::sge, index, from);
  Value below = compare(arith::CmpIPredicate::slt, index, end);
  return builder.createOrFold<arith::AndIOp>(loc, above, below);
}

Lanes ElementEmitter::inBox(ArrayRef<Lanes> indices, ArrayRef<Lanes> from,
                            ArrayRef<Size> sizes, ArrayRef<bool> isWhole,
                            Type element,
                            function_ref<Lanes(ArrayRef<Lanes>)> inside,
                            function_ref<Lanes(ArrayRef<Lanes>)> outside) {
  Value condition =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  SmallVector<Lanes> moved(indices);
  for (size_t dim = 0; dim < indices.size(); ++dim) {
    const Lanes &index = indices[dim];
    if (isWhole[dim])
      continue;
    Lanes size = sizes[dim].isStatic()
                     ? IndexArithmetic::number(sizes[dim].number)
                     : uniform(sizes[dim].value, sizes[dim].multiple);
    Lanes end = add(from[dim], size);
    auto isShared = [&](const Lanes &limit) {
      Size at = sizeOf(limit);
      if (!limit.constant())
        at.multiple = std::max<int64_t>(limit.startMultiple(), 1);
      return at.number == 0 || isOneSided(index, at);
    };
    if (!isShared(from[dim]) || !isShared(end))
      return laneByLane(indices, [&](ArrayRef<Lanes> own) {
        return inBox(own, from, sizes, isWhole, element, inside, outside);
      });
    condition = builder.createOrFold<arith::AndIOp>(
        loc, condition, isInside(index, from[dim], end));
    moved[dim] = sub(index, from[dim]);
  }
  return choose(
      condition, element, [&] { return inside(moved); },
      [&] { return outside(indices); });
}

Lanes ElementEmitter::insert(tensor::InsertSliceOp op,
                             ArrayRef<Lanes> indices) {
  if (!op.hasUnitStride())
    return insertStrided(op, indices);
  SmallVector<Lanes> from = llvm::map_to_vector(
      op.getMixedOffsets(), [&](OpFoldResult at) { return numberOf(at); });
  SmallVector<Size> sizes =
      llvm::map_to_vector(op.getMixedSizes(), [&](OpFoldResult at) {
        return sizeOf(numberOf(at));
      });
  SmallVector<Size> whole = sizesOf(op.getDest());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<bool> isWhole;
  for (auto [offset, size, all] : llvm::zip(from, sizes, whole))
    isWhole.push_back(offset.constant() == 0 && size == all);
  return inBox(
      indices, from, sizes, isWhole, op.getDestType().getElementType(),
      [&](ArrayRef<Lanes> moved) {
        SmallVector<Lanes> own;
        for (auto [dim, index] : llvm::enumerate(moved))
          if (!dropped.test(dim))
            own.push_back(index);
        return evaluate(op.getSource(), own);
      },
      [&](ArrayRef<Lanes> here) { return evaluate(op.getDest(), here); });
}

Lanes ElementEmitter::pad(tensor::PadOp op, ArrayRef<Lanes> indices) {
  SmallVector<Lanes> from = llvm::map_to_vector(
      op.getMixedLowPad(), [&](OpFoldResult at) { return numberOf(at); });
  SmallVector<Size> sizes = sizesOf(op.getSource());
  SmallVector<bool> isWhole;
  for (auto [low, high] : llvm::zip(op.getMixedLowPad(), op.getMixedHighPad()))
    isWhole.push_back(getConstantIntValue(low) == 0 &&
                      getConstantIntValue(high) == 0);
  Block &block = op.getRegion().front();
  Value padding = block.getTerminator()->getOperand(0);
  return inBox(
      indices, from, sizes, isWhole, op.getResultType().getElementType(),
      [&](ArrayRef<Lanes> moved) { return evaluate(op.getSource(), moved); },
      [&](ArrayRef<Lanes> here) {
        BodyEmitter body(*this, block, here);
        for (auto [argument, index] : llvm::zip(block.getArguments(), here))
          body.set(argument, index);
        return body.get(padding);
      });
}

Lanes ElementEmitter::reshape(Value source, Value result,
                              ArrayRef<Lanes> indices,
                              ArrayRef<ReassociationIndices> groups,
                              bool isCollapse) {
  SmallVector<Size> sizes = sizesOf(isCollapse ? source : result);
  SmallVector<Lanes> own;
  for (auto [number, dims] : llvm::enumerate(groups)) {
    ArrayRef<Size> part =
        ArrayRef(sizes).slice(dims.empty() ? 0 : dims.front(), dims.size());
    if (isCollapse)
      llvm::append_range(own, delinearize(indices[number], part));
    else
      own.push_back(linearize(indices.slice(dims.front(), dims.size()), part));
  }
  // Of rank 0 on the short side: everything is a unit.
  if (groups.empty() && isCollapse)
    own.assign(sizes.size(), IndexArithmetic::number(0));
  return evaluate(source, own);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static IndexArithmetic::Key keyOf(Value tensor, ArrayRef<Lanes> indices) {
  IndexArithmetic::Key key = {
      reinterpret_cast<int64_t>(tensor.getAsOpaquePointer())};
  for (const Lanes &lanes : indices)
    IndexArithmetic::appendKey(key, lanes);
  return key;
}

void ElementEmitter::remember(Value tensor, ArrayRef<Lanes> indices,
                              const Lanes &value) {
  elements[keyOf(tensor, indices)] = value;
}

Lanes ElementEmitter::evaluate(Value tensor, ArrayRef<Lanes> indices) {
  Key key = keyOf(tensor, indices);
  if (auto found = elements.find(key); found != elements.end())
    return found->second;
  Lanes result = compute(tensor, indices);
  return elements[key] = result;
}

Lanes ElementEmitter::constant(TypedAttr value) {
  Lanes lanes;
  lanes.values = {arith::ConstantOp::create(builder, loc, value)};
  lanes.type = value.getType();
  return lanes;
}

Lanes ElementEmitter::compute(Value tensor, ArrayRef<Lanes> indices) {
  if (Value pointer = pointerOf(tensor))
    return load(tensor, pointer, indices);
  Operation *op = tensor.getDefiningOp();
  DenseElementsAttr elementsAttr;
  if (matchPattern(tensor, m_Constant(&elementsAttr)) && elementsAttr.isSplat())
    return constant(elementsAttr.getSplatValue<TypedAttr>());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return reshape(collapse.getSrc(), tensor, indices,
                   collapse.getReassociationIndices(), /*isCollapse=*/true);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return reshape(expand.getSrc(), tensor, indices,
                   expand.getReassociationIndices(), /*isCollapse=*/false);
  if (auto whole = dyn_cast<tensor::ReshapeOp>(op))
    return evaluate(whole.getSource(),
                    delinearize(linearize(indices, sizesOf(tensor)),
                                sizesOf(whole.getSource())));
  if (isa<tensor::CastOp>(op))
    return evaluate(op->getOperand(0), indices);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return extract(slice, indices);
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return insert(slice, indices);
  if (auto whole = dyn_cast<tensor::ConcatOp>(op))
    return concat(whole, indices);
  if (auto padded = dyn_cast<tensor::PadOp>(op))
    return pad(padded, indices);
  // Nothing has been written there, so anything may be read.
  if (isa<tensor::EmptyOp>(op))
    return constant(
        builder.getZeroAttr(getElementTypeOrSelf(tensor.getType())));
  auto linalgOp = cast<linalg::LinalgOp>(op);
  int64_t number = cast<OpResult>(tensor).getResultNumber();
  if (linalgOp.getNumReductionLoops()) {
    onReduction(linalgOp, number, indices);
    return elements.at(keyOf(tensor, indices));
  }
  Value yielded = linalgOp.getBlock()->getTerminator()->getOperand(number);
  return evaluateBody(linalgOp, loopsOf(linalgOp, number, indices), yielded)[0];
}

SmallVector<Lanes> ElementEmitter::evaluateBody(linalg::LinalgOp op,
                                                ArrayRef<Lanes> loops,
                                                ValueRange wanted) {
  BodyEmitter body(*this, *op.getBlock(), loops);
  body.setLoopSizes(loopSizes(op));
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument =
        op.getBlock()->getArgument(operand.getOperandNumber());
    if (!isa<RankedTensorType>(operand.get().getType())) {
      body.set(argument, operand.get());
      continue;
    }
    SmallVector<Lanes> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
      indices.push_back(apply(expr, loops));
    body.set(argument, operand.get(), std::move(indices));
  }
  return llvm::map_to_vector(wanted,
                             [&](Value value) { return body.get(value); });
}
