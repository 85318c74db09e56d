//===- ternary_peer_llama.cu - llama.cpp's Q2_0 kernels, adapted
//-----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled together with ggml/src/ggml-cuda/mmvq.cu, quantize.cu and
// template-instances/mmq-instance-q2_0.cu of a source tree of github.com/
// ggml-org/llama.cpp: 2-bit weights in blocks of 64 with a scale, f32
// activations that every call quantises to 8 bits in blocks of 32. As the
// project does it: up to 8 tokens through mmvq, more through mmq.
//
//===----------------------------------------------------------------------===//

#include "mmq.cuh"
#include "mmvq.cuh"
#include "quantize.cuh"
#include "ternary_peer.h"

#include <cstdarg>
#include <map>
#include <vector>

//===----------------------------------------------------------------------===//
// What the kernels' host code needs of the rest of the library
//===----------------------------------------------------------------------===//

extern "C" void ggml_abort(const char *file, int line, const char *format,
                           ...) {
  va_list values;
  va_start(values, format);
  std::fprintf(stderr, "%s:%d: ", file, line);
  std::vfprintf(stderr, format, values);
  std::fputc('\n', stderr);
  std::abort();
}

void ggml_cuda_error(const char *statement, const char *, const char *file,
                     int line, const char *message) {
  ggml_abort(file, line, "%s: %s", statement, message);
}

int ggml_cuda_get_device() { return 0; }
// Of the other types nobody asks.
extern "C" int64_t ggml_blck_size(ggml_type) { return QK2_0; }

const ggml_cuda_device_info &ggml_cuda_info() {
  static const ggml_cuda_device_info info = [] {
    ggml_cuda_device_info result;
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    result.device_count = 1;
    auto &entry = result.devices[0];
    entry.cc = 100 * device.major + 10 * device.minor;
    entry.nsm = device.multiProcessorCount;
    entry.smpb = device.sharedMemPerBlock;
    entry.smpbo = device.sharedMemPerBlockOptin;
    entry.warp_size = device.warpSize;
    return result;
  }();
  return info;
}

namespace {

/// Keeps what was returned, so that launches which are captured find what the
/// first ones allocated.
class KeepingPool : public ggml_cuda_pool {
public:
  void *alloc(size_t size, size_t *actual) override {
    *actual = size;
    std::vector<void *> &kept = returned[size];
    if (!kept.empty()) {
      void *memory = kept.back();
      kept.pop_back();
      return memory;
    }
    void *memory = nullptr;
    CUDA_CHECK(cudaMalloc(&memory, size));
    return memory;
  }
  void free(void *memory, size_t size) override {
    returned[size].push_back(memory);
  }

private:
  std::map<size_t, std::vector<void *>> returned;
};

} // namespace

std::unique_ptr<ggml_cuda_pool>
ggml_backend_cuda_context::new_pool_for_device(int, int) {
  return std::make_unique<KeepingPool>();
}
ggml_backend_cuda_context::~ggml_backend_cuda_context() = default;

//===----------------------------------------------------------------------===//
// The peer
//===----------------------------------------------------------------------===//

