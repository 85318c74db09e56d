//===- ternary_peer.h - A ternary kernel of another project
//----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a shared library has to export so that ternary_peers.cu times its kernel
// interleaved with the others: y[t][n] = x[t][k] w[n][k]^T with ternary w. The
// kernel stays outside of this repository; ternary_peer_NAME.cu adapts a clone
// of its project, which `scripts/bench ternary --peer-source NAME=DIR` builds.
//
// All pointers are to device memory. All work is put on `stream`, which may be
// captured in a CUDA graph; a launch that is captured has run once before, so
// that memory of its own can be allocated then. One thread calls.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_TERNARY_PEER_H
#define SPARSEFLOW_BENCH_GPU_PEERS_TERNARY_PEER_H

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

/// The element type of a peer's result.
enum TernaryPeerResult : int {
  ternaryPeerHalf = 0,
  ternaryPeerBfloat = 1,
  ternaryPeerFloat = 2
};

struct TernaryPeerInfo {
  const char *name;
  TernaryPeerResult result;
  /// 0: the result is the sum of x8 times trits, without scales, rounded once
  /// to the result's type, and compared bit by bit. Otherwise it is x times
  /// trits times the scales of rows, and may differ from it by this, as a share
  /// of the result's root mean square.
  double tolerance;
};

struct TernaryPeerCall {
  long t, n, k;
  /// The same activations: [t][k] in f16 and f32, and quantised to 8 bits with
  /// a scale a token. Rows from t to a multiple of 16 are zeros.
  const void *x16;
  const float *x32;
  const int8_t *x8;
  /// What ternary_peer_pack wrote.
  const void *packed;
  /// [t][n].
  void *y;
};

extern "C" {
TernaryPeerInfo ternary_peer_info();
/// Bytes of packed weights (with what kernels read behind them); 0: the kernel
/// does not take this product.
size_t ternary_peer_bytes(long t, long n, long k);
/// Packs trits[n][k] (-1, 0, 1) with scales[n], which are exact in f16.
cudaError_t ternary_peer_pack(long n, long k, const int8_t *trits,
                              const float *scales, void *packed,
                              cudaStream_t stream);
cudaError_t ternary_peer_launch(const TernaryPeerCall *call,
                                cudaStream_t stream);
}

#endif // SPARSEFLOW_BENCH_GPU_PEERS_TERNARY_PEER_H
