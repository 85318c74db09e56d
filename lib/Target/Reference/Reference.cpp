//===- Reference.cpp - What a function computes, as JSON ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Reference/Reference.h"

#include "RegionWriter.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"
#include "SparseFlow/Support/LocatedError.h"
#include "SparseFlow/Target/Manifest/TernaryEncoding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sparseflow;
namespace json = llvm::json;

namespace {

class ReferenceWriter {
public:
  ReferenceWriter(func::FuncOp function, FunctionSignature signature)
      : function(function), signature(std::move(signature)) {}
  llvm::Expected<json::Object> write();
  /// The same without the member "reference".
  llvm::Expected<json::Object> writeSignature();

private:
  llvm::Expected<json::Array> writeArguments();
  llvm::Expected<json::Array> writeResults();
  llvm::Error writeOp(Operation &op);
  llvm::Error writeMatmul(MatmulOp op);
  llvm::Error writeAttention(AttentionOp op);
  llvm::Error writeAppend(CacheAppendOp op);
  llvm::Error writeQuantize(QuantizeOp op);
  llvm::Error writeLinalg(linalg::LinalgOp op);
  llvm::Error writeReshape(Operation &op);
  llvm::Expected<int64_t> getNumber(Value value, Operation &user);
  int64_t define(Value value) { return numbers[value] = count++; }

  func::FuncOp function;
  FunctionSignature signature;
  llvm::DenseMap<Value, int64_t> numbers;
  int64_t count = 0;
  json::Array steps;
};
} // namespace

static json::Array getShape(const SymbolicShape &shape) {
  json::Array result;
  for (const SymbolicDim &dim : shape) {
    if (dim.symbol.empty())
      result.push_back(dim.size);
    else
      result.push_back(dim.symbol);
  }
  return result;
}

static llvm::Expected<StringRef> getDtype(Type type, Location location) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF16())
    return "f16";
  if (element.isBF16())
    return "bf16";
  if (element.isF32())
    return "f32";
  return errorAt(location, "expected tensors of f16, bf16 or f32, found ",
                 type);
}

/// The constant that every element of `value` is: a splat, a fill, or a generic
/// that yields a constant.
static std::optional<APFloat> getFill(Value value) {
  SplatElementsAttr splat;
  FloatAttr number;
  if (matchPattern(value, m_Constant(&splat)))
    return isa<FloatType>(splat.getElementType())
               ? std::optional(splat.getSplatValue<APFloat>())
               : std::nullopt;
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
  if (isa<FloatType>(yielded.getType()) &&
      matchPattern(yielded, m_Constant(&number)))
    return number.getValue();
  return std::nullopt;
}

llvm::Expected<int64_t> ReferenceWriter::getNumber(Value value,
                                                   Operation &user) {
  auto known = numbers.find(value);
  if (known != numbers.end())
    return known->second;
  Operation *source = value.getDefiningOp();
  std::optional<APFloat> fill = getFill(value);
  if (fill && signature.shapes.contains(value)) {
    llvm::Expected<StringRef> dtype = getDtype(value.getType(), user.getLoc());
    if (!dtype)
      return dtype.takeError();
    steps.push_back(json::Object{
        {"op", "map"},
        {"inputs", json::Array()},
        {"shape", getShape(signature.shapes[value])},
        {"dtype", *dtype},
        {"out", define(value)},
        {"region", json::Object{{"inputs", 0},
                                {"ops", json::Array{json::Array{
                                            "const", getJsonNumber(*fill)}}},
                                {"yield", 0}}}});
    return numbers[value];
  }
  return errorAt(source ? source->getLoc() : user.getLoc(), "'",
                 source ? source->getName().getStringRef()
                        : StringRef("a block argument"),
                 "' cannot be compiled: expected sparseflow.matmul, "
                 "sparseflow.attention or an elementwise linalg.generic; pass "
                 "constants as arguments");
}

