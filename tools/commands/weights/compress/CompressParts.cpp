//===- CompressParts.cpp - Tensors that are finished ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part: the CRC-32C of what follows (4 bytes), the text's length (4 bytes),
// the text, the tensor's bytes. Numbers are little endian.
//
//===----------------------------------------------------------------------===//

#include "CompressParts.h"

#include "io/file.h"
#include "weights/crc32c.h"

#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Expected;
using rt::Status;

Expected<CompressParts> CompressParts::open(const std::string &folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return rt::ioError("cannot create the folder '" + rt::printable(folder) +
                       "': " + error.message());
  CompressParts parts;
  parts.folder = folder;
  return parts;
}

std::string
CompressParts::key(const std::string &name, const std::vector<uint8_t> &data,
                   const std::vector<const std::vector<float> *> &numbers,
                   const std::string &rule) {
  uint32_t crc = 0;
  for (const std::vector<float> *values : numbers) {
    // Where one list ends counts, too.
    uint64_t size = values->size();
    crc = rt::crc32c(&size, sizeof(size), crc);
    crc = rt::crc32c(values->data(), size * sizeof(float), crc);
  }
  char text[40];
  std::snprintf(text, sizeof(text), "%08x%08x%08x%08x",
                rt::crc32c(name.data(), name.size()),
                rt::crc32c(data.data(), data.size()), crc,
                rt::crc32c(rule.data(), rule.size()));
  return text;
}

bool CompressParts::find(const std::string &key, std::vector<uint8_t> &data,
                         std::string &text) const {
  Expected<rt::InputFile> file = rt::InputFile::open(path(key));
  uint32_t head[2];
  if (!file || file->size() < sizeof(head) + data.size())
    return false;
  std::vector<uint8_t> bytes(file->size());
  if (!file->read(0, bytes.data(), bytes.size()))
    return false;
  std::memcpy(head, bytes.data(), sizeof(head));
  if (bytes.size() != sizeof(head) + head[1] + data.size() ||
      rt::crc32c(bytes.data() + 4, bytes.size() - 4) != head[0])
    return false;
  auto begin = bytes.begin() + sizeof(head);
  text.assign(begin, begin + head[1]);
  std::copy(begin + head[1], bytes.end(), data.begin());
  used.push_back(key);
  return true;
}

Status CompressParts::save(const std::string &key,
                           const std::vector<uint8_t> &data,
                           const std::string &text) {
  uint32_t head[2] = {0, static_cast<uint32_t>(text.size())};
  head[0] = rt::crc32c(&head[1], 4);
  head[0] = rt::crc32c(text.data(), text.size(), head[0]);
  head[0] = rt::crc32c(data.data(), data.size(), head[0]);
  Expected<rt::OutputFile> file = rt::OutputFile::create(path(key));
  if (!file)
    return file.status();
  Status status = file->write(head, sizeof(head));
  if (status)
    status = file->write(text.data(), text.size());
  if (status)
    status = file->write(data.data(), data.size());
  if (status)
    status = file->commit();
  if (status)
    used.push_back(key);
  return status;
}

void CompressParts::remove() {
  std::error_code ignored;
  for (const std::string &key : used)
    std::filesystem::remove(path(key), ignored);
  std::filesystem::remove(folder, ignored);
}
