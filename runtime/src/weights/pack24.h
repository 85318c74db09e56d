//===- pack24.h - Packs, prunes, checks and unpacks 2:4 ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All functions take dense matrices as row-major [N][K] 16-bit elements without
// gaps, and packed blobs as described in layout24.h. They use up to `threads`
// threads (0: one a core), give the same bytes for every number of threads, and
// may run concurrently on different buffers.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_WEIGHTS_PACK24_H
#define SPARSEFLOW_RT_WEIGHTS_PACK24_H

#include "weights/dtype.h"
#include "weights/layout24.h"

#include <string>

namespace sparseflow::rt {

struct PackOptions {
  /// Named in error texts; may be empty.
  std::string name;
  /// Keep the two largest magnitudes of each group (ties: lower column) rather
  /// than refuse a group with more than two non-zeros.
  bool prune = false;
  /// Accept NaN and infinity. NaN counts as larger than infinity.
  bool allowNonFinite = false;
  /// Fill the energies of the report; costs a second read of the data.
  bool measureEnergy = false;
  int threads = 0;
};

struct PackReport {
  /// Elements that were non-zero before and that are stored.
  int64_t nonZeros = 0;
  int64_t keptNonZeros = 0;
  /// Sums of squares before and after (0 unless measureEnergy).
  double energy = 0;
  double keptEnergy = 0;

  /// Share of the energy that was kept: 1 for an all-zero matrix.
  double keptShare() const { return energy == 0 ? 1 : keptEnergy / energy; }
};

/// Packs `dense` into the layout.blobBytes() bytes at `blob`. Writes every byte
/// of the blob. -0.0 is a zero and becomes +0.0. Fails on a non-finite element
/// and, without `prune`, on a group with more than two non-zeros; the text
/// names the first such place in row-major order. After a failure the contents
/// of `blob` are unspecified.
Status pack24(const uint16_t *dense, const Layout24 &layout, sf_dtype dtype,
              const PackOptions &options, uint8_t *blob,
              PackReport *report = nullptr);

/// Prunes in place to 2:4 with pack24's rule: dropped elements and -0.0 become
/// +0.0. The report's energies are filled when options.measureEnergy is set.
Status prune24(uint16_t *dense, const Layout24 &layout, sf_dtype dtype,
               const PackOptions &options, PackReport *report = nullptr);

/// Checks every index pair (strictly increasing), the canonical padding of
/// groups with fewer than two non-zeros, and that rows >= N and columns >= K
/// are empty. The text names the first violation: its row, column and unit.
Status validate24(const uint8_t *blob, const Layout24 &layout, int threads,
                  const std::string &name = {});

/// The exact inverse of pack24 (apart from -0.0); validates on the way. After
/// a failure the contents of `dense` are unspecified.
Status unpack24(const uint8_t *blob, const Layout24 &layout, int threads,
                uint16_t *dense, const std::string &name = {});

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_WEIGHTS_PACK24_H
