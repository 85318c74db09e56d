//===- OutlineRegions.cpp - What has kernels becomes functions ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %a = supported(%x)              %a = call @f_region0(%x)
//   %b = kept(%a)            ->     %b = kept(%a)
//   %c = supported(%a, %b)          %c = call @f_region1(%a, %b)
//
// A phase is a region (even) or what the host does between two of them (odd).
// An op is in the first phase of its kind in which all its operands are there,
// so no path leaves a region and comes back to it.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWOUTLINEREGIONS
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
/// What becomes of an op: it goes into a region, it stays, or it costs nothing
/// and is wherever it is needed (sizes, constants, empty tensors).
enum class Place { Region, Host, Anywhere };

/// Cuts one function into regions.
class Outliner {
public:
  Outliner(func::FuncOp function, SymbolTable &symbols,
           const llvm::StringSet<> &kept, bool keepsUnsupported)
      : function(function), symbols(symbols), kept(kept),
        keepsUnsupported(keepsUnsupported) {}

  LogicalResult run(SmallVectorImpl<func::FuncOp> &regions);
  /// The names of `kept` that were met.
  llvm::StringSet<> met;

private:
  Place placeOf(Operation *op);
  /// Fills `places` and `phases`.
  LogicalResult plan();
  /// Whether what is not in `phase`, or not in a region, reads `value`.
  bool isReadOutside(Value value, unsigned phase);
  func::FuncOp outline(ArrayRef<Operation *> ops, unsigned phase,
                       OpBuilder &host);
  /// Makes the operands of `op` known to `mapping`: a copy of what may be
  /// anywhere, a parameter of the region for the rest.
  LogicalResult prepare(Operation *op, func::FuncOp region, OpBuilder &inside,
                        IRMapping &mapping, SmallVectorImpl<Value> &inputs);

  func::FuncOp function;
  SymbolTable &symbols;
  const llvm::StringSet<> &kept;
  bool keepsUnsupported;
  DenseMap<Operation *, Place> places;
  DenseMap<Operation *, unsigned> phases;
};
} // namespace

Place Outliner::placeOf(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (kept.contains(name)) {
    met.insert(name);
    explain(op, "outline") << "stays in the host function: keep-ops names it";
    return Place::Host;
  }
  bool isFree = isa<tensor::EmptyOp, tensor::DimOp, tensor::FromElementsOp>(op);
  bool isScalar =
      op->getNumResults() && llvm::all_of(op->getResultTypes(), [](Type type) {
        return type.isIntOrIndexOrFloat();
      });
  if (op->hasTrait<OpTrait::ConstantLike>() || isFree ||
      (isScalar && isMemoryEffectFree(op) && !isa<tensor::ExtractOp>(op)))
    return Place::Anywhere;
  if (isa_and_nonnull<SparseFlowDialect>(op->getDialect()))
    return Place::Region;
  if (!keepsUnsupported)
    return Place::Region;
  std::string why = op->getNumResults() ? explainNoKernel(op)
                                        : std::string("it has no result");
  if (why.empty())
    return Place::Region;
  explain(op, "outline") << "stays in the host function, it has no kernel: "
                         << why;
  return Place::Host;
}

/// All values from outside that `op` and its regions read.
static SmallVector<Value> usedBy(Operation *op) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used.takeVector();
}

LogicalResult Outliner::plan() {
  places[function.front().getTerminator()] = Place::Host;
  unsigned lastEffect = 0;
  for (Operation &op : function.front().without_terminator()) {
    Place place = placeOf(&op);
    if (auto append = dyn_cast<CacheAppendOp>(op))
      return append.emitOpError(
          "grows an argument in place, which a call of a region cannot say; "
          "compile it in a function of its own, all of which has kernels");
    unsigned phase = 0;
    for (Value value : usedBy(&op))
      if (Operation *source = value.getDefiningOp())
        if (source->getBlock() == op.getBlock())
          phase = std::max(phase, phases.lookup(source));
    if (place == Place::Region)
      phase = llvm::alignTo(phase, 2);
    if (place == Place::Host) {
      phase |= 1;
      // Effects stay in their order.
      if (!isMemoryEffectFree(&op))
        lastEffect = phase = std::max(phase, lastEffect);
    }
    places[&op] = place;
    phases[&op] = phase;
  }
  return success();
}

bool Outliner::isReadOutside(Value value, unsigned phase) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    user = function.front().findAncestorOpInBlock(*user);
    if (places.lookup(user) == Place::Anywhere)
      return llvm::any_of(user->getResults(), [&](Value result) {
        return isReadOutside(result, phase);
      });
    return places.lookup(user) != Place::Region || phases.lookup(user) != phase;
  });
}