llvm::Expected<json::Array> ReferenceWriter::writeArguments() {
  json::Array result;
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    // Counts, such as the key lengths of attention, are arguments only.
    llvm::Expected<StringRef> dtype =
        getElementTypeOrSelf(argument.getType()).isInteger(32)
            ? llvm::Expected<StringRef>("i32")
            : getDtype(argument.getType(), argument.getLoc());
    if (!dtype)
      return dtype.takeError();
    json::Object entry{{"name", json::fixUTF8(signature.argumentNames[i])},
                       {"dtype", *dtype},
                       {"shape", getShape(signature.argumentShapes[i])}};
    auto type = cast<RankedTensorType>(argument.getType());
    NmAttr encoding = getNmEncoding(type);
    TernaryAttr ternary = getTernaryEncoding(type);
    if (type.getEncoding() && !encoding && !ternary)
      return errorAt(argument.getLoc(),
                     "expected an encoding #sparseflow.nm<N:M> or "
                     "#sparseflow.ternary, found ",
                     type, "; run sparseflow-import-encodings");
    if (ternary) {
      entry["encoding"] = describeTernary(ternary);
      entry["layout"] = ternary.getLayout().str();
    }
    if (encoding) {
      json::Object pattern{
          {"kind", "nm"}, {"n", encoding.getN()}, {"m", encoding.getM()}};
      if (!encoding.isAlongLastAxis())
        pattern["axis"] = encoding.getAxis();
      entry["encoding"] = std::move(pattern);
      if (encoding.isTwoOfFour() && encoding.isAlongLastAxis() &&
          type.getRank() == 2)
        entry["layout"] = StorageAttr::kSf24V1;
    }
    define(argument);
    result.push_back(std::move(entry));
  }
  return result;
}

