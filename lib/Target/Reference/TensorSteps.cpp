//===- TensorSteps.cpp - Tensor ops as reference steps --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What picks elements by their place, a slice, a concatenation, a gather, is a
// map whose region computes indices and loads.
//
//===----------------------------------------------------------------------===//

#include "ReferenceWriter.h"

#include "SparseFlow/Dialect/SparseFlow/IR/IndexClamp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sparseflow;
namespace json = llvm::json;

std::optional<json::Value> mlir::sparseflow::getFill(Value value) {
  auto write = [](Attribute number) -> std::optional<json::Value> {
    if (auto real = dyn_cast_or_null<FloatAttr>(number))
      return getJsonNumber(real.getValue());
    if (auto flag = dyn_cast_or_null<BoolAttr>(number))
      return flag.getValue() ? 1.0 : 0.0;
    if (auto integer = dyn_cast_or_null<IntegerAttr>(number))
      return static_cast<double>(integer.getInt());
    return std::nullopt;
  };
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)))
    return write(splat.getSplatValue<Attribute>());
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumLoops() != op.getNumParallelLoops() ||
      op->getNumResults() != 1)
    return std::nullopt;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  // A fill yields its scalar operand.
  if (auto argument = dyn_cast<BlockArgument>(yielded);
      argument && argument.getOwner() == op.getBlock() &&
      argument.getArgNumber() < op->getNumOperands())
    yielded = op->getOperand(argument.getArgNumber());
  Attribute number;
  if (yielded.getType().isIntOrIndexOrFloat() &&
      matchPattern(yielded, m_Constant(&number)))
    return write(number);
  return std::nullopt;
}

/// The same elements in another shape.
llvm::Error ReferenceWriter::addStep(json::Object step, Operation &op) {
  Value result = op.getResult(0);
  llvm::Expected<StringRef> dtype = getDtype(result.getType(), op.getLoc());
  if (!dtype)
    return dtype.takeError();
  llvm::Expected<json::Array> shape = getSizes(result, op);
  if (!shape)
    return shape.takeError();
  step["shape"] = std::move(*shape);
  step["dtype"] = *dtype;
  step["out"] = define(result);
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::writeReshape(Operation &op) {
  // Of what has no elements yet, and is only written.
  Value root = op.getOperand(0);
  while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::CastOp>(root.getDefiningOp()))
    root = root.getDefiningOp()->getOperand(0);
  if (root.getDefiningOp<tensor::EmptyOp>())
    return llvm::Error::success();
  llvm::Expected<int64_t> source = getNumber(op.getOperand(0), op);
  if (!source)
    return source.takeError();
  return addStep(json::Object{{"op", "reshape"}, {"value", *source}}, op);
}

//===----------------------------------------------------------------------===//
// Elements by their place
//===----------------------------------------------------------------------===//

llvm::Error ReferenceWriter::addMap(Operation &op, RegionWriter region,
                                    int64_t yielded) {
  return addStep(json::Object{{"op", "map"},
                              {"inputs", json::Array()},
                              {"region", region.take(yielded)}},
                 op);
}

namespace {
/// Indices of a map's region, one a dimension.
using Indices = SmallVector<int64_t>;
} // namespace

static Indices addIndices(RegionWriter &region, int64_t rank) {
  Indices indices;
  for (int64_t i = 0; i < rank; ++i)
    indices.push_back(region.add(json::Array{"index", i}));
  return indices;
}

static int64_t addLoad(RegionWriter &region, int64_t tensor,
                       ArrayRef<int64_t> indices) {
  json::Array line{"load", tensor};
  for (int64_t index : indices)
    line.push_back(index);
  return region.add(std::move(line));
}

/// result[i] = source[offset + i * stride]
llvm::Error ReferenceWriter::writeSlice(tensor::ExtractSliceOp op) {
  llvm::Expected<int64_t> source = getNumber(op.getSource(), *op);
  if (!source)
    return source.takeError();
  RegionWriter region({}, this);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Indices indices;
  SmallVector<std::pair<int64_t, int64_t>> said;
  int64_t next = 0;
  for (auto [i, offset, stride] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides())) {
    llvm::Expected<int64_t> first = region.getNumber(offset, *op);
    if (!first)
      return first.takeError();
    auto value = dyn_cast<Value>(offset);
    Value unclamped = value ? getClampedIndex(value) : Value();
    llvm::Expected<int64_t> before = *first;
    if (unclamped)
      before = region.getNumber(unclamped, *op);
    if (!before)
      return before.takeError();
    if (dropped.test(i)) {
      indices.push_back(*first);
      if (unclamped)
        said.emplace_back(i, *before);
      continue;
    }
    llvm::Expected<int64_t> step = region.getNumber(stride, *op);
    if (!step)
      return step.takeError();
    int64_t index = region.add(json::Array{"index", next++});
    int64_t scaled = region.add(json::Array{"mulf", index, *step});
    indices.push_back(region.add(json::Array{"addf", *first, scaled}));
    if (unclamped)
      said.emplace_back(i, region.add(json::Array{"addf", *before, scaled}));
  }
  int64_t element = addLoad(region, *source, indices);
  for (auto [dim, index] : said)
    region.addChecked(element, dim, index);
  return addMap(*op, std::move(region), element);
}

