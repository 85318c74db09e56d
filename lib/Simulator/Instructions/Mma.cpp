//===- Mma.cpp - mma.sync and mma.sp --------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"

#include "Simulator/Machine/Block.h"

using namespace mlir::sparseflow::sim;

// D = A * B + C for a warp; g = lane / 4 and t = lane % 4 throughout. The PTX
// ISA, "Matrix Fragments for mma.m16n8k16" and "... for sparse mma":
//
//   A  register i: row g + 8 * (i % 2), columns 2t, 2t + 1 plus 8 * (i / 2)
//   B  register i: rows 2t, 2t + 1 plus 8 * i, column g
//   C  element i:  row g + 8 * (i / 2), column 2t + i % 2
//
// In sparse MMAs the columns of A are those of the compressed matrix: of
// each four columns of the whole one two are stored, and 4 bits of metadata
// hold the numbers of both, the lower first. A metadata word serves rows g
// (lower half) and g + 8 (upper half) and 16 columns of the whole matrix.
//   m16n8k16  lane with t = selector of each four holds the word
//   m16n8k32  selector 0: lanes t = 0, 1 hold columns 0-15, 16-31; 1: t = 2, 3
//
// Products and sums are in f32, rounded to nearest, in order of k. Hardware
// adds in groups and truncates, so the last bits differ.

namespace {

/// Sparse or dense operands as the intrinsics have them.
template <unsigned aRegisters, unsigned bRegisters>
struct DenseOperands {
  uint16_t a[aRegisters][2];
  uint16_t b[bRegisters][2];
  float c[4];
};
template <unsigned aRegisters, unsigned bRegisters>
struct SparseOperands {
  uint16_t a[aRegisters][2];
  uint16_t b[bRegisters][2];
  float c[4];
  uint32_t metadata, selector;
};

enum class Element { F16, BF16 };

inline __attribute__((always_inline)) void
widen(Element type, const uint16_t *from, float *to, unsigned count) {
  if (type == Element::BF16) {
    for (unsigned i = 0; i < count; ++i) {
      uint32_t bits = uint32_t(from[i]) << 16;
      std::memcpy(&to[i], &bits, sizeof bits);
    }
    return;
  }
  // Exponent and mantissa move into place; a multiplication by 2^112 corrects
  // the bias and makes subnormal halves normal.
  for (unsigned i = 0; i < count; ++i) {
    uint32_t half = from[i];
    uint32_t magnitude = (half & 0x7fff) << 13;
    float scaled;
    std::memcpy(&scaled, &magnitude, sizeof scaled);
    scaled *= 0x1p112f;
    uint32_t bits;
    std::memcpy(&bits, &scaled, sizeof bits);
    // Infinities and NaNs.
    bits |= magnitude >= 0x0f800000 ? 0x7f800000u : 0u;
    bits |= (half & 0x8000) << 16;
    std::memcpy(&to[i], &bits, sizeof bits);
  }
}

/// The operands of a whole warp. `a` has `stored` columns, which stand for the
/// columns `column` of the whole matrix.
struct WarpMma {
  unsigned k = 0, stored = 0;
  alignas(32) uint16_t aBits[16 * 32], bBits[32 * 8];
  uint8_t column[16 * 32];
  alignas(32) float d[16][8];
};

inline __attribute__((always_inline)) void multiplyIn(Element type,
                                                      WarpMma &p) {
  alignas(32) float a[16 * 32], b[32 * 8];
  widen(type, p.aBits, a, 16 * p.stored);
  widen(type, p.bBits, b, 8 * p.k);
  for (unsigned row = 0; row < 16; ++row) {
    float sum[8];
    for (unsigned n = 0; n < 8; ++n)
      sum[n] = p.d[row][n];
    for (unsigned k = 0; k < p.stored; ++k) {
      float factor = a[row * p.stored + k];
      const float *line = b + 8 * p.column[row * p.stored + k];
      for (unsigned n = 0; n < 8; ++n)
        sum[n] += factor * line[n];
    }
    for (unsigned n = 0; n < 8; ++n)
      p.d[row][n] = sum[n];
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void multiplyAvx2(Element type,
                                                      WarpMma &p) {
  multiplyIn(type, p);
}
#endif
void multiplyPlain(Element type, WarpMma &p) { multiplyIn(type, p); }

void multiply(Element type, WarpMma &p) {
#if defined(__x86_64__)
  static const bool avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2)
    return multiplyAvx2(type, p);
#endif
  multiplyPlain(type, p);
}

template <typename Operands, unsigned aRegisters, unsigned bRegisters>
void gather(WarpCall &call, WarpMma &p) {
  p.stored = 8 * aRegisters / 2;
  p.k = 8 * bRegisters;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Operands &own = call.args<Operands>(lane);
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < aRegisters; ++i)
      for (unsigned half = 0; half < 2; ++half)
        p.aBits[(g + 8 * (i % 2)) * p.stored + 2 * t + half + 8 * (i / 2)] =
            own.a[i][half];
    for (unsigned i = 0; i < bRegisters; ++i)
      for (unsigned half = 0; half < 2; ++half)
        p.bBits[(2 * t + half + 8 * i) * 8 + g] = own.b[i][half];
    for (unsigned i = 0; i < 4; ++i)
      p.d[g + 8 * (i / 2)][2 * t + i % 2] = own.c[i];
  }
}

