//===- import_test.cpp - Ternary weights of other formats -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files come from make_vectors.py, an implementation of the formats of its
// own in another language.
//
//===----------------------------------------------------------------------===//

#include "ternary/import.h"

#include "../weights/temp_dir.h"
#include "io/safetensors.h"
#include "ternary/pack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

class Import : public testing::Test {
protected:
  void SetUp() override {
    std::string line =
        "'" SPARSEFLOW_PYTHON "' '" SPARSEFLOW_VECTORS "' '" + dir.path() + "'";
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
  }

  template <typename T>
  std::vector<T> vectorOf(const std::string &file) {
    std::string bytes = readFile(dir.path(file));
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

  std::vector<uint8_t> dataOf(const GgufFile &file, const GgufTensor &tensor) {
    std::vector<uint8_t> data(tensor.bytes);
    EXPECT_TRUE(file.read(tensor, data.data()));
    return data;
  }

  /// Imports a tensor and compares it with the vectors of its name.
  void compare(const GgufFile &file, const std::string &name, int64_t block) {
    SCOPED_TRACE(name);
    const GgufTensor *tensor = file.find(name);
    ASSERT_NE(tensor, nullptr);
    std::vector<uint8_t> data = dataOf(file, *tensor);
    for (int threads : {1, 3}) {
      Expected<ImportedTernary> matrix =
          importGguf(*tensor, data.data(), threads);
      ASSERT_TRUE(matrix.ok()) << matrix.status().text();
      EXPECT_EQ(matrix->format.group, block);
      EXPECT_EQ(matrix->trits, vectorOf<int8_t>(name + ".trits"));
      std::vector<float> scales = vectorOf<float>(name + ".scales");
      int64_t n = matrix->format.n, blocks = matrix->format.groups();
      ASSERT_EQ(scales.size(), size_t(n * blocks));
      for (int64_t row = 0; row < n; ++row)
        for (int64_t b = 0; b < blocks; ++b)
          EXPECT_EQ(matrix->scales[b * n + row], scales[row * blocks + b]);
      // What was imported packs, and comes back the same.
      std::vector<uint8_t> blob(matrix->format.blobBytes());
      ASSERT_TRUE(packTernary(matrix->trits.data(), matrix->scales.data(),
                              matrix->format, name, 1, blob.data()));
      std::vector<int8_t> trits(matrix->trits.size());
      ASSERT_TRUE(unpackTernary(blob.data(), matrix->format, name, 1,
                                trits.data(), nullptr));
      EXPECT_EQ(trits, matrix->trits);
    }
  }

  TempDir dir;
};

GgufTensor matrixOf(uint32_t type, uint32_t block, uint32_t bytes, int64_t n,
                    int64_t k) {
  GgufTensor tensor;
  tensor.name = "w";
  tensor.type = type;
  tensor.shape = {n, k};
  tensor.blockElements = block;
  tensor.blockBytes = bytes;
  tensor.bytes = n * k / block * bytes;
  return tensor;
}

std::string errorOf(const GgufTensor &tensor,
                    const std::vector<uint8_t> &data) {
  Expected<ImportedTernary> matrix = importGguf(tensor, data.data(), 1);
  return matrix ? "" : matrix.status().text();
}

} // namespace

