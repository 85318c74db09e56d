//===- check_test.cpp - Kernels whose results are wrong -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch_fixture.h"

#include <atomic>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

using namespace sparseflow::test;
using Json = nlohmann::json;

namespace {

/// A call of "scale" whose kernels write: each fills the result with the number
/// of tokens, or, where `wrong` names it, with one more.
class CheckTest : public DispatchTest {
protected:
  static constexpr int64_t tokens = 10;
  static constexpr size_t resultBytes = tokens * 16;

  void SetUp() override {
    DispatchTest::SetUp();
    addWriters();
    ASSERT_EQ(open(), SF_OK) << sf_last_error();
    uint64_t next =
        (reinterpret_cast<uint64_t>(memory.data()) + 255) / 256 * 256;
    for (uint64_t *address : {&x, &w, &y, &workspace})
      *address = std::exchange(next, next + 8192);
  }
  void addWriters() {
    // Where a kernel of scaleManifest() has its result; the others write to the
    // test's.
    for (auto [name, count] :
         {std::pair("small", 3), {"wide", 2}, {"finish", 2}, {"general", 1}})
      FakeDriver::get().addKernel(
          name, count,
          [this, name = std::string(name)](const FakeLaunch &launch) {
            if (name == "wide" || silent.count(name))
              return;
            char value = static_cast<char>(tokens + wrong.count(name));
            uint64_t to = name == "general" ? y : launch.arguments[1];
            std::memset(reinterpret_cast<void *>(to), value, resultBytes);
          });
  }
  void again() {
    restart();
    addWriters();
  }
  sf_status check(sf_verdict_callback verdict = judge) {
    int64_t shape[] = {tokens, 8}, weights[] = {64, 64};
    sf_tensor arguments[] = {{x, shape, 2, SF_DTYPE_F16, resultBytes},
                             {w, weights, 2, SF_DTYPE_F16, 4608}};
    sf_tensor result = {y, shape, 2, SF_DTYPE_F16, resultBytes};
    return sf_function_check(function, arguments, 2, &result, 1, workspace,
                             tokens * 256, nullptr, verdict, this);
  }
  static void judge(void *user, char *error, size_t bytes) {
    auto &test = *static_cast<CheckTest *>(user);
    ++test.asked;
    auto *found = reinterpret_cast<const char *>(test.y);
    for (size_t i = 0; i < resultBytes; ++i)
      if (found[i] != tokens) {
        std::snprintf(error, bytes, "byte %zu is %d", i, found[i]);
        return;
      }
  }
  /// The kernels of a launch with these buffers.
  std::string runs() {
    size_t before = FakeDriver::get().launches().size();
    int64_t shape[] = {tokens, 8}, weights[] = {64, 64};
    sf_tensor arguments[] = {{x, shape, 2, SF_DTYPE_F16, resultBytes},
                             {w, weights, 2, SF_DTYPE_F16, 4608}};
    sf_tensor result = {y, shape, 2, SF_DTYPE_F16, resultBytes};
    EXPECT_EQ(sf_function_launch(function, arguments, 2, &result, 1, workspace,
                                 tokens * 256, nullptr),
              SF_OK);
    std::string names;
    std::vector<FakeLaunch> launches = FakeDriver::get().launches();
    for (size_t i = before; i < launches.size(); ++i)
      names += (names.empty() ? "" : " ") + launches[i].kernel;
    return names;
  }

  std::vector<char> memory = std::vector<char>(5 * 8192);
  uint64_t x = 0, w = 0, y = 0, workspace = 0;
  std::set<std::string> wrong, silent;
  std::atomic<int> asked{0};
};

} // namespace

TEST_F(CheckTest, WhatIsRightStays) {
  EXPECT_EQ(check(), SF_OK) << sf_last_error();
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(FakeDriver::get().launches().size(), 1u);
  EXPECT_EQ(quarantined().size(), 1u);
  EXPECT_EQ(runs(), "small");
}

