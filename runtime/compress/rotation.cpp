//===- rotation.cpp - Random Hadamard rotations ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/rotation.h"

#include <cmath>
#include <random>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

static constexpr int64_t kMaxPaley = 1024;

static bool isPrime(int64_t n) {
  for (int64_t i = 2; i * i <= n; ++i)
    if (n % i == 0)
      return false;
  return n >= 2;
}

/// The prime of Paley's construction of this order, or 0: order - 1 where it
/// is 3 modulo 4, half the order less 1 where that is 1 modulo 4.
static int64_t paleyPrime(int64_t order) {
  int64_t first = order - 1, second = order / 2 - 1;
  if (order % 4 != 0)
    return 0;
  if (first % 4 == 3 && isPrime(first))
    return first;
  return order % 2 == 0 && second % 4 == 1 && isPrime(second) ? second : 0;
}

/// Jacobsthal's matrix with a border: [q + 1][q + 1], 0 on the diagonal, and
/// C C^T = q I. Symmetric for q = 1 modulo 4, else skew.
static std::vector<int8_t> conference(int64_t q) {
  int64_t size = q + 1;
  std::vector<int8_t> residue(q, -1), matrix(size * size);
  residue[0] = 0;
  for (int64_t i = 1; i < q; ++i)
    residue[i * i % q] = 1;
  for (int64_t i = 0; i < q; ++i) {
    matrix[i + 1] = 1;
    matrix[(i + 1) * size] = q % 4 == 1 ? 1 : -1;
    for (int64_t j = 0; j < q; ++j)
      matrix[(i + 1) * size + j + 1] = residue[(i - j + q) % q];
  }
  return matrix;
}

static std::vector<int8_t> paleyMatrix(int64_t order) {
  if (order == 1)
    return {1};
  int64_t q = paleyPrime(order), half = q + 1;
  std::vector<int8_t> c = conference(q), matrix(order * order);
  if (half == order) {
    for (int64_t i = 0; i < order * order; ++i)
      matrix[i] = c[i] + (i / order == i % order);
    return matrix;
  }
  // Each 0 becomes [1 -1; -1 -1], each s a multiple of [1 1; 1 -1].
  for (int64_t i = 0; i < order; ++i)
    for (int64_t j = 0; j < order; ++j) {
      int8_t s = c[i / 2 * half + j / 2];
      bool low = i % 2 && j % 2;
      if (s == 0)
        matrix[i * order + j] = i % 2 || j % 2 ? -1 : 1;
      else
        matrix[i * order + j] = low ? -s : s;
    }
  return matrix;
}

Expected<Rotation> Rotation::create(int64_t size, uint64_t seed,
                                    int64_t block) {
  if (size < 1 || block < 0 || (block && size % block))
    return invalidArgument(
        "expected a rotation of at least 1 number, in blocks that divide "
        "them, found " +
        std::to_string(size) + " in blocks of " + std::to_string(block));
  int64_t whole = block ? block : size;
  Rotation rotation;
  rotation.vectorSize = size;
  int64_t power = whole & -whole;
  rotation.sylvesterOrder = power;
  // The smallest Paley matrix: Sylvester's part is the fast one.
  if (power != whole)
    for (int64_t two = power; two >= 1; two /= 2)
      if (whole / two <= kMaxPaley && paleyPrime(whole / two)) {
        rotation.paleyOrder = whole / two;
        rotation.sylvesterOrder = two;
        break;
      }
  rotation.paley = paleyMatrix(rotation.paleyOrder);
  std::mt19937_64 random(seed);
  std::vector<int8_t> signs(whole);
  for (int8_t &sign : signs)
    sign = random() >> 63 ? 1 : -1;
  for (int64_t i = 0; i < size; ++i)
    rotation.signs.push_back(signs[i % whole]);
  return rotation;
}

/// The row vector x becomes x Q.
template <typename T>
void Rotation::rotate(T *vector, std::vector<T> &scratch) const {
  int64_t inner = sylvesterOrder, outer = paleyOrder;
  T scale = 1 / std::sqrt(static_cast<T>(order()));
  for (int64_t i = 0; i < vectorSize; ++i)
    vector[i] *= signs[i] * scale;
  for (T *block = vector; block < vector + vectorSize; block += order()) {
    for (int64_t half = 1; half < inner; half *= 2)
      for (int64_t i = 0; i < order(); ++i)
        if (!(i & half)) {
          T a = block[i], b = block[i + half];
          block[i] = a + b;
          block[i + half] = a - b;
        }
    if (outer == 1)
      continue;
    scratch.assign(order(), 0);
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t j = 0; j < outer; ++j)
        for (int64_t c = 0; c < inner; ++c)
          scratch[j * inner + c] += paley[i * outer + j] * block[i * inner + c];
    std::copy(scratch.begin(), scratch.end(), block);
  }
}

template <typename T>
void Rotation::rotateInputs(T *matrix, int64_t rows) const {
  std::vector<T> scratch;
  for (int64_t r = 0; r < rows; ++r)
    rotate(matrix + r * vectorSize, scratch);
}

template <typename T>
void Rotation::rotateOutputs(T *matrix, int64_t columns) const {
  std::vector<T> scratch, column(vectorSize);
  for (int64_t c = 0; c < columns; ++c) {
    for (int64_t i = 0; i < vectorSize; ++i)
      column[i] = matrix[i * columns + c];
    rotate(column.data(), scratch);
    for (int64_t i = 0; i < vectorSize; ++i)
      matrix[i * columns + c] = column[i];
  }
}

template void Rotation::rotateInputs(float *, int64_t) const;
template void Rotation::rotateInputs(double *, int64_t) const;
template void Rotation::rotateOutputs(float *, int64_t) const;
template void Rotation::rotateOutputs(double *, int64_t) const;
