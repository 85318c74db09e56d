//===- SparseFlowDialect.cpp - The sparseflow dialect ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/Donation.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::sparseflow;

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowDialect.cpp.inc"

namespace {
/// Every op may move to another function: none holds more than its operands.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void SparseFlowDialect::initialize() {
  addInterfaces<Inliner>();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowOps.cpp.inc"
      >();
}

/// The attributes that describe a function's original signature: each has one
/// container type. Names this dialect does not know are left to the passes
/// that write them.
LogicalResult
SparseFlowDialect::verifyOperationAttribute(Operation *op,
                                            NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  bool isList = llvm::is_contained({kSymbolsAttr, kArgumentTypesAttr,
                                    kArgumentNamesAttr, kArgumentShapesAttr,
                                    kResultTypesAttr, kResultShapesAttr},
                                   name);
  if (isList && !isa<ArrayAttr>(attribute.getValue()))
    return op->emitError() << "expected '" << name << "' to be an array, found "
                           << attribute.getValue()
                           << "; it is written by "
                              "sparseflow-materialize-storage";
  return success();
}

LogicalResult
SparseFlowDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                            unsigned argIndex,
                                            NamedAttribute attribute) {
  if (attribute.getNameDialect() != this)
    return success();
  // At the argument, where the function has a body and so says where that is.
  Region &region = op->getRegion(regionIndex);
  Location loc = argIndex < region.getNumArguments()
                     ? region.getArgument(argIndex).getLoc()
                     : op->getLoc();
  StringRef known = attribute.getName().getValue();
  if (known == kConstantAttr || known == kDonatedAttr) {
    if (isa<UnitAttr>(attribute.getValue()))
      return success();
    return emitError(loc) << "expected '" << known << "' of argument "
                          << argIndex << " without a value, found "
                          << attribute.getValue();
  }
  if (known != kNameAttr && known != kSparseAttr)
    return emitError(loc) << "expected '" << kNameAttr << "', '" << kSparseAttr
                          << "', '" << kConstantAttr << "' or '" << kDonatedAttr
                          << "', the attributes of arguments, found '"
                          << attribute.getName().getValue() << "' at argument "
                          << argIndex;
  auto name = dyn_cast<StringAttr>(attribute.getValue());
  if (!name || name.getValue().empty())
    return emitError(loc) << "expected '" << known << "' of argument "
                          << argIndex << " to be a non-empty string, found "
                          << attribute.getValue();
  return success();
}

bool mlir::sparseflow::isScalarComputation(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if ((dialect != "arith" && dialect != "math") || op->getNumRegions() != 0)
    return false;
  auto isScalar = [](Type type) {
    return isa<FloatType>(type) || type.isInteger(1);
  };
  return llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

NmAttr mlir::sparseflow::getNmEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<NmAttr>(tensor.getEncoding()) : NmAttr();
}

Type mlir::sparseflow::dropEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding())
    return type;
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType());
}
