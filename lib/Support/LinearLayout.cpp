//===- LinearLayout.cpp - Who holds which element of a fragment -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Support/LinearLayout.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::sftile;

Coord LinearLayout::at(int64_t reg, int64_t lane) const {
  Coord position;
  for (auto [bit, basis] : llvm::enumerate(registers))
    if ((reg >> bit) & 1)
      position = position ^ basis;
  for (auto [bit, basis] : llvm::enumerate(lanes))
    if ((lane >> bit) & 1)
      position = position ^ basis;
  return position;
}

Coord LinearLayout::tileShape() const {
  // The span of the bases is closed under exclusive or, so its largest row is
  // the union of all row bits.
  Coord all;
  for (llvm::ArrayRef<Coord> bits : {registerBits(), laneBits()})
    for (Coord basis : bits) {
      all.row |= basis.row;
      all.col |= basis.col;
    }
  return {all.row + 1, all.col + 1};
}

bool LinearLayout::isBijective() const {
  Coord shape = tileShape();
  if (numRegisters() * numLanes() != shape.row * shape.col)
    return false;
  llvm::SmallVector<bool> seen(shape.row * shape.col, false);
  for (int64_t lane = 0; lane < numLanes(); ++lane)
    for (int64_t reg = 0; reg < numRegisters(); ++reg) {
      Coord position = at(reg, lane);
      int64_t index = position.row * shape.col + position.col;
      if (seen[index])
        return false;
      seen[index] = true;
    }
  return true;
}

int64_t LinearLayout::contiguousRun(bool alongRows) const {
  int64_t run = 1;
  for (Coord basis : registers) {
    Coord expected = alongRows ? Coord{run, 0} : Coord{0, run};
    if (!(basis == expected))
      break;
    run *= 2;
  }
  return run;
}

std::optional<LinearLayout>
mlir::sftile::vectorLayout(int64_t rows, int64_t cols, int64_t vector) {
  constexpr int64_t kLanes = 32;
  if (rows <= 0 || cols <= 0 || vector <= 0 || !llvm::isPowerOf2_64(rows) ||
      !llvm::isPowerOf2_64(cols) || !llvm::isPowerOf2_64(vector) ||
      rows < vector || rows / vector * cols < kLanes)
    return std::nullopt;
  llvm::SmallVector<Coord> registers, lanes;
  for (int64_t row = 1; row < vector; row *= 2)
    registers.push_back({row, 0});
  auto place = [&](Coord basis) {
    (lanes.size() < 5 ? lanes : registers).push_back(basis);
  };
  for (int64_t row = vector; row < rows; row *= 2)
    place({row, 0});
  for (int64_t col = 1; col < cols; col *= 2)
    place({0, col});
  return LinearLayout(registers, lanes);
}
