//===- ScheduleTableTest.cpp - Reading and choosing ---------------*- C++
//-*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Schedule/ScheduleTable.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Object;

namespace {

/// A table of `rows`, JSON objects separated by commas.
std::string table(const std::string &rows) {
  return R"({"format": "sparseflow-schedules", "version": 1, "rows": [)" +
         rows + "]}";
}

/// A matmul row that is valid but for what `more` adds or `without` leaves out.
std::string matmul(const std::string &name, const std::string &more = "",
                   const std::string &without = "") {
  std::string row = "{\"name\": \"" + name + "\"";
  for (auto [field, value] :
       std::initializer_list<std::pair<const char *, const char *>>{
           {"op", "\"matmul\""},
           {"weights", "\"2:4\""},
           {"targets", "[\"sm_80\"]"},
           {"block", "[128, 64]"},
           {"warp", "[64, 32]"},
           {"group", "8"},
           {"split_k", "1"},
           {"pipeline", R"({"kind": "multistage", "k": 64, "stages": 4})"}}) {
    bool given =
        more.find("\"" + std::string(field) + "\"") != std::string::npos;
    if (!given && without != field)
      row += ", \"" + std::string(field) + "\": " + value;
  }
  return row + (more.empty() ? "" : ", " + more) + "}";
}

// Rows of before there were pipelines mean what they meant, with a warning.
TEST(FlatRows, Matmul) {
  auto pipelineOf = [](const std::string &more) -> std::string {
    auto row = llvm::json::parse(matmul("r", more, "pipeline"));
    EXPECT_TRUE(bool(row));
    std::optional<llvm::json::Object> renewed =
        withPipeline(*row->getAsObject());
    EXPECT_TRUE(renewed.has_value());
    auto parsed = ScheduleRow::parse(*renewed, "row");
    EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    return llvm::formatv(
        "{0}", llvm::json::Value(Object(*renewed->getObject("pipeline"))));
  };
  EXPECT_EQ(pipelineOf(R"("k": 64, "stages": 4, "producer_warps": 0)"),
            R"({"k":64,"kind":"multistage","stages":4})");
  EXPECT_EQ(
      pipelineOf(R"("k": 64, "stages": 4, "block": [192, 64],
                    "warp": [16, 64], "warpgroup": true, "producer_warps": 4,
                    "grid": 132, "store_tokens": 32)"),
      R"({"grid":132,"k":64,"kind":"warp_specialized","producer_registers":32,)"
      R"("producer_warps":4,"stages":4,"store_tokens":32})");
  EXPECT_EQ(
      pipelineOf(R"("k": 128, "stages": 4, "depth_warps": 8,
                          "held": true)"),
      R"({"holds_activations":true,"k":128,"k_warps":8,"kind":"streamed",)"
      R"("stages":4})");
}

TEST(FlatRows, Warning) {
  auto warning = [](const std::string &row) {
    auto parsed = ScheduleTable::parse(table(row), "file.json");
    EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    return parsed ? parsed->warning().str() : "";
  };
  EXPECT_EQ(warning(matmul("new")), "");
  EXPECT_EQ(
      warning(matmul("new") + "," +
              matmul("old", R"("k": 64, "stages": 4)", "pipeline")),
      "file.json: row 1 (old): rows without \"pipeline\" are read by this "
      "version for the last time; write them as docs/formats/schedules.md "
      "says");
}

// By itself a row is as this version writes it.
TEST(FlatRows, ByThemselves) {
  auto row = llvm::json::parse(matmul("r", R"("k": 64)", "pipeline"));
  ASSERT_TRUE(bool(row));
  auto parsed = ScheduleRow::parse(*row->getAsObject(), "row");
  ASSERT_FALSE(bool(parsed));
  EXPECT_EQ(llvm::toString(parsed.takeError()),
            "row (r): expected \"pipeline\" to be an object with a \"kind\"");
}

// What passes used to change stands in cases.
TEST(FlatRows, Cases) {
  auto casesOf = [](const std::string &more) -> std::string {
    auto row = llvm::json::parse(
        matmul("r", more + R"(, "k": 128, "stages": 4)", "pipeline"));
    EXPECT_TRUE(bool(row));
    std::optional<llvm::json::Object> renewed =
        withPipeline(*row->getAsObject());
    std::string text;
    if (const llvm::json::Array *cases = renewed->getArray("cases"))
      for (const llvm::json::Value &one : *cases)
        text += llvm::formatv("{0} {1};", *one.getAsObject()->get("if"),
                              *one.getAsObject()->get("set"));
    return text;
  };
  EXPECT_EQ(casesOf(R"("weights": "dense")"), "");
  EXPECT_EQ(casesOf(R"("weights": "ternary_groups", "block": [128, 128],
                       "warp": [32, 64])"),
            R"({"min_planes":2} {"block":[128,64],"warp":[32,32]};)");
  EXPECT_EQ(
      casesOf(R"("weights": "ternary24_groups", "block": [64, 8],
                       "warp": [64, 8], "depth_warps": 16)"),
      R"({"min_scales":5,"zeros":true} {"pipeline":{"k_warps":8,"stages":3}};)"
      R"({"min_scales":5} {"pipeline":{"k_warps":8,"stages":4}};)"
      R"({"zeros":true} {"pipeline":{"stages":3}};)");
}

std::string errorOf(const std::string &text) {
  llvm::Expected<ScheduleTable> parsed =
      ScheduleTable::parse(text, "file.json");
  if (parsed)
    return "no error";
  return llvm::toString(parsed.takeError());
}

TEST(ScheduleTable, ErrorsOfTheFile) {
  EXPECT_NE(errorOf("{").find("file.json: not JSON: "), std::string::npos);
  std::string format = "file.json: expected an object with \"format\": "
                       "\"sparseflow-schedules\"";
  EXPECT_EQ(errorOf("[]"), format);
  EXPECT_EQ(errorOf(R"({"format": "other", "version": 1, "rows": []})"),
            format);
  EXPECT_EQ(errorOf(R"({"format": "sparseflow-schedules", "version": 2})"),
            "file.json: expected \"version\": 1, the only one this compiler "
            "reads");
  EXPECT_EQ(errorOf(R"({"format": "sparseflow-schedules", "version": 1})"),
            "file.json: expected \"rows\", a list");
  EXPECT_EQ(errorOf(R"({"format": "sparseflow-schedules", "version": 1,
                        "rows": [], "families": 1})"),
            "file.json: expected \"families\" to be a list");
  EXPECT_EQ(errorOf(table("1")), "file.json: row 0: expected an object");
  EXPECT_EQ(errorOf(table("")), "no error");
}

