//===- LinalgStep.cpp - A linalg op as a reference step -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An elementwise op is a map, a reduction a fold. Loops are numbered as the
// dimensions of the result first, then the reduced ones. What an op reads in
// order, transposed or repeated, is an input of its region; the region loads
// the rest.
//
//===----------------------------------------------------------------------===//

#include "ReferenceWriter.h"

using namespace mlir;
using namespace mlir::sparseflow;
namespace json = llvm::json;

/// The value of `expr` in terms of a linalg op's loops; no number for what
/// affine maps of linalg ops do not hold.
static std::optional<int64_t> addAffine(RegionWriter &region, AffineExpr expr,
                                        ArrayRef<unsigned> loops) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return region.addConstant(static_cast<double>(constant.getValue()));
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return region.add(
        json::Array{"index", static_cast<int64_t>(loops[dim.getPosition()])});
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  StringRef name = expr.getKind() == AffineExprKind::Add        ? "addf"
                   : expr.getKind() == AffineExprKind::Mul      ? "mulf"
                   : expr.getKind() == AffineExprKind::FloorDiv ? "floordivsi"
                   : expr.getKind() == AffineExprKind::Mod      ? "remsi"
                                                                : "";
  auto left = addAffine(region, binary.getLHS(), loops);
  auto right = addAffine(region, binary.getRHS(), loops);
  if (name.empty() || !left || !right)
    return std::nullopt;
  return region.add(json::Array{name, *left, *right});
}

/// Writes the step of one linalg op.
class ReferenceWriter::LinalgStep {
public:
  LinalgStep(ReferenceWriter &writer, linalg::LinalgOp op)
      : writer(writer), op(op) {}
  llvm::Error write();

private:
  llvm::Error numberLoops();
  /// The sizes of the reduced loops.
  llvm::Expected<json::Array> reducedSizes();
  /// Makes operands inputs of the region, or leaves them to loads of it.
  llvm::Error addInputs();
  /// Defines the region's argument of an operand that is no input.
  llvm::Error load(RegionWriter &region, OpOperand &operand);
  /// Defines the results: the first of them in `step` itself.
  llvm::Error addResults(json::Object &step, ArrayRef<int64_t> yielded);

  bool isReduction() const { return !reduced.empty(); }
  bool isTensor(OpOperand &operand) const {
    return isa<RankedTensorType>(operand.get().getType());
  }
  llvm::Error refuse(StringRef reason) {
    return errorAt(op.getLoc(), "'", op->getName(),
                   "' has no reference form: ", reason);
  }

  ReferenceWriter &writer;
  linalg::LinalgOp op;
  unsigned rank = 0;
  SmallVector<unsigned> reduced;
  /// The number of each of the op's loops.
  SmallVector<unsigned> numberOf;
  json::Array inputs;
  /// The block's arguments of the inputs: those of a fold begin with its
  /// accumulators.
  SmallVector<BlockArgument> arguments;
  SmallVector<OpOperand *> loaded;
};

llvm::Error ReferenceWriter::LinalgStep::numberLoops() {
  AffineMap output;
  bool isSupported = op->getNumResults() > 0;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    isSupported &= map.isProjectedPermutation(false) &&
                   (!output || output == map) && isTensor(init);
    output = map;
  }
  op.getReductionDims(reduced);
  if (!isSupported ||
      output.getNumResults() + reduced.size() != op.getNumLoops())
    return refuse("expected results that all loops but the reduced ones "
                  "index, each once");
  rank = output.getNumResults();
  numberOf.resize(op.getNumLoops());
  for (auto [i, expr] : llvm::enumerate(output.getResults()))
    numberOf[cast<AffineDimExpr>(expr).getPosition()] = i;
  for (auto [i, loop] : llvm::enumerate(reduced))
    numberOf[loop] = rank + i;
  return llvm::Error::success();
}

