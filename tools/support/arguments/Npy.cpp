//===- Npy.cpp - The .npy file format -------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Npy.h"

#include "io/file.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::formatError;
using rt::printable;

static const char magic[] = "\x93NUMPY";
static constexpr size_t magicBytes = 6;
static constexpr size_t maxHeader = 64 * 1024;

static size_t typeBytes(NpyType type) {
  switch (type) {
  case NpyType::Bool:
  case NpyType::I8:
    return 1;
  case NpyType::I64:
    return 8;
  case NpyType::F32:
  case NpyType::I32:
    return 4;
  default:
    return 2;
  }
}

namespace {
/// The header is the text of a Python dictionary with exactly three members;
/// this reads that and nothing more general.
class HeaderParser {
public:
  HeaderParser(const std::string &text) : text(text) {}

  Status parse(NpyArray &array) {
    bool haveType = false, haveOrder = false, haveShape = false;
    if (!take('{'))
      return error("a dictionary");
    while (!take('}')) {
      std::string key, value;
      if (!quoted(key) || !take(':'))
        return error("'key':");
      if (key == "descr" && !haveType) {
        haveType = true;
        if (!quoted(value))
          return error("a simple element type (structured ones are refused)");
        if (Status status = type(value, array.type); !status)
          return status;
      } else if (key == "fortran_order" && !haveOrder) {
        haveOrder = true;
        if (word("True"))
          return formatError("the array is in Fortran order; save it with "
                             "numpy.ascontiguousarray");
        if (!word("False"))
          return error("True or False");
      } else if (key == "shape" && !haveShape) {
        haveShape = true;
        if (!shape(array.shape))
          return error("a tuple of at most 8 sizes");
      } else {
        return formatError("unexpected or repeated member '" + printable(key) +
                           "' in the header");
      }
      if (!take(',') && !peek('}'))
        return error("',' or '}'");
    }
    skip();
    if (position != text.size())
      return error("nothing after the dictionary");
    if (!haveType || !haveOrder || !haveShape)
      return formatError("the header lacks descr, fortran_order or shape");
    return Status::success();
  }

private:
  Status error(const char *expected) const {
    return formatError("header byte " + std::to_string(position) +
                       ": expected " + expected);
  }
  void skip() {
    while (position < text.size() &&
           (text[position] == ' ' || text[position] == '\n'))
      ++position;
  }
  bool peek(char c) {
    skip();
    return position < text.size() && text[position] == c;
  }
  bool take(char c) {
    if (!peek(c))
      return false;
    ++position;
    return true;
  }
  bool word(const char *word) {
    skip();
    size_t length = std::strlen(word);
    if (text.compare(position, length, word) != 0)
      return false;
    position += length;
    return true;
  }
  bool quoted(std::string &result) {
    if (!peek('\'') && !peek('"'))
      return false;
    char quote = text[position++];
    size_t end = text.find(quote, position);
    if (end == std::string::npos)
      return false;
    result = text.substr(position, end - position);
    position = end + 1;
    return true;
  }
  bool shape(std::vector<int64_t> &dims) {
    if (!take('('))
      return false;
    while (!take(')')) {
      skip();
      int64_t value = 0;
      size_t start = position;
      for (; position < text.size() && text[position] >= '0' &&
             text[position] <= '9';
           ++position)
        if (__builtin_mul_overflow(value, int64_t(10), &value) ||
            __builtin_add_overflow(value, int64_t(text[position] - '0'),
                                   &value))
          return false;
      if (position == start || dims.size() == rt::ManifestLimits::rank)
        return false;
      dims.push_back(value);
      if (!take(',') && !peek(')'))
        return false;
    }
    return true;
  }
  static Status type(const std::string &name, NpyType &type) {
    static const std::pair<const char *, NpyType> known[] = {
        {"<f2", NpyType::F16},  {"<f4", NpyType::F32}, {"<u2", NpyType::U16},
        {"|b1", NpyType::Bool}, {"|i1", NpyType::I8},  {"<i4", NpyType::I32},
        {"<i8", NpyType::I64}};
    for (const auto &[text, value] : known)
      if (name == text) {
        type = value;
        return Status::success();
      }
    return rt::unsupported("element type '" + printable(name) +
                           "' is not read; expected <f2, <f4, <u2 (bf16 "
                           "bits), |b1, |i1, <i4 or <i8: convert with "
                           "astype");
  }

  const std::string &text;
  size_t position = 0;
};
} // namespace

