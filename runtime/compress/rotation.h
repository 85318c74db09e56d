//===- rotation.h - Random Hadamard rotations -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An orthogonal Q spreads the few large numbers of a vector over all of it, so
// that one scale serves them. Where a vector is only read by linear layers, Q
// is folded into weights and costs nothing at run time: layers that write it
// become Q^T W, layers that read it W Q. The residual stream of a transformer
// is such a vector once the weights of its RMS norms are folded into the layers
// that follow (foldNorm), since the norm itself does not see Q; and so are the
// values of each head, between the value and the output projection.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_ROTATION_H
#define SPARSEFLOW_RT_COMPRESS_ROTATION_H

#include "common/status.h"

#include <cstdint>
#include <vector>

namespace sparseflow::rt::compress {

/// Q = D (I x P x S) / sqrt(order): signs, then blocks of a Hadamard matrix,
/// the Kronecker product of one by Paley and one by Sylvester. Immutable.
class Rotation {
public:
  /// Of vectors of `size` numbers. The blocks are as large as there are
  /// matrices for: all of it where size is 2^a times the order of a Paley
  /// matrix up to 1,024 (576, 1536, 4096, 14336), else the largest power of
  /// two that divides it. `block` > 0: blocks of so many numbers, with the
  /// same signs in each; one block a head. `seed` decides the signs.
  /// SF_ERROR_INVALID_ARGUMENT: size < 1, or no multiple of the block.
  static Expected<Rotation> create(int64_t size, uint64_t seed,
                                   int64_t block = 0);

  int64_t size() const { return vectorSize; }
  /// Numbers that are mixed with each other; 1: the size is odd and no Paley
  /// matrix has it, so that Q is signs alone.
  int64_t order() const { return paleyOrder * sylvesterOrder; }

  /// W becomes W Q: row-major [rows][size], in place.
  template <typename T>
  void rotateInputs(T *matrix, int64_t rows) const;
  /// W becomes Q^T W: row-major [size][columns], in place.
  template <typename T>
  void rotateOutputs(T *matrix, int64_t columns) const;

private:
  template <typename T>
  void rotate(T *vector, std::vector<T> &scratch) const;

  int64_t vectorSize = 0, paleyOrder = 1, sylvesterOrder = 1;
  /// Row-major [paleyOrder][paleyOrder], of 1 and -1.
  std::vector<int8_t> paley;
  /// [size], 1 and -1.
  std::vector<int8_t> signs;
};

/// Multiplies the columns of row-major [n][k] `matrix` by `norm` [k], the
/// weights of the RMS norm before it, which then are all 1.
template <typename T>
void foldNorm(T *matrix, int64_t n, int64_t k, const T *norm) {
  for (int64_t i = 0; i < n * k; ++i)
    matrix[i] *= norm[i % k];
}

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_ROTATION_H
