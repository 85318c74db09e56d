//===- Random.cpp - Seeded tensors, the same on every machine -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Random.h"

#include "common/parallel.h"
#include "sparseflow/weights.h"

#include <algorithm>
#include <cstring>

using namespace sparseflow;
using namespace sparseflow::tools;

static constexpr uint64_t golden = 0x9e3779b97f4a7c15;

uint64_t sparseflow::tools::mixBits(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

uint64_t sparseflow::tools::streamSeed(uint64_t seed, uint64_t stream) {
  return mixBits(mixBits(seed + golden) + (stream + 1) * golden);
}

float sparseflow::tools::normalAt(uint64_t stream, uint64_t index) {
  int32_t sum = 0;
  for (uint64_t part = 0; part < 2; ++part) {
    uint64_t bits = mixBits(stream + (2 * index + part + 1) * golden);
    for (int shift = 0; shift < 64; shift += 16)
      sum += static_cast<int32_t>(bits >> shift & 0xffff);
  }
  // Mean 8 * 32767.5; the variance is 8 * (2^32 - 1) / 12.
  constexpr float scale = 1.0f / 53509.84f;
  return static_cast<float>(sum - 262140) * scale;
}

void sparseflow::tools::fillNormal(HostTensor &tensor, uint64_t stream,
                                   float scale, int threads) {
  constexpr size_t block = 1 << 15;
  size_t count = tensor.count(), bytes = rt::dtypeBytes(tensor.dtype);
  auto blocks = static_cast<int64_t>((count + block - 1) / block);
  rt::parallelFor(blocks, threads, [&](int64_t index) {
    size_t first = static_cast<size_t>(index) * block;
    size_t size = std::min(block, count - first);
    std::vector<float> values(size);
    for (size_t i = 0; i < size; ++i)
      values[i] = normalAt(stream, first + i) * scale;
    HostTensor part =
        HostTensor::allocate(tensor.dtype, {static_cast<int64_t>(size)});
    narrow(values.data(), part);
    std::memcpy(tensor.data.data() + first * bytes, part.data.data(),
                size * bytes);
  });
}

void sparseflow::tools::fillUniform(HostTensor &tensor, uint64_t stream,
                                    int64_t most) {
  // The low bytes of a little-endian number.
  size_t bytes = rt::dtypeBytes(tensor.dtype);
  for (size_t i = 0; i < tensor.count(); ++i) {
    uint64_t value =
        mixBits(stream + (i + 1) * golden) % (static_cast<uint64_t>(most) + 1);
    std::memcpy(tensor.data.data() + bytes * i, &value, bytes);
  }
}

namespace {
/// Reads and writes single elements whatever their type.
class Elements {
public:
  explicit Elements(HostTensor &tensor)
      : data(tensor.data.data()), bytes(rt::dtypeBytes(tensor.dtype)),
        dtype(tensor.dtype) {}
  uint32_t infinity() const {
    return dtype == DType::F32    ? 0x7f800000
           : dtype == DType::BF16 ? 0x7f80
                                  : 0x7c00;
  }
  void set(size_t index, uint64_t magnitude, bool negative) {
    auto bits = static_cast<uint32_t>(magnitude) |
                static_cast<uint32_t>(negative) << (bytes * 8 - 1);
    std::memcpy(data + index * bytes, &bits, bytes);
  }
  // Magnitudes of one type compare like their bits without the sign.
  uint32_t magnitude(size_t index) const {
    if (bytes == 2) {
      uint16_t bits;
      std::memcpy(&bits, data + index * 2, 2);
      return bits & 0x7fff;
    }
    uint32_t bits;
    std::memcpy(&bits, data + index * 4, 4);
    return bits & 0x7fffffff;
  }
  void clear(size_t index) { std::memset(data + index * bytes, 0, bytes); }

private:
  uint8_t *data;
  size_t bytes;
  DType dtype;
};
} // namespace

void sparseflow::tools::fillSpecialRows(HostTensor &tensor, uint64_t stream) {
  size_t width =
      tensor.shape.empty()
          ? 1
          : static_cast<size_t>(std::max<int64_t>(1, tensor.shape.back()));
  Elements elements(tensor);
  for (size_t row = 0; row < tensor.count() / width; ++row) {
    uint64_t bits = mixBits(stream + (row + 1) * golden);
    size_t begin = row * width, column = begin + bits % width;
    uint32_t infinity = elements.infinity();
    switch (row % 8) {
    case 1:
      for (size_t i = 0; i < width; ++i)
        elements.set(begin + i, 0, mixBits(bits + i) & 1);
      break;
    case 2:
      // The smallest and its neighbours: exponent 0 in every type.
      for (size_t i = 0; i < width; ++i)
        elements.set(begin + i, 1 + mixBits(bits + i) % 64,
                     mixBits(bits + i) >> 8 & 1);
      break;
    case 3:
      elements.set(column, infinity, bits >> 32 & 1);
      break;
    case 4:
      elements.set(column, infinity | infinity >> 1, false);
      break;
    case 5:
      elements.set(column, infinity, false);
      elements.set(begin + (column - begin + 1) % width, infinity, true);
      break;
    default:
      break;
    }
  }
}

namespace {
/// Where the elements of each group lie.
struct Groups {
  size_t count = 0, perAxis = 0, inner = 1;
  int m = 1;
  size_t element(size_t group, int i) const {
    size_t outer = group / (perAxis * inner);
    size_t along = group / inner % perAxis;
    return ((outer * perAxis + along) * m + i) * inner + group % inner;
  }
};
} // namespace

static Expected<Groups> groupsOf(const HostTensor &tensor,
                                 const Pattern &pattern) {
  if (pattern.axis >= tensor.shape.size())
    return rt::invalidArgument("a pattern along dimension " +
                               std::to_string(pattern.axis) + " of a tensor " +
                               shapeText(tensor.shape));
  int64_t size = tensor.shape[pattern.axis];
  if (size % pattern.m != 0)
    return rt::invalidArgument("size " + std::to_string(size) +
                               " of dimension " + std::to_string(pattern.axis) +
                               " is not a multiple of the group of " +
                               std::to_string(pattern.m));
  Groups groups;
  groups.m = pattern.m;
  groups.count = tensor.count() / static_cast<size_t>(pattern.m);
  groups.perAxis = static_cast<size_t>(size / pattern.m);
  for (size_t d = pattern.axis + 1; d < tensor.shape.size(); ++d)
    groups.inner *= static_cast<size_t>(tensor.shape[d]);
  return groups;
}

Status sparseflow::tools::pruneToPattern(HostTensor &tensor,
                                         const Pattern &pattern, int threads) {
  Expected<Groups> groups = groupsOf(tensor, pattern);
  if (!groups)
    return groups.status();
  if (groups->count == 0)
    return Status::success();
  // The packer's own pruner, so that both choose alike, and quickly.
  if (pattern.n == 2 && pattern.m == 4 && groups->inner == 1 &&
      tensor.dtype != DType::F32) {
    int64_t width = tensor.shape.back();
    sf_pack_options options = {};
    options.struct_size = sizeof(options);
    options.threads = threads;
    sf_status code = sf_prune24(
        tensor.data.data(), static_cast<int64_t>(tensor.count()) / width, width,
        static_cast<sf_dtype>(tensor.dtype), &options, nullptr);
    return code == SF_OK ? Status::success() : Status(code, sf_last_error());
  }
  Elements elements(tensor);
  uint32_t infinity = elements.infinity();
  std::vector<size_t> order(pattern.m);
  for (size_t group = 0; group < groups->count; ++group) {
    for (int i = 0; i < pattern.m; ++i) {
      order[i] = groups->element(group, i);
      if (elements.magnitude(order[i]) > infinity)
        return rt::formatError("element " + std::to_string(order[i]) +
                               " is NaN and has no magnitude");
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return elements.magnitude(a) > elements.magnitude(b);
    });
    for (int i = pattern.n; i < pattern.m; ++i)
      elements.clear(order[i]);
  }
  return Status::success();
}

Status sparseflow::tools::checkPattern(const HostTensor &tensor,
                                       const Pattern &pattern) {
  Expected<Groups> groups = groupsOf(tensor, pattern);
  if (!groups)
    return groups.status();
  // Only read from here on.
  Elements elements(const_cast<HostTensor &>(tensor));
  for (size_t group = 0; group < groups->count; ++group) {
    int nonzeros = 0;
    for (int i = 0; i < pattern.m; ++i)
      nonzeros += elements.magnitude(groups->element(group, i)) != 0;
    if (nonzeros > pattern.n)
      return rt::formatError(
          "the group of " + std::to_string(pattern.m) +
          " that starts at element " +
          std::to_string(groups->element(group, 0)) + " of " +
          shapeText(tensor.shape) + " has " + std::to_string(nonzeros) +
          " non-zeros, the pattern allows " + std::to_string(pattern.n) +
          "; prune the tensor first (sparseflow pack)");
  }
  return Status::success();
}
