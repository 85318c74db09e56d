//===- TensorTile.cpp - Boxes of tensors ----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine/TensorTile.h"

#include <algorithm>
#include <cstring>

using namespace mlir::sparseflow::sim;

const char *mlir::sparseflow::sim::checkTensorMap(const TensorMap &map) {
  if (map.magic != TensorMap::magicNumber)
    return "the address is not that of a tensor map";
  if (map.rank < 1 || map.rank > 5)
    return "a tensor map of a rank that is not 1 to 5";
  if (map.elementBytes != 1 && map.elementBytes != 2 && map.elementBytes != 4 &&
      map.elementBytes != 8)
    return "a tensor map of elements that have not 1, 2, 4 or 8 bytes";
  if (map.address % 16)
    return "a tensor map whose address is no multiple of 16";
  for (unsigned i = 0; i < map.rank; ++i) {
    if (map.sizes[i] < 1 || map.sizes[i] > uint64_t(1) << 32)
      return "a tensor map with a size that is not 1 to 2^32";
    if (map.box[i] < 1 || map.box[i] > 256)
      return "a tensor map with a box that is not 1 to 256";
    if (i + 1 < map.rank &&
        (map.strides[i] % 16 || map.strides[i] >= uint64_t(1) << 40))
      return "a tensor map with a stride that is no multiple of 16 below 2^40";
  }
  uint32_t row = uint32_t(map.box[0]) * map.elementBytes;
  if (row % 16)
    return "a tensor map whose box has rows of bytes that are no multiple of "
           "16";
  if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 &&
      map.swizzle != 128)
    return "a tensor map with a swizzle that is not 0, 32, 64 or 128";
  if (map.swizzle && row > map.swizzle)
    return "a tensor map whose box has rows longer than its swizzle";
  if (map.swizzle && row != map.swizzle)
    return "a tensor map whose box has rows shorter than its swizzle, which "
           "the simulator does not model";
  return nullptr;
}

uint32_t mlir::sparseflow::sim::tileBytes(const TensorMap &map) {
  uint32_t bytes = map.elementBytes;
  for (unsigned i = 0; i < map.rank; ++i)
    bytes *= map.box[i];
  return bytes;
}

uint64_t mlir::sparseflow::sim::swizzled(uint64_t address, unsigned swizzle) {
  uint64_t mask = swizzle == 128  ? 7
                  : swizzle == 64 ? 3
                  : swizzle == 32 ? 1
                                  : 0;
  return address ^ (address >> 7 & mask) << 4;
}

std::string mlir::sparseflow::sim::checkCoordinates(const TensorMap &map,
                                                    const int32_t *coordinates,
                                                    TileUse use) {
  std::string list;
  bool negative = false;
  for (unsigned i = 0; i < map.rank; ++i) {
    list += (i ? ", " : "") + std::to_string(coordinates[i]);
    negative |= coordinates[i] < 0;
  }
  if (int64_t(coordinates[0]) * map.elementBytes % 16)
    return "the coordinates (" + list + ") begin " +
           std::to_string(int64_t(coordinates[0]) * map.elementBytes) +
           " bytes into a row: expected a multiple of 16 bytes";
  if (negative && use == TileUse::Store)
    return "the coordinates (" + list +
           ") begin before the tensor: expected none below 0 in a store";
  return "";
}

/// The end of the bytes of a row that are read or written.
static int64_t rowEnd(const TensorMap &map, TileUse use) {
  auto bytes = static_cast<int64_t>(map.sizes[0]) * map.elementBytes;
  return use == TileUse::Load ? bytes : (bytes + 15) / 16 * 16;
}

