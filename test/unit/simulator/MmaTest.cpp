//===- MmaTest.cpp - MMAs against whole matrices --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Each test fills whole matrices, hands every lane its part by the tables of
// the PTX ISA (written here as the manual draws them: per element, not per
// register), and compares with the plain product.
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include <cmath>
#include <functional>

using namespace mlir::sparseflow::sim;

namespace {

struct Shape {
  const char *intrinsic;
  int k;
  bool bfloat, sparse;
  int selectors;
};

/// Calls the intrinsic with registers loaded from arrays [lane][register].
std::string kernelFor(const Shape &shape, int selector) {
  int aRegisters = shape.k / 4 / (shape.sparse ? 2 : 1);
  int bRegisters = shape.k / 8;
  std::string type = shape.bfloat ? "i32" : "<2 x half>";
  std::string body, operands, types;
  auto load = [&](const char *array, const std::string &type, int count) {
    for (int i = 0; i < count; ++i) {
      std::string name = "%" + std::string(array) + std::to_string(i);
      body += "  " + name + "i = add i32 %" + array + "base, " +
              std::to_string(i) + "\n  " + name +
              "p = getelementptr i32, ptr addrspace(1) %" + array + ", i32 " +
              name + "i\n  " + name + " = load " + type +
              ", ptr addrspace(1) " + name + "p\n";
      operands += (operands.empty() ? "" : ", ") + type + " " + name;
      types += (types.empty() ? "" : ", ") + type;
    }
  };
  auto base = [&](const char *array, int count) {
    body += "  %" + std::string(array) + "base = mul i32 %lane, " +
            std::to_string(count) + "\n";
  };
  base("a", aRegisters);
  load("a", type, aRegisters);
  base("b", bRegisters);
  load("b", type, bRegisters);
  base("c", 4);
  load("c", "float", 4);
  if (shape.sparse) {
    base("e", 1);
    load("e", "i32", 1);
    operands += ", i32 " + std::to_string(selector);
    types += ", i32";
  }
  std::string result = "{float, float, float, float}";
  std::string name = "@llvm.nvvm." + std::string(shape.intrinsic);
  std::string text =
      "declare i32 @llvm.nvvm.read.ptx.sreg.laneid()\n"
      "declare " +
      result + " " + name + "(" + types +
      ")\n"
      "define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, "
      "ptr addrspace(1) %c, ptr addrspace(1) %e, ptr addrspace(1) %d) {\n"
      "  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n" +
      body + "  %r = call " + result + " " + name + "(" + operands + ")\n";
  for (int i = 0; i < 4; ++i) {
    std::string n = std::to_string(i);
    text += "  %r" + n + " = extractvalue " + result + " %r, " + n + "\n  %d" +
            n + "i = add i32 %cbase, " + n + "\n  %d" + n +
            "p = getelementptr i32, ptr addrspace(1) %d, i32 %d" + n +
            "i\n  store float %r" + n + ", ptr addrspace(1) %d" + n + "p\n";
  }
  return text + "  ret void\n}\n";
}

/// The whole matrices of one product, and what each lane holds of them.
struct Case {
  explicit Case(const Shape &shape, Random &random) : shape(shape) {
    stored = shape.sparse ? shape.k / 2 : shape.k;
    compressed.resize(16 * stored);
    position.resize(16 * stored);
    b.resize(shape.k * 8);
    c.resize(16 * 8);
    for (float &value : compressed)
      value = static_cast<float>(random(17)) - 8;
    for (float &value : b)
      value = (static_cast<float>(random(17)) - 8) / 4;
    for (float &value : c)
      value = static_cast<float>(random(100));
    for (int row = 0; row < 16; ++row)
      for (int i = 0; i < stored; i += shape.sparse ? 2 : 1) {
        if (!shape.sparse) {
          position[row * stored + i] = i;
          continue;
        }
        int first = static_cast<int>(random(3));
        int second = first + 1 +
                     static_cast<int>(random(static_cast<uint32_t>(3 - first)));
        position[row * stored + i] = i * 2 + first;
        position[row * stored + i + 1] = i * 2 + second;
      }
  }

  uint16_t bits(float value) const {
    return shape.bfloat ? toBFloat(value) : toHalf(value);
  }
  float expected(int row, int column) const {
    float sum = c[row * 8 + column];
    for (int i = 0; i < stored; ++i)
      sum += compressed[row * stored + i] *
             b[position[row * stored + i] * 8 + column];
    return sum;
  }

