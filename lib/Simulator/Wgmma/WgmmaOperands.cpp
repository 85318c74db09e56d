//===- WgmmaOperands.cpp - Where wgmma finds its operands -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Wgmma/WgmmaOperands.h"

#include "Simulator/Machine/Cluster.h"
#include "Simulator/Machine/TensorTile.h"

using namespace mlir::sparseflow::sim;

// Descriptor of a matrix in shared memory, PTX ISA "Matrix Descriptor Format":
//
//   bits  0-13  address / 16
//        16-29  leading dimension byte offset (LBO) / 16
//        32-45  stride dimension byte offset (SBO) / 16
//        49-51  base offset
//        62-63  swizzle: 0 none, 1 128 bytes, 2 64, 3 32
//
// Elements lie in pieces of 16 bytes, 8 elements along K, or, for a transposed
// operand, along M or N. With R the row of such a piece (its M or N, or for
// transposed operands its K) and P its number along the other dimension:
//
//   no swizzle   R / 8 * S + R % 8 * 16 + P * L
//                S = SBO, L = LBO; of a transposed operand S = LBO, L = SBO
//   W bytes      R / 8 * SBO + R % 8 * W + P % (W / 16) * 16 + P / (W / 16) *
//   LBO
//
// and then the bits from 4 up of the address change as TMA changes them. (LBO
// is of use with a swizzle only where the operand is transposed: along K an
// operand of 32 or 64 bytes must lie within one row.)

namespace {

struct Descriptor {
  uint64_t start = 0;
  uint32_t leading = 0, stride = 0, swizzle = 0;
};

Descriptor decode(uint64_t bits, uint64_t windowBase) {
  static const uint32_t widths[4] = {0, 128, 64, 32};
  Descriptor made;
  made.start = windowBase + ((bits & 0x3fff) << 4);
  made.leading = static_cast<uint32_t>(bits >> 16 & 0x3fff) << 4;
  made.stride = static_cast<uint32_t>(bits >> 32 & 0x3fff) << 4;
  made.swizzle = widths[bits >> 62];
  return made;
}

struct Operand {
  Descriptor place;
  bool transposed;
  /// Pieces: rows and, of each row, how many.
  uint32_t rows, pieces;

