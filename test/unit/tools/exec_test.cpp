//===- exec_test.cpp - Running bundles on the fake driver -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"
#include "arguments/Npy.h"
#include "ffn_fixture.h"
#include "io/sfpk.h"
#include "run/CudaRunner.h"
#include "run/ExecBundle.h"
#include "sparseflow/weights.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace sparseflow::tools;
using namespace sparseflow::test;

static FakeDriver &driver() { return FakeDriver::get(); }

/// One kernel that gets every buffer; its body computes the function from the
/// device's memory, packed weight and all.
class ExecTest : public ::testing::Test {
protected:
  void SetUp() override {
    driver().reset();
    char pattern[] = "/tmp/sparseflow-exec-XXXXXX";
    ASSERT_NE(mkdtemp(pattern), nullptr);
    options.bundle = pattern;
    write("manifest.json", ffnManifest("f16", R"([{"target": "sm_90",
      "image": "ffn.cubin", "workspace": ["mul", "T", 256], "steps": [
       {"op": "matmul", "variants": [{"launches": [{"kernel": "all",
        "grid": "T", "threads": 128, "shared_bytes": 0, "args": [
         {"arg": 0}, {"arg": 1}, {"arg": 2}, {"arg": 3}, {"arg": 4},
         {"arg": 5}, {"arg": 6}, {"result": 0}, {"i64": ["mul", "B", "T"]},
         {"workspace": 0}]}]}]}]}])"));
    write("ffn.cubin", ".version 8.5\n");
    driver().addKernel("all", 10, [this](const FakeLaunch &l) { kernel(l); });
    options.quiet = true;
    options.check = "full";
    (void)options.request.addSize("B=2");
    (void)options.request.addSize("T=21");
  }
  void TearDown() override { std::filesystem::remove_all(options.bundle); }

  void write(const char *name, const std::string &text) {
    std::ofstream(options.bundle + "/" + name) << text;
  }

  void kernel(const FakeLaunch &launch) {
    auto tokens = static_cast<int64_t>(launch.arguments[8]);
    Ffn ffn(1, tokens);
    for (size_t i = 0; i < 7; ++i) {
      const auto *from = reinterpret_cast<const uint8_t *>(launch.arguments[i]);
      HostTensor &dense = ffn.set.arguments[i].dense;
      if (i == 1)
        ASSERT_EQ(sf_unpack24(from, 4608, 24, 32, 1, dense.data.data(),
                              dense.data.size()),
                  SF_OK);
      else
        std::memcpy(dense.data.data(), from, dense.data.size());
    }
    auto plain = evaluatePlainly(ffn.set.referenceCall(ffn.reference()));
    ASSERT_TRUE(plain);
    HostTensor result = HostTensor::allocate(DType::F16, {tokens * 8});
    narrow((*plain)[0].data.data(), result);
    auto *to = reinterpret_cast<uint8_t *>(launch.arguments[7]);
    weight.assign(reinterpret_cast<const char *>(launch.arguments[1]), 4608);
    if (damage)
      damage(result);
    std::memcpy(to, result.data.data(), result.data.size() - unwritten);
  }

  /// Puts the 2:4 matrix w1, all ones where the pattern allows, and the bias b1
  /// of `features` f32 elements into the bundle; returns the packed blob.
  std::string writeWeights(int64_t features) {
    std::vector<uint16_t> dense(24 * 32);
    for (size_t i = 0; i < dense.size(); ++i)
      dense[i] = i % 4 < 2 ? 0x3c00 : 0;
    std::string blob(4608, 0);
    EXPECT_EQ(sf_pack24(dense.data(), 24, 32, SF_DTYPE_F16, nullptr,
                        blob.data(), blob.size(), nullptr),
              SF_OK);
    std::vector<float> bias(features, 0.25f);
    using namespace sparseflow::rt;
    SfpkSection w1{"w1", SF_SECTION_PACKED24, SF_DTYPE_F16, {24, 32}};
    SfpkSection b1{"b1", SF_SECTION_DENSE, SF_DTYPE_F32, {features}};
    SfpkSection other{"other", SF_SECTION_DENSE, SF_DTYPE_F32, {features}};
    auto writer = SfpkWriter::create(weightsPath(), {w1, b1, other});
    EXPECT_TRUE(writer && writer->write(blob.data(), blob.size()) &&
                writer->write(bias.data(), bias.size() * 4) &&
                writer->write(bias.data(), bias.size() * 4) &&
                writer->commit());
    return blob;
  }
  std::string weightsPath() const { return options.bundle + "/weights.sfpk"; }

  ExecOptions options;
  /// What the last launch got as w1.
  std::string weight;
  std::function<void(HostTensor &)> damage;
  size_t unwritten = 0;
};

