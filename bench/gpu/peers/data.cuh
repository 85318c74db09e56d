//===- data.cuh - Matrices for peers.cu -----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random normal matrices made on the GPU, weights pruned to 2:4 and packed as
// docs/formats/packed-2-4.md says. Written apart from the runtime's packer:
// that a kernel reads it right says something of both.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_DATA_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_DATA_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define CK(call)                                                               \
  do {                                                                         \
    if (cudaError_t status = (call))                                           \
      throw std::runtime_error(std::string(#call ": ") +                       \
                               cudaGetErrorString(status));                    \
  } while (0)

/// Device memory that ends with its owner.
class DeviceBuffer {
public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(size_t bytes) { CK(cudaMalloc(&memory, bytes)); }
  DeviceBuffer(DeviceBuffer &&other) noexcept { *this = std::move(other); }
  DeviceBuffer &operator=(DeviceBuffer &&other) noexcept {
    std::swap(memory, other.memory);
    return *this;
  }
  ~DeviceBuffer() { cudaFree(memory); }
  void *get() const { return memory; }

private:
  void *memory = nullptr;
};

/// `text` as a JSON string.
inline std::string quote(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return out + "\"";
}

// Both element types are 16 bits; kernels keep them as bits.
__device__ inline uint16_t toBits(float value, bool bf16) {
  return bf16 ? __bfloat16_as_ushort(__float2bfloat16(value))
              : __half_as_ushort(__float2half(value));
}
__device__ inline float fromBits(uint16_t bits, bool bf16) {
  return bf16 ? __bfloat162float(__ushort_as_bfloat16(bits))
              : __half2float(__ushort_as_half(bits));
}

/// A well-mixed 64-bit number (splitmix64).
__device__ inline uint64_t mix(uint64_t z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// Normal numbers of deviation `scale`, four at a time; `prune` zeroes the two
/// smallest magnitudes of each four.
__global__ void fillNormal(uint16_t *out, size_t count, uint64_t seed,
                           float scale, bool prune, bool bf16) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t group = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
       group < count / 4; group += step) {
    float v[4];
    for (int pair = 0; pair < 2; ++pair) {
      uint64_t bits = mix(seed * 0x100000001b3ull + group * 2 + pair);
      float u = (float(uint32_t(bits) >> 8) + 1.f) * 0x1p-24f;
      float angle = float(uint32_t(bits >> 40)) * 0x1p-24f * 6.2831853f;
      float radius = sqrtf(-2.f * logf(u));
      v[2 * pair] = radius * cosf(angle);
      v[2 * pair + 1] = radius * sinf(angle);
    }
    int dropped = -1;
    for (int round = 0; prune && round < 2; ++round) {
      int least = -1;
      for (int i = 0; i < 4; ++i)
        if (i != dropped && (least < 0 || fabsf(v[i]) < fabsf(v[least])))
          least = i;
      v[least] = 0;
      dropped = least;
    }
    for (int i = 0; i < 4; ++i)
      out[4 * group + i] = toBits(v[i] * scale, bf16);
  }
}

/// Packs w[n][k] into layout sf24.v1; n and k are multiples of 64. One thread
/// takes 16 columns of a row: 8 values, which lie together, and 16 bits of
/// metadata.
__global__ void packWeights(const uint16_t *w, uint8_t *packed, long n,
                            long k) {
  long chunk = blockIdx.x * long(blockDim.x) + threadIdx.x;
  if (chunk >= n * (k / 16))
    return;
  long row = chunk / (k / 16), column = chunk % (k / 16) * 16;
  const uint16_t *source = w + row * k + column;
  uint16_t values[8];
  unsigned metadata = 0;
  for (int group = 0; group < 4; ++group) {
    int first = -1, second = -1;
    for (int i = 0; i < 4; ++i)
      if (source[4 * group + i] & 0x7fff) {
        if (first < 0)
          first = i;
        else
          second = i;
      }
    // Fewer than two: a position with a zero completes the pair.
    if (first < 0) {
      first = 0;
      second = 1;
    } else if (second < 0) {
      second = 3;
      if (first == 3)
        first = 2;
    }
    values[2 * group] = source[4 * group + first];
    values[2 * group + 1] = source[4 * group + second];
    metadata |= unsigned(first | second << 2) << (4 * group);
  }
  long units = (n / 64) * (k / 64), unit = row / 64 * (k / 64) + column / 64;
  int r = int(row % 64), half = int(column % 64 / 32),
      part = int(column % 32 / 16);
  uint16_t *out = reinterpret_cast<uint16_t *>(packed + unit * 4096) +
                  half * 1024 + (r / 8 * 2 + part) * 64 + r % 8 * 8;
  for (int i = 0; i < 8; ++i)
    out[i] = values[i];
  int word = r / 16 * 32 + r % 8 * 4 + half * 2 + part;
  reinterpret_cast<uint16_t *>(packed + units * 4096 +
                               unit * 512)[word * 2 + r % 16 / 8] =
      uint16_t(metadata);
}