  uint64_t address(uint32_t row, uint32_t piece) const {
    uint64_t at = place.start;
    if (place.swizzle == 0)
      return at + row / 8 * (transposed ? place.leading : place.stride) +
             row % 8 * 16 + piece * (transposed ? place.stride : place.leading);
    uint32_t across = place.swizzle / 16;
    at += row / 8 * place.stride + row % 8 * place.swizzle +
          piece % across * 16 + piece / across * place.leading;
    return swizzled(at, place.swizzle);
  }
};

Operand operandA(const WgmmaForm &form, uint64_t windowBase) {
  uint32_t stored = 16; // k, or half of it in sparse MMAs
  if (form.transposeA)
    return {decode(form.aDescriptor, windowBase), true, stored, 8};
  return {decode(form.aDescriptor, windowBase), false, 64, stored / 8};
}

Operand operandB(const WgmmaForm &form, uint64_t windowBase) {
  if (form.transposeB)
    return {decode(form.bDescriptor, windowBase), true, form.k,
            uint32_t(form.n) / 8};
  return {decode(form.bDescriptor, windowBase), false, form.n,
          uint32_t(form.k) / (form.bytes ? 16 : 8)};
}

/// Bits that PTX says are zero, and what the simulator does not model.
void checkDescriptor(WarpCall &call, const WarpgroupMma &mma, const char *name,
                     uint64_t bits, const Operand &operand) {
  Thread &first = call.lanes[0];
  Block &block = *first.block;
  RaceDetector &detector = block.getCluster().detector();
  bool races = block.getLaunch().races;
  if (bits & 0x3ff1c000c000c000)
    block.stop(first, FindingKind::BadOperand, call.site, 0,
               "the descriptor of %s is 0x%016llx, with bits set that must be "
               "zero: expected an address masked with 0x3ffff before it is "
               "divided by 16",
               name, static_cast<unsigned long long>(bits));
  if (bits >> 49 & 7)
    block.stop(first, FindingKind::BadOperand, call.site, 0,
               "the descriptor of %s has base offset %u, which the simulator "
               "does not model: expected 0",
               name, static_cast<unsigned>(bits >> 49 & 7));
  if (operand.place.swizzle && !operand.transposed) {
    uint64_t inRow = operand.place.start % operand.place.swizzle;
    if (inRow + operand.pieces * 16 > operand.place.swizzle)
      block.stop(first, FindingKind::BadOperand, call.site, operand.place.start,
                 "%s reaches from byte %llu beyond the row of %u bytes of its "
                 "swizzle",
                 name, static_cast<unsigned long long>(inRow),
                 operand.place.swizzle);
  }
  for (uint32_t row = 0; row < operand.rows; ++row)
    for (uint32_t piece = 0; piece < operand.pieces; ++piece) {
      uint64_t address = operand.address(row, piece);
      block.checkShared(first, address, 16, "reads", call.site);
      if (!races)
        continue;
      // Each warp has to know of what was written there.
      for (uint32_t w = 0; w < 4; ++w)
        block.checkAsync(call.lanes[32 * w], address, 16, false, call.site);
      detector.beginRead(block.getRank(), address - block.base(), 16,
                         detector.groupAgent(block.getRank(), mma.group),
                         call.site);
    }
}

/// The positions of the stored elements, from the metadata of all threads. A
/// word serves rows 16w + g (lower half) and 16w + g + 8 of 16 columns;
/// selector 0 takes the words of threads with t % 4 = 0, 1, selector 1 those
/// with 2, 3.
template <typename Invalid>
void decodeMetadata(const WarpgroupMma &mma, uint8_t *columns,
                    Invalid invalid) {
  for (uint32_t row = 0; row < 64; ++row)
    for (uint32_t word = 0; word < 2; ++word) {
      uint32_t t = row / 16 * 32 + row % 8 * 4 + mma.form.selector * 2 + word;
      uint32_t bits = mma.metadata[t];
      bits = row % 16 >= 8 ? bits >> 16 : bits & 0xffff;
      for (uint32_t group = 0; group < 4; ++group, bits >>= 4) {
        uint32_t first = bits & 3, second = bits >> 2 & 3;
        if (first >= second)
          invalid(t, row, 16 * word + 4 * group, bits & 15);
        columns[row * 16 + word * 8 + group * 2] =
            static_cast<uint8_t>(16 * word + 4 * group + first);
        columns[row * 16 + word * 8 + group * 2 + 1] =
            static_cast<uint8_t>(16 * word + 4 * group + second);
      }
    }
}

/// The columns of whole B that the bytes of sparse A meet. A metadata word
/// serves 32 columns of one row: that of thread 4g + t of a warp row
/// 16w + g + 8 * (t % 2), columns from 32 * (t / 2) on.
template <typename Invalid>
void decodeByteMetadata(const WarpgroupMma &mma, uint8_t (*columns)[32],
                        Invalid invalid) {
  for (uint32_t row = 0; row < 64; ++row)
    for (uint32_t part = 0; part < 2; ++part) {
      uint32_t t = row / 16 * 32 + row % 8 * 4 + part * 2 + row % 16 / 8;
      uint32_t bits = mma.metadata[t];
      for (uint32_t group = 0; group < 8; ++group, bits >>= 4) {
        uint32_t first = bits & 3, second = bits >> 2 & 3;
        uint32_t start = 32 * part + 4 * group;
        if (first >= second)
          invalid(t, row, start, bits & 15);
        columns[row][16 * part + 2 * group] =
            static_cast<uint8_t>(start + first);
        columns[row][16 * part + 2 * group + 1] =
            static_cast<uint8_t>(start + second);
      }
    }
}

} // namespace

void mlir::sparseflow::sim::checkOperands(WarpCall &call,
                                          const WarpgroupMma &mma) {
  const WgmmaForm &form = mma.form;
  Block &block = *call.lanes[0].block;
  if (!form.aInRegisters)
    checkDescriptor(call, mma, "A", form.aDescriptor,
                    operandA(form, block.base()));
  checkDescriptor(call, mma, "B", form.bDescriptor,
                  operandB(form, block.base()));
  if (!form.sparse)
    return;
  auto invalid = [&](uint32_t t, uint32_t row, uint32_t column, uint32_t bits) {
    block.stop(call.lanes[t], FindingKind::BadOperand, call.site, 0,
               "invalid 2:4 metadata 0x%x (word 0x%08x) for row %u, columns %u "
               "to %u: expected two positions, the lower one first",
               bits, mma.metadata[t], row, column, column + 3);
  };
  if (form.bytes) {
    uint8_t columns[64][32];
    return decodeByteMetadata(mma, columns, invalid);
  }
  uint8_t columns[64 * 16];
  decodeMetadata(mma, columns, invalid);
}

void mlir::sparseflow::sim::endReads(Block &block, const WarpgroupMma &mma,
                                     uint32_t number) {
  RaceDetector &detector = block.getCluster().detector();
  auto end = [&](const Operand &operand) {
    for (uint32_t row = 0; row < operand.rows; ++row)
      for (uint32_t piece = 0; piece < operand.pieces; ++piece)
        detector.endRead(
            block.getRank(), operand.address(row, piece) - block.base(), 16,
            detector.groupAgent(block.getRank(), mma.group), number, mma.site);
  };
  if (!mma.form.aInRegisters)
    end(operandA(mma.form, block.base()));
  end(operandB(mma.form, block.base()));
}

