//===- ternary_peer_marlin.cu - Marlin's W4A16 kernel, adapted
//-------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Includes marlin/marlin_cuda_kernel.cu of a clone of github.com/IST-DASLab/
// marlin: weights of 4 bits, here trit + 8, f16 activations, a scale a column.
//
//===----------------------------------------------------------------------===//

#include "marlin_cuda_kernel.cu"
#include "ternary_peer.h"

#include <vector>

namespace {

/// Weights come in tiles of 16 x 16; the words of four tiles side by side are
/// permuted together.
constexpr long tile = 16, chunk = 4 * tile * tile;

/// Which of a chunk's weights a place holds: a thread of a warp has, of each
/// tile, the fragments of two columns eight apart, even places before odd ones.
std::vector<int> weightPlaces() {
  constexpr int interleaved[8] = {0, 2, 4, 6, 1, 3, 5, 7};
  std::vector<int> plain, places;
  for (int lane = 0; lane < 32; ++lane)
    for (int part = 0; part < 4; ++part)
      for (int right = 0; right < 2; ++right)
        for (int row : {2 * (lane % 4), 2 * (lane % 4) + 1, 2 * (lane % 4 + 4),
                        2 * (lane % 4 + 4) + 1})
          plain.push_back(16 * row + lane / 4 + 8 * right + 256 * part);
  for (size_t i = 0; i < plain.size(); ++i)
    places.push_back(plain[i / 8 * 8 + interleaved[i % 8]]);
  return places;
}

/// A word of eight weights a thread.
__global__ void packMarlin(const int8_t *trits, const float *scales,
                           const int *places, long n, long k, uint32_t *out,
                           __half *columns) {
  long row = n * tile, words = k / tile * row / 8;
  long first = blockIdx.x * long(blockDim.x) + threadIdx.x,
       step = long(gridDim.x) * blockDim.x;
  for (long at = first; at < words; at += step) {
    long line = at / (row / 8), place = at % (row / 8) * 8;
    uint32_t value = 0;
    for (int i = 0; i < 8; ++i) {
      long from = place / chunk * chunk + places[place % chunk + i];
      long column = from / (tile * tile) * tile + from % tile,
           depth = line * tile + from % (tile * tile) / tile;
      value |= uint32_t(trits[column * k + depth] + 8) << 4 * i;
    }
    out[at] = value;
  }
  // Scales of 32 columns: the pairs of a thread's four fragments together.
  for (long at = first; at < n; at += step) {
    long lane = at % 32 / 8, i = at % 8;
    columns[at] =
        __float2half(scales[at / 32 * 32 + 2 * lane + i / 2 * 8 + i % 2]);
  }
}

size_t weightBytes(long n, long k) { return size_t(n) * k / 2; }

/// The permutation, and counters that are zero between launches.
int *places = nullptr, *locks = nullptr;
/// Tiles of 64 tokens that a launch takes at most, the project's own number.
constexpr int parallel = 16;

} // namespace

TernaryPeerInfo ternary_peer_info() {
  // Blocks add their parts of a sum in f16: a small product is cut into as many
  // as there are SMs.
  return {"Marlin W4A16", ternaryPeerHalf, 3e-2};
}

size_t ternary_peer_bytes(long t, long n, long k) {
  bool taken =
      t <= 16 ? n % 128 == 0 && k % 128 == 0 : n % 256 == 0 && k % 64 == 0;
  return taken ? weightBytes(n, k) + size_t(n) * 2 : 0;
}

cudaError_t ternary_peer_pack(long n, long k, const int8_t *trits,
                              const float *scales, void *packed,
                              cudaStream_t stream) {
  if (!places) {
    std::vector<int> host = weightPlaces();
    size_t bytes = host.size() * sizeof(int);
    if (cudaError_t status = cudaMalloc(&places, bytes))
      return status;
    if (cudaError_t status =
            cudaMemcpy(places, host.data(), bytes, cudaMemcpyHostToDevice))
      return status;
    size_t counters = size_t(n) / 128 * parallel * sizeof(int);
    if (cudaError_t status = cudaMalloc(&locks, counters))
      return status;
    if (cudaError_t status = cudaMemset(locks, 0, counters))
      return status;
  }
  auto *bytes = static_cast<uint8_t *>(packed);
  packMarlin<<<1024, 256, 0, stream>>>(
      trits, scales, places, n, k, reinterpret_cast<uint32_t *>(bytes),
      reinterpret_cast<__half *>(bytes + weightBytes(n, k)));
  return cudaGetLastError();
}

cudaError_t ternary_peer_launch(const TernaryPeerCall *c, cudaStream_t stream) {
  auto *bytes = static_cast<uint8_t *>(const_cast<void *>(c->packed));
  int status = marlin_cuda(c->x16, bytes, c->y, bytes + weightBytes(c->n, c->k),
                           int(c->t), int(c->n), int(c->k), locks, -1, 0,
                           stream, -1, -1, -1, parallel);
  return status ? cudaErrorInvalidValue : cudaGetLastError();
}
