//===- TileMatmul.cpp - Lower contractions to packed, blocked loops -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packed operands: the order of the loops of a task follows the caches. A panel
// of b (tile columns x blockDepth) stays in the first level while every panel
// of a of the task passes by; both blocks stay in the second. Weights in place:
// see DirectProduct.h. Tasks share nothing that they write, and the order of a
// sum depends on nothing but the layout of b: neither on the number of threads
// nor on that of rows.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Matmul/Contraction.h"
#include "Target/CPU/Matmul/DirectProduct.h"
#include "Target/CPU/Matmul/MicroKernel.h"
#include "Target/CPU/Matmul/PackOperands.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_TILEMATMUL
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;
using namespace mlir::sparseflow::cpu;

/// Rows that share what a direct kernel reads of b.
static constexpr int64_t kDirectRows = 4;
/// Rows from which a part of b is widened once, into a cache, not by each of
/// the kernel's calls.
static constexpr int64_t kWidenedRows = 16;

namespace {
/// c [rows, columns] += a [rows, depth] * b.
struct Matmul {
  bool skipZeroWeights;
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
        blockDepth < 1 || blockRows < 1 || blockColumns < 1 || directRows < 0 ||
        prefetchBytes < 0 || unit < 1)
      return getOperation().emitError()
             << getArgument() << ": expected lanes to be a power of two and "
             << "every size at least 1 (rows of direct products and bytes of "
             << "prefetches 0), found lanes " << lanes.getValue() << ", tile "
             << tileRows.getValue() << " x " << tileVectors.getValue()
             << ", block " << blockRows.getValue() << " x "
             << blockColumns.getValue() << " x " << blockDepth.getValue()
             << ", unit " << unit.getValue() << ", direct rows "
             << directRows.getValue() << ", prefetch "
             << prefetchBytes.getValue();
    return success();
  }

  void lower(Contraction &contraction) {
    OpBuilder b(contraction.op);
    IndexBuilder ib{b, contraction.op.getLoc()};
    Matmul matmul{contraction.skipZeroWeights, ib.collapseRows(contraction.a),
                  contraction.b, contraction.bIsTransposed,
                  ib.collapseRows(contraction.c)};
    int64_t rows = cast<MemRefType>(matmul.c.getType()).getDimSize(0);
    // Panels of b [k, n] are read along n, as it lies: they are packed where
    // many rows read them. Other panels are not worth their packing.
    if (!cast<MemRefType>(matmul.b.getType()).isLastDimUnitStride() ||
        (matmul.bIsTransposed && rows > directRows)) {
      lowerBlocked(ib, matmul);
    } else if (!matmul.bIsTransposed || !ShapedType::isDynamic(rows)) {
      lowerDirect(ib, matmul);
    } else {
      Value few =
          arith::CmpIOp::create(b, ib.loc, arith::CmpIPredicate::ule,
                                ib.dim(matmul.c, 0), ib.constant(directRows));
      scf::IfOp::create(
          b, ib.loc, few,
          [&](OpBuilder &, Location) {
            lowerDirect(ib, matmul);
            scf::YieldOp::create(b, ib.loc);
          },
          [&](OpBuilder &, Location) {
            lowerBlocked(ib, matmul);
            scf::YieldOp::create(b, ib.loc);
          });
    }
    contraction.op.erase();
  }

  static Value sliceOf(const IndexBuilder &ib, Value source, Value row,
                       Value column, Value rows, Value columns) {
    auto size = [](Value value) { return getAsOpFoldResult(value); };
    OpFoldResult unit = ib.b.getIndexAttr(1);
    return memref::SubViewOp::create(ib.b, ib.loc, source,
                                     {size(row), size(column)},
                                     {size(rows), size(columns)}, {unit, unit});
  }

  /// Copies a matrix to one of f32.
  static void copyWidened(const IndexBuilder &ib, Value source, Value target) {
    AffineMap map = ib.b.getMultiDimIdentityMap(2);
    SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
    Type f32 = ib.b.getF32Type();
    linalg::GenericOp::create(
        ib.b, ib.loc, source, target, ArrayRef{map, map}, loops,
        [&](OpBuilder &inner, Location loc, ValueRange in) {
          Value wide = in[0];
          if (wide.getType() != f32)
            wide = arith::ExtFOp::create(inner, loc, f32, wide);
          linalg::YieldOp::create(inner, loc, wide);
        });
  }

  /// Rows of f32 that the direct kernels read: `matmul.a` itself or a copy,
  /// which the caller frees.
  Value widenRows(const IndexBuilder &ib, const Matmul &matmul) {
    auto type = cast<MemRefType>(matmul.a.getType());
    Type f32 = ib.b.getF32Type();
    if (type.getElementType() == f32 && type.isLastDimUnitStride())
      return matmul.a;
    constexpr int64_t dynamic = ShapedType::kDynamic;
    Value copy = memref::AllocOp::create(
        ib.b, ib.loc, MemRefType::get({dynamic, dynamic}, f32),
        ValueRange{ib.dim(matmul.a, 0), ib.dim(matmul.a, 1)},
        ib.b.getI64IntegerAttr(64));
    copyWidened(ib, matmul.a, copy);
    return copy;
  }

  /// The kernels for kDirectRows rows and for one, and how they are called.
  struct DirectKernels {
    DirectShape several, one;
    func::FuncOp severalKernel, oneKernel;
  };

  DirectKernels getDirectKernels(const Matmul &matmul, Type element,
                                 int64_t ahead) {
    DirectKernels kernels;
    DirectShape &several = kernels.several;
    several.rows = kDirectRows;
    // A power of two, which divides the rows of a group.
    several.together = llvm::bit_floor(
        std::max<uint64_t>(1, tileRows * tileVectors / kDirectRows));
    several.lanes = lanes;
    several.element = element;
    several.bIsTransposed = matmul.bIsTransposed;
    several.skipZeroWeights = matmul.skipZeroWeights;
    several.prefetchBytes = ahead;
    kernels.one = several;
    kernels.one.rows = 1;
    // One row of b at a time, so that memory is read in one piece.
    if (!several.bIsTransposed)
      kernels.one.together = 1;
    kernels.severalKernel = getOrCreateDirectKernel(getOperation(), several);
    kernels.oneKernel = getOrCreateDirectKernel(getOperation(), kernels.one);
    return kernels;
  }

  /// Rows m0 .. m1 - 1 of a with the columns of c from n on, k0 <= k < k1.
  void callDirect(const IndexBuilder &ib, DirectKernels &kernels,
                  ArrayRef<Value> operands, Value m0, Value m1, Value n,
                  Value k0, Value k1) {
    Value whole =
        ib.add(m0, ib.mul(ib.div(ib.sub(m1, m0), kDirectRows), kDirectRows));
    auto call = [&](Value begin, Value end, int64_t count,
                    func::FuncOp kernel) {
      TypeRange types = kernel.getFunctionType().getInputs();
      SmallVector<Value> arguments;
      for (auto [operand, type] : llvm::zip(operands, types))
        arguments.push_back(
            memref::CastOp::create(ib.b, ib.loc, type, operand));
      ib.loop(begin, end, count, [&](Value m) {
        SmallVector<Value> all(arguments);
        all.append({m, n, k0, k1});
        func::CallOp::create(ib.b, ib.loc, kernel, all);
      });
    };
    call(m0, whole, kDirectRows, kernels.severalKernel);
    call(whole, m1, 1, kernels.oneKernel);
  }

  /// Reads b where it lies. A task takes as many columns of c as make its part
  /// of b worth a thread, and blockRows rows; all of these meet a few rows of b
  /// before the next ones.
  void lowerDirect(const IndexBuilder &ib, const Matmul &matmul) {
    Type f32 = ib.b.getF32Type();
    Type element = cast<MemRefType>(matmul.b.getType()).getElementType();
    DirectKernels kernels = getDirectKernels(matmul, element, prefetchBytes);
    Value a = widenRows(ib, matmul);
    Value rows = ib.dim(matmul.c, 0), columns = ib.dim(matmul.c, 1);
    Value depth = ib.dim(matmul.a, 1), zero = ib.constant(0);
    int64_t group = kernels.several.columns();
    int64_t rowStep = llvm::alignTo(blockRows, kDirectRows);
    Value rowBlocks = ib.ceilDiv(rows, rowStep);
    Value step = ib.mul(
        ib.ceilDiv(ib.ceilDiv(ib.constant(unit), ib.max(depth, ib.constant(1))),
                   group),
        group);
    // More rows than one block: a block is read again for each part of b, so
    // that is larger.
    Value several = arith::CmpIOp::create(
        ib.b, ib.loc, arith::CmpIPredicate::ugt, rowBlocks, ib.constant(1));
    step = arith::SelectOp::create(
        ib.b, ib.loc, several,
        ib.max(step, ib.constant(llvm::alignTo(blockColumns, group))), step);
    Value tasks = ib.mul(rowBlocks, ib.ceilDiv(columns, step));
    ib.parallel(tasks, [&](Value task) {
      Value m0 = ib.mul(ib.rem(task, rowBlocks), rowStep);
      Value m1 = ib.min(ib.add(m0, rowStep), rows);
      Value n0 = ib.mul(ib.div(task, rowBlocks), step);
      Value n1 = ib.min(ib.add(n0, step), columns);
      auto inPlace = [&] {
        ib.loop(n0, n1, group, [&](Value n) {
          if (!matmul.bIsTransposed)
            return callDirect(ib, kernels, {a, matmul.b, matmul.c}, m0, m1, n,
                              zero, depth);
          // In the order of sums that packed panels have.
          ib.loop(zero, depth, blockDepth, [&](Value k0) {
            callDirect(ib, kernels, {a, matmul.b, matmul.c}, m0, m1, n, k0,
                       ib.min(ib.add(k0, blockDepth), depth));
          });
        });
      };
      // Widening takes the units that multiply.
      auto widened = [&] {
        DirectKernels wide = getDirectKernels(matmul, f32, /*ahead=*/0);
        Value panel = memref::AllocOp::create(
            ib.b, ib.loc, MemRefType::get({lanes, ShapedType::kDynamic}, f32),
            depth, ib.b.getI64IntegerAttr(64));
        ib.loop(n0, n1, group, [&](Value n) {
          Value count = ib.min(ib.sub(columns, n), ib.constant(group));
          copyWidened(ib, sliceOf(ib, matmul.b, n, zero, count, depth),
                      sliceOf(ib, panel, zero, zero, count, depth));
          Value part = sliceOf(ib, matmul.c, zero, n, rows, count);
          callDirect(ib, wide, {a, panel, part}, m0, m1, zero, zero, depth);
        });
        memref::DeallocOp::create(ib.b, ib.loc, panel);
      };
      if (matmul.bIsTransposed || element == f32)
        return inPlace();
      Value many =
          arith::CmpIOp::create(ib.b, ib.loc, arith::CmpIPredicate::uge, rows,
                                ib.constant(kWidenedRows));
      scf::IfOp::create(
          ib.b, ib.loc, many,
          [&](OpBuilder &, Location) {
            widened();
            scf::YieldOp::create(ib.b, ib.loc);
          },
          [&](OpBuilder &, Location) {
            inPlace();
            scf::YieldOp::create(ib.b, ib.loc);
          });
    });
    if (a != matmul.a)
      memref::DeallocOp::create(ib.b, ib.loc, a);
  }

  void lowerBlocked(const IndexBuilder &ib, const Matmul &matmul) {
    KernelShape shape{tileRows, tileVectors, lanes, matmul.skipZeroWeights};
    func::FuncOp kernel = getOrCreateKernel(getOperation(), shape);
    Value c = memref::CastOp::create(
        ib.b, ib.loc, kernel.getFunctionType().getInput(2), matmul.c);
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
            func::CallOp::create(ib.b, ib.loc, kernel,
                                 ValueRange{packedA, packedB, c, m, n, k0, k1});
          });
        });
      });
    });
    memref::DeallocOp::create(ib.b, ib.loc, packedA);
    memref::DeallocOp::create(ib.b, ib.loc, packedB);
  }
};
} // namespace
