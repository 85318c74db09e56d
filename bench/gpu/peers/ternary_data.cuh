//===- ternary_data.cuh - Ternary matrices for ternary_peers.cu -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random ternary weights made on the GPU, as f16, as 8-bit numbers, and packed
// as docs/formats/ternary.md says; activations quantised by the rule of
// sparseflow.quantize. Written apart from the runtime's packer and from the
// kernels: that they agree says something of both.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_TERNARY_DATA_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_TERNARY_DATA_CUH

#include "data.cuh"

/// Which weights: random ones with 40 % zeros, or exactly two of four.
struct Trits {
  uint64_t seed;
  bool twoFour;
  long n, k;

  /// Positions (0..5, the pairs in order) and signs of a group of four.
  __device__ uint64_t bits(long row, long group) const {
    return mix(seed * 0x100000001b3ull + uint64_t(row) * 0x10001 +
               (uint64_t(group) << 40));
  }
  __device__ int at(long row, long column) const {
    if (row >= n || column >= k)
      return 0;
    uint64_t z = bits(row, column / 4);
    if (twoFour) {
      int first, second;
      positions(z, first, second);
      int p = int(column % 4);
      return p == first    ? z >> 40 & 1 ? -1 : 1
             : p == second ? z >> 41 & 1 ? -1 : 1
                           : 0;
    }
    // 16 bits a weight.
    unsigned v = unsigned(z >> (column % 4 * 16)) & 0xffff;
    return v < 26214 ? 0 : v & 1 ? 1 : -1;
  }
  __device__ static void positions(uint64_t z, int &first, int &second) {
    constexpr int firsts[6] = {0, 0, 0, 1, 1, 2},
                  seconds[6] = {1, 2, 3, 2, 3, 3};
    int pair = int((z & 0xffffffff) % 6);
    first = firsts[pair];
    second = seconds[pair];
  }
};

/// The scale of a row: exact in f16, so that trit times scale is as well.
__device__ inline float rowScale(uint64_t seed, long row) {
  return float(512 + mix(seed + uint64_t(row) * 77) % 512) * 0x1p-15f;
}

/// w as f16 and as 8-bit numbers (either may be null).
__global__ void fillDense(Trits trits, uint16_t *halves, int8_t *bytes) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
       i < size_t(trits.n) * trits.k; i += step) {
    long row = long(i / trits.k);
    int trit = trits.at(row, long(i % trits.k));
    if (halves)
      halves[i] = toBits(float(trit) * rowScale(trits.seed, row), false);
    if (bytes)
      bytes[i] = int8_t(trit);
  }
}

/// Bytes of the trits of a blob; scales are behind them.
inline size_t tritBytes(bool twoFour, long n, long k) {
  long nb = (n + 63) / 64;
  return twoFour ? size_t(nb) * ((k + 255) / 256) * 3072
                 : size_t(nb) * ((k + 127) / 128) * 2048;
}
/// Of a blob with an f32 scale for each row; the trits are whole units of 256.
inline size_t blobBytes(bool twoFour, long n, long k) {
  return tritBytes(twoFour, n, k) + size_t((n + 63) / 64) * 64 * 4;
}

/// Layout tern.v1, a byte a thread.
__device__ inline uint8_t codesByte(const Trits &trits, size_t at) {
  long kb = (trits.k + 127) / 128, unit = long(at / 2048);
  int byte = int(at % 2048), m = byte / 512, lane = byte / 16 % 32,
      s = byte / 4 % 4, j = byte % 4 / 2, h = byte % 2;
  uint8_t value = 0;
  for (int r = 0; r < 2; ++r)
    for (int t = 0; t < 2; ++t) {
      long row = unit / kb * 64 + 16 * m + 8 * r + lane / 4;
      long column = unit % kb * 128 + 32 * s + 16 * t + 8 * h + 2 * (lane % 4);
      value |= uint8_t((trits.at(row, column + j) + 1) << 2 * (r + 2 * t));
    }
  return value;
}

