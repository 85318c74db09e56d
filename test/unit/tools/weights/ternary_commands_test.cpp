//===- ternary_commands_test.cpp - pack --format ternary ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"
#include "io/safetensors.h"
#include "io/sfpk.h"
#include "run_tool.h"
#include "temp_dir.h"
#include "ternary/pack.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <random>

using namespace sparseflow::rt;
using namespace sparseflow::test;

namespace {

/// a.weight [70, 132] and b.weight [8, 64] in F32, a.bias [70].
class TernaryCommands : public testing::Test {
protected:
  void SetUp() override {
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0, 0.02f);
    a.resize(70 * 132);
    b.resize(8 * 64);
    for (float &value : a)
      value = normal(random);
    for (float &value : b)
      value = normal(random);
    save(in,
         {{"a.weight", SF_DTYPE_F32, {70, 132}},
          {"b.weight", SF_DTYPE_F32, {8, 64}},
          {"a.bias", SF_DTYPE_F32, {70}}},
         {a, b, std::vector<float>(70, 0.5f)});
  }

  static void save(const std::string &path,
                   std::vector<SafetensorsWriter::Tensor> tensors,
                   std::vector<std::vector<float>> values) {
    Expected<SafetensorsWriter> writer =
        SafetensorsWriter::create(path, std::move(tensors), {{"format", "pt"}});
    ASSERT_TRUE(writer.ok()) << writer.status().text();
    for (size_t index : writer->order())
      ASSERT_TRUE(writer->write(values[index].data(),
                                values[index].size() * sizeof(float)));
    ASSERT_TRUE(writer->commit());
  }

  Outcome pack(std::vector<std::string> more,
               const std::string &format = "ternary") {
    std::vector<std::string> line = {"pack", in,  "--format",  format,
                                     "-o",   out, "--include", "weight$"};
    line.insert(line.end(), more.begin(), more.end());
    return runTool(line);
  }

  nlohmann::json reportJson() {
    return nlohmann::json::parse(readFile(dir.path("report.json")));
  }

  TempDir dir;
  std::vector<float> a, b;
  std::string in = dir.path("in.safetensors"), out = dir.path("out.sfpk");
};

} // namespace

TEST_F(TernaryCommands, PackInspectUnpack) {
  Outcome outcome = pack({"--scale", "64", "--scale-type", "f16", "--report",
                          dir.path("report.json")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out,
                       "a.weight: 70 x 132, tern.v1, 1 plane, F16 scale for "
                       "64 columns, from F32 by lloyd: error 0.4"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "2 packed, 1 carried"));
  EXPECT_TRUE(contains(outcome.out, "errors are of weights only"));

  Expected<SfpkFile> file = SfpkFile::open(out);
  ASSERT_TRUE(file.ok()) << file.status().text();
  const SfpkSection *section = file->find("a.weight");
  ASSERT_NE(section, nullptr);
  EXPECT_STREQ(section->layout(), "tern.v1");
  Expected<TernaryFormat> format = section->ternaryFormat();
  ASSERT_TRUE(format.ok());
  std::vector<uint8_t> blob(section->bytes);
  ASSERT_TRUE(file->read(*section, blob.data()));
  std::vector<int8_t> trits(format->tritCount());
  std::vector<float> scales(format->scalesPerPlane()), values(70 * 132);
  ASSERT_TRUE(
      unpackTernary(blob.data(), *format, "a", 1, trits.data(), scales.data()));
  expandTernary(trits.data(), scales.data(), *format, 1, values.data());
  double energy = 0, error = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    energy += double(a[i]) * a[i];
    error += (double(a[i]) - values[i]) * (double(a[i]) - values[i]);
  }

  nlohmann::json report = reportJson();
  EXPECT_EQ(report["format"], "sparseflow-ternary-report");
  ASSERT_EQ(report["tensors"].size(), 2u);
  const nlohmann::json &tensor =
      report["tensors"][report["tensors"][0]["name"] == "a.weight" ? 0 : 1];
  EXPECT_EQ(tensor["scale"], 64);
  EXPECT_EQ(tensor["scale_type"], "F16");
  EXPECT_NEAR(tensor["relative_error"], std::sqrt(error / energy), 1e-6);
  EXPECT_NEAR(tensor["snr_db"], 10 * std::log10(energy / error), 1e-4);
  EXPECT_EQ(tensor["bytes"], blob.size());

  outcome = runTool({"inspect", out, "--verify"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "a.weight  tern.v1  F32   [70, 132], F16 "
                                    "scale for 64 columns"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "ternary codes are right"));

  std::string back = dir.path("back.safetensors");
  ASSERT_EQ(runTool({"unpack", out, "-o", back}).code, 0);
  Expected<SafetensorsFile> dense = SafetensorsFile::open(back);
  ASSERT_TRUE(dense.ok());
  std::vector<float> unpacked(70 * 132);
  ASSERT_TRUE(dense->read(*dense->find("a.weight"), unpacked.data()));
  EXPECT_EQ(unpacked, values);
  EXPECT_EQ(dense->find("a.bias")->shape, std::vector<int64_t>{70});
}