/// sums[0] += sum (a - b)^2, sums[1] += sum b^2 over [rows][columns];
/// `transposed` reads a as [columns][rows].
__global__ void sumDifference(const uint16_t *a, const uint16_t *b, long rows,
                              long columns, bool transposed, bool bf16,
                              double *sums) {
  double difference = 0, norm = 0;
  size_t step = size_t(gridDim.x) * blockDim.x, count = size_t(rows) * columns;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += step) {
    size_t other = transposed ? i % columns * rows + i / columns : i;
    double x = fromBits(a[other], bf16), y = fromBits(b[i], bf16);
    difference += (x - y) * (x - y);
    norm += y * y;
  }
  atomicAdd(&sums[0], difference);
  atomicAdd(&sums[1], norm);
}

/// Counts the 16-bit words that differ.
__global__ void countDifferent(const uint16_t *a, const uint16_t *b,
                               size_t count, unsigned long long *different) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  unsigned long long found = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += step)
    found += a[i] != b[i];
  if (found)
    atomicAdd(different, found);
}

/// What comes after the products: nothing, gelu(acc + e[n]) by tanh, or
/// acc * silu(e[t][n]).
enum class Epilogue { None, BiasGelu, SiluGate };

template <typename T>
__device__ inline T applyEpilogue(Epilogue kind, T acc, T e) {
  if (kind == Epilogue::BiasGelu) {
    T v = acc + e;
    return v / 2 *
           (1 + tanh(T(0.79788456080286541) * (v + T(0.044715) * v * v * v)));
  }
  return kind == Epilogue::SiluGate ? acc * e / (1 + exp(-e)) : acc;
}

/// The same sums for `count` rows of y, spread from the first to the last,
/// against products in double. One warp an element.
__global__ void sumExactDifference(const uint16_t *x, const uint16_t *w,
                                   const uint16_t *e, const uint16_t *y, long t,
                                   long n, long k, long count, Epilogue kind,
                                   bool bf16, double *sums) {
  long warp = (blockIdx.x * long(blockDim.x) + threadIdx.x) / 32;
  if (warp >= count * n)
    return;
  long row = count > 1 ? warp / n * (t - 1) / (count - 1) : 0;
  long feature = warp % n;
  double acc = 0;
  for (long i = threadIdx.x % 32; i < k; i += 32)
    acc += double(fromBits(x[row * k + i], bf16)) *
           fromBits(w[feature * k + i], bf16);
  for (int offset = 16; offset; offset /= 2)
    acc += __shfl_xor_sync(~0u, acc, offset);
  if (threadIdx.x % 32)
    return;
  double operand = 0;
  if (kind != Epilogue::None)
    operand = fromBits(
        e[kind == Epilogue::BiasGelu ? feature : row * n + feature], bf16);
  double exact = applyEpilogue(kind, acc, operand);
  double error = fromBits(y[row * n + feature], bf16) - exact;
  atomicAdd(&sums[0], error * error);
  atomicAdd(&sums[1], exact * exact);
}

/// The matrices, several sets of each.
struct Problem {
  long t, n, k;
  bool bf16;
  Epilogue epilogue;
  int sets = 2;
  /// x [t][k]; w [n][k] with its zeros; packed: w in sf24.v1; y [t][n]; e: the
  /// operand of the epilogue, [n] or [t][n].
  std::vector<void *> x, w, packed, y, e;

