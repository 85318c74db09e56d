//===- RegionWriter.cpp - Scalar regions as JSON --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionWriter.h"

#include "ScalarNames.h"

#include "SparseFlow/Dialect/SparseFlow/IR/IndexClamp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;
namespace json = llvm::json;

json::Value mlir::sparseflow::getJsonNumber(const APFloat &value) {
  if (value.isNaN())
    return "nan";
  if (value.isInfinity())
    return value.isNegative() ? "-inf" : "inf";
  APFloat wide = value;
  bool losesInfo;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return wide.convertToDouble();
}

/// True where a result in the type of the operands is not rounded.
static bool isExact(Operation &op) {
  return isa<arith::ExtFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::SelectOp, math::AbsFOp,
             math::CopySignOp, math::FloorOp, math::CeilOp, math::TruncOp,
             math::RoundEvenOp>(op);
}

static StringRef getRoundedType(Value value) {
  return value.getType().isF16()    ? "f16"
         : value.getType().isBF16() ? "bf16"
                                    : "f32";
}

RegionWriter::RegionWriter(ArrayRef<BlockArgument> inputs, RegionScope *scope,
                           ArrayRef<unsigned> loops)
    : inputs(inputs.size()), count(inputs.size()), scope(scope), loops(loops) {
  for (auto [i, input] : llvm::enumerate(inputs))
    numbers[input] = i;
}

llvm::Error RegionWriter::write(Block &block) {
  for (Operation &op : block.without_terminator())
    if (llvm::Error error = writeOp(op))
      return error;
  Operation *terminator = block.getTerminator();
  for (Value operand : terminator->getOperands()) {
    llvm::Expected<int64_t> result = getNumber(operand, *terminator);
    if (!result)
      return result.takeError();
    yielded.push_back(*result);
  }
  return llvm::Error::success();
}

llvm::Expected<int64_t> RegionWriter::getNumber(OpFoldResult value,
                                                Operation &user) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return addConstant(
        static_cast<double>(cast<IntegerAttr>(attribute).getInt()));
  return getNumber(cast<Value>(value), user);
}

llvm::Expected<int64_t> RegionWriter::getNumber(Value value, Operation &user) {
  auto known = numbers.find(value);
  if (known != numbers.end())
    return known->second;
  Operation *source = value.getDefiningOp();
  auto constant = dyn_cast_or_null<arith::ConstantOp>(source);
  if (!constant) {
    // What is computed around the region from sizes and from elements.
    if (!scope || !source || source->getNumRegions() != 0)
      return errorAt(user.getLoc(), "'", user.getName(),
                     "' reads a scalar from outside its region: expected a "
                     "constant or a tensor of rank 0");
    if (llvm::Error error = writeOp(*source))
      return error;
    return numbers[value];
  }
  if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
    return numbers[value] =
               add(json::Array{"const", getJsonNumber(number.getValue())});
  if (auto flag = dyn_cast<BoolAttr>(constant.getValue()))
    return numbers[value] = addConstant(flag.getValue() ? 1.0 : 0.0);
  if (auto index = dyn_cast<IntegerAttr>(constant.getValue()))
    return numbers[value] = addConstant(static_cast<double>(index.getInt()));
  return errorAt(constant.getLoc(),
                 "'arith.constant' in a scalar region: expected a float or an "
                 "integer, found ",
                 constant.getType());
}

/// Elements of tensors by their indices, and sizes.
llvm::Error RegionWriter::writeExtract(Operation &op) {
  assert(scope && "regions of matmuls and attentions hold scalars alone");
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!index)
      return errorAt(op.getLoc(), "'tensor.dim' has no reference form: "
                                  "expected a constant dimension");
    llvm::Expected<json::Value> size =
        scope->getSize(dim.getSource(), *index, op);
    if (!size)
      return size.takeError();
    numbers[dim.getResult()] = add(json::Array{"size", std::move(*size)});
    return llvm::Error::success();
  }
  auto extract = cast<tensor::ExtractOp>(op);
  llvm::Expected<int64_t> tensor = scope->getNumber(extract.getTensor(), op);
  if (!tensor)
    return tensor.takeError();
  json::Array line{"load", *tensor};
  SmallVector<std::pair<int64_t, int64_t>> said;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    llvm::Expected<int64_t> number = getNumber(index, op);
    if (!number)
      return number.takeError();
    line.push_back(*number);
    Value unclamped = getClampedIndex(index);
    if (!unclamped)
      continue;
    llvm::Expected<int64_t> before = getNumber(unclamped, op);
    if (!before)
      return before.takeError();
    said.emplace_back(dim, *before);
  }
  int64_t load = numbers[extract.getResult()] = add(std::move(line));
  for (auto [dim, index] : said)
    addChecked(load, static_cast<int64_t>(dim), index);
  return llvm::Error::success();
}

llvm::Error RegionWriter::writeOp(Operation &op) {
  if (isa<arith::ConstantOp, cf::AssertOp>(op))
    return llvm::Error::success();
  if (isa<tensor::ExtractOp, tensor::DimOp>(op))
    return writeExtract(op);
  if (auto index = dyn_cast<linalg::IndexOp>(op);
      index && index.getDim() < loops.size()) {
    numbers[index.getResult()] =
        add(json::Array{"index", static_cast<int64_t>(loops[index.getDim()])});
    return llvm::Error::success();
  }
  json::Array line;
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    line.push_back("cmpf");
    line.push_back(arith::stringifyCmpFPredicate(compare.getPredicate()));
  } else if (auto compare = dyn_cast<arith::CmpIOp>(op);
             compare && getFloatPredicate(compare)) {
    line.push_back("cmpf");
    line.push_back(*getFloatPredicate(compare));
  } else if (StringRef mnemonic = getManifestName(op); !mnemonic.empty()) {
    line.push_back(mnemonic.str());
  } else {
    return errorAt(op.getLoc(), "'", op.getName(),
                   "' has no reference form: expected one of the scalar ops "
                   "of the manifest, such as arith.addf, arith.select or "
                   "math.exp; rewrite it in terms of those");
  }
  for (Value operand : op.getOperands()) {
    llvm::Expected<int64_t> number = getNumber(operand, op);
    if (!number)
      return number.takeError();
    line.push_back(*number);
  }
  Value result = op.getResult(0);
  // A boolean is 1 here, and the low bit of an integer.
  if (isa<arith::TruncIOp>(op) && result.getType().isInteger(1))
    line.push_back(addConstant(1));
  bool isTruncation = isa<arith::TruncFOp>(op);
  // Arithmetic in 16 bits rounds as a truncation does.
  bool rounds = !isTruncation && !isExact(op) &&
                isa<Float16Type, BFloat16Type>(result.getType());
  if (isTruncation)
    line.push_back(getRoundedType(result));
  numbers[result] = add(std::move(line));
  if (rounds)
    numbers[result] =
        add(json::Array{"truncf", numbers[result], getRoundedType(result)});
  return llvm::Error::success();
}