/// The int8 MMA: exact sums, modulo 2^32.
static void computeBytes(Block &block, const WarpgroupMma &mma) {
  const WgmmaForm &form = mma.form;
  constexpr uint32_t stored = 32;
  int16_t a[64][stored];
  for (uint32_t t = 0; t < 128; ++t) {
    uint8_t values[16];
    std::memcpy(values, mma.a[t], sizeof values);
    for (uint32_t i = 0; i < 4; ++i)
      for (uint32_t byte = 0; byte < 4; ++byte) {
        uint8_t value = values[4 * i + byte];
        a[16 * (t / 32) + t % 32 / 4 + 8 * (i % 2)][4 * (t % 4) + byte +
                                                    16 * (i / 2)] =
            form.signedA ? int16_t(static_cast<int8_t>(value)) : int16_t(value);
      }
  }
  uint8_t columns[64][stored];
  for (auto &row : columns)
    for (uint32_t k = 0; k < stored; ++k)
      row[k] = static_cast<uint8_t>(k);
  if (form.sparse)
    decodeByteMetadata(mma, columns,
                       [](uint32_t, uint32_t, uint32_t, uint32_t) {});
  Operand operand = operandB(form, block.base());
  for (uint32_t column = 0; column < form.n; ++column) {
    int16_t b[2 * stored];
    for (uint32_t piece = 0; piece < operand.pieces; ++piece) {
      int8_t values[16];
      std::memcpy(
          values,
          reinterpret_cast<const void *>(operand.address(column, piece)),
          sizeof values);
      for (uint32_t i = 0; i < 16; ++i)
        b[16 * piece + i] = values[i];
    }
    for (uint32_t row = 0; row < 64; ++row) {
      float &place = mma.accumulators->sums[row * form.n + column];
      uint32_t sum;
      std::memcpy(&sum, &place, sizeof sum);
      for (uint32_t k = 0; k < stored; ++k)
        sum += static_cast<uint32_t>(a[row][k] * b[columns[row][k]]);
      std::memcpy(&place, &sum, sizeof sum);
    }
  }
}

void mlir::sparseflow::sim::computeMma(Block &block, const WarpgroupMma &mma) {
  const WgmmaForm &form = mma.form;
  if (form.bytes)
    return computeBytes(block, mma);
  constexpr uint32_t stored = 16;
  alignas(32) float a[64 * stored];
  if (form.aInRegisters) {
    for (uint32_t t = 0; t < 128; ++t) {
      float values[8];
      widenEight(form.bfloat, mma.a[t], values);
      for (uint32_t i = 0; i < 4; ++i)
        for (uint32_t half = 0; half < 2; ++half)
          a[(16 * (t / 32) + t % 32 / 4 + 8 * (i % 2)) * stored + 2 * (t % 4) +
            half + 8 * (i / 2)] = values[2 * i + half];
    }
  } else {
    Operand operand = operandA(form, block.base());
    for (uint32_t row = 0; row < operand.rows; ++row)
      for (uint32_t piece = 0; piece < operand.pieces; ++piece) {
        auto *from =
            reinterpret_cast<const void *>(operand.address(row, piece));
        if (!form.transposeA) {
          widenEight(form.bfloat, from, a + row * stored + piece * 8);
          continue;
        }
        float values[8];
        widenEight(form.bfloat, from, values);
        for (uint32_t j = 0; j < 8; ++j)
          a[(piece * 8 + j) * stored + row] = values[j];
      }
  }
  // A stride that is no power of two keeps the panel's rows in different sets
  // of the cache.
  uint32_t stride = form.n + 8;
  alignas(32) float b[32 * (256 + 8)];
  Operand operand = operandB(form, block.base());
  for (uint32_t row = 0; row < operand.rows; ++row)
    for (uint32_t piece = 0; piece < operand.pieces; ++piece) {
      auto *from = reinterpret_cast<const void *>(operand.address(row, piece));
      if (form.transposeB) {
        widenEight(form.bfloat, from, b + row * stride + piece * 8);
        continue;
      }
      float values[8];
      widenEight(form.bfloat, from, values);
      for (uint32_t j = 0; j < 8; ++j)
        b[(piece * 8 + j) * stride + row] = values[j];
    }
  if (form.negateA != form.negateB)
    for (float &value : a)
      value = -value;
  uint8_t columns[64 * 16];
  if (form.sparse)
    decodeMetadata(mma, columns, [](uint32_t, uint32_t, uint32_t, uint32_t) {});
  multiplyPanels(mma.accumulators->sums.data(), a,
                 form.sparse ? columns : nullptr, b, form.n, stored, stride);
}
