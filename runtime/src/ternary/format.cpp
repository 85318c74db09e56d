//===- format.cpp - Sizes and layouts of ternary weights ------------------===//
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

static constexpr TernaryStorage kStorages[] = {
    TernaryStorage::Codes, TernaryStorage::BitPlanes, TernaryStorage::Base3,
    TernaryStorage::TwoFour, TernaryStorage::TwoFourZero};

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t alignUp(int64_t value, int64_t to) {
  return ceilDiv(value, to) * to;
}

const char *sparseflow::rt::layoutName(TernaryStorage storage) {
  switch (storage) {
  case TernaryStorage::Codes:
    return "tern.v1";
  case TernaryStorage::BitPlanes:
    return "ternbp.v1";
  case TernaryStorage::Base3:
    return "tern3.v1";
  case TernaryStorage::TwoFour:
    return "tern24.v1";
  case TernaryStorage::TwoFourZero:
    return "tern24z.v1";
  }
  return "unknown";
}

Expected<TernaryStorage>
sparseflow::rt::storageFromLayout(const std::string &name) {
  std::string known;
  for (TernaryStorage storage : kStorages) {
    if (name == layoutName(storage))
      return storage;
    known += (known.empty() ? "" : ", ") + std::string(layoutName(storage));
  }
  return invalidArgument("expected a ternary layout (" + known + "), found '" +
                         printable(name, 40) + "'");
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
      __builtin_mul_overflow(alignUp(n, kTernaryRows), alignUp(k, kPairCols),
                             &weights) ||
      weights > INT64_C(1) << 56)
    return invalidArgument("a ternary matrix of " + size +
                           " is larger than 2^56 weights");
  bool known = false;
  for (TernaryStorage each : kStorages)
    known |= each == storage;
  if (!known)
    return invalidArgument("expected a ternary storage from 1 to 5, found " +
                           std::to_string(int(storage)));
  if (planes != 1 && planes != 2)
    return invalidArgument("expected one or two trit planes, found " +
                           std::to_string(planes));
  if (isTwoFour(storage)) {
    if (planes != 1)
      return invalidArgument(std::string(layoutName(storage)) +
                             " holds one trit plane, found 2; use tern.v1 for "
                             "two planes");
    if (k % 4 != 0)
      return invalidArgument(std::string(layoutName(storage)) +
                             " needs a number of columns that is a multiple "
                             "of 4, found " +
                             std::to_string(k) + "; use tern.v1");
  }
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
  return ceilDiv(k, isTwoFour(storage) ? kPairCols : kCodeCols);
}

int64_t TernaryFormat::tritBytes() const {
  switch (storage) {
  case TernaryStorage::Codes:
    return rowBlocks() * colBlocks() * planes * kCodeUnitBytes;
  case TernaryStorage::BitPlanes:
    return planes * 2 * n * ceilDiv(k, 64) * 8;
  case TernaryStorage::Base3:
    return planes * n * ceilDiv(k, 5);
  case TernaryStorage::TwoFour:
    return rowBlocks() * colBlocks() * (kPairMetadataBytes + kPairSignBytes);
  case TernaryStorage::TwoFourZero:
    return rowBlocks() * colBlocks() * (kPairMetadataBytes + kPairCodeBytes);
  }
  return 0;
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
