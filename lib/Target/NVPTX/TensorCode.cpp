//===- TensorCode.cpp - Does machine code hold every MMA? -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/TensorCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

using namespace mlir::sparseflow;
using llvm::StringRef;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

static bool isMma(const PtxInstruction &instruction) {
  return instruction.is("wgmma.mma_async") || instruction.is("mma");
}

/// True if ptxas makes one instruction of it for every target: each wgmma, and
/// mma of f16, bf16, tf32, f64 and 8-bit integers.
static bool isCounted(const PtxInstruction &mma) {
  if (mma.is("wgmma.mma_async"))
    return true;
  llvm::SmallVector<StringRef, 12> words;
  mma.opcode.split(words, '.');
  // ... .D.A.B.C
  return words.size() > 4 && llvm::is_contained(
                                 std::initializer_list<StringRef>{
                                     "f16", "bf16", "tf32", "f64", "s8", "u8"},
                                 words[words.size() - 3]);
}

PtxTensorCount mlir::sparseflow::countTensorPtx(const PtxKernel &kernel) {
  PtxTensorCount result;
  std::vector<int64_t> inBlock;
  for (const PtxBlock &block : kernel.blocks) {
    int64_t count = 0;
    for (size_t at = block.begin; at < block.end; ++at) {
      const PtxInstruction &instruction = kernel.instructions[at];
      if (!isMma(instruction))
        continue;
      ++count;
      if (!isCounted(instruction) && result.uncounted.empty())
        result.uncounted = instruction.opcode.str();
    }
    inBlock.push_back(count);
    result.all += count;
  }
  for (const llvm::BitVector &loop : findLoops(kernel)) {
    int64_t count = 0;
    for (unsigned block : loop.set_bits())
      count += inBlock[block];
    if (count)
      result.loops.push_back(count);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

// An instruction has 128 bits. The lowest nine are its operation; three that
// follow say where operands come from. Bits 16 to 23 are the register of the
// result, 255 for none.
static constexpr size_t kInstructionBytes = 16;
static constexpr uint64_t kOperationMask = 0x1FF;
static constexpr uint64_t kNoRegister = 255;
static constexpr uint64_t kTensorOperations[] = {
    0x03C, // HMMA: f16, bf16, tf32
    0x037, // IMMA: 8-bit integers
    0x03F, // DMMA: f64
    0x1F0, // HGMMA
    0x1F1, // IGMMA
    0x1F2, // BGMMA
    0x1F3, // QGMMA: 8-bit floating point
};

static int64_t countInstructions(StringRef code) {
  int64_t count = 0;
  for (size_t at = 0; at + kInstructionBytes <= code.size();
       at += kInstructionBytes) {
    uint64_t low = read64le(code.data() + at);
    count += llvm::is_contained(kTensorOperations, low & kOperationMask) &&
             (low >> 16 & 0xFF) != kNoRegister;
  }
  return count;
}

static llvm::Error bad(const llvm::Twine &what) {
  return llvm::createStringError("the cubin cannot be read: " + what);
}

llvm::Expected<std::map<std::string, int64_t>>
mlir::sparseflow::countTensorCode(StringRef cubin) {
  using Header = llvm::ELF::Elf64_Ehdr;
  using Section = llvm::ELF::Elf64_Shdr;
  if (cubin.size() < sizeof(Header) ||
      !cubin.starts_with(StringRef(llvm::ELF::ElfMagic, 4)) ||
      cubin[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64 ||
      cubin[llvm::ELF::EI_DATA] != llvm::ELF::ELFDATA2LSB)
    return bad("expected an ELF file of 64 bits in little endian, found " +
               llvm::Twine(cubin.size()) + " bytes of something else");
  const char *data = cubin.data();
  uint64_t table = read64le(data + offsetof(Header, e_shoff));
  uint64_t size = read16le(data + offsetof(Header, e_shentsize));
  uint64_t count = read16le(data + offsetof(Header, e_shnum));
  uint64_t names = read16le(data + offsetof(Header, e_shstrndx));
  if (size != sizeof(Section) || table > cubin.size() ||
      count > (cubin.size() - table) / sizeof(Section) || names >= count)
    return bad("expected a table of sections inside the file, found " +
               llvm::Twine(count) + " of " + llvm::Twine(size) +
               " bytes at offset " + llvm::Twine(table));
  auto field = [&](uint64_t section, size_t offset) {
    return data + table + section * sizeof(Section) + offset;
  };
  auto contents = [&](uint64_t section) -> std::optional<StringRef> {
    uint64_t begin = read64le(field(section, offsetof(Section, sh_offset)));
    uint64_t bytes = read64le(field(section, offsetof(Section, sh_size)));
    if (begin > cubin.size() || bytes > cubin.size() - begin)
      return std::nullopt;
    return cubin.substr(begin, bytes);
  };
  std::optional<StringRef> strings = contents(names);
  if (!strings)
    return bad("the names of sections lie outside of the file");
  std::map<std::string, int64_t> result;
  uint64_t read = 0;
  for (uint64_t section = 0; section < count; ++section) {
    if (read32le(field(section, offsetof(Section, sh_type))) !=
        llvm::ELF::SHT_PROGBITS)
      continue;
    uint64_t at = read32le(field(section, offsetof(Section, sh_name)));
    if (at >= strings->size())
      return bad("the name of section " + llvm::Twine(section) +
                 " lies outside of the file");
    StringRef name =
        strings->drop_front(at).take_until([](char c) { return c == '\0'; });
    read += name.size();
    if (name.consume_front(".text.")) {
      std::optional<StringRef> code = contents(section);
      if (!code || code->size() % kInstructionBytes)
        return bad("expected the code of '" + name.take_front(256) +
                   "' inside the file and in instructions of 16 bytes");
      result[name.str()] += countInstructions(*code);
      read += code->size();
    }
    // Sections that share bytes could cost far more time than the file has.
    if (read > cubin.size())
      return bad("expected sections that do not overlap");
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

bool mlir::sparseflow::holdsEveryMma(const PtxTensorCount &ptx, int64_t found) {
  if (found == ptx.all)
    return true;
  int64_t more = found - ptx.all;
  // A copy of a loop costs instructions, so there are few.
  constexpr int64_t kMost = 1 << 20;
  if (more < 0 || more > kMost)
    return false;
  // Which sums of loops there are.
  llvm::BitVector reached(more + 1);
  reached.set(0);
  for (int64_t loop : ptx.loops)
    for (int64_t sum = loop; sum <= more; ++sum)
      if (reached.test(sum - loop))
        reached.set(sum);
  return reached.test(more);
}
