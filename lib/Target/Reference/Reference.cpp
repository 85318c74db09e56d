//===- Reference.cpp - What a function computes, as JSON ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Reference/Reference.h"

#include "ReferenceWriter.h"

#include "SparseFlow/Dialect/SparseFlow/IR/AttentionOperands.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/LowerAttention.h"
#include "SparseFlow/Support/LocatedError.h"
#include "SparseFlow/Target/Manifest/TernaryEncoding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;
namespace json = llvm::json;

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

llvm::Expected<StringRef> mlir::sparseflow::getDtype(Type type,
                                                     Location location) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF16())
    return "f16";
  if (element.isBF16())
    return "bf16";
  if (element.isF32())
    return "f32";
  if (element.isSignlessInteger(1))
    return "i1";
  if (element.isSignlessInteger(8))
    return "i8";
  if (element.isSignlessInteger(32))
    return "i32";
  if (element.isSignlessInteger(64) || element.isIndex())
    return "i64";
  return errorAt(location,
                 "expected tensors of f16, bf16, f32, i1, i8, i32 or i64, "
                 "found ",
                 type);
}

llvm::Expected<json::Value> ReferenceWriter::getSize(Value tensor, int64_t dim,
                                                     Operation &user) {
  auto shape = signature.shapes.find(tensor);
  if (shape == signature.shapes.end() ||
      dim >= static_cast<int64_t>(shape->second.size()))
    return errorAt(user.getLoc(), "'", user.getName(),
                   "' reads the size of what is no tensor of the function");
  const SymbolicDim &size = shape->second[dim];
  if (!size.symbol.empty())
    return size.symbol;
  if (ShapedType::isStatic(size.size))
    return size.size;
  return errorAt(user.getLoc(), "'", user.getName(),
                 "' has no reference form: dimension ", dim, " of ",
                 tensor.getType(), " is no size of an argument");
}

llvm::Expected<json::Array> ReferenceWriter::getSizes(Value value,
                                                      Operation &user) {
  json::Array sizes;
  for (int64_t i = 0, e = cast<ShapedType>(value.getType()).getRank(); i < e;
       ++i) {
    llvm::Expected<json::Value> size = getSize(value, i, user);
    if (!size)
      return size.takeError();
    sizes.push_back(std::move(*size));
  }
  return sizes;
}

