//===- image.cpp - Bounds of a GPU image before the driver reads it -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/image.h"

#include <cstdint>
#include <cstring>
#include <elf.h>

using namespace sparseflow::rt;

static bool inside(uint64_t offset, uint64_t bytes, uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

static Status checkElf(const std::string &data) {
  Elf64_Ehdr header;
  if (data.size() < sizeof(header))
    return formatError("the cubin is cut short inside its ELF header");
  std::memcpy(&header, data.data(), sizeof(header));
  if (header.e_ident[EI_CLASS] != ELFCLASS64)
    return formatError("the cubin is not a 64-bit ELF file");
  uint64_t sections = uint64_t(header.e_shnum) * sizeof(Elf64_Shdr);
  uint64_t segments = uint64_t(header.e_phnum) * sizeof(Elf64_Phdr);
  if ((header.e_shnum && header.e_shentsize != sizeof(Elf64_Shdr)) ||
      (header.e_phnum && header.e_phentsize != sizeof(Elf64_Phdr)) ||
      !inside(header.e_shoff, sections, data.size()) ||
      !inside(header.e_phoff, segments, data.size()))
    return formatError("the cubin's header tables reach beyond its " +
                       std::to_string(data.size()) + " bytes");
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, data.data() + header.e_shoff + i * sizeof(section),
                sizeof(section));
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
        !inside(section.sh_offset, section.sh_size, data.size()))
      return formatError("section " + std::to_string(i) +
                         " of the cubin reaches beyond its " +
                         std::to_string(data.size()) + " bytes");
  }
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, data.data() + header.e_phoff + i * sizeof(segment),
                sizeof(segment));
    if (!inside(segment.p_offset, segment.p_filesz, data.size()))
      return formatError("segment " + std::to_string(i) +
                         " of the cubin reaches beyond its " +
                         std::to_string(data.size()) + " bytes");
  }
  return Status::success();
}

static Status checkFatbin(const std::string &data) {
  // Magic, version, header bytes, payload bytes.
  uint16_t headerBytes = 0;
  uint64_t payloadBytes = 0;
  if (data.size() < 16)
    return formatError("the fatbin is cut short inside its header");
  std::memcpy(&headerBytes, data.data() + 6, sizeof(headerBytes));
  std::memcpy(&payloadBytes, data.data() + 8, sizeof(payloadBytes));
  if (!inside(headerBytes, payloadBytes, data.size()))
    return formatError("the fatbin says " + std::to_string(payloadBytes) +
                       " bytes but the file has " +
                       std::to_string(data.size()));
  return Status::success();
}

Status sparseflow::rt::checkImage(const std::string &data) {
  static const char fatbinMagic[] = {'\x50', '\xed', '\x55', '\xba'};
  if (data.empty())
    return formatError("the image is empty");
  if (data.compare(0, SELFMAG, ELFMAG) == 0)
    return checkElf(data);
  if (data.compare(0, sizeof(fatbinMagic), fatbinMagic, sizeof(fatbinMagic)) ==
      0)
    return checkFatbin(data);
  // The driver reads text up to the NUL that std::string keeps at its end.
  if (data.find(".version") != std::string::npos &&
      data.find('\0') == std::string::npos)
    return Status::success();
  return formatError("the image is neither a cubin, a fatbin nor PTX text");
}