  Shape shape;
  int stored;
  std::vector<float> compressed, b, c;
  std::vector<int> position;
};

void check(const Shape &shape, int selector, Random &random) {
  Case matrices(shape, random);
  int stored = matrices.stored, k = shape.k;
  // One entry for each element a0, a1, ...; two make a register.
  std::vector<uint16_t> a(32 * stored / 2), b(32 * k / 4);
  std::vector<float> c(32 * 4), d(32 * 4, NAN);
  std::vector<uint32_t> e(32, 0xffffffff); // invalid unless it is selected
  for (int lane = 0; lane < 32; ++lane) {
    int group = lane >> 2, inGroup = lane % 4;
    for (int i = 0; i < stored / 2; ++i) {
      // "row = groupID for a0, a1, a4, a5; groupID + 8 otherwise"
      int row = (i / 2) % 2 == 0 ? group : group + 8;
      int column = inGroup * 2 + (i & 1) + (i >= 4 ? 8 : 0);
      a[lane * stored / 2 + i] =
          matrices.bits(matrices.compressed[row * stored + column]);
    }
    for (int i = 0; i < k / 4; ++i) {
      int row = inGroup * 2 + (i & 1) + i / 2 * 8;
      b[lane * k / 4 + i] = matrices.bits(matrices.b[row * 8 + group]);
    }
    for (int i = 0; i < 4; ++i)
      c[lane * 4 + i] =
          matrices.c[(i < 2 ? group : group + 8) * 8 + inGroup * 2 + (i & 1)];
  }
  if (shape.sparse)
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < k; column += 16) {
        uint32_t word = 0;
        for (int i = 0; i < 8; ++i)
          word |= static_cast<uint32_t>(
                      matrices.position[row * stored + column / 2 + i] % 4)
                  << (2 * i);
        // m16n8k16: one lane of four by selector; m16n8k32: a pair of them.
        int inGroup = k == 16 ? selector : selector * 2 + column / 16;
        uint32_t &holder = e[(row % 8) * 4 + inGroup];
        holder = row < 8 ? (holder & 0xffff0000) | word
                         : (holder & 0xffff) | word << 16;
      }
  TestKernel kernel(kernelFor(shape, selector));
  kernel.buffer(a, false).buffer(b, false).buffer(c, false).buffer(e, false);
  LaunchReport report = kernel.buffer(d).run();
  ASSERT_TRUE(report.ok()) << report.text();
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      int row = lane / 4 + (i < 2 ? 0 : 8), column = lane % 4 * 2 + i % 2;
      EXPECT_EQ(d[lane * 4 + i], matrices.expected(row, column))
          << shape.intrinsic << " row " << row << " column " << column;
    }
}

class Mma : public testing::TestWithParam<Shape> {};

TEST_P(Mma, EqualsTheProduct) {
  Random random;
  for (int selector = 0; selector < GetParam().selectors; ++selector)
    for (int repeat = 0; repeat < 3; ++repeat)
      check(GetParam(), selector, random);
}

INSTANTIATE_TEST_SUITE_P(
    All, Mma,
    testing::Values(Shape{"mma.m16n8k8.row.col.f32.f32", 8, false, false, 1},
                    Shape{"mma.m16n8k8.row.col.bf16", 8, true, false, 1},
                    Shape{"mma.m16n8k16.row.col.f32.f32", 16, false, false, 1},
                    Shape{"mma.m16n8k16.row.col.bf16", 16, true, false, 1},
                    Shape{"mma.sp.ordered.metadata.m16n8k16.row.col.f32.f32",
                          16, false, true, 4},
                    Shape{"mma.sp.ordered.metadata.m16n8k16.row.col.bf16", 16,
                          true, true, 4},
                    Shape{"mma.sp.ordered.metadata.m16n8k32.row.col.f32.f32",
                          32, false, true, 2},
                    Shape{"mma.sp.ordered.metadata.m16n8k32.row.col.bf16", 32,
                          true, true, 2}));

/// Half values of every kind pass through a product with 1.
TEST(MmaValues, EveryHalf) {
  Shape shape{"mma.m16n8k8.row.col.f32.f32", 8, false, false, 1};
  TestKernel kernel(kernelFor(shape, 0));
  std::vector<uint16_t> a(32 * 4, 0), b(32 * 2, 0);
  std::vector<float> c(32 * 4, 0), d(32 * 4);
  std::vector<uint32_t> e(32);
  // B is the identity: column g, rows 2t and 2t + 1.
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 2; ++i)
      b[lane * 2 + i] = lane % 4 * 2 + i == lane / 4 ? 0x3c00 : 0;
  kernel.buffer(a).buffer(b).buffer(c).buffer(e).buffer(d);
  for (unsigned bits : {0x0000u, 0x8000u, 0x0001u, 0x83ffu, 0x0400u, 0x3c00u,
                        0xbc01u, 0x7bffu, 0x5640u}) {
    a.assign(a.size(), static_cast<uint16_t>(bits));
    LaunchReport report = kernel.run();
    ASSERT_TRUE(report.ok()) << report.text();
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    float value =
        exponent == 0
            ? std::ldexp(static_cast<float>(mantissa), -24)
            : std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
    EXPECT_EQ(d[5], bits & 0x8000 ? -value : value) << bits;
  }
  for (unsigned bits : {0x7c01u, 0x7e00u, 0xffffu}) {
    a.assign(a.size(), static_cast<uint16_t>(bits));
    kernel.run();
    EXPECT_TRUE(std::isnan(d[5])) << bits;
  }
}

TEST(MmaSparse, InvalidMetadataIsReported) {
  Shape shape{"mma.sp.ordered.metadata.m16n8k32.row.col.f32.f32", 32, false,
              true, 2};
  TestKernel kernel(kernelFor(shape, 1));
  std::vector<uint16_t> a(32 * 8, 0x3c00), b(32 * 8, 0x3c00);
  std::vector<float> c(32 * 4), d(32 * 4);
  std::vector<uint32_t> e(32, 0x44444444);
  kernel.buffer(a).buffer(b).buffer(c).buffer(e).buffer(d);
  EXPECT_TRUE(kernel.run().ok());
  e[4 * 3 + 2] = 0x44544444; // row 11, columns 4 to 7 of its first word: 1, 1
  LaunchReport report = kernel.run();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::BadOperand);
  EXPECT_EQ(report.findings[0].thread.x, 14u);
  EXPECT_NE(report.text().find("invalid 2:4 metadata 0x5 (word 0x44544444) for "
                               "row 11, columns 4 to 7"),
            std::string::npos)
      << report.text();
  // Lanes that the selector does not name may hold anything.
  e[4 * 3 + 2] = 0x44444444;
  e[4 * 3 + 1] = 0;
  EXPECT_TRUE(kernel.run().ok());
}

} // namespace