llvm::Expected<json::Array> ReferenceWriter::LinalgStep::reducedSizes() {
  json::Array sizes;
  for (size_t i = 0; i < reduced.size(); ++i)
    sizes.push_back(nullptr);
  // They follow from any operand that such a loop indexes.
  for (OpOperand &operand : op->getOpOperands())
    for (auto [i, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || numberOf[loop.getPosition()] < rank)
        continue;
      llvm::Expected<json::Value> size = writer.getSize(operand.get(), i, *op);
      if (!size)
        return size.takeError();
      sizes[numberOf[loop.getPosition()] - rank] = std::move(*size);
    }
  assert(!llvm::is_contained(sizes, json::Value(nullptr)) &&
         "the verifier asks for an operand that each loop indexes");
  return sizes;
}

llvm::Error ReferenceWriter::LinalgStep::addInputs() {
  if (isReduction())
    for (OpOperand &init : op.getDpsInitsMutable())
      arguments.push_back(op.getMatchingBlockArgument(&init));
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isAccumulator = isReduction() && op.isDpsInit(&operand);
    if (argument.use_empty() || isAccumulator)
      continue;
    if (!isTensor(operand) || !map.isProjectedPermutation(false)) {
      loaded.push_back(&operand);
      continue;
    }
    json::Array dims;
    for (AffineExpr expr : map.getResults())
      dims.push_back(numberOf[cast<AffineDimExpr>(expr).getPosition()]);
    llvm::Expected<int64_t> number = writer.getNumber(operand.get(), *op);
    if (!number)
      return number.takeError();
    inputs.push_back(
        json::Object{{"value", *number}, {"dims", std::move(dims)}});
    arguments.push_back(argument);
  }
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::LinalgStep::load(RegionWriter &region,
                                              OpOperand &operand) {
  BlockArgument argument = op.getMatchingBlockArgument(&operand);
  if (!isTensor(operand)) {
    llvm::Expected<int64_t> scalar = region.getNumber(operand.get(), *op);
    if (!scalar)
      return scalar.takeError();
    region.define(argument, *scalar);
    return llvm::Error::success();
  }
  llvm::Expected<int64_t> number = writer.getNumber(operand.get(), *op);
  if (!number)
    return number.takeError();
  json::Array line{"load", *number};
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    std::optional<int64_t> index = addAffine(region, expr, numberOf);
    if (!index)
      return refuse("its indexing maps hold more than sums and products");
    line.push_back(*index);
  }
  region.define(argument, region.add(std::move(line)));
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::LinalgStep::addResults(json::Object &step,
                                                    ArrayRef<int64_t> yielded) {
  if (!isReduction() && op->getNumResults() > 1)
    return refuse("expected one result of what reduces nothing");
  json::Array more;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    llvm::Expected<StringRef> dtype = getDtype(result.getType(), op.getLoc());
    if (!dtype)
      return dtype.takeError();
    json::Object entry{{"dtype", *dtype}};
    if (isReduction()) {
      std::optional<json::Value> start = getFill(op.getDpsInits()[i]);
      if (!start)
        return refuse("expected a reduction that starts from a constant");
      entry["init"] = std::move(*start);
    }
    entry["out"] = writer.define(result);
    if (i == 0) {
      step = std::move(entry);
      continue;
    }
    entry["yield"] = yielded[i];
    more.push_back(std::move(entry));
  }
  if (!more.empty())
    step["more"] = std::move(more);
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::LinalgStep::write() {
  if (llvm::Error error = numberLoops())
    return error;
  llvm::Expected<json::Array> sizes = reducedSizes();
  if (!sizes)
    return sizes.takeError();
  if (llvm::Error error = addInputs())
    return error;
  RegionWriter region(arguments, &writer, numberOf);
  for (OpOperand *operand : loaded)
    if (llvm::Error error = load(region, *operand))
      return error;
  if (llvm::Error error = region.write(*op.getBlock()))
    return error;
  SmallVector<int64_t> yielded(region.getYielded());
  json::Object step;
  if (llvm::Error error = addResults(step, yielded))
    return error;
  llvm::Expected<json::Array> shape = writer.getSizes(op->getResult(0), *op);
  if (!shape)
    return shape.takeError();
  step["op"] = isReduction() ? "reduce" : "map";
  step["inputs"] = std::move(inputs);
  step["shape"] = std::move(*shape);
  step["region"] = region.take();
  if (isReduction())
    step["reduced"] = std::move(*sizes);
  writer.steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::writeLinalg(linalg::LinalgOp op) {
  return LinalgStep(*this, op).write();
}