llvm::Error ReferenceWriter::writeMatmul(MatmulOp op) {
  if (op.getStorageAttr())
    return errorAt(op.getLoc(), "'sparseflow.matmul' reads packed bytes: "
                                "expected a weight [N, K]; export the "
                                "reference before "
                                "sparseflow-materialize-storage");
  llvm::Expected<int64_t> x = getNumber(op.getX(), *op);
  if (!x)
    return x.takeError();
  llvm::Expected<int64_t> w = getNumber(op.getW(), *op);
  if (!w)
    return w.takeError();
  json::Array operands;
  for (auto [operand, broadcast] :
       llvm::zip(op.getEpilogueOperands(), op.getBroadcastList())) {
    llvm::Expected<int64_t> number = getNumber(operand, *op);
    if (!number)
      return number.takeError();
    operands.push_back(json::Object{
        {"value", *number}, {"broadcast", stringifyBroadcast(broadcast)}});
  }
  Block &block = op.getEpilogue().front();
  RegionWriter region(llvm::to_vector(block.getArguments()));
  if (llvm::Error error = region.write(block))
    return error;
  llvm::Expected<StringRef> dtype = getDtype(op.getResultType(), op.getLoc());
  if (!dtype)
    return dtype.takeError();
  steps.push_back(
      json::Object{{"op", "matmul"},
                   {"x", *x},
                   {"w", *w},
                   {"out", define(op.getResult())},
                   {"operands", std::move(operands)},
                   {"shape", getShape(signature.shapes[op.getResult()])},
                   {"dtype", *dtype},
                   {"region", region.take()}});
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::writeAttention(AttentionOp op) {
  json::Object step{{"op", "attention"},
                    {"layout", stringifyAttentionLayout(op.getLayout())},
                    {"scale", static_cast<double>(op.getScaleValue())}};
  SmallVector<std::pair<StringRef, Value>> tensors = {
      {"q", op.getQ()}, {"k", op.getK()}, {"v", op.getV()}};
  if (op.getLengths())
    tensors.emplace_back("lengths", op.getLengths());
  for (auto [name, value] : tensors) {
    llvm::Expected<int64_t> number = getNumber(value, *op);
    if (!number)
      return number.takeError();
    step[name] = *number;
  }
  if (op.getCausal())
    step["causal"] = 1;
  if (op.getWindow())
    step["window"] = static_cast<int64_t>(*op.getWindow());
  json::Array operands;
  for (auto [index, operand] : llvm::enumerate(op.getScoreOperands())) {
    llvm::Expected<int64_t> number = getNumber(operand, *op);
    if (!number)
      return number.takeError();
    json::Array dims;
    for (char letter : op.getScoreDims(index))
      dims.push_back(static_cast<int64_t>(StringRef("bhqk").find(letter)));
    operands.push_back(
        json::Object{{"value", *number}, {"dims", std::move(dims)}});
  }
  step["operands"] = std::move(operands);
  if (op.hasScore()) {
    Block &block = op.getScore().front();
    RegionWriter region(llvm::to_vector(block.getArguments()));
    if (llvm::Error error = region.write(block))
      return error;
    step["region"] = region.take();
  }
  llvm::Expected<StringRef> dtype = getDtype(op.getResultType(), op.getLoc());
  if (!dtype)
    return dtype.takeError();
  step["dtype"] = *dtype;
  step["out"] = define(op.getResult());
  if (op.getLse())
    step["lse"] = define(op.getLse());
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::writeAppend(CacheAppendOp op) {
  json::Object step{{"op", "cache_append"},
                    {"method", stringifyTernaryMethod(op.getMethod())}};
  for (auto [name, value] :
       {std::pair<StringRef, Value>{"cache", op.getCache()},
        {"tokens", op.getTokens()},
        {"lengths", op.getLengths()}}) {
    llvm::Expected<int64_t> number = getNumber(value, *op);
    if (!number)
      return number.takeError();
    step[name] = *number;
  }
  step["out"] = define(op.getResult());
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::writeQuantize(QuantizeOp op) {
  llvm::Expected<int64_t> x = getNumber(op.getX(), *op);
  if (!x)
    return x.takeError();
  int64_t integers = define(op.getQuantized());
  steps.push_back(
      json::Object{{"op", "quantize"},
                   {"x", *x},
                   {"out", integers},
                   {"scale", define(op.getScale())},
                   {"shape", getShape(signature.shapes[op.getX()])}});
  return llvm::Error::success();
}

/// An elementwise op becomes a map, one with reductions a fold that starts from
/// a constant. Loops are numbered as the dimensions of the result first, then
/// the reduced ones.
llvm::Error ReferenceWriter::writeLinalg(linalg::LinalgOp op) {
  Value result = op->getNumResults() == 1 ? op->getResult(0) : Value();
  AffineMap output =
      result ? op.getMatchingIndexingMap(op.getDpsInitOperand(0)) : AffineMap();
  bool isSupported =
      output && llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
        return map.isProjectedPermutation(false);
      });
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  if (!isSupported ||
      output.getNumResults() + reduced.size() != op.getNumLoops())
    return errorAt(op.getLoc(), "'", op->getName(),
                   "' cannot be compiled: expected one result and "
                   "projected-permutation maps");
  SmallVector<unsigned> numberOf(op.getNumLoops());
  for (auto [i, expr] : llvm::enumerate(output.getResults()))
    numberOf[cast<AffineDimExpr>(expr).getPosition()] = i;
  for (auto [i, loop] : llvm::enumerate(reduced))
    numberOf[loop] = output.getNumResults() + i;

  SymbolicShape reducedSizes(reduced.size());
  json::Array inputs;
  SmallVector<BlockArgument> arguments;
  OpOperand *init = op.getDpsInitOperand(0);
  if (!reduced.empty())
    arguments.push_back(op.getMatchingBlockArgument(init));
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    json::Array dims;
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      unsigned number = numberOf[cast<AffineDimExpr>(expr).getPosition()];
      dims.push_back(number);
      if (number >= output.getNumResults())
        reducedSizes[number - output.getNumResults()] =
            signature.shapes[operand.get()][i];
    }
    if (argument.use_empty() || (!reduced.empty() && &operand == init))
      continue;
    llvm::Expected<int64_t> number = getNumber(operand.get(), *op);
    if (!number)
      return number.takeError();
    inputs.push_back(
        json::Object{{"value", *number}, {"dims", std::move(dims)}});
    arguments.push_back(argument);
  }
  RegionWriter region(arguments);
  if (llvm::Error error = region.write(*op.getBlock()))
    return error;
  llvm::Expected<StringRef> dtype = getDtype(result.getType(), op.getLoc());
  if (!dtype)
    return dtype.takeError();
  json::Object step{{"op", reduced.empty() ? "map" : "reduce"},
                    {"inputs", std::move(inputs)},
                    {"shape", getShape(signature.shapes[result])},
                    {"dtype", *dtype},
                    {"region", region.take()}};
  if (!reduced.empty()) {
    std::optional<APFloat> start = getFill(init->get());
    if (!start)
      return errorAt(op.getLoc(), "'", op->getName(),
                     "' has no reference form: expected a reduction that "
                     "starts from a constant");
    step["init"] = getJsonNumber(*start);
    step["reduced"] = getShape(reducedSizes);
  }
  step["out"] = define(result);
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

