//===- DirectProduct.cpp - Products that read weights in place ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Matmul/DirectProduct.h"
#include "Target/CPU/Matmul/PackOperands.h"
#include "Target/CPU/Matmul/VectorAccess.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow::cpu;

static constexpr int64_t kLineBytes = 64;

/// Rows of any pitch whose elements are neighbours.
static MemRefType getRowsType(Type element) {
  constexpr int64_t dynamic = ShapedType::kDynamic;
  auto layout =
      StridedLayoutAttr::get(element.getContext(), dynamic, {dynamic, 1});
  return MemRefType::get({dynamic, dynamic}, element, layout);
}

int64_t DirectShape::columns() const {
  return bIsTransposed ? lanes * together : lanes;
}

std::string DirectShape::symbol() const {
  std::string name;
  llvm::raw_string_ostream stream(name);
  stream << "sparseflow_cpu_direct_" << rows << "x" << together << "_"
         << element << (bIsTransposed ? "_columns" : "")
         << (skipZeroWeights ? "_skip_zero" : "")
         << (prefetchBytes ? "_ahead" : "");
  return name;
}

namespace {
/// Emits the body of one kernel.
class DirectEmitter {
public:
  DirectEmitter(const IndexBuilder &ib, const DirectShape &shape,
                ValueRange arguments)
      : ib(ib), shape(shape), a(arguments[0]), b(arguments[1]), c(arguments[2]),
        m(arguments[3]), n(arguments[4]), k0(arguments[5]), k1(arguments[6]),
        zero(ib.constant(0)),
        vectorType(VectorType::get(shape.lanes, ib.b.getF32Type())),
        columnsLeft(ib.sub(ib.dim(c, 1), n)) {}

  void emit() {
    if (!shape.bIsTransposed)
      return emitRows();
    Value whole =
        arith::CmpIOp::create(ib.b, ib.loc, arith::CmpIPredicate::uge,
                              columnsLeft, ib.constant(shape.columns()));
    scf::IfOp::create(
        ib.b, ib.loc, whole,
        [&](OpBuilder &, Location) {
          emitColumns(/*masked=*/false);
          scf::YieldOp::create(ib.b, ib.loc);
        },
        [&](OpBuilder &, Location) {
          emitColumns(/*masked=*/true);
          scf::YieldOp::create(ib.b, ib.loc);
        });
  }

private:
  Value zeros(Type type) {
    return arith::ConstantOp::create(ib.b, ib.loc, ib.b.getZeroAttr(type));
  }
  VectorType storedType() {
    return VectorType::get(shape.lanes, shape.element);
  }

  /// sum + x * weight, on scalars or vectors.
  Value multiplyAdd(Value x, Value weight, Value sum) {
    Value next;
    if (isa<VectorType>(x.getType()))
      next = vector::FMAOp::create(ib.b, ib.loc, x, weight, sum);
    else
      next = arith::AddFOp::create(
          ib.b, ib.loc, sum, arith::MulFOp::create(ib.b, ib.loc, x, weight));
    if (!shape.skipZeroWeights)
      return next;
    Value kept = arith::CmpFOp::create(ib.b, ib.loc, arith::CmpFPredicate::UNE,
                                       weight, zeros(weight.getType()));
    return arith::SelectOp::create(ib.b, ib.loc, kept, next, sum);
  }

  //===--------------------------------------------------------------------===//
  // b [n, k]
  //===--------------------------------------------------------------------===//