// Every field: missing, and of a wrong kind.
TEST(ScheduleTable, ErrorsOfRows) {
  struct Case {
    const char *more, *without, *message;
  };
  for (const Case &test : std::initializer_list<Case>{
           {"", "op", "expected \"op\" to be a string"},
           {"\"op\": \"conv\"", "",
            "expected \"op\" to be \"matmul\", \"attention\", "
            "\"product\", \"elementwise\" or \"reduce\""},
           {"", "weights", "expected \"weights\" to be a string"},
           {"\"weights\": \"1:4\"", "",
            "expected \"weights\" to be one of \"2:4\", \"dense\", "
            "\"ternary\", "
            "\"ternary_i8\", \"ternary_groups\", \"ternary_groups_i8\", "
            "\"ternary24\", \"ternary24_i8\", \"ternary24_groups\""},
           {"", "targets", "expected \"targets\" to be a list of target names"},
           {"\"targets\": []", "",
            "expected \"targets\" to be a list of target names"},
           {"\"targets\": [\"sm_80\", 90]", "",
            "expected \"targets\" to be a list of target names"},
           {"\"max_tokens\": -1", "",
            "expected \"max_tokens\" to be an integer of at least 0"},
           {"\"max_tokens\": \"16\"", "",
            "expected \"max_tokens\" to be an integer of at least 0"},
           {"", "block",
            "expected \"block\" to be [features, tokens], two positive "
            "integers"},
           {"\"block\": [128]", "",
            "expected \"block\" to be [features, tokens], two positive "
            "integers"},
           {"\"block\": [128, 64, \"x\"]", "",
            "expected \"block\" to be [features, tokens], two positive "
            "integers"},
           {"\"warp\": [64, 0]", "",
            "expected \"warp\" to be [features, tokens], two positive "
            "integers"},
           {"\"unaligned\": 1", "",
            "expected \"unaligned\" to be true or false"},
           {"\"min_n\": -4", "",
            "expected \"min_n\" to be an integer of at least 0"},
           {"\"max_n\": 0.5", "",
            "expected \"max_n\" to be an integer of at least 0"},
           {"\"min_k\": []", "",
            "expected \"min_k\" to be an integer of at least 0"},
           {"\"max_k\": null", "",
            "expected \"max_k\" to be an integer of at least 0"},
           {"\"pipeline\": 1", "", "expected \"pipeline\" to be an object"},
           {"\"pipeline\": {}", "",
            "pipeline: expected \"kind\" to be a string"},
           {"\"pipeline\": {\"kind\": \"int8\"}", "",
            "pipeline: expected \"kind\" to be \"multistage\", "
            "\"warp_specialized\" or \"streamed\""},
           {"\"pipeline\": {\"kind\": \"multistage\", \"stages\": 3}", "",
            "pipeline: expected \"k\" to be a multiple of 64 of at least 64"},
           {"\"pipeline\": {\"kind\": \"multistage\", \"k\": 96}", "",
            "pipeline: expected \"k\" to be a multiple of 64 of at least 64"},
           {"\"pipeline\": {\"kind\": \"multistage\", \"k\": 64, "
            "\"stages\": 1}",
            "", "pipeline: expected \"stages\" to be an integer from 2 to 16"},
           {"\"pipeline\": {\"kind\": \"multistage\", \"k\": 64, "
            "\"stages\": 3, \"cluster\": 2}",
            "",
            "pipeline: unknown field \"cluster\"; expected one of kind, k, "
            "stages, k_warps, warpgroup, holds_activations"},
           {"\"cases\": {}", "", "expected \"cases\" to be a list"},
           {"\"cases\": [1]", "", "expected \"cases\" to be a list of objects"},
           {"\"cases\": [{\"if\": {}, \"set\": {}}]", "",
            "case 0: expected \"because\" to be a string"},
           {"\"cases\": [{\"if\": {\"zero\": true}, \"set\": {}, "
            "\"because\": \"\"}]",
            "",
            "case 0: if: unknown field \"zero\"; expected one of zeros, "
            "min_planes, min_scales, ternary_keys, ternary_values, "
            "min_cache_bits, min_heads, lengths, "
            "varlen, key_groups, min_dv, max_page"},
           {"\"cases\": [{\"if\": {}, \"set\": {\"min_n\": 4}, "
            "\"because\": \"\"}]",
            "",
            "case 0: set: unknown field \"min_n\"; expected one of pipeline, "
            "block, warp, group"},
           {"\"pipeline\": {\"kind\": \"multistage\", \"k\": 64, "
            "\"stages\": 3}, \"cases\": [{\"if\": {}, \"set\": "
            "{\"pipeline\": {\"stages\": 17}}, \"because\": \"\"}]",
            "",
            "case 0: pipeline: expected \"stages\" to be an integer from 2 to "
            "16"},
           {"\"group\": 0", "",
            "expected \"group\" to be an integer of at least 1"},
           {"\"split_k\": 0", "",
            "expected \"split_k\" to be an integer of at least 1"},
           {"\"split_k\": {\"blocks\": 0, \"min_k\": 64}", "",
            "split_k: expected \"blocks\" to be an integer of at least 1"},
           {"\"split_k\": {\"blocks\": 1}", "",
            "split_k: expected \"min_k\" to be an integer of at least 1"},
       }) {
    std::string message = errorOf(
        table(matmul("good") + "," + matmul("bad", test.more, test.without)));
    EXPECT_EQ(message, std::string("file.json: row 1 (bad): ") + test.message);
  }
  EXPECT_EQ(errorOf(table("{\"op\": \"matmul\"}")),
            "file.json: row 0: expected \"name\" to be a string");
}