LogicalResult Outliner::prepare(Operation *op, func::FuncOp region,
                                OpBuilder &inside, IRMapping &mapping,
                                SmallVectorImpl<Value> &inputs) {
  for (Value value : usedBy(op)) {
    if (mapping.contains(value))
      continue;
    Operation *source = value.getDefiningOp();
    if (source && places.lookup(source) == Place::Anywhere) {
      if (failed(prepare(source, region, inside, mapping, inputs)))
        return failure();
      inside.clone(*source, mapping);
      continue;
    }
    if (!isa<RankedTensorType>(value.getType()))
      return op->emitOpError("needs ")
             << value.getType()
             << " from the host function, expected tensors and sizes of "
                "tensors only; make it a tensor, or keep this op as well "
                "(keep-ops)";
    mapping.map(value,
                region.front().addArgument(value.getType(), value.getLoc()));
    inputs.push_back(value);
  }
  return success();
}

func::FuncOp Outliner::outline(ArrayRef<Operation *> ops, unsigned phase,
                               OpBuilder &host) {
  Location loc = ops.front()->getLoc();
  OpBuilder builder(function->getContext());
  auto region = func::FuncOp::create(
      builder, loc, (function.getName() + "_region" + Twine(phase / 2)).str(),
      builder.getFunctionType({}, {}));
  symbols.insert(region);
  OpBuilder inside = OpBuilder::atBlockBegin(region.addEntryBlock());
  IRMapping mapping;
  SmallVector<Value> inputs, outputs, results;
  for (Operation *op : ops) {
    if (failed(prepare(op, region, inside, mapping, inputs)))
      return {};
    inside.clone(*op, mapping);
    for (Value result : op->getResults())
      if (isReadOutside(result, phase)) {
        outputs.push_back(result);
        results.push_back(mapping.lookup(result));
      }
  }
  func::ReturnOp::create(inside, loc, results);
  region.setType(builder.getFunctionType(region.front().getArgumentTypes(),
                                         ValueRange(results).getTypes()));
  for (auto [index, input] : llvm::enumerate(inputs))
    if (auto argument = dyn_cast<BlockArgument>(input))
      if (DictionaryAttr attributes =
              function.getArgAttrDict(argument.getArgNumber()))
        region.setArgAttrs(index, attributes);
  auto call = func::CallOp::create(host, loc, region, inputs);
  for (auto [output, result] : llvm::zip(outputs, call.getResults()))
    output.replaceAllUsesWith(result);
  explain(function, loc, "outline")
      << "'" << region.getName() << "' computes " << ops.size()
      << (ops.size() == 1 ? " op" : " ops") << " of the host function";
  return region;
}

LogicalResult Outliner::run(SmallVectorImpl<func::FuncOp> &regions) {
  if (failed(plan()))
    return failure();
  Block &block = function.front();
  std::map<unsigned, SmallVector<Operation *>> byPhase;
  for (Operation &op : block.without_terminator())
    byPhase[phases.lookup(&op)].push_back(&op);
  OpBuilder host(block.getTerminator());
  SmallVector<Operation *> outlined;
  for (auto &[phase, ops] : byPhase) {
    SmallVector<Operation *> inside;
    for (Operation *op : ops)
      if (places.lookup(op) == Place::Region)
        inside.push_back(op);
    if (!inside.empty()) {
      func::FuncOp region = outline(inside, phase, host);
      if (!region)
        return failure();
      regions.push_back(region);
      llvm::append_range(outlined, inside);
    }
    for (Operation *op : ops)
      if (places.lookup(op) != Place::Region)
        op->moveBefore(block.getTerminator());
  }
  // Sizes and empty tensors that only regions needed go with them.
  for (Operation *op : outlined)
    op->dropAllReferences();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (!llvm::is_contained(outlined, &op) && isOpTriviallyDead(&op))
      op.erase();
  for (Operation *op : llvm::reverse(outlined))
    op->erase();
  return success();
}

namespace {
struct OutlineRegions
    : sparseflow::impl::SparseFlowOutlineRegionsBase<OutlineRegions> {
  using SparseFlowOutlineRegionsBase::SparseFlowOutlineRegionsBase;

  void runOnOperation() override;
};
} // namespace

void OutlineRegions::runOnOperation() {
  ModuleOp module = getOperation();
  if (part != "all" && part != "host" && part != "device") {
    module.emitError() << "expected the option part to be all, host or device, "
                          "found '"
                       << part << "'";
    return signalPassFailure();
  }
  SymbolTable symbols(module);
  llvm::StringSet<> kept, met;
  for (const std::string &name : keepOps)
    kept.insert(name);
  SmallVector<func::FuncOp> functions, regions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  for (func::FuncOp function : functions) {
    if (!function.getBody().hasOneBlock()) {
      function.emitOpError("expected one block, found several; regions are cut "
                           "out of straight code");
      return signalPassFailure();
    }
    Outliner outliner(function, symbols, kept, keepUnsupported);
    if (failed(outliner.run(regions)))
      return signalPassFailure();
    for (const auto &entry : outliner.met)
      met.insert(entry.getKey());
  }
  for (const std::string &name : keepOps)
    if (!met.contains(name))
      explain(module, "outline")
          << "keep-ops names '" << name << "', which no function holds";
  if (part == "device")
    for (func::FuncOp function : functions)
      symbols.erase(function);
  if (part != "host")
    return;
  for (func::FuncOp region : regions) {
    region.eraseBody();
    region.setPrivate();
    region->setAttr("llvm.emit_c_interface", UnitAttr::get(&getContext()));
  }
}