  void emitRows() {
    int64_t lanes = shape.lanes;
    // Row j of the group leaves its sums, still side by side, at [i, j].
    auto scratchType =
        MemRefType::get({shape.rows, lanes, lanes}, ib.b.getF32Type());
    Value scratch = memref::AllocaOp::create(
        ib.b, ib.loc, scratchType, ib.b.getI64IntegerAttr(kLineBytes));
    Value count = ib.min(columnsLeft, ib.constant(lanes));
    Value last = ib.sub(count, ib.constant(1));
    ib.loop(zero, count, shape.together, [&](Value j) {
      SmallVector<Value> places, sources;
      for (int64_t r = 0; r < shape.together; ++r) {
        places.push_back(ib.min(ib.add(j, r), last));
        sources.push_back(ib.add(n, places.back()));
      }
      SmallVector<Value> sums = sumRows(sources);
      for (int64_t i = 0; i < shape.rows; ++i)
        for (int64_t r = 0; r < shape.together; ++r)
          vector::StoreOp::create(ib.b, ib.loc, sums[i * shape.together + r],
                                  scratch,
                                  ValueRange{ib.constant(i), places[r], zero});
    });
    Value whole = arith::CmpIOp::create(ib.b, ib.loc, arith::CmpIPredicate::eq,
                                        count, ib.constant(lanes));
    for (int64_t i = 0; i < shape.rows; ++i) {
      SmallVector<Value> rows;
      for (int64_t j = 0; j < lanes; ++j)
        rows.push_back(vector::LoadOp::create(
            ib.b, ib.loc, vectorType, scratch,
            ValueRange{ib.constant(i), ib.constant(j), zero}));
      Value sum = sumOfEach(rows);
      scf::IfOp::create(
          ib.b, ib.loc, whole,
          [&](OpBuilder &, Location) {
            add(i, 0, sum, /*masked=*/false);
            scf::YieldOp::create(ib.b, ib.loc);
          },
          [&](OpBuilder &, Location) {
            add(i, 0, sum, /*masked=*/true);
            scf::YieldOp::create(ib.b, ib.loc);
          });
    }
  }

  /// The sums of each row of a with each row of b in `sources`, spread over
  /// the lanes of a vector.
  SmallVector<Value> sumRows(ArrayRef<Value> sources) {
    SmallVector<Value> init(shape.rows * sources.size(), zeros(vectorType));
    Value whole =
        ib.add(k0, ib.mul(ib.div(ib.sub(k1, k0), shape.lanes), shape.lanes));
    auto loop = scf::ForOp::create(
        ib.b, ib.loc, k0, whole, ib.constant(shape.lanes), init,
        [&](OpBuilder &, Location, Value k, ValueRange carried) {
          SmallVector<Value> next(carried);
          addVectors(k, sources, next);
          scf::YieldOp::create(ib.b, ib.loc, next);
        });
    SmallVector<Value> sums(loop.getResults());
    addRest(whole, sources, sums);
    return sums;
  }

  /// Adds the products of one vector of k.
  void addVectors(Value k, ArrayRef<Value> sources,
                  MutableArrayRef<Value> sums) {
    SmallVector<Value> weights;
    for (Value source : sources) {
      prefetch(source, k);
      weights.push_back(
          toF32(ib, vector::LoadOp::create(ib.b, ib.loc, storedType(), b,
                                           ValueRange{source, k})));
    }
    for (int64_t i = 0; i < shape.rows; ++i) {
      Value x = vector::LoadOp::create(ib.b, ib.loc, vectorType, a,
                                       ValueRange{ib.add(m, i), k});
      for (auto [r, weight] : llvm::enumerate(weights)) {
        Value &sum = sums[i * weights.size() + r];
        sum = multiplyAdd(x, weight, sum);
      }
    }
  }

  /// What is left of k behind whole vectors goes into the first lane.
  void addRest(Value begin, ArrayRef<Value> sources,
               MutableArrayRef<Value> sums) {
    Type f32 = ib.b.getF32Type();
    SmallVector<Value> init(sums.size(), zeros(f32));
    auto rest = scf::ForOp::create(
        ib.b, ib.loc, begin, k1, ib.constant(1), init,
        [&](OpBuilder &, Location, Value k, ValueRange carried) {
          SmallVector<Value> next(carried);
          for (auto [r, source] : llvm::enumerate(sources)) {
            Value weight =
                toF32(ib, memref::LoadOp::create(ib.b, ib.loc, b,
                                                 ValueRange{source, k}));
            for (int64_t i = 0; i < shape.rows; ++i) {
              Value x = memref::LoadOp::create(ib.b, ib.loc, a,
                                               ValueRange{ib.add(m, i), k});
              Value &sum = next[i * sources.size() + r];
              sum = multiplyAdd(x, weight, sum);
            }
          }
          scf::YieldOp::create(ib.b, ib.loc, next);
        });
    for (auto [sum, added] : llvm::zip(sums, rest.getResults())) {
      Value first = vector::ExtractOp::create(ib.b, ib.loc, sum, 0);
      first = arith::AddFOp::create(ib.b, ib.loc, first, added);
      sum = vector::InsertOp::create(ib.b, ib.loc, first, sum, 0);
    }
  }

