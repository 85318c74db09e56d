//===- tune_test.cpp - Tuning and launch plans on the fake driver ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"
#include "run/LaunchPlan.h"
#include "run/Tune.h"
#include "run/TuneTable.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace sparseflow::tools;
using namespace sparseflow::test;
using nlohmann::json;

static FakeDriver &driver() { return FakeDriver::get(); }

namespace {

/// y[T, 8] = x[T, 8] w[8, 8]^T, launched as the kernel `name`.
std::string manifest(const std::string &name) {
  return R"({"format": "sparseflow-bundle", "version": 1, "functions": [
    {"name": "mm", "symbols": ["T"],
     "arguments": [{"name": "x", "dtype": "f16", "shape": ["T", 8]},
                   {"name": "w", "dtype": "f16", "shape": [8, 8]}],
     "results": [{"dtype": "f16", "shape": ["T", 8]}],
     "reference": {"values": 3, "results": [2], "steps": [
       {"op": "matmul", "x": 0, "w": 1, "out": 2, "operands": [],
        "region": {"inputs": 1, "ops": [["truncf", 0]], "yield": 1}}]},
     "programs": [{"target": "sm_90", "image": "mm.cubin", "steps": [
       {"op": "matmul", "loc": "mm.mlir:2", "variants": [
         {"guards": [{"le": ["T", 1000]}],
          "launches": [{"kernel": ")" +
         name + R"(", "grid": 2, "threads": 128,
            "shared_bytes": 0, "cluster": 2, "programmatic": true,
            "args": [{"arg": 0}, {"arg": 1}, {"result": 0}, {"i64": "T"},
              {"tensor_map": {"of": {"arg": 0}, "dtype": "f16",
                "sizes": [8, "T"], "strides": [16], "box": [8, 64],
                "swizzle": 0}}]}]}]}]}]}]})";
}

class TuneTest : public ::testing::Test {
protected:
  void SetUp() override {
    driver().reset();
    char pattern[] = "/tmp/sparseflow-tune-XXXXXX";
    ASSERT_NE(mkdtemp(pattern), nullptr);
    options.directory = pattern;
    options.quiet = true;
    options.samples = 2;
    options.rounds = 2;
    input = {{"format", "sparseflow-tune"},
             {"version", 1},
             {"producer", "sparseflow 0"},
             {"target", "sm_90"},
             {"base_rows", json::array({{{"name", "base"}, {"op", "x"}}})},
             {"shapes", json::array()}};
  }
  void TearDown() override { std::filesystem::remove_all(options.directory); }

  void write(const std::string &name, const std::string &text) {
    std::filesystem::path path = options.directory + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  json read(const char *name) {
    return json::parse(std::ifstream(options.directory + "/" + name));
  }

  /// A candidate whose launches take `us` longer than nothing, and whose
  /// result is wrong in its last element if `damaged`.
  json candidate(const std::string &name, double us, bool damaged = false) {
    write("bundles/" + name + "/manifest.json", manifest(name));
    write("bundles/" + name + "/mm.cubin", ".version 8.5\n");
    driver().addKernel(
        name, 5,
        [=](const FakeLaunch &launch) {
          driver().spend(us - 10);
          auto tokens = static_cast<int64_t>(launch.arguments[3]);
          HostTensor x = HostTensor::allocate(DType::F16, {tokens, 8});
          HostTensor w = HostTensor::allocate(DType::F16, {8, 8});
          HostTensor y = HostTensor::allocate(DType::F16, {tokens, 8});
          auto pointer = [&](size_t i) {
            return reinterpret_cast<uint8_t *>(launch.arguments[i]);
          };
          std::memcpy(x.data.data(), pointer(0), x.data.size());
          std::memcpy(w.data.data(), pointer(1), w.data.size());
          std::vector<float> xs(x.count()), ws(w.count()), ys(y.count());
          widen(x, xs.data());
          widen(w, ws.data());
          for (size_t i = 0; i < ys.size(); ++i)
            for (size_t k = 0; k < 8; ++k)
              ys[i] += xs[i / 8 * 8 + k] * ws[i % 8 * 8 + k];
          if (damaged)
            ys.back() += 1;
          narrow(ys.data(), y);
          std::memcpy(pointer(2), y.data.data(), y.data.size());
        },
        2);
    return {{"row", {{"name", name}, {"op", "matmul"}, {"k", 64}}},
            {"bundle", "bundles/" + name},
            {"model_us", 1.0}};
  }
  void shape(int64_t t, json candidates, const std::string &weights = "dense") {
    input["shapes"].push_back({{"t", t},
                               {"n", 8},
                               {"k", 8},
                               {"weights", weights},
                               {"type", "f16"},
                               {"candidates", std::move(candidates)}});
  }
  int tune() {
    write("tune.json", input.dump());
    return tuneBundles(options);
  }

  TuneOptions options;
  json input;
};

} // namespace

