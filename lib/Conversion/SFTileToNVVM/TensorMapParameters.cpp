//===- TensorMapParameters.cpp - Tensor maps are passed by value --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Conversion/SFTileToNVVM/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::sftile {
#define GEN_PASS_DEF_SFTILETENSORMAPPARAMETERS
#include "SparseFlow/Conversion/SFTileToNVVM/Passes.h.inc"
} // namespace mlir::sftile

using namespace mlir;
using namespace mlir::sftile;

// The driver's CUtensorMap.
static constexpr int64_t kMapBytes = 128, kMapAlignment = 64;

namespace {
struct TensorMapParameters
    : public sftile::impl::SFTileTensorMapParametersBase<TensorMapParameters> {
  void runOnOperation() override {
    Builder builder(&getContext());
    getOperation().walk([&](LLVM::LLVMFuncOp kernel) {
      auto maps =
          kernel->getAttrOfType<DenseI64ArrayAttr>("sftile.tensor_maps");
      if (!maps)
        return;
      auto type =
          LLVM::LLVMArrayType::get(builder.getIntegerType(8), kMapBytes);
      for (int64_t index : maps.asArrayRef()) {
        kernel.setArgAttr(index, LLVM::LLVMDialect::getByValAttrName(),
                          TypeAttr::get(type));
        kernel.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(kMapAlignment));
        // Never copied, so that its address is the parameter's own.
        kernel.setArgAttr(index, NVVM::NVVMDialect::getGridConstantAttrName(),
                          builder.getUnitAttr());
      }
    });
  }
};
} // namespace
