//===- MatrixTest.cpp - ldmatrix, stmatrix, cp.async ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

using namespace mlir::sparseflow::sim;

namespace {

const char *const declarations = R"(
@shared = external addrspace(3) global [0 x i8], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.wait.all()
)";

/// Copies all of a buffer to shared memory, loads or stores `count` matrices
/// whose row r is at byte 16 * rows[r], and copies shared memory back.
std::string matrixKernel(bool load, int count, bool transposed) {
  std::string suffix = ".sync.aligned.m8n8.x" + std::to_string(count) +
                       (transposed ? ".trans" : "") + ".b16.p3";
  std::string name =
      "@llvm.nvvm." + std::string(load ? "ld" : "st") + "matrix" + suffix;
  std::string registers, operands;
  for (int i = 0; i < count; ++i) {
    registers += i ? ", i32" : "i32";
    operands += ", i32 %v" + std::to_string(i);
  }
  std::string result = count == 1 ? "i32" : "{" + registers + "}";
  std::string text = declarations;
  text +=
      load ? "declare " + result + " " + name + "(ptr addrspace(3))\n"
           : "declare void " + name + "(ptr addrspace(3), " + registers + ")\n";
  text += R"(
define ptx_kernel void @k(ptr addrspace(1) %data, ptr addrspace(1) %rows, ptr addrspace(1) %values) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = getelementptr <4 x i32>, ptr addrspace(1) %data, i32 %t
  %line = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %t
  %v = load <4 x i32>, ptr addrspace(1) %in
  store <4 x i32> %v, ptr addrspace(3) %line
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %rp = getelementptr i32, ptr addrspace(1) %rows, i32 %t
  %r = load i32, ptr addrspace(1) %rp
  %row = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %r
  %vi = mul i32 %t, )" +
          std::to_string(count) + "\n";
  if (load)
    text += "  %m = call " + result + " " + name + "(ptr addrspace(3) %row)\n";
  for (int i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    text += "  %i" + n + " = add i32 %vi, " + n + "\n  %p" + n +
            " = getelementptr i32, ptr addrspace(1) %values, i32 %i" + n + "\n";
    if (!load)
      text += "  %v" + n + " = load i32, ptr addrspace(1) %p" + n + "\n";
    else if (count == 1)
      text += "  store i32 %m, ptr addrspace(1) %p0\n";
    else
      text += "  %v" + n + " = extractvalue " + result + " %m, " + n +
              "\n  store i32 %v" + n + ", ptr addrspace(1) %p" + n + "\n";
  }
  if (!load)
    text += "  call void " + name + "(ptr addrspace(3) %row" + operands + ")\n";
  text += R"(
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load <4 x i32>, ptr addrspace(3) %line
  store <4 x i32> %w, ptr addrspace(1) %in
  ret void
})";
  return text;
}

class Matrix : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(Matrix, LoadsAndStores) {
  auto [count, transposed] = GetParam();
  // Row r of the i-th matrix lies at a place of its own, in no order.
  std::vector<uint32_t> rows(32);
  for (uint32_t i = 0; i < 32; ++i)
    rows[i] = (i * 11 + 5) % 32;
  std::vector<uint16_t> data(32 * 8);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<uint16_t>(i * 3 + 1);
  // What the manual's figure says lane l holds of matrix m: two elements of
  // row l/4, from column l%4*2.
  auto element = [&](int matrix, int row, int column) -> uint16_t & {
    return data[rows[matrix * 8 + row] * 8 + column];
  };
  std::vector<uint16_t> values(32 * 2 * count, 0);
  TestKernel load(matrixKernel(true, count, transposed));
  LaunchReport report = load.buffer(data)
                            .buffer(rows, false)
                            .buffer(values)
                            .run({}, {32, 1, 1}, 512);
  ASSERT_TRUE(report.ok()) << report.text();
  for (int lane = 0; lane < 32; ++lane)
    for (int m = 0; m < count; ++m)
      for (int i = 0; i < 2; ++i) {
        int row = lane / 4, column = lane % 4 * 2 + i;
        EXPECT_EQ(values[(lane * count + m) * 2 + i],
                  transposed ? element(m, column, row)
                             : element(m, row, column));
      }
  // Stores put them where loads found them.
  std::vector<uint16_t> original = data;
  for (int m = 0; m < count; ++m)
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column)
        element(m, row, column) = 0;
  TestKernel store(matrixKernel(false, count, transposed));
  report = store.buffer(data)
               .buffer(rows, false)
               .buffer(values, false)
               .run({}, {32, 1, 1}, 512);
  ASSERT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(data, original);
}

