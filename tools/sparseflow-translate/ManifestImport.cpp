//===- ManifestImport.cpp - A manifest's functions as IR ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ManifestImport.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

namespace {
/// A tensor of a manifest: its type, its shape with symbols, its name.
struct Tensor {
  RankedTensorType type;
  ArrayAttr shape;
  StringRef name;
};

class Importer {
public:
  Importer(MLIRContext *context, Location loc) : builder(context), loc(loc) {}

  LogicalResult importFunction(const Object &function, ModuleOp module);

private:
  FailureOr<Tensor> importTensor(const Object *tensor);
  /// The encoding that describeTernary wrote; null after an error.
  Attribute importTernary(const Object &encoding);
  FailureOr<SmallVector<Tensor>> importTensors(const Object &function,
                                               StringRef member);
  InFlightDiagnostic error() { return emitError(loc) << "manifest: "; }

  Builder builder;
  Location loc;
};
} // namespace

Attribute Importer::importTernary(const Object &encoding) {
  auto storage =
      symbolizeTernaryStorage(encoding.getString("storage").value_or(""));
  StringRef dtype = encoding.getString("scale_dtype").value_or("");
  Type scale = dtype == "f16"    ? Type(builder.getF16Type())
               : dtype == "bf16" ? Type(builder.getBF16Type())
               : dtype == "f32"  ? Type(builder.getF32Type())
                                 : Type();
  StringRef scope = encoding.getString("scale").value_or("");
  int64_t group = scope == "tensor" ? TernaryAttr::kTensorScale
                  : scope == "row"  ? TernaryAttr::kRowScale
                  : scope == "head" ? TernaryAttr::kHeadScale
                  : scope == "token"
                      ? TernaryAttr::kTokenScale
                      : encoding.getInteger("scale").value_or(-1000);
  if (!storage || !scale) {
    error() << "expected a ternary encoding with a storage, such as 'codes', "
               "and a type of scales";
    return {};
  }
  return TernaryAttr::getChecked([&] { return error(); }, builder.getContext(),
                                 *storage, group, scale,
                                 encoding.getInteger("planes").value_or(0));
}

FailureOr<Tensor> Importer::importTensor(const Object *tensor) {
  const Array *shape = tensor ? tensor->getArray("shape") : nullptr;
  if (!shape)
    return error() << "expected tensors to be objects with a 'shape'";
  StringRef dtype = tensor->getString("dtype").value_or("");
  Type element = dtype == "f16"    ? Type(builder.getF16Type())
                 : dtype == "bf16" ? Type(builder.getBF16Type())
                 : dtype == "f32"  ? Type(builder.getF32Type())
                                   : Type();
  if (!element)
    return error() << "expected the type f16, bf16 or f32, found '" << dtype
                   << "'";
  SmallVector<int64_t> sizes;
  SmallVector<Attribute> symbolic;
  for (const llvm::json::Value &size : *shape) {
    if (auto number = size.getAsInteger(); number && *number >= 0) {
      sizes.push_back(*number);
      symbolic.push_back(builder.getI64IntegerAttr(*number));
    } else if (auto symbol = size.getAsString()) {
      sizes.push_back(ShapedType::kDynamic);
      symbolic.push_back(builder.getStringAttr(*symbol));
    } else {
      return error() << "expected sizes to be numbers and symbols";
    }
  }
  Attribute encoding;
  const Object *pattern = tensor->getObject("encoding");
  std::optional<StringRef> kind =
      pattern ? pattern->getString("kind") : std::nullopt;
  if (kind == TernaryAttr::getMnemonic() || kind == TernaryAttr::kQuantized) {
    encoding = importTernary(*pattern);
    if (!encoding)
      return failure();
  } else if (pattern) {
    int64_t last = static_cast<int64_t>(sizes.size()) - 1;
    int64_t axis = pattern->getInteger("axis").value_or(last);
    encoding = NmAttr::getChecked([&] { return error(); }, builder.getContext(),
                                  pattern->getInteger("n").value_or(0),
                                  pattern->getInteger("m").value_or(0),
                                  axis == last ? -1 : axis);
    if (!encoding)
      return failure();
  }
  auto type = RankedTensorType::getChecked([&] { return error(); }, sizes,
                                           element, encoding);
  if (!type)
    return failure();
  return Tensor{type, builder.getArrayAttr(symbolic),
                tensor->getString("name").value_or("")};
}

