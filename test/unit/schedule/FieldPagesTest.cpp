//===- FieldPagesTest.cpp - Tables of documents that data say -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of fields are made from the fields' descriptions, that of the cost
// model's quality and of what it predicts for other boards from the built-in
// calibrations. With
// SPARSEFLOW_WRITE_PAGES set the page is written, otherwise compared.
//
//===----------------------------------------------------------------------===//

#include "ScheduleTestSupport.h"
#include "SparseFlow/Schedule/Choice.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
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

/// Compares or writes the page of a path below docs, with a table for each
/// name.
void checkPage(const std::string &file,
               const std::vector<std::pair<StringRef, std::string>> &tables) {
  std::string path = SPARSEFLOW_SOURCE_DIR "/docs/" + file;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  ASSERT_TRUE(bool(buffer)) << path;
  std::string page = (*buffer)->getBuffer().str();
  std::string made = page;
  for (const auto &[name, table] : tables)
    made = withTable(made, name, table);
  if (std::getenv("SPARSEFLOW_WRITE_PAGES")) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << made;
    ASSERT_FALSE(bool(error)) << error.message();
    return;
  }
  EXPECT_TRUE(page == made)
      << "docs/" << file
      << " is not what fields and data say; run "
         "SPARSEFLOW_WRITE_PAGES=1 sparseflow-schedule-tests and commit what "
         "changed";
}

TEST(FieldPages, Schedules) {
  checkPage("formats/schedules.md",
            {{"matmul tile", tableOf<MatmulTileFields>()},
             {"matmul limits", tableOf<MatmulLimits>()},
             {"split_k", tableOf<SplitRule>()},
             {"multistage", tableOf<MultistageFields>()},
             {"warp_specialized", tableOf<WarpSpecializedFields>()},
             {"streamed", tableOf<StreamedFields>()},
             {"attention tile", tableOf<AttentionTileFields>()},
             {"attention limits", tableOf<AttentionLimits>()},
             {"attention multistage", tableOf<MultistageAttentionFields>()},
             {"attention warp_specialized",
              tableOf<WarpSpecializedAttentionFields>()},
             {"attention int8", tableOf<Int8AttentionFields>()},
             {"cases", tableOf<CaseCondition>()}});
}

TEST(FieldPages, Calibration) {
  std::string table = "| Constant | Range | Meaning |\n|---|---|---|\n";
  for (const ModelConstants::Field &field : ModelConstants::fields())
    table += llvm::formatv("| `{0}` | {1} to {2} | {3} |\n", field.name,
                           field.least, field.most, field.meaning);
  checkPage("formats/calibration.md", {{"constants", table}});
}

/// How well models predict that were fitted to times of the calibration's GPU.
std::string qualityOf(const Calibration &calibration) {
  std::string table =
      "| weights | pipeline | times | rank correlation | median regret | 95th "
      "percentile | predicted by measured, 5th to 95th percentile |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const CalibratedModel &model : calibration.models) {
    if (!model.gpu.empty())
      continue;
    const CalibrationQuality &quality = model.quality;
    table += llvm::formatv(
        "| {0} | {1} | {2} | {3:f3} | {4:f3} | {5:f3} | {6:f2} to {7:f2} |\n",
        llvm::join(model.weights, ", "), model.pipeline, quality.points,
        quality.rankCorrelation, quality.medianRegret, quality.p95Regret,
        quality.p5Ratio, quality.p95Ratio);
  }
  return table;
}

TEST(FieldPages, QualityOfCalibrations) {
  checkPage(
      "Rationale/CostModel.md",
      {{"quality", qualityOf(Calibration::builtin())},
       {"quality h100", qualityOf(llvm::cantFail(Calibration::load("h100")))}});
}

/// Microseconds and effective TFLOP/s of 2:4 matmuls with the kernels that they
/// get.
std::string predictedOn(ArrayRef<TargetPeaks> boards) {
  MLIRContext context;
  context.loadDialect<SFTileDialect>();
  std::string head = "| N x K | tokens |", line = "|---|---|", table;
  for (const TargetPeaks &board : boards) {
    head += (" " + board.board + " |").str();
    line += "---|";
  }
  for (auto [n, k] :
       {std::pair<int64_t, int64_t>{4096, 4096}, {14336, 4096}, {4096, 14336}})
    for (int64_t tokens : {1, 16, 128, 1024, 4096}) {
      table += llvm::formatv("| {0} x {1} | {2} |", n, k, tokens);
      for (const TargetPeaks &board : boards) {
        const TargetInfo &target = *llvm::cantFail(parseTarget(board.target));
        const Calibration &calibration = Calibration::builtin();
        ScheduleQuery query = test::matmulQuery("2:4", n, k);
        query.target = target.name;
        query.tokens = tokens;
        auto rows = ScheduleTable::builtin().select(
            &context, query,
            [&] { return emitError(UnknownLoc::get(&context)); },
            [](StringRef, StringRef) {});
        ScheduleQuery any = query;
        any.tokens.reset();
        sftile::ScheduleAttr kernel = rows.front();
        ScheduleChoice choice =
            chooseSchedules(&context, ScheduleTable::builtin(), any,
                            calibration, target, {}, board.board);
        for (const ChosenSchedule &one : llvm::reverse(choice.schedules))
          if (tokens >= choice.minTokens &&
              (!one.maxTokens || one.maxTokens >= tokens))
            kernel = one.schedule;
        double us = predictedTimes(kernel, query, calibration,
                                   calibration.machineOf(target, board))
                        .front();
        table +=
            llvm::formatv(" {0:f1} us, {1:f0} |", us,
                          2e-6 * double(n) * double(k) * double(tokens) / us);
      }
      table += "\n";
    }
  return head + "\n" + line + "\n" + table;
}

TEST(FieldPages, PredictedOnOtherBoards) {
  std::vector<TargetPeaks> boards = {*findPeaks("sm_80")};
  for (const TargetPeaks &board : otherBoards())
    boards.push_back(board);
  checkPage("Rationale/CostModel.md", {{"predicted", predictedOn(boards)}});
}

} // namespace
