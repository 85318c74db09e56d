//===- sfpk_header.cpp - The header of .sfpk containers -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/sfpk.h"

#include "common/utf8.h"
#include "weights/crc32c.h"
#include "weights/layout24.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace sparseflow::rt;

// A first byte above 127 and a line end of each kind: transfers that treat the
// file as text are noticed at once.
static constexpr uint8_t kMagic[8] = {0x89, 'S',  'F',  'P',
                                      'K',  '\r', '\n', 0x1a};
static constexpr uint32_t kByteOrder = 0x01020304;

namespace {

// Positions in the fixed part.
enum : size_t {
  AtMagic = 0,
  AtVersion = 8,
  AtByteOrder = 12,
  AtFileBytes = 16,
  AtHeaderBytes = 24,
  AtCount = 32,
  AtChecksum = 40,
  AtReserved = 44
};
// Positions in an entry.
enum : size_t {
  EntryNameOffset = 0,
  EntryNameBytes = 8,
  EntryKind = 12,
  EntryDType = 16,
  EntryRank = 20,
  EntryDims = 24,
  EntryLayout = 88,
  EntryOffset = 104,
  EntryBytes = 112,
  EntryChecksum = 120,
  EntryReserved = 124
};
constexpr size_t kLayoutNameBytes = 16;

template <typename T>
T get(const uint8_t *place) {
  T value;
  std::memcpy(&value, place, sizeof(value));
  return value;
}
template <typename T>
void put(uint8_t *place, T value) {
  std::memcpy(place, &value, sizeof(value));
}

uint64_t alignUp(uint64_t value) {
  return (value + kSfpkAlignment - 1) / kSfpkAlignment * kSfpkAlignment;
}

uint32_t headerChecksum(const std::vector<uint8_t> &header) {
  static const uint8_t zeros[4] = {};
  uint32_t crc = crc32c(header.data(), AtChecksum);
  crc = crc32c(zeros, sizeof(zeros), crc);
  return crc32c(header.data() + AtChecksum + 4, header.size() - AtChecksum - 4,
                crc);
}

} // namespace

const char *SfpkSection::layout() const {
  return kind == SF_SECTION_PACKED24  ? kLayout24Name
         : kind == SF_SECTION_TERNARY ? layoutName(storage)
                                      : "dense";
}

SfpkSection SfpkSection::ofTernary(std::string name,
                                   const TernaryFormat &format,
                                   sf_dtype dtype) {
  SfpkSection section;
  section.name = std::move(name);
  section.kind = SF_SECTION_TERNARY;
  section.dtype = dtype;
  section.storage = format.storage;
  section.shape = {format.n, format.k, format.planes, format.group,
                   int64_t(format.scaleType)};
  return section;
}

Expected<TernaryFormat> SfpkSection::ternaryFormat() const {
  if (shape.size() != 5 || (!isPackable(dtype) && dtype != SF_DTYPE_F32))
    return formatError("a quantized matrix needs type F16, BF16 or F32 and "
                       "five numbers, found " +
                       std::string(dtypeName(dtype)) + " " + shapeText(shape));
  if (shape[2] > 2 || shape[4] > SF_DTYPE_C64)
    return formatError("a quantized matrix needs one or two planes and scales "
                       "of a known type, found " +
                       shapeText(shape));
  TernaryFormat format{shape[0],      shape[1], storage,
                       int(shape[2]), shape[3], sf_dtype(shape[4])};
  if (Status status = format.verify(); !status)
    return formatError(status.text());
  return format;
}

static std::string quoted(const SfpkSection &section) {
  return "section '" + printable(section.name) + "'";
}

