//===- MergeKernels.cpp - Equal kernels become one ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model of 30 equal layers has 30 kernels of each kind. They differ in name
// and location alone, and most of a compilation is LLVM and ptxas.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace mlir::sftile {
#define GEN_PASS_DEF_SFTILEMERGEKERNELS
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h.inc"
} // namespace mlir::sftile

using namespace mlir;
using namespace mlir::sftile;

/// What a kernel is besides its body: its type, threads, schedule, ...
static DictionaryAttr attributesButName(gpu::GPUFuncOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  attributes.erase(kMergedAttr);
  attributes.erase(kFurtherTokensAttr);
  return attributes.getDictionary(kernel.getContext());
}

/// Equal for equal kernels, and seldom for others.
static llvm::hash_code hashOf(gpu::GPUFuncOp kernel) {
  llvm::hash_code hash = hash_value(attributesButName(kernel));
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

static bool areEqual(gpu::GPUFuncOp a, gpu::GPUFuncOp b) {
  return attributesButName(a) == attributesButName(b) &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

/// The names of kernels that `kernel` stands for, its own apart.
static SmallVector<Attribute> mergedNames(gpu::GPUFuncOp kernel) {
  if (auto names = kernel->getAttrOfType<ArrayAttr>(kMergedAttr))
    return llvm::to_vector(names);
  return {};
}

namespace {
struct SFTileMergeKernels
    : public sftile::impl::SFTileMergeKernelsBase<SFTileMergeKernels> {
  void runOnOperation() override {
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>())
      merge(kernels);
  }

private:
  void merge(gpu::GPUModuleOp kernels);
};
} // namespace

void SFTileMergeKernels::merge(gpu::GPUModuleOp kernels) {
  DenseMap<size_t, SmallVector<gpu::GPUFuncOp>> kept;
  DenseMap<Attribute, Attribute> replaced;
  int64_t all = 0;
  auto symbolOf = [&](gpu::GPUFuncOp kernel) {
    return SymbolRefAttr::get(kernels.getSymNameAttr(),
                              {FlatSymbolRefAttr::get(kernel)});
  };
  for (auto kernel :
       llvm::make_early_inc_range(kernels.getOps<gpu::GPUFuncOp>())) {
    if (!kernel.isKernel())
      continue;
    ++all;
    SmallVector<gpu::GPUFuncOp> &alike = kept[hashOf(kernel)];
    auto equal = llvm::find_if(
        alike, [&](gpu::GPUFuncOp other) { return areEqual(kernel, other); });
    if (equal == alike.end()) {
      alike.push_back(kernel);
      continue;
    }
    SmallVector<Attribute> names = mergedNames(*equal);
    names.push_back(StringAttr::get(&getContext(), kernel.getName()));
    llvm::append_range(names, mergedNames(kernel));
    (*equal)->setAttr(kMergedAttr, ArrayAttr::get(&getContext(), names));
    replaced[symbolOf(kernel)] = symbolOf(*equal);
    kernel.erase();
  }
  if (replaced.empty())
    return;

  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](SymbolRefAttr symbol) -> std::optional<Attribute> {
        if (Attribute other = replaced.lookup(symbol))
          return other;
        return std::nullopt;
      });
  for (Operation &op : *getOperation().getBody())
    if (!isa<gpu::GPUModuleOp>(op))
      replacer.recursivelyReplaceElementsIn(&op);
  sparseflow::explain(kernels, "kernel")
      << "of " << all << " kernels, " << replaced.size()
      << " are equal to another one, which is launched in their place";
}
