//===- sfpk.cpp - Reads and writes .sfpk containers -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/sfpk.h"

#include "common/utf8.h"
#include "ternary/pack.h"
#include "weights/crc32c.h"
#include "weights/pack24.h"

#include <algorithm>
#include <cstring>

using namespace sparseflow::rt;

Expected<SfpkFile> SfpkFile::open(const std::string &path) {
  std::string context = "'" + printable(path) + "'";
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.status();
  uint8_t fixedPart[kSfpkFixedBytes];
  if (file->size() < sizeof(fixedPart))
    return formatError(context +
                       ": expected a .sfpk file, which has at least "
                       "256 bytes, found " +
                       std::to_string(file->size()));
  if (Status status = file->read(0, fixedPart, sizeof(fixedPart)); !status)
    return status;
  Expected<uint64_t> headerBytes = sfpkHeaderBytes(fixedPart, file->size());
  if (!headerBytes)
    return headerBytes.status().withContext(context);
  std::vector<uint8_t> header(*headerBytes);
  if (Status status = file->read(0, header.data(), header.size()); !status)
    return status;
  Expected<std::vector<SfpkSection>> sections =
      decodeSfpkHeader(header, file->size());
  if (!sections)
    return sections.status().withContext(context);
  return SfpkFile(std::move(*file), std::move(*sections));
}

const SfpkSection *SfpkFile::find(const std::string &name) const {
  for (const SfpkSection &section : table)
    if (!section.isText() && section.name == name)
      return &section;
  return nullptr;
}

Status SfpkFile::read(const SfpkSection &section, void *buffer,
                      int threads) const {
  std::string context = "'" + printable(file.path()) + "': section '" +
                        printable(section.name) + "'";
  if (Status status = file.read(section.offset, buffer, section.bytes); !status)
    return status;
  uint32_t crc = crc32c(buffer, section.bytes);
  if (crc != section.crc)
    return formatError(context + ": the checksum of the data does not match; "
                                 "the file is corrupt");
  uint64_t end = section.offset + section.bytes;
  uint64_t gap = (kSfpkAlignment - end % kSfpkAlignment) % kSfpkAlignment;
  uint8_t padding[kSfpkAlignment];
  if (Status status = file.read(end, padding, gap); !status)
    return status;
  if (std::any_of(padding, padding + gap, [](uint8_t b) { return b != 0; }))
    return formatError(context + ": the padding behind the data is not zero; "
                                 "the file is corrupt");

  if (section.kind == SF_SECTION_PACKED24) {
    Expected<Layout24> layout =
        Layout24::create(section.shape[0], section.shape[1]);
    if (!layout)
      return layout.status().withContext(context);
    return validate24(static_cast<const uint8_t *>(buffer), *layout, threads,
                      section.name);
  }
  if (section.kind == SF_SECTION_TERNARY) {
    Expected<TernaryFormat> format = section.ternaryFormat();
    if (!format)
      return format.status().withContext(context);
    return unpackTernary(static_cast<const uint8_t *>(buffer), *format,
                         section.name, threads, nullptr, nullptr);
  }
  if (section.isText() &&
      !isUtf8(std::string(static_cast<const char *>(buffer), section.bytes)))
    return formatError(context + ": the text is not UTF-8");
  return Status::success();
}

//===----------------------------------------------------------------------===//
// SfpkWriter
//===----------------------------------------------------------------------===//

Expected<SfpkWriter> SfpkWriter::create(const std::string &path,
                                        std::vector<SfpkSection> sections) {
  Expected<uint64_t> headerBytes = layOutSfpk(sections);
  if (!headerBytes)
    return headerBytes.status();
  Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.status();
  // Zeros for now: the header needs the checksums of the data.
  if (Status status = file->padTo(*headerBytes); !status)
    return status;
  return SfpkWriter(std::move(*file), std::move(sections));
}

Status SfpkWriter::write(const void *data, uint64_t bytes) {
  if (next >= table.size())
    return invalidArgument("all sections have been written already");
  SfpkSection &section = table[next];
  if (bytes != section.bytes)
    return invalidArgument("section '" + printable(section.name) + "' has " +
                           std::to_string(section.bytes) + " bytes, found " +
                           std::to_string(bytes));
  ++next;
  section.crc = crc32c(data, bytes);
  if (Status status = file.write(data, bytes); !status)
    return status;
  uint64_t gap =
      (kSfpkAlignment - file.position() % kSfpkAlignment) % kSfpkAlignment;
  return file.padTo(file.position() + gap);
}

Status SfpkWriter::commit() {
  if (next != table.size())
    return invalidArgument(std::to_string(table.size() - next) +
                           " sections have not been written");
  std::vector<uint8_t> header = encodeSfpkHeader(table);
  if (Status status = file.rewrite(0, header.data(), header.size()); !status)
    return status;
  return file.commit();
}
