//===- Sample.cpp - Tokens drawn from logits ------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By sorting, where kernels search: tokens in the order of their logits, of
// which a prefix is kept.
//
//===----------------------------------------------------------------------===//

#include "reference/Sample.h"

#include "common/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

using namespace sparseflow;
using namespace sparseflow::tools;

static std::vector<int64_t>
integersOf(const ReferenceCall &call, int value,
           const std::function<std::vector<double>(int)> &valueOf) {
  auto argument = static_cast<size_t>(value);
  if (argument < call.arguments.size()) {
    const HostTensor &tensor = *call.arguments[argument];
    std::vector<int64_t> all(tensor.count());
    for (size_t i = 0; i < all.size(); ++i)
      if (tensor.dtype == DType::I64) {
        std::memcpy(&all[i], tensor.data.data() + 8 * i, 8);
      } else {
        int32_t word;
        std::memcpy(&word, tensor.data.data() + 4 * i, 4);
        all[i] = word;
      }
    return all;
  }
  std::vector<double> values = valueOf(value);
  return {values.begin(), values.end()};
}

SampleRows::SampleRows(const ReferenceStep &step, const ReferenceCall &call,
                       DType stored,
                       const std::function<std::vector<double>(int)> &valueOf) {
  auto floatsOf = [&](size_t input) -> std::vector<float> {
    std::vector<double> values = valueOf(step.inputs[input].value);
    return {values.begin(), values.end()};
  };
  logits = floatsOf(0);
  roundTo(stored, logits.data(), logits.size());
  temperature = floatsOf(1);
  topK = integersOf(call, step.inputs[2].value, valueOf);
  topP = floatsOf(3);
  seed = integersOf(call, step.inputs[4].value, valueOf);
  position = integersOf(call, step.inputs[5].value, valueOf);
}

uint64_t sparseflow::tools::philox(uint64_t seed, uint32_t position) {
  auto k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
  uint32_t c[4] = {position, 0, 0, 0};
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53) * c[0], b = uint64_t(0xCD9E8D57) * c[2];
    uint32_t next[] = {
        static_cast<uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(b),
        static_cast<uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(a)};
    std::copy(std::begin(next), std::end(next), std::begin(c));
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c[0] | uint64_t(c[1]) << 32;
}

/// Floor of a * b / 2^64.
static uint64_t upperProduct(uint64_t a, uint64_t b) {
  uint64_t low = (a & 0xffffffff) * (b & 0xffffffff);
  uint64_t first = (a >> 32) * (b & 0xffffffff) + (low >> 32);
  uint64_t second = (a & 0xffffffff) * (b >> 32) + (first & 0xffffffff);
  return (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
}

// The compiler may not fuse a product and a sum (CMakeLists.txt).
static uint64_t weightOf(float logit, float largest, float scale) {
  float y = (largest - logit) * scale;
  if (!(y < 63))
    y = 63;
  auto n = static_cast<uint32_t>(y);
  float f = y - static_cast<float>(n);
  constexpr float c[] = {-0.69314706f, 0.24022436f,    -0.05549076f,
                         0.00957918f,  -0.0012747481f, 0.00010902318f};
  float p = c[5];
  for (int i = 4; i >= 0; --i)
    p = p * f + c[i];
  p = p * f + 1.0f;
  return static_cast<uint64_t>(p * 16777216.0f) << 16 >> n;
}

int32_t SampleRows::drawRow(size_t row) const {
  size_t count = logits.size() / temperature.size();
  const float *l = &logits[row * count];
  for (size_t i = 0; i < count; ++i)
    if (std::isnan(l[i]))
      return -1;
  const float *best = std::max_element(l, l + count);
  if (std::isinf(*best))
    return -1;
  if (!(temperature[row] > 0))
    return static_cast<int32_t>(best - l);

  float scale = std::min(1.4426950408889634f / temperature[row],
                         std::numeric_limits<float>::max());
  std::vector<uint64_t> weights(count);
  for (size_t i = 0; i < count; ++i)
    weights[i] = weightOf(l[i], *best, scale);
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return l[a] > l[b]; });
  // The end of tokens whose logits are that of `order[at]`.
  auto endOfTie = [&](size_t at) {
    size_t end = at;
    while (end < order.size() && l[order[end]] == l[order[at]])
      ++end;
    return end;
  };
  if (topK[row] >= 1 && topK[row] < static_cast<int64_t>(count))
    order.resize(endOfTie(static_cast<size_t>(topK[row]) - 1));
  auto sumOf = [&] {
    return std::accumulate(
        order.begin(), order.end(), uint64_t(0),
        [&](uint64_t sum, size_t i) { return sum + weights[i]; });
  };
  if (!(topP[row] >= 1)) {
    float share = topP[row] > 0 ? topP[row] : 0;
    uint64_t limit = std::max<uint64_t>(
        1, upperProduct(sumOf(), static_cast<uint64_t>(share * 4294967296.0f)
                                     << 32));
    uint64_t sum = 0;
    for (size_t at = 0; at < order.size() && sum < limit;) {
      size_t end = endOfTie(at);
      for (; at < end; ++at)
        sum += weights[order[at]];
      if (sum >= limit)
        order.resize(end);
    }
  }
  uint64_t place = upperProduct(philox(static_cast<uint64_t>(seed[row]),
                                       static_cast<uint32_t>(position[row])),
                                sumOf());
  std::sort(order.begin(), order.end());
  uint64_t sum = 0;
  for (size_t i : order)
    if ((sum += weights[i]) > place)
      return static_cast<int32_t>(i);
  return -1;
}

std::vector<int32_t> SampleRows::draw(int threads) const {
  std::vector<int32_t> ids(temperature.size());
  rt::parallelFor(static_cast<int64_t>(ids.size()), threads, [&](int64_t row) {
    ids[row] = drawRow(static_cast<size_t>(row));
  });
  return ids;
}
