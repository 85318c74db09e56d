//===- LaunchedKernels.cpp - What one call launches -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchedKernels.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Support/Remarks.h"
#include "SparseFlow/Target/Manifest/HostProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Follows a host function with some of its arguments known.
class Follower {
public:
  Follower(DenseMap<Value, Attribute> known,
           llvm::SmallDenseSet<StringAttr> &launched)
      : known(std::move(known)), launched(launched) {}

  void follow(Region &region) {
    for (Operation &op : region.getOps())
      follow(op);
  }

private:
  void follow(Operation &op);
  void fold(Operation &op);
  void foldAddress(LLVM::GEPOp element);
  bool isFalse(Value value) const {
    auto constant = dyn_cast_or_null<IntegerAttr>(known.lookup(value));
    return constant && constant.getValue().isZero();
  }

  DenseMap<Value, Attribute> known;
  llvm::SmallDenseSet<StringAttr> &launched;
};

} // namespace

void Follower::foldAddress(LLVM::GEPOp element) {
  auto base = dyn_cast_or_null<IntegerAttr>(known.lookup(element.getBase()));
  if (!base || !element.getElemType().isInteger(8) ||
      element.getIndices().size() != 1)
    return;
  auto index = element.getIndices()[0];
  auto offset = dyn_cast<IntegerAttr>(index);
  if (!offset)
    offset =
        dyn_cast_or_null<IntegerAttr>(known.lookup(dyn_cast<Value>(index)));
  if (offset)
    known[element] =
        IntegerAttr::get(base.getType(), base.getInt() + offset.getInt());
}

void Follower::fold(Operation &op) {
  // What is known of an address are its last bits, which is what host functions
  // ask for.
  if (auto address = dyn_cast<LLVM::PtrToIntOp>(op)) {
    if (Attribute bits = known.lookup(address.getArg()))
      known[address] = bits;
    return;
  }
  if (auto element = dyn_cast<LLVM::GEPOp>(op)) {
    foldAddress(element);
    return;
  }
  // An unknown condition beside a false one.
  if (auto both = dyn_cast<arith::AndIOp>(op);
      both && (isFalse(both.getLhs()) || isFalse(both.getRhs()))) {
    known[both] = Builder(op.getContext()).getZeroAttr(both.getType());
    return;
  }
  SmallVector<Attribute> operands;
  for (Value operand : op.getOperands())
    operands.push_back(known.lookup(operand));
  SmallVector<OpFoldResult> results;
  if (failed(op.fold(operands, results)) ||
      results.size() != op.getNumResults())
    return;
  for (auto [value, result] : llvm::zip(op.getResults(), results)) {
    auto same = dyn_cast_if_present<Value>(result);
    if (Attribute constant =
            same ? known.lookup(same) : dyn_cast_if_present<Attribute>(result))
      known[value] = constant;
  }
}

void Follower::follow(Operation &op) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    launched.insert(launch.getKernelName());
    return;
  }
  if (auto choice = dyn_cast<scf::IfOp>(op)) {
    auto condition =
        dyn_cast_or_null<IntegerAttr>(known.lookup(choice.getCondition()));
    if (!condition || !condition.getValue().isZero())
      follow(choice.getThenRegion());
    if (!condition || condition.getValue().isZero())
      follow(choice.getElseRegion());
    return;
  }
  if (op.getNumRegions()) {
    for (Region &region : op.getRegions())
      follow(region);
    return;
  }
  if (op.getNumResults())
    fold(op);
}

/// The sizes of symbols that `call` gives by the shapes of arguments.
static void addSizesOfShapes(const HostSignature &signature,
                             const KnownCall &call,
                             llvm::StringMap<int64_t> &sizes) {
  auto shapes = signature.function->getAttrOfType<ArrayAttr>(
      SparseFlowDialect::kArgumentShapesAttr);
  if (!shapes)
    return;
  for (auto [index, attribute] : llvm::enumerate(shapes)) {
    auto shape = dyn_cast<ArrayAttr>(attribute);
    for (const auto &[name, given] : call.shapes)
      if (shape && shape.size() == given.size() &&
          (name == signature.argumentNames[index] ||
           name == std::to_string(index)))
        for (auto [extent, size] : llvm::zip(shape, given))
          if (auto symbol = dyn_cast<StringAttr>(extent))
            sizes[symbol] = size;
  }
}

/// The names of the kernels that `function` may launch in such calls.
static void addLaunched(func::FuncOp function, const KnownCall &call,
                        llvm::SmallDenseSet<StringAttr> &launched) {
  // Folding may swap operands.
  OwningOpRef<func::FuncOp> copy = function.clone();
  DenseMap<Value, Attribute> known;
  FailureOr<HostSignature> signature = HostSignature::parse(*copy);
  if (succeeded(signature)) {
    unsigned pointers = signature->workspace() + 1;
    Type integer = IntegerType::get(function.getContext(), 64);
    if (call.aligned)
      for (Value pointer : copy->getArguments().take_front(pointers))
        known[pointer] = IntegerAttr::get(integer, 0);
    llvm::StringMap<int64_t> sizes;
    addSizesOfShapes(*signature, call, sizes);
    for (const auto &[name, size] : call.sizes)
      sizes[name] = size;
    for (auto [index, symbol] : llvm::enumerate(signature->symbols))
      if (auto size = sizes.find(symbol); size != sizes.end())
        known[copy->getArgument(pointers + index)] =
            IntegerAttr::get(integer, size->second);
  }
  Follower(std::move(known), launched).follow(copy->getBody());
}

static void replaceByTrap(gpu::GPUFuncOp kernel) {
  Block &old = kernel.getBody().front();
  kernel->setAttr(kNotLaunchedAttr, UnitAttr::get(kernel.getContext()));
  for (Operation &op : old)
    op.dropAllReferences();
  while (!old.empty())
    old.back().erase();
  while (kernel.getBody().getBlocks().size() > 1) {
    Block &block = kernel.getBody().back();
    block.dropAllDefinedValueUses();
    block.erase();
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&old);
  LLVM::Trap::create(builder, kernel.getLoc());
  gpu::ReturnOp::create(builder, kernel.getLoc());
}

void mlir::sparseflow::dropUnlaunched(ModuleOp module, const KnownCall &call) {
  llvm::SmallDenseSet<StringAttr> launched;
  for (auto function : module.getOps<func::FuncOp>())
    if (isHostFunction(function))
      addLaunched(function, call, launched);
  size_t all = 0, dropped = 0;
  module.walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isKernel())
      return;
    ++all;
    if (launched.contains(kernel.getNameAttr()))
      return;
    replaceByTrap(kernel);
    ++dropped;
  });
  if (dropped)
    explain(module, "launch") << dropped << " of " << all
                              << " kernels are not launched at these sizes, "
                                 "and not compiled";
}