namespace {

constexpr ggml_type type = GGML_TYPE_Q2_0;

/// A block a thread: its row's scale, then 2 bits a weight, trit + 1.
__global__ void packBlocks(const int8_t *trits, const float *scales, long n,
                           long k, block_q2_0 *out) {
  long blocks = n * (k / QK2_0);
  for (long at = blockIdx.x * long(blockDim.x) + threadIdx.x; at < blocks;
       at += long(gridDim.x) * blockDim.x) {
    block_q2_0 block;
    block.d = __float2half(scales[at / (k / QK2_0)]);
    for (int byte = 0; byte < QK2_0 / 4; ++byte) {
      const int8_t *four = trits + at * QK2_0 + 4 * byte;
      block.qs[byte] = uint8_t(four[0] + 1) | uint8_t(four[1] + 1) << 2 |
                       uint8_t(four[2] + 1) << 4 | uint8_t(four[3] + 1) << 6;
    }
    out[at] = block;
  }
}

size_t blockBytes(long n, long k) {
  return size_t(n) * (k / QK2_0) * sizeof(block_q2_0);
}

ggml_backend_cuda_context &context() {
  static ggml_backend_cuda_context only(0);
  return only;
}

void fewTokens(const TernaryPeerCall &c, long padded, cudaStream_t stream) {
  ggml_cuda_pool_alloc<char> x(context().pool(),
                               c.t * padded * sizeof(block_q8_1) / QK8_1);
  quantize_row_q8_1_cuda(c.x32, nullptr, x.get(), type, c.k, c.k, c.k * c.t,
                         c.k * c.t, padded, c.t, 1, 1, stream);
  // All that this function reads of its tensors.
  ggml_tensor w = {}, activations = {}, y = {};
  w.type = type;
  w.ne[0] = activations.ne[0] = c.k;
  y.ne[0] = c.n;
  ggml_cuda_op_mul_mat_vec_q(
      context(), &w, &activations, &y, static_cast<const char *>(c.packed),
      c.x32, x.get(), static_cast<float *>(c.y), 0, c.n, c.t, padded, stream);
}

void manyTokens(const TernaryPeerCall &c, long padded, cudaStream_t stream) {
  int cc = ggml_cuda_info().devices[0].cc;
  long tail = ggml_cuda_mmq_get_J_max(type, c.n % 128 != 0, cc, c.t);
  ggml_cuda_pool_alloc<char> x(
      context().pool(), c.t * padded * sizeof(block_q8_1_mmq) / QK8_1_MMQ +
                            tail * sizeof(block_q8_1_mmq));
  quantize_mmq_q8_1_cuda(c.x32, nullptr, x.get(), type, c.k, c.k, c.k * c.t,
                         c.k * c.t, padded, c.t, 1, 1, stream);
  mmq_args args = {};
  args.x = static_cast<const char *>(c.packed);
  args.type_x = type;
  args.y = reinterpret_cast<const int *>(x.get());
  args.dst = static_cast<float *>(c.y);
  args.ncols_x = c.k;
  args.nrows_x = args.nrows_dst = c.n;
  args.ncols_dst = args.ncols_y = args.ncols_max = args.ncols_opt = c.t;
  args.stride_row_x = c.k / QK2_0;
  args.nchannels_x = args.nchannels_y = args.nsamples_x = args.nsamples_y = 1;
  args.stride_channel_x = args.stride_sample_x = c.n * (c.k / QK2_0);
  args.stride_channel_y = args.stride_sample_y =
      c.t * padded * sizeof(block_q8_1) / (QK8_1 * sizeof(int));
  args.stride_channel_dst = args.stride_sample_dst = c.n * c.t;
  mul_mat_q_case<type>(context(), args, stream);
}

} // namespace

TernaryPeerInfo ternary_peer_info() {
  // Activations of 8 bits in blocks of 32: an error of 0.6 % of the result's
  // root mean square, the largest of millions at six times that.
  return {"llama.cpp Q2_0", ternaryPeerFloat, 0.05};
}

size_t ternary_peer_bytes(long, long n, long k) {
  // Kernels read whole steps of the depth.
  return k % QK2_0 ? 0
                   : blockBytes(n, k) + size_t(MATRIX_ROW_PADDING) / QK2_0 *
                                            sizeof(block_q2_0);
}

cudaError_t ternary_peer_pack(long n, long k, const int8_t *trits,
                              const float *scales, void *packed,
                              cudaStream_t stream) {
  auto *blocks = static_cast<block_q2_0 *>(packed);
  packBlocks<<<1024, 256, 0, stream>>>(trits, scales, n, k, blocks);
  return cudaMemsetAsync(blocks + n * (k / QK2_0), 0,
                         ternary_peer_bytes(0, n, k) - blockBytes(n, k),
                         stream);
}

cudaError_t ternary_peer_launch(const TernaryPeerCall *c, cudaStream_t stream) {
  long padded = GGML_PAD(c->k, MATRIX_ROW_PADDING);
  (c->t <= MMVQ_MAX_BATCH_SIZE ? fewTokens : manyTokens)(*c, padded, stream);
  return cudaGetLastError();
}
