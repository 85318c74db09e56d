//===- gguf_header.cpp - Parses the front of GGUF files -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/gguf.h"

#include "common/utf8.h"
#include "io/gguf_types.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

using namespace sparseflow::rt;

namespace {

/// Longer keys, names and kept texts are refused; texts are merely cut off.
constexpr uint64_t kMaxName = 4096;

/// Types of metadata values.
enum ValueType : uint32_t {
  ValueUint8,
  ValueInt8,
  ValueUint16,
  ValueInt16,
  ValueUint32,
  ValueInt32,
  ValueFloat32,
  ValueBool,
  ValueString,
  ValueArray,
  ValueUint64,
  ValueInt64,
  ValueFloat64,
  ValueTypeCount
};
constexpr uint8_t kValueBytes[ValueTypeCount] = {1, 1, 2, 2, 4, 4, 4,
                                                 1, 0, 0, 8, 8, 8};

/// Reads the file from front to back through a small buffer. After the first
/// failure every call fails, so that the status is asked once a record.
class Cursor {
public:
  Cursor(const GgufSource &source, uint64_t size)
      : source(source), size(size), limit(std::min(size, kMaxGgufHeader)) {}

  uint64_t position() const { return at; }
  uint64_t remaining() const { return limit - at; }
  const Status &status() const { return error; }
  bool failed() const { return !error.ok(); }

  void fail(const std::string &text) {
    if (error.ok())
      error = formatError("byte " + std::to_string(at) + ": " + text);
  }

  bool take(void *to, uint64_t count, const char *what) {
    if (!has(count, what))
      return false;
    for (auto *bytes = static_cast<uint8_t *>(to); count > 0;) {
      if (at < bufferStart || at >= bufferStart + buffer.size()) {
        bufferStart = at;
        buffer.resize(std::min<uint64_t>(limit - at, 1 << 16));
        error = source(bufferStart, buffer.data(), buffer.size());
        if (!error.ok())
          return false;
      }
      uint64_t part = std::min(count, bufferStart + buffer.size() - at);
      std::memcpy(bytes, buffer.data() + (at - bufferStart), part);
      bytes += part;
      at += part;
      count -= part;
    }
    return true;
  }
  template <typename T>
  T number(const char *what) {
    T value = 0;
    take(&value, sizeof(value), what);
    return value;
  }
  void skip(uint64_t count, const char *what) {
    if (has(count, what))
      at += count;
  }
  /// The text of a length and that many bytes.
  std::string text(uint64_t most, const char *what) {
    uint64_t length = number<uint64_t>(what);
    if (failed())
      return "";
    if (length > most) {
      fail(std::string(what) + ": expected at most " + std::to_string(most) +
           " bytes, found " + std::to_string(length));
      return "";
    }
    if (!has(length, what))
      return "";
    std::string result(length, '\0');
    take(result.data(), length, what);
    return result;
  }

private:
  bool has(uint64_t count, const char *what) {
    if (failed())
      return false;
    if (count <= remaining())
      return true;
    fail(std::string(what) + " needs " + std::to_string(count) + " bytes, " +
         (limit < size ? "beyond the " + std::to_string(limit) +
                             " bytes that a header may have"
                       : std::to_string(remaining()) +
                             " are left; the file is truncated or corrupt"));
    return false;
  }

  const GgufSource &source;
  uint64_t size, limit, at = 0, bufferStart = 0;
  std::vector<uint8_t> buffer;
  Status error;
};

class Parser {
public:
  Parser(const GgufSource &source, uint64_t fileBytes, uint32_t q2Block)
      : cursor(source, fileBytes), fileBytes(fileBytes), q2Block(q2Block) {}

  Expected<GgufHeader> parse();

private:
  Status readCounts();
  Status readPair();
  std::string readValue(uint32_t type, const std::string &key);
  Status readTensor();
  Status placeTensors();
  Status chooseBlocks();

  Status tensorError(const GgufTensor &tensor, const std::string &text) const {
    return formatError("tensor '" + printable(tensor.name) + "': " + text);
  }
  uint64_t alignUp(uint64_t value) const {
    return (value + header.alignment - 1) / header.alignment * header.alignment;
  }
  /// Bytes of `tensor` in blocks; 0 elements need none.
  static Expected<uint64_t> sizeOf(const GgufTensor &tensor, uint32_t elements,
                                   uint32_t bytes);
  /// Where tensor i has to end at the latest, and where at the earliest if
  /// nothing but padding follows.
  uint64_t endOf(size_t i) const {
    return i + 1 < header.tensors.size() ? header.tensors[i + 1].offset
                                         : fileBytes;
  }
  bool fills(size_t i, uint64_t bytes) const {
    uint64_t end = header.tensors[i].offset + bytes;
    bool last = i + 1 == header.tensors.size();
    return end <= endOf(i) &&
           (last ? fileBytes <= alignUp(end) : alignUp(end) == endOf(i));
  }

