//===- gguf.cpp - Reads GGUF files ----------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/gguf.h"

#include "io/gguf_types.h"

using namespace sparseflow::rt;

static constexpr GgufTypeInfo kTypes[] = {{GgufF32, "F32", 1, 4},
                                          {GgufF16, "F16", 1, 2},
                                          {2, "Q4_0", 32, 18},
                                          {3, "Q4_1", 32, 20},
                                          {6, "Q5_0", 32, 22},
                                          {7, "Q5_1", 32, 24},
                                          {8, "Q8_0", 32, 34},
                                          {9, "Q8_1", 32, 36},
                                          {10, "Q2_K", 256, 84},
                                          {11, "Q3_K", 256, 110},
                                          {12, "Q4_K", 256, 144},
                                          {13, "Q5_K", 256, 176},
                                          {14, "Q6_K", 256, 210},
                                          {15, "Q8_K", 256, 292},
                                          {24, "I8", 1, 1},
                                          {25, "I16", 1, 2},
                                          {26, "I32", 1, 4},
                                          {27, "I64", 1, 8},
                                          {28, "F64", 1, 8},
                                          {GgufBF16, "BF16", 1, 2},
                                          {GgufTQ1_0, "TQ1_0", 256, 54},
                                          {GgufTQ2_0, "TQ2_0", 256, 66},
                                          {GgufQ2_0, "Q2_0", 64, 18},
                                          {GgufPQ2_0, "PQ2_0", 128, 34}};

const GgufTypeInfo *sparseflow::rt::ggufTypeInfo(uint32_t type) {
  for (const GgufTypeInfo &info : kTypes)
    if (info.type == type)
      return &info;
  return nullptr;
}

std::string GgufTensor::typeName() const {
  const GgufTypeInfo *info = ggufTypeInfo(type);
  return info ? info->name : "type " + std::to_string(type);
}

sf_dtype GgufTensor::dtype() const {
  switch (type) {
  case GgufF32:
    return SF_DTYPE_F32;
  case GgufF16:
    return SF_DTYPE_F16;
  case GgufBF16:
    return SF_DTYPE_BF16;
  case 24:
    return SF_DTYPE_I8;
  case 25:
    return SF_DTYPE_I16;
  case 26:
    return SF_DTYPE_I32;
  case 27:
    return SF_DTYPE_I64;
  case 28:
    return SF_DTYPE_F64;
  default:
    return SF_DTYPE_INVALID;
  }
}

bool GgufTensor::isTernary() const {
  return type == GgufTQ1_0 || type == GgufTQ2_0 || type == GgufQ2_0 ||
         type == GgufPQ2_0;
}

Expected<GgufFile> GgufFile::open(const std::string &path, uint32_t q2Block) {
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.status();
  Expected<GgufHeader> header = parseGguf(
      [&](uint64_t offset, void *buffer, uint64_t count) {
        return file->read(offset, buffer, count);
      },
      file->size(), q2Block);
  if (!header)
    return header.status().withContext("'" + printable(path) + "'");
  return GgufFile(std::move(*file), std::move(*header));
}

const GgufTensor *GgufFile::find(const std::string &name) const {
  for (const GgufTensor &tensor : contents.tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

Status GgufFile::read(const GgufTensor &tensor, void *buffer) const {
  if (tensor.isReadable())
    return file.read(tensor.offset, buffer, tensor.bytes);
  std::string what =
      "'" + printable(file.path()) + "': tensor '" + printable(tensor.name);
  if (tensor.type == GgufQ2_0)
    return unsupported(what + "' is of type Q2_0, whose blocks have 64 or 128 "
                              "elements; this file does not tell which, so "
                              "give the block size");
  return unsupported(what + "' has the unknown type " +
                     std::to_string(tensor.type) +
                     "; leave it out or convert it first");
}
