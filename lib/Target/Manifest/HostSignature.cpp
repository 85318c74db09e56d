//===- HostSignature.cpp - Arguments of a lowered function ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Manifest/HostProgram.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr StringRef kArgumentTypes = "sparseflow.argument_types";
static constexpr StringRef kArgumentNames = "sparseflow.argument_names";
static constexpr StringRef kResultTypes = "sparseflow.result_types";
static constexpr StringRef kSymbols = "sparseflow.symbols";

bool mlir::sparseflow::isHostFunction(func::FuncOp function) {
  return function->hasAttr(kArgumentTypes) && function->hasAttr(kResultTypes);
}

static LogicalResult readTypes(func::FuncOp function, StringRef name,
                               SmallVectorImpl<TensorType> &types) {
  // The dialect verifies that it is an array.
  for (Attribute attr : function->getAttrOfType<ArrayAttr>(name)) {
    auto typeAttr = dyn_cast<TypeAttr>(attr);
    auto tensor = typeAttr ? dyn_cast<RankedTensorType>(typeAttr.getValue())
                           : RankedTensorType();
    if (!tensor)
      return function.emitOpError() << "expected ranked tensor types in '"
                                    << name << "', found " << attr;
    types.push_back(tensor);
  }
  return success();
}

static LogicalResult readStrings(func::FuncOp function, StringRef name,
                                 SmallVectorImpl<StringRef> &strings) {
  auto array = function->getAttrOfType<ArrayAttr>(name);
  if (!array)
    return success();
  for (Attribute attr : array) {
    auto string = dyn_cast<StringAttr>(attr);
    if (!string)
      return function.emitOpError()
             << "expected strings in '" << name << "', found " << attr;
    strings.push_back(string.getValue());
  }
  return success();
}

FailureOr<HostSignature> HostSignature::parse(func::FuncOp function) {
  HostSignature signature;
  signature.function = function;
  if (failed(readTypes(function, kArgumentTypes, signature.argumentTypes)) ||
      failed(readTypes(function, kResultTypes, signature.resultTypes)) ||
      failed(readStrings(function, kSymbols, signature.symbols)) ||
      failed(readStrings(function, kArgumentNames, signature.argumentNames)))
    return failure();
  if (signature.argumentNames.empty())
    signature.argumentNames.resize(signature.argumentTypes.size());
  if (signature.argumentNames.size() != signature.argumentTypes.size())
    return function.emitOpError()
           << "expected as many '" << kArgumentNames << "' as '"
           << kArgumentTypes << "' (" << signature.argumentTypes.size()
           << "), found " << signature.argumentNames.size();

  unsigned pointers = signature.workspace() + 1;
  unsigned expected = pointers + signature.symbols.size();
  if (function.getNumArguments() != expected)
    return function.emitOpError()
           << "expected " << expected << " arguments ("
           << signature.argumentTypes.size() << " arguments, "
           << signature.resultTypes.size() << " results, a workspace, "
           << signature.symbols.size() << " symbols), found "
           << function.getNumArguments();
  for (unsigned i = 0; i < expected; ++i) {
    Type type = function.getArgumentTypes()[i];
    bool matches =
        i < pointers ? isa<LLVM::LLVMPointerType>(type) : type.isInteger(64);
    if (!matches)
      return function.emitOpError()
             << "expected argument " << i << " to be "
             << (i < pointers ? "!llvm.ptr" : "i64") << ", found " << type;
  }
  FunctionType type = function.getFunctionType();
  if (type.getNumResults() != 1 || !type.getResult(0).isInteger(64))
    return function.emitOpError(
        "expected one i64 result, the bytes of workspace");
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("expected a body of one block");
  return signature;
}
