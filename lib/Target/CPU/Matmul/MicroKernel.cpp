//===- MicroKernel.cpp - The register-blocked inner kernel of a matmul ----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Matmul/MicroKernel.h"
#include "Target/CPU/Matmul/VectorAccess.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow::cpu;

std::string KernelShape::symbol() const {
  return ("sparseflow_cpu_kernel_" + Twine(rows) + "x" + Twine(columns()) +
          (skipZeroWeights ? "_skip_zero" : ""))
      .str();
}

namespace {
/// Emits the body of one kernel.
class KernelEmitter {
public:
  KernelEmitter(const IndexBuilder &ib, const KernelShape &shape,
                ValueRange arguments)
      : ib(ib), shape(shape), a(arguments[0]), b(arguments[1]), c(arguments[2]),
        m(arguments[3]), n(arguments[4]), k0(arguments[5]), k1(arguments[6]),
        vectorType(VectorType::get(shape.lanes, ib.b.getF32Type())) {}

  void emit() {
    SmallVector<Value> sums = emitProduct();
    Value rowsLeft = ib.sub(ib.dim(c, 0), m);
    Value columnsLeft = ib.sub(ib.dim(c, 1), n);
    Value allRows = compare(arith::CmpIPredicate::uge, rowsLeft, shape.rows);
    Value allColumns =
        compare(arith::CmpIPredicate::uge, columnsLeft, shape.columns());
    Value whole = arith::AndIOp::create(ib.b, ib.loc, allRows, allColumns);
    scf::IfOp::create(
        ib.b, ib.loc, whole,
        [&](OpBuilder &, Location) {
          for (int64_t i = 0; i < shape.rows; ++i)
            addRow(i, sums, nullptr);
          scf::YieldOp::create(ib.b, ib.loc);
        },
        [&](OpBuilder &, Location) {
          for (int64_t i = 0; i < shape.rows; ++i)
            scf::IfOp::create(ib.b, ib.loc,
                              compare(arith::CmpIPredicate::ugt, rowsLeft, i),
                              [&](OpBuilder &, Location) {
                                addRow(i, sums, columnsLeft);
                                scf::YieldOp::create(ib.b, ib.loc);
                              });
          scf::YieldOp::create(ib.b, ib.loc);
        });
  }

private:
  Value compare(arith::CmpIPredicate predicate, Value value, int64_t limit) {
    return arith::CmpIOp::create(ib.b, ib.loc, predicate, value,
                                 ib.constant(limit));
  }

  /// The sums of the tile, row by row, over k0 <= k < k1.
  SmallVector<Value> emitProduct() {
    Value panelA = ib.div(m, shape.rows);
    Value panelB = ib.div(n, shape.columns());
    Value zero = arith::ConstantOp::create(
        ib.b, ib.loc, vectorType,
        DenseElementsAttr::get(vectorType, ib.b.getF32FloatAttr(0).getValue()));
    SmallVector<Value> init(shape.rows * shape.vectors, zero);
    auto loop = scf::ForOp::create(
        ib.b, ib.loc, k0, k1, ib.constant(1), init,
        [&](OpBuilder &, Location, Value k, ValueRange sums) {
          SmallVector<Value> weights, kept;
          for (int64_t v = 0; v < shape.vectors; ++v) {
            weights.push_back(vector::LoadOp::create(
                ib.b, ib.loc, vectorType, b,
                ValueRange{panelB, k, ib.constant(v * shape.lanes)}));
            if (shape.skipZeroWeights)
              kept.push_back(arith::CmpFOp::create(ib.b, ib.loc,
                                                   arith::CmpFPredicate::UNE,
                                                   weights.back(), zero));
          }
          SmallVector<Value> next;
          for (int64_t i = 0; i < shape.rows; ++i) {
            Value x = memref::LoadOp::create(
                ib.b, ib.loc, a, ValueRange{panelA, k, ib.constant(i)});
            x = vector::BroadcastOp::create(ib.b, ib.loc, vectorType, x);
            for (int64_t v = 0; v < shape.vectors; ++v) {
              Value old = sums[i * shape.vectors + v];
              Value sum =
                  vector::FMAOp::create(ib.b, ib.loc, x, weights[v], old);
              if (shape.skipZeroWeights)
                sum = arith::SelectOp::create(ib.b, ib.loc, kept[v], sum, old);
              next.push_back(sum);
            }
          }
          scf::YieldOp::create(ib.b, ib.loc, next);
        });
    return SmallVector<Value>(loop.getResults());
  }

  /// Adds row `i` of the tile to c; only its first `columnsLeft` elements
  /// exist where that is not null.
  void addRow(int64_t i, ArrayRef<Value> sums, Value columnsLeft) {
    for (int64_t v = 0; v < shape.vectors; ++v) {
      Value start = ib.constant(v * shape.lanes);
      addToVector(ib, sums[i * shape.vectors + v], c,
                  ValueRange{ib.add(m, i), ib.add(n, start)},
                  columnsLeft ? ib.sub(columnsLeft, start) : Value());
    }
  }

  IndexBuilder ib;
  KernelShape shape;
  Value a, b, c, m, n, k0, k1;
  VectorType vectorType;
};
} // namespace

func::FuncOp
mlir::sparseflow::cpu::getOrCreateKernel(ModuleOp module,
                                         const KernelShape &shape) {
  if (auto kernel = module.lookupSymbol<func::FuncOp>(shape.symbol()))
    return kernel;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  constexpr int64_t dynamic = ShapedType::kDynamic;
  Type f32 = b.getF32Type(), index = b.getIndexType();
  auto rows = StridedLayoutAttr::get(b.getContext(), dynamic, {dynamic, 1});
  auto type = b.getFunctionType(
      {MemRefType::get({dynamic, dynamic, shape.rows}, f32),
       MemRefType::get({dynamic, dynamic, shape.columns()}, f32),
       MemRefType::get({dynamic, dynamic}, f32, rows), index, index, index,
       index},
      {});
  auto kernel = func::FuncOp::create(b, loc, shape.symbol(), type);
  kernel.setPrivate();
  b.setInsertionPointToStart(kernel.addEntryBlock());
  KernelEmitter({b, loc}, shape, kernel.getArguments()).emit();
  func::ReturnOp::create(b, loc);
  return kernel;
}
