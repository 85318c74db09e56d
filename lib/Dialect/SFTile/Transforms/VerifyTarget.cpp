//===- VerifyTarget.cpp - Refuses atoms that the target lacks -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h"

namespace mlir::sftile {
#define GEN_PASS_DEF_SFTILEVERIFYTARGET
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h.inc"
} // namespace mlir::sftile

using namespace mlir;
using namespace mlir::sftile;

namespace {
struct VerifyTarget
    : public sftile::impl::SFTileVerifyTargetBase<VerifyTarget> {
  using SFTileVerifyTargetBase::SFTileVerifyTargetBase;

  void runOnOperation() override {
    if (computeCapability == 0) {
      getOperation().emitError() << "unknown target '" << target
                                 << "'; expected a name such as sm_80 or sm_90a";
      return signalPassFailure();
    }
    bool failedAny = false;
    getOperation().walk([&](Operation *op) {
      for (NamedAttribute attribute : op->getAttrs()) {
        auto atom = dyn_cast<AtomInterface>(attribute.getValue());
        if (!atom || atom.getMinComputeCapability() <= computeCapability)
          continue;
        op->emitOpError() << "uses " << attribute.getValue() << " ("
                          << atom.getInstruction() << "), which exists from sm_"
                          << atom.getMinComputeCapability()
                          << "; the target is sm_" << computeCapability;
        failedAny = true;
      }
    });
    if (failedAny)
      signalPassFailure();
  }
};
} // namespace
