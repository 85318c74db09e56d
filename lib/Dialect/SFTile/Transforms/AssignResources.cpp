//===- AssignResources.cpp - Shared memory, registers, blocks of an SM ----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h"
#include "SparseFlow/Dialect/SFTile/Transforms/SharedMemory.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "SparseFlow/Target/NVPTX/Resources.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::sftile {
#define GEN_PASS_DEF_SFTILEASSIGNRESOURCES
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h.inc"
} // namespace mlir::sftile

using namespace mlir;
using namespace mlir::sftile;

namespace {
constexpr StringLiteral kSharedBytes = "sftile.shared_bytes";
// Registers that a thread of the kernel is known to need.
constexpr StringLiteral kThreadRegisters = "sftile.thread_registers";
constexpr int64_t kWarpgroupWarps = 4;

struct AssignResources
    : public sftile::impl::SFTileAssignResourcesBase<AssignResources> {
  using SFTileAssignResourcesBase::SFTileAssignResourcesBase;

  void runOnOperation() override {
    WalkResult assigned = getOperation().walk([&](gpu::GPUFuncOp kernel) {
      return failed(assign(kernel)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
    });
    if (assigned.wasInterrupted())
      return signalPassFailure();
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          launch, launch.getKernel());
      auto bytes = kernel ? kernel->getAttrOfType<IntegerAttr>(kSharedBytes)
                          : IntegerAttr();
      if (!bytes)
        return;
      // A launch may ask for more than its kernel uses.
      APInt least;
      if (Value asked = launch.getDynamicSharedMemorySize();
          asked && matchPattern(asked, m_ConstantInt(&least)) &&
          least.getSExtValue() >= bytes.getInt())
        return;
      OpBuilder builder(launch);
      Value size = arith::ConstantOp::create(
          builder, launch.getLoc(), builder.getI32IntegerAttr(bytes.getInt()));
      launch.getDynamicSharedMemorySizeMutable().assign(size);
    });
  }

  LogicalResult assign(gpu::GPUFuncOp kernel) {
    Builder builder(kernel.getContext());
    SharedLayout layout = SharedLayout::of(kernel);
    layout.apply();
    if (layout.bytes > maxSharedBytes) {
      InFlightDiagnostic diagnostic =
          kernel.emitError()
          << "kernel " << kernel.getName() << " needs " << layout.bytes
          << " bytes of shared memory, but a block may have "
          << maxSharedBytes.getValue()
          << " on this target; use fewer stages or a smaller block";
      for (auto [owner, bytes] : layout.parts)
        diagnostic.attachNote(owner->getLoc())
            << (isa<RingOp>(owner) ? "a ring of stages, "
                : cast<SharedOp>(owner).getOverlaid()
                    ? "tiles of warps that share a place, the first "
                    : "a tile, ")
            << owner->getResult(0).getType() << ", takes " << bytes << " bytes";
      return failure();
    }
    kernel->setAttr(kSharedBytes, builder.getI64IntegerAttr(layout.bytes));
    int64_t used = 0;
    for (SharedLayout::Part part : layout.parts)
      used += part.bytes;
    assignRegisters(kernel);
    boundRegisters(kernel, used);
    return success();
  }

  /// Of roles of which the first says what its threads need, the others get
  /// what that leaves: the register file is dealt out anew when they begin.
  static void assignRegisters(gpu::GPUFuncOp kernel) {
    auto roles = llvm::to_vector(kernel.getOps<RoleOp>());
    if (roles.size() < 2 || !roles.front().getRegisters())
      return;
    int64_t warps = 0;
    for (RoleOp role : roles)
      warps += role.getWarps();
    int64_t registers = sparseflow::SMLimits::ofLargest().consumerRegisters(
        warps / kWarpgroupWarps, *roles.front().getRegisters(),
        sparseflow::getMinBlocksPerSM(kernel));
    for (RoleOp role : ArrayRef(roles).drop_front())
      if (!role.getRegisters())
        role.setRegisters(registers);
  }

  /// Keeps ptxas from giving a thread more registers than leave room for the
  /// blocks that fit otherwise, or fewer than it needs.
  static void boundRegisters(gpu::GPUFuncOp kernel, int64_t sharedBytes) {
    auto needed = kernel->getAttrOfType<IntegerAttr>(kThreadRegisters);
    auto threads = kernel.getKnownBlockSize();
    if (!needed || !threads)
      return;
    int64_t blocks = sparseflow::SMLimits::ofLargest().residentBlocks(
        sharedBytes, threads->front(), needed.getInt());
    sparseflow::setMinBlocksPerSM(kernel, blocks);
    kernel->removeAttr(kThreadRegisters);
  }
};
} // namespace
