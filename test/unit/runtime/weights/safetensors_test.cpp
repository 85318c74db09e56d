//===- safetensors_test.cpp - Good and hostile safetensors files ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/safetensors.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sys/stat.h>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

/// A file with this header and `dataBytes` bytes of data.
std::string makeFile(const std::string &header, size_t dataBytes) {
  uint64_t length = header.size();
  std::string file(reinterpret_cast<const char *>(&length), 8);
  file += header;
  for (size_t i = 0; i < dataBytes; ++i)
    file += char(i);
  return file;
}

Status openStatus(const std::string &bytes) {
  TempDir dir;
  writeFile(dir.path("f"), bytes);
  Expected<SafetensorsFile> file = SafetensorsFile::open(dir.path("f"));
  return file ? Status::success() : file.status();
}

std::string tensor(const std::string &name, const std::string &dtype,
                   const std::string &shape, const std::string &offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

/// Expects refusal with a text that contains `part`.
void refuses(const std::string &header, size_t dataBytes,
             const std::string &part) {
  Status status = openStatus(makeFile(header, dataBytes));
  EXPECT_EQ(status.code(), SF_ERROR_FORMAT) << header;
  EXPECT_NE(status.text().find(part), std::string::npos)
      << header << "\n  gave: " << status.text();
}

const std::string kSmall = "{\"__metadata__\":{\"format\":\"pt\"}," +
                           tensor("a", "F16", "[2,3]", "[0,12]") + "," +
                           tensor("b", "U8", "[]", "[12,13]") + "}";

} // namespace

TEST(Safetensors, ReadsAGoodFile) {
  TempDir dir;
  writeFile(dir.path("f"), makeFile(kSmall + "   ", 13));
  Expected<SafetensorsFile> file = SafetensorsFile::open(dir.path("f"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  ASSERT_EQ(file->tensors().size(), 2u);
  EXPECT_EQ(file->header().metadata.size(), 1u);
  EXPECT_EQ(file->header().metadata[0].second, "pt");
  const SafetensorsEntry *a = file->find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->dtype, SF_DTYPE_F16);
  EXPECT_EQ(a->shape, (std::vector<int64_t>{2, 3}));
  uint8_t data[12];
  ASSERT_TRUE(file->read(*a, data));
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(data[i], i);
  ASSERT_TRUE(file->read(*file->find("b"), data));
  EXPECT_EQ(data[0], 12);
  EXPECT_EQ(file->find("c"), nullptr);
}

TEST(Safetensors, AnEmptyHeaderIsAFileWithoutTensors) {
  EXPECT_TRUE(openStatus(makeFile("{}", 0)));
  refuses("{}", 1, "the tensors end at data byte 0");
}

TEST(Safetensors, EveryPrefixIsRefused) {
  std::string file = makeFile(kSmall, 13);
  ASSERT_TRUE(openStatus(file));
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_EQ(openStatus(file.substr(0, length)).code(), SF_ERROR_FORMAT)
        << length;
  EXPECT_EQ(openStatus(file + "x").code(), SF_ERROR_FORMAT);
}

TEST(Safetensors, EveryFlippedBitIsRefusedOrReadsWithinTheFile) {
  // The format has no checksum; a flip in a name or in the data is legal. What
  // must hold: no crash, and every accepted entry tiles the data area.
  std::string file = makeFile(kSmall, 13);
  TempDir dir;
  writeFile(dir.path("f"), file);
  int accepted = 0;
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    flipBit(dir.path("f"), bit);
    Expected<SafetensorsFile> opened = SafetensorsFile::open(dir.path("f"));
    flipBit(dir.path("f"), bit); // a flip in the data does not show here
    // In the length prefix and in any structural character it must fail.
    EXPECT_FALSE(bit < 64 && opened.ok()) << bit;
    if (!opened)
      continue;
    ++accepted;
    uint64_t total = 0;
    for (const SafetensorsEntry &entry : opened->tensors()) {
      EXPECT_EQ(entry.begin, total);
      total = entry.end;
      std::vector<uint8_t> data(entry.bytes());
      Status status = opened->read(entry, data.data());
      EXPECT_EQ(status.ok(), entry.dtype != SF_DTYPE_INVALID);
    }
    EXPECT_EQ(total, 13u);
  }
  // All 104 data bits are among the accepted, most header bits are not.
  EXPECT_GE(accepted, 104);
  EXPECT_LT(accepted, 350);
}

