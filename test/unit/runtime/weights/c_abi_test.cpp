//===- c_abi_test.cpp - The C ABI of weights ------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow/ternary.h"
#include "sparseflow/weights.h"

#include "io/sfpk.h"
#include "matrices.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>

using namespace sparseflow::test;

namespace {
std::string lastError() { return sf_last_error(); }
} // namespace

TEST(StatusAbi, EveryCodeHasAText) {
  for (int code = SF_OK; code <= SF_ERROR_INTERNAL; ++code)
    EXPECT_STRNE(sf_status_string(sf_status(code)), "unknown status code");
  EXPECT_STREQ(sf_status_string(sf_status(15)), "unknown status code");
}

TEST(StatusAbi, LastErrorBelongsToTheThread) {
  ASSERT_EQ(sf_pack24_size(1, 3, nullptr, nullptr), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("a packed 2:4 matrix needs a number of columns "
                             "(in features) that is a multiple of 4, found"),
            std::string::npos);
  std::thread([] {
    EXPECT_EQ(lastError(), "");
    EXPECT_EQ(sf_container_open(nullptr, nullptr), SF_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(lastError().find("null"), std::string::npos);
  }).join();
  EXPECT_NE(lastError().find("a packed 2:4 matrix needs a number of columns "
                             "(in features) that is a multiple of 4, found"),
            std::string::npos);
  // Success does not touch it.
  ASSERT_EQ(sf_pack24_size(1, 4, nullptr, nullptr), SF_OK);
  EXPECT_NE(lastError().find("a packed 2:4 matrix needs a number of columns "
                             "(in features) that is a multiple of 4, found"),
            std::string::npos);
}

TEST(WeightsAbi, PackValidateUnpack) {
  Dense dense = randomSparse(65, 132, 2);
  size_t bytes = 0, metadata = 0;
  ASSERT_EQ(sf_pack24_size(65, 132, &bytes, &metadata), SF_OK);
  EXPECT_EQ(bytes, 6u * 4608);
  EXPECT_EQ(metadata, 6u * 4096);
  std::vector<uint8_t> blob(bytes);
  sf_pack_report report;
  ASSERT_EQ(sf_pack24(dense.data.data(), 65, 132, SF_DTYPE_F16, nullptr,
                      blob.data(), bytes, &report),
            SF_OK)
      << lastError();
  EXPECT_EQ(blob, referencePack(dense));
  EXPECT_EQ(report.nonzeros, report.kept_nonzeros);
  EXPECT_GT(report.energy, 0);
  EXPECT_NEAR(report.energy, report.kept_energy, 1e-12 * report.energy);
  ASSERT_EQ(sf_validate24(blob.data(), bytes, 65, 132, 1), SF_OK);
  std::vector<uint16_t> back(65 * 132);
  ASSERT_EQ(
      sf_unpack24(blob.data(), bytes, 65, 132, 1, back.data(), back.size() * 2),
      SF_OK);
  EXPECT_EQ(back, dense.data);
}

TEST(WeightsAbi, PruneFlagAndName) {
  Dense dense = randomDense(9, 20, 3);
  std::vector<uint8_t> blob(4608);
  sf_pack_options options = {sizeof(options), "layer", 0, 1};
  EXPECT_EQ(sf_pack24(dense.data.data(), 9, 20, SF_DTYPE_F16, &options,
                      blob.data(), blob.size(), nullptr),
            SF_ERROR_FORMAT);
  EXPECT_NE(lastError().find("'layer'"), std::string::npos);
  options.flags = SF_PACK_PRUNE;
  EXPECT_EQ(sf_pack24(dense.data.data(), 9, 20, SF_DTYPE_F16, &options,
                      blob.data(), blob.size(), nullptr),
            SF_OK);
  EXPECT_EQ(blob, referencePack(referencePrune(dense)));
  sf_pack_report report;
  EXPECT_EQ(
      sf_prune24(dense.data.data(), 9, 20, SF_DTYPE_F16, nullptr, &report),
      SF_OK);
  EXPECT_EQ(referencePack(dense), blob);
  EXPECT_LT(report.kept_nonzeros, report.nonzeros);
}

TEST(WeightsAbi, RefusesBadArguments) {
  uint16_t dense[8] = {};
  uint8_t blob[4608] = {};
  auto pack = [&](const void *from, int64_t n, int64_t k, void *to,
                  size_t bytes, const sf_pack_options *options) {
    return sf_pack24(from, n, k, SF_DTYPE_F16, options, to, bytes, nullptr);
  };
  EXPECT_EQ(pack(dense, 1, 4, blob, 4608, nullptr), SF_OK);
  EXPECT_EQ(pack(nullptr, 1, 4, blob, 4608, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(pack(dense, 1, 4, nullptr, 4608, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(pack(dense, 1, 4, blob, 4607, nullptr), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(pack(dense, -1, 4, blob, 4608, nullptr), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(
      pack(reinterpret_cast<char *>(dense) + 1, 1, 4, blob, 4608, nullptr),
      SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(pack(nullptr, 0, 4, nullptr, 0, nullptr), SF_OK);
  sf_pack_options options = {0, nullptr, 0, 0};
  EXPECT_EQ(pack(dense, 1, 4, blob, 4608, &options), SF_ERROR_INVALID_ARGUMENT);
  options = {sizeof(options), nullptr, 0x80, 0};
  EXPECT_EQ(pack(dense, 1, 4, blob, 4608, &options), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sf_validate24(blob, 4608, 1, 4, 1), SF_OK);
  EXPECT_EQ(sf_validate24(blob, 4608, 65, 4, 1), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sf_validate24(nullptr, 4608, 1, 4, 1), SF_ERROR_INVALID_ARGUMENT);
  blob[4096] = 0;
  EXPECT_EQ(sf_validate24(blob, 4608, 1, 4, 1), SF_ERROR_FORMAT);
  EXPECT_EQ(sf_unpack24(blob, 4608, 1, 4, 1, dense, 8), SF_ERROR_FORMAT);
  EXPECT_EQ(sf_unpack24(blob, 4608, 1, 4, 1, dense, 6),
            SF_ERROR_INVALID_ARGUMENT);
}

TEST(WeightsAbi, Convert) {
  float source[3] = {1.f, 1e6f, -2.f};
  uint16_t result[3];
  int64_t overflows = 0;
  EXPECT_EQ(sf_convert(source, SF_DTYPE_F32, result, SF_DTYPE_F16, 3, nullptr,
                       &overflows),
            SF_ERROR_FORMAT);
  EXPECT_EQ(overflows, 1);
  EXPECT_EQ(sf_convert(source, SF_DTYPE_F32, result, SF_DTYPE_BF16, 3, nullptr,
                       &overflows),
            SF_OK);
  EXPECT_EQ(result[2], 0xc000);
  EXPECT_EQ(sf_convert(nullptr, SF_DTYPE_F32, result, SF_DTYPE_F16, 3, nullptr,
                       nullptr),
            SF_ERROR_INVALID_ARGUMENT);
}

TEST(ContainerAbi, OpenFindReadClose) {
  using namespace sparseflow::rt;
  TempDir dir;
  Dense dense = randomSparse(5, 8, 1);
  std::vector<uint8_t> blob = referencePack(dense);
  SfpkSection section;
  section.name = "w";
  section.kind = SF_SECTION_PACKED24;
  section.dtype = SF_DTYPE_BF16;
  section.shape = {5, 8};
  Expected<SfpkWriter> writer = SfpkWriter::create(dir.path("f"), {section});
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->write(blob.data(), blob.size()));
  ASSERT_TRUE(writer->commit());

  sf_container *container = nullptr;
  ASSERT_EQ(sf_container_open(dir.path("f").c_str(), &container), SF_OK);
  EXPECT_EQ(sf_container_count(container), 1u);
  size_t index = 7;
  sf_section found;
  ASSERT_EQ(sf_container_find(container, "w", &index, &found), SF_OK);
  EXPECT_EQ(index, 0u);
  EXPECT_STREQ(found.name, "w");
  EXPECT_STREQ(found.layout, "sf24.v1");
  EXPECT_EQ(found.kind, SF_SECTION_PACKED24);
  EXPECT_EQ(found.dtype, SF_DTYPE_BF16);
  EXPECT_EQ(found.rank, 2);
  EXPECT_EQ(found.dims[0], 5);
  EXPECT_EQ(found.dims[1], 8);
  EXPECT_EQ(found.bytes, blob.size());
  EXPECT_EQ(sf_container_find(container, "x", nullptr, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sf_container_section(container, 1, &found),
            SF_ERROR_INVALID_ARGUMENT);

  // Threads may share the container.
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      std::vector<uint8_t> data(blob.size());
      EXPECT_EQ(sf_container_read(container, 0, 1, data.data(), data.size()),
                SF_OK);
      EXPECT_EQ(data, blob);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(sf_container_read(container, 0, 1, blob.data(), 1),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sf_container_read(container, 0, 1, nullptr, blob.size()),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sf_container_read(container, 5, 1, blob.data(), blob.size()),
            SF_ERROR_INVALID_ARGUMENT);
  sf_container_close(container);

  container = reinterpret_cast<sf_container *>(8);
  EXPECT_EQ(sf_container_open(dir.path("none").c_str(), &container),
            SF_ERROR_IO);
  EXPECT_EQ(container, nullptr);
  sf_container_close(nullptr);
  EXPECT_EQ(sf_container_count(nullptr), 0u);
}

/// The call is refused with a text that contains `part`.
static void refused(sf_status status, const char *part) {
  EXPECT_NE(status, SF_OK) << part;
  EXPECT_NE(std::string(sf_last_error()).find(part), std::string::npos)
      << part << "\n  gave: " << sf_last_error();
}

TEST(WeightsAbi, Messages) {
  // 1, 2 and 3 in one group of four.
  uint16_t dense[8] = {0x3c00, 0x4000, 0x4200, 0, 0x7c00, 0, 0, 0};
  uint8_t blob[4608] = {};
  auto pack = [&](const void *from, sf_dtype dtype, int64_t k,
                  const sf_pack_options *options = nullptr) {
    return sf_pack24(from, 1, k, dtype, options, blob, sizeof(blob), nullptr);
  };
  refused(pack(nullptr, SF_DTYPE_F16, 4), "dense is null");
  refused(pack(reinterpret_cast<char *>(dense) + 1, SF_DTYPE_F16, 4),
          "dense: expected an address that is a multiple of 2, the element "
          "size");
  refused(pack(dense, SF_DTYPE_F32, 4),
          "2:4 matrices hold F16 or BF16, found F32; convert first");
  refused(pack(dense, SF_DTYPE_F16, 4),
          ": expected at most 2 non-zeros in the 4 columns from here (2:4), "
          "found 3; prune the matrix first or let the packer prune");
  refused(pack(dense + 4, SF_DTYPE_F16, 4),
          "expected a finite weight, found infinity; repair the source or "
          "allow non-finite values explicitly");
  sf_pack_options options = {1, nullptr, 0, 0};
  refused(pack(dense, SF_DTYPE_F16, 4, &options),
          "sf_pack_options.struct_size: expected sizeof(sf_pack_options) = ");
  options = {sizeof(options), nullptr, 0x80, 0};
  refused(pack(dense, SF_DTYPE_F16, 4, &options),
          "sf_pack_options.flags: unknown bits in 128");

  auto convert = [&](const void *source, int64_t count) {
    return sf_convert(source, SF_DTYPE_F32, dense, SF_DTYPE_F16, count, nullptr,
                      nullptr);
  };
  float source[] = {1e6f}, infinite[] = {HUGE_VALF};
  refused(convert(nullptr, 1), "source or result is null");
  refused(convert(source, -1), "expected an element count >= 0, found -1");
  refused(convert(source, 1), "; use BF16 or scale the tensor");
  refused(convert(infinite, 1),
          "element 0: expected a finite value, found infinity; repair the "
          "source or allow non-finite values explicitly");
}

TEST(ContainerAbi, Messages) {
  using namespace sparseflow::rt;
  TempDir dir;
  SfpkSection section;
  section.name = "b";
  section.dtype = SF_DTYPE_U8;
  section.shape = {4};
  Expected<SfpkWriter> writer = SfpkWriter::create(dir.path("f"), {section});
  ASSERT_TRUE(writer.ok());
  EXPECT_EQ(writer->commit().text(), "1 sections have not been written");
  ASSERT_TRUE(writer->write("data", 4));
  EXPECT_EQ(writer->write("data", 4).text(),
            "all sections have been written already");
  ASSERT_TRUE(writer->commit());

  sf_container *container = nullptr;
  sf_section found;
  refused(sf_container_open(nullptr, &container), "path or container is null");
  ASSERT_EQ(sf_container_open(dir.path("f").c_str(), &container), SF_OK);
  refused(sf_container_section(nullptr, 0, &found), "container is null");
  refused(sf_container_section(container, 0, nullptr), "section is null");
  refused(sf_container_section(container, 1, &found),
          "expected a section index below 1, found 1");
  refused(sf_container_find(container, nullptr, nullptr, nullptr),
          "container or name is null");
  refused(sf_container_find(container, "x", nullptr, nullptr),
          "' has no tensor 'x'");
  refused(sf_container_read(container, 0, 1, nullptr, 4), "buffer is null");
  sf_container_close(container);
}

/// A section of a writer's table.
static sf_section sectionOf(const char *name, sf_section_kind kind,
                            sf_dtype dtype, std::vector<int64_t> dims,
                            const char *layout = nullptr) {
  sf_section section = {};
  section.name = name;
  section.layout = layout;
  section.kind = kind;
  section.dtype = dtype;
  section.rank = dims.size();
  std::copy(dims.begin(), dims.end(), section.dims);
  return section;
}

TEST(ContainerAbi, WhatIsWrittenIsRead) {
  TempDir dir;
  std::string path = dir.path("f");
  sf_ternary_format format = {sizeof(format), 3, 7, SF_TERNARY_CODES, 1, 1,
                              SF_DTYPE_F32};
  const int8_t trits[21] = {1, 0, -1, 1, 1, 0, 0, -1, -1, 0, 1,
                            0, 0, 1,  1, 1, 1, 0, 0,  0,  -1};
  const float scales[3] = {0.5f, 2, 3};
  size_t bytes = 0;
  ASSERT_EQ(sf_ternary_size(&format, &bytes, nullptr, nullptr), SF_OK);
  std::vector<uint8_t> blob(bytes);
  ASSERT_EQ(sf_ternary_pack(trits, scales, &format, "t", 1, blob.data(), bytes),
            SF_OK);
  const float dense[4] = {1, 2, -0.0f, 4};
  const sf_section sections[] = {
      sectionOf("note", SF_SECTION_TEXT, SF_DTYPE_U8, {2}),
      sectionOf("t", SF_SECTION_TERNARY, SF_DTYPE_F16,
                {3, 7, 1, 1, SF_DTYPE_F32}, "tern.v1"),
      sectionOf("d", SF_SECTION_DENSE, SF_DTYPE_F32, {2, 2})};
  sf_container_writer *writer = nullptr;
  ASSERT_EQ(sf_container_create(path.c_str(), sections, 3, &writer), SF_OK);
  ASSERT_EQ(sf_container_write(writer, "hi", 2), SF_OK);
  refused(sf_container_write(writer, blob.data(), bytes + 1),
          "section 't' has ");
  refused(sf_container_write(writer, nullptr, bytes), "data is null");
  ASSERT_EQ(sf_container_write(writer, blob.data(), bytes), SF_OK);
  refused(sf_container_commit(writer), "1 sections have not been written");
  ASSERT_EQ(sf_container_write(writer, dense, sizeof(dense)), SF_OK);
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_EQ(sf_container_commit(writer), SF_OK);
  refused(sf_container_commit(writer), "the container was committed already");
  refused(sf_container_write(writer, "", 0), "committed already");
  sf_container_writer_close(writer);

  sf_container *container = nullptr;
  ASSERT_EQ(sf_container_open(path.c_str(), &container), SF_OK);
  size_t index = 0;
  sf_section found;
  ASSERT_EQ(sf_container_find(container, "t", &index, &found), SF_OK);
  EXPECT_STREQ(found.layout, "tern.v1");
  std::vector<uint8_t> read(bytes);
  ASSERT_EQ(sf_container_read(container, index, 1, read.data(), bytes), SF_OK);
  EXPECT_EQ(read, blob);
  float values[4];
  ASSERT_EQ(sf_container_find(container, "d", &index, &found), SF_OK);
  ASSERT_EQ(sf_container_read(container, index, 1, values, sizeof(values)),
            SF_OK);
  EXPECT_EQ(std::memcmp(values, dense, sizeof(dense)), 0);
  sf_container_close(container);
}

TEST(ContainerAbi, AWriterThatIsClosedLeavesNothing) {
  TempDir dir;
  sf_section section = sectionOf("b", SF_SECTION_DENSE, SF_DTYPE_U8, {4});
  sf_container_writer *writer = nullptr;
  ASSERT_EQ(sf_container_create(dir.path("f").c_str(), &section, 1, &writer),
            SF_OK);
  ASSERT_EQ(sf_container_write(writer, "data", 4), SF_OK);
  sf_container_writer_close(writer);
  sf_container_writer_close(nullptr);
  EXPECT_TRUE(std::filesystem::is_empty(
      std::filesystem::path(dir.path("f")).parent_path()));
}

TEST(ContainerAbi, WhatNoWriterTakes) {
  TempDir dir;
  std::string path = dir.path("f");
  sf_container_writer *writer = reinterpret_cast<sf_container_writer *>(8);
  auto create = [&](sf_section section) {
    return sf_container_create(path.c_str(), &section, 1, &writer);
  };
  sf_section section = sectionOf("b", SF_SECTION_DENSE, SF_DTYPE_U8, {4});
  refused(sf_container_create(nullptr, &section, 1, &writer),
          "path, sections or writer is null");
  refused(sf_container_create(path.c_str(), nullptr, 1, &writer), "is null");
  refused(create(sectionOf(nullptr, SF_SECTION_DENSE, SF_DTYPE_U8, {4})),
          "a section's name is null");
  EXPECT_EQ(writer, nullptr);
  section.rank = 9;
  refused(create(section),
          "section 'b': expected a rank of at most 8, found 9");
  refused(create(sectionOf("t", SF_SECTION_TERNARY, SF_DTYPE_F16,
                           {3, 7, 1, 1, SF_DTYPE_F32})),
          "section 't'");
  refused(create(sectionOf("t", SF_SECTION_TERNARY, SF_DTYPE_F16,
                           {3, 7, 1, 5, SF_DTYPE_F32}, "tern.v1")),
          "section 't'");
  refused(create(sectionOf("", SF_SECTION_DENSE, SF_DTYPE_U8, {4})),
          "a name has to be UTF-8");
  section.rank = 1;
  refused(sf_container_create(dir.path("none/f").c_str(), &section, 1, &writer),
          "none/f");
  refused(sf_container_write(nullptr, "data", 4), "writer is null");
  refused(sf_container_commit(nullptr), "writer is null");
}