// A misspelt limit would otherwise be no limit.
TEST(ScheduleTable, UnknownFields) {
  std::string message = errorOf(table(matmul("bad", "\"max_token\": 16")));
  EXPECT_EQ(message.find("file.json: row 0 (bad): unknown field \"max_token\"; "
                         "expected one of name, op, targets, weights, "),
            0u)
      << message;
  message = errorOf(table(
      R"({"name": "e", "op": "elementwise", "targets": ["sm_80"], "block": [128, 16], "warp": [64, 8], "split_k": 1})"));
  EXPECT_EQ(message,
            "file.json: row 0 (e): unknown field \"split_k\"; expected one of "
            "name, op, targets, block, warp, max_tokens");
  message = errorOf(table(matmul(
      "bad", "\"split_k\": {\"blocks\": 1, \"min_k\": 64, \"most\": 2}")));
  EXPECT_EQ(message, "file.json: row 0 (bad): split_k: unknown field \"most\"; "
                     "expected one of blocks, min_k");
}

TEST(ScheduleTable, MissingFile) {
  llvm::Expected<ScheduleTable> loaded =
      ScheduleTable::load("/no/such/schedules.json");
  ASSERT_FALSE(bool(loaded));
  EXPECT_EQ(
      llvm::toString(loaded.takeError())
          .find("the schedule file: cannot open '/no/such/schedules.json': "),
      0u);
}

