//===- gguf_test.cpp - Good and hostile GGUF files ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/gguf.h"

#include "../weights/temp_dir.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sys/stat.h>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

/// Builds files from numbers, wrong ones too.
class Writer {
public:
  template <typename T>
  Writer &put(T value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
    return *this;
  }
  Writer &text(const std::string &value) {
    put<uint64_t>(value.size());
    bytes += value;
    return *this;
  }
  Writer &head(uint64_t tensors, uint64_t pairs, uint32_t version = 3) {
    bytes += "GGUF";
    return put(version).put(tensors).put(pairs);
  }
  Writer &tensor(const std::string &name, uint32_t type,
                 std::vector<uint64_t> innerFirst, uint64_t offset) {
    text(name).put<uint32_t>(innerFirst.size());
    for (uint64_t size : innerFirst)
      put(size);
    return put(type).put(offset);
  }
  Writer &data(size_t count, size_t alignment = 32) {
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
    bytes.append(count, '\x55');
    return *this;
  }
  std::string bytes;
};

Expected<GgufHeader> parse(const std::string &bytes, uint32_t q2Block = 0) {
  return parseGguf(
      [&](uint64_t offset, void *buffer, uint64_t count) {
        EXPECT_LE(offset + count, bytes.size());
        std::memcpy(buffer, bytes.data() + offset, count);
        return Status::success();
      },
      bytes.size(), q2Block);
}

void refuses(const Writer &writer, const std::string &part,
             sf_status code = SF_ERROR_FORMAT) {
  Expected<GgufHeader> header = parse(writer.bytes);
  ASSERT_FALSE(header.ok()) << part;
  EXPECT_EQ(header.status().code(), code) << header.status().text();
  EXPECT_NE(header.status().text().find(part), std::string::npos)
      << "expected: " << part << "\nfound: " << header.status().text();
}

/// Two tensors, one pair and padding.
Writer good() {
  return Writer()
      .head(2, 1)
      .text("a.key")
      .put<uint32_t>(4)
      .put<uint32_t>(7)
      .tensor("one", GgufF32, {3, 2}, 0)
      .tensor("two", GgufTQ2_0, {256, 2}, 32)
      .data(32 + 132);
}

} // namespace

