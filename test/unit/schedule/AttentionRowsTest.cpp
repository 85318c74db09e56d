//===- AttentionRowsTest.cpp - Rows for attention
//--------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Schedule/ScheduleTable.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// A table of rows for sm_80; each is the text behind its name.
std::string
table(std::initializer_list<std::pair<const char *, const char *>> rows) {
  std::string text = R"({"format": "sparseflow-schedules", "version": 1, )"
                     R"("rows": [)";
  const char *separator = "";
  for (auto [name, more] : rows) {
    text += separator;
    text += R"({"op": "attention", "targets": ["sm_80"], "name": ")";
    text += name;
    text += "\"";
    text += more;
    text += "}";
    separator = ",";
  }
  return text + "]}";
}

constexpr const char *kPlain =
    R"(, "queries": 64, "warp": 16, "keys": 32,
       "pipeline": {"kind": "multistage", "stages": 2})";

std::string errorOf(const std::string &more) {
  auto parsed = ScheduleTable::parse(table({{"r", more.c_str()}}), "t.json");
  return parsed ? "no error" : llvm::toString(parsed.takeError());
}

class AttentionRows : public ::testing::Test {
protected:
  void SetUp() override { context.loadDialect<sftile::SFTileDialect>(); }

  std::string choose(const std::string &text) {
    auto parsed = ScheduleTable::parse(text, "t.json");
    EXPECT_TRUE(bool(parsed));
    if (!parsed)
      return llvm::toString(parsed.takeError());
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    auto found = parsed->select(
        &context, query, [&] { return emitError(UnknownLoc::get(&context)); });
    return llvm::join(llvm::map_range(found,
                                      [](sftile::AttentionScheduleAttr row) {
                                        return row.getName().str();
                                      }),
                      " ");
  }

  /// What a table of one row is refused with.
  std::string refusal(const std::string &row) {
    EXPECT_EQ(choose(table({{"r", row.c_str()}})), "");
    return message;
  }

  MLIRContext context;
  AttentionQuery query{"sm_80", 64, std::nullopt, false};
  std::string message;
};

TEST(AttentionRow, Errors) {
  EXPECT_EQ(errorOf(kPlain), "no error");
  EXPECT_EQ(errorOf(R"(, "warp": 16, "keys": 32, "pipeline": {})"),
            "t.json: row 0 (r): expected \"queries\" to be an integer of at "
            "least 1");
  EXPECT_EQ(
      errorOf(R"(, "queries": 64, "warp": 8, "keys": 32, "pipeline": {})"),
      "t.json: row 0 (r): expected \"warp\" to be a multiple of 16 of at least "
      "16");
  EXPECT_EQ(
      errorOf(std::string(kPlain) + R"(, "block": [64, 64])")
          .find("t.json: row 0 (r): unknown field \"block\"; expected one of "),
      0u);
  EXPECT_EQ(errorOf(std::string(kPlain) + R"(, "split_blocks": -4)"),
            "t.json: row 0 (r): expected \"split_blocks\" to be an integer of "
            "at least 0");
  EXPECT_EQ(errorOf(R"(, "queries": 64, "warp": 16, "keys": 32,
                       "pipeline": {"kind": "streamed"})"),
            "t.json: row 0 (r): pipeline: expected \"kind\" to be "
            "\"multistage\", \"warp_specialized\" or \"int8\"");
  EXPECT_EQ(errorOf(std::string(kPlain) + R"(, "mask": "window")"),
            "t.json: row 0 (r): expected \"mask\" to be \"none\", \"some\" or "
            "\"causal\"");
}

