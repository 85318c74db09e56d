//===- TensorCodeTest.cpp - MMAs of PTX and of machine code ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/TensorCode.h"

#include "llvm/BinaryFormat/ELF.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace mlir::sparseflow;
using llvm::ELF::Elf64_Ehdr;
using llvm::ELF::Elf64_Shdr;

/// A cubin with one section of code for each kernel.
static std::string cubinOf(
    const std::vector<std::pair<std::string, std::vector<uint64_t>>> &kernels) {
  std::string names("\0.shstrtab\0", 11), code;
  std::vector<Elf64_Shdr> sections(2);
  std::memset(sections.data(), 0, 2 * sizeof(Elf64_Shdr));
  for (const auto &[name, words] : kernels) {
    Elf64_Shdr section = {};
    section.sh_name = names.size();
    section.sh_type = llvm::ELF::SHT_PROGBITS;
    section.sh_offset = sizeof(Elf64_Ehdr) + code.size();
    section.sh_size = 16 * words.size();
    names += ".text." + name + '\0';
    for (uint64_t word : words) {
      uint64_t both[2] = {word, 0x000fe20000000000};
      code.append(reinterpret_cast<const char *>(both), sizeof both);
    }
    sections.push_back(section);
  }
  sections[1].sh_name = 1;
  sections[1].sh_type = llvm::ELF::SHT_STRTAB;
  sections[1].sh_offset = sizeof(Elf64_Ehdr) + code.size();
  sections[1].sh_size = names.size();
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, llvm::ELF::ElfMagic, 4);
  header.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS64;
  header.e_ident[llvm::ELF::EI_DATA] = llvm::ELF::ELFDATA2LSB;
  header.e_shoff = sizeof(Elf64_Ehdr) + code.size() + names.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = sections.size();
  header.e_shstrndx = 1;
  return std::string(reinterpret_cast<const char *>(&header), sizeof header) +
         code + names +
         std::string(reinterpret_cast<const char *>(sections.data()),
                     sections.size() * sizeof(Elf64_Shdr));
}

// As nvdisasm prints them.
static constexpr uint64_t kHgmma = 0x0060000850287df0, // RS, into R40
    kHgmmaShared = 0x00600008502879f0,                 // SS, into R40
    kEmptyHgmma = 0x000000003fff79f0,                  // ... RZ, gdesc[URZ], RZ
    kHmma = 0x000000100c08723c, kImma = 0x000000100c087237,
                          kIgmma = 0x00600008502879f1,
                          kNop = 0x0000000000007918;

TEST(TensorCode, CountsOpcodes) {
  auto counts = countTensorCode(
      cubinOf({{"a", {kHgmma, kHgmmaShared, kEmptyHgmma, kNop, kIgmma}},
               {"b", {kNop, kHmma, kImma}},
               {"c", {kNop}}}));
  ASSERT_TRUE(bool(counts)) << llvm::toString(counts.takeError());
  EXPECT_EQ(counts->size(), 3u);
  EXPECT_EQ((*counts)["a"], 3);
  EXPECT_EQ((*counts)["b"], 2);
  EXPECT_EQ((*counts)["c"], 0);
}

TEST(TensorCode, RefusesWhatIsNoCubin) {
  for (std::string text :
       {std::string(), std::string("cubin\n"), std::string(200, 'x')}) {
    auto counts = countTensorCode(text);
    ASSERT_FALSE(bool(counts));
    EXPECT_NE(llvm::toString(counts.takeError())
                  .find("the cubin cannot be read: expected an ELF file"),
              std::string::npos);
  }
}

TEST(TensorCode, ReadsAnyBytesInBounds) {
  const std::string cubin =
      cubinOf({{"a", {kHgmma, kNop, kEmptyHgmma}}, {"b", {kHmma}}});
  auto check = [](const std::string &bytes) {
    // A copy of exactly that size, so that reading behind it is noticed.
    std::vector<char> exact(bytes.begin(), bytes.end());
    auto counts = countTensorCode({exact.data(), exact.size()});
    if (!counts) {
      llvm::consumeError(counts.takeError());
      return;
    }
    int64_t all = 0;
    for (const auto &[name, count] : *counts)
      all += count;
    EXPECT_LE(all * 16, int64_t(bytes.size()));
  };
  for (size_t size = 0; size <= cubin.size(); ++size)
    check(cubin.substr(0, size));
  std::mt19937 random(1);
  for (int turn = 0; turn < 200000; ++turn) {
    std::string changed = cubin;
    for (int bytes = 1 + random() % 4; bytes; --bytes)
      changed[random() % changed.size()] =
          random() % 2 ? char(random()) : char(random() % 3 - 1);
    check(changed);
  }
}

//===----------------------------------------------------------------------===//
// PTX, and both
//===----------------------------------------------------------------------===//

static PtxTensorCount countOf(const std::string &body) {
  std::string text = ".visible .entry k(\n)\n{\n" + body + "ret;\n}\n";
  return countTensorPtx(readPtx(text).front());
}

static const std::string
    kMma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1}, "
           "{%r0, %r1}, {%r2}, {%f0, %f1};\n",
    kSparse = "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.u8."
              "s8.s32 {%r0, %r1}, {%r2}, {%r3}, {%r0, %r1}, %r4, 0x0;\n";

TEST(TensorCode, CountsPtxByLoops) {
  PtxTensorCount count = countOf(kMma + "$A:\n" + kMma + "$B:\n" + kMma +
                                 kSparse + "@%p1 bra $B;\n@%p2 bra $A;\n");
  EXPECT_EQ(count.all, 4);
  EXPECT_EQ(count.loops, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(count.uncounted, "");
  EXPECT_EQ(countOf("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%r0}, "
                    "{%r1}, {%r2}, {%r0};\n")
                .uncounted,
            "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32");
}

TEST(TensorCode, AllowsCopiesOfLoopsAlone) {
  PtxTensorCount count;
  count.all = 64;
  EXPECT_TRUE(holdsEveryMma(count, 64));
  EXPECT_FALSE(holdsEveryMma(count, 48));
  EXPECT_FALSE(holdsEveryMma(count, 128));
  count.loops = {32, 12};
  EXPECT_TRUE(holdsEveryMma(count, 64));
  EXPECT_TRUE(holdsEveryMma(count, 64 + 2 * 32));
  EXPECT_TRUE(holdsEveryMma(count, 64 + 32 + 3 * 12));
  EXPECT_FALSE(holdsEveryMma(count, 63));
  EXPECT_FALSE(holdsEveryMma(count, 64 + 13));
  EXPECT_FALSE(holdsEveryMma(count, int64_t(1) << 40));
}
