//===- TernaryArguments.cpp - Ternary weights for a run -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/TernaryArguments.h"

#include "arguments/Random.h"
#include "io/sfpk.h"
#include "ternary/pack.h"

#include <algorithm>
#include <cmath>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::printable;
using rt::TernaryFormat;

/// The values of the weight, [N, K] in F32.
static HostTensor expand(const TernaryFormat &format,
                         const std::vector<int8_t> &trits,
                         const std::vector<float> &scales, int threads) {
  HostTensor dense = HostTensor::allocate(DType::F32, {format.n, format.k});
  if (dense.count())
    rt::expandTernary(trits.data(), scales.data(), format, threads,
                      reinterpret_cast<float *>(dense.data.data()));
  return dense;
}

/// Numbers of the whole range of the storage, of trits those of a normal
/// distribution with thresholds.
static int8_t numberAt(const rt::Storage &storage, uint64_t stream, size_t i) {
  if (!storage.isTernary())
    return static_cast<int8_t>(
        storage.low + static_cast<int>(mixBits(stream + i) %
                                       static_cast<uint64_t>(storage.high -
                                                             storage.low + 1)));
  float value = normalAt(stream, i);
  return value > 0.5f ? 1 : value < -0.5f ? -1 : 0;
}

/// Leaves the two of every four trits that `random` prefers; those of a layout
/// without zeros are not zero.
static void keepPairs(const rt::Storage &storage, std::vector<int8_t> &trits,
                      uint64_t stream) {
  for (size_t i = 0; i < trits.size(); i += 4) {
    uint64_t bits = mixBits(stream + i);
    size_t first = bits & 3, second = (first + 1 + (bits >> 2) % 3) & 3;
    for (size_t j = 0; j < 4; ++j)
      if (j != first && j != second)
        trits[i + j] = 0;
      else if (storage.exactly && trits[i + j] == 0)
        trits[i + j] = bits >> (8 + j) & 1 ? 1 : -1;
  }
}

Status sparseflow::tools::generateTernary(const TensorSpec &spec,
                                          uint64_t stream, int threads,
                                          Argument &argument) {
  const TernaryFormat &format = spec.ternary;
  std::vector<int8_t> trits(static_cast<size_t>(format.tritCount()));
  const rt::Storage &storage = rt::storageOf(format.storage);
  for (size_t i = 0; i < trits.size(); ++i)
    trits[i] = numberAt(storage, stream, i);
  if (storage.isTwoFour())
    keepPairs(storage, trits, stream);
  std::vector<float> scales(
      static_cast<size_t>(format.planes * format.scalesPerPlane()));
  float size =
      1 / std::sqrt(static_cast<float>(std::max<int64_t>(format.k, 1)));
  for (size_t i = 0; i < scales.size(); ++i)
    scales[i] =
        size * (1 + static_cast<float>(mixBits(~stream + i) >> 40) * 0x1p-25f);
  rt::roundScales(scales.data(), static_cast<int64_t>(scales.size()),
                  format.scaleType);
  argument.packed = Buffer(static_cast<size_t>(format.blobBytes()));
  if (Status status =
          rt::packTernary(trits.data(), scales.data(), format, spec.name,
                          threads, argument.packed.data());
      !status)
    return status;
  argument.dense = expand(format, trits, scales, threads);
  return Status::success();
}

Status sparseflow::tools::unpackTernary(const TensorSpec &spec,
                                        const std::string &name, int threads,
                                        Argument &argument) {
  const TernaryFormat &format = spec.ternary;
  std::vector<int8_t> trits(static_cast<size_t>(format.tritCount()));
  std::vector<float> scales(
      static_cast<size_t>(format.planes * format.scalesPerPlane()));
  if (Status status = rt::unpackTernary(argument.packed.data(), format, name,
                                        threads, trits.data(), scales.data());
      !status)
    return status;
  argument.dense = expand(format, trits, scales, threads);
  return Status::success();
}

Status sparseflow::tools::loadTernary(const std::string &path,
                                      const std::string &name,
                                      const TensorSpec &spec, int threads,
                                      Argument &argument) {
  Expected<rt::SfpkFile> file = rt::SfpkFile::open(path);
  if (!file)
    return file.status();
  const rt::SfpkSection *section = file->find(name);
  if (!section)
    return rt::invalidArgument("'" + printable(path, 400) +
                               "' has no tensor '" + printable(name) +
                               "'; list them with sparseflow inspect");
  const TernaryFormat &expected = spec.ternary;
  if (section->kind != SF_SECTION_TERNARY)
    return rt::invalidArgument(
        "'" + printable(name) + "' is no quantized tensor (" +
        section->layout() + "), expected " + expected.text() +
        "; make it with sparseflow pack --format " +
        rt::storageOf(expected.storage).format);
  Expected<TernaryFormat> found = section->ternaryFormat();
  if (!found)
    return found.status();
  if (found->text() != expected.text() ||
      section->dtype != static_cast<sf_dtype>(spec.dtype))
    return rt::invalidArgument(
        "'" + printable(name) + "' is " + found->text() + " for " +
        rt::dtypeName(section->dtype) + ", expected " + expected.text() +
        " for " + rt::dtypeName(static_cast<sf_dtype>(spec.dtype)) +
        "; pack it again in that form, or compile for this file (--weights)");
  argument.packed = Buffer(static_cast<size_t>(section->bytes));
  if (Status status = file->read(*section, argument.packed.data(), threads);
      !status)
    return status;
  return unpackTernary(spec, name, threads, argument);
}