FailureOr<SmallVector<Tensor>> Importer::importTensors(const Object &function,
                                                       StringRef member) {
  const Array *list = function.getArray(member);
  if (!list)
    return error() << "expected a function to have '" << member << "'";
  SmallVector<Tensor> tensors;
  for (const llvm::json::Value &value : *list) {
    FailureOr<Tensor> tensor = importTensor(value.getAsObject());
    if (failed(tensor))
      return failure();
    tensors.push_back(*tensor);
  }
  return tensors;
}

LogicalResult Importer::importFunction(const Object &function,
                                       ModuleOp module) {
  StringRef name = function.getString("name").value_or("");
  if (name.empty() || module.lookupSymbol(name))
    return error() << "expected functions with distinct names, found '" << name
                   << "'";
  auto arguments = importTensors(function, "arguments");
  auto results = importTensors(function, "results");
  if (failed(arguments) || failed(results))
    return failure();
  SmallVector<Type> inputs, outputs;
  SmallVector<Attribute> inputShapes, outputShapes, symbols;
  for (const Tensor &tensor : *arguments) {
    inputs.push_back(tensor.type);
    inputShapes.push_back(tensor.shape);
  }
  for (const Tensor &tensor : *results) {
    outputs.push_back(tensor.type);
    outputShapes.push_back(tensor.shape);
  }
  if (const Array *list = function.getArray("symbols"))
    for (const llvm::json::Value &symbol : *list)
      symbols.push_back(
          builder.getStringAttr(symbol.getAsString().value_or("")));
  auto declaration =
      func::FuncOp::create(loc, name, builder.getFunctionType(inputs, outputs));
  declaration.setPrivate();
  for (auto [index, tensor] : llvm::enumerate(*arguments))
    if (!tensor.name.empty())
      declaration.setArgAttr(index, SparseFlowDialect::kNameAttr,
                             builder.getStringAttr(tensor.name));
  declaration->setAttr("sparseflow.symbols", builder.getArrayAttr(symbols));
  declaration->setAttr("sparseflow.argument_shapes",
                       builder.getArrayAttr(inputShapes));
  declaration->setAttr("sparseflow.result_shapes",
                       builder.getArrayAttr(outputShapes));
  module.push_back(declaration);
  return success();
}

OwningOpRef<ModuleOp> mlir::sparseflow::importManifest(StringRef text,
                                                       StringRef name,
                                                       MLIRContext *context) {
  context->loadDialect<SparseFlowDialect, func::FuncDialect>();
  Location loc = FileLineColLoc::get(context, name, 1, 1);
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    emitError(loc) << "manifest: " << llvm::toString(parsed.takeError());
    return nullptr;
  }
  const Object *root = parsed->getAsObject();
  const Array *functions = root ? root->getArray("functions") : nullptr;
  if (!functions || root->getString("format") != "sparseflow-bundle" ||
      root->getInteger("version") != 1) {
    emitError(loc)
        << "manifest: expected the format sparseflow-bundle, version "
           "1, and a list of functions";
    return nullptr;
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  Importer importer(context, loc);
  for (const llvm::json::Value &function : *functions) {
    const Object *object = function.getAsObject();
    if (!object) {
      emitError(loc) << "manifest: expected functions to be objects";
      return nullptr;
    }
    if (failed(importer.importFunction(*object, *module)))
      return nullptr;
  }
  return module;
}