  Problem(long t, long n, long k, bool bf16, Epilogue epilogue)
      : t(t), n(n), k(k), bf16(bf16), epilogue(epilogue) {
    if (t <= 0 || n <= 0 || k <= 0 || n % 64 || k % 64)
      throw std::runtime_error("expected N and K in multiples of 64");
    int l2 = 0;
    CK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
    // What the contender that reads least touches in a set.
    double bytes = 2.0 * (double(t) * k + double(t) * n) + 1.125 * n * k;
    sets = std::max(2, std::min(32, int(3.0 * l2 / bytes) + 1));
    for (int s = 0; s < sets; ++s) {
      uint16_t *xs = make(x, size_t(t) * k * 2);
      uint16_t *ws = make(w, size_t(n) * k * 2);
      uint16_t *ps = make(packed, size_t(n) * k / 64 / 64 * (4096 + 512));
      make(y, resultBytes());
      size_t operands = epilogue == Epilogue::BiasGelu   ? size_t(n)
                        : epilogue == Epilogue::SiluGate ? size_t(t) * n
                                                         : 0;
      uint16_t *es = make(e, operands * 2 + 16);
      if (operands)
        fillNormal<<<1024, 256>>>(es, operands, 2000 + s, 1.f, false, bf16);
      fillNormal<<<1024, 256>>>(xs, size_t(t) * k, 1 + s, 1.f, false, bf16);
      fillNormal<<<1024, 256>>>(ws, size_t(n) * k, 1000 + s,
                                1.f / std::sqrt(float(k)), true, bf16);
      packWeights<<<unsigned((n * k / 16 + 255) / 256), 256>>>(
          ws, reinterpret_cast<uint8_t *>(ps), n, k);
      CK(cudaGetLastError());
    }
    CK(cudaDeviceSynchronize());
  }
  Problem(const Problem &) = delete;
  size_t resultBytes() const { return size_t(t) * n * 2; }

private:
  uint16_t *make(std::vector<void *> &list, size_t bytes) {
    memory.emplace_back(bytes);
    list.push_back(memory.back().get());
    return static_cast<uint16_t *>(list.back());
  }
  std::vector<DeviceBuffer> memory;
};

/// Sums of a kernel that adds to two doubles, as a relative error.
template <typename Kernel>
double relativeError(cudaStream_t stream, Kernel kernel) {
  DeviceBuffer sums(16);
  double host[2];
  CK(cudaMemsetAsync(sums.get(), 0, 16, stream));
  kernel(static_cast<double *>(sums.get()));
  CK(cudaGetLastError());
  CK(cudaMemcpyAsync(host, sums.get(), 16, cudaMemcpyDeviceToHost, stream));
  CK(cudaStreamSynchronize(stream));
  return std::sqrt(host[0] / host[1]);
}

/// ||a - b|| / ||b||, both like p.y; `transposed`: a is [n][t].
inline double relativeDifference(const Problem &p, const void *a, const void *b,
                                 cudaStream_t stream, bool transposed = false) {
  return relativeError(stream, [&](double *sums) {
    sumDifference<<<256, 256, 0, stream>>>(static_cast<const uint16_t *>(a),
                                           static_cast<const uint16_t *>(b),
                                           p.t, p.n, transposed, p.bf16, sums);
  });
}

/// ||p.y[0] - exact|| / ||exact|| over at most 32 rows, against float64.
inline double exactError(const Problem &p, cudaStream_t stream) {
  long rows = std::min(p.t, 32l);
  return relativeError(stream, [&](double *sums) {
    sumExactDifference<<<unsigned((rows * p.n + 7) / 8), 256, 0, stream>>>(
        static_cast<const uint16_t *>(p.x[0]),
        static_cast<const uint16_t *>(p.w[0]),
        static_cast<const uint16_t *>(p.e[0]),
        static_cast<const uint16_t *>(p.y[0]), p.t, p.n, p.k, rows, p.epilogue,
        p.bf16, sums);
  });
}

#endif // SPARSEFLOW_BENCH_GPU_PEERS_DATA_CUH
