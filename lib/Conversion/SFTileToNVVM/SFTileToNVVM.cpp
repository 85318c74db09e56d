//===- SFTileToNVVM.cpp - Tiles become instructions -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "SparseFlow/Conversion/SFTileToNVVM/Passes.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "SparseFlow/Target/NVPTX/Resources.h"
#include "ThreadPatterns.h"
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
/// has warps of other roles. The roles that follow move to where the test
/// fails: no path leads from one role into another, so that ptxas need
/// not unite their registers.
static void inlineRole(RoleOp role, RoleInfo info, int64_t blockThreads) {
  OpBuilder builder(role);
  Location loc = role.getLoc();
  Integers ints(builder, loc);
  Block *body = &role.getBody().front();
  body->getTerminator()->erase();
  Block::iterator point(role);
  Block *target = role->getBlock();
  auto enter = [&](Value condition, ArrayRef<RoleOp> others) {
    auto branch = scf::IfOp::create(builder, loc, condition,
                                    /*withElse=*/!others.empty());
    for (RoleOp other : others)
      other->moveBefore(branch.elseBlock()->getTerminator());
    target = branch.thenBlock();
    point = target->getTerminator()->getIterator();
    builder.setInsertionPoint(target, point);
  };
  SmallVector<RoleOp> following;
  for (auto next = dyn_cast_or_null<RoleOp>(role->getNextNode()); next;
       next = dyn_cast_or_null<RoleOp>(next->getNextNode()))
    following.push_back(next);
  Value thread;
  if (blockThreads != info.threads() || role.getLeader())
    thread = emitRoleThread(builder, loc, info);
  if (blockThreads != info.threads())
    enter(builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult,
                                              thread, ints.i32(info.threads())),
          following);
  if (std::optional<int64_t> registers = role.getRegisters()) {
    int64_t resident =
        blockThreads *
        sparseflow::getMinBlocksPerSM(role->getParentOfType<gpu::GPUFuncOp>());
    NVVM::SetMaxRegisterOp::create(
        builder, loc, *registers,
        *registers >
                sparseflow::SMLimits::ofLargest().registersAtLaunch(resident)
            ? NVVM::SetMaxRegisterAction::increase
            : NVVM::SetMaxRegisterAction::decrease);
  }
  // One thread of the first warp. Which one is the hardware's choice: ptxas
  // knows that there is one, and puts no loop over threads around a copy.
  if (role.getLeader()) {
    auto isBelow = [&](int64_t end) {
      return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult,
                                                 thread, ints.i32(end));
    };
    Region &beside = role.getBeside();
    auto first = scf::IfOp::create(builder, loc, isBelow(kLanesPerWarp),
                                   /*withElse=*/!beside.empty());
    if (!beside.empty()) {
      beside.front().getTerminator()->erase();
      builder.setInsertionPointToStart(first.elseBlock());
      auto second = scf::IfOp::create(builder, loc, isBelow(2 * kLanesPerWarp));
      Block *other = second.thenBlock();
      other->getOperations().splice(other->getTerminator()->getIterator(),
                                    beside.front().getOperations());
    }
    target = first.thenBlock();
    point = target->getTerminator()->getIterator();
    builder.setInsertionPoint(target, point);
    enter(NVVM::ElectSyncOp::create(builder, loc, builder.getI1Type(),
                                    /*membermask=*/Value()),
          {});
  }
  target->getOperations().splice(point, body->getOperations());
  role.erase();
}

/// Blocks of a cluster signal barriers in each other's memory: none may leave
/// before all are done.
static void leaveTogether(gpu::GPUFuncOp kernel) {
  auto cluster = kernel->getAttrOfType<DenseI32ArrayAttr>("nvvm.cluster_dim");
  if (!cluster || llvm::all_of(cluster.asArrayRef(),
                               [](int32_t size) { return size == 1; }))
    return;
  kernel.walk([](gpu::ReturnOp ret) {
    OpBuilder builder(ret);
    NVVM::ClusterArriveOp::create(builder, ret.getLoc(), UnitAttr());
    NVVM::ClusterWaitOp::create(builder, ret.getLoc(), UnitAttr());
  });
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
    populateBarrierRingPatterns(converter, *info, patterns);
    populateBlockPatterns(converter, *info, patterns);
    populateStagingPatterns(converter, *info, patterns);
    populateAsyncMmaPatterns(converter, patterns);
    populateFragmentPatterns(converter, patterns);
    populateDecodePatterns(converter, patterns);
    populatePlanePatterns(converter, patterns);
    populateLoadStorePatterns(converter, patterns);
    populateRowPatterns(converter, patterns);
    populateWarpgroupPatterns(converter, *info, patterns);
    populateConvertLayoutPatterns(converter, patterns);
    populateThreadPatterns(patterns);
    ConversionTarget target(*context);
    target.addIllegalDialect<SFTileDialect>();
    target.addIllegalOp<LLVM::Prefetch>();
    target.addLegalOp<RoleOp>();
    target.addDynamicallyLegalOp<sftile::YieldOp>(
        [](sftile::YieldOp op) { return isa<RoleOp>(op->getParentOp()); });
    target.addDynamicallyLegalOp<arith::SelectOp>([](arith::SelectOp op) {
      return !isa<FragType, TileType>(op.getType());
    });
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
      inlineRole(role, info->roleOf(role), (*kernel.getKnownBlockSize())[0]);
    }
    getOperation()->walk(leaveTogether);
  }
};
} // namespace
