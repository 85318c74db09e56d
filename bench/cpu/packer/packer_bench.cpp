//===- packer_bench.cpp - Speed of the 2:4 packer -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes a second count the dense side: n * k * 2 bytes of f16 (for conversions
// the f32 source). The goal is 1 GB/s a core for pack with and without prune.
//
//===----------------------------------------------------------------------===//

#include "weights/convert.h"
#include "weights/crc32c.h"
#include "weights/pack24.h"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

using namespace sparseflow::rt;

namespace {

/// One FFN matrix of a 7B model: 90 MB dense, far larger than any cache.
constexpr int64_t kRows = 11008, kCols = 4096;

struct Matrix {
  Layout24 layout;
  std::vector<float> full;
  std::vector<uint16_t> dense, sparse;
  std::vector<uint8_t> blob;
};

const Matrix &matrix() {
  static const Matrix result = [] {
    Matrix m;
    m.layout = *Layout24::create(kRows, kCols);
    m.full.resize(kRows * kCols);
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0.f, 0.02f);
    for (float &value : m.full)
      value = normal(random);
    m.dense.resize(m.full.size());
    (void)convert(m.full.data(), SF_DTYPE_F32, m.dense.data(), SF_DTYPE_F16,
                  m.full.size(), {});
    m.sparse = m.dense;
    (void)prune24(m.sparse.data(), m.layout, SF_DTYPE_F16, {});
    m.blob.resize(m.layout.blobBytes());
    (void)pack24(m.sparse.data(), m.layout, SF_DTYPE_F16, {}, m.blob.data());
    return m;
  }();
  return result;
}

void check(benchmark::State &state, const Status &status) {
  if (!status)
    state.SkipWithError(status.text().c_str());
}

void count(benchmark::State &state, int64_t bytes) {
  state.SetBytesProcessed(state.iterations() * bytes);
}

void pack(benchmark::State &state, bool prune, bool energy) {
  const Matrix &m = matrix();
  std::vector<uint8_t> blob(m.layout.blobBytes());
  PackOptions options;
  options.prune = prune;
  options.measureEnergy = energy;
  options.threads = state.range(0);
  for (auto _ : state)
    check(state, pack24(prune ? m.dense.data() : m.sparse.data(), m.layout,
                        SF_DTYPE_F16, options, blob.data()));
  count(state, m.layout.denseBytes());
}

void prune(benchmark::State &state) {
  const Matrix &m = matrix();
  std::vector<uint16_t> work = m.dense;
  PackOptions options;
  options.threads = state.range(0);
  for (auto _ : state)
    check(state, prune24(work.data(), m.layout, SF_DTYPE_F16, options));
  count(state, m.layout.denseBytes());
}

void unpack(benchmark::State &state) {
  const Matrix &m = matrix();
  std::vector<uint16_t> dense(m.dense.size());
  for (auto _ : state)
    check(state,
          unpack24(m.blob.data(), m.layout, state.range(0), dense.data()));
  count(state, m.layout.denseBytes());
}

void validate(benchmark::State &state) {
  const Matrix &m = matrix();
  for (auto _ : state)
    check(state, validate24(m.blob.data(), m.layout, state.range(0)));
  count(state, m.layout.denseBytes());
}

void convertFromFloat(benchmark::State &state, sf_dtype dtype) {
  const Matrix &m = matrix();
  std::vector<uint16_t> result(m.full.size());
  ConvertOptions options;
  options.threads = state.range(0);
  for (auto _ : state)
    check(state, convert(m.full.data(), SF_DTYPE_F32, result.data(), dtype,
                         m.full.size(), options));
  count(state, m.full.size() * 4);
}

void checksum(benchmark::State &state) {
  const Matrix &m = matrix();
  for (auto _ : state)
    benchmark::DoNotOptimize(crc32c(m.blob.data(), m.blob.size()));
  count(state, m.blob.size());
}

} // namespace

// The time is that of all threads together: bytes a second are per core.
#define THREADS                                                                \
  ->Arg(1)->Arg(2)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond)
BENCHMARK_CAPTURE(pack, already_sparse, false, false) THREADS;
BENCHMARK_CAPTURE(pack, prune, true, false) THREADS;
BENCHMARK_CAPTURE(pack, prune_and_energy, true, true) THREADS;
BENCHMARK(prune) THREADS;
BENCHMARK(unpack) THREADS;
BENCHMARK(validate) THREADS;
BENCHMARK_CAPTURE(convertFromFloat, f16, SF_DTYPE_F16) THREADS;
BENCHMARK_CAPTURE(convertFromFloat, bf16, SF_DTYPE_BF16) THREADS;
BENCHMARK(checksum)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
