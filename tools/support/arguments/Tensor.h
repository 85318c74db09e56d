//===- Tensor.h - Tensors in host memory ------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_TENSOR_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_TENSOR_H

#include "run/Manifest.h"

#include <cstdlib>
#include <memory>

namespace sparseflow::tools {

/// Owned bytes at an address that is a multiple of 256; contents undefined at
/// first. Throws std::bad_alloc.
class Buffer {
public:
  Buffer() = default;
  explicit Buffer(size_t bytes) : length(bytes) {
    if (bytes == 0)
      return;
    if (bytes > SIZE_MAX - 255)
      throw std::bad_alloc();
    memory.reset(static_cast<uint8_t *>(
        std::aligned_alloc(256, (bytes + 255) / 256 * 256)));
    if (!memory)
      throw std::bad_alloc();
  }
  uint8_t *data() { return memory.get(); }
  const uint8_t *data() const { return memory.get(); }
  size_t size() const { return length; }

private:
  struct Free {
    void operator()(uint8_t *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<uint8_t, Free> memory;
  size_t length = 0;
};

/// A row-major tensor without gaps.
struct HostTensor {
  DType dtype = DType::F16;
  std::vector<int64_t> shape;
  Buffer data;

  /// Throws std::bad_alloc; the product of `shape` must not overflow.
  static HostTensor allocate(DType dtype, std::vector<int64_t> shape);
  size_t count() const { return data.size() / rt::dtypeBytes(dtype); }
  /// Fills every byte with 0xFF: a NaN in each float type, -1 in an integer
  /// one, neither 0 nor 1 in an i1.
  void poison();
};

/// The elements as float or double: exact for floats, rounded for integers of
/// more than 24 or 53 bits.
void widen(const HostTensor &tensor, float *out);
void widen(const HostTensor &tensor, double *out);
/// Rounds to the tensor's float type, to nearest, ties to even; overflow gives
/// infinity.
void narrow(const float *values, HostTensor &tensor);
/// `values` rounded in place to `dtype` and back; integers stay as they are.
void roundTo(DType dtype, float *values, size_t count);

/// "2x3".
std::string shapeText(const std::vector<int64_t> &shape);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_TENSOR_H
