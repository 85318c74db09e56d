//===- codes.h - Trits of a few rows in each layout -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The smallest piece of tern.v1 with one shape everywhere is a PAIR OF ROWS:
// rows g and g + 8 of a tile of 16, all 128 columns of a unit, which is 64
// contiguous bytes, the 16 bytes of four lanes. That of tern24 is a pair of
// rows too, with 256 columns; its bytes lie in two places. Rows are padded by
// the caller with zero trits.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_TERNARY_CODES_H
#define SPARSEFLOW_RT_TERNARY_CODES_H

#include <cstdint>

namespace sparseflow::rt {

/// tern.v1: 2 x 128 trits to 64 bytes. False if a trit is none.
bool encodeCodes(const int8_t *row, const int8_t *row8, uint8_t *bytes);
/// The inverse. False if a code is 3 (its trit reads 2).
bool decodeCodes(const uint8_t *bytes, int8_t *row, int8_t *row8);

/// tern24: 2 x 256 trits to 64 bytes of metadata and 32 of signs, or with
/// `Zero` 64 of codes. False if a trit is none or a group is not 2:4.
template <bool Zero>
bool encodePairs(const int8_t *row, const int8_t *row8, uint8_t *metadata,
                 uint8_t *values);
/// The inverse. False if a nibble, a code or the padding of a group is illegal;
/// the trits of such a group read 2.
template <bool Zero>
bool decodePairs(const uint8_t *metadata, const uint8_t *values, int8_t *row,
                 int8_t *row8);

/// ternbp.v1: `count` trits to ceil(count / 64) words of either plane.
bool encodeBits(const int8_t *row, int64_t count, uint8_t *plus,
                uint8_t *minus);
/// False if a column has both bits (its trit reads 2) or a bit behind the last
/// column is set.
bool decodeBits(const uint8_t *plus, const uint8_t *minus, int64_t count,
                int8_t *row);

/// tern3.v1: `count` trits to ceil(count / 5) bytes.
bool encodeBase3(const int8_t *row, int64_t count, uint8_t *bytes);
/// False if a byte exceeds 242 (its trits read 2) or a digit behind the last
/// column is not 1.
bool decodeBase3(const uint8_t *bytes, int64_t count, int8_t *row);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_TERNARY_CODES_H