// Rows for some masks are passed over where there are others.
TEST_F(AttentionRows, Masks) {
  std::string none = std::string(kPlain) + R"(, "mask": "none")";
  std::string some = std::string(kPlain) + R"(, "mask": "some")";
  std::string text =
      table({{"none", none.c_str()}, {"some", some.c_str()}, {"all", kPlain}});
  EXPECT_EQ(choose(text), "none");
  query.masked = true;
  EXPECT_EQ(choose(text), "some");
  EXPECT_EQ(choose(table({{"none", none.c_str()}, {"all", kPlain}})), "all");
  std::string causal = std::string(kPlain) + R"(, "mask": "causal")";
  text = table({{"causal", causal.c_str()}, {"all", kPlain}});
  EXPECT_EQ(choose(text), "all");
  query.causal = true;
  EXPECT_EQ(choose(text), "causal");
}

// Rows for many queries are for numbers that are known.
TEST_F(AttentionRows, MinQueries) {
  std::string many = std::string(kPlain) + R"(, "min_queries": 100)";
  std::string text = table({{"many", many.c_str()}, {"all", kPlain}});
  EXPECT_EQ(choose(text), "all");
  query.queries = 99;
  EXPECT_EQ(choose(text), "all");
  query.queries = 100;
  EXPECT_EQ(choose(text), "many");
}

// Rows for many tiles of a key head and many keys may be for numbers of the
// call: others stand behind them. What is known decides at once.
TEST_F(AttentionRows, MinTilesAndKeys) {
  std::string many = std::string(kPlain) +
                     R"(, "min_tiles": 8, "min_keys": 512, "max_keys": 600)";
  std::string text = table({{"many", many.c_str()}, {"all", kPlain}});
  query.facts.heads = 4;
  EXPECT_EQ(choose(text), "many all");
  query.queries = 128;
  EXPECT_EQ(choose(text), "all");
  query.queries = 129;
  EXPECT_EQ(choose(text), "many all");
  query.keys = 511;
  EXPECT_EQ(choose(text), "all");
  query.keys = 512;
  EXPECT_EQ(choose(text), "many");
  query.keys = 600;
  EXPECT_EQ(choose(text), "many");
  query.keys = 601;
  EXPECT_EQ(choose(text), "all");
}

// How many tiles a row is for may differ by what lies in the cache.
TEST_F(AttentionRows, MinTilesOfCase) {
  std::string many = std::string(kPlain) +
                     R"(, "min_tiles": 8,
         "cases": [{"if": {"min_cache_bits": 4}, "set": {"min_tiles": 0},
                    "because": "it pays at once"}])";
  std::string text = table({{"many", many.c_str()}, {"all", kPlain}});
  query.facts.heads = 1;
  query.queries = 128;
  EXPECT_EQ(choose(text), "all");
  query.facts.cacheBits = 8;
  EXPECT_EQ(choose(text), "many");
}

// The order of the file, up to the first row without limits; limits of features
// and of queries that are known.
TEST_F(AttentionRows, Select) {
  std::string few = std::string(kPlain) + R"(, "max_queries": 16)";
  std::string wide = std::string(kPlain) + R"(, "min_blocks": 100)";
  std::string large = std::string(kPlain) + R"(, "min_d": 65)";
  std::string any = std::string(kPlain) + R"(, "unaligned": true)";
  std::string text = table({{"few", few.c_str()},
                            {"large", large.c_str()},
                            {"wide", wide.c_str()},
                            {"all", kPlain},
                            {"never", kPlain},
                            {"any", any.c_str()}});
  EXPECT_EQ(choose(text), "few wide all");
  std::string narrow = std::string(kPlain) + R"(, "max_blocks": 66)";
  EXPECT_EQ(choose(table({{"narrow", narrow.c_str()}, {"all", kPlain}})),
            "narrow all");
  std::string many = std::string(kPlain) + R"(, "min_small_tiles": 133)";
  EXPECT_EQ(choose(table({{"many", many.c_str()}, {"all", kPlain}})),
            "many all");
  query.features = 65;
  EXPECT_EQ(choose(text), "few large");
  query.features = 64;
  query.queries = 17;
  EXPECT_EQ(choose(text), "wide all");
  query.queries = 16;
  EXPECT_EQ(choose(text), "few");
  query.unaligned = true;
  EXPECT_EQ(choose(text), "any");
  query.target = "sm_90";
  EXPECT_EQ(choose(text), "");
}

