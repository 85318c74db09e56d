//===- storage.h - One way to store quantized weights -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the packer, the container, manifests and the tools know of a packed
// layout of docs/formats. A new one is a file of this folder and its name in
// the two lists below.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_TERNARY_STORAGES_STORAGE_H
#define SPARSEFLOW_RT_TERNARY_STORAGES_STORAGE_H

#include <cstdint>

namespace sparseflow::rt {

/// How numbers are stored. Values are those of sf_ternary_layout.
enum class TernaryStorage {
  /// tern.v1: 2-bit codes in the order of matrix instructions.
  Codes = 1,
  /// ternbp.v1: a bit plane of the +1s and one of the -1s, row after row.
  BitPlanes = 2,
  /// tern3.v1: five trits a byte in base 3, row after row.
  Base3 = 3,
  /// tern24.v1: exactly two of four columns, a sign bit each: 1.5 bits.
  TwoFour = 4,
  /// tern24z.v1: at most two of four columns, a 2-bit code each: 2 bits.
  TwoFourZero = 5,
  /// int4.v1: 4-bit codes in the order of matrix instructions.
  Int4 = 6,
  /// int8.v1: bytes in the order of matrix instructions.
  Int8 = 7
};

struct Storage {
  TernaryStorage number{};
  /// The name of the layout, such as "tern.v1", the word of manifests, such as
  /// "codes", and the --format of sparseflow pack.
  const char *layout = "", *word = "", *format = "";
  /// The smallest and the largest weight before it is scaled.
  int low = -1, high = 1;
  int maxPlanes = 1;
  /// Nonzeros of four columns, at most or `exactly`; 4: any number.
  int nonzeros = 4;
  bool exactly = false;
  /// What is wrong with a code that means no weight: "expected ..., found ...".
  /// It decodes to a number outside of `low` to `high`.
  const char *illegal = "";
  /// A unit of a plane: rows (1 or 64), columns and bytes. Units that follow
  /// one another are those of a row, or of 64.
  int64_t rows = 1, columns = 1, bytes = 1;

  /// Of units of 64 rows. `row` and `row8` are rows g and g + 8 of 16, as many
  /// columns as the unit has, and `pair` (0 to 31) says which of them. False if
  /// anything is not legal.
  bool (*encodePair)(const int8_t *row, const int8_t *row8, int pair,
                     uint8_t *unit) = nullptr;
  bool (*decodePair)(const uint8_t *unit, int pair, int8_t *row,
                     int8_t *row8) = nullptr;
  /// Of units of one row: `count` weights. The bytes of a row are in `parts`
  /// places, `stride` bytes apart.
  int parts = 1;
  bool (*encodeRow)(const int8_t *row, int64_t count, uint8_t *bytes,
                    int64_t stride) = nullptr;
  bool (*decodeRow)(const uint8_t *bytes, int64_t count, int64_t stride,
                    int8_t *row) = nullptr;

  bool isTwoFour() const { return nonzeros == 2; }
  /// Whether weights are -1, 0 or 1.
  bool isTernary() const { return low == -1 && high == 1; }
};

extern const Storage kTernV1, kTernBpV1, kTern3V1, kTern24V1, kTern24zV1,
    kInt4V1, kInt8V1;

/// In the order of their numbers.
inline constexpr const Storage *kStorages[] = {
    &kTernV1,    &kTernBpV1, &kTern3V1, &kTern24V1,
    &kTern24zV1, &kInt4V1,   &kInt8V1};

/// Null where there is none of that number.
const Storage *findStorage(TernaryStorage number);
/// The same of one that there is: formats are verified before their storage is
/// asked for.
inline const Storage &storageOf(TernaryStorage number) {
  return *findStorage(number);
}

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_TERNARY_STORAGES_STORAGE_H
