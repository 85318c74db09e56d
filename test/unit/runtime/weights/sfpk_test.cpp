//===- sfpk_test.cpp - Good and hostile .sfpk containers ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/sfpk.h"
#include "matrices.h"
#include "temp_dir.h"
#include "weights/crc32c.h"
#include "weights/pack24.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

const Dense &smallMatrix() {
  static const Dense dense = randomSparse(5, 8, 1);
  return dense;
}

/// A packed 5 x 8 matrix, a dense tensor that ends off the alignment, an empty
/// one and a text.
std::string makeContainer() {
  TempDir dir;
  std::vector<SfpkSection> sections(4);
  sections[0].name = "w";
  sections[0].kind = SF_SECTION_PACKED24;
  sections[0].dtype = SF_DTYPE_F16;
  sections[0].shape = {5, 8};
  sections[1].name = "bias";
  sections[1].dtype = SF_DTYPE_F32;
  sections[1].shape = {5};
  sections[2].name = "empty";
  sections[2].dtype = SF_DTYPE_I64;
  sections[2].shape = {0, 3};
  sections[3].name = "bias"; // texts have a name space of their own
  sections[3].kind = SF_SECTION_TEXT;
  sections[3].dtype = SF_DTYPE_U8;
  sections[3].shape = {2};
  Expected<SfpkWriter> writer = SfpkWriter::create(dir.path("f"), sections);
  EXPECT_TRUE(writer.ok()) << writer.status().text();
  std::vector<uint8_t> blob = referencePack(smallMatrix());
  float bias[5] = {1, 2, 3, 4, 5};
  EXPECT_TRUE(writer->write(blob.data(), blob.size()));
  EXPECT_FALSE(writer->write(bias, 19));
  EXPECT_TRUE(writer->write(bias, sizeof(bias)));
  EXPECT_FALSE(writer->commit());
  EXPECT_TRUE(writer->write(nullptr, 0));
  EXPECT_TRUE(writer->write("pt", 2));
  EXPECT_FALSE(writer->write("pt", 2));
  EXPECT_TRUE(writer->commit());
  return readFile(dir.path("f"));
}

/// Opens and reads everything.
Status readAll(const std::string &path) {
  Expected<SfpkFile> file = SfpkFile::open(path);
  if (!file)
    return file.status();
  for (const SfpkSection &section : file->sections()) {
    std::vector<uint8_t> data(section.bytes);
    if (Status status = file->read(section, data.data(), 1); !status)
      return status;
  }
  return Status::success();
}

Status readBytes(const std::string &bytes) {
  TempDir dir;
  writeFile(dir.path("f"), bytes);
  return readAll(dir.path("f"));
}

template <typename T>
void poke(std::string &file, size_t at, T value) {
  std::memcpy(file.data() + at, &value, sizeof(value));
}
template <typename T>
T peek(const std::string &file, size_t at) {
  T value;
  std::memcpy(&value, file.data() + at, sizeof(value));
  return value;
}

/// Makes the header checksum right again, so that a test reaches the checks
/// behind it.
void reseal(std::string &file) {
  poke<uint32_t>(file, 40, 0);
  poke<uint32_t>(file, 40, crc32c(file.data(), peek<uint64_t>(file, 24)));
}

/// Damages a good file, reseals it, and expects a refusal with `part`.
void refuses(const std::function<void(std::string &)> &damage,
             const std::string &part, sf_status code = SF_ERROR_FORMAT) {
  std::string file = makeContainer();
  damage(file);
  reseal(file);
  Status status = readBytes(file);
  EXPECT_EQ(status.code(), code) << part;
  EXPECT_NE(status.text().find(part), std::string::npos) << status.text();
}

/// Positions of the format document.
constexpr size_t entry(size_t index, size_t field) {
  return 64 + 128 * index + field;
}

} // namespace

