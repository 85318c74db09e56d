//===- LaunchAttributes.cpp - What kernels say of their launch ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using NVVM::NVVMDialect;

void mlir::sparseflow::setClusterBlocks(Operation *kernel, int64_t blocks) {
  kernel->setAttr(
      NVVMDialect::getClusterDimAttrName(),
      Builder(kernel->getContext())
          .getDenseI32ArrayAttr({static_cast<int32_t>(blocks), 1, 1}));
}

void mlir::sparseflow::setMinBlocksPerSM(Operation *kernel, int64_t blocks) {
  kernel->setAttr(NVVMDialect::getMinctasmAttrName(),
                  Builder(kernel->getContext())
                      .getI32IntegerAttr(static_cast<int32_t>(blocks)));
}

int64_t mlir::sparseflow::getMinBlocksPerSM(Operation *kernel) {
  auto blocks =
      kernel->getAttrOfType<IntegerAttr>(NVVMDialect::getMinctasmAttrName());
  return blocks ? blocks.getInt() : 1;
}

bool mlir::sparseflow::isLaunchable(Operation *function) {
  return function->hasAttr(NVVMDialect::getKernelFuncAttrName());
}

bool mlir::sparseflow::isTranslated(Operation *op) {
  return isa_and_nonnull<LLVM::LLVMDialect, NVVMDialect>(op->getDialect());
}

bool mlir::sparseflow::isGridConstant(FunctionOpInterface kernel,
                                      unsigned parameter) {
  return bool(
      kernel.getArgAttr(parameter, NVVMDialect::getGridConstantAttrName()));
}

DenseI32ArrayAttr mlir::sparseflow::getRequiredBlock(Operation *kernel) {
  return kernel->getAttrOfType<DenseI32ArrayAttr>(
      NVVMDialect::getReqntidAttrName());
}

DenseI32ArrayAttr mlir::sparseflow::getLargestBlock(Operation *kernel) {
  return kernel->getAttrOfType<DenseI32ArrayAttr>(
      NVVMDialect::getMaxntidAttrName());
}

DenseI32ArrayAttr mlir::sparseflow::getClusterShape(Operation *kernel) {
  return kernel->getAttrOfType<DenseI32ArrayAttr>(
      NVVMDialect::getClusterDimAttrName());
}