TEST(Safetensors, HeaderLengths) {
  std::string file = makeFile(kSmall, 13);
  auto withLength = [&](uint64_t length) {
    std::string copy = file;
    std::memcpy(copy.data(), &length, 8);
    return openStatus(copy);
  };
  for (uint64_t length :
       {uint64_t(0), uint64_t(1), uint64_t(100'000'001), uint64_t(1) << 40,
        ~uint64_t(0), ~uint64_t(7), uint64_t(file.size() - 7)})
    EXPECT_EQ(withLength(length).code(), SF_ERROR_FORMAT) << length;
  for (uint64_t length : {0, 1})
    EXPECT_NE(withLength(length).text().find("expected at least 2"),
              std::string::npos);
  // At the limit it is the file's size that refuses it, before any allocation.
  EXPECT_NE(withLength(100'000'000).text().find("truncated"),
            std::string::npos);
}

TEST(Safetensors, ThingsThatAreNotFiles) {
  TempDir dir;
  EXPECT_EQ(SafetensorsFile::open(dir.path()).status().code(), SF_ERROR_IO);
  EXPECT_EQ(SafetensorsFile::open(dir.path("none")).status().code(),
            SF_ERROR_IO);
  ASSERT_EQ(::mkfifo(dir.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(SafetensorsFile::open(dir.path("pipe")).status().code(),
            SF_ERROR_IO);
  EXPECT_EQ(openStatus("").code(), SF_ERROR_FORMAT);
  EXPECT_EQ(openStatus("12345678").code(), SF_ERROR_FORMAT);
}

TEST(Safetensors, Offsets) {
  auto one = [](const std::string &offsets) {
    return "{" + tensor("w", "U8", "[4]", offsets) + "}";
  };
  EXPECT_TRUE(openStatus(makeFile(one("[0,4]"), 4)));
  refuses(one("[4,0]"), 4, "end before they begin");
  refuses(one("[0,5]"), 4, "beyond the 4 bytes");
  refuses(one("[-1,4]"), 4, "negative number -1");
  refuses(one("[0,18446744073709551615]"), 4, "beyond the 4 bytes");
  refuses(one("[18446744073709551612,18446744073709551615]"), 4, "beyond");
  refuses(one("[0,18446744073709551616]"), 4, "expected a whole number");
  refuses(one("[0,1e400]"), 4, "not valid JSON");
  refuses(one("[0,4.0]"), 4, "expected a whole number");
  refuses(one("[0,4,4]"), 4, "exactly 2");
  refuses(one("[4]"), 4, "exactly 2");
  refuses(one("[]"), 4, "exactly 2");
  refuses(one("4"), 4,
          "expected an array for data_offsets, found the number 4");
  refuses(one("[0,\"4\"]"), 4, "expected a whole number");
  refuses(one("[0,[4]]"), 4, "expected a whole number");
  refuses(one("[1,5]"), 5, "leaving a gap behind");
  refuses(one("[0,4]"), 5, "end at data byte 4");
  refuses(one("[0,3]"), 3, "needs 4 bytes");
}

TEST(Safetensors, TensorsTileTheData) {
  auto two = [](const std::string &a, const std::string &b) {
    return "{" + tensor("a", "U8", "[4]", a) + "," +
           tensor("b", "U8", "[4]", b) + "}";
  };
  EXPECT_TRUE(openStatus(makeFile(two("[0,4]", "[4,8]"), 8)));
  EXPECT_TRUE(openStatus(makeFile(two("[4,8]", "[0,4]"), 8)));
  refuses(two("[0,4]", "[2,6]"), 6, "inside tensor 'a'");
  refuses(two("[0,4]", "[0,4]"), 4, "inside tensor 'a'");
  refuses(two("[0,4]", "[5,9]"), 9, "leaving a gap behind tensor 'a'");
}

TEST(Safetensors, EmptyTensorsLieOnBoundaries) {
  auto with = [](const std::string &offsets) {
    return "{" + tensor("a", "U8", "[4]", "[0,4]") + "," +
           tensor("z", "F32", "[0,7]", offsets) + "}";
  };
  EXPECT_TRUE(openStatus(makeFile(with("[0,0]"), 4)));
  EXPECT_TRUE(openStatus(makeFile(with("[4,4]"), 4)));
  refuses(with("[2,2]"), 4, "inside tensor 'a'");
  refuses(with("[0,4]"), 4, "needs 0 bytes");
  // A zero does not excuse the rest of the shape.
  refuses("{" + tensor("z", "F32", "[0,4294967296,4294967296]", "[0,0]") + "}",
          0, "63 bits");
}

TEST(Safetensors, Shapes) {
  auto one = [](const std::string &shape) {
    return "{" + tensor("w", "F16", shape, "[0,4]") + "}";
  };
  EXPECT_TRUE(openStatus(makeFile(one("[2]"), 4)));
  EXPECT_TRUE(openStatus(makeFile(one("[1,2,1,1,1,1,1,1,1,1]"), 4)));
  // 2^63 * 2 elements wrap to 0, and 2^62 + 2 ... to 4 bytes.
  refuses(one("[9223372036854775807,2]"), 4, "63 bits");
  refuses(one("[4611686018427387906]"), 4, "63 bits");
  refuses(one("[9223372036854775808]"), 4, "beyond 63 bits");
  refuses(one("[-2]"), 4, "negative");
  refuses(one("[2.5]"), 4, "expected a whole number");
  refuses(one("[[2]]"), 4, "expected a whole number");
  refuses(one("[true]"), 4, "a truth value");
  refuses(one("[null]"), 4, "null");
  refuses(one("{}"), 4, "expected an array");
  std::string many = "[1";
  for (int i = 0; i < 64; ++i)
    many += ",1";
  refuses(one(many + "]"), 4, "more than 64 dimensions");
  refuses("{" + tensor("w", "F4", "[3]", "[0,2]") + "}", 2,
          "does not fill whole bytes");
  EXPECT_TRUE(
      openStatus(makeFile("{" + tensor("w", "F4", "[4]", "[0,2]") + "}", 2)));
}

TEST(Safetensors, DuplicateAndUnknownKeys) {
  std::string a = tensor("a", "U8", "[1]", "[0,1]");
  std::string b = tensor("a", "U8", "[1]", "[1,2]");
  refuses("{" + a + "," + b + "}", 2, "the key 'a' appears twice");
  refuses("{\"__metadata__\":{},\"__metadata__\":{}}", 0, "appears twice");
  refuses("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0,
          "the metadata key 'k' appears twice");
  refuses("{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[],"
          "\"data_offsets\":[0,1]}}",
          1, "'dtype' appears twice");
  refuses("{\"a\":{\"dtype\":\"U8\",\"shape\":[]}}", 1,
          "expected dtype, shape and data_offsets, found only some");
  refuses("{\"a\":{}}", 0,
          "expected dtype, shape and data_offsets, found only some");
  refuses("{\"a\":{\"extra\":1}}", 0, "unknown key 'extra'");
  // Two spellings of one key.
  refuses("{" + a + "," + tensor("\\u0061", "U8", "[1]", "[1,2]") + "}", 2,
          "appears twice");
}

TEST(Safetensors, MalformedJson) {
  for (const char *header :
       {"[]", "{", "{}}", "{} x", "{,}", "{\"a\"}", "{\"a\":}", "{'a':1}",
        "{\"a\":1}", "{\"a\":[]}", "{\"a\":\"b\"}", "{\"a\":null}", "  {}",
        "{\"__metadata__\":[]}", "{\"__metadata__\":{\"a\":1}}",
        "{\"__metadata__\":{\"a\":{}}}", "nullnull", "\xef\xbb\xbf{}"})
    EXPECT_EQ(openStatus(makeFile(header, 0)).code(), SF_ERROR_FORMAT)
        << header;
  // Bad UTF-8 in a name: overlong, surrogate, stray byte, cut short.
  for (const char *bytes :
       {"\xc0\x80", "\xed\xa0\x80", "\xff", "\xe2\x82", "\\ud800", "\\udc00x"})
    EXPECT_EQ(
        openStatus(makeFile("{" + tensor(bytes, "U8", "[1]", "[0,1]") + "}", 1))
            .code(),
        SF_ERROR_FORMAT)
        << bytes;
}

TEST(Safetensors, DeepNestingIsRefusedAtOnce) {
  for (const std::string &unit : {std::string("["), std::string("{\"a\":")}) {
    std::string header = "{\"a\":";
    for (int i = 0; i < 1000000; ++i)
      header += unit;
    EXPECT_EQ(openStatus(makeFile(header, 0)).code(), SF_ERROR_FORMAT);
  }
}

TEST(Safetensors, UnknownTypeConcernsOnlyThatTensor) {
  TempDir dir;
  writeFile(dir.path("f"),
            makeFile("{" + tensor("a", "U8", "[2]", "[0,2]") + "," +
                         tensor("odd", "F3\\u001b", "[99]", "[2,4]") + "}",
                     4));
  Expected<SafetensorsFile> file = SafetensorsFile::open(dir.path("f"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  uint8_t data[2];
  EXPECT_TRUE(file->read(*file->find("a"), data));
  Status status = file->read(*file->find("odd"), data);
  EXPECT_EQ(status.code(), SF_ERROR_UNSUPPORTED);
  EXPECT_NE(status.text().find("'odd' has the unknown type 'F3\\x1b'"),
            std::string::npos)
      << status.text();
}

TEST(Safetensors, ErrorsEscapeHostileText) {
  Status status = openStatus(makeFile("{\"a\\u001b[2J\":\x1b}", 0));
  EXPECT_EQ(status.text().find('\x1b'), std::string::npos) << status.text();
  status = openStatus(
      makeFile("{" + tensor("\\u001b[2J", "U8", "[9]", "[0,1]") + "}", 1));
  EXPECT_EQ(status.text().find('\x1b'), std::string::npos) << status.text();
  EXPECT_NE(status.text().find("\\x1b"), std::string::npos) << status.text();
}

TEST(SafetensorsWriter, WhatItWritesReadsBackAligned) {
  TempDir dir;
  std::vector<SafetensorsWriter::Tensor> tensors = {
      {"byte", SF_DTYPE_U8, {3}},
      {"half", SF_DTYPE_F16, {3, 1}},
      {"empty", SF_DTYPE_I64, {0, 5}},
      {"\u00fc\"\n", SF_DTYPE_F64, {}}};
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(dir.path("f"), tensors, {{"format", "pt"}});
  ASSERT_TRUE(writer.ok()) << writer.status().text();
  EXPECT_EQ(writer->order(), (std::vector<size_t>{2, 3, 1, 0}));
  const uint64_t bytes[] = {3, 6, 0, 8};
  std::vector<char> data(8);
  for (size_t index : writer->order()) {
    std::fill(data.begin(), data.end(), char('0' + index));
    EXPECT_FALSE(writer->write(data.data(), bytes[index] + 1));
    EXPECT_FALSE(writer->commit());
    ASSERT_TRUE(writer->write(data.data(), bytes[index]));
  }
  EXPECT_FALSE(writer->write(data.data(), 1));
  ASSERT_TRUE(writer->commit());

  Expected<SafetensorsFile> file = SafetensorsFile::open(dir.path("f"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  ASSERT_EQ(file->tensors().size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const SafetensorsEntry *entry = file->find(tensors[i].name);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->shape, tensors[i].shape);
    EXPECT_EQ(entry->dtype, tensors[i].dtype);
    EXPECT_EQ(entry->begin % (dtypeBits(entry->dtype) / 8), 0u);
    std::vector<char> back(entry->bytes());
    ASSERT_TRUE(file->read(*entry, back.data()));
    EXPECT_EQ(back, std::vector<char>(bytes[i], char('0' + i)));
  }
  EXPECT_EQ(file->header().metadata[0].first, "format");
  // The data area begins aligned.
  uint64_t header;
  std::memcpy(&header, readFile(dir.path("f")).data(), 8);
  EXPECT_EQ(header % 8, 0u);
}

TEST(SafetensorsWriter, RefusesBadNames) {
  TempDir dir;
  auto status = [&](std::vector<SafetensorsWriter::Tensor> tensors) {
    return SafetensorsWriter::create(dir.path("f"), tensors, {})
        .status()
        .code();
  };
  EXPECT_EQ(status({{"a", SF_DTYPE_U8, {1}}, {"a", SF_DTYPE_U8, {1}}}),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(status({{"__metadata__", SF_DTYPE_U8, {1}}}),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(status({{"\xff", SF_DTYPE_U8, {1}}}), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(status({{"a", SF_DTYPE_INVALID, {1}}}), SF_ERROR_UNSUPPORTED);
  EXPECT_TRUE(dir.names().empty());
}

TEST(Safetensors, Messages) {
  auto says = [](const std::string &text, const std::string &part) {
    EXPECT_NE(text.find(part), std::string::npos)
        << part << "\n  gave: " << text;
  };
  auto length = [](uint64_t bytes) {
    return openStatus(std::string(reinterpret_cast<const char *>(&bytes), 8) +
                      "{}")
        .text();
  };
  says(openStatus("short").text(),
       ": expected a safetensors file, which has at least 10 bytes, found 5");
  says(length(1), ": the header length is 1, expected at least 2");
  says(length(uint64_t(1) << 40), "; is this a safetensors file?");
  says(length(100), ", but only 2 bytes follow; the file is truncated");
  refuses("[]", 0, "expected the header to begin with '{'");
  refuses("{" + tensor("a", "U8", "[1]", "[0,1,2]") + "}", 1,
          "data_offsets needs exactly 2 numbers");
  refuses("{" + tensor("a", "U8", "[9223372036854775808]", "[0,1]") + "}", 1,
          "size 9223372036854775808 is beyond 63 bits");
  refuses("{\"a\":{\"type\":\"U8\"}}", 0,
          "unknown key 'type'; expected dtype, shape and data_offsets");
  refuses("{\"a\":{\"dtype\":\"U8\"}}", 0,
          "expected dtype, shape and data_offsets, found only some");
  refuses("{" + tensor("a", "U8", "[2]", "[0,2]") + "}", 1,
          " bytes of data; the file is truncated or corrupt");
  refuses("{" + tensor("a", "U8", "[1]", "[1,2]") + "}", 2,
          "tensor 'a' begins at data byte 1, leaving a gap behind the start, "
          "expected 0");
}

TEST(SafetensorsWriter, Messages) {
  TempDir dir;
  auto created = [&](std::vector<SafetensorsWriter::Tensor> tensors,
                     const std::string &metadata = "pt") {
    return SafetensorsWriter::create(dir.path("f"), std::move(tensors),
                                     {{"format", metadata}});
  };
  SafetensorsWriter::Tensor byte;
  byte.name = "a";
  byte.dtype = SF_DTYPE_U8;
  byte.shape = {1};
  EXPECT_EQ(created({byte}, "\xff").status().text(),
            "the metadata 'format' is not UTF-8");
  SafetensorsWriter::Tensor reserved = byte;
  reserved.name = "__metadata__";
  EXPECT_EQ(created({reserved}).status().text(),
            "the tensor name '__metadata__' is reserved or not UTF-8; rename "
            "it");
  std::vector<SafetensorsWriter::Tensor> large(9, byte);
  for (size_t i = 0; i < large.size(); ++i) {
    large[i].name = std::to_string(i);
    large[i].shape = {(int64_t(1) << 60) - 1};
  }
  EXPECT_EQ(created(large).status().text(),
            "the tensors have more than 2^63 bytes together");
  EXPECT_EQ(created({byte}, std::string(100'000'000, 'n')).status().text(),
            "the header would exceed 100000000 bytes");
  auto writer = created({byte});
  ASSERT_TRUE(writer.ok()) << writer.status().text();
  EXPECT_EQ(writer->commit().text(), "1 tensors have not been written");
  ASSERT_TRUE(writer->write("x", 1));
  EXPECT_EQ(writer->write("x", 1).text(),
            "all tensors have been written already");
}