TEST(Gguf, ReadsAGoodFile) {
  Expected<GgufHeader> header = parse(good().bytes);
  ASSERT_TRUE(header.ok()) << header.status().text();
  EXPECT_EQ(header->version, 3u);
  ASSERT_EQ(header->metadata.size(), 1u);
  EXPECT_EQ(header->metadata[0].value, "7");
  ASSERT_EQ(header->tensors.size(), 2u);
  EXPECT_EQ(header->tensors[0].shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(header->tensors[0].bytes, 24u);
  EXPECT_EQ(header->tensors[1].typeName(), "TQ2_0");
  EXPECT_EQ(header->tensors[1].bytes, 132u);
  EXPECT_EQ(header->tensors[1].offset, header->tensors[0].offset + 32);
}

TEST(Gguf, EveryPrefixIsRefused) {
  std::string bytes = good().bytes;
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_EQ(parse(bytes.substr(0, length)).status().code(), SF_ERROR_FORMAT)
        << length;
  // Padding behind the last tensor is allowed, up to the alignment.
  bytes.resize((bytes.size() + 31) / 32 * 32);
  EXPECT_TRUE(parse(bytes).ok());
  EXPECT_NE(parse(bytes + "x").status().text().find("belong to no tensor"),
            std::string::npos);
}

TEST(Gguf, EveryFlippedBitIsRefusedOrReadsWithinTheFile) {
  std::string bytes = good().bytes;
  int refused = 0;
  for (size_t bit = 0; bit < (bytes.size() - 164) * 8; ++bit) {
    bytes[bit / 8] ^= 1 << bit % 8;
    Expected<GgufHeader> header = parse(bytes);
    refused += !header.ok();
    for (size_t i = 0; header.ok() && i < header->tensors.size(); ++i) {
      EXPECT_LE(header->tensors[i].offset, bytes.size());
      EXPECT_LE(header->tensors[i].bytes,
                bytes.size() - header->tensors[i].offset);
    }
    bytes[bit / 8] ^= 1 << bit % 8;
  }
  EXPECT_GT(refused, 500);
}

TEST(Gguf, VersionsAndByteOrder) {
  Writer bad;
  bad.bytes = "GGML";
  refuses(bad.data(64),
          "expected a GGUF file, but it does not begin with its magic bytes");
  refuses(Writer().head(0, 0, 1), "version 1, this library reads 2 and 3",
          SF_ERROR_UNSUPPORTED);
  refuses(Writer().head(0, 0, 4), "version 4", SF_ERROR_UNSUPPORTED);
  refuses(Writer().head(0, 0, 0), "version 0", SF_ERROR_UNSUPPORTED);
  refuses(Writer().head(0, 0, 0x03000000), "big-endian");
  EXPECT_TRUE(parse(Writer().head(0, 0, 2).bytes).ok());
}

TEST(Gguf, CountsBeyondTheFileAllocateNothing) {
  for (uint64_t count : {uint64_t(1) << 20, uint64_t(1) << 62, ~uint64_t(0)}) {
    refuses(Writer().head(count, 0), "tensors do not fit into the file");
    refuses(Writer().head(0, count), "metadata pairs do not fit");
    refuses(Writer().head(0, 1).text("k").put<uint32_t>(9).put<uint32_t>(6).put(
                count),
            "an array of " + std::to_string(count));
    refuses(Writer().head(0, 1).text("k").put<uint32_t>(8).put(count).data(64),
            "a metadata text");
  }
}

TEST(Gguf, Metadata) {
  auto pair = [](uint32_t type) {
    return Writer().head(0, 1).text("k").put(type);
  };
  refuses(pair(13).put<uint64_t>(0), "a type from 0 to 12, found 13");
  refuses(pair(7).put<uint8_t>(2),
          "metadata 'k': expected a truth value of 0 or 1, found 2");
  refuses(pair(9).put<uint32_t>(9).put<uint64_t>(1).data(64),
          "': expected an array of numbers or texts, found elements of type 9");
  refuses(pair(9).put<uint32_t>(13).put<uint64_t>(0).data(64),
          "found elements of type 13");
  refuses(pair(9).put<uint32_t>(8).put<uint64_t>(2).text("x").put<uint64_t>(
              ~uint64_t(0)),
          "a text needs 18446744073709551615 bytes");
  refuses(pair(8).text("\xff"), "the text is not UTF-8");
  refuses(Writer()
              .head(0, 2)
              .text("k")
              .put<uint32_t>(0)
              .put<uint8_t>(1)
              .text("k")
              .put<uint32_t>(0)
              .put<uint8_t>(1),
          "'k' appears twice");
  refuses(Writer().head(0, 1).text(std::string(5000, 'k')).data(64),
          "expected at most 4096 bytes, found 5000");
  refuses(Writer().head(0, 1).text("\xc0").put<uint32_t>(0).put<uint8_t>(0),
          "is not UTF-8");
  for (uint32_t alignment : {0u, 3u, 48u, 0x80000000u})
    refuses(Writer()
                .head(0, 1)
                .text("general.alignment")
                .put<uint32_t>(4)
                .put(alignment),
            "general.alignment: expected a whole number that is a power of "
            "two, at most 2^30, found");
  auto typed = [](uint32_t type, auto value) {
    return Writer().head(0, 1).text("general.alignment").put(type).put(value);
  };
  refuses(typed(6, 32.0f), "at most 2^30, found 32.000000");
  refuses(typed(5, -32), "at most 2^30, found -32");
  refuses(typed(10, uint64_t(1) << 32), "at most 2^30, found 4294967296");
  // Whatever type holds it.
  for (const Writer &file : {typed(10, uint64_t(64)), typed(0, uint8_t(64)),
                             typed(3, int16_t(64))}) {
    auto parsed = parse(Writer(file).data(0, 64).bytes);
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed->alignment, 64u);
  }
}

TEST(Gguf, Tensors) {
  auto one = [](uint32_t type, std::vector<uint64_t> shape, uint64_t offset,
                size_t bytes) {
    return Writer().head(1, 0).tensor("w", type, shape, offset).data(bytes);
  };
  EXPECT_TRUE(parse(one(GgufF32, {4}, 0, 16).bytes).ok());
  EXPECT_TRUE(parse(one(GgufF32, {}, 0, 4).bytes).ok());
  EXPECT_TRUE(parse(one(GgufF32, {0, 4}, 0, 0).bytes).ok());
  refuses(one(GgufF32, {1, 1, 1, 1, 1}, 0, 4), "at most 4 dimensions, found 5");
  refuses(one(GgufF32, {5}, 0, 16), "needs 20 bytes, but 16 are left");
  refuses(one(GgufF32, {4}, 0, 64), "48 bytes follow that belong to no tensor");
  refuses(one(GgufF32, {4}, 32, 64), "first tensor at data byte 0, found 32");
  refuses(one(GgufF32, {4}, 8, 64), "offset 8 is not a multiple");
  refuses(one(GgufF32, {4}, 1 << 20, 16), "beyond the end of the file");
  refuses(one(GgufF32, {4}, ~uint64_t(31), 16), "beyond the end of the file");
  refuses(one(GgufF32, {uint64_t(1) << 63}, 0, 16), "beyond 63 bits");
  refuses(one(GgufF32, {uint64_t(1) << 32, uint64_t(1) << 32}, 0, 16),
          "has more elements than 63 bits can count");
  refuses(one(GgufF32, {uint64_t(1) << 32, uint64_t(1) << 32, 0}, 0, 16),
          "has more elements than 63 bits can count");
  refuses(one(GgufF32, {uint64_t(1) << 31, uint64_t(1) << 31}, 0, 16),
          "has more bytes than 63 bits can count");
  refuses(one(77, {uint64_t(1) << 32, uint64_t(1) << 32}, 0, 16),
          "has more elements than 63 bits can count");
  refuses(one(GgufTQ2_0, {128}, 0, 66),
          "rows of 128 elements are not whole blocks of 256");
  refuses(Writer()
              .head(2, 0)
              .tensor("w", GgufF32, {8}, 0)
              .tensor("w", GgufF32, {8}, 32)
              .data(64),
          "two tensors are called 'w'");
  refuses(Writer()
              .head(2, 0)
              .tensor("a", GgufF32, {9}, 0)
              .tensor("b", GgufF32, {8}, 32)
              .data(64),
          "needs 36 bytes, but 32 lie before the next tensor");
  refuses(Writer()
              .head(2, 0)
              .tensor("a", GgufF32, {8}, 0)
              .tensor("b", GgufF32, {8}, 0)
              .data(64),
          "needs 32 bytes, but 0 lie before the next tensor");
  refuses(Writer()
              .head(2, 0)
              .tensor("a", GgufF32, {8}, 0)
              .tensor("b", GgufF32, {8}, 64)
              .data(96),
          "tensor 'a': 32 bytes follow that belong to no tensor");
}

