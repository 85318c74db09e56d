//===- OutlineParallel.cpp - Parallel loops through the thread pool -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream offers two ways to threads: the async dialect (coroutines and a
// reference-counted runtime library) and OpenMP (a library that Debian does not
// install by default). A loop whose iterations are independent needs neither:
// one function over a range and one call.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Device/RuntimeSymbols.h"
#include "Target/CPU/Transforms/IndexBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_OUTLINEPARALLEL
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow::cpu;

static Value castTo(OpBuilder &b, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
}

namespace {
struct OutlineParallelPass
    : public sparseflow::cpu::impl::OutlineParallelBase<OutlineParallelPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ParallelOp op) {
      if (op.getNumLoops() != 1 || op.getNumReductions())
        return WalkResult::advance();
      loops.push_back(op);
      // Loops inside run on the thread of their iteration.
      return WalkResult::skip();
    });
    if (loops.empty())
      return;
    declareRuntime();
    LLVMTypeConverter converter(&getContext());
    for (auto [index, loop] : llvm::enumerate(loops))
      if (failed(outline(loop, index, converter)))
        return signalPassFailure();
  }

private:
  void declareRuntime() {
    ModuleOp module = getOperation();
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    if (!module.lookupSymbol(kParallelFor))
      LLVM::LLVMFuncOp::create(
          b, module.getLoc(), kParallelFor,
          LLVM::LLVMFunctionType::get(
              LLVM::LLVMVoidType::get(b.getContext()),
              {pointer, pointer, pointer, b.getI64Type()}));
    if (!module.lookupSymbol(kPool))
      LLVM::GlobalOp::create(b, module.getLoc(), b.getI8Type(),
                             /*isConstant=*/false, LLVM::Linkage::External,
                             kPool, Attribute());
  }

  LogicalResult outline(scf::ParallelOp loop, unsigned index,
                        const LLVMTypeConverter &converter) {
    Location loc = loop.getLoc();
    OpBuilder b(loop);
    IndexBuilder ib{b, loc};
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    Type i64 = b.getI64Type();
    Value lower = loop.getLowerBound()[0], step = loop.getStep()[0];
    Value count = countOf(ib, loop);

    // Constants move into the body, other values into the context.
    SetVector<Value> used;
    getUsedValuesDefinedAbove(loop.getRegion(), used);
    used.insert(lower);
    used.insert(step);
    SmallVector<Value> captured;
    SmallVector<Operation *> constants;
    SmallVector<Type> fields;
    for (Value value : used) {
      Operation *definition = value.getDefiningOp();
      if (definition && definition->hasTrait<OpTrait::ConstantLike>()) {
        constants.push_back(definition);
        continue;
      }
      Type field = converter.convertType(value.getType());
      if (!field)
        return loop.emitError()
               << "expected parallel loops to use values that LLVM can store, "
               << "found one of type " << value.getType()
               << "; run one-shot-bufferize first";
      captured.push_back(value);
      fields.push_back(field);
    }
    auto context = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);

    auto parent = loop->getParentOfType<func::FuncOp>();
    std::string name = (parent.getName() + "_parallel_" + Twine(index)).str();
    OpBuilder top(parent);
    auto body = func::FuncOp::create(
        top, loc, name, b.getFunctionType({pointer, i64, i64}, {}));
    body.setPrivate();
    SymbolTable(getOperation()).insert(body);
    emitBody(body, loop, captured, constants, context);

    // The stack slot belongs to the function's entry: a loop around this one
    // reuses it.
    Value slot;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&parent.getBody().front());
      Value one = LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(1));
      slot = LLVM::AllocaOp::create(b, loc, pointer, context, one);
    }
    for (auto [i, value] : llvm::enumerate(captured)) {
      Value field = LLVM::GEPOp::create(b, loc, pointer, context, slot,
                                        ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
      LLVM::StoreOp::create(b, loc, castTo(b, loc, fields[i], value), field);
    }
    Value pool = LLVM::AddressOfOp::create(b, loc, pointer, kPool);
    Value function =
        castTo(b, loc, pointer,
               func::ConstantOp::create(b, loc, body.getFunctionType(),
                                        FlatSymbolRefAttr::get(body)));
    LLVM::CallOp::create(
        b, loc, TypeRange(), kParallelFor,
        ValueRange{pool, function, slot, castTo(b, loc, i64, count)});
    loop.erase();
    return success();
  }

  /// How often `loop` runs.
  static Value countOf(const IndexBuilder &ib, scf::ParallelOp loop) {
    Value lower = loop.getLowerBound()[0], upper = loop.getUpperBound()[0];
    return ib.ceilDiv(ib.sub(ib.max(upper, lower), lower), loop.getStep()[0]);
  }

  /// body(context, begin, end): the loop over a range of its iterations.
  void emitBody(func::FuncOp body, scf::ParallelOp loop,
                ArrayRef<Value> captured, ArrayRef<Operation *> constants,
                LLVM::LLVMStructType context) {
    Location loc = loop.getLoc();
    OpBuilder b = OpBuilder::atBlockBegin(body.addEntryBlock());
    IndexBuilder ib{b, loc};
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    IRMapping mapping;
    for (Operation *constant : constants)
      b.clone(*constant, mapping);
    for (auto [i, value] : llvm::enumerate(captured)) {
      Value field =
          LLVM::GEPOp::create(b, loc, pointer, context, body.getArgument(0),
                              ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
      Value loaded = LLVM::LoadOp::create(b, loc, context.getBody()[i], field);
      mapping.map(value, castTo(b, loc, value.getType(), loaded));
    }
    Value begin = castTo(b, loc, b.getIndexType(), body.getArgument(1));
    Value end = castTo(b, loc, b.getIndexType(), body.getArgument(2));
    Value lower = mapping.lookup(loop.getLowerBound()[0]);
    Value step = mapping.lookup(loop.getStep()[0]);
    ib.loop(begin, end, 1, [&](Value iv) {
      mapping.map(loop.getInductionVars()[0], ib.add(lower, ib.mul(iv, step)));
      for (Operation &op : loop.getBody()->without_terminator())
        b.clone(op, mapping);
    });
    func::ReturnOp::create(b, loc);
  }
};
} // namespace
