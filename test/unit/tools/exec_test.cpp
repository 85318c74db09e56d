//===- exec_test.cpp - Running bundles on the fake driver -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaRunner.h"
#include "ExecBundle.h"
#include "FakeDriver.h"
#include "Npy.h"
#include "ffn_fixture.h"

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
    if (damage)
      damage(result);
    std::memcpy(to, result.data.data(), result.data.size() - unwritten);
  }

  ExecOptions options;
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
  EXPECT_EQ(execBundle(options), ExitBadInput);
  options = good;
  driver().major = 8;
  EXPECT_EQ(execBundle(options), ExitBadInput);
  driver().major = 9;
  driver().memoryBytes = 1 << 10;
  EXPECT_EQ(execBundle(options), ExitEnvironment);
  EXPECT_EQ(driver().allocatedBytes(), 0u);
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
  EXPECT_EQ(timing.p95Us, 95);
  EXPECT_EQ(summarize({3}).p95Us, 3);
  EXPECT_EQ(summarize({}).samples, 0);
  timing.medianUs = 1000;
  timing.flops = 1e12;
  EXPECT_DOUBLE_EQ(timing.effectiveTflops(), 1000);
}