void scatter(WarpCall &call, const WarpMma &p) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i)
      call.result<float>(lane)[i] = p.d[g + 8 * (i / 2)][2 * t + i % 2];
  }
}

template <Element type, unsigned aRegisters, unsigned bRegisters>
void denseMma(WarpCall &call) {
  requireWarp(call, "mma");
  WarpMma p;
  gather<DenseOperands<aRegisters, bRegisters>, aRegisters, bRegisters>(call,
                                                                        p);
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned k = 0; k < p.stored; ++k)
      p.column[row * p.stored + k] = static_cast<uint8_t>(k);
  multiply(type, p);
  scatter(call, p);
}

template <Element type, unsigned aRegisters, unsigned bRegisters>
void sparseMma(WarpCall &call) {
  using Operands = SparseOperands<aRegisters, bRegisters>;
  requireWarp(call, "mma");
  WarpMma p;
  gather<Operands, aRegisters, bRegisters>(call, p);
  unsigned words = p.k / 16; // metadata words of a row
  for (unsigned lane = 0; lane < 32; ++lane) {
    uint32_t selector = call.args<Operands>(lane).selector;
    if (selector >= 4 / words || selector != call.args<Operands>(0).selector)
      call.lanes[lane].block->stop(
          call.lanes[lane], FindingKind::BadOperand, call.site, 0,
          "sparsity selector %u: expected the same value below %u in all lanes",
          selector, 4 / words);
  }
  unsigned selector = call.args<Operands>(0).selector;
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned word = 0; word < words; ++word) {
      unsigned holder = row % 8 * 4 + selector * words + word;
      uint32_t bits = call.args<Operands>(holder).metadata;
      bits = row >= 8 ? bits >> 16 : bits & 0xffff;
      for (unsigned group = 0; group < 4; ++group, bits >>= 4) {
        unsigned first = bits & 3, second = bits >> 2 & 3;
        if (first >= second)
          call.lanes[holder].block->stop(
              call.lanes[holder], FindingKind::BadOperand, call.site, 0,
              "invalid 2:4 metadata 0x%x (word 0x%08x) for row %u, columns %u "
              "to %u: expected two positions, the lower one first",
              bits & 15, call.args<Operands>(holder).metadata, row,
              16 * word + 4 * group, 16 * word + 4 * group + 3);
        uint8_t *columns = p.column + row * p.stored + 8 * word + 2 * group;
        columns[0] = static_cast<uint8_t>(16 * word + 4 * group + first);
        columns[1] = static_cast<uint8_t>(16 * word + 4 * group + second);
      }
    }
  multiply(type, p);
  scatter(call, p);
}

} // namespace

void mlir::sparseflow::sim::addMmaHandlers(Registry &registry) {
  using E = Element;
  registry.addWarp("mma.m16n8k8.row.col.f32.f32", denseMma<E::F16, 2, 1>);
  registry.addWarp("mma.m16n8k8.row.col.bf16", denseMma<E::BF16, 2, 1>);
  registry.addWarp("mma.m16n8k16.row.col.f32.f32", denseMma<E::F16, 4, 2>);
  registry.addWarp("mma.m16n8k16.row.col.bf16", denseMma<E::BF16, 4, 2>);
  const std::string sparse = "mma.sp.ordered.metadata.";
  registry.addWarp(sparse + "m16n8k16.row.col.f32.f32",
                   sparseMma<E::F16, 2, 2>);
  registry.addWarp(sparse + "m16n8k16.row.col.bf16", sparseMma<E::BF16, 2, 2>);
  registry.addWarp(sparse + "m16n8k32.row.col.f32.f32",
                   sparseMma<E::F16, 4, 4>);
  registry.addWarp(sparse + "m16n8k32.row.col.bf16", sparseMma<E::BF16, 4, 4>);
}
