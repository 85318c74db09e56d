//===- EntryPoints.cpp - Entry points with one C signature ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Device/RuntimeSymbols.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_ENTRYPOINTS
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow::cpu;

namespace {
struct EntryPointsPass
    : public sparseflow::cpu::impl::EntryPointsBase<EntryPointsPass> {
  using Base::Base;

  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        functions.push_back(function);
    for (func::FuncOp function : functions)
      if (failed(addEntry(function, converter)))
        return signalPassFailure();
  }

private:
  LogicalResult addEntry(func::FuncOp function,
                         const LLVMTypeConverter &converter) {
    Location loc = function.getLoc();
    if (function.getNumResults())
      return function.emitError()
             << "expected the results of '" << function.getName()
             << "' as buffers (sparseflow-cpu-results-to-destinations), found "
             << function.getNumResults() << " results";
    OpBuilder b = OpBuilder::atBlockEnd(getOperation().getBody());
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    auto entry =
        func::FuncOp::create(b, loc, kEntryPrefix + function.getName().str(),
                             b.getFunctionType({pointer}, {}));
    b.setInsertionPointToStart(entry.addEntryBlock());
    SmallVector<Value> arguments;
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
      Type stored = converter.convertType(type);
      if (!isa<MemRefType>(type) || !stored)
        return function.emitError()
               << "expected argument " << i << " of '" << function.getName()
               << "' to be a memref, found " << type;
      Value slot =
          LLVM::GEPOp::create(b, loc, pointer, pointer, entry.getArgument(0),
                              ArrayRef<LLVM::GEPArg>{int32_t(i)});
      Value descriptor = LLVM::LoadOp::create(b, loc, pointer, slot);
      Value loaded = LLVM::LoadOp::create(b, loc, stored, descriptor);
      arguments.push_back(
          UnrealizedConversionCastOp::create(b, loc, type, loaded)
              .getResult(0));
    }
    func::CallOp::create(b, loc, function, arguments);
    func::ReturnOp::create(b, loc);
    function.setPrivate();
    return success();
  }
};
} // namespace
