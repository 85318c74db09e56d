//===- dtype.cpp - Element types of stored tensors ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "weights/dtype.h"

#include <cstring>

using namespace sparseflow::rt;

namespace {
struct DTypeInfo {
  sf_dtype dtype;
  int bits;
  const char *name;
};
} // namespace

static constexpr DTypeInfo dtypeTable[] = {
    {SF_DTYPE_F16, 16, "F16"},        {SF_DTYPE_BF16, 16, "BF16"},
    {SF_DTYPE_F32, 32, "F32"},        {SF_DTYPE_F64, 64, "F64"},
    {SF_DTYPE_I8, 8, "I8"},           {SF_DTYPE_U8, 8, "U8"},
    {SF_DTYPE_I16, 16, "I16"},        {SF_DTYPE_U16, 16, "U16"},
    {SF_DTYPE_I32, 32, "I32"},        {SF_DTYPE_U32, 32, "U32"},
    {SF_DTYPE_I64, 64, "I64"},        {SF_DTYPE_U64, 64, "U64"},
    {SF_DTYPE_BOOL, 8, "BOOL"},       {SF_DTYPE_F8_E4M3, 8, "F8_E4M3"},
    {SF_DTYPE_F8_E5M2, 8, "F8_E5M2"}, {SF_DTYPE_F8_E8M0, 8, "F8_E8M0"},
    {SF_DTYPE_F6_E2M3, 6, "F6_E2M3"}, {SF_DTYPE_F6_E3M2, 6, "F6_E3M2"},
    {SF_DTYPE_F4, 4, "F4"},           {SF_DTYPE_C64, 64, "C64"},
};

static const DTypeInfo *lookup(sf_dtype dtype) {
  for (const DTypeInfo &info : dtypeTable)
    if (info.dtype == dtype)
      return &info;
  return nullptr;
}

int sparseflow::rt::dtypeBits(sf_dtype dtype) {
  const DTypeInfo *info = lookup(dtype);
  return info ? info->bits : 0;
}

const char *sparseflow::rt::dtypeName(sf_dtype dtype) {
  const DTypeInfo *info = lookup(dtype);
  return info ? info->name : "unknown";
}

sf_dtype sparseflow::rt::dtypeFromName(const std::string &name) {
  for (const DTypeInfo &info : dtypeTable)
    if (name == info.name)
      return info.dtype;
  return SF_DTYPE_INVALID;
}
