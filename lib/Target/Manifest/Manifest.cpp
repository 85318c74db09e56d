//===- Manifest.cpp - The data that a bundle is read by -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Manifest/Manifest.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

static FailureOr<Object> describeTensor(func::FuncOp function, TensorType type,
                                        ArrayRef<StringRef> symbols,
                                        bool isArgument) {
  Object tensor;
  Type element = type.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32())
    return function.emitOpError()
           << "has a tensor of " << element << "; expected f16, bf16 or f32";
  std::string dtype;
  llvm::raw_string_ostream(dtype) << element;
  tensor["dtype"] = dtype;
  Array shape;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      shape.push_back(size);
      continue;
    }
    if (symbols.size() != 1)
      return function.emitOpError()
             << "has dynamic sizes and " << symbols.size()
             << " symbols; the attributes of the host form say which size is "
                "which symbol only when there is one: compile the function "
                "from tensors";
    shape.push_back(symbols.front().str());
  }
  tensor["shape"] = std::move(shape);
  if (NmAttr pattern = getNmEncoding(type)) {
    tensor["encoding"] =
        Object{{"kind", "nm"}, {"n", pattern.getN()}, {"m", pattern.getM()}};
    if (isArgument && pattern.getN() == 2 && pattern.getM() == 4)
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
  for (auto [type, name] :
       llvm::zip_equal(signature.argumentTypes, signature.argumentNames)) {
    FailureOr<Object> tensor =
        describeTensor(function, type, signature.symbols, true);
    if (failed(tensor))
      return failure();
    (*tensor)["name"] = name.str();
    arguments.push_back(std::move(*tensor));
  }
  for (TensorType type : signature.resultTypes) {
    FailureOr<Object> tensor =
        describeTensor(function, type, signature.symbols, false);
    if (failed(tensor))
      return failure();
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
             << " symbols, which differs from its description";
    for (auto [index, symbol] : llvm::enumerate(signature->symbols))
      if ((*described->getArray("symbols"))[index].getAsString() != symbol)
        return function.emitOpError()
               << "names symbol " << index << " '" << symbol
               << "', which differs from its description";
    FailureOr<HostProgram> program = exportHostProgram(*signature, limits);
    if (failed(program))
      return failure();
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