TEST(Gguf, TensorsNeedNotBeInOrder) {
  Expected<GgufHeader> header = parse(Writer()
                                          .head(2, 0)
                                          .tensor("b", GgufF32, {8}, 32)
                                          .tensor("a", GgufF32, {8}, 0)
                                          .data(64)
                                          .bytes);
  ASSERT_TRUE(header.ok()) << header.status().text();
  EXPECT_EQ(header->tensors[0].name, "a");
}

TEST(Gguf, UnknownTypesAreListedOnly) {
  TempDir dir;
  writeFile(dir.path("f"), Writer()
                               .head(2, 0)
                               .tensor("odd", 77, {8}, 0)
                               .tensor("b", GgufF32, {8}, 64)
                               .data(96)
                               .bytes);
  Expected<GgufFile> file = GgufFile::open(dir.path("f"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  const GgufTensor *odd = file->find("odd");
  ASSERT_NE(odd, nullptr);
  EXPECT_EQ(odd->bytes, 64u);
  EXPECT_EQ(odd->typeName(), "type 77");
  char buffer[64];
  Status unread = file->read(*odd, buffer);
  EXPECT_EQ(unread.code(), SF_ERROR_UNSUPPORTED);
  EXPECT_NE(unread.text().find("tensor 'odd' has the unknown type 77; leave it "
                               "out or convert it first"),
            std::string::npos)
      << unread.text();
  GgufTensor blocks = *odd;
  blocks.type = GgufQ2_0;
  EXPECT_NE(file->read(blocks, buffer)
                .text()
                .find("' is of type Q2_0, whose blocks have 64 or 128 "
                      "elements; this file does not tell which, so give the "
                      "block size"),
            std::string::npos);
  EXPECT_EQ(parse(good().bytes, 32).status().text(),
            "expected a Q2_0 block of 64 or 128, found 32");
  EXPECT_TRUE(file->read(*file->find("b"), buffer));
  EXPECT_EQ(file->find("none"), nullptr);
}

TEST(Gguf, BlocksOfQ2AreToldApartBySize) {
  auto tensors = [](std::vector<uint64_t> counts, uint32_t block,
                    size_t cut = 0) {
    Writer writer;
    writer.head(counts.size(), 0);
    uint64_t offset = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
      writer.tensor("w" + std::to_string(i), GgufQ2_0, {counts[i]}, offset);
      offset += counts[i] / block * (2 + block / 4);
      if (i + 1 < counts.size())
        offset = (offset + 31) / 32 * 32;
    }
    writer.data(offset - cut);
    return writer;
  };
  for (uint32_t block : {64u, 128u}) {
    Expected<GgufHeader> header = parse(tensors({4096, 128, 256}, block).bytes);
    ASSERT_TRUE(header.ok()) << header.status().text();
    for (const GgufTensor &tensor : header->tensors)
      EXPECT_EQ(tensor.blockElements, block);
  }
  // 128 elements are 36 or 34 bytes; padding makes both 64.
  Writer padded = tensors({128, 128}, 64);
  padded.data(0);
  Expected<GgufHeader> open = parse(padded.bytes);
  ASSERT_TRUE(open.ok()) << open.status().text();
  EXPECT_FALSE(open->tensors[0].isReadable());
  for (uint32_t block : {64u, 128u})
    EXPECT_EQ(parse(padded.bytes, block)->tensors[0].blockElements, block);
  EXPECT_FALSE(parse(tensors({4096}, 64).bytes, 128).ok());
  EXPECT_EQ(parse(padded.bytes, 32).status().code(), SF_ERROR_INVALID_ARGUMENT);
  refuses(tensors({4096}, 64, 40), "neither in blocks of 64 nor of 128");
}

TEST(Gguf, ThingsThatAreNotFiles) {
  TempDir dir;
  EXPECT_EQ(GgufFile::open(dir.path()).status().code(), SF_ERROR_IO);
  EXPECT_EQ(GgufFile::open(dir.path("none")).status().code(), SF_ERROR_IO);
  ASSERT_EQ(::mkfifo(dir.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(GgufFile::open(dir.path("pipe")).status().code(), SF_ERROR_IO);
}