TEST_F(ExecTest, RunsAndChecks) {
  options.repeat = 4;
  EXPECT_EQ(execBundle(options), ExitOk);
  EXPECT_EQ(driver().launches().size(), 4u);
  // Everything was given back.
  EXPECT_EQ(driver().allocatedBytes(), 0u);
  EXPECT_EQ(driver().liveObjects(), 0);
}

TEST_F(ExecTest, GraphsTimingAndReports) {
  options.graph = true;
  options.repeat = 3;
  options.time = 5;
  options.json = options.bundle + "/report.json";
  options.saveResult = options.bundle + "/y.npy";
  EXPECT_EQ(execBundle(options), ExitOk);
  EXPECT_EQ(driver().calls("stream_begin_capture"), 2);
  EXPECT_EQ(driver().liveObjects(), 0);
  nlohmann::json report = nlohmann::json::parse(std::ifstream(options.json));
  EXPECT_EQ(report["ok"], true);
  EXPECT_EQ(report["device"]["name"], "Fake GPU");
  EXPECT_EQ(report["device"]["target"], "sm_90");
  EXPECT_EQ(report["sizes"]["T"], 21);
  EXPECT_EQ(report["launches"], 3);
  EXPECT_EQ(report["check"]["results"][0]["elements"], 2 * 21 * 8);
  EXPECT_EQ(report["timing"]["samples"], 5);
  // The fake clock advances 10 microseconds a launch.
  EXPECT_NEAR(report["timing"]["median_us"], 10, 1e-3);
  auto array = readNpy(options.saveResult);
  ASSERT_TRUE(array);
  EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 21, 8}));
}

TEST_F(ExecTest, WrongResultsExitWithFour) {
  damage = [](HostTensor &result) { result.data.data()[101] ^= 0x10; };
  EXPECT_EQ(execBundle(options), ExitCheckFailed);
  damage = nullptr;
  unwritten = 2;
  EXPECT_EQ(execBundle(options), ExitCheckFailed);
  unwritten = 0;
  int launch = 0;
  damage = [&](HostTensor &result) { result.data.data()[0] ^= launch++ == 1; };
  options.repeat = 3;
  EXPECT_EQ(execBundle(options), ExitCheckFailed);
}

TEST_F(ExecTest, SizeZero) {
  options.request.sizes = {{"B", 2}, {"T", 0}};
  options.time = 3;
  options.graph = true;
  EXPECT_EQ(execBundle(options), ExitOk);
  EXPECT_TRUE(driver().launches().empty());
}

TEST_F(ExecTest, SampledCheck) {
  options.check = "sampled:5";
  EXPECT_EQ(execBundle(options), ExitOk);
  for (const char *bad : {"some", "sampled:", "sampled:0", "sampled:x"}) {
    options.check = bad;
    EXPECT_EQ(execBundle(options), ExitBadInput) << bad;
  }
}

TEST_F(ExecTest, WeightsOfTheBundle) {
  std::string blob = writeWeights(24);
  options.json = options.bundle + "/report.json";
  ASSERT_EQ(execBundle(options), ExitOk);
  EXPECT_EQ(weight, blob);
  auto origins = [&] {
    std::vector<std::string> result;
    nlohmann::json report = nlohmann::json::parse(std::ifstream(options.json));
    for (const nlohmann::json &argument : report["arguments"])
      result.push_back(argument["origin"]);
    return result;
  };
  EXPECT_EQ(origins(),
            (std::vector<std::string>{"random:0", weightsPath() + ":w1",
                                      weightsPath() + ":b1", "random:0",
                                      "random:0", "random:0", "random:0"}));
  // What the user says wins, by name and by index.
  (void)options.request.addArgument("w1=random:7");
  (void)options.request.addArgument("2=random:8");
  ASSERT_EQ(execBundle(options), ExitOk);
  EXPECT_NE(weight, blob);
  EXPECT_EQ(origins()[1], "random:7");
  EXPECT_EQ(origins()[2], "random:8");
}

TEST_F(ExecTest, WeightsThatDoNotFitOrAreDamaged) {
  // Unless the user gives that argument.
  writeWeights(25);
  EXPECT_EQ(execBundle(options), ExitBadInput);
  (void)options.request.addArgument("b1=random:1");
  EXPECT_EQ(execBundle(options), ExitOk);
  std::filesystem::resize_file(weightsPath(), 5000);
  EXPECT_EQ(execBundle(options), ExitBadInput);
  std::filesystem::remove(weightsPath());
  std::filesystem::create_symlink("nowhere", weightsPath());
  EXPECT_EQ(execBundle(options), ExitBadInput);
  EXPECT_EQ(driver().allocatedBytes(), 0u);
}