TileAccess mlir::sparseflow::sim::tileBounds(const TensorMap &map,
                                             const int32_t *coordinates,
                                             TileUse use) {
  TileAccess range;
  uint64_t first = map.address, last = map.address;
  for (unsigned i = 0; i < map.rank; ++i) {
    // Dimension 0 in bytes.
    int64_t unit = i == 0 ? map.elementBytes : 1;
    int64_t size =
        i == 0 ? rowEnd(map, use) : static_cast<int64_t>(map.sizes[i]);
    int64_t low = std::max<int64_t>(coordinates[i] * unit, 0);
    int64_t high =
        std::min<int64_t>((int64_t(coordinates[i]) + map.box[i]) * unit, size);
    if (low >= high)
      return range;
    uint64_t stride = i == 0 ? 1 : map.strides[i - 1];
    first += static_cast<uint64_t>(low) * stride;
    last += static_cast<uint64_t>(high - 1) * stride;
  }
  range.address = first;
  range.bytes = last + 1 - first;
  return range;
}

/// Calls `visit(place, address, before, inside, row)` for each row of the box:
/// its offset in the box, where its bytes within the tensor begin, how many lie
/// before them and how many they are (0: all out of bounds).
template <typename Visit>
static void forEachRow(const TensorMap &map, const int32_t *coordinates,
                       TileUse use, Visit visit) {
  uint32_t row = uint32_t(map.box[0]) * map.elementBytes;
  int64_t begin = int64_t(coordinates[0]) * map.elementBytes;
  int64_t low = std::max<int64_t>(begin, 0);
  int64_t high = std::min<int64_t>(begin + row, rowEnd(map, use));
  uint32_t before = low < high ? static_cast<uint32_t>(low - begin) : 0;
  uint32_t inside = low < high ? static_cast<uint32_t>(high - low) : 0;
  uint32_t index[5] = {};
  for (uint64_t place = 0;; place += row) {
    uint64_t address = map.address + static_cast<uint64_t>(low);
    bool within = inside != 0;
    for (unsigned i = 1; i < map.rank; ++i) {
      int64_t at = int64_t(coordinates[i]) + index[i];
      within &= at >= 0 && at < static_cast<int64_t>(map.sizes[i]);
      address += static_cast<uint64_t>(at) * map.strides[i - 1];
    }
    visit(place, address, before, within ? inside : 0, row);
    unsigned i = 1;
    while (i < map.rank && ++index[i] == map.box[i])
      index[i++] = 0;
    if (i >= map.rank)
      return;
  }
}

void mlir::sparseflow::sim::loadTile(const TensorMap &map,
                                     const int32_t *coordinates, uint64_t to) {
  forEachRow(map, coordinates, TileUse::Load,
             [&](uint64_t place, uint64_t address, uint32_t before,
                 uint32_t inside, uint32_t row) {
               alignas(16) uint8_t line[2048];
               std::memset(line, 0, row);
               if (inside)
                 std::memcpy(line + before,
                             reinterpret_cast<const void *>(address), inside);
               for (uint32_t piece = 0; piece < row; piece += 16)
                 std::memcpy(reinterpret_cast<void *>(
                                 swizzled(to + place + piece, map.swizzle)),
                             line + piece, 16);
             });
}

void mlir::sparseflow::sim::storeTile(const TensorMap &map,
                                      const int32_t *coordinates,
                                      const uint8_t *data, uint64_t from) {
  forEachRow(
      map, coordinates, TileUse::Store,
      [&](uint64_t place, uint64_t address, uint32_t before, uint32_t inside,
          uint32_t row) {
        alignas(16) uint8_t line[2048];
        for (uint32_t piece = 0; piece < row; piece += 16)
          std::memcpy(
              line + piece,
              data + (swizzled(from + place + piece, map.swizzle) - from), 16);
        if (inside)
          std::memcpy(reinterpret_cast<void *>(address), line + before, inside);
      });
}

void mlir::sparseflow::sim::forEachRun(
    const TensorMap &map, const int32_t *coordinates, TileUse use,
    const std::function<void(uint64_t, uint32_t)> &visit) {
  forEachRow(
      map, coordinates, use,
      [&](uint64_t, uint64_t address, uint32_t, uint32_t inside, uint32_t) {
        if (inside)
          visit(address, inside);
      });
}
