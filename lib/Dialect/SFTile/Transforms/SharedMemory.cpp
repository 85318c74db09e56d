//===- SharedMemory.cpp - Where a kernel's tiles lie ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/Transforms/SharedMemory.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sftile;

// The swizzle pattern repeats after 1024 bytes.
static constexpr int64_t kAlignment = 1024;
static constexpr int64_t kBankRow = 128;
static constexpr int64_t kBarrierBytes = 8;

/// True if one role fills the ring and another reads it.
static bool isBetweenRoles(RingOp ring) {
  llvm::SmallPtrSet<Operation *, 2> roles;
  for (Operation *user : ring.getRing().getUsers())
    roles.insert(user->getParentOfType<RoleOp>());
  return roles.size() > 1;
}

static int64_t groupsOf(SharedOp shared) {
  return *shared.getWarps() / *shared.getSharers();
}

/// Memory of its own for `shared`; returns its bytes.
static int64_t placeOwn(SharedLayout &layout, SharedOp shared, int64_t offset) {
  auto tile = dyn_cast<TileType>(shared.getMemory().getType());
  if (!tile) {
    layout.tiles.push_back({shared, offset, {}});
    return *shared.getBytes();
  }
  int64_t stride = llvm::alignTo(tile.getBytes(), kAlignment);
  layout.tiles.push_back({shared, offset, stride});
  return stride * groupsOf(shared);
}

/// Lays the tiles of a role, of which a warp uses one at a time, on one another
/// at `offset`; returns the bytes that they take.
static int64_t placeOverlaid(SharedLayout &layout, ArrayRef<SharedOp> tiles,
                             int64_t offset) {
  int64_t stride = 0, groups = 0;
  for (SharedOp shared : tiles) {
    int64_t bytes = cast<TileType>(shared.getMemory().getType()).getBytes();
    // Nothing but the warps' own accesses meets such a tile, so that the banks
    // are all that its place matters for.
    stride = std::max<int64_t>(stride, llvm::alignTo(bytes, kBankRow));
    groups = std::max(groups, groupsOf(shared));
  }
  for (SharedOp shared : tiles)
    layout.tiles.push_back({shared, offset, stride});
  return stride * groups;
}

SharedLayout SharedLayout::of(gpu::GPUFuncOp kernel) {
  SharedLayout layout;
  int64_t &end = layout.bytes;
  // Roles run at the same time: each has overlaid tiles of its own.
  llvm::MapVector<Operation *, SmallVector<SharedOp>> overlaidOf;
  kernel.walk([&](RingOp ring) {
    RingType type = ring.getRing().getType();
    int64_t bytes = type.getStages() * type.getStageBytes();
    layout.rings.push_back({ring, end, {}});
    layout.parts.push_back({ring, bytes});
    end += llvm::alignTo(bytes, kAlignment);
  });
  kernel.walk([&](SharedOp shared) {
    if (shared.getOverlaid()) {
      overlaidOf[shared->getParentOfType<RoleOp>()].push_back(shared);
      return;
    }
    int64_t bytes = placeOwn(layout, shared, end);
    layout.parts.push_back({shared, bytes});
    end += llvm::alignTo(bytes, kAlignment);
  });
  for (auto &[role, tiles] : overlaidOf) {
    int64_t bytes = placeOverlaid(layout, tiles, end);
    layout.parts.push_back({tiles.front(), bytes});
    end += bytes;
  }
  for (Ring &ring : layout.rings) {
    if (!isBetweenRoles(ring.op))
      continue;
    ring.barriers = end;
    end += 2 * ring.op.getRing().getType().getStages() * kBarrierBytes;
  }
  return layout;
}

int64_t SharedLayout::ringBytes() const {
  int64_t bytes = 0;
  for (Ring ring : rings) {
    RingType type = ring.op.getRing().getType();
    bytes += type.getStages() * type.getStageBytes();
  }
  return bytes;
}

void SharedLayout::apply() const {
  for (Ring ring : rings) {
    ring.op.setOffset(ring.offset);
    if (ring.barriers)
      ring.op.setBarriers(*ring.barriers);
  }
  for (Tile tile : tiles) {
    tile.op.setOffset(tile.offset);
    if (tile.stride)
      tile.op.setStride(*tile.stride);
  }
}
