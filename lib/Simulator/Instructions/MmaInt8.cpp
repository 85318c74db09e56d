//===- MmaInt8.cpp - mma.sync on 8-bit integers ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"

#include "Simulator/Machine/Block.h"

using namespace mlir::sparseflow::sim;

// D = A * B + C for a warp, exact in 32 bits; g = lane / 4 and t = lane % 4.
// The PTX ISA, "Matrix Fragments for mma.m16n8k32", byte b of a register:
//
//   A  register i: row g + 8 * (i % 2), column 4t + b plus 16 * (i / 2)
//   B  register i: row 4t + b plus 16 * i, column g
//   C  element i:  row g + 8 * (i / 2), column 2t + i % 2
//
// m16n8k64 of sparse A has as many registers of A, which are columns of the
// compressed matrix, and twice as many of B. A metadata word serves 32 columns
// of one row, 4 bits for each four of them, the lower position first:
//
//   m16n8k64  lane 4g + t: row g + 8 * (t % 2), columns from 32 * (t / 2) on
//   m16n8k32  the same of the lanes with t / 2 = selector, for columns 0 to 31

namespace {

struct Operands {
  uint8_t a[4][4];
  int8_t b[2][4];
  int32_t c[4];
};

template <bool unsignedA>
void multiply(WarpCall &call) {
  requireWarp(call, "mma");
  int16_t a[16][32], b[8][32];
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Operands &own = call.args<Operands>(lane);
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned byte = 0; byte < 4; ++byte) {
        uint8_t value = own.a[i][byte];
        a[g + 8 * (i % 2)][4 * t + byte + 16 * (i / 2)] =
            unsignedA ? int16_t(value) : int16_t(static_cast<int8_t>(value));
      }
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned byte = 0; byte < 4; ++byte)
        b[g][4 * t + byte + 16 * i] = own.b[i][byte];
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i) {
      const int16_t *row = a[g + 8 * (i / 2)], *column = b[2 * t + i % 2];
      uint32_t sum = static_cast<uint32_t>(call.args<Operands>(lane).c[i]);
      for (unsigned k = 0; k < 32; ++k)
        sum += static_cast<uint32_t>(row[k] * column[k]);
      call.result<uint32_t>(lane)[i] = sum;
    }
  }
}

template <unsigned aRegisters, unsigned bRegisters>
struct SparseOperands {
  uint8_t a[aRegisters][4];
  int8_t b[bRegisters][4];
  int32_t c[4];
  uint32_t metadata, selector;
};

template <bool unsignedA, unsigned aRegisters>
void multiplySparse(WarpCall &call) {
  constexpr unsigned k = 16 * aRegisters, stored = k / 2;
  using Own = SparseOperands<aRegisters, aRegisters>;
  requireWarp(call, "mma");
  int16_t a[16][stored], b[8][k];
  unsigned selector = call.args<Own>(0).selector;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Own &own = call.args<Own>(lane);
    unsigned g = lane / 4, t = lane % 4;
    if (own.selector >= 64 / k || own.selector != selector)
      call.lanes[lane].block->stop(
          call.lanes[lane], FindingKind::BadOperand, call.site, 0,
          "sparsity selector %u: expected the same value below %u in all lanes",
          own.selector, 64 / k);
    for (unsigned i = 0; i < aRegisters; ++i)
      for (unsigned byte = 0; byte < 4; ++byte) {
        uint8_t value = own.a[i][byte];
        a[g + 8 * (i % 2)][4 * t + byte + 16 * (i / 2)] =
            unsignedA ? int16_t(value) : int16_t(static_cast<int8_t>(value));
        b[g][4 * t + byte + 16 * i] = own.b[i][byte];
      }
  }
  unsigned columns[16][stored];
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned part = 0; part < k / 32; ++part) {
      unsigned holder = row % 8 * 4 + (selector + part) * 2 + row / 8;
      uint32_t bits = call.args<Own>(holder).metadata;
      for (unsigned group = 0; group < 8; ++group) {
        unsigned pair = bits >> 4 * group & 15;
        if ((pair & 3) >= pair >> 2)
          call.lanes[holder].block->stop(
              call.lanes[holder], FindingKind::BadOperand, call.site, 0,
              "invalid 2:4 metadata 0x%x (word 0x%08x) for row %u, columns %u "
              "to %u: expected two positions, the lower one first",
              pair, bits, row, 32 * part + 4 * group,
              32 * part + 4 * group + 3);
        unsigned start = 32 * part + 4 * group;
        columns[row][16 * part + 2 * group] = start + (pair & 3);
        columns[row][16 * part + 2 * group + 1] = start + (pair >> 2);
      }
    }
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i) {
      unsigned row = g + 8 * (i / 2);
      uint32_t sum = static_cast<uint32_t>(call.args<Own>(lane).c[i]);
      for (unsigned k = 0; k < stored; ++k)
        sum += static_cast<uint32_t>(a[row][k] *
                                     b[2 * t + i % 2][columns[row][k]]);
      call.result<uint32_t>(lane)[i] = sum;
    }
  }
}

} // namespace

void mlir::sparseflow::sim::addMmaInt8Handlers(Registry &registry) {
  const std::string sparse = "mma.sp.ordered.metadata.";
  registry.addWarp(sparse + "m16n8k32.row.col.s8", multiplySparse<false, 2>);
  registry.addWarp(sparse + "m16n8k64.row.col.s8", multiplySparse<false, 4>);
  registry.addWarp(sparse + "m16n8k64.row.col.u8.s8", multiplySparse<true, 4>);
  registry.addWarp("mma.m16n8k32.row.col.u8.s8", multiply<true>);
  registry.addWarp("mma.m16n8k32.row.col.s8", multiply<false>);
}