class Select : public ::testing::Test {
protected:
  Select() {
    context.loadDialect<sftile::SFTileDialect>();
    query.op = "matmul";
    query.weights = "2:4";
    query.target = "sm_80";
    query.n = 1024;
    query.k = 4096;
  }

  /// Names of what is chosen from a table of `rows`.
  std::string choose(const std::string &rows) {
    llvm::Expected<ScheduleTable> parsed =
        ScheduleTable::parse(table(rows), "file.json");
    if (!parsed)
      return llvm::toString(parsed.takeError());
    found = parsed->select(
        &context, query, [&] { return emitError(UnknownLoc::get(&context)); });
    std::string names;
    for (sftile::ScheduleAttr schedule : found)
      names += (names.empty() ? "" : " ") + schedule.getName().str();
    return names;
  }

  int64_t splitOf(const std::string &split, const std::string &more = "") {
    choose(matmul("s", "\"split_k\": " + split + more));
    return found.size() == 1 ? found[0].getSplitK() : -1;
  }

  MLIRContext context;
  ScheduleQuery query;
  SmallVector<sftile::ScheduleAttr> found;
};

// Classes by their limit, smallest first and no limit last; of one class the
// first in the file.
TEST_F(Select, ClassesInOrder) {
  std::string rows =
      matmul("any1") + "," + matmul("m64", "\"max_tokens\": 64") + "," +
      matmul("any2") + "," + matmul("m16", "\"max_tokens\": 16") + "," +
      matmul("m64b", "\"max_tokens\": 64");
  EXPECT_EQ(choose(rows), "m16 m64 any1");
  EXPECT_EQ(found[0].getMaxTokens(), 16);
  EXPECT_EQ(found[2].getMaxTokens(), 0);
  // A known number of tokens meets one class.
  query.tokens = 1;
  EXPECT_EQ(choose(rows), "m16");
  query.tokens = 16;
  EXPECT_EQ(choose(rows), "m16");
  query.tokens = 17;
  EXPECT_EQ(choose(rows), "m64");
  query.tokens = 65;
  EXPECT_EQ(choose(rows), "any1");
}

// Classes of a streamed kernel that goes through tiles of tokens are one.
TEST_F(Select, ClassesOfOneKernel) {
  query.weights = "ternary_i8";
  query.integer = true;
  auto streamed = [](const std::string &name, int64_t tokens, int64_t stages) {
    return matmul(name,
                  R"("weights": "ternary_i8", "block": [32, 8],
                     "warp": [32, 8], "max_tokens": )" +
                      std::to_string(tokens) +
                      R"(, "pipeline": {"kind": "streamed", "k": 128,
                     "k_warps": 8, "holds_activations": true, "stages": )" +
                      std::to_string(stages) + "}");
  };
  std::string rows = streamed("s64", 64, 2) + "," + streamed("s32", 32, 2) +
                     "," + streamed("s16", 16, 2);
  EXPECT_EQ(choose(rows), "s64");
  EXPECT_EQ(found[0].getMaxTokens(), 64);
  // One tile alone is another kernel, and so are other sizes.
  EXPECT_EQ(choose(rows + "," + streamed("s8", 8, 2)), "s8 s64");
  EXPECT_EQ(choose(rows + "," + streamed("s48", 48, 3)), "s32 s48 s64");
  // A known number of tokens has its class.
  query.tokens = 12;
  EXPECT_EQ(choose(rows), "s16");
}