TEST_F(CheckTest, AWrongKernelIsQuarantinedAndAnotherRuns) {
  wrong = {"small"};
  std::vector<std::string> reasons;
  sf_dispatch_set_callback(collect, &reasons);
  EXPECT_EQ(check(), SF_OK) << sf_last_error();
  EXPECT_EQ(asked, 2);
  // The results are those of the right variant, and so are the reasons.
  char error[64] = "";
  judge(this, error, sizeof(error));
  EXPECT_STREQ(error, "");
  ASSERT_EQ(reasons.size(), 1u);
  Json reason = Json::parse(reasons[0]);
  EXPECT_EQ(reason["ran"]["kernels"], Json({"wide", "finish"}));
  EXPECT_EQ(reason["others"][0]["why_not"],
            "kernel 'small' is quarantined: a check found wrong results: "
            "byte 0 is 11");
  EXPECT_EQ(runs(), "wide finish");
  // Another process knows.
  again();
  EXPECT_EQ(runs(), "wide finish");
  std::vector<std::string> known = quarantined();
  ASSERT_EQ(known.size(), 2u);
  Json kernel = Json::parse(known[1]);
  EXPECT_EQ(kernel["kernel"], "small");
  EXPECT_EQ(kernel["gpu"], "Fake GPU sm_90");
  EXPECT_EQ(kernel["error"], "a check found wrong results: byte 0 is 11");
  EXPECT_FALSE(kernel["runtime"].get<std::string>().empty());
}

TEST_F(CheckTest, SeveralWrongVariants) {
  wrong = {"small", "finish"};
  EXPECT_EQ(check(), SF_OK) << sf_last_error();
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(runs(), "general");
  // Of a variant of two kernels each may be to blame.
  std::set<std::string> names;
  for (const std::string &line : quarantined())
    if (Json record = Json::parse(line); record.contains("kernel"))
      names.insert(record["kernel"]);
  EXPECT_EQ(names, (std::set<std::string>{"finish", "small", "wide"}));
}

TEST_F(CheckTest, WhatNoKernelWritesIsSeen) {
  EXPECT_EQ(runs(), "small");
  silent = {"small"};
  EXPECT_EQ(check(), SF_OK) << sf_last_error();
  EXPECT_EQ(asked, 2);
  EXPECT_NE(quarantined().back().find("byte 0 is -1"), std::string::npos);
}

TEST_F(CheckTest, WhereNothingIsRightNobodyIsToBlame) {
  wrong = {"small", "finish", "general"};
  EXPECT_EQ(check(), SF_ERROR_UNSUPPORTED);
  expectError({"'scale': the results are wrong, whichever variant of a step "
               "runs, and no kernel is quarantined: byte 0 is 11; look at"});
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(quarantined().size(), 1u);
  wrong.clear();
  EXPECT_EQ(check(), SF_OK);
  EXPECT_EQ(runs(), "small");
}

TEST_F(CheckTest, ADependentStepHasNoOtherVariant) {
  write("manifest.json", scaleManifest());
  again();
  wrong = {"small"};
  EXPECT_EQ(check(), SF_ERROR_UNSUPPORTED);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(quarantined().size(), 1u);
}

// The step that is to blame is the one whose other variant is right.
TEST_F(CheckTest, OfSeveralStepsTheWrongOneIsFound) {
  std::string text = withInStep(R"("independent": true)"), variants;
  for (const char *name : {"one", "other"})
    variants += std::string(variants.empty() ? "" : ", ") +
                R"({"guards": [], "launches": [{"kernel": ")" + name +
                R"(", "grid": 1, "threads": 32, "shared_bytes": 0,
                    "args": [{"arg": 0}, {"workspace": 0}]}]})";
  text.insert(text.find("{\"independent\""),
              R"({"op": "map", "independent": true, "variants": [)" + variants +
                  "]}, ");
  write("manifest.json", text);
  for (const char *culprit : {"one", "small"}) {
    again();
    ASSERT_EQ(sf_dispatch_clear(nullptr), SF_OK);
    again();
    bool spoilt = false;
    for (const char *name : {"one", "other"})
      FakeDriver::get().addKernel(name, 2, [&](const FakeLaunch &launch) {
        spoilt = wrong.count(launch.kernel);
      });
    FakeDriver::get().addKernel("small", 3, [&](const FakeLaunch &launch) {
      std::memset(reinterpret_cast<void *>(y),
                  tokens + (spoilt || wrong.count("small")), resultBytes);
    });
    wrong = {culprit};
    EXPECT_EQ(check(), SF_OK) << sf_last_error();
    std::vector<std::string> known = quarantined();
    ASSERT_EQ(known.size(), 2u);
    EXPECT_EQ(Json::parse(known[1])["kernel"], culprit);
    EXPECT_EQ(runs(), culprit == std::string("one") ? "other small"
                                                    : "one wide finish");
  }
}

