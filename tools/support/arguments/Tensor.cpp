//===- Tensor.cpp - Tensors in host memory --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Tensor.h"

#include "weights/convert.h"
#include "weights/float_kernels.h"

#include <algorithm>
#include <cstring>

using namespace sparseflow;
using namespace sparseflow::tools;

HostTensor HostTensor::allocate(DType dtype, std::vector<int64_t> shape) {
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  HostTensor tensor;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  tensor.data = Buffer(count * rt::dtypeBytes(dtype));
  return tensor;
}

void HostTensor::poison() {
  if (data.size())
    std::memset(data.data(), 0xff, data.size());
}

template <typename Integer, typename Scalar>
static void widenIntegers(const uint8_t *from, Scalar *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    Integer value;
    std::memcpy(&value, from + sizeof(Integer) * static_cast<size_t>(i),
                sizeof(Integer));
    to[i] = static_cast<Scalar>(value);
  }
}

template <typename Scalar>
static void widenIntegers(DType dtype, const uint8_t *from, Scalar *to,
                          int64_t count) {
  switch (dtype) {
  case DType::I1:
    return widenIntegers<uint8_t>(from, to, count);
  case DType::I8:
    return widenIntegers<int8_t>(from, to, count);
  case DType::I32:
    return widenIntegers<int32_t>(from, to, count);
  case DType::I64:
    return widenIntegers<int64_t>(from, to, count);
  case DType::F16:
  case DType::BF16:
  case DType::F32:
    return;
  }
}

static void widenBlock(DType dtype, const uint8_t *from, float *to,
                       int64_t count) {
  const rt::FloatKernels &kernels = rt::floatKernels();
  if (dtype == DType::F16)
    kernels.halfToFloat(from, to, count);
  else if (dtype == DType::BF16)
    kernels.bfloatToFloat(from, to, count);
  else if (dtype == DType::F32)
    std::memcpy(to, from, static_cast<size_t>(count) * 4);
  else
    widenIntegers(dtype, from, to, count);
}

void sparseflow::tools::widen(const HostTensor &tensor, float *out) {
  if (tensor.count())
    widenBlock(tensor.dtype, tensor.data.data(), out,
               static_cast<int64_t>(tensor.count()));
}

void sparseflow::tools::widen(const HostTensor &tensor, double *out) {
  float block[1024];
  size_t bytes = rt::dtypeBytes(tensor.dtype);
  if (rt::isInteger(tensor.dtype))
    return widenIntegers(tensor.dtype, tensor.data.data(), out,
                         static_cast<int64_t>(tensor.count()));
  for (size_t i = 0, n = tensor.count(); i < n; i += 1024) {
    size_t size = std::min<size_t>(1024, n - i);
    widenBlock(tensor.dtype, tensor.data.data() + i * bytes, block,
               static_cast<int64_t>(size));
    std::copy(block, block + size, out + i);
  }
}

void sparseflow::tools::narrow(const float *values, HostTensor &tensor) {
  auto count = static_cast<int64_t>(tensor.count());
  if (count == 0)
    return;
  const rt::FloatKernels &kernels = rt::floatKernels();
  if (tensor.dtype == DType::F16)
    kernels.floatToHalf(values, tensor.data.data(), count);
  else if (tensor.dtype == DType::BF16)
    kernels.floatToBfloat(values, tensor.data.data(), count);
  else
    std::memcpy(tensor.data.data(), values, tensor.data.size());
}

void sparseflow::tools::roundTo(DType dtype, float *values, size_t count) {
  if (dtype != DType::F16 && dtype != DType::BF16)
    return;
  const rt::FloatKernels &kernels = rt::floatKernels();
  uint16_t block[1024];
  for (size_t i = 0; i < count; i += 1024) {
    auto size = static_cast<int64_t>(std::min<size_t>(1024, count - i));
    if (dtype == DType::F16) {
      kernels.floatToHalf(values + i, block, size);
      kernels.halfToFloat(block, values + i, size);
    } else {
      kernels.floatToBfloat(values + i, block, size);
      kernels.bfloatToFloat(block, values + i, size);
    }
  }
}

std::string sparseflow::tools::shapeText(const std::vector<int64_t> &shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "x" : "") + std::to_string(shape[i]);
  return text;
}