TEST_F(TuneTest, TheFastestRightOneWins) {
  shape(16, {candidate("slow", 40), candidate("fast", 20),
             candidate("wrong", 12, true), candidate("middle", 30)});
  EXPECT_EQ(tune(), ExitCheckFailed);
  json tuned = read("tuned.json");
  EXPECT_EQ(tuned["shapes"][0]["best"], "fast");
  json list = tuned["shapes"][0]["candidates"];
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0]["name"], "fast");
  EXPECT_NEAR(list[0]["us"].get<double>(), 20, 1e-3);
  EXPECT_EQ(list[0]["rounds_us"].size(), 2u);
  EXPECT_EQ(list[2]["name"], "slow");
  EXPECT_EQ(list[3]["name"], "wrong");
  EXPECT_EQ(list[3]["problem"], "the result is wrong");
  EXPECT_FALSE(list[3].contains("us"));
  json table = read("schedules.json");
  EXPECT_EQ(table["format"], "sparseflow-schedules");
  EXPECT_EQ(table["version"], 1);
  ASSERT_EQ(table["rows"].size(), 2u);
  json row = {{"name", "sm_90.dense.n8.k8.t16"},
              {"op", "matmul"},
              {"k", 64},
              {"min_n", 8},
              {"max_n", 8},
              {"min_k", 8},
              {"max_k", 8},
              {"max_tokens", 16}};
  EXPECT_EQ(table["rows"][0], row);
  EXPECT_EQ(table["rows"][1]["name"], "base");
  EXPECT_EQ(table["evidence"][0]["best"], "fast");
  // Everything was given back.
  EXPECT_EQ(driver().allocatedBytes(), 0u);
  EXPECT_EQ(driver().liveObjects(), 0);
}

TEST_F(TuneTest, TheNextCallGoesOn) {
  shape(16, {candidate("one", 20)});
  EXPECT_EQ(tune(), ExitOk);
  size_t launched = driver().launches().size();
  shape(256, {candidate("two", 20)});
  EXPECT_EQ(tune(), ExitOk);
  std::vector<FakeLaunch> all = driver().launches();
  for (size_t i = launched; i < all.size(); ++i)
    ASSERT_EQ(all[i].kernel, "two");
  json rows = read("schedules.json")["rows"];
  ASSERT_EQ(rows.size(), 3u);
  // Small classes first; the last one of an N and K has no limit.
  EXPECT_EQ(rows[0]["max_tokens"], 16);
  EXPECT_EQ(rows[1]["max_tokens"], 0);
  EXPECT_EQ(rows[1]["name"], "sm_90.dense.n8.k8");
  // Another compiler's measurements do not count.
  input["producer"] = "sparseflow 1";
  launched = driver().launches().size();
  EXPECT_EQ(tune(), ExitOk);
  EXPECT_EQ(driver().launches()[launched].kernel, "one");
}

TEST_F(TuneTest, FormsOfOneKindShareARow) {
  shape(16, {candidate("one", 20)}, "ternary_groups_i8.g64.p2");
  shape(16, {candidate("two", 10)}, "ternary_groups_i8.g128");
  shape(16, {candidate("three", 10)}, "2:4");
  EXPECT_EQ(tune(), ExitOk);
  EXPECT_EQ(read("tuned.json")["shapes"].size(), 3u);
  json rows = read("schedules.json")["rows"];
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["name"], "sm_90.sparse.n8.k8.t16");
  EXPECT_EQ(rows[1]["name"], "sm_90.ternary_groups_i8.n8.k8.t16");
  EXPECT_EQ(rows[2]["name"], "base");
  EXPECT_EQ(read("schedules.json")["evidence"].size(), 3u);
  // The next call knows all of them again.
  size_t launched = driver().launches().size();
  EXPECT_EQ(tune(), ExitOk);
  EXPECT_EQ(driver().launches().size(), launched);
}