TEST_F(Select, OnlyWhatFits) {
  EXPECT_EQ(choose(matmul("a", "\"weights\": \"dense\"") + "," +
                   matmul("b", "\"targets\": [\"sm_90\"]") + "," +
                   matmul("c", "\"min_n\": 1025") + "," +
                   matmul("d", "\"max_n\": 1023") + "," +
                   matmul("e", "\"min_k\": 4097") + "," +
                   matmul("f", "\"max_k\": 4095")),
            "");
  EXPECT_EQ(choose(matmul("bounds", "\"min_n\": 1024, \"max_n\": 1024, "
                                    "\"min_k\": 4096, \"max_k\": 4096")),
            "bounds");
  query.target = "sm_90";
  EXPECT_EQ(choose(matmul("two", "\"targets\": [\"sm_80\", \"sm_90\"]")),
            "two");
}

// Rows for any alignment serve what needs it, beside those for few tokens,
// which have registers to spare; others never see them.
TEST_F(Select, Unaligned) {
  std::string rows = matmul("wide") + "," +
                     matmul("any", "\"unaligned\": true") + "," +
                     matmul("few", "\"max_tokens\": 16");
  EXPECT_EQ(choose(rows), "few wide");
  query.unaligned = true;
  EXPECT_EQ(choose(rows), "few any");
  // Bulk copies know no narrow accesses.
  rows += "," + matmul("bulk", "\"max_tokens\": 8, \"block\": [64, 64], "
                               "\"warp\": [16, 64], \"pipeline\": {\"kind\": "
                               "\"warp_specialized\", \"k\": 64, "
                               "\"stages\": 4}");
  EXPECT_EQ(choose(rows), "few any");
  query.unaligned = false;
  EXPECT_EQ(choose(rows), "bulk few wide");
}

TEST_F(Select, Operands) {
  std::string rows =
      matmul("none", "\"max_operands\": 0") + "," + matmul("any");
  EXPECT_EQ(choose(rows), "none");
  query.operands = 1;
  EXPECT_EQ(choose(rows), "any");
  rows = matmul("small", "\"max_full_operands\": 0") + "," + matmul("any");
  EXPECT_EQ(choose(rows), "small");
  query.fullOperands = 1;
  EXPECT_EQ(choose(rows), "any");
  rows = matmul("short", "\"max_result_bits\": 16") + "," + matmul("any");
  EXPECT_EQ(choose(rows), "short");
  query.resultBits = 32;
  EXPECT_EQ(choose(rows), "any");
  rows = matmul("filled", "\"filled_n\": 128") + "," + matmul("any");
  for (auto [n, row] : {std::pair(64, "any"),
                        {65, "filled"},
                        {128, "filled"},
                        {192, "any"},
                        {193, "filled"},
                        {256, "filled"}}) {
    query.n = n;
    EXPECT_EQ(choose(rows), row) << n;
  }
  rows = matmul("alone", "\"sole_reader\": true") + "," + matmul("any");
  EXPECT_EQ(choose(rows), "any");
  query.holdable = true;
  EXPECT_EQ(choose(rows), "alone");
}

TEST_F(Select, Elementwise) {
  query.op = "elementwise";
  std::string rows =
      matmul("m") +
      R"(, {"name": "e", "op": "elementwise", "targets": ["sm_80"], "block": [128, 16], "warp": [64, 8]})";
  EXPECT_EQ(choose(rows), "e");
  EXPECT_EQ(found[0].getSplitK(), 1);
  EXPECT_EQ(found[0].getNumWarps(), 4);
  query.op = "matmul";
  EXPECT_EQ(choose(rows), "m");
}