  Cursor cursor;
  uint64_t fileBytes;
  uint32_t q2Block;
  uint64_t tensorCount = 0, pairCount = 0;
  GgufHeader header;
  std::unordered_set<std::string> keys, names;
};

} // namespace

Status Parser::readCounts() {
  char magic[4] = {};
  cursor.take(magic, 4, "the magic bytes");
  if (!cursor.status())
    return cursor.status();
  if (std::memcmp(magic, "GGUF", 4) != 0)
    return formatError(
        "expected a GGUF file, but it does not begin with its magic bytes");
  header.version = cursor.number<uint32_t>("the version");
  if (!cursor.status())
    return cursor.status();
  if (header.version != 0 && (header.version & 0xffff) == 0)
    return formatError("the file was written in big-endian byte order; convert "
                       "it to little endian first");
  if (header.version != 2 && header.version != 3)
    return unsupported("the file has GGUF version " +
                       std::to_string(header.version) +
                       ", this library reads 2 and 3; convert it first");
  tensorCount = cursor.number<uint64_t>("the number of tensors");
  pairCount = cursor.number<uint64_t>("the number of metadata pairs");
  if (!cursor.status())
    return cursor.status();
  // A pair has at least 13 bytes, a tensor 24: counts beyond what the file can
  // hold are refused before anything is allocated for them.
  if (pairCount > cursor.remaining() / 13)
    return formatError(std::to_string(pairCount) +
                       " metadata pairs do not fit into the file");
  if (tensorCount > cursor.remaining() / 24)
    return formatError(std::to_string(tensorCount) +
                       " tensors do not fit into the file");
  return Status::success();
}

/// A value as text. Arrays are read over.
std::string Parser::readValue(uint32_t type, const std::string &key) {
  switch (type) {
  case ValueUint8:
    return std::to_string(cursor.number<uint8_t>("a number"));
  case ValueInt8:
    return std::to_string(cursor.number<int8_t>("a number"));
  case ValueUint16:
    return std::to_string(cursor.number<uint16_t>("a number"));
  case ValueInt16:
    return std::to_string(cursor.number<int16_t>("a number"));
  case ValueUint32:
    return std::to_string(cursor.number<uint32_t>("a number"));
  case ValueInt32:
    return std::to_string(cursor.number<int32_t>("a number"));
  case ValueUint64:
    return std::to_string(cursor.number<uint64_t>("a number"));
  case ValueInt64:
    return std::to_string(cursor.number<int64_t>("a number"));
  case ValueFloat32:
    return std::to_string(cursor.number<float>("a number"));
  case ValueFloat64:
    return std::to_string(cursor.number<double>("a number"));
  case ValueBool: {
    uint8_t value = cursor.number<uint8_t>("a truth value");
    if (value > 1)
      cursor.fail("metadata '" + printable(key) +
                  "': expected a truth value of 0 or 1, found " +
                  std::to_string(value));
    return value ? "true" : "false";
  }
  case ValueString: {
    std::string text = cursor.text(kMaxGgufHeader, "a metadata text");
    if (!isUtf8(text))
      cursor.fail("metadata '" + printable(key) + "': the text is not UTF-8");
    return text;
  }
  case ValueArray: {
    uint32_t element = cursor.number<uint32_t>("the type of an array");
    uint64_t count = cursor.number<uint64_t>("the length of an array");
    if (cursor.failed())
      return "";
    if (element >= ValueTypeCount || element == ValueArray) {
      cursor.fail("metadata '" + printable(key) +
                  "': expected an array of numbers or texts, found elements "
                  "of type " +
                  std::to_string(element));
      return "";
    }
    uint64_t least = element == ValueString ? 8 : kValueBytes[element];
    if (count > cursor.remaining() / least) {
      cursor.fail("metadata '" + printable(key) + "': an array of " +
                  std::to_string(count) +
                  " elements does not fit into the "
                  "file");
      return "";
    }
    if (element != ValueString)
      cursor.skip(count * least, "an array");
    for (uint64_t i = 0; element == ValueString && i < count; ++i) {
      cursor.skip(cursor.number<uint64_t>("a text"), "a text");
      if (cursor.failed())
        return "";
    }
    return "(" + std::to_string(count) + " values)";
  }
  default:
    cursor.fail("metadata '" + printable(key) +
                "': expected a type from 0 to 12, found " +
                std::to_string(type));
    return "";
  }
}

