//===- ternary_peer_library.cuh - Loads a peer's library ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of another project in a shared library (ternary_peer.h), and the
// comparison of its result with what it has to be.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_TERNARY_PEER_LIBRARY_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_TERNARY_PEER_LIBRARY_CUH

#include "data.cuh"
#include "ternary_peer.h"

#include <dlfcn.h>

class PeerLibrary {
public:
  /// Throws if the library cannot be opened or lacks a function.
  explicit PeerLibrary(const std::string &path)
      : path(path), library(dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
    if (!library)
      throw std::runtime_error(path + ": " + dlerror());
    information = function<decltype(ternary_peer_info)>("info")();
    bytes = function<decltype(ternary_peer_bytes)>("bytes");
    packer = function<decltype(ternary_peer_pack)>("pack");
    launcher = function<decltype(ternary_peer_launch)>("launch");
  }
  const TernaryPeerInfo &info() const { return information; }

  size_t (*bytes)(long t, long n, long k);

  void pack(long n, long k, const int8_t *trits, const float *scales,
            void *packed, cudaStream_t stream) const {
    succeed(packer(n, k, trits, scales, packed, stream));
  }
  void launch(const TernaryPeerCall &call, cudaStream_t stream) const {
    succeed(launcher(&call, stream));
  }

private:
  template <typename Function>
  Function *function(const char *name) {
    std::string symbol = std::string("ternary_peer_") + name;
    void *found = dlsym(library, symbol.c_str());
    if (!found)
      throw std::runtime_error(path + " has no function " + symbol +
                               "; expected those of ternary_peer.h");
    return reinterpret_cast<Function *>(found);
  }
  void succeed(cudaError_t status) const {
    if (status)
      throw std::runtime_error(path + ": " + cudaGetErrorString(status));
  }

  std::string path;
  /// Open until the process ends: graphs hold its kernels.
  void *library;
  TernaryPeerInfo information;
  decltype(ternary_peer_pack) *packer;
  decltype(ternary_peer_launch) *launcher;
};

/// Scales of the rows of one set of weights.
__global__ void fillScales(uint64_t seed, long n, float *out) {
  long row = blockIdx.x * long(blockDim.x) + threadIdx.x;
  if (row < n)
    out[row] = rowScale(seed, row);
}

__global__ void widen(const uint16_t *from, size_t count, float *out) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += step)
    out[i] = fromBits(from[i], false);
}

/// `sums` (compared bit by bit with what they round to) or, where it is null,
/// `products` in f16 (their largest difference, in shares of `unit`).
__global__ void comparePeer(const void *y, TernaryPeerResult type,
                            const int *sums, const uint16_t *products,
                            size_t count, float unit, Difference *out) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += step) {
    float value = type == ternaryPeerFloat
                      ? static_cast<const float *>(y)[i]
                      : fromBits(static_cast<const uint16_t *>(y)[i],
                                 type == ternaryPeerBfloat);
    float wanted;
    if (sums) {
      wanted = float(sums[i]);
      if (type != ternaryPeerFloat)
        wanted = fromBits(toBits(wanted, type == ternaryPeerBfloat),
                          type == ternaryPeerBfloat);
    } else {
      wanted = fromBits(products[i], false);
    }
    if (value == wanted)
      continue;
    float difference = fabsf(value - wanted) / unit;
    atomicAdd(&out->count, 1ull);
    // Bits of positive floats are ordered, those of a NaN the largest.
    atomicMax(&out->largest, __float_as_uint(difference));
  }
}

#endif // SPARSEFLOW_BENCH_GPU_PEERS_TERNARY_PEER_LIBRARY_CUH