/// The source where it lies inside of the slice, else the destination; strides
/// are numbers.
llvm::Error ReferenceWriter::writeInsert(tensor::InsertSliceOp op) {
  llvm::Expected<int64_t> source = getNumber(op.getSource(), *op);
  if (!source)
    return source.takeError();
  llvm::Expected<int64_t> destination = getNumber(op.getDest(), *op);
  if (!destination)
    return destination.takeError();
  for (int64_t stride : op.getStaticStrides())
    if (ShapedType::isDynamic(stride) || stride < 1)
      return errorAt(op.getLoc(), "'tensor.insert_slice' has no reference "
                                  "form: expected strides that are numbers "
                                  "from 1 on");
  RegionWriter region({}, this);
  Indices here = addIndices(region, op.getDestType().getRank()), there;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t inside = region.addConstant(1), zero = region.addConstant(0);
  for (auto [i, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getStaticStrides())) {
    llvm::Expected<int64_t> first = region.getNumber(offset, *op);
    if (!first)
      return first.takeError();
    llvm::Expected<int64_t> extent = region.getNumber(size, *op);
    if (!extent)
      return extent.takeError();
    int64_t index = region.add(json::Array{"subf", here[i], *first});
    if (stride != 1) {
      int64_t step = region.addConstant(static_cast<double>(stride));
      int64_t rest = region.add(json::Array{"remsi", index, step});
      int64_t hits = region.add(json::Array{"cmpf", "oeq", rest, zero});
      inside = region.add(json::Array{"mulf", inside, hits});
      // Where nothing is left; elsewhere no index, or one that is not taken.
      index = region.add(json::Array{"floordivsi", index, step});
    }
    int64_t after = region.add(json::Array{"cmpf", "oge", index, zero});
    int64_t before = region.add(json::Array{"cmpf", "olt", index, *extent});
    inside = region.add(json::Array{"mulf", inside, after});
    inside = region.add(json::Array{"mulf", inside, before});
    if (!dropped.test(i))
      there.push_back(index);
  }
  int64_t inserted = addLoad(region, *source, there);
  int64_t kept = addLoad(region, *destination, here);
  int64_t element = region.add(json::Array{"select", inside, inserted, kept});
  return addMap(*op, std::move(region), element);
}

llvm::Error ReferenceWriter::writeConcat(tensor::ConcatOp op) {
  RegionWriter region({}, this);
  int64_t dim = static_cast<int64_t>(op.getDim());
  Indices here = addIndices(region, op.getResultType().getRank());
  int64_t index = here[dim], element = -1;
  // From the first input on: each begins where the one before it ends.
  for (Value input : op.getInputs()) {
    llvm::Expected<int64_t> tensor = getNumber(input, *op);
    if (!tensor)
      return tensor.takeError();
    llvm::Expected<json::Value> size = getSize(input, dim, *op);
    if (!size)
      return size.takeError();
    Indices there(here);
    there[dim] = index;
    int64_t loaded = addLoad(region, *tensor, there);
    int64_t zero = region.addConstant(0);
    int64_t begun = region.add(json::Array{"cmpf", "oge", index, zero});
    element = element < 0
                  ? loaded
                  : region.add(json::Array{"select", begun, loaded, element});
    int64_t extent = region.add(json::Array{"size", std::move(*size)});
    index = region.add(json::Array{"subf", index, extent});
  }
  return addMap(*op, std::move(region), element);
}

/// The source, and around it a constant.
llvm::Error ReferenceWriter::writePad(tensor::PadOp op) {
  Value filling = op.getConstantPaddingValue();
  llvm::Expected<int64_t> source = getNumber(op.getSource(), *op);
  if (!source)
    return source.takeError();
  if (!filling)
    return errorAt(op.getLoc(), "'tensor.pad' has no reference form: expected "
                                "a constant around the source");
  RegionWriter region({}, this);
  llvm::Expected<int64_t> outside = region.getNumber(filling, *op);
  if (!outside)
    return outside.takeError();
  Indices here = addIndices(region, op.getResultType().getRank()), there;
  int64_t inside = region.addConstant(1), zero = region.addConstant(0);
  for (auto [i, low] : llvm::enumerate(op.getMixedLowPad())) {
    llvm::Expected<int64_t> first = region.getNumber(low, *op);
    if (!first)
      return first.takeError();
    llvm::Expected<json::Value> size = getSize(op.getSource(), i, *op);
    if (!size)
      return size.takeError();
    int64_t index = region.add(json::Array{"subf", here[i], *first});
    int64_t extent = region.add(json::Array{"size", std::move(*size)});
    int64_t after = region.add(json::Array{"cmpf", "oge", index, zero});
    int64_t before = region.add(json::Array{"cmpf", "olt", index, extent});
    inside = region.add(json::Array{"mulf", inside, after});
    inside = region.add(json::Array{"mulf", inside, before});
    there.push_back(index);
  }
  int64_t element = addLoad(region, *source, there);
  element = region.add(json::Array{"select", inside, element, *outside});
  return addMap(*op, std::move(region), element);
}