Status Parser::readPair() {
  GgufPair pair;
  pair.key = cursor.text(kMaxName, "a metadata key");
  uint32_t type = cursor.number<uint32_t>("the type of a metadata value");
  if (!cursor.status())
    return cursor.status();
  if (!isUtf8(pair.key))
    return formatError("the metadata key '" + printable(pair.key) +
                       "' is not UTF-8");
  if (!keys.insert(pair.key).second)
    return formatError("the metadata key '" + printable(pair.key) +
                       "' appears twice");
  pair.value = readValue(type, pair.key);
  if (!cursor.status())
    return cursor.status();
  if (pair.key == "general.alignment") {
    bool whole =
        type <= ValueInt32 || type == ValueUint64 || type == ValueInt64;
    // A negative one is beyond 2^30.
    uint64_t value = whole ? std::strtoull(pair.value.c_str(), nullptr, 10) : 0;
    if (value == 0 || (value & (value - 1)) != 0 || value > (1 << 30))
      return formatError("general.alignment: expected a whole number that is a "
                         "power of two, at most 2^30, found " +
                         printable(pair.value, 40));
    header.alignment = value;
  }
  header.metadata.push_back(std::move(pair));
  return Status::success();
}

Expected<uint64_t> Parser::sizeOf(const GgufTensor &tensor, uint32_t elements,
                                  uint32_t bytes) {
  // Zero dimensions do not hide an overflow of the others.
  int64_t count = 1;
  bool empty = false;
  for (int64_t size : tensor.shape) {
    empty |= size == 0;
    if (__builtin_mul_overflow(count, std::max<int64_t>(size, 1), &count))
      return formatError("shape " + shapeText(tensor.shape) +
                         " has more elements than 63 bits can count");
  }
  int64_t inner = tensor.shape.empty() ? 1 : tensor.shape.back();
  if (inner % elements != 0)
    return formatError("rows of " + std::to_string(inner) +
                       " elements are not whole blocks of " +
                       std::to_string(elements));
  int64_t total;
  if (__builtin_mul_overflow(count / elements, int64_t(bytes), &total))
    return formatError("shape " + shapeText(tensor.shape) +
                       " has more bytes than 63 bits can count");
  return empty ? uint64_t(0) : uint64_t(total);
}

Status Parser::readTensor() {
  GgufTensor tensor;
  tensor.name = cursor.text(kMaxName, "a tensor name");
  uint32_t rank = cursor.number<uint32_t>("the rank of a tensor");
  if (!cursor.status())
    return cursor.status();
  if (!isUtf8(tensor.name))
    return tensorError(tensor, "the name is not UTF-8");
  if (!names.insert(tensor.name).second)
    return formatError("two tensors are called '" + printable(tensor.name) +
                       "'");
  if (rank > 4)
    return tensorError(tensor, "expected at most 4 dimensions, found " +
                                   std::to_string(rank));
  for (uint32_t i = 0; i < rank; ++i) {
    uint64_t size = cursor.number<uint64_t>("a dimension");
    if (size > uint64_t(INT64_MAX))
      return tensorError(tensor,
                         "size " + std::to_string(size) + " is beyond 63 bits");
    tensor.shape.insert(tensor.shape.begin(), size);
  }
  tensor.type = cursor.number<uint32_t>("the type of a tensor");
  tensor.offset = cursor.number<uint64_t>("the offset of a tensor");
  if (!cursor.status())
    return cursor.status();
  if (const GgufTypeInfo *info = ggufTypeInfo(tensor.type);
      info && tensor.type != GgufQ2_0) {
    tensor.blockElements = info->blockElements;
    tensor.blockBytes = info->blockBytes;
  }
  // An unknown type has unknown blocks, but its shape has to be countable too.
  bool known = tensor.isReadable();
  Expected<uint64_t> bytes = sizeOf(tensor, known ? tensor.blockElements : 1,
                                    known ? tensor.blockBytes : 1);
  if (!bytes)
    return tensorError(tensor, bytes.status().text());
  tensor.bytes = known ? *bytes : 0;
  header.tensors.push_back(std::move(tensor));
  return Status::success();
}

