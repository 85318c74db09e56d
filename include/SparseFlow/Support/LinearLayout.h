//===- LinearLayout.h - Who holds which element of a fragment -*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor-core instruction spreads a small matrix over the 32 lanes of a warp
// and over the registers of each lane. Every such distribution that NVIDIA
// hardware uses is linear over F2, the field of two elements: write the lane
// number and the register number in binary, give every one of these bits a
// fixed (row, column) pair, and the element that a (lane, register) holds is
// the exclusive or of the pairs whose bit is one.
//
// Example: the 16x8 accumulator of mma.m16n8k16. Lane l = 4g + c holds
//     register 0: row g,     column 2c        register 1: row g,     column
//     2c+1 register 2: row g + 8, column 2c        register 3: row g + 8,
//     column 2c+1
// As a linear layout this is
//     register bits: (0,1) (8,0)
//     lane bits:     (0,2) (0,4) (1,0) (2,0) (4,0)
// Lane 13 (binary 01101) with register 3 (binary 11) holds
//     (0,2) ^ (1,0) ^ (2,0) ^ (0,1) ^ (8,0) = (11, 3).
//
// A layout describes one instruction tile. A fragment is a grid of such tiles
// with plain counts, so sizes that are no power of two (192 columns of
// accumulator, say) cost nothing: see `FragType`.
//
// The library depends on ADT containers only. Everything is immutable and
// therefore safe to share between threads.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SUPPORT_LINEARLAYOUT_H
#define SPARSEFLOW_SUPPORT_LINEARLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mlir::sftile {

/// The position of an element inside a tile, in elements.
struct Coord {
  int64_t row = 0;
  int64_t col = 0;
  friend bool operator==(Coord a, Coord b) {
    return a.row == b.row && a.col == b.col;
  }
  friend Coord operator^(Coord a, Coord b) {
    return {a.row ^ b.row, a.col ^ b.col};
  }
};

/// An F2-linear map from (register, lane) to a position in a tile.
class LinearLayout {
public:
  LinearLayout() = default;
  LinearLayout(llvm::ArrayRef<Coord> registerBits,
               llvm::ArrayRef<Coord> laneBits)
      : registers(registerBits), lanes(laneBits) {}

  llvm::ArrayRef<Coord> registerBits() const { return registers; }
  llvm::ArrayRef<Coord> laneBits() const { return lanes; }

  /// Elements that each lane holds.
  int64_t numRegisters() const { return int64_t(1) << registers.size(); }
  /// Lanes that take part: 32 for a warp.
  int64_t numLanes() const { return int64_t(1) << lanes.size(); }

  /// The rows and columns of the tile: one past the largest position.
  Coord tileShape() const;

  /// The element that `lane` holds in `reg`.
  Coord at(int64_t reg, int64_t lane) const;

  /// The part of `at` that depends on the register alone (lane 0).
  Coord ofRegister(int64_t reg) const { return at(reg, 0); }

  /// True if every element of the tile is held exactly once. A layout with a
  /// zero lane bit replicates and is not bijective.
  bool isBijective() const;

  /// The number of registers, a power of two, in which consecutive registers
  /// walk along consecutive rows (`alongRows`) or columns: the length of the
  /// vector that a lane can load or store at once.
  int64_t contiguousRun(bool alongRows) const;

private:
  llvm::SmallVector<Coord, 6> registers;
  llvm::SmallVector<Coord, 5> lanes;
};

/// A layout for moving a `rows` x `cols` tile between registers and memory in
/// which the row index is contiguous: each lane owns vectors of `vector`
/// consecutive rows, neighbouring lanes own neighbouring vectors, and what does
/// not fit in the 32 lanes goes to further registers. All three sizes must be
/// powers of two with rows >= vector; returns nothing if they are not, or if
/// the tile has fewer than 32 vectors.
std::optional<LinearLayout> vectorLayout(int64_t rows, int64_t cols,
                                         int64_t vector);

} // namespace mlir::sftile

#endif // SPARSEFLOW_SUPPORT_LINEARLAYOUT_H