// Rows of int8 MMAs serve int8 operands only.
TEST_F(AttentionRows, Bytes) {
  std::string bytes =
      R"(, "queries": 16, "warp": 16, "keys": 64, "packed": true,
         "max_queries": 1,
         "pipeline": {"kind": "int8", "stages": 2, "key_warps": 4})";
  std::string text = table({{"bytes", bytes.c_str()}, {"all", kPlain}});
  EXPECT_EQ(choose(text), "all");
  query.bytes = true;
  EXPECT_EQ(choose(text), "bytes all");
  query.queries = 1;
  EXPECT_EQ(choose(text), "bytes");
}

// Rows may leave sequences of several lengths to others.
TEST_F(AttentionRows, Ragged) {
  std::string even = std::string(kPlain) + R"(, "ragged": false)";
  std::string text = table({{"even", even.c_str()}, {"all", kPlain}});
  EXPECT_EQ(choose(text), "even");
  query.facts.lengths = true;
  EXPECT_EQ(choose(text), "all");
  query.facts.lengths = false;
  query.facts.varlen = true;
  EXPECT_EQ(choose(text), "all");
  std::string packed = std::string(kPlain) + R"(, "ragged": "packed")";
  text = table({{"packed", packed.c_str()}, {"all", kPlain}});
  EXPECT_EQ(choose(text), "packed");
  query.facts.lengths = true;
  EXPECT_EQ(choose(text), "packed");
  query.facts.varlen = false;
  EXPECT_EQ(choose(text), "all");
  query.facts.lengths = false;
  EXPECT_EQ(choose(text), "all");
  EXPECT_EQ(errorOf(std::string(kPlain) + R"(, "ragged": true)"),
            "t.json: row 0 (r): expected \"ragged\" to be false or \"packed\"");
}

// Rows may leave score regions that read tensors to others where sizes are not
// known, or be for nothing else.
TEST_F(AttentionRows, ScoreOperands) {
  std::string known = std::string(kPlain) + R"(, "score_operands": "known")";
  std::string only = std::string(kPlain) + R"(, "score_operands": "only")";
  std::string text = table(
      {{"known", known.c_str()}, {"only", only.c_str()}, {"all", kPlain}});
  EXPECT_EQ(choose(text), "known");
  query.scoreOperands = true;
  EXPECT_EQ(choose(text), "only");
  query.queries = 512;
  EXPECT_EQ(choose(text), "only");
  query.keys = 512;
  EXPECT_EQ(choose(text), "known");
  query.scoreOperands = false;
  EXPECT_EQ(choose(table({{"only", only.c_str()}, {"all", kPlain}})), "all");
  EXPECT_EQ(errorOf(std::string(kPlain) + R"(, "score_operands": "none")"),
            "t.json: row 0 (r): expected \"score_operands\" to be \"known\" or "
            "\"only\"");
}

// Rows whose warps divide keys serve caches of 8 and 4 bits only.
TEST_F(AttentionRows, KeyWarps) {
  std::string divided =
      R"(, "queries": 16, "warp": 16, "keys": 32, "packed": true,
         "max_queries": 1,
         "pipeline": {"kind": "multistage", "stages": 2, "key_warps": 4})";
  std::string text = table({{"divided", divided.c_str()}, {"all", kPlain}});
  EXPECT_EQ(choose(text), "all");
  query.planes = true;
  EXPECT_EQ(choose(text), "all");
  query.facts.cacheBits = 4;
  EXPECT_EQ(choose(text), "divided all");
}