  /// The hardware's own prefetchers stop at the end of a page. An address that
  /// is nobody's is ignored.
  void prefetch(Value source, Value k) {
    if (!shape.prefetchBytes)
      return;
    int64_t ahead =
        shape.prefetchBytes * 8 / shape.element.getIntOrFloatBitWidth();
    memref::PrefetchOp::create(ib.b, ib.loc, b,
                               ValueRange{source, ib.add(k, ahead)},
                               /*isWrite=*/false, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }

  /// Element j of the result is the sum of vector j: in each round vectors that
  /// are neighbours exchange halves and are added.
  Value sumOfEach(SmallVector<Value> rows) {
    int64_t lanes = shape.lanes;
    for (int64_t block = 1; block < lanes; block *= 2) {
      BlockExchange exchange(lanes, block);
      SmallVector<Value> next;
      for (size_t i = 0; i < rows.size(); i += 2) {
        Value x = vector::ShuffleOp::create(ib.b, ib.loc, rows[i], rows[i + 1],
                                            exchange.low);
        Value y = vector::ShuffleOp::create(ib.b, ib.loc, rows[i], rows[i + 1],
                                            exchange.high);
        next.push_back(arith::AddFOp::create(ib.b, ib.loc, x, y));
      }
      rows = next;
    }
    return rows.front();
  }

  //===--------------------------------------------------------------------===//
  // b [k, n]
  //===--------------------------------------------------------------------===//

  void emitColumns(bool masked) {
    int64_t vectors = shape.together;
    SmallVector<Value> init(shape.rows * vectors, zeros(vectorType));
    auto loop = scf::ForOp::create(
        ib.b, ib.loc, k0, k1, ib.constant(1), init,
        [&](OpBuilder &, Location, Value k, ValueRange carried) {
          SmallVector<Value> weights, next;
          for (int64_t v = 0; v < vectors; ++v)
            weights.push_back(toF32(ib, load(b, k, v, storedType(), masked)));
          for (int64_t i = 0; i < shape.rows; ++i) {
            Value x = memref::LoadOp::create(ib.b, ib.loc, a,
                                             ValueRange{ib.add(m, i), k});
            x = vector::BroadcastOp::create(ib.b, ib.loc, vectorType, x);
            for (int64_t v = 0; v < vectors; ++v)
              next.push_back(
                  multiplyAdd(x, weights[v], carried[i * vectors + v]));
          }
          scf::YieldOp::create(ib.b, ib.loc, next);
        });
    for (int64_t i = 0; i < shape.rows; ++i)
      for (int64_t v = 0; v < vectors; ++v)
        add(i, v, loop.getResult(i * vectors + v), masked);
  }

  //===--------------------------------------------------------------------===//
  // Columns
  //===--------------------------------------------------------------------===//

  /// Columns that c has from vector `v` on, if `masked`.
  Value columnsFrom(int64_t v, bool masked) {
    return masked ? ib.sub(columnsLeft, ib.constant(v * shape.lanes)) : Value();
  }

  Value load(Value source, Value row, int64_t v, VectorType type, bool masked) {
    return loadVector(ib, type, source,
                      ValueRange{row, ib.add(n, v * shape.lanes)},
                      columnsFrom(v, masked));
  }

  /// c[m + i, columns of vector v] += sum
  void add(int64_t i, int64_t v, Value sum, bool masked) {
    addToVector(ib, sum, c,
                ValueRange{ib.add(m, i), ib.add(n, v * shape.lanes)},
                columnsFrom(v, masked));
  }

  IndexBuilder ib;
  DirectShape shape;
  Value a, b, c, m, n, k0, k1, zero;
  VectorType vectorType;
  Value columnsLeft;
};
} // namespace

func::FuncOp
mlir::sparseflow::cpu::getOrCreateDirectKernel(ModuleOp module,
                                               const DirectShape &shape) {
  if (auto kernel = module.lookupSymbol<func::FuncOp>(shape.symbol()))
    return kernel;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Type index = b.getIndexType();
  auto type = b.getFunctionType(
      {getRowsType(b.getF32Type()), getRowsType(shape.element),
       getRowsType(b.getF32Type()), index, index, index, index},
      {});
  auto kernel = func::FuncOp::create(b, loc, shape.symbol(), type);
  kernel.setPrivate();
  b.setInsertionPointToStart(kernel.addEntryBlock());
  DirectEmitter({b, loc}, shape, kernel.getArguments()).emit();
  func::ReturnOp::create(b, loc);
  return kernel;
}