TEST_F(Select, Split) {
  EXPECT_EQ(splitOf("3"), 3);
  std::string split = "{\"blocks\": 216, \"min_k\": 256}";
  // 1024 features are 8 tiles of 128; without a limit one tile of tokens
  // counts: 216 / 8 = 27 blocks, but 4096 / 256 = 16 parts are the most.
  EXPECT_EQ(splitOf(split), 16);
  query.k = 16384;
  EXPECT_EQ(splitOf(split), 27);
  // The most tokens of the class, 256: four tiles of 64, so 32 tiles in all and
  // ceil(216 / 32) parts.
  EXPECT_EQ(splitOf(split, ", \"max_tokens\": 256"), 7);
  // A known number of tokens counts instead: 65 are two tiles.
  query.tokens = 65;
  EXPECT_EQ(splitOf(split, ", \"max_tokens\": 256"), 14);
  // Enough tiles: no split. Less depth than a part has: no split.
  query.tokens.reset();
  query.n = 1 << 20;
  EXPECT_EQ(splitOf(split), 1);
  query.n = 128;
  query.k = 255;
  EXPECT_EQ(splitOf(split), 1);
}

// Sizes of the first case that holds, which somebody hears of.
TEST_F(Select, Cases) {
  std::string row = matmul("s",
                           R"("block": [128, 64], "warp": [64, 32],
         "pipeline": {"kind": "multistage", "k": 64, "stages": 4},
         "cases": [{"if": {"zeros": true, "min_scales": 4}, "because": "both",
                    "set": {"warp": [32, 32], "pipeline": {"stages": 2}}},
                   {"if": {"zeros": true}, "because": "zeros",
                    "set": {"pipeline": {"stages": 3}}},
                   {"if": {"min_planes": 2}, "because": "planes",
                    "set": {"block": [128, 32], "warp": [64, 16]}}])");
  auto table = ScheduleTable::parse(::table(row), "file.json");
  ASSERT_TRUE(bool(table)) << llvm::toString(table.takeError());
  auto choice = [&]() -> std::string {
    std::string reason = "none";
    auto found = table->select(
        &context, query, [&] { return emitError(UnknownLoc::get(&context)); },
        [&](StringRef row, StringRef because) {
          EXPECT_EQ(row, "s");
          reason = because.str();
        });
    if (found.size() != 1)
      return "no schedule";
    return reason + " " + std::to_string(found[0].getStages()) + " " +
           std::to_string(found[0].getWarp()[1]);
  };
  EXPECT_EQ(choice(), "none 4 32");
  query.facts.zeros = true;
  EXPECT_EQ(choice(), "zeros 3 32");
  // Two planes of two groups of columns in a stage.
  query.facts.planes = 2;
  query.facts.scaleColumns = 32;
  EXPECT_EQ(choice(), "both 2 32");
  query.facts.scaleColumns = 64;
  EXPECT_EQ(choice(), "zeros 3 32");
  query.facts.zeros = false;
  EXPECT_EQ(choice(), "planes 4 16");
}

// A row that makes no schedule is an error, which names it.
TEST_F(Select, InvalidSizes) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  EXPECT_EQ(choose(matmul("bad", "\"warp\": [60, 32]")), "");
  EXPECT_EQ(message, "schedule \"bad\": expected a warp of a multiple of 16 "
                     "features and of 8 tokens, the sizes of an instruction, "
                     "found 60 x 32");
}

// The table that ships: at least three rows for each target and kind of
// weights (one where tokens come in tiles), one of them without a limit, one
// for any alignment; every row is valid.
TEST_F(Select, BuiltinTable) {
  const ScheduleTable &builtin = ScheduleTable::builtin();
  for (const char *target :
       {"sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120"}) {
    SCOPED_TRACE(target);
    query.target = target;
    auto select = [&] {
      return builtin.select(&context, query, [&] {
        return emitError(UnknownLoc::get(&context));
      });
    };
    for (const char *weights :
         {"2:4", "ternary", "ternary_i8", "ternary_groups", "ternary_groups_i8",
          "ternary24", "ternary24_i8", "ternary24_groups", "dense"}) {
      // A kernel for few tokens takes more of them tile by tile.
      bool tiled = StringRef(weights).starts_with("ternary24");
      query.op = "matmul";
      query.weights = weights;
      query.unaligned = false;
      auto schedules = select();
      ASSERT_GE(schedules.size(), tiled ? 1u : 3u);
      EXPECT_EQ(schedules.back().getMaxTokens(), 0);
      query.unaligned = true;
      schedules = select();
      ASSERT_GE(schedules.size(), 1u);
      EXPECT_EQ(schedules.back().getMaxTokens(), 0);
    }
    query.op = "elementwise";
    EXPECT_EQ(select().size(), 1u);
  }
}

} // namespace