/// The same elements in another shape.
llvm::Error ReferenceWriter::writeReshape(Operation &op) {
  llvm::Expected<int64_t> source = getNumber(op.getOperand(0), op);
  if (!source)
    return source.takeError();
  Value result = op.getResult(0);
  llvm::Expected<StringRef> dtype = getDtype(result.getType(), op.getLoc());
  if (!dtype)
    return dtype.takeError();
  steps.push_back(json::Object{{"op", "reshape"},
                               {"value", *source},
                               {"out", define(result)},
                               {"shape", getShape(signature.shapes[result])},
                               {"dtype", *dtype}});
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::writeOp(Operation &op) {
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return writeMatmul(matmul);
  if (auto attention = dyn_cast<AttentionOp>(op))
    return writeAttention(attention);
  if (auto append = dyn_cast<CacheAppendOp>(op))
    return writeAppend(append);
  if (auto quantize = dyn_cast<QuantizeOp>(op))
    return writeQuantize(quantize);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    // Written where it is read as a tensor; most only start a reduction.
    if (op.getNumResults() == 1 && getFill(op.getResult(0)))
      return llvm::Error::success();
    return writeLinalg(linalgOp);
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op))
    return writeReshape(op);
  if (auto unpack = dyn_cast<UnpackOp>(op);
      unpack && !unpack.getStorageAttr() &&
      !getTernaryEncoding(unpack.getSource().getType())) {
    // The same values under another type.
    llvm::Expected<int64_t> source = getNumber(unpack.getSource(), op);
    if (!source)
      return source.takeError();
    numbers[unpack.getResult()] = *source;
    return llvm::Error::success();
  }
  // These compute shapes and scalars; whoever reads their values reports it.
  bool isScalar = op.getNumResults() != 0 &&
                  llvm::all_of(op.getResultTypes(),
                               [](Type type) { return type.isIntOrIndex(); });
  if (isScalar || isa<arith::ConstantOp, tensor::EmptyOp>(op))
    return llvm::Error::success();
  return errorAt(op.getLoc(), "'", op.getName(),
                 "' cannot be compiled: expected sparseflow.matmul or an "
                 "elementwise linalg.generic");
}

llvm::Expected<json::Array> ReferenceWriter::writeResults() {
  json::Array result;
  for (auto [type, shape, updates] :
       llvm::zip(function.getResultTypes(), signature.resultShapes,
                 signature.resultUpdates)) {
    llvm::Expected<StringRef> dtype = getDtype(type, function.getLoc());
    if (!dtype)
      return dtype.takeError();
    json::Object entry{{"dtype", *dtype}, {"shape", getShape(shape)}};
    TernaryAttr ternary = getTernaryEncoding(type);
    if (ternary && updates < 0)
      return errorAt(function.front().getTerminator()->getLoc(),
                     "expected dense results and caches that grow in place, "
                     "found result ",
                     result.size(), " of type ", type,
                     "; a caller has its packed weight already");
    if (ternary) {
      entry["encoding"] = describeTernary(ternary);
      entry["layout"] = ternary.getLayout().str();
    }
    if (updates >= 0)
      entry["updates"] = updates;
    result.push_back(std::move(entry));
  }
  return result;
}

llvm::Expected<json::Object> ReferenceWriter::writeSignature() {
  llvm::Expected<json::Array> arguments = writeArguments();
  if (!arguments)
    return arguments.takeError();
  llvm::Expected<json::Array> results = writeResults();
  if (!results)
    return results.takeError();
  json::Array symbols;
  for (const std::string &symbol : signature.symbols)
    symbols.push_back(symbol);
  return json::Object{{"name", json::fixUTF8(function.getName())},
                      {"symbols", std::move(symbols)},
                      {"arguments", std::move(*arguments)},
                      {"results", std::move(*results)}};
}

llvm::Expected<json::Object> ReferenceWriter::write() {
  llvm::Expected<json::Object> description = writeSignature();
  if (!description)
    return description.takeError();
  for (Operation &op : function.front().without_terminator())
    if (llvm::Error error = writeOp(op))
      return error;
  json::Array returned;
  Operation *terminator = function.front().getTerminator();
  for (Value value : terminator->getOperands()) {
    llvm::Expected<int64_t> number = getNumber(value, *terminator);
    if (!number)
      return number.takeError();
    returned.push_back(*number);
  }
  (*description)["reference"] = json::Object{{"values", count},
                                             {"steps", std::move(steps)},
                                             {"results", std::move(returned)}};
  return description;
}

llvm::Expected<json::Object>
mlir::sparseflow::exportReference(func::FuncOp function) {
  FailureOr<FunctionSignature> signature = inferSignature(function);
  if (failed(signature))
    return errorAt(function.getLoc(), "'", function.getName(),
                   "' has no consistent signature");
  return ReferenceWriter(function, std::move(*signature)).write();
}

llvm::Expected<json::Object>
mlir::sparseflow::exportSignature(func::FuncOp function) {
  FailureOr<FunctionSignature> signature = inferSignature(function);
  if (failed(signature))
    return errorAt(function.getLoc(), "'", function.getName(),
                   "' has no consistent signature");
  return ReferenceWriter(function, std::move(*signature)).writeSignature();
}
