//===- AssignSharedMemory.cpp - Lays out a kernel's shared memory -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::sftile {
#define GEN_PASS_DEF_SFTILEASSIGNSHAREDMEMORY
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h.inc"
} // namespace mlir::sftile

using namespace mlir;
using namespace mlir::sftile;

namespace {
// The swizzle pattern repeats after 1024 bytes.
constexpr int64_t kAlignment = 1024;
constexpr StringLiteral kSharedBytes = "sftile.shared_bytes";

constexpr int64_t kBankRow = 128;
constexpr int64_t kBarrierBytes = 8;

/// True if one role fills the ring and another reads it.
bool isBetweenRoles(RingOp ring) {
  llvm::SmallPtrSet<Operation *, 2> roles;
  for (Operation *user : ring.getRing().getUsers())
    roles.insert(user->getParentOfType<RoleOp>());
  return roles.size() > 1;
}

struct AssignSharedMemory
    : public sftile::impl::SFTileAssignSharedMemoryBase<AssignSharedMemory> {
  using SFTileAssignSharedMemoryBase::SFTileAssignSharedMemoryBase;

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
    // Roles run at the same time: each has scratch memory of its own.
    llvm::MapVector<Operation *, SmallVector<ScratchOp>> scratchesOf;
    kernel.walk([&](Operation *op) {
      if (auto scratch = dyn_cast<ScratchOp>(op))
        scratchesOf[scratch->getParentOfType<RoleOp>()].push_back(scratch);
      auto ring = dyn_cast<RingOp>(op);
      if (!ring)
        return;
      RingType type = ring.getRing().getType();
      int64_t bytes = type.getStages() * type.getStageBytes();
      ring.setOffset(end);
      parts.emplace_back(ring.getLoc(), bytes);
      end += llvm::alignTo(bytes, kAlignment);
      if (isBetweenRoles(ring))
        barriers.push_back(ring);
    });
    kernel.walk([&](SharedOp place) {
      int64_t bytes = place.getBytes();
      place.setOffset(end);
      parts.emplace_back(place.getLoc(), bytes);
      end += llvm::alignTo(bytes, kAlignment);
    });
    kernel.walk([&](OutboxOp outbox) {
      int64_t bytes =
          llvm::alignTo(outbox.getTile().getType().getBytes(), kAlignment) *
          (outbox.getWarps() / outbox.getSharers());
      outbox.setOffset(end);
      parts.emplace_back(outbox.getLoc(), bytes);
      end += bytes;
    });
    for (auto &[role, scratches] : scratchesOf) {
      // A warp uses one scratch tile at a time, so they may lie on one another.
      int64_t stride = 0, warps = 0;
      for (ScratchOp scratch : scratches) {
        int64_t bytes = scratch.getTile().getType().getBytes();
        // Nothing but the warp's own accesses meets a scratch tile, so that the
        // banks are all that its place matters for.
        stride = std::max<int64_t>(stride, llvm::alignTo(bytes, kBankRow));
        warps = std::max<int64_t>(warps, scratch.getWarps());
      }
      for (ScratchOp scratch : scratches) {
        scratch.setOffset(end);
        scratch.setStride(stride);
      }
      parts.emplace_back(scratches.front().getLoc(), stride * warps);
      end += stride * warps;
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
    return success();
  }
};
} // namespace
