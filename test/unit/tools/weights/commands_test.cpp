//===- commands_test.cpp - pack, unpack and inspect as a user calls them --===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"
#include "io/safetensors.h"
#include "io/sfpk.h"
#include "matrices.h"
#include "run_tool.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

/// layer.weight [70, 12] F32, layer.bias [70] F32, ids [3] I64, and metadata.
class Commands : public testing::Test {
protected:
  void SetUp() override {
    matrix = randomDense(70, 12, 1);
    for (uint16_t &value : matrix.data) // keep f16 and f32 sources equal
      value &= 0xbfff;
    std::vector<float> weight(matrix.data.size());
    for (size_t i = 0; i < weight.size(); ++i)
      weight[i] = halfValue(matrix.data[i]);
    write(weight);
  }

  static float halfValue(uint16_t bits) {
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    float magnitude = exponent == 0
                          ? std::ldexp(float(mantissa), -24)
                          : std::ldexp(float(mantissa + 1024), exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
  }

  void write(const std::vector<float> &weight) {
    bias.assign(70, 1.5f);
    std::vector<int64_t> ids = {1, 2, 3};
    Expected<SafetensorsWriter> writer =
        SafetensorsWriter::create(in,
                                  {{"layer.weight", SF_DTYPE_F32, {70, 12}},
                                   {"layer.bias", SF_DTYPE_F32, {70}},
                                   {"ids", SF_DTYPE_I64, {3}}},
                                  {{"format", "pt"}});
    ASSERT_TRUE(writer.ok()) << writer.status().text();
    ASSERT_EQ(writer->order(), (std::vector<size_t>{2, 0, 1}));
    ASSERT_TRUE(writer->write(ids.data(), 24));
    ASSERT_TRUE(writer->write(weight.data(), weight.size() * 4));
    ASSERT_TRUE(writer->write(bias.data(), 280));
    ASSERT_TRUE(writer->commit());
  }

  Outcome pack(std::vector<std::string> more = {},
               std::function<bool()> interrupted = {}) {
    std::vector<std::string> line = {"pack",    in,   "--include",
                                     "weight$", "-o", out};
    line.insert(line.end(), more.begin(), more.end());
    return runTool(line, std::move(interrupted));
  }

  std::vector<uint8_t> packedWeight() {
    Expected<SfpkFile> file = SfpkFile::open(out);
    EXPECT_TRUE(file.ok()) << file.status().text();
    const SfpkSection *section = file->find("layer.weight");
    EXPECT_NE(section, nullptr);
    std::vector<uint8_t> blob(section->bytes);
    EXPECT_TRUE(file->read(*section, blob.data()));
    return blob;
  }

  TempDir dir;
  Dense matrix{0, 0};
  std::vector<float> bias;
  std::string in = dir.path("in.safetensors"), out = dir.path("out.sfpk");
};

} // namespace

TEST_F(Commands, PackPrunesConvertsAndCarries) {
  Outcome outcome = pack();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, ""); // no bar: not a terminal
  EXPECT_TRUE(contains(outcome.out, "layer.weight: 70 x 12, F32 -> F16 2:4"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "kept energy"));
  EXPECT_TRUE(contains(outcome.out, "1 packed, 2 carried"));
  EXPECT_EQ(packedWeight(), referencePack(referencePrune(matrix)));
  Expected<SfpkFile> file = SfpkFile::open(out);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->find("layer.bias")->kind, SF_SECTION_DENSE);
  EXPECT_EQ(file->find("ids")->dtype, SF_DTYPE_I64);
  std::vector<float> carried(70);
  ASSERT_TRUE(file->read(*file->find("layer.bias"), carried.data()));
  EXPECT_EQ(carried, bias);
}

TEST_F(Commands, KeptEnergyIsTheShareOfSquares) {
  std::vector<float> weight(840);
  for (size_t i = 0; i < weight.size(); ++i)
    weight[i] = i % 4 + 1; // 1 2 3 4: keeps 25 of 30
  write(weight);
  Outcome outcome = pack();
  EXPECT_TRUE(
      contains(outcome.out, "kept energy 83.33 %, non-zeros 840 -> 420"))
      << outcome.out;
}