llvm::Expected<int64_t> ReferenceWriter::getNumber(Value value,
                                                   Operation &user) {
  auto known = numbers.find(value);
  if (known != numbers.end())
    return known->second;
  Operation *source = value.getDefiningOp();
  std::optional<json::Value> fill = getFill(value);
  if (fill && signature.shapes.contains(value)) {
    llvm::Expected<StringRef> dtype = getDtype(value.getType(), user.getLoc());
    if (!dtype)
      return dtype.takeError();
    llvm::Expected<json::Array> shape = getSizes(value, user);
    if (!shape)
      return shape.takeError();
    steps.push_back(json::Object{
        {"op", "map"},
        {"inputs", json::Array()},
        {"shape", std::move(*shape)},
        {"dtype", *dtype},
        {"out", define(value)},
        {"region",
         json::Object{{"inputs", 0},
                      {"ops", json::Array{json::Array{"const", *fill}}},
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
    llvm::Expected<StringRef> dtype =
        getDtype(argument.getType(), argument.getLoc());
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
                     "expected an encoding #sparseflow.nm<N:M>, "
                     "#sparseflow.ternary or #sparseflow.quantized, found ",
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

llvm::Error
ReferenceWriter::addNumbers(json::Object &step,
                            ArrayRef<std::pair<StringRef, Value>> tensors,
                            Operation &user) {
  for (auto [name, value] : tensors) {
    llvm::Expected<int64_t> number = getNumber(value, user);
    if (!number)
      return number.takeError();
    step[name] = *number;
  }
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::writeAttention(AttentionOp op) {
  json::Object step{{"op", "attention"},
                    {"layout", stringifyAttentionLayout(op.getLayout())},
                    {"scale", static_cast<double>(op.getScaleValue())}};
  if (llvm::Error error = addNumbers(step, getNamedOperands(op), *op))
    return error;
  if (op.getCausal())
    step["causal"] = 1;
  if (op.getWindow())
    step["window"] = static_cast<int64_t>(*op.getWindow());
  if (op.getValueFeatures())
    step["value_features"] = op.getDv();
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
  if (op.isDense() && !op.getPages()) {
    OpBuilder builder(op);
    linalg::GenericOp whole = createAppended(builder, op);
    Value result = whole.getResult(0);
    signature.shapes[result] = signature.shapes.lookup(op.getResult());
    llvm::Error error = writeLinalg(whole);
    if (!error)
      numbers[op.getResult()] = numbers.lookup(result);
    numbers.erase(result);
    signature.shapes.erase(result);
    whole.erase();
    return error;
  }
  json::Object step{{"op", "cache_append"}};
  if (op.getMethod())
    step["method"] = stringifyTernaryMethod(*op.getMethod());
  SmallVector<std::pair<StringRef, Value>> tensors = {
      {"cache", op.getCache()},
      {"tokens", op.getTokens()},
      {"lengths", op.getLengths()}};
  if (op.getPages())
    tensors.emplace_back("pages", op.getPages());
  if (op.isDense())
    step["layout"] = stringifyAttentionLayout(op.getLayout());
  if (llvm::Error error = addNumbers(step, tensors, *op))
    return error;
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

llvm::Error ReferenceWriter::writeHadamard(HadamardOp op) {
  llvm::Expected<StringRef> dtype = getDtype(op.getType(), op.getLoc());
  if (!dtype)
    return dtype.takeError();
  json::Object step{{"op", "hadamard"},
                    {"block", static_cast<int64_t>(op.getBlock())},
                    {"shape", getShape(signature.shapes[op.getResult()])},
                    {"dtype", *dtype}};
  SmallVector<std::pair<StringRef, Value>> tensors = {{"x", op.getX()}};
  if (op.getSigns())
    tensors.emplace_back("signs", op.getSigns());
  if (llvm::Error error = addNumbers(step, tensors, *op))
    return error;
  step["out"] = define(op.getResult());
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::Error ReferenceWriter::writeSample(SampleOp op) {
  json::Object step{{"op", "sample"},
                    {"shape", getShape(signature.shapes[op.getIds()])},
                    {"dtype", "i32"}};
  if (llvm::Error error = addNumbers(step,
                                     {{"logits", op.getLogits()},
                                      {"temperature", op.getTemperature()},
                                      {"top_k", op.getTopK()},
                                      {"top_p", op.getTopP()},
                                      {"seed", op.getSeed()},
                                      {"position", op.getPosition()}},
                                     *op))
    return error;
  step["out"] = define(op.getIds());
  steps.push_back(std::move(step));
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
  if (auto rotation = dyn_cast<HadamardOp>(op))
    return writeHadamard(rotation);
  if (auto sample = dyn_cast<SampleOp>(op))
    return writeSample(sample);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    // Written where it is read as a tensor; most only start a reduction.
    if (op.getNumResults() == 1 && getFill(op.getResult(0)))
      return llvm::Error::success();
    return writeLinalg(linalgOp);
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ReshapeOp,
          tensor::CastOp>(op))
    return writeReshape(op);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return writeSlice(slice);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return writeInsert(insert);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return writeConcat(concat);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return writePad(pad);
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
  // These compute shapes and scalars; whoever reads their values writes them.
  bool isScalar = op.getNumResults() != 0 &&
                  llvm::all_of(op.getResultTypes(), [](Type type) {
                    return type.isIntOrIndexOrFloat();
                  });
  if (isScalar ||
      isa<arith::ConstantOp, tensor::EmptyOp, tensor::FromElementsOp>(op))
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

/// The signature, or what inferSignature reports: the caller reports it, once.
static llvm::Expected<FunctionSignature> signatureOf(func::FuncOp function) {
  llvm::Error errors = llvm::Error::success();
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        std::string text = diagnostic.str();
        for (Diagnostic &note : diagnostic.getNotes())
          text += "; " + note.str();
        errors = llvm::joinErrors(std::move(errors),
                                  errorAt(diagnostic.getLocation(), text));
        return success();
      });
  FailureOr<FunctionSignature> signature = inferSignature(function);
  if (succeeded(signature)) {
    llvm::cantFail(std::move(errors));
    return std::move(*signature);
  }
  return std::move(errors);
}

llvm::Expected<json::Object>
mlir::sparseflow::exportReference(func::FuncOp function) {
  llvm::Expected<FunctionSignature> signature = signatureOf(function);
  if (!signature)
    return signature.takeError();
  return ReferenceWriter(function, std::move(*signature)).write();
}

llvm::Expected<json::Object>
mlir::sparseflow::exportSignature(func::FuncOp function) {
  llvm::Expected<FunctionSignature> signature = signatureOf(function);
  if (!signature)
    return signature.takeError();
  return ReferenceWriter(function, std::move(*signature)).writeSignature();
}
