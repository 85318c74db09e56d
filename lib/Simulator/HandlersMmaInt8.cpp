//===- HandlersMmaInt8.cpp - mma.sync of bytes ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"

#include "Block.h"

using namespace mlir::sparseflow::sim;

// D = A * B + C for a warp, exact in 32 bits; g = lane / 4 and t = lane % 4.
// The PTX ISA, "Matrix Fragments for mma.m16n8k32", byte b of a register:
//
//   A  register i: row g + 8 * (i % 2), column 4t + b plus 16 * (i / 2)
//   B  register i: row 4t + b plus 16 * i, column g
//   C  element i:  row g + 8 * (i / 2), column 2t + i % 2

namespace {

struct Operands {
  uint8_t a[4][4];
  int8_t b[2][4];
  int32_t c[4];
};

template <bool unsignedA>
void multiply(WarpCall &call) {
  if (call.mask != ~0u) {
    Thread &first = call.lanes[__builtin_ctz(call.mask)];
    first.block->stop(first, FindingKind::BadOperand, call.site, 0,
                      "mma needs all 32 lanes, found 0x%x", call.mask);
  }
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

} // namespace

void mlir::sparseflow::sim::addMmaInt8Handlers(Registry &registry) {
  registry.addWarp("mma.m16n8k32.row.col.u8.s8", multiply<true>);
  registry.addWarp("mma.m16n8k32.row.col.s8", multiply<false>);
}