TEST_F(Commands, RoundTripThroughUnpack) {
  ASSERT_EQ(pack({"--threads", "2"}).code, 0);
  std::string back = dir.path("back.safetensors");
  Outcome outcome = runTool({"unpack", out, "-o", back});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  Expected<SafetensorsFile> file = SafetensorsFile::open(back);
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_EQ(file->header().metadata[0].second, "pt");
  std::vector<uint16_t> dense(840);
  ASSERT_TRUE(file->read(*file->find("layer.weight"), dense.data()));
  EXPECT_EQ(dense, referencePrune(matrix).data);
  EXPECT_EQ(file->find("layer.bias")->shape, std::vector<int64_t>{70});
  // What was unpacked is 2:4: it packs without pruning, to the same bytes.
  std::vector<uint8_t> first = packedWeight();
  std::string again = dir.path("again.sfpk");
  ASSERT_EQ(
      runTool({"pack", back, "--include", "weight$", "--no-prune", "-o", again})
          .code,
      0);
  out = again;
  EXPECT_EQ(packedWeight(), first);
}

// What a program keeps as [K, N] is packed as [N, K], the same as its
// transpose.
TEST_F(Commands, TransposesWhatIsKeptAsKN) {
  auto writeMatrix = [&](const std::vector<float> &weight,
                         std::vector<int64_t> shape) {
    Expected<SafetensorsWriter> writer = SafetensorsWriter::create(
        in, {{"layer.weight", SF_DTYPE_F32, std::move(shape)}}, {});
    ASSERT_TRUE(writer.ok()) << writer.status().text();
    ASSERT_TRUE(writer->write(weight.data(), weight.size() * 4));
    ASSERT_TRUE(writer->commit());
  };
  // 70 rows: no multiple of the blocks in which it is transposed.
  std::vector<float> rows(840), columns(840);
  for (size_t i = 0; i < 70; ++i)
    for (size_t j = 0; j < 12; ++j)
      rows[i * 12 + j] = columns[j * 70 + i] =
          halfValue(matrix.data[i * 12 + j]);
  writeMatrix(rows, {70, 12});
  ASSERT_EQ(pack().code, 0);
  std::vector<uint8_t> expected = packedWeight();
  writeMatrix(columns, {12, 70});
  Outcome outcome = pack({"--transpose", "layer"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "70 x 12 (transposed)")) << outcome.out;
  EXPECT_EQ(packedWeight(), expected);
  EXPECT_EQ(SfpkFile::open(out)->find("layer.weight")->shape,
            (std::vector<int64_t>{70, 12}));
  writeMatrix(rows, {70, 12});
  outcome = pack({"--transpose", "layer"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "a number of rows that is a multiple of 4"))
      << outcome.err;
  EXPECT_EQ(pack({"--transpose", "layer", "--format", "ternary"}).code, 2);
}

TEST_F(Commands, TypesAreChosenOrKept) {
  ASSERT_EQ(pack({"--dtype", "bf16"}).code, 0);
  EXPECT_EQ(SfpkFile::open(out)->find("layer.weight")->dtype, SF_DTYPE_BF16);
  std::string back = dir.path("back.safetensors");
  ASSERT_EQ(runTool({"unpack", out, "-o", back}).code, 0);
  in = back; // now BF16, and stays so
  ASSERT_EQ(pack().code, 0);
  EXPECT_EQ(SfpkFile::open(out)->find("layer.weight")->dtype, SF_DTYPE_BF16);
  ASSERT_EQ(pack({"--dtype", "f16"}).code, 0);
  EXPECT_EQ(SfpkFile::open(out)->find("layer.weight")->dtype, SF_DTYPE_F16);
}

TEST_F(Commands, NoPruneRefusesDenseWeights) {
  Outcome outcome = pack({"--no-prune"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "'layer.weight', row 0, column "))
      << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(dir.names(), std::vector<std::string>{"in.safetensors"});
}

TEST_F(Commands, RefusesNanAndOverflow) {
  std::vector<float> weight(840, 1.f);
  weight[25] = NAN;
  write(weight);
  Outcome outcome = pack();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "'layer.weight': element 25"))
      << outcome.err;
  EXPECT_EQ(pack({"--allow-nonfinite"}).code, 0);
  weight[25] = 1e9f;
  write(weight);
  outcome = pack();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "1 of 840 elements exceed the range"))
      << outcome.err;
  EXPECT_EQ(pack({"--dtype", "bf16"}).code, 0);
}