TEST_F(Import, EveryTypeOfAMixedFile) {
  Expected<GgufFile> file = GgufFile::open(dir.path("mixed.gguf"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_EQ(file->tensors().size(), 8u);
  EXPECT_EQ(file->header().metadata.size(), 9u);
  EXPECT_EQ(file->header().metadata[1].value, "vectors \xc3\xa9");
  EXPECT_EQ(file->header().metadata[7].value, "(3 values)");
  compare(*file, "tq2", 256);
  compare(*file, "tq1", 256);
  compare(*file, "q2", 64);
  compare(*file, "pq2", 128);
  compare(*file, "last", 256);
  float norm[6];
  ASSERT_TRUE(file->read(*file->find("norm"), norm));
  EXPECT_EQ(norm[5], 5.f);
  EXPECT_FALSE(file->find("mystery")->isReadable());
}

TEST_F(Import, BlocksOf128UnderTheSameNumber) {
  Expected<GgufFile> file = GgufFile::open(dir.path("fork.gguf"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_EQ(file->header().version, 2u);
  EXPECT_EQ(file->header().alignment, 64u);
  for (const char *name : {"wide", "tiny", "end"})
    compare(*file, name, 128);
}

TEST_F(Import, ConstantBlocksHaveTheKnownBytes) {
  Expected<GgufFile> file = GgufFile::open(dir.path("constant.gguf"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  struct Known {
    const char *name;
    uint8_t quants, high;
  };
  for (Known known : {Known{"zeros1", 0x80, 0x7f}, Known{"plus1", 0xff, 0xfd},
                      Known{"minus1", 0x00, 0x00}}) {
    std::vector<uint8_t> data = dataOf(*file, *file->find(known.name));
    EXPECT_EQ(data[0], known.quants);
    EXPECT_EQ(data[47], known.quants);
    EXPECT_EQ(data[48], known.high);
    compare(*file, known.name, 256);
  }
  EXPECT_EQ(dataOf(*file, *file->find("zeros2"))[0], 0x55);
  EXPECT_EQ(dataOf(*file, *file->find("zerosq"))[2], 0x55);
  compare(*file, "zeros2", 256);
  compare(*file, "zerosq", 64);
}

TEST(ImportErrors, IllegalCodesAreNamedWithTheirPlace) {
  GgufTensor tq2 = matrixOf(GgufTQ2_0, 256, 66, 3, 512);
  std::vector<uint8_t> data(tq2.bytes, 0x55);
  EXPECT_EQ(errorOf(tq2, data), "");
  data[(2 * 2 + 1) * 66 + 32 + 7] = 0xd5; // row 2, block 1, half 1, n = 3
  data[(2 * 2 + 1) * 66 + 64] = 0;
  data[(2 * 2 + 1) * 66 + 65] = 0x3c;
  EXPECT_EQ(errorOf(tq2, data),
            "tensor 'w', row 2, column 487: expected a code of 0, 1 or 2, "
            "found 3; the weights are not ternary, or damaged");

  GgufTensor q2 = matrixOf(GgufQ2_0, 64, 18, 2, 128);
  data.assign(q2.bytes, 0x55);
  data[(2 + 1) * 18 + 2 + 1] = 0x75; // row 1, block 1, element 6
  EXPECT_NE(errorOf(q2, data).find("row 1, column 70: expected a code of 0, 1 "
                                   "or 2, found 3 (which is +2)"),
            std::string::npos)
      << errorOf(q2, data);

  // 13 bytes are of no five trits, and the last four bytes hold four only.
  GgufTensor tq1 = matrixOf(GgufTQ1_0, 256, 54, 1, 256);
  int legal = 0;
  for (int byte = 0; byte < 256; ++byte) {
    data.assign(tq1.bytes, 0);
    data[3] = byte;
    std::string error = errorOf(tq1, data);
    legal += error.empty();
    if (!error.empty()) {
      EXPECT_NE(error.find("row 0, column 3: expected a byte that five trits "
                           "give"),
                std::string::npos)
          << error;
    }
  }
  EXPECT_EQ(legal, 243);
  data.assign(tq1.bytes, 0);
  data[50] = 0x80; // 121, no multiple of 3
  EXPECT_NE(errorOf(tq1, data).find("column 242"), std::string::npos);
}

TEST(ImportErrors, ScalesAndShapes) {
  GgufTensor tq2 = matrixOf(GgufTQ2_0, 256, 66, 2, 512);
  std::vector<uint8_t> data(tq2.bytes, 0x55);
  data[3 * 66 + 65] = 0x7c; // row 1, block 1: 0x7c55 is NaN
  EXPECT_NE(errorOf(tq2, data).find("row 1, column 256: the scale of the block "
                                    "is NaN or infinite; the weights are "
                                    "damaged"),
            std::string::npos)
      << errorOf(tq2, data);
  tq2.shape = {1024};
  EXPECT_NE(errorOf(tq2, data).find("; expected a matrix"), std::string::npos);
  GgufTensor other = matrixOf(2, 32, 18, 2, 512);
  EXPECT_NE(errorOf(other, data).find("has the type Q4_0"), std::string::npos);
  GgufTensor unknown = matrixOf(GgufQ2_0, 64, 18, 2, 512);
  unknown.blockElements = 0;
  EXPECT_NE(errorOf(unknown, data)
                .find("; expected TQ1_0, TQ2_0 or Q2_0 of known block size"),
            std::string::npos);
}

TEST_F(Import, BitnetQuartersAndScales) {
  Expected<SafetensorsFile> file =
      SafetensorsFile::open(dir.path("bit.safetensors"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  const SafetensorsEntry *weight = file->find("bit.weight");
  ASSERT_EQ(weight->shape, (std::vector<int64_t>{3, 10}));
  std::vector<uint8_t> packed(30);
  ASSERT_TRUE(file->read(*weight, packed.data()));
  float scale;
  ASSERT_TRUE(file->read(*file->find("bit.weight_scale"), &scale));
  for (BitnetScale meaning : {BitnetScale::Divide, BitnetScale::Multiply}) {
    Expected<ImportedTernary> matrix =
        importBitnet(packed.data(), 3, 10, scale, meaning, "bit", 2);
    ASSERT_TRUE(matrix.ok()) << matrix.status().text();
    EXPECT_EQ(matrix->format.n, 12);
    EXPECT_EQ(matrix->trits, vectorOf<int8_t>("bit.trits"));
    EXPECT_EQ(matrix->scales[0],
              meaning == BitnetScale::Divide ? 1.0f / 0.75f : 0.75f);
  }
}

TEST(ImportErrors, BitnetVectorsOfItsDocumentation) {
  const uint8_t packed[] = {0b10100001, 0b00011000, 0b10010000, 0b00001010};
  Expected<ImportedTernary> matrix =
      importBitnet(packed, 2, 2, 1, BitnetScale::Divide, "w", 1);
  ASSERT_TRUE(matrix.ok()) << matrix.status().text();
  EXPECT_EQ(matrix->trits, (std::vector<int8_t>{0, -1, -1, 1, -1, 1, -1, 1, 1,
                                                0, 0, -1, 1, -1, 1, -1}));
}

TEST(ImportErrors, Bitnet) {
  std::vector<uint8_t> packed(6, 0x55);
  auto error = [&](float scale) {
    Expected<ImportedTernary> matrix =
        importBitnet(packed.data(), 2, 3, scale, BitnetScale::Divide, "w", 1);
    return matrix ? "" : matrix.status().text();
  };
  EXPECT_EQ(error(2), "");
  for (float bad : {0.f, -0.f, NAN, INFINITY, 1e-45f})
    EXPECT_NE(
        error(bad).find(
            ": expected a weight_scale that is finite and not zero, found"),
        std::string::npos)
        << bad;
  packed[4] = 0x75; // packed row 1, column 1, bits 4: row 1 + 2 * 2
  EXPECT_EQ(error(2), "tensor 'w', row 5, column 1: expected a code of 0, 1 or "
                      "2, found 3; the weights are not ternary, or damaged");
  EXPECT_EQ(*bitnetScaleFromClass("bitlinear"), BitnetScale::Divide);
  EXPECT_EQ(*bitnetScaleFromClass("autobitlinear"), BitnetScale::Multiply);
  EXPECT_EQ(bitnetScaleFromClass("linear").status().text(),
            "expected the linear class 'bitlinear' or 'autobitlinear', found "
            "'linear'");
  EXPECT_NE(importBitnet(packed.data(), -1, 3, 1, BitnetScale::Divide, "w", 1)
                .status()
                .text()
                .find("-1 packed rows are out of range"),
            std::string::npos);
}