INSTANTIATE_TEST_SUITE_P(All, Matrix,
                         testing::Combine(testing::Values(1, 2, 4),
                                          testing::Bool()));

TEST(MatrixErrors, RowsOutsideAndUnaligned) {
  std::vector<uint16_t> data(32 * 8), values(32 * 4);
  std::vector<uint32_t> rows(32, 0);
  rows[9] = 32;
  TestKernel outside(matrixKernel(true, 2, false));
  LaunchReport report =
      outside.buffer(data).buffer(rows).buffer(values).run({}, {32, 1, 1}, 512);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(report.findings[0].thread.x, 9u);
  // Lanes from 16 up give no addresses to ldmatrix.x2.
  rows[9] = 0;
  rows[16] = 32;
  EXPECT_TRUE(outside.run({}, {32, 1, 1}, 512).ok());
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// Thread t copies to 16 * t and stores what it then finds there.
std::string copyKernel(const std::string &body) {
  return std::string(declarations) + R"(
define ptx_kernel void @k(ptr addrspace(1) %data, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr <4 x i32>, ptr addrspace(1) %data, i32 %t
  %to = getelementptr <4 x i32>, ptr addrspace(3) @shared, i32 %t
  %po = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %t
)" + body +
         R"(
  %v = load <4 x i32>, ptr addrspace(3) %to
  store <4 x i32> %v, ptr addrspace(1) %po
  ret void
})";
}

struct Copy : testing::Test {
  std::vector<uint32_t> data = std::vector<uint32_t>(32 * 4);
  std::vector<uint32_t> out = std::vector<uint32_t>(32 * 4);
  void SetUp() override {
    for (size_t i = 0; i < data.size(); ++i)
      data[i] = static_cast<uint32_t>(i + 1);
  }
  LaunchReport run(const std::string &body, SimulatorOptions options = {}) {
    TestKernel kernel(copyKernel(body), options);
    return kernel.buffer(data, false).buffer(out).run({}, {32, 1, 1}, 512);
  }
};

const char *const issue = "  call void @llvm.nvvm.cp.async.cg.shared.global.16("
                          "ptr addrspace(3) %to, ptr addrspace(1) %from)\n";
const char *const commit = "  call void @llvm.nvvm.cp.async.commit.group()\n";
const char *const wait0 = "  call void @llvm.nvvm.cp.async.wait.group(i32 0)\n";

TEST_F(Copy, LandsAtTheWait) {
  ASSERT_TRUE(run(std::string(issue) + commit + wait0).ok());
  EXPECT_EQ(out, data);
  ASSERT_TRUE(
      run(std::string(issue) + "  call void @llvm.nvvm.cp.async.wait.all()\n")
          .ok());
  EXPECT_EQ(out, data);
}

TEST_F(Copy, IsGarbageBefore) {
  for (std::string body :
       {std::string(issue), std::string(issue) + commit,
        // Not committed, so the wait has nothing to wait for.
        std::string(issue) + wait0,
        // The latest group may be pending.
        std::string(issue) + commit +
            "  call void @llvm.nvvm.cp.async.wait.group(i32 1)\n"}) {
    ASSERT_TRUE(run(body).ok());
    EXPECT_EQ(out, std::vector<uint32_t>(32 * 4, 0xffffffff));
  }
  SimulatorOptions early;
  early.asyncCopies = AsyncCopies::Early;
  ASSERT_TRUE(run(issue, early).ok());
  EXPECT_EQ(out, data);
}