TEST_F(Commands, SelectionMistakesAreExplained) {
  Outcome outcome = runTool({"pack", in, "--include", "nothing", "-o", out});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "no tensor")) << outcome.err;
  outcome = runTool({"pack", in, "--include", "bias", "-o", out});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "'layer.bias'") &&
              contains(outcome.err, "expected a matrix"))
      << outcome.err;
  outcome = runTool({"pack", in, "--include", "ids", "-o", out});
  EXPECT_TRUE(contains(outcome.err, "its type is I64")) << outcome.err;
  outcome = runTool({"pack", in, "--include", "(", "-o", out});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "not a regular expression"));
  EXPECT_EQ(pack({"--exclude", "bias|ids"}).code, 0);
  EXPECT_EQ(SfpkFile::open(out)->find("layer.bias"), nullptr);
  EXPECT_EQ(SfpkFile::open(out)->find("ids"), nullptr);
}

TEST_F(Commands, UsageMistakes) {
  EXPECT_EQ(runTool({"pack", in, "-o", out}).code, 2);
  EXPECT_EQ(runTool({"pack", in, "--include", "x"}).code, 2);
  EXPECT_EQ(pack({"--format", "1:4"}).code, 2);
  EXPECT_EQ(pack({"--dtype", "f8"}).code, 2);
  EXPECT_EQ(pack({"--threads", "0"}).code, 2);
  EXPECT_EQ(pack({"--threads", "x"}).code, 2);
  EXPECT_EQ(runTool({}).code, 2);
  EXPECT_EQ(runTool({"pack", "--help"}).code, 0);
}

TEST_F(Commands, FilesThatCannotBeUsed) {
  EXPECT_EQ(runTool({"inspect", dir.path("none")}).code, 1);
  EXPECT_EQ(runTool({"inspect", dir.path()}).code, 1);
  EXPECT_EQ(runTool({"unpack", in, "-o", out}).code, 1); // not a .sfpk
  std::string missing = dir.path("none/out.sfpk");
  Outcome outcome = runTool({"pack", in, "--include", "weight", "-o", missing});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(contains(outcome.err, "none/out.sfpk")) << outcome.err;
  writeFile(dir.path("cut"), readFile(in).substr(0, 500));
  EXPECT_EQ(runTool({"inspect", dir.path("cut")}).code, 1);
}

TEST_F(Commands, OutputMayBeTheInput) {
  ASSERT_EQ(pack().code, 0);
  std::vector<uint8_t> expected = packedWeight();
  out = in;
  ASSERT_EQ(pack().code, 0);
  EXPECT_EQ(packedWeight(), expected);
  ASSERT_EQ(runTool({"unpack", in, "-o", in}).code, 0);
  EXPECT_TRUE(SafetensorsFile::open(in));
}

TEST_F(Commands, InterruptionLeavesNothingBehind) {
  writeFile(out, "old");
  int asked = 0;
  Outcome outcome = pack({}, [&] { return ++asked == 2; });
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(readFile(out), "old");
  EXPECT_EQ(dir.names().size(), 2u);
}

TEST_F(Commands, InspectListsBothFormats) {
  Outcome outcome = runTool({"inspect", in});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.out, "safetensors, 3 tensors")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "metadata format = pt"));
  EXPECT_TRUE(contains(outcome.out, "layer.weight  F32   [70, 12]   3360"))
      << outcome.out;
  ASSERT_EQ(pack().code, 0);
  outcome = runTool({"inspect", out, "--verify"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.out, ".sfpk version 1, 4 sections"));
  EXPECT_TRUE(contains(outcome.out, "layer.weight  sf24.v1  F16   [70, 12]"))
      << outcome.out;
  EXPECT_TRUE(
      contains(outcome.out, "all checksums, 2:4 metadata and ternary codes"));
  flipBit(out, readFile(out).size() * 8 - 1);
  EXPECT_EQ(runTool({"inspect", out}).code, 0);
  EXPECT_EQ(runTool({"inspect", out, "--verify"}).code, 1);
}

TEST_F(Commands, NamesFromFilesDoNotReachTheTerminal) {
  Expected<SafetensorsWriter> writer = SafetensorsWriter::create(
      in, {{"evil\x1b[2Jweight", SF_DTYPE_F16, {1, 4}}}, {});
  ASSERT_TRUE(writer.ok());
  uint16_t data[4] = {1, 2, 3, 4};
  ASSERT_TRUE(writer->write(data, 8));
  ASSERT_TRUE(writer->commit());
  Outcome outcome = pack();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_FALSE(contains(outcome.out, "\x1b"));
  EXPECT_TRUE(contains(outcome.out, "evil\\x1b[2J"));
  EXPECT_FALSE(contains(runTool({"inspect", out}).out, "\x1b"));
}
