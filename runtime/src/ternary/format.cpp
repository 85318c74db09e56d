//===- format.cpp - Sizes and layouts of quantized weights ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/format.h"

#include "weights/dtype.h"
#include "weights/matrix_size.h"

using namespace sparseflow::rt;

// Columns of the widest unit.
static constexpr int64_t kWidestUnit = 256;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t alignUp(int64_t value, int64_t to) {
  return ceilDiv(value, to) * to;
}

const Storage *sparseflow::rt::findStorage(TernaryStorage number) {
  for (const Storage *storage : kStorages)
    if (storage->number == number)
      return storage;
  return nullptr;
}

const char *sparseflow::rt::layoutName(TernaryStorage storage) {
  return storageOf(storage).layout;
}

Expected<TernaryStorage>
sparseflow::rt::storageFromLayout(const std::string &name) {
  std::string known;
  for (const Storage *storage : kStorages) {
    if (name == storage->layout)
      return storage->number;
    known += (known.empty() ? "" : ", ") + std::string(storage->layout);
  }
  return invalidArgument("expected a layout of quantized weights (" + known +
                         "), found '" + printable(name, 40) + "'");
}

int64_t sparseflow::rt::scaleElementBytes(sf_dtype type) {
  return type == SF_DTYPE_F32 ? 4 : 2;
}

Status TernaryFormat::verify() const {
  std::string size = std::to_string(n) + " x " + std::to_string(k);
  if (n < 0 || k < 0)
    return invalidArgument("expected sizes of at least 0, found " + size);
  if (Status status = verifyEmptySize(n, k); !status)
    return status;
  // The largest blob has 16 bytes for each weight (two planes, a group of one
  // row's 32 columns padded to 64 rows and more); below this bound no product
  // in this file can overflow.
  int64_t weights;
  if (n > INT64_C(1) << 56 || k > INT64_C(1) << 56 ||
      __builtin_mul_overflow(alignUp(n, kTernaryRows), alignUp(k, kWidestUnit),
                             &weights) ||
      weights > INT64_C(1) << 56)
    return invalidArgument("a quantized matrix of " + size +
                           " is larger than 2^56 weights");
  const Storage *known = findStorage(storage);
  if (!known)
    return invalidArgument("expected a storage from 1 to " +
                           std::to_string(std::size(kStorages)) + ", found " +
                           std::to_string(int(storage)));
  if (planes != 1 && planes != 2)
    return invalidArgument("expected one or two planes, found " +
                           std::to_string(planes));
  if (planes > known->maxPlanes)
    return invalidArgument(std::string(known->layout) +
                           " holds one plane, found 2; use tern.v1 for two "
                           "planes");
  if (known->isTwoFour() && k % 4 != 0)
    return invalidArgument(std::string(known->layout) +
                           " needs a number of columns that is a multiple of "
                           "4, found " +
                           std::to_string(k) + "; use tern.v1");
  if (group != kTensorScale && group != kRowScale && group != 32 &&
      group != 64 && group != 128 && group != 256)
    return invalidArgument("expected a scale for the tensor, a row, or a group "
                           "of 32, 64, 128 or 256 columns, found a group of " +
                           std::to_string(group));
  if (scaleType != SF_DTYPE_F16 && scaleType != SF_DTYPE_BF16 &&
      scaleType != SF_DTYPE_F32)
    return invalidArgument("expected scales of type F16, BF16 or F32, found " +
                           std::string(dtypeName(scaleType)));
  return Status::success();
}

int64_t TernaryFormat::colBlocks() const {
  return ceilDiv(k, storageOf(storage).columns);
}

int64_t TernaryFormat::tritBytes() const {
  const Storage &unit = storageOf(storage);
  return ceilDiv(n, unit.rows) * colBlocks() * planes * unit.bytes;
}

int64_t TernaryFormat::scaleOffset() const {
  return alignUp(tritBytes(), kTernaryAlignment);
}

int64_t TernaryFormat::groups() const {
  return group <= kRowScale ? 1 : ceilDiv(k, group);
}

int64_t TernaryFormat::scalesPerPlane() const {
  return group == kTensorScale ? 1 : groups() * n;
}

int64_t TernaryFormat::scaleBytes() const {
  int64_t each = group == kTensorScale ? 1 : groups() * rowsPadded();
  return alignUp(planes * each * scaleElementBytes(scaleType), 16);
}

int64_t TernaryFormat::blobBytes() const {
  return scaleOffset() + scaleBytes();
}

double TernaryFormat::bitsPerWeight() const {
  double weights = double(n) * double(k);
  return weights == 0 ? 0 : 8.0 * double(blobBytes()) / weights;
}

std::string TernaryFormat::text() const {
  std::string scope = group == kTensorScale ? "the tensor"
                      : group == kRowScale ? "a row"
                                           : std::to_string(group) + " columns";
  return std::to_string(n) + " x " + std::to_string(k) + ", " +
         layoutName(storage) + ", " + std::to_string(planes) +
         (planes == 1 ? " plane, " : " planes, ") + dtypeName(scaleType) +
         " scale for " + scope;
}
