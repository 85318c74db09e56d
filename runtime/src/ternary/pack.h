//===- pack.h - Packs, checks and unpacks quantized weights -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers (trits of ternary weights) are one signed byte each, [planes][n][k]
// without gaps. Scales are
// floats, [planes][1] for a tensor, [planes][n] for rows, [planes][groups][n]
// for groups (group-major, as in the blob). Every function uses up to `threads`
// threads (0: one a core), gives the same bytes for every number of threads and
// may run concurrently on different buffers. After a failure the contents of
// the output are unspecified.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_TERNARY_PACK_H
#define SPARSEFLOW_RT_TERNARY_PACK_H

#include "ternary/format.h"

#include <cstdint>
#include <string>

namespace sparseflow::rt {

/// Writes every byte of the format.blobBytes() at `blob`. Refuses, with the
/// first place in row-major order: a number that the storage does not hold, of
/// trits one outside {-1, 0, 1}; for tern24.v1 a group of four columns without
/// exactly two non-zeros, for tern24z.v1 one with more than two; a scale that
/// is not finite or that the scale type cannot hold exactly (round first, see
/// roundScales).
Status packTernary(const int8_t *trits, const float *scales,
                   const TernaryFormat &format, const std::string &name,
                   int threads, uint8_t *blob);

/// The exact inverse; checks everything on the way: illegal codes, bits of both
/// planes, bytes above 242, index pairs that do not increase, padding that is
/// not what the packer writes, scales that are not finite. `trits` and `scales`
/// may be null: then it only checks.
Status unpackTernary(const uint8_t *blob, const TernaryFormat &format,
                     const std::string &name, int threads, int8_t *trits,
                     float *scales);

/// One scale in the bytes of `type`, rounded to nearest, ties to even.
void storeScale(float value, sf_dtype type, uint8_t *to);
float loadScale(const uint8_t *from, sf_dtype type);

/// Rounds `count` floats to what `type` holds (nearest, ties to even), in
/// place.
void roundScales(float *scales, int64_t count, sf_dtype type);

/// The value of every weight: result[n * k] = sum of scale * trit, added in f32
/// in the order of the planes.
void expandTernary(const int8_t *trits, const float *scales,
                   const TernaryFormat &format, int threads, float *result);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_TERNARY_PACK_H
