//===- FieldPagesTest.cpp - Tables of docs/formats/schedules.md -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of fields are made from the fields' descriptions. With
// SPARSEFLOW_WRITE_PAGES set the page is written, otherwise compared.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Schedule/ScheduleTable.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

namespace {

std::string defaultOf(const Extent &) { return "required"; }
std::string defaultOf(bool value) { return value ? "true" : "false"; }
std::string defaultOf(int64_t value) {
  return value == INT64_MAX ? "no limit" : std::to_string(value);
}

template <typename T>
std::string valueOf(const ScheduleField<T> &field) {
  if (std::holds_alternative<Extent T::*>(field.member))
    return "[features, tokens]";
  if (std::holds_alternative<bool T::*>(field.member))
    return "`true` or `false`";
  return describeRange(field);
}

template <typename T>
std::string tableOf() {
  std::string text =
      "| Field | Value | Default | Meaning |\n|---|---|---|---|\n";
  T usual{};
  forEachField(usual, [&](const auto &field, const auto &value) {
    text += "| `" + field.name.str() + "` | " + valueOf(field) + " | " +
            (field.required ? "required" : defaultOf(value)) + " | " +
            field.meaning.str() + " |\n";
  });
  return text;
}

/// `page` with `table` between the marks of `name`.
std::string withTable(StringRef page, StringRef name,
                      const std::string &table) {
  std::string first = ("<!-- fields: " + name + " -->\n").str();
  std::string last = "<!-- end -->";
  size_t begin = page.find(first);
  size_t end = begin == StringRef::npos ? begin : page.find(last, begin);
  EXPECT_NE(end, StringRef::npos) << "no table of " << name.str();
  if (end == StringRef::npos)
    return page.str();
  return (page.take_front(begin + first.size()) + table + page.drop_front(end))
      .str();
}

TEST(FieldPages, Schedules) {
  const char *path = SPARSEFLOW_SOURCE_DIR "/docs/formats/schedules.md";
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  ASSERT_TRUE(bool(buffer)) << path;
  std::string page = (*buffer)->getBuffer().str();
  std::string made = page;
  for (auto [name, table] :
       {std::pair("matmul tile", tableOf<MatmulTileFields>()),
        std::pair("matmul limits", tableOf<MatmulLimits>()),
        std::pair("split_k", tableOf<SplitRule>()),
        std::pair("multistage", tableOf<MultistageFields>()),
        std::pair("warp_specialized", tableOf<WarpSpecializedFields>()),
        std::pair("streamed", tableOf<StreamedFields>()),
        std::pair("attention tile", tableOf<AttentionTileFields>()),
        std::pair("attention limits", tableOf<AttentionLimits>()),
        std::pair("attention multistage", tableOf<MultistageAttentionFields>()),
        std::pair("attention warp_specialized",
                  tableOf<WarpSpecializedAttentionFields>()),
        std::pair("attention int8", tableOf<Int8AttentionFields>()),
        std::pair("cases", tableOf<CaseCondition>())})
    made = withTable(made, name, table);
  if (std::getenv("SPARSEFLOW_WRITE_PAGES")) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << made;
    ASSERT_FALSE(bool(error)) << error.message();
    return;
  }
  EXPECT_TRUE(page == made)
      << "docs/formats/schedules.md is not what the fields say; run "
         "SPARSEFLOW_WRITE_PAGES=1 sparseflow-schedule-tests and commit what "
         "changed";
}

} // namespace
