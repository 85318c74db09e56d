//===- sfpk.h - The .sfpk container of packed weights -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/formats/sfpk.md describes the file byte by byte.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_IO_SFPK_H
#define SPARSEFLOW_RT_IO_SFPK_H

#include "io/file.h"
#include "io/tensor_shape.h"
#include "ternary/format.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparseflow::rt {

/// The version that this library writes, and the newest that it reads.
inline constexpr uint32_t kSfpkVersion = 1;
/// Sections begin at multiples of this, so that a packed blob can be copied or
/// read straight into memory as kernels want it.
inline constexpr uint64_t kSfpkAlignment = 256;
/// A header is the fixed part, one entry a section, the names and padding.
inline constexpr uint64_t kSfpkFixedBytes = 64, kSfpkEntryBytes = 128;
/// Larger headers and more sections are refused.
inline constexpr uint64_t kMaxSfpkHeader = 100'000'000;
inline constexpr uint64_t kMaxSfpkSections = 1 << 20;

/// One section. Offset, bytes and checksum are filled by the functions below;
/// the rest describes the contents.
struct SfpkSection {
  std::string name;
  sf_section_kind kind = SF_SECTION_DENSE;
  sf_dtype dtype = SF_DTYPE_INVALID;
  /// Packed matrices: {N, K}. Texts: {bytes}, type U8. Ternary matrices: {N, K,
  /// planes, scope of a scale, type of scales}.
  std::vector<int64_t> shape;
  /// The layout of a ternary matrix.
  TernaryStorage storage = TernaryStorage::Codes;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint32_t crc = 0;

  /// "sf24.v1", "tern.v1" (or another ternary layout) or "dense".
  const char *layout() const;
  /// A section for a ternary matrix that stands for elements of `dtype`.
  static SfpkSection ofTernary(std::string name, const TernaryFormat &format,
                               sf_dtype dtype);
  /// What a ternary section says; fails where that is no format.
  Expected<TernaryFormat> ternaryFormat() const;
  bool isText() const { return kind == SF_SECTION_TEXT; }
};

/// Checks the description and computes offset and bytes of every section.
/// Fails on unusable names, types, shapes and sizes. Returns the header's size.
Expected<uint64_t> layOutSfpk(std::vector<SfpkSection> &sections);

/// The header of laid-out sections with their checksums.
std::vector<uint8_t> encodeSfpkHeader(const std::vector<SfpkSection> &sections);

/// The size of the whole header, from the first kSfpkFixedBytes of a file of
/// `fileBytes`. Checks magic, byte order, version and sizes.
Expected<uint64_t> sfpkHeaderBytes(const uint8_t *fixedPart,
                                   uint64_t fileBytes);

/// Reads a whole header and checks every field: exactly what encodeSfpkHeader
/// writes is accepted.
Expected<std::vector<SfpkSection>>
decodeSfpkHeader(const std::vector<uint8_t> &header, uint64_t fileBytes);

/// An open container. Immutable; threads may share it.
class SfpkFile {
public:
  static Expected<SfpkFile> open(const std::string &path);

  const std::vector<SfpkSection> &sections() const { return table; }
  const std::string &path() const { return file.path(); }
  /// The tensor (not text) called `name`, or null.
  const SfpkSection *find(const std::string &name) const;

  /// Reads a section into `buffer` (section.bytes) and verifies the checksum,
  /// the padding behind it and, for packed matrices, the blob.
  Status read(const SfpkSection &section, void *buffer, int threads = 0) const;

private:
  SfpkFile(InputFile file, std::vector<SfpkSection> table)
      : file(std::move(file)), table(std::move(table)) {}

  InputFile file;
  std::vector<SfpkSection> table;
};

/// Writes a container atomically, section by section in the given order, so
/// that only one has to be in memory.
class SfpkWriter {
public:
  static Expected<SfpkWriter> create(const std::string &path,
                                     std::vector<SfpkSection> sections);

  /// With offsets and sizes.
  const std::vector<SfpkSection> &sections() const { return table; }
  /// Writes the next section; `bytes` has to be its size.
  Status write(const void *data, uint64_t bytes);
  /// Fails unless every section was written.
  Status commit();

private:
  SfpkWriter(OutputFile file, std::vector<SfpkSection> table)
      : file(std::move(file)), table(std::move(table)) {}

  OutputFile file;
  std::vector<SfpkSection> table;
  size_t next = 0;
};

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_IO_SFPK_H
