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

namespace {
/// c [rows, columns] += a [rows, depth] * b, by a kernel of `shape`.
struct Matmul {
  KernelShape shape;
  func::FuncOp kernel;
  Value a, b;
  bool bIsTransposed;
  Value c;
};

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
    Matmul matmul{shape,
                  getOrCreateKernel(getOperation(), shape),
                  ib.collapseRows(contraction.a),
                  contraction.b,
                  contraction.bIsTransposed,
                  ib.collapseRows(contraction.c)};
    int64_t rows = cast<MemRefType>(matmul.c.getType()).getDimSize(0);
    matmul.c = memref::CastOp::create(
        b, ib.loc, matmul.kernel.getFunctionType().getInput(2), matmul.c);
    if (!ShapedType::isDynamic(rows)) {
      rows <= shape.rows ? lowerFewRows(ib, matmul) : lowerBlocked(ib, matmul);
    } else {
      Value few =
          arith::CmpIOp::create(b, ib.loc, arith::CmpIPredicate::ule,
                                ib.dim(matmul.c, 0), ib.constant(shape.rows));
      scf::IfOp::create(
          b, ib.loc, few,
          [&](OpBuilder &, Location) {
            lowerFewRows(ib, matmul);
            scf::YieldOp::create(b, ib.loc);
          },
          [&](OpBuilder &, Location) {
            lowerBlocked(ib, matmul);
            scf::YieldOp::create(b, ib.loc);
          });
    }
    contraction.op.erase();
  }

  /// A panel of b is used once: each task packs it where the kernel reads it
  /// next, in the first levels of the cache.
  void lowerFewRows(const IndexBuilder &ib, const Matmul &matmul) {
    const KernelShape &shape = matmul.shape;
    Value packedA =
        packPanels(ib, matmul.a, /*transposed=*/false, shape.rows, lanes);
    Value rows = ib.dim(matmul.c, 0), columns = ib.dim(matmul.c, 1);
    Value depth = ib.dim(matmul.a, 1), zero = ib.constant(0);
    int64_t columnStep = llvm::alignTo(blockColumns, shape.columns());
    ib.parallel(ib.ceilDiv(columns, columnStep), [&](Value task) {
      Value n0 = ib.mul(task, columnStep);
      Value n1 = ib.min(ib.add(n0, columnStep), columns);
      Value panel = allocatePanels(ib, ib.constant(1), depth, shape.columns());
      ib.loop(n0, n1, shape.columns(), [&](Value n) {
        packPanel(ib, matmul.b, matmul.bIsTransposed, lanes, n, panel, zero);
        OpFoldResult first = n, width = ib.sub(columns, n);
        OpFoldResult none = ib.b.getIndexAttr(0), unit = ib.b.getIndexAttr(1);
        Value tile = memref::SubViewOp::create(
            ib.b, ib.loc, matmul.c, {none, first}, {rows, width}, {unit, unit});
        tile = memref::CastOp::create(ib.b, ib.loc, matmul.c.getType(), tile);
        ib.loop(zero, depth, blockDepth, [&](Value k0) {
          Value k1 = ib.min(ib.add(k0, blockDepth), depth);
          func::CallOp::create(
              ib.b, ib.loc, matmul.kernel,
              ValueRange{packedA, panel, tile, zero, zero, k0, k1});
        });
      });
      memref::DeallocOp::create(ib.b, ib.loc, panel);
    });
    memref::DeallocOp::create(ib.b, ib.loc, packedA);
  }

  void lowerBlocked(const IndexBuilder &ib, const Matmul &matmul) {
    const KernelShape &shape = matmul.shape;
    Value packedA =
        packPanels(ib, matmul.a, /*transposed=*/false, shape.rows, lanes);
    Value packedB =
        packPanels(ib, matmul.b, matmul.bIsTransposed, shape.columns(), lanes);
    Value rows = ib.dim(matmul.c, 0), columns = ib.dim(matmul.c, 1);
    Value depth = ib.dim(matmul.a, 1);

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
            func::CallOp::create(
                ib.b, ib.loc, matmul.kernel,
                ValueRange{packedA, packedB, matmul.c, m, n, k0, k1});
          });
        });
      });
    });
    memref::DeallocOp::create(ib.b, ib.loc, packedA);
    memref::DeallocOp::create(ib.b, ib.loc, packedB);
  }
};
} // namespace
