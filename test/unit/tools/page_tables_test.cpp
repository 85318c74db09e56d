//===- page_tables_test.cpp - Random page tables that appends may use -----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Indices.h"
#include "run/Run.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <set>

using namespace sparseflow;
using namespace sparseflow::tools;

/// Tokens [B, 1, T, 8] of a cache [P, 1, 16, 8] at `n` in the pages of a table
/// [B, C], and attention of one query over `all` keys of what that became.
static Expected<BundleManifest> pagedDecode() {
  return parseBundleManifest(R"({"format": "sparseflow-bundle", "version": 1,
    "functions": [{"name": "f", "symbols": ["P", "B", "T", "C"], "arguments": [
     {"name": "cache", "dtype": "f32", "shape": ["P", 1, 16, 8]},
     {"name": "new", "dtype": "f32", "shape": ["B", 1, "T", 8]},
     {"name": "n", "dtype": "i32", "shape": ["B"]},
     {"name": "all", "dtype": "i32", "shape": ["B"]},
     {"name": "table", "dtype": "i32", "shape": ["B", "C"]},
     {"name": "q", "dtype": "f32", "shape": ["B", 1, 1, 8]}],
    "results": [{"dtype": "f32", "shape": ["P", 1, 16, 8]},
                {"dtype": "f32", "shape": ["B", 1, 1, 8]}],
    "reference": {"values": 8, "results": [6, 7], "steps": [
     {"op": "cache_append", "layout": "bhsd", "out": 6, "cache": 0,
      "tokens": 1, "lengths": 2, "pages": 4},
     {"op": "attention", "out": 7, "q": 5, "k": 6, "v": 6, "lengths": 3,
      "pages": 4, "scale": 1, "layout": "bhsd", "inputs": []}]}}]})");
}

static std::vector<int64_t> numbers(const ArgumentSet &set, size_t index) {
  std::vector<double> values(set.arguments[index].dense.count());
  widen(set.arguments[index].dense, values.data());
  return {values.begin(), values.end()};
}

static Expected<ArgumentSet> prepare(const BundleManifest &bundle,
                                     int64_t pages, int64_t entries,
                                     int64_t tokens, int64_t columns,
                                     uint64_t seed) {
  ArgumentRequest request;
  request.sizes = {{"P", pages}, {"B", entries}, {"T", tokens}, {"C", columns}};
  request.seed = seed;
  return prepareArguments(bundle.manifest.functions[0], &*bundle.references[0],
                          request);
}

// A page that is written stands in one entry of the table alone where there are
// pages for the rest, and in the entries of one sequence where there are none.
TEST(PageTables, WrittenPagesAreOwned) {
  auto bundle = pagedDecode();
  ASSERT_TRUE(bundle) << bundle.status().text();
  size_t shared = 0, longest = 0;
  for (auto [pages, entries, tokens, columns] :
       {std::array<int64_t, 4>{40, 5, 1, 4},
        {9, 3, 33, 3},
        {6, 6, 1, 3},
        {7, 3, 20, 5},
        {3, 1, 48, 3},
        {64, 64, 16, 64}})
    for (uint64_t seed = 0; seed < 50; ++seed) {
      auto set = prepare(*bundle, pages, entries, tokens, columns, seed);
      ASSERT_TRUE(set) << set.status().text();
      std::vector<int64_t> lengths = numbers(*set, 2), table = numbers(*set, 4);
      std::map<int64_t, std::set<int64_t>> rows;
      std::map<int64_t, int> times;
      for (size_t i = 0; i < table.size(); ++i) {
        ASSERT_GE(table[i], 0);
        ASSERT_LT(table[i], pages);
        rows[table[i]].insert(static_cast<int64_t>(i) / columns);
        ++times[table[i]];
      }
      auto places =
          PageTable{"table", pages, 16}.places(lengths, tokens, table, columns);
      ASSERT_TRUE(places) << places.status().text();
      ASSERT_EQ(places->size(), static_cast<size_t>(entries * tokens));
      std::set<int64_t> written;
      for (const TokenPlace &place : *places)
        written.insert(place.page);
      for (int64_t page : written) {
        EXPECT_EQ(rows[page].size(), 1u);
        if (static_cast<int64_t>(written.size()) < pages)
          EXPECT_EQ(times[page], 1);
      }
      for (const auto &[page, owners] : rows)
        shared += owners.size() > 1;
      for (int64_t all : numbers(*set, 3))
        longest = std::max(longest, static_cast<size_t>(all));
    }
  EXPECT_GT(shared, 0u) << "pages that are only read are shared";
  EXPECT_GT(longest, 900u) << "of a cache that the function computes";
}

TEST(PageTables, TooFewPagesAreExplained) {
  auto bundle = pagedDecode();
  ASSERT_TRUE(bundle);
  auto set = prepare(*bundle, 4, 5, 17, 3, 0);
  ASSERT_FALSE(set);
  EXPECT_EQ(
      set.status().text(),
      "argument 4 ('table'): expected 10 pages, since new tokens are "
      "written through so many entries of the table and no two may have "
      "one place, found 4 in argument 0 ('cache'); give more (--dim P=10), "
      "or a table (--arg 4=FILE.npy)");
  EXPECT_TRUE(prepare(*bundle, 10, 5, 17, 3, 0));
  // There is nothing to own.
  EXPECT_TRUE(prepare(*bundle, 0, 5, 17, 3, 0));
  EXPECT_TRUE(prepare(*bundle, 1, 5, 0, 3, 0));
}

TEST(PageTables, TwoTokensInOnePlaceAreRefused) {
  PageTable table{"argument 3 ('table')", 3, 16};
  EXPECT_TRUE(table.places({3, 20}, 2, {0, 1, 1, 2}, 2));
  auto places = table.places({3, 18}, 2, {0, 1, 1, 0}, 2);
  ASSERT_FALSE(places);
  EXPECT_EQ(places.status().text(),
            "argument 3 ('table') gives token 1 of batch entry 1 row 3 of page "
            "0, where token 0 of batch entry 0 is, expected a place for each; "
            "share pages that are only read");
  EXPECT_TRUE(table.places({-2, 31}, 2, {0, 1, 0, 2}, 2))
      << "tokens outside have no place";
}