/// The size of a section's data, if its kind, type and shape fit together.
static Expected<uint64_t> sectionBytes(const SfpkSection &section) {
  if (section.shape.size() > SF_MAX_RANK)
    return formatError("expected at most " + std::to_string(SF_MAX_RANK) +
                       " dimensions, found " +
                       std::to_string(section.shape.size()));
  switch (section.kind) {
  case SF_SECTION_DENSE:
    return tensorBytes(section.shape, section.dtype);
  case SF_SECTION_TEXT:
    if (section.dtype != SF_DTYPE_U8 || section.shape.size() != 1)
      return formatError("a text needs type U8 and one dimension");
    return tensorBytes(section.shape, section.dtype);
  case SF_SECTION_PACKED24: {
    if (!isPackable(section.dtype) || section.shape.size() != 2)
      return formatError("a packed 2:4 matrix needs type F16 or BF16 and two "
                         "dimensions, found " +
                         std::string(dtypeName(section.dtype)) + " " +
                         shapeText(section.shape));
    Expected<Layout24> layout =
        Layout24::create(section.shape[0], section.shape[1]);
    if (!layout)
      return formatError(layout.status().text());
    return uint64_t(layout->blobBytes());
  }
  case SF_SECTION_TERNARY: {
    Expected<TernaryFormat> format = section.ternaryFormat();
    if (!format)
      return format.status();
    return uint64_t(format->blobBytes());
  }
  }
  return invalidArgument("a section is dense, packed or a text, found kind " +
                         std::to_string(section.kind));
}

Expected<uint64_t>
sparseflow::rt::layOutSfpk(std::vector<SfpkSection> &sections) {
  if (sections.size() > kMaxSfpkSections)
    return invalidArgument(
        "a container holds at most " + std::to_string(kMaxSfpkSections) +
        " sections, found " + std::to_string(sections.size()));
  std::set<std::pair<bool, std::string>> names;
  uint64_t header = kSfpkFixedBytes + sections.size() * kSfpkEntryBytes;
  for (const SfpkSection &section : sections) {
    if (section.name.empty() || !isUtf8(section.name) ||
        section.name.find('\0') != std::string::npos)
      return formatError(quoted(section) + ": a name has to be UTF-8 of at "
                                           "least one byte without NUL");
    if (!names.emplace(section.isText(), section.name).second)
      return formatError(quoted(section) + ": the name is used twice");
    header += section.name.size();
  }
  header = alignUp(header);
  if (header > kMaxSfpkHeader)
    return invalidArgument("the header of the container would have " +
                           std::to_string(header) + " bytes, the limit is " +
                           std::to_string(kMaxSfpkHeader));

  uint64_t position = header;
  for (SfpkSection &section : sections) {
    Expected<uint64_t> bytes = sectionBytes(section);
    if (!bytes)
      return bytes.status().withContext(quoted(section));
    section.offset = position;
    section.bytes = *bytes;
    uint64_t end;
    if (__builtin_add_overflow(position, section.bytes, &end) ||
        end > uint64_t(INT64_MAX) - kSfpkAlignment)
      return formatError(quoted(section) +
                         ": the container would exceed 2^63 bytes");
    position = alignUp(end);
  }
  return header;
}

std::vector<uint8_t>
sparseflow::rt::encodeSfpkHeader(const std::vector<SfpkSection> &sections) {
  uint64_t namesBytes = 0;
  for (const SfpkSection &section : sections)
    namesBytes += section.name.size();
  uint64_t names = kSfpkFixedBytes + sections.size() * kSfpkEntryBytes;
  std::vector<uint8_t> header(alignUp(names + namesBytes));
  uint64_t fileBytes =
      sections.empty()
          ? header.size()
          : alignUp(sections.back().offset + sections.back().bytes);

  std::memcpy(header.data() + AtMagic, kMagic, sizeof(kMagic));
  put<uint32_t>(header.data() + AtVersion, kSfpkVersion);
  put<uint32_t>(header.data() + AtByteOrder, kByteOrder);
  put<uint64_t>(header.data() + AtFileBytes, fileBytes);
  put<uint64_t>(header.data() + AtHeaderBytes, header.size());
  put<uint64_t>(header.data() + AtCount, sections.size());

  uint8_t *entry = header.data() + kSfpkFixedBytes;
  for (const SfpkSection &section : sections) {
    put<uint64_t>(entry + EntryNameOffset, names);
    put<uint32_t>(entry + EntryNameBytes, section.name.size());
    put<uint32_t>(entry + EntryKind, section.kind);
    put<uint32_t>(entry + EntryDType, section.dtype);
    put<uint32_t>(entry + EntryRank, section.shape.size());
    for (size_t i = 0; i < section.shape.size(); ++i)
      put<uint64_t>(entry + EntryDims + 8 * i, section.shape[i]);
    std::memcpy(entry + EntryLayout, section.layout(),
                std::strlen(section.layout()));
    put<uint64_t>(entry + EntryOffset, section.offset);
    put<uint64_t>(entry + EntryBytes, section.bytes);
    put<uint32_t>(entry + EntryChecksum, section.crc);
    std::memcpy(header.data() + names, section.name.data(),
                section.name.size());
    names += section.name.size();
    entry += kSfpkEntryBytes;
  }
  put<uint32_t>(header.data() + AtChecksum, headerChecksum(header));
  return header;
}