/// Q2_0 has two block sizes under one number. The size of the tensor tells
/// them apart; where padding hides the difference, the other tensors do.
Status Parser::chooseBlocks() {
  uint32_t agreed = q2Block;
  std::vector<size_t> undecided;
  for (size_t i = 0; i < header.tensors.size(); ++i) {
    GgufTensor &tensor = header.tensors[i];
    if (tensor.type != GgufQ2_0)
      continue;
    uint32_t found = 0, candidates = 0;
    for (uint32_t block : {64u, 128u}) {
      Expected<uint64_t> bytes = sizeOf(tensor, block, 2 + block / 4);
      if (!bytes || !fills(i, *bytes))
        continue;
      found = block;
      ++candidates;
    }
    if (candidates == 0)
      return tensorError(tensor, "shape " + shapeText(tensor.shape) +
                                     " of Q2_0 fills the " +
                                     std::to_string(endOf(i) - tensor.offset) +
                                     " bytes up to what follows neither in "
                                     "blocks of 64 nor of 128; the file is "
                                     "truncated or corrupt");
    if (candidates == 2) {
      undecided.push_back(i);
      continue;
    }
    if (q2Block != 0 && found != q2Block)
      return tensorError(tensor,
                         "its size says blocks of " + std::to_string(found) +
                             ", not of the given " + std::to_string(q2Block));
    tensor.blockElements = found;
    agreed = agreed == 0 || agreed == found ? found : 1;
  }
  for (size_t i : undecided)
    header.tensors[i].blockElements = agreed > 1 ? agreed : 0;
  for (GgufTensor &tensor : header.tensors)
    if (tensor.type == GgufQ2_0 && tensor.isReadable()) {
      tensor.blockBytes = 2 + tensor.blockElements / 4;
      tensor.bytes = *sizeOf(tensor, tensor.blockElements, tensor.blockBytes);
    }
  return Status::success();
}

/// Offsets of the file become positions. Together the tensors have to tile the
/// data, each at the first aligned byte behind the one before.
Status Parser::placeTensors() {
  std::vector<GgufTensor> &tensors = header.tensors;
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const GgufTensor &a, const GgufTensor &b) {
                     return a.offset != b.offset ? a.offset < b.offset
                                                 : a.bytes < b.bytes;
                   });
  uint64_t start = alignUp(cursor.position());
  for (GgufTensor &tensor : tensors) {
    if (tensor.offset % header.alignment != 0)
      return tensorError(tensor, "its offset " + std::to_string(tensor.offset) +
                                     " is not a multiple of the alignment " +
                                     std::to_string(header.alignment));
    if (start > fileBytes || tensor.offset > fileBytes - start)
      return tensorError(tensor, "it begins at data byte " +
                                     std::to_string(tensor.offset) +
                                     ", beyond the end of the file; the file "
                                     "is truncated or corrupt");
    tensor.offset += start;
  }
  if (Status status = chooseBlocks(); !status)
    return status;
  for (size_t i = 0; i < tensors.size(); ++i) {
    GgufTensor &tensor = tensors[i];
    if (i == 0 && tensor.offset != start)
      return tensorError(tensor, "expected the first tensor at data byte 0, "
                                 "found " +
                                     std::to_string(tensor.offset - start));
    if (!tensor.isReadable()) {
      tensor.bytes = endOf(i) - tensor.offset;
      continue;
    }
    uint64_t room = endOf(i) - tensor.offset;
    bool last = i + 1 == tensors.size();
    if (tensor.bytes > room)
      return tensorError(tensor, "shape " + shapeText(tensor.shape) + " of " +
                                     tensor.typeName() + " needs " +
                                     std::to_string(tensor.bytes) +
                                     " bytes, but " + std::to_string(room) +
                                     (last ? " are left; the file is truncated"
                                           : " lie before the next tensor"));
    if (!fills(i, tensor.bytes))
      return tensorError(tensor, std::to_string(room - tensor.bytes) +
                                     " bytes follow that belong to no tensor");
  }
  return Status::success();
}

Expected<GgufHeader> Parser::parse() {
  if (Status status = readCounts(); !status)
    return status;
  for (uint64_t i = 0; i < pairCount; ++i)
    if (Status status = readPair(); !status)
      return status;
  for (uint64_t i = 0; i < tensorCount; ++i)
    if (Status status = readTensor(); !status)
      return status;
  if (Status status = placeTensors(); !status)
    return status;
  return std::move(header);
}

Expected<GgufHeader> sparseflow::rt::parseGguf(const GgufSource &source,
                                               uint64_t fileBytes,
                                               uint32_t q2Block) {
  if (q2Block != 0 && q2Block != 64 && q2Block != 128)
    return invalidArgument("expected a Q2_0 block of 64 or 128, found " +
                           std::to_string(q2Block));
  return Parser(source, fileBytes, q2Block).parse();
}
