//===- Manifest.cpp - The data that a bundle is read by -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Manifest/Manifest.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"
#include "SparseFlow/Target/Manifest/TernaryEncoding.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

/// The sizes of tensor `index`, with the symbol of each dynamic one: from the
/// attribute `shapes` when the function has it, else from the type, whose
/// dynamic sizes must then all be the only symbol.
static FailureOr<Array> describeShape(const HostSignature &signature,
                                      StringRef shapes, size_t index,
                                      TensorType type) {
  func::FuncOp function = signature.function;
  Array result;
  if (auto all = function->getAttrOfType<ArrayAttr>(shapes)) {
    auto shape =
        index < all.size() ? dyn_cast<ArrayAttr>(all[index]) : ArrayAttr();
    if (!shape || shape.size() != static_cast<size_t>(type.getRank()))
      return function.emitOpError()
             << "expected '" << shapes << "' to hold the shape of " << type;
    for (Attribute size : shape) {
      if (auto number = dyn_cast<IntegerAttr>(size))
        result.push_back(number.getInt());
      else if (auto symbol = dyn_cast<StringAttr>(size))
        result.push_back(symbol.getValue().str());
      else
        return function.emitOpError() << "expected integers and symbols in '"
                                      << shapes << "', found " << size;
    }
    return result;
  }
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      result.push_back(size);
      continue;
    }
    if (signature.symbols.size() != 1)
      return function.emitOpError()
             << "has dynamic sizes and " << signature.symbols.size()
             << " symbols: expected the attribute '" << shapes
             << "', which says which size is which symbol";
    result.push_back(signature.symbols.front().str());
  }
  return result;
}

static FailureOr<Object> describeTensor(const HostSignature &signature,
                                        TensorType type, StringRef shapes,
                                        size_t index) {
  Object tensor;
  Type element = type.getElementType();
  bool isInteger =
      element.isSignlessInteger(1) || element.isSignlessInteger(8) ||
      element.isSignlessInteger(32) || element.isSignlessInteger(64);
  if (!element.isF16() && !element.isBF16() && !element.isF32() && !isInteger) {
    func::FuncOp function = signature.function;
    return function.emitOpError() << "has a tensor of " << element
                                  << "; expected f16, bf16, f32, i1, i8, i32 "
                                     "or i64";
  }
  std::string dtype;
  llvm::raw_string_ostream(dtype) << element;
  tensor["dtype"] = dtype;
  FailureOr<Array> shape = describeShape(signature, shapes, index, type);
  if (failed(shape))
    return failure();
  tensor["shape"] = std::move(*shape);
  if (TernaryAttr ternary = getTernaryEncoding(type)) {
    tensor["encoding"] = describeTernary(ternary);
    tensor["layout"] = ternary.getLayout().str();
  }
  if (NmAttr pattern = getNmEncoding(type)) {
    tensor["encoding"] =
        Object{{"kind", "nm"}, {"n", pattern.getN()}, {"m", pattern.getM()}};
    // The only pattern with a packed layout; any other one is stored densely.
    if (pattern.getN() == 2 && pattern.getM() == 4 && type.getRank() == 2 &&
        !element.isF32())
      tensor["layout"] = "sf24.v1";
  }
  return tensor;
}

FailureOr<Object>
mlir::sparseflow::describeHost(const HostSignature &signature) {
  func::FuncOp function = signature.function;
  Object description;
  description["name"] = function.getName().str();
  Array symbols, arguments, results;
  for (StringRef symbol : signature.symbols)
    symbols.push_back(symbol.str());
  for (auto [index, type] : llvm::enumerate(signature.argumentTypes)) {
    FailureOr<Object> tensor =
        describeTensor(signature, type, "sparseflow.argument_shapes", index);
    if (failed(tensor))
      return failure();
    (*tensor)["name"] = signature.argumentNames[index].str();
    arguments.push_back(std::move(*tensor));
  }
  for (auto [index, type] : llvm::enumerate(signature.resultTypes)) {
    FailureOr<Object> tensor =
        describeTensor(signature, type, "sparseflow.result_shapes", index);
    if (failed(tensor))
      return failure();
    if (auto updates =
            function->getAttrOfType<DenseI64ArrayAttr>(kResultUpdatesAttr);
        updates && index < size_t(updates.size()) && updates[index] >= 0)
      (*tensor)["updates"] = updates[index];
    results.push_back(std::move(*tensor));
  }
  description["symbols"] = std::move(symbols);
  description["arguments"] = std::move(arguments);
  description["results"] = std::move(results);
  return description;
}

Object *ManifestBuilder::find(StringRef name) {
  for (Object &function : functions)
    if (function.getString("name") == name)
      return &function;
  return nullptr;
}

void ManifestBuilder::addFunction(Object description) {
  if (!description.get("programs"))
    description["programs"] = Array();
  functions.push_back(std::move(description));
}

/// The size of the array member `name`.
static size_t arraySize(const Object &object, StringRef name) {
  const Array *array = object.getArray(name);
  return array ? array->size() : 0;
}

LogicalResult ManifestBuilder::addPrograms(ModuleOp module,
                                           const TargetInfo &target,
                                           StringRef image) {
  LaunchLimits limits{target.maxThreadsPerBlock, target.maxSharedBytes};
  bool any = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isHostFunction(function))
      continue;
    any = true;
    FailureOr<HostSignature> signature = HostSignature::parse(function);
    if (failed(signature))
      return failure();
    Object *described = find(function.getName());
    if (!described) {
      FailureOr<Object> description = describeHost(*signature);
      if (failed(description))
        return failure();
      addFunction(std::move(*description));
      described = &functions.back();
    }
    // A reference that disagrees with the code would check the wrong thing.
    if (arraySize(*described, "arguments") != signature->argumentTypes.size() ||
        arraySize(*described, "results") != signature->resultTypes.size() ||
        arraySize(*described, "symbols") != signature->symbols.size())
      return function.emitOpError()
             << "has " << signature->argumentTypes.size() << " arguments, "
             << signature->resultTypes.size() << " results and "
             << signature->symbols.size()
             << " symbols, which differs from its description: expected "
             << arraySize(*described, "arguments") << ", "
             << arraySize(*described, "results") << " and "
             << arraySize(*described, "symbols")
             << "; describe the function that was lowered";
    for (auto [index, symbol] : llvm::enumerate(signature->symbols))
      if ((*described->getArray("symbols"))[index].getAsString() != symbol)
        return function.emitOpError()
               << "names symbol " << index << " '" << symbol
               << "', which differs from its description: expected '"
               << (*described->getArray("symbols"))[index]
                      .getAsString()
                      .value_or("")
               << "'; describe the function that was lowered";
    FailureOr<HostProgram> program = exportHostProgram(*signature, limits);
    if (failed(program))
      return failure();
    if (program->usesDenseForms)
      (*described)["dense_fallback"] = denseFallback;
    described->getArray("programs")
        ->push_back(Object{{"target", target.name.str()},
                           {"image", image.str()},
                           {"workspace", std::move(program->workspace)},
                           {"steps", std::move(program->steps)}});
  }
  if (!any)
    return module.emitError("has no function to export: expected a func.func "
                            "with 'sparseflow.argument_types' and "
                            "'sparseflow.result_types'");
  return success();
}

std::string ManifestBuilder::str() const {
  Array list;
  for (const Object &function : functions)
    list.push_back(Object(function));
  llvm::json::Value manifest = Object{{"format", "sparseflow-bundle"},
                                      {"version", 1},
                                      {"producer", producer},
                                      {"functions", std::move(list)}};
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::formatv("{0:2}", manifest) << "\n";
  return text;
}
