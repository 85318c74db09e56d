//===- LayoutTest.cpp - Layouts against the PTX ISA ----------------*- C++
//-*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every atom's layouts, exhaustively over lanes and registers, against what the
// PTX ISA writes in "Matrix fragments for mma.m16n8k16 with floating point
// type", "Matrix fragments for sparse mma.m16n8k16" and "...m16n8k32 with .f16
// and .bf16 types": there as formulas in groupID and threadID_in_group with one
// case for each range of i. The formulas are copied here, not derived.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "gtest/gtest.h"
#include <functional>
#include <set>

using namespace mlir;
using namespace mlir::sftile;

namespace {

/// What the ISA says about element `i` of a lane.
using Formula = std::function<Coord(int64_t group, int64_t thread, int64_t i)>;

/// `formula` gives (row, column) of the operand as it is held: A as m x k (kept
/// columns if sparse), B as n x k, C as m x n.
void expectLayout(const LinearLayout &layout, int64_t rows, int64_t cols,
                  int64_t elements, const Formula &formula) {
  EXPECT_EQ(layout.numLanes(), 32);
  ASSERT_EQ(layout.numRegisters(), elements);
  EXPECT_EQ(layout.tileShape(), (Coord{rows, cols}));
  EXPECT_TRUE(layout.isBijective());
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t i = 0; i < elements; ++i) {
      Coord expected = formula(lane >> 2, lane % 4, i);
      Coord actual = layout.at(i, lane);
      EXPECT_EQ(actual, expected)
          << "lane " << lane << " element " << i << ": (" << actual.row << ", "
          << actual.col << "), not (" << expected.row << ", " << expected.col
          << ")";
    }
}

class LayoutTest : public ::testing::Test {
protected:
  LayoutTest() { context.loadDialect<SFTileDialect>(); }

  SmallVector<Type> elementTypes() {
    return {Float16Type::get(&context), BFloat16Type::get(&context)};
  }

  MLIRContext context;
};

