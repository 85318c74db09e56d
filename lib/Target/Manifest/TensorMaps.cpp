//===- TensorMaps.cpp - Tensor maps as data -------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Manifest/HostProgram.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

// What the hardware takes; the runtime repeats these checks on every manifest.
static constexpr int64_t kMaxRank = 5, kMaxBox = 256, kMapBytes = 128;

bool mlir::sparseflow::isTensorMap(Operation *op) {
  return op && op->getName().getStringRef() == "sftile.tensor_map";
}

bool mlir::sparseflow::isDenseForm(Operation *op) {
  return op && op->getName().getStringRef() == "sftile.dense_form";
}

static FailureOr<std::string> elementName(Operation *op, int64_t &bytes) {
  auto attribute = op->getAttrOfType<TypeAttr>("elementType");
  Type type = attribute ? attribute.getValue() : Type();
  if (!type || !(type.isF16() || type.isBF16() || type.isF32() ||
                 type.isSignlessInteger(8)))
    return op->emitOpError("expected 'elementType' to be f16, bf16, f32 or i8, "
                           "found ")
           << (attribute ? Attribute(attribute)
                         : StringAttr::get(op->getContext(), "none"));
  bytes = type.getIntOrFloatBitWidth() / 8;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

// Bytes that the L2 cache reads at once; without it 256.
static constexpr StringLiteral kPromotionAttr = "sftile.promotion";

FailureOr<Object>
mlir::sparseflow::exportTensorMap(Operation *op, Object base,
                                  const HostSignature &signature) {
  auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  auto box = op->getAttrOfType<DenseI64ArrayAttr>("box");
  auto swizzle = op->getAttrOfType<IntegerAttr>("swizzle");
  if (!segments || segments.size() != 4 || segments[0] != 1 || !box || !swizzle)
    return op->emitOpError("expected a pointer, sizes, strides and extents, "
                           "and the attributes 'box' and 'swizzle'");
  int64_t rank = segments[1];
  if (rank < 1 || rank > kMaxRank || segments[2] != rank - 1 ||
      box.size() != rank)
    return op->emitOpError("expected 1 to 5 sizes, as many box extents and one "
                           "stride less, found ")
           << rank << " sizes, " << box.size() << " extents and " << segments[2]
           << " strides";
  int64_t bytes = 0;
  FailureOr<std::string> element = elementName(op, bytes);
  if (failed(element))
    return failure();
  Array extents, sizes, strides;
  unsigned value = 1 + rank + segments[2];
  for (int64_t extent : box.asArrayRef()) {
    if (ShapedType::isDynamic(extent) && !extents.empty() &&
        value < op->getNumOperands()) {
      auto computed = exportExpression(op->getOperand(value++), signature);
      if (failed(computed))
        return failure();
      extents.push_back(std::move(*computed));
      continue;
    }
    if (extent < 1 || extent > kMaxBox)
      return op->emitOpError("expected box extents from 1 to ")
             << kMaxBox << ", found " << extent;
    extents.push_back(extent);
  }
  int64_t pattern = swizzle.getInt(), inner = box[0] * bytes;
  if (pattern != 0 && pattern != 32 && pattern != 64 && pattern != 128)
    return op->emitOpError("expected a swizzle of 0, 32, 64 or 128 bytes, "
                           "found ")
           << pattern;
  if (inner % 16 != 0 || (pattern != 0 && inner > pattern))
    return op->emitOpError("has a box of ")
           << inner << " bytes along its innermost dimension, expected a "
           << "multiple of 16"
           << (pattern ? " and at most the bytes of the swizzle" : "");
  for (int64_t i = 0; i < rank; ++i) {
    auto size = exportExpression(op->getOperand(1 + i), signature);
    if (failed(size))
      return failure();
    sizes.push_back(std::move(*size));
  }
  for (int64_t i = 0; i + 1 < rank; ++i) {
    auto stride = exportExpression(op->getOperand(1 + rank + i), signature);
    if (failed(stride))
      return failure();
    if (std::optional<int64_t> found = stride->getAsInteger())
      if (*found < 0 || *found % 16 != 0 || *found >= int64_t(1) << 40)
        return op->emitOpError("has a stride of ")
               << *found << " bytes, expected a multiple of 16 below 2^40";
    strides.push_back(std::move(*stride));
  }
  Object map{{"of", std::move(base)},     {"dtype", std::move(*element)},
             {"sizes", std::move(sizes)}, {"strides", std::move(strides)},
             {"box", std::move(extents)}, {"swizzle", pattern}};
  if (auto promotion = op->getAttrOfType<IntegerAttr>(kPromotionAttr)) {
    if (!llvm::is_contained({64, 128, 256}, promotion.getInt()))
      return op->emitOpError("expected a promotion of 64, 128 or 256 bytes, "
                             "found ")
             << promotion.getInt();
    map["promotion"] = promotion.getInt();
  }
  return Object{{"tensor_map", std::move(map)}};
}

LogicalResult mlir::sparseflow::verifyParameter(Operation *launch,
                                                LLVM::LLVMFuncOp kernel,
                                                unsigned number, bool isMap) {
  auto byValue = kernel.getArgAttrOfType<TypeAttr>(
      number, LLVM::LLVMDialect::getByValAttrName());
  if (!isMap) {
    if (!byValue)
      return success();
    return launch->emitOpError("passes an address as argument ")
           << number << ", which kernel '" << kernel.getName()
           << "' takes by value: expected the result of sftile.tensor_map";
  }
  if (byValue &&
      DataLayout::closest(kernel).getTypeSize(byValue.getValue()) ==
          kMapBytes &&
      isGridConstant(kernel, number))
    return success();
  return launch->emitOpError("passes a tensor map as argument ")
         << number << ", which kernel '" << kernel.getName()
         << "' does not take as one: expected a parameter !llvm.ptr "
            "{llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, "
            "nvvm.grid_constant}";
}