/// Layout tern24.v1, a byte a thread.
__device__ inline uint8_t twoFourByte(const Trits &trits, size_t at) {
  long kb = (trits.k + 255) / 256, unit = long(at / 3072);
  long rows = unit / kb * 64, columns = unit % kb * 256;
  int byte = int(at % 3072), first, second;
  uint8_t value = 0;
  if (byte < 2048) {
    // Metadata: two groups a byte.
    int m = byte / 512, lane = byte / 16 % 32, e = byte / 4 % 4, q = lane % 4;
    long row = rows + 16 * m + 8 * (q % 2) + lane / 4;
    for (int half = 0; half < 2; ++half) {
      long column =
          columns + 64 * e + 32 * (q / 2) + 4 * (2 * (byte % 4) + half);
      first = 0;
      second = 1;
      if (row < trits.n && column < trits.k)
        Trits::positions(trits.bits(row, column / 4), first, second);
      value |= uint8_t((first | second << 2) << 4 * half);
    }
    return value;
  }
  byte -= 2048;
  int m = byte / 256, lane = byte / 8 % 32, word = byte / 4 % 2, b = byte % 4;
  for (int bit = 0; bit < 8; ++bit) {
    int e = 2 * word + bit / 4, f = bit % 4;
    int x = 16 * (f / 2) + 4 * (lane % 4) + b;
    long row = rows + 16 * m + 8 * (f % 2) + lane / 4,
         column = columns + 64 * e + 4 * (x / 2);
    if (row >= trits.n || column >= trits.k)
      continue;
    Trits::positions(trits.bits(row, column / 4), first, second);
    value |= uint8_t((trits.at(row, column + (x % 2 ? second : first)) < 0)
                     << (7 - bit));
  }
  return value;
}

__global__ void packTrits(Trits trits, size_t bytes, uint8_t *blob) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < bytes;
       i += step)
    blob[i] = trits.twoFour ? twoFourByte(trits, i) : codesByte(trits, i);
}
__global__ void packScales(Trits trits, float *scales) {
  long row = blockIdx.x * long(blockDim.x) + threadIdx.x;
  if (row < (trits.n + 63) / 64 * 64)
    scales[row] = row < trits.n ? rowScale(trits.seed, row) : 0;
}

/// One block a token: q[t][k] and s[t] from x[t][k], by the rule of
/// sparseflow.quantize.
__global__ void quantizeTokens(const uint16_t *x, long k, int8_t *q,
                               float *scales) {
  __shared__ unsigned most;
  long t = blockIdx.x;
  if (threadIdx.x == 0)
    most = 0;
  __syncthreads();
  for (long i = threadIdx.x; i < k; i += blockDim.x)
    atomicMax(&most, __float_as_uint(fabsf(fromBits(x[t * k + i], false))));
  __syncthreads();
  float m = fmaxf(__uint_as_float(most), 1e-5f);
  float inverse = __fdiv_rn(127.f, m);
  for (long i = threadIdx.x; i < k; i += blockDim.x) {
    int value =
        __float2int_rn(__fmul_rn(fromBits(x[t * k + i], false), inverse));
    q[t * k + i] = int8_t(max(-127, min(127, value)));
  }
  if (threadIdx.x == 0)
    scales[t] = __fdiv_rn(m, 127.f);
}

/// y[t][n] from exact sums: the roundings of the compiled program.
__global__ void finishSums(const int *sums, const float *tokens, uint64_t seed,
                           long t, long n, uint16_t *y) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
       i < size_t(t) * n; i += step) {
    float product = __fmul_rn(float(sums[i]), rowScale(seed, long(i % n)));
    y[i] = toBits(__fmul_rn(product, tokens[i / n]), false);
  }
}

/// What the elements of y are off reference: how many differ (a zero's sign
/// does not count), and the largest |y - reference| / (|reference| + unit), in
/// bits of a float, with NaN above everything.
struct Difference {
  unsigned long long count;
  unsigned largest;
};

__global__ void compareResults(const uint16_t *y, const uint16_t *reference,
                               size_t count, float unit, Difference *out) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += step) {
    uint16_t a = y[i], b = reference[i];
    if (a == b || !((a | b) & 0x7fff))
      continue;
    float wanted = fromBits(b, false);
    float error = fabsf(fromBits(a, false) - wanted) / (fabsf(wanted) + unit);
    atomicAdd(&out->count, 1ull);
    atomicMax(&out->largest, __float_as_uint(error) & 0x7fffffff);
  }
}

/// sums[0] += sum y^2.
__global__ void sumSquares(const uint16_t *y, size_t count, double *sums) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  double sum = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += step)
    sum += double(fromBits(y[i], false)) * fromBits(y[i], false);
  atomicAdd(sums, sum);
}

__global__ void emptyKernel() {}

/// A block of 256 threads copies 16 kB.
__global__ void copyKernel(const uint4 *from, uint4 *to) {
  size_t first = blockIdx.x * size_t(1024) + threadIdx.x;
  uint4 values[4];
  for (int i = 0; i < 4; ++i)
    values[i] = from[first + 256 * i];
  for (int i = 0; i < 4; ++i)
    to[first + 256 * i] = values[i];
}

#endif // SPARSEFLOW_BENCH_GPU_PEERS_TERNARY_DATA_CUH
