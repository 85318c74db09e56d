//===- SfpkFuzzer.cpp - Reads .sfpk containers ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checksums would stop nearly every mutation at the door. So each input is read
// twice: as it is, and with its checksums, sizes and name offsets put right,
// which is what a forger would do.
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"

#include "io/sfpk.h"
#include "ternary/pack.h"
#include "weights/crc32c.h"

#include "sparseflow/weights.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace sparseflow;
using namespace sparseflow::fuzz;

namespace {

// Places in the header, from docs/formats/sfpk.md.
enum : size_t {
  AtFileBytes = 16,
  AtHeaderBytes = 24,
  AtCount = 32,
  AtChecksum = 40,
  EntryNameOffset = 0,
  EntryNameBytes = 8,
  EntryOffset = 104,
  EntryBytes = 112,
  EntryChecksum = 120
};

template <typename T>
T get(const std::vector<uint8_t> &file, size_t at) {
  T value;
  std::memcpy(&value, file.data() + at, sizeof(value));
  return value;
}
template <typename T>
void put(std::vector<uint8_t> &file, size_t at, T value) {
  std::memcpy(file.data() + at, &value, sizeof(value));
}

/// Puts right what a mutation breaks without meaning to. What it cannot make
/// sense of it leaves alone.
void reseal(std::vector<uint8_t> &file) {
  if (file.size() < rt::kSfpkFixedBytes)
    return;
  put<uint64_t>(file, AtFileBytes, file.size());
  uint64_t header = get<uint64_t>(file, AtHeaderBytes);
  uint64_t count = get<uint64_t>(file, AtCount);
  if (header < rt::kSfpkFixedBytes || header > file.size())
    return;
  uint64_t room = (header - rt::kSfpkFixedBytes) / rt::kSfpkEntryBytes;
  uint64_t name =
      rt::kSfpkFixedBytes + std::min(count, room) * rt::kSfpkEntryBytes;
  for (uint64_t i = 0; i < std::min(count, room); ++i) {
    size_t entry = rt::kSfpkFixedBytes + i * rt::kSfpkEntryBytes;
    put<uint64_t>(file, entry + EntryNameOffset, name);
    name += get<uint32_t>(file, entry + EntryNameBytes);
    uint64_t offset = get<uint64_t>(file, entry + EntryOffset);
    uint64_t bytes = get<uint64_t>(file, entry + EntryBytes);
    if (offset <= file.size() && bytes <= file.size() - offset)
      put<uint32_t>(file, entry + EntryChecksum,
                    rt::crc32c(file.data() + offset, bytes));
  }
  put<uint32_t>(file, AtChecksum, 0);
  put<uint32_t>(file, AtChecksum, rt::crc32c(file.data(), header));
}

/// A blob that passed is exactly one matrix: it packs to the same bytes.
void checkPacked(const rt::SfpkSection &section,
                 const std::vector<uint8_t> &blob) {
  int64_t n = section.shape[0], k = section.shape[1];
  std::vector<uint16_t> dense(n * k);
  if (sf_unpack24(blob.data(), blob.size(), n, k, 1, dense.data(),
                  dense.size() * 2) != SF_OK)
    broken(std::string("an accepted matrix does not unpack: ") +
           sf_last_error());
  sf_pack_options options = {};
  options.struct_size = sizeof(options);
  options.flags = SF_PACK_ALLOW_NON_FINITE;
  options.threads = 1;
  std::vector<uint8_t> again(blob.size());
  if (sf_pack24(dense.data(), n, k, section.dtype, &options, again.data(),
                again.size(), nullptr) != SF_OK)
    broken(std::string("an unpacked matrix does not pack: ") + sf_last_error());
  if (again != blob)
    broken("packing what was unpacked gives other bytes");
}

/// The same for a ternary matrix.
void checkTernary(const rt::SfpkSection &section,
                  const std::vector<uint8_t> &blob) {
  rt::Expected<rt::TernaryFormat> format = section.ternaryFormat();
  if (!format)
    broken("an accepted ternary matrix has no format");
  std::vector<int8_t> trits(format->tritCount());
  std::vector<float> scales(format->planes * format->scalesPerPlane());
  std::vector<uint8_t> again(blob.size());
  if (rt::Status status =
          rt::unpackTernary(blob.data(), *format, section.name, /*threads=*/1,
                            trits.data(), scales.data());
      !status)
    broken("an accepted ternary matrix does not unpack: " + status.text());
  if (rt::Status status = rt::packTernary(trits.data(), scales.data(), *format,
                                          section.name, 1, again.data());
      !status)
    broken("an unpacked ternary matrix does not pack: " + status.text());
  if (again != blob)
    broken("packing what was unpacked gives other bytes");
}

void read(const std::vector<uint8_t> &bytes) {
  rt::Expected<rt::SfpkFile> file =
      rt::SfpkFile::open(MemoryFile::get().fill(bytes.data(), bytes.size()));
  if (!file)
    return checkError(file.status());
  for (const rt::SfpkSection &section : file->sections()) {
    if (section.offset > bytes.size() ||
        section.bytes > bytes.size() - section.offset)
      broken("a section reaches beyond the file");
    std::vector<uint8_t> buffer(section.bytes);
    rt::Status status = file->read(section, buffer.data(), 1);
    if (!status)
      checkError(status);
    else if (section.kind == SF_SECTION_PACKED24)
      checkPacked(section, buffer);
    else if (section.kind == SF_SECTION_TERNARY)
      checkTernary(section, buffer);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<uint8_t> bytes(data, data + size);
  read(bytes);
  reseal(bytes);
  read(bytes);
  return 0;
}