// Reads the header at the front of `bytes` and checks it against `total`, the
// size of the whole file. `offset` is where the elements start.
static Status parseHeader(const uint8_t *bytes, size_t size, uint64_t total,
                          NpyArray &array, size_t &offset) {
  if (size < magicBytes + 4 || std::memcmp(bytes, magic, magicBytes) != 0)
    return formatError("not a .npy file (no \\x93NUMPY at its start)");
  unsigned major = bytes[6];
  if (major < 1 || major > 3)
    return formatError(".npy version " + std::to_string(major) +
                       " is unknown, expected 1 to 3");
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (size < magicBytes + 2 + lengthBytes)
    return formatError("cut short inside the header's length");
  size_t length = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= size_t(bytes[magicBytes + 2 + i]) << (8 * i);
  offset = magicBytes + 2 + lengthBytes;
  if (length > maxHeader)
    return formatError("the header says " + std::to_string(length) +
                       " bytes, the limit is " + std::to_string(maxHeader));
  if (length > size - offset)
    return formatError("cut short inside the header");
  std::string text(reinterpret_cast<const char *>(bytes) + offset, length);
  offset += length;
  if (Status status = HeaderParser(text).parse(array); !status)
    return status;
  Expected<uint64_t> count =
      rt::elementCount(array.shape.data(), array.shape.size());
  uint64_t needed = 0;
  if (!count || !rt::checkedMul(*count, typeBytes(array.type), needed))
    return formatError("the shape does not fit 64 bits");
  if (total - offset != needed)
    return formatError("the header says " + std::to_string(needed) +
                       " bytes of elements, the file has " +
                       std::to_string(total - offset));
  return Status::success();
}

Expected<NpyArray> sparseflow::tools::parseNpy(const uint8_t *bytes,
                                               size_t size,
                                               const std::string &name) {
  NpyArray array;
  size_t offset = 0;
  if (Status status = parseHeader(bytes, size, size, array, offset); !status)
    return status.withContext("'" + printable(name, 400) + "'");
  array.data = Buffer(size - offset);
  if (size > offset)
    std::memcpy(array.data.data(), bytes + offset, size - offset);
  return array;
}

/// All but the data, which lie at `offset`.
static Expected<rt::InputFile> openNpy(const std::string &path,
                                       uint64_t maxBytes, NpyArray &array,
                                       size_t &offset) {
  Expected<rt::InputFile> file = rt::InputFile::open(path);
  if (!file)
    return file.status();
  std::string where = "'" + printable(path, 400) + "'";
  if (file->size() > maxBytes)
    return formatError(where + " has " + std::to_string(file->size()) +
                       " bytes, the limit is " + std::to_string(maxBytes));
  std::vector<uint8_t> front(std::min<uint64_t>(file->size(), maxHeader + 12));
  if (Status status = file->read(0, front.data(), front.size()); !status)
    return status;
  if (Status status =
          parseHeader(front.data(), front.size(), file->size(), array, offset);
      !status)
    return status.withContext(where);
  return file;
}

Expected<NpyArray> sparseflow::tools::readNpy(const std::string &path,
                                              uint64_t maxBytes) {
  NpyArray array;
  size_t offset = 0;
  Expected<rt::InputFile> file = openNpy(path, maxBytes, array, offset);
  if (!file)
    return file.status();
  array.data = Buffer(file->size() - offset);
  if (Status status = file->read(offset, array.data.data(), array.data.size());
      !status)
    return status;
  return array;
}

Expected<std::vector<int64_t>>
sparseflow::tools::readNpyShape(const std::string &path) {
  NpyArray array;
  size_t offset = 0;
  Expected<rt::InputFile> file =
      openNpy(path, std::numeric_limits<uint64_t>::max(), array, offset);
  if (!file)
    return file.status();
  return std::move(array.shape);
}

Status sparseflow::tools::writeNpy(const std::string &path,
                                   const HostTensor &tensor) {
  const char *type = tensor.dtype == DType::F16   ? "<f2"
                     : tensor.dtype == DType::F32 ? "<f4"
                     : tensor.dtype == DType::I1  ? "|b1"
                     : tensor.dtype == DType::I8  ? "|i1"
                     : tensor.dtype == DType::I32 ? "<i4"
                     : tensor.dtype == DType::I64 ? "<i8"
                                                  : "<u2";
  std::string text = std::string("{'descr': '") + type +
                     "', 'fortran_order': False, 'shape': (";
  for (int64_t size : tensor.shape)
    text += std::to_string(size) + ", ";
  if (tensor.shape.size() > 1)
    text.resize(text.size() - 2);
  text += "), }";
  // Elements start at a multiple of 64 bytes.
  size_t unpadded = magicBytes + 4 + text.size() + 1;
  text.append((64 - unpadded % 64) % 64, ' ');
  text += '\n';
  std::string header(magic, magicBytes);
  header += '\1';
  header += '\0';
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  header += text;
  Expected<rt::OutputFile> file = rt::OutputFile::create(path);
  if (!file)
    return file.status();
  if (Status status = file->write(header.data(), header.size()); !status)
    return status;
  if (Status status = file->write(tensor.data.data(), tensor.data.size());
      !status)
    return status;
  return file->commit();
}