TEST_F(TernaryCommands, EveryBitOfASectionIsChecked) {
  ASSERT_EQ(pack({"--scale", "tensor"}).code, 0);
  Expected<SfpkFile> file = SfpkFile::open(out);
  ASSERT_TRUE(file.ok());
  std::string bytes = readFile(out);
  ASSERT_EQ(runTool({"inspect", out, "--verify"}).code, 0);
  for (size_t byte = 0; byte < bytes.size(); byte += 61) {
    flipBit(out, byte * 8 + byte % 8);
    EXPECT_EQ(runTool({"inspect", out, "--verify"}).code, 1) << byte;
    flipBit(out, byte * 8 + byte % 8);
  }
}

TEST_F(TernaryCommands, LayoutsMethodsAndPlanes) {
  for (const char *layout : {"tern.v1", "ternbp.v1", "tern3.v1"})
    for (const char *method : {"absmean", "twn", "lloyd"}) {
      Outcome outcome = pack({"--layout", layout, "--method", method});
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_STREQ(SfpkFile::open(out)->find("b.weight")->layout(), layout);
    }
  Outcome two = pack({"--planes", "2", "--scale", "32", "--dtype", "bf16"});
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_TRUE(contains(two.out, "2 planes")) << two.out;
  EXPECT_EQ(SfpkFile::open(out)->find("a.weight")->dtype, SF_DTYPE_BF16);
  for (const char *layout : {"tern24.v1", "tern24z.v1"}) {
    Outcome outcome = pack({"--layout", layout}, "ternary24");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(runTool({"inspect", out, "--verify"}).code, 0);
  }
}

TEST_F(TernaryCommands, CalibrationIsByColumn) {
  std::string calibration = dir.path("calibration.safetensors");
  std::vector<float> squares(132, 1), inputs(5 * 64, 2);
  for (int col = 0; col < 132; col += 4)
    squares[col] = 50;
  save(calibration,
       {{"a", SF_DTYPE_F32, {132}}, {"b.weight", SF_DTYPE_F32, {5, 64}}},
       {squares, inputs});
  Outcome outcome =
      pack({"--calibration", calibration, "--report", dir.path("report.json")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "weighted error")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "weights only"));
  for (const nlohmann::json &tensor : reportJson()["tensors"])
    EXPECT_GT(tensor["weighted_relative_error"], 0.1);
  save(calibration, {{"a", SF_DTYPE_F32, {131}}}, {std::vector<float>(131)});
  outcome = pack({"--calibration", calibration});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "expected F32, F16 or BF16 with 132 "
                                    "columns"))
      << outcome.err;
}

TEST_F(TernaryCommands, BitnetCheckpoints) {
  // Two packed rows of 4 columns: 8 rows. The scale divides, or multiplies.
  std::vector<uint8_t> packed = {0x55, 0x56, 0xa5, 0x15,
                                 0x55, 0x95, 0x65, 0x59};
  auto write = [&] {
    Expected<SafetensorsWriter> writer =
        SafetensorsWriter::create(in,
                                  {{"w.weight", SF_DTYPE_U8, {2, 4}},
                                   {"w.weight_scale", SF_DTYPE_F32, {1}}},
                                  {});
    float scale = 4;
    for (size_t index : writer->order())
      ASSERT_TRUE(index == 0 ? writer->write(packed.data(), 8)
                             : writer->write(&scale, 4));
    ASSERT_TRUE(writer->commit());
  };
  write();
  for (auto [linear, scale] :
       {std::pair<const char *, float>{"bitlinear", 0.25f},
        {"autobitlinear", 4.f}}) {
    Outcome outcome = pack({"--import", "bitnet", "--linear-class", linear});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "w.weight: 8 x 4")) << outcome.out;
    Expected<SfpkFile> file = SfpkFile::open(out);
    EXPECT_EQ(file->sections().size(), 1u); // the scale went into the weight
    std::string back = dir.path("back.safetensors");
    ASSERT_EQ(runTool({"unpack", out, "-o", back}).code, 0);
    Expected<SafetensorsFile> dense = SafetensorsFile::open(back);
    const SafetensorsEntry *w = dense->find("w.weight");
    ASSERT_EQ(w->shape, (std::vector<int64_t>{8, 4}));
    EXPECT_EQ(w->dtype, SF_DTYPE_BF16);
    std::vector<uint16_t> values(32);
    ASSERT_TRUE(dense->read(*w, values.data()));
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 4; ++col) {
        int code = packed[row % 2 * 4 + col] >> (row / 2 * 2) & 3;
        uint32_t bits = uint32_t(values[row * 4 + col]) << 16;
        float value;
        std::memcpy(&value, &bits, 4);
        EXPECT_EQ(value, float(code - 1) * scale);
      }
  }
  packed[6] |= 0x0c;
  write();
  Outcome outcome = pack({"--import", "bitnet"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "'w.weight', row 3, column 2: expected a "
                                    "code of 0, 1 or 2, found 3"))
      << outcome.err;
}