TEST_F(Copy, GroupsLandInOrder) {
  // After a wait for all groups but one the first is there.
  const char *const next =
      "  %from1 = getelementptr i8, ptr addrspace(1) %data, i32 0\n"
      "  %to1 = getelementptr i8, ptr addrspace(3) @shared, i32 512\n"
      "  call void @llvm.nvvm.cp.async.cg.shared.global.16("
      "ptr addrspace(3) %to1, ptr addrspace(1) %from1)\n";
  TestKernel kernel(
      copyKernel(std::string(issue) + commit + next + commit +
                 "  call void @llvm.nvvm.cp.async.wait.group(i32 1)\n"));
  ASSERT_TRUE(kernel.buffer(data).buffer(out).run({}, {32, 1, 1}, 528).ok());
  EXPECT_EQ(out, data);
}

TEST_F(Copy, FillsWithZeros) {
  ASSERT_TRUE(run("  %n = and i32 %t, 15\n"
                  "  call void @llvm.nvvm.cp.async.cg.shared.global.16.s("
                  "ptr addrspace(3) %to, ptr addrspace(1) %from, i32 %n)\n" +
                  std::string(commit) + wait0)
                  .ok());
  auto *bytes = reinterpret_cast<uint8_t *>(out.data());
  auto *source = reinterpret_cast<uint8_t *>(data.data());
  for (int t = 0; t < 32; ++t)
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(bytes[16 * t + i], i < t % 16 ? source[16 * t + i] : 0);
  // Nothing is read when the size is 0: the address may be anywhere.
  EXPECT_TRUE(run("  %far = getelementptr i8, ptr addrspace(1) %data, i64 "
                  "1048576\n"
                  "  call void @llvm.nvvm.cp.async.cg.shared.global.16.s("
                  "ptr addrspace(3) %to, ptr addrspace(1) %far, i32 0)\n" +
                  std::string(commit) + wait0)
                  .ok());
  EXPECT_EQ(out, std::vector<uint32_t>(32 * 4, 0));
  LaunchReport report =
      run("  call void @llvm.nvvm.cp.async.cg.shared.global.16.s("
          "ptr addrspace(3) %to, ptr addrspace(1) %from, i32 17)\n");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::BadOperand);
}

TEST_F(Copy, SmallSizes) {
  ASSERT_TRUE(run("  store <4 x i32> zeroinitializer, ptr addrspace(3) %to\n"
                  "  %to8 = getelementptr i8, ptr addrspace(3) %to, i32 8\n"
                  "  call void @llvm.nvvm.cp.async.ca.shared.global.4("
                  "ptr addrspace(3) %to, ptr addrspace(1) %from)\n"
                  "  call void @llvm.nvvm.cp.async.ca.shared.global.8.s("
                  "ptr addrspace(3) %to8, ptr addrspace(1) %from, i32 4)\n" +
                  std::string(commit) + wait0)
                  .ok());
  for (int t = 0; t < 32; ++t) {
    EXPECT_EQ(out[4 * t], data[4 * t]);
    EXPECT_EQ(out[4 * t + 1], 0u);
    EXPECT_EQ(out[4 * t + 2], data[4 * t]);
    EXPECT_EQ(out[4 * t + 3], 0u);
  }
}

TEST_F(Copy, ChecksAlignmentAndBounds) {
  LaunchReport report =
      run("  %odd = getelementptr i8, ptr addrspace(1) %from, i32 8\n"
          "  call void @llvm.nvvm.cp.async.cg.shared.global.16("
          "ptr addrspace(3) %to, ptr addrspace(1) %odd)\n");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::Misaligned);
  report = run("  %below = getelementptr i8, ptr addrspace(3) %to, i32 -16\n"
               "  call void @llvm.nvvm.cp.async.cg.shared.global.16("
               "ptr addrspace(3) %below, ptr addrspace(1) %from)\n");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(report.findings[0].thread.x, 0u);
}

} // namespace