Expected<uint64_t> sparseflow::rt::sfpkHeaderBytes(const uint8_t *fixedPart,
                                                   uint64_t fileBytes) {
  if (std::memcmp(fixedPart, kMagic, sizeof(kMagic)) != 0)
    return formatError("expected a .sfpk file, but it does not begin with its "
                       "magic bytes");
  uint32_t order = get<uint32_t>(fixedPart + AtByteOrder);
  if (order == __builtin_bswap32(kByteOrder))
    return formatError("the file was written in big-endian byte order; .sfpk "
                       "files are little endian, pack the weights again");
  if (order != kByteOrder)
    return formatError("the byte-order mark is damaged; the file is corrupt");
  uint32_t version = get<uint32_t>(fixedPart + AtVersion);
  if (version > kSfpkVersion)
    return unsupported("the file has format version " +
                       std::to_string(version) + ", this library reads up to " +
                       std::to_string(kSfpkVersion) +
                       "; update SparseFlow or pack the weights again");
  if (version == 0)
    return formatError("the file has format version 0, which never existed");
  uint64_t claimed = get<uint64_t>(fixedPart + AtFileBytes);
  if (claimed != fileBytes)
    return formatError("the header says " + std::to_string(claimed) +
                       " bytes, the file has " + std::to_string(fileBytes) +
                       (fileBytes < claimed ? "; it is truncated"
                                            : "; something was appended"));
  uint64_t headerBytes = get<uint64_t>(fixedPart + AtHeaderBytes);
  if (headerBytes < kSfpkFixedBytes || headerBytes > fileBytes ||
      headerBytes > kMaxSfpkHeader || headerBytes % kSfpkAlignment != 0)
    return formatError("the header size " + std::to_string(headerBytes) +
                       " is not a multiple of " +
                       std::to_string(kSfpkAlignment) +
                       " within the file and the limits; the file is corrupt");
  return headerBytes;
}

/// Reads one entry. Offsets and sizes are compared later, with what the layout
/// rule gives for the whole table.
static Expected<SfpkSection> decodeEntry(const std::vector<uint8_t> &header,
                                         size_t index, uint64_t nameOffset) {
  const uint8_t *entry =
      header.data() + kSfpkFixedBytes + index * kSfpkEntryBytes;
  std::string where = "section entry " + std::to_string(index);
  uint64_t nameBytes = get<uint32_t>(entry + EntryNameBytes);
  if (get<uint64_t>(entry + EntryNameOffset) != nameOffset ||
      nameBytes > header.size() - nameOffset)
    return formatError(where + ": its name is not where it has to be");
  SfpkSection section;
  section.name.assign(
      reinterpret_cast<const char *>(header.data() + nameOffset), nameBytes);
  where = quoted(section);

  // Before they become enumerators: a value outside an enum is undefined.
  uint32_t kind = get<uint32_t>(entry + EntryKind);
  uint32_t dtype = get<uint32_t>(entry + EntryDType);
  if (kind < SF_SECTION_DENSE || kind > SF_SECTION_TERNARY)
    return unsupported(where + ": kind " + std::to_string(kind) +
                       " is not known to this version; update SparseFlow or "
                       "pack the weights again");
  if (dtype == SF_DTYPE_INVALID || dtype > SF_DTYPE_C64)
    return unsupported(where + ": element type " + std::to_string(dtype) +
                       " is not known to this version; update SparseFlow or "
                       "pack the weights again");
  section.kind = sf_section_kind(kind);
  section.dtype = sf_dtype(dtype);
  uint32_t rank = get<uint32_t>(entry + EntryRank);
  if (rank > SF_MAX_RANK)
    return formatError(where + ": expected at most " +
                       std::to_string(SF_MAX_RANK) + " dimensions, found " +
                       std::to_string(rank));
  for (uint32_t i = 0; i < SF_MAX_RANK; ++i) {
    uint64_t size = get<uint64_t>(entry + EntryDims + 8 * i);
    if (i >= rank && size != 0)
      return formatError(where + ": an unused dimension is not zero");
    if (size > uint64_t(INT64_MAX))
      return formatError(where + ": dimension " + std::to_string(i) +
                         " is beyond 63 bits");
    if (i < rank)
      section.shape.push_back(size);
  }
  std::string found(reinterpret_cast<const char *>(entry + EntryLayout),
                    kLayoutNameBytes);
  found.erase(std::find(found.begin(), found.end(), '\0'), found.end());
  if (section.kind == SF_SECTION_TERNARY)
    if (Expected<TernaryStorage> storage = storageFromLayout(found))
      section.storage = *storage;
  char layout[kLayoutNameBytes] = {};
  std::memcpy(layout, section.layout(), std::strlen(section.layout()));
  if (std::memcmp(entry + EntryLayout, layout, sizeof(layout)) != 0) {
    return unsupported(where + ": expected the layout '" + layout +
                       "', found '" + printable(found) +
                       "'; pack the weights again");
  }
  section.offset = get<uint64_t>(entry + EntryOffset);
  section.bytes = get<uint64_t>(entry + EntryBytes);
  section.crc = get<uint32_t>(entry + EntryChecksum);
  return section;
}