TEST_F(CheckTest, AKernelThatFailsMeanwhileIsPassedOver) {
  wrong = {"small"};
  // The second launch is wide's.
  FakeDriver::get().failCall("launch_kernel", 2,
                             SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES);
  EXPECT_EQ(check(), SF_OK) << sf_last_error();
  EXPECT_EQ(runs(), "general");
  EXPECT_EQ(quarantined().size(), 3u);
  again();
  ASSERT_EQ(sf_dispatch_clear(nullptr), SF_OK);
  again();
  FakeDriver::get().failCall("stream_synchronize", 1,
                             SFCU_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(check(), SF_ERROR_DEVICE_LOST);
}

TEST_F(CheckTest, InPlaceIsRefused) {
  std::string text = withInStep(R"("independent": true)");
  std::string result = R"({"dtype": "f16", "shape": ["T", 8]})";
  text.replace(text.find(result), result.size(),
               R"({"dtype": "f16", "shape": ["T", 8], "updates": 0})");
  write("manifest.json", text);
  again();
  EXPECT_EQ(check(), SF_ERROR_UNSUPPORTED);
  expectError({"'scale' updates argument 0 in place, and is not checked: a "
               "second run would read what the first one wrote"});
  EXPECT_EQ(asked, 0);
  EXPECT_TRUE(FakeDriver::get().launches().empty());
  EXPECT_EQ(check(nullptr), SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_function_check: 'verdict' is null"});
}

// Some check, and others launch meanwhile, with memory of their own.
TEST_F(CheckTest, ManyThreads) {
  for (const char *name : {"small", "finish"})
    FakeDriver::get().addKernel(
        name, name == std::string("small") ? 3 : 2, [&](const FakeLaunch &l) {
          char value = l.kernel == "small" ? 7 : static_cast<char>(tokens);
          std::memset(reinterpret_cast<void *>(l.arguments[1]), value,
                      resultBytes);
        });
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      std::vector<char> memory(4 * 65536);
      auto base = (reinterpret_cast<uint64_t>(memory.data()) + 255) / 256 * 256;
      int64_t shape[] = {tokens, 8}, weights[] = {64, 64};
      sf_tensor arguments[] = {{base, shape, 2, SF_DTYPE_F16, resultBytes},
                               {base + 8192, weights, 2, SF_DTYPE_F16, 4608}};
      sf_tensor result = {base + 65536, shape, 2, SF_DTYPE_F16, resultBytes};
      auto verdict = [](void *user, char *error, size_t bytes) {
        if (*static_cast<const char *>(user) != tokens)
          std::snprintf(error, bytes, "wrong");
      };
      for (int i = 0; i < 50; ++i) {
        sf_status status =
            t % 2 ? sf_function_check(function, arguments, 2, &result, 1,
                                      base + 131072, tokens * 256, nullptr,
                                      verdict,
                                      reinterpret_cast<void *>(result.data))
                  : sf_function_launch(function, arguments, 2, &result, 1,
                                       base + 131072, tokens * 256, nullptr);
        bool right = *reinterpret_cast<const char *>(result.data) == tokens;
        failures += status != SF_OK || (t % 2 && !right);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(runs(), "wide finish");
}
