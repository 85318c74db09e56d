//===- Matrix.cpp - ldmatrix, stmatrix and movmatrix ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"

#include "Simulator/Machine/Block.h"

using namespace mlir::sparseflow::sim;

// Matrices of 8x8 elements of 16 bits, each row 16 bytes. Lanes 0-7 hold the
// addresses of the rows of matrix 0, lanes 8-15 those of matrix 1, and so on.
// Of each matrix lane l holds, in one 32-bit register, elements 2*(l%4) and
// 2*(l%4)+1 of row l/4; with .trans, of column l/4.

/// Checks the rows of `matrices` matrices and returns their addresses.
template <unsigned matrices>
static void collectRows(WarpCall &call, AccessKind kind, uint64_t *rows) {
  for (unsigned i = 0; i < 8 * matrices; ++i) {
    rows[i] = call.args<uint64_t>(i);
    Thread &lane = call.lanes[i];
    if (rows[i] >> 32)
      lane.block->stop(lane, FindingKind::OutOfBounds, call.site, rows[i],
                       "the row address 0x%llx is not in shared memory",
                       static_cast<unsigned long long>(rows[i]));
    lane.block->access(lane, rows[i], 16, 16, kind, call.site,
                       /*counted=*/false);
  }
  for (unsigned m = 0; m < matrices; ++m)
    call.lanes->block->countMatrix(call.lanes[0], rows + 8 * m, call.site);
}

static uint16_t &element(uint64_t row, unsigned column) {
  return reinterpret_cast<uint16_t *>(row)[column];
}

template <unsigned matrices, bool transposed>
static void loadMatrix(WarpCall &call) {
  requireWarp(call, "ldmatrix");
  uint64_t rows[8 * matrices];
  collectRows<matrices>(call, AccessKind::Read, rows);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned m = 0; m < matrices; ++m)
      for (unsigned half = 0; half < 2; ++half) {
        unsigned along = 2 * (lane % 4) + half, across = lane / 4;
        call.result<uint16_t>(lane)[2 * m + half] =
            transposed ? element(rows[8 * m + along], across)
                       : element(rows[8 * m + across], along);
      }
}

template <unsigned matrices>
struct StoreOperands {
  uint64_t row;
  uint16_t values[matrices][2];
};

template <unsigned matrices, bool transposed>
static void storeMatrix(WarpCall &call) {
  requireWarp(call, "stmatrix");
  uint64_t rows[8 * matrices];
  collectRows<matrices>(call, AccessKind::Write, rows);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned m = 0; m < matrices; ++m)
      for (unsigned half = 0; half < 2; ++half) {
        unsigned along = 2 * (lane % 4) + half, across = lane / 4;
        (transposed ? element(rows[8 * m + along], across)
                    : element(rows[8 * m + across], along)) =
            call.args<StoreOperands<matrices>>(lane).values[m][half];
      }
}

/// Lane l gives elements 2*(l%4) and 2*(l%4)+1 of row l/4 and takes those of
/// column l/4.
static void moveTransposed(WarpCall &call) {
  requireWarp(call, "movmatrix");
  uint16_t matrix[8][8];
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned half = 0; half < 2; ++half)
      matrix[lane / 4][2 * (lane % 4) + half] =
          (&call.args<uint16_t>(lane))[half];
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned half = 0; half < 2; ++half)
      call.result<uint16_t>(lane)[half] =
          matrix[2 * (lane % 4) + half][lane / 4];
}

template <unsigned matrices>
static void addCount(Registry &registry, const std::string &count) {
  const std::string load = "ldmatrix.sync.aligned.m8n8." + count;
  registry.addWarp(load + ".b16.p3", loadMatrix<matrices, false>);
  registry.addWarp(load + ".trans.b16.p3", loadMatrix<matrices, true>);
  const std::string store = "stmatrix.sync.aligned.m8n8." + count;
  registry.addWarp(store + ".b16.p3", storeMatrix<matrices, false>);
  registry.addWarp(store + ".trans.b16.p3", storeMatrix<matrices, true>);
}

void mlir::sparseflow::sim::addMatrixHandlers(Registry &registry) {
  addCount<1>(registry, "x1");
  addCount<2>(registry, "x2");
  addCount<4>(registry, "x4");
  registry.addWarp("movmatrix.sync.aligned.m8n8.trans.b16", moveTransposed);
}
