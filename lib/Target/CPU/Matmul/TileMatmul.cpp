//===- TileMatmul.cpp - Lower contractions to packed, blocked loops -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the loops of a task follows the caches: a panel of b (tile
// columns x blockDepth) stays in the first level while every panel of a of the
// task passes by; both blocks stay in the second. Tasks share nothing that they
// write, and each sums in the order of k, so results do not depend on the
// number of threads.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Matmul/Contraction.h"
#include "Target/CPU/Matmul/MicroKernel.h"
#include "Target/CPU/Matmul/PackOperands.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_TILEMATMUL
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow::cpu;

/// `memref` with all dimensions but the last seen as one.
static Value collapseRows(const IndexBuilder &ib, Value memref) {
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  if (rank == 2)
    return memref;
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t i = 0; i + 1 < rank; ++i)
    groups[0].push_back(i);
  groups[1].push_back(rank - 1);
  return memref::CollapseShapeOp::create(ib.b, ib.loc, memref, groups);
}

namespace {
struct TileMatmulPass
    : public sparseflow::cpu::impl::TileMatmulBase<TileMatmulPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkOptions()))
      return signalPassFailure();
    SmallVector<Contraction> contractions;
    getOperation().walk([&](linalg::GenericOp op) {
      if (std::optional<Contraction> found = Contraction::match(op))
        contractions.push_back(*found);
    });
    for (Contraction &contraction : contractions)
      lower(contraction);
  }

private:
  LogicalResult checkOptions() {
    if (lanes < 1 || (lanes & (lanes - 1)) || tileRows < 1 || tileVectors < 1 ||
        blockDepth < 1 || blockRows < 1 || blockColumns < 1)
      return getOperation().emitError()
             << getArgument() << ": expected lanes to be a power of two and "
             << "every size at least 1, found lanes " << lanes.getValue()
             << ", tile " << tileRows.getValue() << " x "
             << tileVectors.getValue() << ", block " << blockRows.getValue()
             << " x " << blockColumns.getValue() << " x "
             << blockDepth.getValue();
    return success();
  }

  void lower(Contraction &contraction) {
    OpBuilder b(contraction.op);
    IndexBuilder ib{b, contraction.op.getLoc()};
    KernelShape shape{tileRows, tileVectors, lanes,
                      contraction.skipZeroWeights};
    func::FuncOp kernel = getOrCreateKernel(getOperation(), shape);
    Value a = collapseRows(ib, contraction.a);
    Value c = collapseRows(ib, contraction.c);
    c = memref::CastOp::create(b, ib.loc, kernel.getFunctionType().getInput(2),
                               c);
    Value packedA = packPanels(ib, a, /*transposed=*/false, shape.rows, lanes);
    Value packedB = packPanels(ib, contraction.b, contraction.bIsTransposed,
                               shape.columns(), lanes);
    Value rows = ib.dim(c, 0), columns = ib.dim(c, 1);
    Value depth = ib.dim(a, 1);

    // Blocks are whole tiles.
    int64_t rowStep = llvm::alignTo(blockRows, shape.rows);
    int64_t columnStep = llvm::alignTo(blockColumns, shape.columns());
    Value columnBlocks = ib.ceilDiv(columns, columnStep);
    Value tasks = ib.mul(ib.ceilDiv(rows, rowStep), columnBlocks);
    ib.parallel(tasks, [&](Value task) {
      Value m0 = ib.mul(ib.div(task, columnBlocks), rowStep);
      Value n0 = ib.mul(ib.rem(task, columnBlocks), columnStep);
      Value m1 = ib.min(ib.add(m0, rowStep), rows);
      Value n1 = ib.min(ib.add(n0, columnStep), columns);
      ib.loop(ib.constant(0), depth, blockDepth, [&](Value k0) {
        Value k1 = ib.min(ib.add(k0, blockDepth), depth);
        ib.loop(n0, n1, shape.columns(), [&](Value n) {
          ib.loop(m0, m1, shape.rows, [&](Value m) {
            func::CallOp::create(b, ib.loc, kernel,
                                 ValueRange{packedA, packedB, c, m, n, k0, k1});
          });
        });
      });
    });
    memref::DeallocOp::create(b, ib.loc, packedA);
    memref::DeallocOp::create(b, ib.loc, packedB);
    contraction.op.erase();
  }
};
} // namespace
