//===- PackedLayouts.cpp - The layouts of quantized weights ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/PackedLayouts.h"

using namespace mlir;
using namespace mlir::sparseflow;

// docs/formats has the names of the bits: of rows g (three bits), r and m
// (two), of columns j, c (two), h, t and s (two).
static constexpr int64_t kRowsOfTernV1[] = {9, 10, 11, 1, 12, 13},
                         kColumnsOfTernV1[] = {4, 7, 8, 3, 2, 5, 6};
static constexpr CodePlaces kTernV1 = {2, kRowsOfTernV1, kColumnsOfTernV1};

static constexpr int64_t kRowsOfInt4V1[] = {9, 10, 11, 2, 12, 13},
                         kColumnsOfInt4V1[] = {4, 7, 8, 3, 5, 6};
static constexpr CodePlaces kInt4V1 = {4, kRowsOfInt4V1, kColumnsOfInt4V1};

static constexpr int64_t kRowsOfInt8V1[] = {9, 10, 11, 5, 12, 13},
                         kColumnsOfInt8V1[] = {4, 7, 8, 3, 6};
static constexpr CodePlaces kInt8V1 = {8, kRowsOfInt8V1, kColumnsOfInt8V1,
                                       /*isSigned=*/true};

/// Caches have pages and no units.
static constexpr PackedLayout cacheLayout(TernaryStorage storage,
                                          StringLiteral name, int64_t low,
                                          int64_t high, int64_t bits,
                                          bool holdsValues,
                                          bool isFloat = false) {
  return {storage,
          name,
          low,
          high,
          /*maxPlanes=*/1,
          /*rows=*/0,
          0,
          0,
          false,
          /*hasKernels=*/true,
          /*places=*/nullptr,
          bits,
          holdsValues,
          isFloat};
}

static constexpr PackedLayout kLayouts[] = {
    {TernaryStorage::Codes, "tern.v1", -1, 1, /*maxPlanes=*/2, 64, 128, 2048,
     /*isTwoFour=*/false, /*hasKernels=*/true, &kTernV1},
    {TernaryStorage::BitPlanes, "ternbp.v1", -1, 1, /*maxPlanes=*/2, 1, 64, 16,
     /*isTwoFour=*/false, /*hasKernels=*/false, nullptr},
    {TernaryStorage::Base3, "tern3.v1", -1, 1, /*maxPlanes=*/2, 1, 5, 1,
     /*isTwoFour=*/false, /*hasKernels=*/false, nullptr},
    {TernaryStorage::TwoFour, "tern24.v1", -1, 1, /*maxPlanes=*/1, 64, 256,
     3072,
     /*isTwoFour=*/true, /*hasKernels=*/true, nullptr},
    {TernaryStorage::TwoFourZero, "tern24z.v1", -1, 1, /*maxPlanes=*/1, 64, 256,
     4096, /*isTwoFour=*/true, /*hasKernels=*/true, nullptr},
    cacheLayout(TernaryStorage::KeyPlanes, "ternk.v1", -1, 1, 2, false),
    cacheLayout(TernaryStorage::ValuePlanes, "ternv.v1", -1, 1, 2, true),
    {TernaryStorage::Int4, "int4.v1", -8, 7, /*maxPlanes=*/1, 64, 64, 2048,
     /*isTwoFour=*/false, /*hasKernels=*/true, &kInt4V1},
    cacheLayout(TernaryStorage::KeyInt8, "int8k.v1", -128, 127, 8, false),
    cacheLayout(TernaryStorage::ValueInt8, "int8v.v1", -128, 127, 8, true),
    cacheLayout(TernaryStorage::KeyInt4, "int4k.v1", -8, 7, 4, false),
    cacheLayout(TernaryStorage::ValueInt4, "int4v.v1", -8, 7, 4, true),
    cacheLayout(TernaryStorage::KeyE4M3, "e4m3k.v1", -448, 448, 8, false,
                /*isFloat=*/true),
    cacheLayout(TernaryStorage::ValueE4M3, "e4m3v.v1", -448, 448, 8, true,
                /*isFloat=*/true),
    {TernaryStorage::Int8, "int8.v1", -127, 127, /*maxPlanes=*/1, 64, 32, 2048,
     /*isTwoFour=*/false, /*hasKernels=*/true, &kInt8V1},
};

const PackedLayout &mlir::sparseflow::getPackedLayout(TernaryStorage storage) {
  for (const PackedLayout &layout : kLayouts)
    if (layout.storage == storage)
      return layout;
  llvm_unreachable("a storage without a layout");
}

const PackedLayout *mlir::sparseflow::findPackedLayout(StringRef name) {
  for (const PackedLayout &layout : kLayouts)
    if (layout.name == name)
      return &layout;
  return nullptr;
}
