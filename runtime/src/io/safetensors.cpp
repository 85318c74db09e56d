//===- safetensors.cpp - Reads and writes safetensors files ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/safetensors.h"

#include "common/utf8.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_set>

#include <nlohmann/json.hpp>

using namespace sparseflow::rt;

Expected<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  std::string context = "'" + printable(path) + "'";
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.status();
  uint8_t prefix[8];
  if (file->size() < sizeof(prefix))
    return formatError(context +
                       ": expected a safetensors file, which has at "
                       "least 10 bytes, found " +
                       std::to_string(file->size()));
  if (Status status = file->read(0, prefix, sizeof(prefix)); !status)
    return status;
  uint64_t headerBytes;
  std::memcpy(&headerBytes, prefix, sizeof(headerBytes));
  uint64_t rest = file->size() - sizeof(prefix);
  std::string length =
      context + ": the header length is " + std::to_string(headerBytes);
  if (headerBytes < 2)
    return formatError(length + ", expected at least 2");
  if (headerBytes > kMaxSafetensorsHeader)
    return formatError(length + ", expected at most " +
                       std::to_string(kMaxSafetensorsHeader) +
                       "; is this a safetensors file?");
  if (headerBytes > rest)
    return formatError(length + ", but only " + std::to_string(rest) +
                       " bytes follow; the file is truncated");
  std::string json(headerBytes, '\0');
  if (Status status = file->read(sizeof(prefix), json.data(), headerBytes);
      !status)
    return status;
  Expected<SafetensorsHeader> header =
      parseSafetensorsHeader(json, rest - headerBytes);
  if (!header)
    return header.status().withContext(context);
  return SafetensorsFile(std::move(*file), sizeof(prefix) + headerBytes,
                         std::move(*header));
}

const SafetensorsEntry *SafetensorsFile::find(const std::string &name) const {
  for (const SafetensorsEntry &entry : contents.tensors)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

Status SafetensorsFile::read(const SafetensorsEntry &entry,
                             void *buffer) const {
  if (entry.dtype == SF_DTYPE_INVALID)
    return unsupported("'" + printable(file.path()) + "': tensor '" +
                       printable(entry.name) + "' has the unknown type '" +
                       printable(entry.dtypeSpelling, 40) +
                       "'; leave it out or convert it first");
  return file.read(dataStart + entry.begin, buffer, entry.bytes());
}

//===----------------------------------------------------------------------===//
// SafetensorsWriter
//===----------------------------------------------------------------------===//

static Status checkName(const std::string &name,
                        std::unordered_set<std::string> &names) {
  if (name == "__metadata__" || !isUtf8(name))
    return invalidArgument("the tensor name '" + printable(name) +
                           "' is reserved or not UTF-8; rename it");
  if (!names.insert(name).second)
    return invalidArgument("two tensors are called '" + printable(name) +
                           "'; rename one");
  return Status::success();
}

Expected<SafetensorsWriter> SafetensorsWriter::create(
    const std::string &path, std::vector<Tensor> tensors,
    const std::vector<std::pair<std::string, std::string>> &metadata) {
  std::vector<size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return dtypeBits(tensors[a].dtype) > dtypeBits(tensors[b].dtype);
  });

  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  for (const auto &[key, value] : metadata) {
    if (!isUtf8(key) || !isUtf8(value))
      return invalidArgument("the metadata '" + printable(key) +
                             "' is not UTF-8");
    header["__metadata__"][key] = value;
  }
  std::unordered_set<std::string> names;
  uint64_t position = 0;
  for (size_t index : order) {
    const Tensor &tensor = tensors[index];
    if (Status status = checkName(tensor.name, names); !status)
      return status;
    Expected<uint64_t> bytes = tensorBytes(tensor.shape, tensor.dtype);
    if (!bytes)
      return bytes.status().withContext("tensor '" + printable(tensor.name) +
                                        "'");
    uint64_t end;
    if (__builtin_add_overflow(position, *bytes, &end) ||
        end > uint64_t(INT64_MAX))
      return invalidArgument("the tensors have more than 2^63 bytes together");
    header[tensor.name] = {{"dtype", dtypeName(tensor.dtype)},
                           {"shape", tensor.shape},
                           {"data_offsets", {position, end}}};
    position = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  if (text.size() > kMaxSafetensorsHeader)
    return invalidArgument("the header would exceed " +
                           std::to_string(kMaxSafetensorsHeader) + " bytes");

  Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.status();
  uint64_t length = text.size();
  if (Status status = file->write(&length, sizeof(length)); !status)
    return status;
  if (Status status = file->write(text.data(), text.size()); !status)
    return status;
  SafetensorsWriter writer(std::move(*file));
  writer.tensors = std::move(tensors);
  writer.layoutOrder = std::move(order);
  return writer;
}

Status SafetensorsWriter::write(const void *data, uint64_t bytes) {
  if (next >= layoutOrder.size())
    return invalidArgument("all tensors have been written already");
  const Tensor &tensor = tensors[layoutOrder[next]];
  uint64_t expected = *tensorBytes(tensor.shape, tensor.dtype);
  if (bytes != expected)
    return invalidArgument("tensor '" + printable(tensor.name) + "' has " +
                           std::to_string(expected) + " bytes, found " +
                           std::to_string(bytes));
  ++next;
  return file.write(data, bytes);
}

Status SafetensorsWriter::commit() {
  if (next != layoutOrder.size())
    return invalidArgument(std::to_string(layoutOrder.size() - next) +
                           " tensors have not been written");
  return file.commit();
}
