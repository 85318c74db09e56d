//===- support.cpp - Which weights of a group stay ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With A the inverse of the group's block of H, v = W' + A (W - W') H is the
// group's optimum without a rule. To hold the columns of a set D at zero costs
// v_D^T (A_DD)^-1 v_D, and the best values of the others are v - A_D (A_DD)^-1
// v_D. Neither A nor (A_DD)^-1 depends on the row.
//
//===----------------------------------------------------------------------===//

#include "compress/solver/support.h"

#include <algorithm>
#include <limits>

using namespace sparseflow::rt::compress;

static constexpr int kMaxGroup = 16;
static constexpr size_t kMaxSets = 70;

/// Inverts the positive definite [size][size] matrix in place.
static void invert(double *a, int size) {
  for (int p = 0; p < size; ++p) {
    double pivot = 1 / a[p * size + p];
    a[p * size + p] = 1;
    for (int j = 0; j < size; ++j)
      a[p * size + j] *= pivot;
    for (int i = 0; i < size; ++i) {
      if (i == p)
        continue;
      double factor = a[i * size + p];
      a[i * size + p] = 0;
      for (int j = 0; j < size; ++j)
        a[i * size + j] -= factor * a[p * size + j];
    }
  }
}

/// The columns of a set, ascending; returns how many.
static int columnsOf(uint32_t set, int *columns) {
  int count = 0;
  for (int c = 0; set >> c; ++c)
    if (set >> c & 1)
      columns[count++] = c;
  return count;
}

Support::Support(int keep, int group)
    : keep(keep), group(group), inverse(group * group) {
  int drops = group - keep;
  double count = 1;
  for (int i = 0; i < drops; ++i)
    count = count * (group - i) / (i + 1);
  if (count > kMaxSets)
    return;
  for (uint32_t set = 1u << group; set-- > 0;) {
    int columns[kMaxGroup];
    if (columnsOf(set, columns) == drops)
      sets.push_back(set);
  }
  costs.resize(sets.size() * drops * drops);
}

void Support::project(const float *products, int64_t stride,
                      const float *gradient, float *values) {
  for (int i = 0; i < group; ++i)
    for (int j = 0; j < group; ++j)
      inverse[i * group + j] = products[i * stride + j];
  invert(inverse.data(), group);

  float best[kMaxGroup * kSlabRows];
  std::copy(values, values + group * kSlabRows, best);
  for (int i = 0; i < group; ++i)
    for (int j = 0; j < group; ++j) {
      float factor = static_cast<float>(inverse[i * group + j]);
      for (int64_t r = 0; r < kSlabRows; ++r)
        best[i * kSlabRows + r] += factor * gradient[j * kSlabRows + r];
    }
  if (sets.empty())
    return chooseOneByOne(best, values);
  std::copy(best, best + group * kSlabRows, values);
  if (keep < group)
    chooseAmongAll(values);
}

void Support::chooseAmongAll(float *values) {
  int drops = group - keep, columns[kMaxGroup];
  float least[kSlabRows];
  size_t chosen[kSlabRows];
  for (size_t s = 0; s < sets.size(); ++s) {
    columnsOf(sets[s], columns);
    double *block = costs.data() + s * drops * drops;
    for (int i = 0; i < drops; ++i)
      for (int j = 0; j < drops; ++j)
        block[i * drops + j] = inverse[columns[i] * group + columns[j]];
    invert(block, drops);
    float cost[kSlabRows] = {};
    for (int i = 0; i < drops; ++i)
      for (int j = 0; j <= i; ++j) {
        const float *a = values + columns[i] * kSlabRows;
        const float *b = values + columns[j] * kSlabRows;
        float factor =
            static_cast<float>((i == j ? 1 : 2) * block[i * drops + j]);
        for (int64_t r = 0; r < kSlabRows; ++r)
          cost[r] += factor * a[r] * b[r];
      }
    for (int64_t r = 0; r < kSlabRows; ++r)
      if (s == 0 || cost[r] < least[r]) {
        least[r] = cost[r];
        chosen[r] = s;
      }
  }
  for (int64_t r = 0; r < kSlabRows; ++r) {
    columnsOf(sets[chosen[r]], columns);
    const double *block = costs.data() + chosen[r] * drops * drops;
    double taken[kMaxGroup] = {};
    for (int i = 0; i < drops; ++i)
      for (int j = 0; j < drops; ++j)
        taken[i] += block[i * drops + j] * values[columns[j] * kSlabRows + r];
    for (int c = 0; c < group; ++c) {
      double sum = values[c * kSlabRows + r];
      for (int i = 0; i < drops; ++i)
        sum -= inverse[c * group + columns[i]] * taken[i];
      bool goes = sets[chosen[r]] >> c & 1;
      values[c * kSlabRows + r] = goes ? 0 : static_cast<float>(sum);
    }
  }
}

double Support::eliminate(double *values, int dropped,
                          const float *only) const {
  double a[kMaxGroup * kMaxGroup], cost = 0;
  std::copy(inverse.begin(), inverse.end(), a);
  bool gone[kMaxGroup] = {};
  for (; dropped > 0; --dropped) {
    int next = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int c = group - 1; c >= 0; --c) {
      double price = values[c] * values[c] / a[c * group + c];
      if (!gone[c] && (!only || only[c * kSlabRows] == 0) &&
          (next < 0 || price < least)) {
        next = c;
        least = price;
      }
    }
    cost += least;
    gone[next] = true;
    double row[kMaxGroup], pivot = 1 / a[next * group + next];
    double value = values[next] * pivot;
    std::copy(a + next * group, a + (next + 1) * group, row);
    for (int i = 0; i < group; ++i) {
      if (gone[i])
        continue;
      values[i] -= row[i] * value;
      for (int j = 0; j < group; ++j)
        a[i * group + j] -= row[i] * pivot * row[j];
    }
    values[next] = 0;
  }
  return cost;
}

void Support::chooseOneByOne(const float *best, float *values) {
  for (int64_t r = 0; r < kSlabRows; ++r) {
    double fresh[kMaxGroup], same[kMaxGroup];
    int zeros = 0;
    for (int c = 0; c < group; ++c) {
      fresh[c] = same[c] = best[c * kSlabRows + r];
      zeros += values[c * kSlabRows + r] == 0;
    }
    double cost = eliminate(fresh, group - keep, nullptr);
    const double *chosen =
        eliminate(same, zeros, values + r) <= cost ? same : fresh;
    for (int c = 0; c < group; ++c)
      values[c * kSlabRows + r] = static_cast<float>(chosen[c]);
  }
}
