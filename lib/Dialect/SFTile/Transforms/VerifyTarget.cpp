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
      getOperation().emitError()
          << "unknown target '" << target
          << "'; expected a name such as sm_80 or sm_90a";
      return signalPassFailure();
    }
    bool failedAny = false;
    getOperation().walk([&](Operation *op) {
      for (NamedAttribute attribute : op->getAttrs()) {
        auto atom = dyn_cast<AtomInterface>(attribute.getValue());
        if (!atom)
          continue;
        unsigned needed = atom.getMinComputeCapability();
        // Code for an architecture-specific target runs on that chip only.
        bool specific = atom.isArchSpecific();
        bool has = specific ? needed == computeCapability &&
                                  StringRef(target).ends_with("a")
                            : needed <= computeCapability;
        if (has)
          continue;
        op->emitOpError() << "uses " << attribute.getValue() << " ("
                          << atom.getInstruction() << "), which "
                          << (specific ? "only sm_" : "exists from sm_")
                          << needed << (specific ? "a has" : "")
                          << "; the target is "
                          << (target.empty()
                                  ? "sm_" + std::to_string(computeCapability)
                                  : target);
        failedAny = true;
      }
    });
    if (failedAny)
      signalPassFailure();
  }
};
} // namespace