/// What is wrong with a position that the layout rule does not give.
static Status misplaced(const SfpkSection &found, const SfpkSection &expected) {
  std::string what =
      found.bytes != expected.bytes
          ? "its size is " + std::to_string(found.bytes) + " bytes, expected " +
                std::to_string(expected.bytes) + " from its shape"
          : "it begins at byte " + std::to_string(found.offset) + ", " +
                (found.offset % kSfpkAlignment != 0 ? "which is not aligned"
                 : found.offset < expected.offset
                     ? "which overlaps what is before it"
                     : "which leaves a hole") +
                "; expected " + std::to_string(expected.offset);
  return formatError(quoted(found) + ": " + what);
}

Expected<std::vector<SfpkSection>>
sparseflow::rt::decodeSfpkHeader(const std::vector<uint8_t> &header,
                                 uint64_t fileBytes) {
  if (header.size() < kSfpkFixedBytes)
    return formatError("the header is shorter than its fixed part");
  Expected<uint64_t> headerBytes = sfpkHeaderBytes(header.data(), fileBytes);
  if (!headerBytes)
    return headerBytes.status();
  if (*headerBytes != header.size())
    return formatError("the header has " + std::to_string(header.size()) +
                       " bytes, expected " + std::to_string(*headerBytes));
  if (get<uint32_t>(header.data() + AtChecksum) != headerChecksum(header))
    return formatError("the checksum of the header does not match; the file "
                       "is corrupt");
  uint64_t count = get<uint64_t>(header.data() + AtCount);
  if (count > kMaxSfpkSections ||
      count > (header.size() - kSfpkFixedBytes) / kSfpkEntryBytes)
    return formatError(std::to_string(count) +
                       " sections do not fit into the header");

  std::vector<SfpkSection> sections;
  sections.reserve(count);
  uint64_t nameOffset = kSfpkFixedBytes + count * kSfpkEntryBytes;
  for (uint64_t i = 0; i < count; ++i) {
    Expected<SfpkSection> section = decodeEntry(header, i, nameOffset);
    if (!section)
      return section.status();
    nameOffset += section->name.size();
    sections.push_back(std::move(*section));
  }

  // There is one way to lay these sections out; anything else overlaps, leaves
  // holes, is out of order or lies about a size.
  std::vector<SfpkSection> expected = sections;
  Expected<uint64_t> expectedHeader = layOutSfpk(expected);
  if (!expectedHeader)
    return expectedHeader.status();
  for (uint64_t i = 0; i < count; ++i)
    if (sections[i].offset != expected[i].offset ||
        sections[i].bytes != expected[i].bytes)
      return misplaced(sections[i], expected[i]);
  // Reserved fields, padding and both sizes follow from the rest: compare all.
  if (encodeSfpkHeader(sections) != header)
    return formatError("a reserved field, a size or the padding of the header "
                       "is not what it has to be");
  return sections;
}