TEST(Sfpk, ReadsWhatItWrote) {
  TempDir dir;
  writeFile(dir.path("f"), makeContainer());
  Expected<SfpkFile> file = SfpkFile::open(dir.path("f"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  ASSERT_EQ(file->sections().size(), 4u);
  const SfpkSection *w = file->find("w");
  ASSERT_NE(w, nullptr);
  EXPECT_STREQ(w->layout(), "sf24.v1");
  std::vector<uint8_t> blob(w->bytes);
  ASSERT_TRUE(file->read(*w, blob.data()));
  EXPECT_EQ(blob, referencePack(smallMatrix()));
  EXPECT_EQ(file->find("bias")->dtype, SF_DTYPE_F32);
  float bias[5];
  ASSERT_TRUE(file->read(*file->find("bias"), bias));
  EXPECT_EQ(bias[4], 5.f);
  EXPECT_EQ(file->find("nothing"), nullptr);
  for (const SfpkSection &section : file->sections())
    EXPECT_EQ(section.offset % 256, 0u);
}

TEST(Sfpk, BytesAreThoseOfTheFormatDocument) {
  std::string file = makeContainer();
  EXPECT_EQ(file.substr(0, 8), "\x89SFPK\r\n\x1a");
  EXPECT_EQ(peek<uint32_t>(file, 8), 1u);
  EXPECT_EQ(peek<uint32_t>(file, 12), 0x01020304u);
  EXPECT_EQ(peek<uint64_t>(file, 16), file.size());
  // 64 + 4 * 128 + 1 + 4 + 5 + 4 = 590 -> 768
  EXPECT_EQ(peek<uint64_t>(file, 24), 768u);
  EXPECT_EQ(peek<uint64_t>(file, 32), 4u);
  EXPECT_EQ(file.substr(576, 14), "wbiasemptybias");
  EXPECT_EQ(peek<uint64_t>(file, entry(1, 0)), 577u);
  EXPECT_EQ(peek<uint32_t>(file, entry(1, 8)), 4u);
  EXPECT_EQ(peek<uint32_t>(file, entry(0, 12)), 2u);
  EXPECT_EQ(peek<uint32_t>(file, entry(0, 16)), 1u);
  EXPECT_EQ(peek<uint32_t>(file, entry(0, 20)), 2u);
  EXPECT_EQ(peek<uint64_t>(file, entry(0, 24)), 5u);
  EXPECT_EQ(peek<uint64_t>(file, entry(0, 32)), 8u);
  EXPECT_EQ(file.substr(entry(0, 88), 16),
            std::string("sf24.v1\0\0\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(peek<uint64_t>(file, entry(0, 104)), 768u);
  EXPECT_EQ(peek<uint64_t>(file, entry(0, 112)), 4608u);
  EXPECT_EQ(peek<uint32_t>(file, entry(0, 120)),
            crc32c(file.data() + 768, 4608));
  EXPECT_EQ(peek<uint64_t>(file, entry(1, 104)), 768u + 4608u);
  // 20 bytes of bias -> the empty section and the text begin 256 later
  EXPECT_EQ(peek<uint64_t>(file, entry(2, 104)), 5632u);
  EXPECT_EQ(peek<uint64_t>(file, entry(3, 104)), 5632u);
  EXPECT_EQ(file.size(), 5632u + 256u);
}

TEST(Sfpk, EveryPrefixIsRefused) {
  std::string file = makeContainer();
  ASSERT_TRUE(readBytes(file));
  TempDir dir;
  writeFile(dir.path("f"), file);
  for (size_t length = file.size(); length-- > 0;) {
    std::filesystem::resize_file(dir.path("f"), length);
    EXPECT_EQ(readAll(dir.path("f")).code(), SF_ERROR_FORMAT) << length;
  }
  for (size_t more : {1, 255, 256})
    EXPECT_EQ(readBytes(file + std::string(more, '\0')).code(),
              SF_ERROR_FORMAT);
}

TEST(Sfpk, EveryFlippedBitIsRefused) {
  std::string file = makeContainer();
  TempDir dir;
  writeFile(dir.path("f"), file);
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    flipBit(dir.path("f"), bit);
    EXPECT_FALSE(readAll(dir.path("f"))) << "bit " << bit;
    flipBit(dir.path("f"), bit);
  }
  EXPECT_TRUE(readAll(dir.path("f")));
  EXPECT_EQ(readFile(dir.path("f")), file);
}

TEST(Sfpk, HeaderDamageIsReportedAsSuch) {
  std::string file = makeContainer();
  file[576] ^= 1; // a name
  EXPECT_NE(
      readBytes(file).text().find(
          "the checksum of the header does not match; the file is corrupt"),
      std::string::npos);
}

TEST(Sfpk, TextsAreNotFoundAsTensors) {
  TempDir dir;
  std::vector<SfpkSection> sections(3);
  for (int i = 0; i < 2; ++i) {
    sections[i].name = i ? "only a text" : "both";
    sections[i].kind = SF_SECTION_TEXT;
    sections[i].dtype = SF_DTYPE_U8;
    sections[i].shape = {1};
  }
  sections[2].name = "both";
  sections[2].dtype = SF_DTYPE_I8;
  sections[2].shape = {1};
  Expected<SfpkWriter> writer = SfpkWriter::create(dir.path("f"), sections);
  ASSERT_TRUE(writer.ok());
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(writer->write("x", 1));
  ASSERT_TRUE(writer->commit());
  Expected<SfpkFile> file = SfpkFile::open(dir.path("f"));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->find("only a text"), nullptr);
  ASSERT_NE(file->find("both"), nullptr);
  EXPECT_EQ(file->find("both")->dtype, SF_DTYPE_I8);
}

TEST(Sfpk, OtherFilesAndVersions) {
  EXPECT_EQ(readBytes("").code(), SF_ERROR_FORMAT);
  EXPECT_EQ(readBytes(std::string(1000, 'x')).code(), SF_ERROR_FORMAT);
  refuses([](std::string &f) { f[0] = 'x'; }, "magic");
  refuses([](std::string &f) { poke<uint32_t>(f, 8, 2); },
          "format version 2, this library reads up to 1", SF_ERROR_UNSUPPORTED);
  refuses([](std::string &f) { poke<uint32_t>(f, 8, 0); },
          "the file has format version 0, which never existed");
  refuses([](std::string &f) { poke<uint32_t>(f, 12, 0x04030201); },
          "big-endian");
  refuses([](std::string &f) { poke<uint32_t>(f, 12, 0x01020305); },
          "the byte-order mark is damaged; the file is corrupt");
}

TEST(Sfpk, ResealedButWrongHeaders) {
  refuses([](std::string &f) { poke<uint64_t>(f, 32, 5); }, "");
  refuses([](std::string &f) { poke<uint64_t>(f, 32, ~uint64_t(0)); },
          "sections do not fit into the header");
  refuses([](std::string &f) { poke<uint64_t>(f, 32, 3); }, "");
  refuses([](std::string &f) { poke<uint32_t>(f, 44, 1); }, "reserved");
  refuses([](std::string &f) { f[60] = 1; }, "reserved");
  refuses([](std::string &f) { f[700] = 1; }, "padding");
  refuses([](std::string &f) { poke<uint64_t>(f, entry(1, 0), 576); },
          ": its name is not where it has to be");
  refuses([](std::string &f) { poke<uint32_t>(f, entry(1, 8), ~0u); },
          ": its name is not where it has to be");
  refuses([](std::string &f) { poke<uint32_t>(f, entry(0, 124), 7); },
          "reserved");
  refuses([](std::string &f) { f[577] = '\xff'; }, "UTF-8");
  refuses([](std::string &f) { f[577] = '\0'; }, "UTF-8");
  // "empty" and "bias" swap their sizes: then two tensors are called alike.
  refuses(
      [](std::string &f) {
        poke<uint32_t>(f, entry(2, 8), 1);
        f[581] = 'w';
        poke<uint64_t>(f, entry(3, 0), 582);
        poke<uint32_t>(f, entry(3, 8), 4);
      },
      ": the name is used twice");
  // The header size is checked before it is allocated or read.
  std::string file = makeContainer();
  for (uint64_t size : {uint64_t(0), uint64_t(63), uint64_t(64), uint64_t(767),
                        uint64_t(1) << 40, ~uint64_t(0), ~uint64_t(255)}) {
    std::string damaged = file;
    poke<uint64_t>(damaged, 24, size);
    EXPECT_EQ(readBytes(damaged).code(), SF_ERROR_FORMAT) << size;
  }
}

TEST(Sfpk, WrongTypesKindsAndShapes) {
  refuses([](std::string &f) { poke<uint32_t>(f, entry(0, 12), 9); }, "kind 9",
          SF_ERROR_UNSUPPORTED);
  refuses([](std::string &f) { poke<uint32_t>(f, entry(0, 12), 0); }, "kind 0",
          SF_ERROR_UNSUPPORTED);
  refuses([](std::string &f) { poke<uint32_t>(f, entry(0, 12), 1); },
          "expected the layout 'dense', found 'sf24.v1'", SF_ERROR_UNSUPPORTED);
  refuses([](std::string &f) { f[entry(0, 88) + 6] = '2'; },
          "expected the layout 'sf24.v1', found 'sf24.v2'",
          SF_ERROR_UNSUPPORTED);
  refuses([](std::string &f) { f[entry(0, 88) + 15] = 'x'; },
          ": expected the layout '", SF_ERROR_UNSUPPORTED);
  refuses(
      [](std::string &f) { poke<uint32_t>(f, entry(0, 16), 3); },
      "a packed 2:4 matrix needs type F16 or BF16 and two dimensions, found");
  refuses([](std::string &f) { poke<uint32_t>(f, entry(1, 16), 77); },
          "element type 77", SF_ERROR_UNSUPPORTED);
  refuses([](std::string &f) { poke<uint32_t>(f, entry(0, 20), 9); },
          "at most 8 dimensions, found 9");
  refuses([](std::string &f) { poke<uint32_t>(f, entry(0, 20), 1); },
          ": an unused dimension is not zero");
  refuses([](std::string &f) { poke<uint64_t>(f, entry(0, 32), 6); },
          "a packed 2:4 matrix needs a number of columns (in features) that is "
          "a multiple of 4, found");
  refuses([](std::string &f) { poke<uint64_t>(f, entry(0, 24), 65); },
          "its size is 4608 bytes, expected 9216");
  refuses([](std::string &f) { poke<uint64_t>(f, entry(1, 24), ~uint64_t(0)); },
          "beyond 63 bits");
  refuses(
      [](std::string &f) {
        poke<uint64_t>(f, entry(1, 24), uint64_t(1) << 62);
      },
      "63 bits");
  refuses([](std::string &f) { poke<uint32_t>(f, entry(3, 16), 5); },
          "a text needs type U8 and one dimension");
}

TEST(Sfpk, OverlapsHolesAndOverflows) {
  refuses([](std::string &f) { poke<uint64_t>(f, entry(1, 104), 5120); },
          "overlaps");
  refuses([](std::string &f) { poke<uint64_t>(f, entry(1, 104), 5632); },
          "leaves a hole");
  refuses([](std::string &f) { poke<uint64_t>(f, entry(1, 104), 5377); },
          "not aligned");
  refuses([](std::string &f) { poke<uint64_t>(f, entry(0, 104), 0); },
          "overlaps");
  refuses([](std::string &f) { poke<uint64_t>(f, entry(1, 112), 21); },
          "its size is 21 bytes, expected 20");
  refuses(
      [](std::string &f) {
        poke<uint64_t>(f, entry(1, 104), ~uint64_t(255));
        poke<uint64_t>(f, entry(1, 112), 512);
      },
      "its size");
  // Two shapes of 2^62 bytes each: the sum does not fit.
  refuses(
      [](std::string &f) {
        poke<uint64_t>(f, entry(1, 24), uint64_t(1) << 59);
        poke<uint64_t>(f, entry(2, 24), uint64_t(1) << 59);
      },
      "63 bits");
}

TEST(Sfpk, ChecksumsAndPaddingAndMetadataOfTheData) {
  std::string file = makeContainer();
  std::string damaged = file;
  damaged[768 + 100] ^= 1;
  EXPECT_NE(readBytes(damaged).text().find("'w': the checksum of the data"),
            std::string::npos);
  damaged = file;
  damaged[5376 + 20] = 1;
  EXPECT_NE(readBytes(damaged).text().find("'bias': the padding"),
            std::string::npos);
  // A blob with a right checksum but an illegal index pair.
  refuses(
      [](std::string &f) {
        f[768 + 4096] = 0;
        poke<uint32_t>(f, entry(0, 120), crc32c(f.data() + 768, 4608));
      },
      "'w', row 0, column 0 (unit 0): expected two strictly increasing "
      "indices, found indices (0, 0); pack the matrix again");
  refuses(
      [](std::string &f) {
        f[5632] = '\xff';
        poke<uint32_t>(f, entry(3, 120), crc32c(f.data() + 5632, 2));
      },
      "not UTF-8");
}

TEST(Sfpk, AFileThatShrinksAfterOpening) {
  TempDir dir;
  writeFile(dir.path("f"), makeContainer());
  Expected<SfpkFile> file = SfpkFile::open(dir.path("f"));
  ASSERT_TRUE(file.ok());
  std::filesystem::resize_file(dir.path("f"), 1000);
  std::vector<uint8_t> blob(4608);
  EXPECT_EQ(file->read(file->sections()[0], blob.data()).code(), SF_ERROR_IO);
}

TEST(Sfpk, AnEmptyContainerIsAHeader) {
  TempDir dir;
  Expected<SfpkWriter> writer = SfpkWriter::create(dir.path("f"), {});
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->commit());
  EXPECT_EQ(readFile(dir.path("f")).size(), 256u);
  EXPECT_TRUE(readAll(dir.path("f")));
}

TEST(SfpkWriter, RefusesWhatItCouldNotRead) {
  TempDir dir;
  auto code = [&](SfpkSection section) {
    return SfpkWriter::create(dir.path("f"), {section}).status().code();
  };
  SfpkSection good;
  good.name = "w";
  good.dtype = SF_DTYPE_F32;
  good.shape = {1};
  auto with = [&](const std::function<void(SfpkSection &)> &change) {
    SfpkSection section = good;
    change(section);
    return code(section);
  };
  EXPECT_EQ(with([](SfpkSection &s) { s.name = ""; }), SF_ERROR_FORMAT);
  EXPECT_EQ(with([](SfpkSection &s) { s.name = std::string("a\0b", 3); }),
            SF_ERROR_FORMAT);
  EXPECT_EQ(with([](SfpkSection &s) { s.shape.assign(9, 1); }),
            SF_ERROR_FORMAT);
  EXPECT_EQ(with([](SfpkSection &s) { s.shape = {-1}; }), SF_ERROR_FORMAT);
  EXPECT_EQ(with([](SfpkSection &s) { s.kind = SF_SECTION_PACKED24; }),
            SF_ERROR_FORMAT);
  EXPECT_EQ(with([](SfpkSection &s) { s.dtype = SF_DTYPE_INVALID; }),
            SF_ERROR_UNSUPPORTED);
  EXPECT_TRUE(dir.names().empty());
}

TEST(Sfpk, Messages) {
  EXPECT_NE(readBytes("small").text().find(
                "expected a .sfpk file, which has at least 256 bytes, found 5"),
            std::string::npos);
  auto set32 = [](size_t at, uint32_t value) {
    return [=](std::string &file) { poke<uint32_t>(file, at, value); };
  };
  auto set64 = [](size_t at, uint64_t value) {
    return [=](std::string &file) { poke<uint64_t>(file, at, value); };
  };
  refuses([](std::string &file) { file[0] = 'x'; },
          "expected a .sfpk file, but it does not begin with its magic bytes");
  refuses(set32(12, 0x04030201),
          "the file was written in big-endian byte order; .sfpk files are "
          "little endian, pack the weights again");
  refuses([](std::string &file) { file += "x"; }, "; something was appended");
  refuses(
      set32(entry(0, 12), 9),
      ": kind 9 is not known to this version; update SparseFlow or pack the "
      "weights again",
      SF_ERROR_UNSUPPORTED);
  refuses(
      set32(entry(0, 16), 99),
      ": element type 99 is not known to this version; update SparseFlow or "
      "pack the weights again",
      SF_ERROR_UNSUPPORTED);
  refuses(set64(entry(1, 24), uint64_t(1) << 63),
          ": dimension 0 is beyond 63 bits");
  refuses([](std::string &file) { file[entry(0, 88)] = 'x'; },
          "': expected the layout 'sf24.v1', found 'xf24.v1'; pack the weights "
          "again",
          SF_ERROR_UNSUPPORTED);
  // Refused before the checksum is read.
  std::string odd = makeContainer();
  poke<uint64_t>(odd, 24, 65);
  EXPECT_NE(readBytes(odd).text().find(
                "the header size 65 is not a multiple of 256 within the file "
                "and the limits; the file is corrupt"),
            std::string::npos)
      << readBytes(odd).text();
  EXPECT_EQ(decodeSfpkHeader(std::vector<uint8_t>(8), 8).status().text(),
            "the header is shorter than its fixed part");
  refuses(set32(44, 1),
          "a reserved field, a size or the padding of the header is not what "
          "it has to be");
  size_t bias = peek<uint64_t>(makeContainer(), entry(1, 104));
  refuses([&](std::string &file) { file[bias] ^= 1; },
          ": the checksum of the data does not match; the file is corrupt");
  refuses([&](std::string &file) { file[bias + 20] = 1; },
          ": the padding behind the data is not zero; the file is corrupt");
}

TEST(SfpkWriter, Messages) {
  auto laidOut = [](sf_section_kind kind, sf_dtype dtype,
                    std::vector<int64_t> shape,
                    const std::string &name = "w") -> std::string {
    std::vector<SfpkSection> sections(1);
    sections[0].name = name;
    sections[0].kind = kind;
    sections[0].dtype = dtype;
    sections[0].shape = std::move(shape);
    Expected<uint64_t> header = layOutSfpk(sections);
    return header ? "none" : header.status().text();
  };
  auto says = [](const std::string &text, const std::string &part) {
    EXPECT_NE(text.find(part), std::string::npos)
        << part << "\n  gave: " << text;
  };
  says(laidOut(SF_SECTION_DENSE, SF_DTYPE_U8, {4}, ""),
       ": a name has to be UTF-8 of at least one byte without NUL");
  says(laidOut(SF_SECTION_DENSE, SF_DTYPE_U8, {4},
               std::string(kMaxSfpkHeader, 'n')),
       "the header of the container would have ");
  says(laidOut(SF_SECTION_DENSE, SF_DTYPE_U8, {-1}), "has a negative size");
  says(laidOut(SF_SECTION_DENSE, SF_DTYPE_F32, {INT64_MAX}),
       "has more bits than 63 bits can count");
  says(laidOut(SF_SECTION_DENSE, SF_DTYPE_INVALID, {1}),
       "an unknown element type");
  // A number that the type can hold.
  says(laidOut(static_cast<sf_section_kind>(7), SF_DTYPE_U8, {1}),
       "a section is dense, packed or a text, found kind 7");
  std::vector<SfpkSection> many(9);
  for (size_t i = 0; i < many.size(); ++i) {
    many[i].name = std::to_string(i);
    many[i].dtype = SF_DTYPE_U8;
    many[i].shape = {(int64_t(1) << 60) - 1};
  }
  says(layOutSfpk(many).status().text(),
       ": the container would exceed 2^63 bytes");
  many.resize(kMaxSfpkSections + 1);
  says(layOutSfpk(many).status().text(),
       "a container holds at most 1048576 sections, found 1048577");
  says(laidOut(SF_SECTION_TERNARY, SF_DTYPE_F16, {4, 4}),
       "a quantized matrix needs type F16, BF16 or F32 and five numbers, found "
       "F16 [4, 4]");
  says(laidOut(SF_SECTION_TERNARY, SF_DTYPE_F16, {4, 4, 3, 1, 1}),
       "a quantized matrix needs one or two planes and scales of a known type, "
       "found [4, 4, 3, 1, 1]");
}
