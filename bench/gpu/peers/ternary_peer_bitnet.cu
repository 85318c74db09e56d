//===- ternary_peer_bitnet.cu - microsoft/BitNet's kernel, adapted
//---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Includes gpu/bitnet_kernels of a clone of github.com/microsoft/BitNet: one
// token, 8-bit activations that are quantised before, the shapes of its models.
//
//===----------------------------------------------------------------------===//

#include "bitnet_kernels.cu"
#include "ternary_peer.h"

namespace {

/// The kernel's tiles: 16 rows by 32 columns, 16 columns a word of 32 bits.
constexpr long tileRows = 16, tileColumns = 32, wordColumns = 16;

/// A word a thread: 2 bits a weight, trit + 2. Words of a tile take its rows in
/// two halves of eight, first all left halves of eight rows, then the right
/// ones; the weights of a word lie four bytes apart.
__global__ void packBitnet(const int8_t *trits, long n, long k, uint32_t *out) {
  long words = n * k / wordColumns;
  for (long at = blockIdx.x * long(blockDim.x) + threadIdx.x; at < words;
       at += long(gridDim.x) * blockDim.x) {
    long tile = at / 32, word = at % 32, tiles = k / tileColumns;
    long row = tile / tiles * tileRows + word / 16 * 8 + word % 8;
    long column = tile % tiles * tileColumns + word % 16 / 8 * wordColumns;
    uint32_t value = 0;
    for (int i = 0; i < wordColumns; ++i)
      value |= uint32_t(trits[row * k + column + i] + 2)
               << (i % 4 * 8 + i / 4 * 2);
    out[at] = value;
  }
}

/// One scale of a token and those of a layer's parts, which are all 1 here.
struct Ones {
  __nv_bfloat16 *values = nullptr;
  cudaError_t make() {
    if (values)
      return cudaSuccess;
    __nv_bfloat16 host[8];
    for (__nv_bfloat16 &value : host)
      value = __float2bfloat16(1.f);
    if (cudaError_t status = cudaMalloc(&values, sizeof(host)))
      return status;
    return cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  }
} ones;

/// N x K that the project has a kernel for; it prints where it has none.
constexpr long shapes[][2] = {
    {2560, 2560}, {3840, 2560},  {13824, 2560}, {2560, 6912},  {3200, 3200},
    {4800, 3200}, {3200, 10240}, {20480, 3200}, {5120, 27648}, {55296, 5120}};

} // namespace

TernaryPeerInfo ternary_peer_info() {
  return {"microsoft/BitNet", ternaryPeerBfloat, 0};
}

size_t ternary_peer_bytes(long t, long n, long k) {
  for (const auto &shape : shapes)
    if (t == 1 && shape[0] == n && shape[1] == k)
      return size_t(n) * k / 4;
  return 0;
}

cudaError_t ternary_peer_pack(long n, long k, const int8_t *trits,
                              const float *, void *packed,
                              cudaStream_t stream) {
  packBitnet<<<1024, 256, 0, stream>>>(trits, n, k,
                                       static_cast<uint32_t *>(packed));
  return ones.make();
}

cudaError_t ternary_peer_launch(const TernaryPeerCall *c, cudaStream_t stream) {
  bitlinear_int8xint2(const_cast<int8_t *>(c->x8),
                      static_cast<int8_t *>(const_cast<void *>(c->packed)),
                      static_cast<__nv_bfloat16 *>(c->y), ones.values,
                      ones.values, 1, int(c->n), int(c->k), stream);
  return cudaGetLastError();
}
