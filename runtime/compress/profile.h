//===- profile.h - What a matrix could become -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_PROFILE_H
#define SPARSEFLOW_RT_COMPRESS_PROFILE_H

#include "common/status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparseflow::rt::compress {

/// What the weights alone say; no inputs are known.
struct Profile {
  struct Pattern {
    int keep, group;
    /// The share of groups that have at most `keep` non-zeros, and of the sum
    /// of squares that the `keep` largest of each group hold. -1: k is no
    /// multiple of the group.
    double conforming, keptEnergy;
  };
  struct Grid {
    /// As formatFromName reads it, and the columns of a scale; 0: a row.
    std::string format;
    int64_t scaleColumns;
    /// ||W - W'|| / ||W||; 0: the format holds the weights exactly.
    double error;
    /// -20 log10(error); infinite for 0.
    double decibels() const;
  };

  int64_t weights = 0, zeros = 0;
  std::vector<Pattern> patterns;
  std::vector<Grid> grids;
  /// Tiles of 16 rows and 64 columns, or what the edges leave of them, and
  /// those of which all weights are zero.
  int64_t tiles = 0, emptyTiles = 0;
  /// Of the two planes of each tile, its positive and its negative weights,
  /// those with none.
  int64_t emptyPlanes = 0;
  /// Every row holds one magnitude and zeros: trits with a scale a row.
  bool isTernary = false;
  /// Mean magnitudes of cells of the matrix, row-major [mapRows][mapColumns],
  /// over the largest of them; at most 16 x 64.
  int64_t mapRows = 0, mapColumns = 0;
  std::vector<float> map;
};

/// Profiles row-major [n][k]. SF_ERROR_FORMAT: NaN or infinity.
Status profileLayer(const float *weights, int64_t n, int64_t k, int threads,
                    Profile &profile);

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_PROFILE_H
