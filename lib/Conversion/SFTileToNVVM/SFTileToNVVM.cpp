//===- SFTileToNVVM.cpp - Tiles become instructions ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "SparseFlow/Conversion/SFTileToNVVM/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::sftile {
#define GEN_PASS_DEF_CONVERTSFTILETONVVM
#include "SparseFlow/Conversion/SFTileToNVVM/Passes.h.inc"
} // namespace mlir::sftile

using namespace mlir;
using namespace mlir::sftile;

/// Replaces a role by its body, behind a test of the warp number if the block
/// has warps of other roles.
static void inlineRole(RoleOp role, RoleInfo info, bool alone) {
  OpBuilder builder(role);
  Location loc = role.getLoc();
  Block *body = &role.getBody().front();
  body->getTerminator()->erase();
  Block::iterator point(role);
  Block *target = role->getBlock();
  if (!alone) {
    Integers ints(builder, loc);
    Value thread = emitRoleThread(builder, loc, info);
    Value mine = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ult, thread, ints.i32(info.threads()));
    auto branch = scf::IfOp::create(builder, loc, mine);
    target = branch.thenBlock();
    point = target->getTerminator()->getIterator();
  }
  target->getOperations().splice(point, body->getOperations());
  role.erase();
}

namespace {
struct ConvertSFTileToNVVM
    : public sftile::impl::ConvertSFTileToNVVMBase<ConvertSFTileToNVVM> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    FailureOr<KernelInfo> info = KernelInfo::analyze(getOperation());
    if (failed(info))
      return signalPassFailure();

    SFTileTypeConverter converter(context);
    RewritePatternSet patterns(context);
    populateRingPatterns(converter, *info, patterns);
    populateFragmentPatterns(converter, patterns);
    populateGlobalPatterns(converter, patterns);
    populateRowPatterns(converter, patterns);
    populateConvertLayoutPatterns(converter, patterns);
    ConversionTarget target(*context);
    target.addIllegalDialect<SFTileDialect>();
    target.addLegalOp<RoleOp, RoleEndOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();

    SmallVector<RoleOp> roles;
    getOperation()->walk([&](RoleOp role) { roles.push_back(role); });
    for (RoleOp role : roles) {
      auto kernel = role->getParentOfType<gpu::GPUFuncOp>();
      RoleInfo roleInfo = info->roleOf(role);
      bool alone = kernel.getKnownBlockSize() &&
                   (*kernel.getKnownBlockSize())[0] == roleInfo.threads();
      inlineRole(role, roleInfo, alone);
    }
  }
};
} // namespace