// c0, c1: row = groupID; c2, c3: row = groupID + 8;
// col = threadID_in_group * 2 + (i & 1).
Coord accumulator(int64_t group, int64_t thread, int64_t i) {
  return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

TEST_F(LayoutTest, MmaM16N8K16) {
  for (Type type : elementTypes()) {
    auto atom = MmaSyncAttr::get(&context, 16, type);
    // a0..a7: row = groupID for 0 <= i < 2 || 4 <= i < 6, else groupID + 8;
    // col = threadID_in_group * 2 + (i & 1) for i < 4, else + 8.
    expectLayout(atom.getLayoutA(), 16, 16, 8,
                 [](int64_t group, int64_t thread, int64_t i) {
                   bool upper = (0 <= i && i < 2) || (4 <= i && i < 6);
                   int64_t col = thread * 2 + (i & 1);
                   return Coord{upper ? group : group + 8,
                                i < 4 ? col : col + 8};
                 });
    // b0..b3: row = threadID_in_group * 2 + (i & 1) for i < 2, else + 8;
    // col = groupID. Held as n x k.
    expectLayout(atom.getLayoutB(), 8, 16, 4,
                 [](int64_t group, int64_t thread, int64_t i) {
                   int64_t k = thread * 2 + (i & 1);
                   return Coord{group, i < 2 ? k : k + 8};
                 });
    expectLayout(atom.getLayoutC(), 16, 8, 4, accumulator);
    EXPECT_EQ(atom.getNumSelectors(), 1);
  }
}

// "Matrix Fragments for mma.m16n8k32" with .u8 and .s8; wgmma holds the rows of
// a warp in the same way ("Register Fragments for wgmma.mma_async.m64nNk32").
TEST_F(LayoutTest, MmaM16N8K32OfBytes) {
  Type i8 = IntegerType::get(&context, 8);
  auto atom = MmaInt8SyncAttr::get(&context, 32, i8);
  // a0..a15: row = groupID for 0 <= i < 4 || 8 <= i < 12, else groupID + 8;
  // col = threadID_in_group * 4 + (i & 3) for i < 8, else + 16.
  auto formulaA = [](int64_t group, int64_t thread, int64_t i) {
    bool upper = (0 <= i && i < 4) || (8 <= i && i < 12);
    int64_t col = thread * 4 + (i & 3);
    return Coord{upper ? group : group + 8, i < 8 ? col : col + 16};
  };
  expectLayout(atom.getLayoutA(), 16, 32, 16, formulaA);
  // b0..b7: row = threadID_in_group * 4 + (i & 3) for i < 4, else + 16;
  // col = groupID. Held as n x k.
  expectLayout(atom.getLayoutB(), 8, 32, 8,
               [](int64_t group, int64_t thread, int64_t i) {
                 int64_t k = thread * 4 + (i & 3);
                 return Coord{group, i < 4 ? k : k + 16};
               });
  expectLayout(atom.getLayoutC(), 16, 8, 4, accumulator);
  auto warpgroup = WgmmaAttr::get(&context, i8, /*sparse=*/false);
  expectLayout(warpgroup.getLayoutA(), 16, 32, 16, formulaA);
  auto same = [&](const LinearLayout &a, const LinearLayout &b) {
    EXPECT_EQ(LayoutAttr::get(&context, a), LayoutAttr::get(&context, b));
  };
  auto halves = WgmmaAttr::get(&context, Float16Type::get(&context),
                               /*sparse=*/false);
  same(warpgroup.getLayoutC(), halves.getLayoutC());
  for (Type type : elementTypes())
    same(WgmmaAttr::get(&context, type, /*sparse=*/false).getLayoutA(),
         MmaSyncAttr::get(&context, 16, type).getLayoutA());
}

// The ISA gives the chunk of four columns in which a pair's two kept elements
// lie: firstcol = threadID_in_group * 4 (+ 16 from i = 4 on). The column among
// the kept ones is half of that, plus the element's place in its pair.
TEST_F(LayoutTest, MmaSpM16N8K16) {
  for (Type type : elementTypes()) {
    auto atom = MmaSpSyncAttr::get(&context, 16, type);
    expectLayout(atom.getLayoutA(), 16, 8, 4,
                 [](int64_t group, int64_t thread, int64_t i) {
                   int64_t firstcol = thread * 4;
                   return Coord{i < 2 ? group : group + 8,
                                firstcol / 2 + (i & 1)};
                 });
    expectLayout(atom.getLayoutB(), 8, 16, 4,
                 [](int64_t group, int64_t thread, int64_t i) {
                   int64_t k = thread * 2 + (i & 1);
                   return Coord{group, i < 2 ? k : k + 8};
                 });
    expectLayout(atom.getLayoutC(), 16, 8, 4, accumulator);
    // One thread of each quad provides the metadata: selectors 0 to 3.
    EXPECT_EQ(atom.getNumSelectors(), 4);
  }
}

TEST_F(LayoutTest, MmaSpM16N8K32) {
  for (Type type : elementTypes()) {
    auto atom = MmaSpSyncAttr::get(&context, 32, type);
    expectLayout(atom.getLayoutA(), 16, 16, 8,
                 [](int64_t group, int64_t thread, int64_t i) {
                   bool upper = (0 <= i && i < 2) || (4 <= i && i < 6);
                   int64_t firstcol = i < 4 ? thread * 4 : thread * 4 + 16;
                   return Coord{upper ? group : group + 8,
                                firstcol / 2 + (i & 1)};
                 });
    expectLayout(atom.getLayoutB(), 8, 32, 8,
                 [](int64_t group, int64_t thread, int64_t i) {
                   int64_t k = thread * 2 + (i & 1);
                   if (i >= 6)
                     k += 24;
                   else if (i >= 4)
                     k += 16;
                   else if (i >= 2)
                     k += 8;
                   return Coord{group, k};
                 });
    expectLayout(atom.getLayoutC(), 16, 8, 4, accumulator);
    // A pair of threads of each quad: selectors 0 and 1.
    EXPECT_EQ(atom.getNumSelectors(), 2);
  }
}

// "Matrix Fragments for sparse mma.m16n8k64 with .u8 / .s8". Of the four
// nonzeros of a register firstcol says which eight columns they are of.
TEST_F(LayoutTest, MmaSpM16N8K64OfBytes) {
  Type si8 = IntegerType::get(&context, 8, IntegerType::Signed);
  auto atom = MmaSpSyncAttr::get(&context, 64, si8);
  expectLayout(atom.getLayoutA(), 16, 32, 16,
               [](int64_t group, int64_t thread, int64_t i) {
                 bool upper = (0 <= i && i < 4) || (8 <= i && i < 12);
                 int64_t firstcol = i < 8 ? thread * 8 : thread * 8 + 32;
                 return Coord{upper ? group : group + 8,
                              firstcol / 2 + (i & 3)};
               });
  expectLayout(atom.getLayoutB(), 8, 64, 16,
               [](int64_t group, int64_t thread, int64_t i) {
                 return Coord{group, thread * 4 + (i & 3) + i / 4 * 16};
               });
  expectLayout(atom.getLayoutC(), 16, 8, 4, accumulator);
  // All threads of each quad provide metadata.
  EXPECT_EQ(atom.getNumSelectors(), 1);
  EXPECT_EQ(atom.getAccumulatorType(), IntegerType::get(&context, 32));
}

TEST_F(LayoutTest, MetadataIsAWordForEachLane) {
  LinearLayout layout = getMetadataLayout();
  EXPECT_EQ(layout.numRegisters(), 1);
  EXPECT_EQ(layout.tileShape(), (Coord{1, 32}));
  EXPECT_TRUE(layout.isBijective());
  for (int64_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(layout.at(0, lane), (Coord{0, lane}));
}

// The header's worked example.
TEST_F(LayoutTest, ExampleOfTheHeader) {
  LinearLayout layout({{0, 1}, {8, 0}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
  EXPECT_EQ(layout.at(3, 13), (Coord{11, 3}));
  EXPECT_EQ(layout.contiguousRun(/*alongRows=*/false), 2);
  EXPECT_EQ(layout.contiguousRun(/*alongRows=*/true), 1);
}

TEST_F(LayoutTest, BijectivityIsFound) {
  // A lane bit of zero replicates; two equal bits leave elements out.
  EXPECT_FALSE(LinearLayout({{0, 1}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {0, 0}})
                   .isBijective());
  EXPECT_FALSE(LinearLayout({{0, 1}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {2, 0}})
                   .isBijective());
  // Bits that overlap are a layout as long as they are independent.
  EXPECT_TRUE(
      LinearLayout({{0, 1}, {0, 9}}, {{0, 2}, {0, 6}, {1, 0}, {3, 0}, {4, 0}})
          .isBijective());
}

TEST_F(LayoutTest, AttributesKeepLayouts) {
  auto atom = MmaSyncAttr::get(&context, 16, Float16Type::get(&context));
  for (const LinearLayout &layout : {atom.getLayoutA(), atom.getLayoutB(),
                                     atom.getLayoutC(), getMetadataLayout()}) {
    LinearLayout kept = LayoutAttr::get(&context, layout).getLayout();
    EXPECT_EQ(kept.registerBits(), layout.registerBits());
    EXPECT_EQ(kept.laneBits(), layout.laneBits());
  }
}

// All sizes up to 512 x 64 and vectors up to 32, powers of two and others.
TEST_F(LayoutTest, VectorLayouts) {
  auto power = [](int64_t value) { return (value & (value - 1)) == 0; };
  int64_t made = 0;
  for (int64_t rows : {0, 1, 2, 3, 4, 8, 16, 24, 32, 48, 64, 128, 256, 512})
    for (int64_t cols : {0, 1, 2, 4, 6, 8, 16, 32, 64})
      for (int64_t vector : {0, 1, 2, 3, 4, 8, 16, 32}) {
        SCOPED_TRACE("rows " + std::to_string(rows) + " cols " +
                     std::to_string(cols) + " vector " +
                     std::to_string(vector));
        std::optional<LinearLayout> layout = vectorLayout(rows, cols, vector);
        bool possible = rows > 0 && cols > 0 && vector > 0 && power(rows) &&
                        power(cols) && power(vector) && rows >= vector &&
                        rows / vector * cols >= 32;
        ASSERT_EQ(layout.has_value(), possible);
        if (!layout)
          continue;
        ++made;
        EXPECT_EQ(layout->tileShape(), (Coord{rows, cols}));
        EXPECT_TRUE(layout->isBijective());
        EXPECT_GE(layout->contiguousRun(/*alongRows=*/true), vector);
        // Neighbouring lanes own neighbouring vectors of a column, and what is
        // past its end starts the next column.
        for (int64_t lane = 0; lane < 32; ++lane)
          for (int64_t element = 0; element < vector; ++element)
            EXPECT_EQ(
                layout->at(element, lane),
                (Coord{lane * vector % rows + element, lane * vector / rows}));
      }
  EXPECT_GT(made, 100);
}

// A fragment is a grid of tiles: together the lanes hold each element once.
TEST_F(LayoutTest, FragmentsCoverTheirShape) {
  auto atom = MmaSpSyncAttr::get(&context, 32, Float16Type::get(&context));
  for (auto [layout, rows, cols] : {std::tuple(atom.getLayoutA(), 48, 32),
                                    {atom.getLayoutB(), 24, 96},
                                    {atom.getLayoutC(), 48, 40},
                                    {getMetadataLayout(), 5, 32}}) {
    auto type = FragType::get(&context, {rows, cols},
                              layout.numRegisters() == 1
                                  ? Type(IntegerType::get(&context, 32))
                                  : Type(Float16Type::get(&context)),
                              LayoutAttr::get(&context, layout));
    EXPECT_EQ(type.getElementsPerLane() * 32, rows * cols);
    std::set<std::pair<int64_t, int64_t>> seen;
    for (int64_t index = 0; index < type.getElementsPerLane(); ++index)
      for (int64_t lane = 0; lane < 32; ++lane) {
        Coord inLane = layout.at(0, lane), corner = type.getPosition(index);
        Coord position = {corner.row + inLane.row, corner.col + inLane.col};
        EXPECT_LT(position.row, rows);
        EXPECT_LT(position.col, cols);
        EXPECT_TRUE(seen.insert({position.row, position.col}).second);
      }
    EXPECT_EQ(int64_t(seen.size()), rows * cols);
  }
}

// Where the tiles of a stage lie: swizzled ones at multiples of 1024 bytes.
TEST_F(LayoutTest, StagesOfARing) {
  Type f16 = Float16Type::get(&context), i32 = IntegerType::get(&context, 32);
  auto values = TileType::get(&context, {64, 32}, f16, Order::Values24);
  auto words = TileType::get(&context, {4, 32}, i32, Order::Metadata24);
  auto x = TileType::get(&context, {24, 64}, f16, Order::Swizzled);
  auto ring = RingType::get(&context, 3, {values, words, x});
  EXPECT_EQ(ring.getTileOffset(0), 0);
  EXPECT_EQ(ring.getTileOffset(1), 4096);
  EXPECT_EQ(ring.getTileOffset(2), 5120); // 4608, at the next 1024
  EXPECT_EQ(ring.getStageBytes(), 8192);  // 5120 + 3072
  EXPECT_EQ(x.getPitch(), 128);
  EXPECT_EQ(x.getBytes(), 3072);
}

} // namespace
