//===- ternary_abi_test.cpp - The C ABI of ternary weights ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow/gguf.h"

#include "../weights/temp_dir.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace sparseflow::test;

namespace {

sf_ternary_format formatOf(int64_t n, int64_t k) {
  return {
      sizeof(sf_ternary_format), n, k, SF_TERNARY_CODES, 1, 1, SF_DTYPE_F32};
}

bool lastError(const std::string &part) {
  return std::string(sf_last_error()).find(part) != std::string::npos;
}

} // namespace

TEST(TernaryAbi, MakePackUnpack) {
  sf_ternary_format format = formatOf(3, 5);
  size_t bytes, offset, scales;
  ASSERT_EQ(sf_ternary_size(&format, &bytes, &offset, &scales), SF_OK);
  EXPECT_EQ(bytes, 2048u + 256);
  EXPECT_EQ(offset, 2048u);
  EXPECT_EQ(scales, 3u);
  std::vector<float> w = {1, -1, 0, 1, 0, 2, 2, 0, 0, -2, 0, 0, 3, 0, 0};
  std::vector<int8_t> trits(15), back(15);
  std::vector<float> s(3), t(3);
  sf_ternary_report report;
  ASSERT_EQ(sf_ternarize(w.data(), SF_DTYPE_F32, &format, SF_TERNARY_LLOYD,
                         nullptr, "w", 1, trits.data(), s.data(), &report),
            SF_OK);
  EXPECT_EQ(s, (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(report.relative_error, 0);
  EXPECT_TRUE(std::isinf(report.snr_db));
  EXPECT_NEAR(report.zero_share, 8.0 / 15, 1e-12);
  std::vector<uint8_t> blob(bytes);
  ASSERT_EQ(sf_ternary_pack(trits.data(), s.data(), &format, "w", 1,
                            blob.data(), blob.size()),
            SF_OK);
  ASSERT_EQ(sf_ternary_unpack(blob.data(), blob.size(), &format, "w", 1,
                              back.data(), t.data()),
            SF_OK);
  EXPECT_EQ(back, trits);
  EXPECT_EQ(t, s);
  EXPECT_EQ(sf_ternary_unpack(blob.data(), blob.size(), &format, nullptr, 1,
                              nullptr, nullptr),
            SF_OK);
  blob[0] = 0xff;
  EXPECT_EQ(sf_ternary_unpack(blob.data(), blob.size(), &format, "w", 1,
                              nullptr, nullptr),
            SF_ERROR_FORMAT);
  EXPECT_TRUE(lastError("'w', row 0, column 0"));
}

TEST(TernaryAbi, WrongArguments) {
  sf_ternary_format format = formatOf(3, 5);
  EXPECT_EQ(sf_ternary_size(nullptr, nullptr, nullptr, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  format.struct_size = 4;
  EXPECT_EQ(sf_ternary_size(&format, nullptr, nullptr, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(lastError("struct_size"));
  format = formatOf(3, 5);
  format.planes = 0;
  EXPECT_EQ(sf_ternary_size(&format, nullptr, nullptr, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  format = formatOf(3, 5);
  uint8_t blob[16];
  int8_t trits[15] = {};
  float scales[3] = {};
  EXPECT_EQ(sf_ternary_pack(trits, scales, &format, "w", 1, blob, 16),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(lastError("expected 2304 bytes, found 16"));
  EXPECT_EQ(sf_ternary_pack(nullptr, scales, &format, "w", 1, blob, 16),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sf_ternarize(nullptr, SF_DTYPE_F32, &format, SF_TERNARY_TWN,
                         nullptr, "w", 1, trits, scales, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
}

TEST(TernaryAbi, GgufFiles) {
  TempDir dir;
  std::string line =
      "'" SPARSEFLOW_PYTHON "' '" SPARSEFLOW_VECTORS "' '" + dir.path() + "'";
  ASSERT_EQ(std::system(line.c_str()), 0);
  sf_gguf *file = nullptr;
  EXPECT_EQ(sf_gguf_open(dir.path("none").c_str(), 0, &file), SF_ERROR_IO);
  EXPECT_EQ(file, nullptr);
  ASSERT_EQ(sf_gguf_open(dir.path("mixed.gguf").c_str(), 0, &file), SF_OK);
  ASSERT_EQ(sf_gguf_count(file), 8u);
  sf_gguf_tensor tensor;
  sf_ternary_format format;
  ASSERT_EQ(sf_gguf_describe(file, 1, &tensor, &format), SF_OK);
  EXPECT_STREQ(tensor.name, "tq1");
  EXPECT_EQ(tensor.is_ternary, 1);
  EXPECT_EQ(format.n, 3);
  EXPECT_EQ(format.scale_columns, 256);
  size_t scaleCount;
  ASSERT_EQ(sf_ternary_size(&format, nullptr, nullptr, &scaleCount), SF_OK);
  std::vector<int8_t> trits(format.n * format.k);
  std::vector<float> scales(scaleCount);
  ASSERT_EQ(sf_gguf_read_ternary(file, 1, 1, trits.data(), scales.data()),
            SF_OK);
  std::string expected = readFile(dir.path("tq1.trits"));
  EXPECT_EQ(std::string(trits.begin(), trits.end()), expected);
  std::vector<uint8_t> raw(tensor.bytes);
  EXPECT_EQ(sf_gguf_read(file, 1, raw.data(), raw.size()), SF_OK);
  EXPECT_EQ(sf_gguf_read(file, 1, raw.data(), 3), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sf_gguf_describe(file, 8, &tensor, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(sf_last_error(), "expected a tensor index below 8, found 8");
  ASSERT_EQ(sf_gguf_describe(file, 4, &tensor, &format), SF_OK);
  EXPECT_EQ(tensor.is_ternary, 0);
  EXPECT_EQ(sf_gguf_read_ternary(file, 4, 1, trits.data(), scales.data()),
            SF_ERROR_UNSUPPORTED);
  sf_gguf_close(file);
  sf_gguf_close(nullptr);
  EXPECT_EQ(sf_gguf_count(nullptr), 0u);
}

TEST(TernaryAbi, Messages) {
  auto refused = [](sf_status status, const char *part) {
    EXPECT_NE(status, SF_OK) << part;
    EXPECT_TRUE(lastError(part)) << part << "\n  gave: " << sf_last_error();
  };
  sf_ternary_format format = formatOf(1, 4), old = format;
  old.struct_size = 1;
  std::vector<float> weights(4, 1.f), scales(1, 1.f);
  std::vector<int8_t> trits(4, 1);
  size_t bytes = 0;
  ASSERT_EQ(sf_ternary_size(&format, &bytes, nullptr, nullptr), SF_OK);
  std::vector<uint8_t> blob(bytes);
  refused(sf_ternary_size(nullptr, &bytes, nullptr, nullptr), "format is null");
  refused(sf_ternary_size(&old, &bytes, nullptr, nullptr),
          "sf_ternary_format.struct_size: expected sizeof(sf_ternary_format) "
          "= ");
  refused(sf_ternary_pack(trits.data(), scales.data(), &format, "w", 1, nullptr,
                          bytes),
          "blob is null");
  refused(sf_ternary_pack(nullptr, scales.data(), &format, "w", 1, blob.data(),
                          bytes),
          "trits or scales is null");
  auto ternarize = [&](const float *from, int method) {
    return sf_ternarize(from, SF_DTYPE_F32, &format, sf_ternary_method(method),
                        nullptr, "w", 1, trits.data(), scales.data(), nullptr);
  };
  refused(ternarize(nullptr, SF_TERNARY_LLOYD), "weights is null");
  refused(ternarize(weights.data(), 3),
          "expected a method from 0 to 2, found 3");
  auto above = [&](const float *from, double threshold) {
    return sf_ternarize_threshold(from, SF_DTYPE_F32, &format, threshold,
                                  nullptr, "w", 1, trits.data(), scales.data(),
                                  nullptr);
  };
  EXPECT_EQ(above(weights.data(), 0.5), SF_OK);
  refused(above(nullptr, 0.5), "weights is null");
  refused(above(weights.data(), -1), "expected a threshold of at least 0");
  sf_gguf *file = nullptr;
  sf_gguf_tensor tensor;
  refused(sf_gguf_open(nullptr, 0, &file), "path or file is null");
  refused(sf_gguf_describe(nullptr, 0, nullptr, nullptr), "tensor is null");
  refused(sf_gguf_describe(nullptr, 0, &tensor, nullptr), "file is null");
}
