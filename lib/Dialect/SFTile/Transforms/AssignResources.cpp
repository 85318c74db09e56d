//===- AssignResources.cpp - Shared memory, registers, blocks of an SM -===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h"
#include "SparseFlow/Target/NVPTX/Resources.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::sftile {
#define GEN_PASS_DEF_SFTILEASSIGNRESOURCES
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h.inc"
} // namespace mlir::sftile

using namespace mlir;
using namespace mlir::sftile;

namespace {
// The swizzle pattern repeats after 1024 bytes.
constexpr int64_t kAlignment = 1024;
constexpr StringLiteral kSharedBytes = "sftile.shared_bytes";
// Registers that a thread of the kernel is known to need.
constexpr StringLiteral kThreadRegisters = "sftile.thread_registers";
constexpr int64_t kWarpgroupWarps = 4;

constexpr int64_t kBankRow = 128;
constexpr int64_t kBarrierBytes = 8;

/// True if one role fills the ring and another reads it.
bool isBetweenRoles(RingOp ring) {
  llvm::SmallPtrSet<Operation *, 2> roles;
  for (Operation *user : ring.getRing().getUsers())
    roles.insert(user->getParentOfType<RoleOp>());
  return roles.size() > 1;
}

/// Gives `shared` the place `offset` and returns its bytes.
int64_t assignOwn(SharedOp shared, int64_t offset) {
  shared.setOffset(offset);
  auto tile = dyn_cast<TileType>(shared.getMemory().getType());
  if (!tile)
    return *shared.getBytes();
  int64_t stride = llvm::alignTo(tile.getBytes(), kAlignment);
  shared.setStride(stride);
  return stride * (*shared.getWarps() / *shared.getSharers());
}

/// Lays the tiles of a role, of which a warp uses one at a time, on one another
/// at `offset`; returns the bytes that they take.
int64_t assignOverlaid(ArrayRef<SharedOp> tiles, int64_t offset) {
  int64_t stride = 0, groups = 0;
  for (SharedOp shared : tiles) {
    int64_t bytes = cast<TileType>(shared.getMemory().getType()).getBytes();
    // Nothing but the warps' own accesses meets such a tile, so that the banks
    // are all that its place matters for.
    stride = std::max<int64_t>(stride, llvm::alignTo(bytes, kBankRow));
    groups =
        std::max<int64_t>(groups, *shared.getWarps() / *shared.getSharers());
  }
  for (SharedOp shared : tiles) {
    shared.setOffset(offset);
    shared.setStride(stride);
  }
  return stride * groups;
}

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
      OpBuilder builder(launch);
      Value size = arith::ConstantOp::create(
          builder, launch.getLoc(), builder.getI32IntegerAttr(bytes.getInt()));
      launch.getDynamicSharedMemorySizeMutable().assign(size);
    });
  }

  LogicalResult assign(gpu::GPUFuncOp kernel) {
    Builder builder(kernel.getContext());
    int64_t end = 0;
    SmallVector<RingOp> barriers;
    SmallVector<std::pair<Location, int64_t>> parts;
    // Roles run at the same time: each has overlaid tiles of its own.
    llvm::MapVector<Operation *, SmallVector<SharedOp>> overlaidOf;
    kernel.walk([&](RingOp ring) {
      RingType type = ring.getRing().getType();
      int64_t bytes = type.getStages() * type.getStageBytes();
      ring.setOffset(end);
      parts.emplace_back(ring.getLoc(), bytes);
      end += llvm::alignTo(bytes, kAlignment);
      if (isBetweenRoles(ring))
        barriers.push_back(ring);
    });
    kernel.walk([&](SharedOp shared) {
      if (shared.getOverlaid()) {
        overlaidOf[shared->getParentOfType<RoleOp>()].push_back(shared);
        return;
      }
      int64_t bytes = assignOwn(shared, end);
      parts.emplace_back(shared.getLoc(), bytes);
      end += llvm::alignTo(bytes, kAlignment);
    });
    for (auto &[role, tiles] : overlaidOf) {
      int64_t bytes = assignOverlaid(tiles, end);
      parts.emplace_back(tiles.front().getLoc(), bytes);
      end += bytes;
    }
    for (RingOp ring : barriers) {
      ring.setBarriers(end);
      end += 2 * ring.getRing().getType().getStages() * kBarrierBytes;
    }
    if (end > maxSharedBytes) {
      InFlightDiagnostic diagnostic =
          kernel.emitError()
          << "kernel " << kernel.getName() << " needs " << end
          << " bytes of shared memory, but a block may have "
          << maxSharedBytes.getValue()
          << " on this target; use fewer stages or a smaller block";
      for (auto [loc, bytes] : parts)
        diagnostic.attachNote(loc) << "this takes " << bytes << " bytes";
      return failure();
    }
    kernel->setAttr(kSharedBytes, builder.getI64IntegerAttr(end));
    int64_t used = 0;
    for (auto [loc, bytes] : parts)
      used += bytes;
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
        warps / kWarpgroupWarps, *roles.front().getRegisters());
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
    kernel->setAttr("nvvm.minctasm",
                    Builder(kernel.getContext())
                        .getI32IntegerAttr(static_cast<int32_t>(blocks)));
    kernel->removeAttr(kThreadRegisters);
  }
};
} // namespace