TEST_F(TuneTest, AnUnusableCandidateCostsOnlyItself) {
  json broken = candidate("broken", 5);
  std::filesystem::remove(options.directory + "/bundles/broken/mm.cubin");
  shape(16, {broken, candidate("good", 20)});
  EXPECT_EQ(tune(), ExitOk);
  json entry = read("tuned.json")["shapes"][0];
  EXPECT_EQ(entry["best"], "good");
  EXPECT_NE(
      entry["candidates"][1]["problem"].get<std::string>().find("mm.cubin"),
      std::string::npos);
}

TEST_F(TuneTest, ALostDeviceEndsIt) {
  shape(16, {candidate("one", 20), candidate("two", 20)});
  driver().failCall("stream_synchronize", 2, SFCU_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(tune(), ExitEnvironment);
  EXPECT_FALSE(std::filesystem::exists(options.directory + "/tuned.json"));
}

TEST_F(TuneTest, RefusesOtherFiles) {
  EXPECT_EQ(tuneBundles(options), ExitBadInput);
  shape(16, {candidate("one", 20)});
  json good = input;
  std::string said;
  auto refused = [&](const json &bad) {
    input = bad;
    testing::internal::CaptureStderr();
    int code = tune();
    said = testing::internal::GetCapturedStderr();
    return code == ExitBadInput;
  };
  auto says = [&](const std::string &part) {
    EXPECT_NE(said.find(part), std::string::npos) << part << "\n in: " << said;
  };
  EXPECT_TRUE(refused("x"));
  json bad = good;
  bad["version"] = 2;
  EXPECT_TRUE(refused(bad));
  for (const char *path : {"/etc/x", "../x", "a/../../x", ""}) {
    bad = good;
    bad["shapes"][0]["candidates"][0]["bundle"] = path;
    EXPECT_TRUE(refused(bad)) << path;
    says(*path ? "expected a path below the directory, found "
               : "the string has 0 bytes, expected 1 to 4096");
  }
  for (const char *key :
       {"format", "producer", "target", "shapes", "base_rows"}) {
    bad = good;
    bad.erase(std::string(key));
    EXPECT_TRUE(refused(bad)) << key;
  }
  for (const char *key : {"t", "n", "k", "weights", "type", "candidates"}) {
    bad = good;
    bad["shapes"][0].erase(std::string(key));
    EXPECT_TRUE(refused(bad)) << key;
  }
  bad = good;
  bad["shapes"][0]["candidates"] = json::array();
  EXPECT_TRUE(refused(bad));
  says("16x8x8-dense-f16 has no candidate, expected at least one; run "
       "sparseflow tune again");
  EXPECT_FALSE(refused(good));
}

TEST_F(TuneTest, PlansAreText) {
  (void)candidate("one", 20);
  ArgumentRequest request;
  ASSERT_TRUE(request.addSize("T=66"));
  std::string bundle = options.directory + "/bundles/one";
  auto plan = planBundle(bundle, "", "", request);
  ASSERT_TRUE(plan) << plan.status().text();
  EXPECT_EQ(*plan, "mm with T = 66\n"
                   "sm_90: workspace of 0 bytes\n"
                   "matmul mm.mlir:2, variant 1 of 1\n"
                   "  one: 2 blocks of 128 threads, 0 bytes of shared memory, "
                   "clusters of 2, PDL\n"
                   "    x\n"
                   "    w\n"
                   "    result 0\n"
                   "    66\n"
                   "    tensor map of x: f16 sizes [8, 66] strides [16] box "
                   "[8, 64] swizzle 0\n");
  auto fails = [&](const char *target, const char *size, const char *expected) {
    ArgumentRequest other;
    if (size)
      (void)other.addSize(size);
    auto found = planBundle(bundle, "", target, other);
    ASSERT_FALSE(found);
    EXPECT_NE(found.status().text().find(expected), std::string::npos)
        << found.status().text();
  };
  fails("sm_80", nullptr,
        "'mm' has no program for sm_80, expected one of sm_90; compile for it");
  fails("", "N=4", ": the function has no such symbol");
  fails("", "T=1001", "none of its 1 variants takes these sizes");
}