TEST_F(TernaryCommands, GgufFiles) {
  // One tensor of one TQ2_0 block.
  std::string file("GGUF\3\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
  auto number = [&](uint64_t value, int bytes) {
    file.append(reinterpret_cast<const char *>(&value), bytes);
  };
  number(1, 8);
  file += "w";
  number(2, 4);
  number(256, 8);
  number(1, 8);
  number(35, 4);
  number(0, 8);
  file.resize((file.size() + 31) / 32 * 32);
  file.append(64, '\xaa');
  file.append("\0\x40", 2); // 2.0
  in = dir.path("model.gguf");
  writeFile(in, file);
  Outcome outcome = runTool({"inspect", in, "--verify"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "GGUF version 3, 1 tensors"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "TQ2_0  [1, 256]"));
  EXPECT_TRUE(contains(outcome.out, "codes of 1 ternary tensors are right"));
  ASSERT_EQ(pack({"--include", "w"}).code, 2); // --include twice
  std::vector<std::string> line = {"pack", in,  "--format",  "ternary",
                                   "-o",   out, "--include", "w"};
  outcome = runTool(line);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "from TQ2_0, zeros 0.0 %")) << outcome.out;
  std::string back = dir.path("back.safetensors");
  ASSERT_EQ(runTool({"unpack", out, "-o", back}).code, 0);
  Expected<SafetensorsFile> dense = SafetensorsFile::open(back);
  std::vector<uint16_t> values(256);
  ASSERT_TRUE(dense->read(*dense->find("w"), values.data()));
  EXPECT_EQ(values, std::vector<uint16_t>(256, 0x4000));
  file[file.size() - 60] = '\xff';
  writeFile(in, file);
  EXPECT_EQ(runTool({"inspect", in, "--verify"}).code, 1);
  outcome = runTool(line);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "'w', row 0, column ")) << outcome.err;
  writeFile(in, file.substr(0, 60));
  EXPECT_EQ(runTool({"inspect", in}).code, 1);
}

// What --include does not name is carried, or left out with a word; it stops
// nothing.
TEST_F(TernaryCommands, GgufTensorsThatNobodyAsksFor) {
  std::string file("GGUF\3\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
  auto number = [&](uint64_t value, int bytes) {
    file.append(reinterpret_cast<const char *>(&value), bytes);
  };
  // TQ2_0, and Q4_K behind it.
  for (auto [name, type, offset] : {std::tuple("w", 35, 0), {"e", 12, 96}}) {
    number(1, 8);
    file += name;
    number(2, 4);
    number(256, 8);
    number(1, 8);
    number(type, 4);
    number(offset, 8);
  }
  file.resize((file.size() + 31) / 32 * 32);
  file.append(64, '\xaa');
  file.append("\0\x40", 2);
  file.resize((file.size() + 31) / 32 * 32);
  file.append(144, '\0');
  in = dir.path("model.gguf");
  writeFile(in, file);
  Outcome outcome =
      runTool({"pack", in, "--format", "ternary", "-o", out, "--include", "w"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out,
                       "left out 'e', Q4_K [1, 256]: --include does not name "
                       "it, and only dense types are carried"))
      << outcome.out;
  outcome = runTool(
      {"pack", in, "--format", "ternary", "-o", out, "--include", "[we]"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "only ternary block types are imported"))
      << outcome.err;
}

TEST_F(TernaryCommands, MistakesAreExplained) {
  auto fails = [&](std::vector<std::string> more, int code,
                   const std::string &text) {
    Outcome outcome = pack(std::move(more));
    EXPECT_EQ(outcome.code, code) << text;
    EXPECT_TRUE(contains(outcome.err + outcome.out, text)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out));
  };
  fails({"--layout", "tern24.v1"}, 2,
        "has the layouts tern.v1, ternbp.v1, tern3.v1");
  fails({"--layout", "tern.v9"}, 2, "expected a layout of quantized weights");
  fails({"--planes", "2", "--method", "twn"}, 2, "choose by lloyd");
  fails({"--threshold", "0.5"}, 2,
        "--threshold is that of --method twn, found --method lloyd");
  fails({"--method", "twn", "--threshold", "-1"}, 2, "--threshold");
  fails({"--planes", "3"}, 2, "planes");
  fails({"--scale", "48"}, 2, "scale");
  fails({"--max-error", "0.2"}, 1,
        "--max-error is 0.200000; narrow --include, use smaller groups or "
        "--planes 2");
  fails({"--import", "bitnet"}, 1, "expects a matrix of type U8, found F32");
  fails({"--calibration", dir.path("none")}, 1, "none");
  a[133] = NAN;
  save(in, {{"a.weight", SF_DTYPE_F32, {70, 132}}}, {a});
  fails({}, 1, "'a.weight', row 1, column 1: expected a finite weight");
}