// Rows whose copies are by tensor maps serve only what these can describe.
TEST_F(AttentionRows, Mapped) {
  std::string mapped =
      R"(, "queries": 64, "warp": 16, "keys": 32,
         "pipeline": {"kind": "warp_specialized", "stages": 2, "grid": 132,
                      "ping_pong": true})";
  std::string text = table({{"mapped", mapped.c_str()}, {"all", kPlain}});
  EXPECT_EQ(choose(text), "all");
  query.mapped = true;
  EXPECT_EQ(choose(text), "mapped");
  // Blocks of a cluster share no pages.
  query.paged = true;
  EXPECT_EQ(choose(text), "mapped");
  std::string cluster = mapped;
  cluster.insert(cluster.find("\"grid\""), "\"cluster\": 2, ");
  std::string shared = table({{"shared", cluster.c_str()}, {"all", kPlain}});
  EXPECT_EQ(choose(shared), "all");
  query.paged = false;
  EXPECT_EQ(choose(shared), "shared");
  std::string split =
      R"(, "queries": 128, "warp": 16, "keys": 32, "split_blocks": 132,
         "split_min_keys": 64,
         "pipeline": {"kind": "warp_specialized", "stages": 2})";
  EXPECT_EQ(refusal(split),
            "schedule \"r\": expected 64 queries, one warpgroup, where "
            "producer warps meet packed heads, split-KV or feature_groups, "
            "found 128");
}

// Blocks of a cluster that divide the keys divide 128 features of values.
TEST_F(AttentionRows, KeyBlocks) {
  auto row = [](std::string pipeline) {
    return R"(, "queries": 64, "warp": 16, "keys": 64,
              "pipeline": {"kind": "warp_specialized", "stages": 2)" +
           pipeline + "}";
  };
  std::string two = row(R"(, "feature_groups": 2, "key_blocks": 2)");
  std::string text = table({{"two", two.c_str()}, {"all", kPlain}});
  query.mapped = query.valuesInKeys = true;
  query.facts.dv = 512;
  EXPECT_EQ(choose(text), "two");
  query.facts.dv = 448;
  EXPECT_EQ(choose(text), "all");
  query.facts.dv = 512;
  std::string three = row(R"(, "feature_groups": 2, "key_blocks": 3)");
  EXPECT_EQ(refusal(three),
            "schedule \"r\": expected key_blocks of 1, 2, 4 or 8, found 3");
  std::string one = row(R"(, "key_blocks": 2, "grid": 132)");
  EXPECT_EQ(refusal(one),
            "schedule \"r\": expected feature_groups = 2 or packed heads, and "
            "no grid, with key_blocks, found feature_groups = 1 and grid = "
            "132");
}

// Any number where the heads of one query are packed, up to 16 of a key head.
TEST_F(AttentionRows, KeyBlocksOfPackedHeads) {
  auto row = [](std::string more) {
    return R"(, "queries": 64, "warp": 16, "keys": 64, "packed": true,
              "max_queries": 1, "pipeline": {"kind": "warp_specialized",
              "stages": 2, "key_blocks": 7})" +
           more;
  };
  std::string seven = row("");
  std::string text = table({{"seven", seven.c_str()}, {"all", kPlain}});
  query.mapped = true;
  query.facts.dv = 96;
  query.facts.heads = 16;
  EXPECT_EQ(choose(text), "seven all");
  query.facts.heads = 17;
  EXPECT_EQ(choose(text), "all");
  query.facts.heads = 16;
  std::string split = row(R"(, "split_blocks": 8, "split_min_keys": 64)");
  EXPECT_EQ(refusal(split),
            "schedule \"r\": expected no split_blocks with key_blocks, "
            "whose blocks divide all keys of a tile, found 8");
}