TEST_F(ExecTest, BadInputAndMissingDevices) {
  ExecOptions good = options;
  options.entry = "other";
  EXPECT_EQ(execBundle(options), ExitBadInput);
  options = good;
  options.bundle = "/nonexistent";
  EXPECT_EQ(execBundle(options), ExitBadInput);
  options = good;
  options.device = 3;
  EXPECT_EQ(execBundle(options), ExitEnvironment);
  options = good;
  (void)options.request.addArgument("x=/nonexistent.npy");
  EXPECT_EQ(execBundle(options), ExitBadInput);
  options = good;
  options.json = "/nonexistent/report.json";
  EXPECT_EQ(execBundle(options), ExitEnvironment);
  options = good;
  options.saveResult = "/nonexistent/y.npy";
  EXPECT_EQ(execBundle(options), ExitEnvironment);
  options = good;
  driver().major = 8;
  EXPECT_EQ(execBundle(options), ExitBadInput);
  driver().major = 9;
  driver().memoryBytes = 1 << 10;
  EXPECT_EQ(execBundle(options), ExitEnvironment);
  EXPECT_EQ(driver().allocatedBytes(), 0u);
}

TEST_F(ExecTest, OneOfSeveralFunctionsIsNamed) {
  nlohmann::json manifest = nlohmann::json::parse(ffnManifest());
  manifest["functions"].push_back(manifest["functions"][0]);
  manifest["functions"][1]["name"] = "gnn";
  write("manifest.json", manifest.dump());
  testing::internal::CaptureStderr();
  EXPECT_EQ(execBundle(options), ExitBadInput);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "error: name the function with --entry; the bundle has ffn, gnn\n");
}

TEST_F(ExecTest, EveryDriverCallMayFail) {
  options.graph = true;
  options.repeat = 2;
  options.time = 2;
  ASSERT_EQ(execBundle(options), ExitOk);
  std::map<std::string, int> calls;
  for (const std::string &name : driver().trace())
    ++calls[name];
  EXPECT_GE(calls.size(), 30u);
  for (auto &[name, count] : calls) {
    // Giving things back, restoring a mode and asking for a version for the
    // report cannot fail a run that is right.
    if (name.find("destroy") != std::string::npos || name == "mem_free" ||
        name == "module_unload" || name == "primary_ctx_release" ||
        name == "thread_exchange_capture_mode")
      continue;
    for (int nth : {1, 2}) {
      if (nth > count || (name == "driver_get_version" && nth == 2))
        continue;
      for (sfcu_result error :
           {SFCU_ERROR_OUT_OF_MEMORY, SFCU_ERROR_ILLEGAL_ADDRESS}) {
        driver().reset();
        driver().addKernel("all", 10,
                           [this](const FakeLaunch &l) { kernel(l); });
        driver().failCall(name, nth, error);
        EXPECT_EQ(execBundle(options), ExitEnvironment)
            << name << " " << nth << " " << error;
        EXPECT_EQ(driver().allocatedBytes(), 0u) << name << " " << nth;
        if (error == SFCU_ERROR_OUT_OF_MEMORY) {
          EXPECT_EQ(driver().liveObjects(), 0) << name << " " << nth;
        }
      }
    }
  }
}

TEST(Summary, Percentiles) {
  std::vector<double> samples;
  for (int i = 100; i >= 1; --i)
    samples.push_back(i);
  Timing timing = summarize(samples);
  EXPECT_EQ(timing.minUs, 1);
  EXPECT_EQ(timing.medianUs, 50.5);
  EXPECT_EQ(timing.p90Us, 90);
  EXPECT_EQ(timing.p95Us, 95);
  EXPECT_EQ(timing.p99Us, 99);
  EXPECT_DOUBLE_EQ(timing.meanUs, 50.5);
  // Of 1 to n: (n^2 - 1) / 12.
  EXPECT_DOUBLE_EQ(timing.standardDeviationUs, std::sqrt(9999.0 / 12));
  EXPECT_EQ(summarize({3}).p95Us, 3);
  EXPECT_EQ(summarize({}).samples, 0);
  timing.medianUs = 1000;
  timing.flops = 1e12;
  EXPECT_DOUBLE_EQ(timing.effectiveTflops(), 1000);
}
