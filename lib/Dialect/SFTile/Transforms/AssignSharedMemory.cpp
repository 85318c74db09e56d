//===- AssignSharedMemory.cpp - Lays out a kernel's shared memory -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h"
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

struct AssignSharedMemory
    : public sftile::impl::SFTileAssignSharedMemoryBase<AssignSharedMemory> {
  using SFTileAssignSharedMemoryBase::SFTileAssignSharedMemoryBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(assign(kernel)))
        return signalPassFailure();
  }

  LogicalResult assign(gpu::GPUFuncOp kernel) {
    Builder builder(kernel.getContext());
    int64_t end = 0;
    SmallVector<std::pair<Operation *, int64_t>> parts;
    auto place = [&](Operation *op, int64_t bytes) {
      int64_t offset = llvm::alignTo(end, kAlignment);
      op->setAttr("offset", builder.getI64IntegerAttr(offset));
      end = offset + bytes;
      parts.emplace_back(op, bytes);
    };
    kernel.walk([&](Operation *op) {
      if (auto ring = dyn_cast<RingOp>(op)) {
        RingType type = ring.getRing().getType();
        place(op, type.getStages() * type.getStageBytes());
      } else if (auto scratch = dyn_cast<ScratchOp>(op)) {
        place(op, scratch.getWarps() * scratch.getTile().getType().getBytes());
      }
    });
    if (end > maxSharedBytes) {
      InFlightDiagnostic diagnostic = kernel.emitError()
          << "kernel " << kernel.getName() << " needs " << end
          << " bytes of shared memory, but a block may have " << maxSharedBytes
          << " on this target; use fewer stages or a smaller block";
      for (auto [op, bytes] : parts)
        diagnostic.attachNote(op->getLoc()) << "this takes " << bytes << " bytes";
      return failure();
    }
    kernel->setAttr("sftile.shared_bytes", builder.getI64IntegerAttr(end));
    return success();
  }
};
} // namespace