// Rows behind kernels that decode a cache serve nothing else.
TEST_F(AttentionRows, Cached) {
  std::string cached =
      R"(, "cached": true, "queries": 64, "warp": 16, "keys": 32,
         "pipeline": {"kind": "warp_specialized", "stages": 2})";
  std::string text = table({{"cached", cached.c_str()}, {"all", kPlain}});
  query.mapped = true;
  EXPECT_EQ(choose(text), "all");
  query.mapped = false;
  query.dequantized = true;
  EXPECT_EQ(choose(text), "cached");
  query.paged = true;
  EXPECT_EQ(choose(text), "cached");
}

// Blocks of a cluster that dequantize parts of the same stages have a head
// each, and share pages, whose parts have owners.
TEST_F(AttentionRows, Shared) {
  std::string shared =
      R"(, "cached": true, "queries": 64, "warp": 16, "keys": 128,
         "pipeline": {"kind": "warp_specialized", "stages": 2, "cluster": 2,
                      "dequantizes": true})";
  std::string text = table({{"shared", shared.c_str()}, {"all", kPlain}});
  query.dequantized = query.dequantizedBeside = true;
  query.paged = query.facts.lengths = true;
  query.facts.heads = 2;
  EXPECT_EQ(choose(text), "shared");
  query.facts.heads = 3;
  EXPECT_EQ(choose(text), "all");
}

// Flat rows, also those that served ternary caches page by page.
TEST_F(AttentionRows, Flat) {
  std::string flat =
      R"(, "queries": 16, "warp": 16, "keys": 32, "stages": 4, "held": true,
         "packed": true, "max_queries": 1,
         "split": {"blocks": 792, "min_keys": 128})";
  auto parsed = ScheduleTable::parse(table({{"r", flat.c_str()}}), "t.json");
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_NE(parsed->warning(), "");
  auto chosen = [&] {
    auto found = parsed->select(
        &context, query, [&] { return emitError(UnknownLoc::get(&context)); });
    EXPECT_EQ(found.size(), 1u);
    return llvm::formatv("{0} {1} {2} {3} {4}", found[0].getKeys(),
                         found[0].getStages(), found[0].getSplit(),
                         found[0].getSplitMinKeys(), found[0].getBlocksPerSM())
        .str();
  };
  EXPECT_EQ(chosen(), "32 4 792 128 1");
  query.facts.ternaryKeys = true;
  query.facts.dv = 64;
  EXPECT_EQ(chosen(), "64 3 1056 256 1");
  query.facts.dv = 65;
  EXPECT_EQ(chosen(), "64 3 528 256 1");
  query.facts.ternaryValues = true;
  EXPECT_EQ(chosen(), "64 2 2112 512 16");
  query.facts.lengths = query.facts.keyGroups = true;
  EXPECT_EQ(chosen(), "64 2 2112 512 12");
}

// A row that makes no kernel is reported when it is chosen.
TEST_F(AttentionRows, Invalid) {
  EXPECT_EQ(choose(table({{"r", R"(, "queries": 72, "warp": 16, "keys": 32,
                     "pipeline": {"kind": "multistage", "stages": 2})"}})),
            "");
  EXPECT_EQ(message, "schedule \"r\": expected 1 to 32 warps of 16 queries in "
                     "a block, found 72 queries");
}

// The shipped table serves every number of features up to 256 on each target,
// and its last row has no limits.
TEST_F(AttentionRows, Builtin) {
  for (const char *target :
       {"sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120"})
    for (int64_t features : {16, 64, 65, 128, 129, 256}) {
      SCOPED_TRACE(target);
      query = {target, features, std::nullopt, false, features % 8 == 0};
      auto select = [&] {
        return ScheduleTable::builtin().select(&context, query, [&] {
          return emitError(UnknownLoc::get(&context));
        });
      };
      auto found = select();
      ASSERT_GE(found.size(), 3u);
      EXPECT_EQ(found.back().getMaxQueries(), 0);
      EXPECT_EQ(found.back().getMinBlocks(), 0);
      EXPECT_FALSE(found.back().getPacked());
      query.unaligned = true;
      EXPECT_EQ(select().size(), 1u);
    }
}

} // namespace
