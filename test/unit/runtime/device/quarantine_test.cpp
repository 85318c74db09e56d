//===- quarantine_test.cpp - Kernels that fail are passed over ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch_fixture.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

using namespace sparseflow::test;
using Json = nlohmann::json;

namespace {
const int faults[] = {
    SFCU_ERROR_INVALID_VALUE,           SFCU_ERROR_INVALID_IMAGE,
    SFCU_ERROR_NO_BINARY_FOR_GPU,       SFCU_ERROR_INVALID_PTX,
    SFCU_ERROR_UNSUPPORTED_PTX_VERSION, SFCU_ERROR_NOT_FOUND,
    SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES};
const int traps[] = {SFCU_ERROR_ILLEGAL_ADDRESS,
                     SFCU_ERROR_LAUNCH_TIMEOUT,
                     SFCU_ERROR_ASSERT,
                     SFCU_ERROR_HARDWARE_STACK_ERROR,
                     SFCU_ERROR_ILLEGAL_INSTRUCTION,
                     SFCU_ERROR_MISALIGNED_ADDRESS,
                     SFCU_ERROR_INVALID_ADDRESS_SPACE,
                     SFCU_ERROR_INVALID_PC,
                     SFCU_ERROR_LAUNCH_FAILED};
} // namespace

TEST_F(DispatchTest, AnotherVariantRunsWhereAKernelFails) {
  for (int fault : faults) {
    ASSERT_EQ(sf_dispatch_clear(nullptr), SF_OK);
    restart();
    FakeDriver::get().failCall("launch_kernel", 1, fault);
    EXPECT_EQ(ran(10), "wide finish");
    // Nobody tries again.
    EXPECT_EQ(ran(10), "wide finish");
    restart();
    EXPECT_EQ(ran(10), "wide finish");
    std::vector<std::string> known = quarantined();
    ASSERT_EQ(known.size(), 2u);
    EXPECT_EQ(Json::parse(known[0])["store"], store);
    Json kernel = Json::parse(known[1]);
    EXPECT_EQ(kernel["kernel"], "small");
    EXPECT_EQ(kernel["gpu"], "Fake GPU sm_90");
    EXPECT_EQ(kernel["driver"].get<std::string>().substr(0, 4), "13.0");
    EXPECT_NE(kernel["error"].get<std::string>().find("FAKE_ERROR_" +
                                                      std::to_string(fault)),
              std::string::npos);
    EXPECT_FALSE(kernel["image"].get<std::string>().empty());
    EXPECT_FALSE(kernel["runtime"].get<std::string>().empty());
    EXPECT_GT(kernel["time"].get<int64_t>(), 1700000000);
  }
  int64_t count = -1;
  ASSERT_EQ(sf_dispatch_clear(&count), SF_OK);
  EXPECT_EQ(count, 1);
  restart();
  EXPECT_EQ(ran(10), "small");
}

// Every order in which up to three launches of a call may fail.
TEST_F(DispatchTest, FailuresInEveryOrder) {
  for (unsigned failing = 0; failing < 16; ++failing) {
    ASSERT_EQ(sf_dispatch_clear(nullptr), SF_OK);
    restart();
    for (int nth = 1; nth <= 4; ++nth)
      if (failing & (1u << (nth - 1)))
        FakeDriver::get().failCall("launch_kernel", nth,
                                   SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES);
    std::string names = ran(10);
    // The last variant that ran is complete, or the error says why none is.
    auto endsWith = [&](const std::string &end) {
      return names.size() >= end.size() &&
             names.compare(names.size() - end.size(), end.size(), end) == 0;
    };
    bool complete =
        endsWith("small") || endsWith("wide finish") || endsWith("general");
    bool refused = names.find("FAKE_ERROR_701") != std::string::npos;
    EXPECT_TRUE(complete != refused) << failing << ": " << names;
    // small fails, then wide or finish, then general.
    bool all = (failing & 1) && ((failing & 6) == 6 || (failing & 14) == 12);
    EXPECT_EQ(refused, all) << failing << ": " << names;
    // The next call works in any case.
    restart();
    EXPECT_EQ(launch(10), SF_OK) << failing;
  }
}

TEST_F(DispatchTest, WhatNobodyIsToBlameForIsTriedAgain) {
  ASSERT_EQ(open(), SF_OK);
  constexpr int captureInvalidated = 901, invalidHandle = 400;
  for (int error :
       {int(SFCU_ERROR_OUT_OF_MEMORY), int(SFCU_ERROR_INVALID_CONTEXT),
        captureInvalidated, invalidHandle}) {
    FakeDriver::get().failCall("launch_kernel", 1, error);
    EXPECT_NE(launch(10), SF_OK);
    EXPECT_EQ(ran(10), "small");
  }
  EXPECT_EQ(quarantined().size(), 1u);
}

TEST_F(DispatchTest, ATrapIsKnownToTheNextProcess) {
  for (int trap : traps) {
    ASSERT_EQ(sf_dispatch_clear(nullptr), SF_OK);
    restart();
    EXPECT_EQ(ran(10), "small");
    // As a caller sees it, who waits for the stream.
    EXPECT_EQ(sf_context_report(context, trap, "waiting"),
              SF_ERROR_DEVICE_LOST);
    EXPECT_EQ(launch(10), SF_ERROR_DEVICE_LOST);
    restart();
    EXPECT_EQ(ran(10), "wide finish") << trap;
    std::vector<std::string> known = quarantined();
    ASSERT_EQ(known.size(), 2u);
    EXPECT_EQ(Json::parse(known[1])["kernel"], "small");
  }
  // Hardware that failed, or a context that somebody destroyed, is no kernel's
  // fault.
  for (int error :
       {SFCU_ERROR_ECC_UNCORRECTABLE, SFCU_ERROR_CONTEXT_IS_DESTROYED}) {
    ASSERT_EQ(sf_dispatch_clear(nullptr), SF_OK);
    restart();
    EXPECT_EQ(ran(10), "small");
    sf_context_report(context, error, "waiting");
    EXPECT_EQ(quarantined().size(), 1u);
  }
}

TEST_F(DispatchTest, OfSeveralKernelsEachMayHaveTrapped) {
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(ran(10), "small");
  EXPECT_EQ(ran(18), "wide finish");
  FakeDriver::get().failCall("launch_kernel", 1, SFCU_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(launch(18), SF_ERROR_DEVICE_LOST);
  std::vector<std::string> known = quarantined();
  ASSERT_EQ(known.size(), 4u);
  for (size_t i = 1; i < known.size(); ++i)
    EXPECT_NE(known[i].find("(one of the last 3 kernels)"), std::string::npos);
  restart();
  EXPECT_EQ(ran(18), "general");
}

TEST_F(DispatchTest, WhatIsQuarantinedRunsWhereNothingElseCan) {
  write("manifest.json", scaleManifest());
  ASSERT_EQ(open(), SF_OK);
  FakeDriver::get().failCall("launch_kernel", 1,
                             SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES);
  EXPECT_EQ(launch(10), SF_ERROR_DRIVER);
  EXPECT_EQ(quarantined().size(), 2u);
  std::vector<std::string> reasons;
  sf_dispatch_set_callback(collect, &reasons);
  EXPECT_EQ(ran(10), "small");
  ASSERT_EQ(reasons.size(), 1u);
  std::string because = Json::parse(reasons[0])["because"];
  EXPECT_EQ(because.find("nothing else can run; kernel 'small' is quarantined: "
                         "launching kernel 'small'"),
            0u)
      << because;
}

TEST_F(DispatchTest, AKernelThatIsMissingRulesOutItsVariant) {
  FakeDriver::get().reset();
  sf_dispatch_set_store(store.c_str());
  for (const char *name : {"wide", "finish"})
    FakeDriver::get().addKernel(name, 2);
  FakeDriver::get().addKernel("general", 1);
  ASSERT_EQ(open(), SF_OK);
  std::vector<std::string> reasons;
  sf_dispatch_set_callback(collect, &reasons);
  EXPECT_EQ(ran(10), "wide finish");
  ASSERT_EQ(reasons.size(), 1u);
  EXPECT_NE(reasons[0].find("looking up kernel 'small'"), std::string::npos);
  // Where guards decide, it cannot be replaced.
  write("manifest.json", scaleManifest());
  sf_bundle *other = nullptr;
  sf_function *scale = nullptr;
  ASSERT_EQ(sf_bundle_load(context, directory.c_str(), &other), SF_OK);
  ASSERT_EQ(sf_bundle_function(other, "scale", &scale), SF_OK);
  EXPECT_EQ(sf_function_prepare(scale), SF_ERROR_DRIVER);
  expectError({"looking up kernel 'small'"});
  sf_bundle_destroy(other);
}

TEST_F(DispatchTest, AllKernelsMissingIsAnError) {
  FakeDriver::get().reset();
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(launch(10), SF_ERROR_DRIVER);
  expectError({"looking up kernel 'small'"});
}

TEST_F(DispatchTest, TuningPassesOverWhatFails) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  // The first launch of the second variant; small has 16 of a capture.
  FakeDriver::get().failCall("launch_kernel", 17,
                             SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES);
  ASSERT_EQ(tune(10), SF_OK) << sf_last_error();
  EXPECT_EQ(ran(10), "general");
  std::vector<std::string> known = quarantined();
  ASSERT_EQ(known.size(), 2u);
  EXPECT_EQ(Json::parse(known[1])["kernel"], "wide");
}

TEST_F(DispatchTest, ThreadsMeetAFailingKernel) {
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(sf_function_prepare(function), SF_OK);
  FakeDriver::get().failCall("launch_kernel", 50,
                             SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        failures += launch(10) != SF_OK;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(ran(10), "wide finish");
}

namespace {
/// Kernels that a file beside the bundle names.
class KnownBadTest : public DispatchTest {
protected:
  void TearDown() override {
    unsetenv("SPARSEFLOW_KNOWN_BAD");
    DispatchTest::TearDown();
  }
  void list(const std::string &kernels) {
    write("bad.json", R"({"version": 1, "kernels": [)" + kernels + "]}");
    setenv("SPARSEFLOW_KNOWN_BAD", (directory + "/bad.json").c_str(), 1);
  }
};
} // namespace

TEST_F(KnownBadTest, IsNotUsed) {
  list(R"({"kernel": "small", "reason": "wrong for NaN"})");
  ASSERT_EQ(open(), SF_OK);
  std::vector<std::string> reasons;
  sf_dispatch_set_callback(collect, &reasons);
  EXPECT_EQ(ran(10), "wide finish");
  ASSERT_EQ(reasons.size(), 1u);
  EXPECT_EQ(Json::parse(reasons[0])["others"][0]["why_not"],
            "its kernel is known to be bad: wrong for NaN");
}

TEST_F(KnownBadTest, HoldsForWhatItNames) {
  const std::pair<const char *, const char *> entries[] = {
      {R"("gpu": "Fake GPU sm_90")", "wide finish"},
      {R"("gpu": "Fake GPU*")", "wide finish"},
      {R"("gpu": "Fake GPU")", "small"},
      {R"("gpu": "NVIDIA H200 sm_90")", "small"},
      {R"("driver": "13.0*")", "wide finish"},
      {R"("driver": "12.*")", "small"},
      {R"("image": "*")", "wide finish"},
      {R"("image": "00000000-1")", "small"},
      {R"("sizes": [{"symbol": "T", "from": 10}])", "wide finish"},
      {R"("sizes": [{"symbol": "T", "from": 10, "to": 10}])", "wide finish"},
      {R"("sizes": [{"symbol": "T", "from": 11}])", "small"},
      {R"("sizes": [{"symbol": "T", "from": 0, "to": 9}])", "small"}};
  for (auto [members, expected] : entries) {
    list(std::string(R"({"kernel": "sm*", "reason": "r", )") + members + "}");
    restart();
    EXPECT_EQ(ran(10), expected) << members;
  }
}

TEST_F(KnownBadTest, ComesBeforeTimes) {
  // small is the fastest, and is not measured at the sizes where it is bad.
  microseconds = {{"small", 0}, {"wide", 5}, {"finish", 5}, {"general", 50}};
  restart();
  ASSERT_EQ(tune(10), SF_OK);
  EXPECT_EQ(ran(10), "small");
  list(R"({"kernel": "small", "reason": "r",
           "sizes": [{"symbol": "T", "from": 8, "to": 12}]})");
  restart();
  EXPECT_EQ(ran(10), "wide finish");
  EXPECT_EQ(ran(7), "small");
  ASSERT_EQ(tune(12), SF_OK);
  EXPECT_EQ(FakeDriver::get().calls("graph_launch"), 2 * 3);
}

TEST_F(KnownBadTest, NothingTakesItsPlaceWhereGuardsDecide) {
  write("manifest.json", scaleManifest());
  for (const char *sizes : {"", R"(, "sizes": [{"symbol": "T", "from": 0}])"}) {
    list(std::string(R"({"kernel": "small", "reason": "wrong for NaN")") +
         sizes + "}");
    restart();
    EXPECT_EQ(launch(10), SF_ERROR_UNSUPPORTED);
    expectError({"none of its 3 variants accepts this call for T = 10",
                 "; variant 0: its kernel is known to be bad: wrong for NaN"});
    EXPECT_EQ(ran(18), "wide finish");
  }
}

TEST_F(KnownBadTest, AListThatCannotBeReadIsAnError) {
  ASSERT_EQ(open(), SF_OK);
  setenv("SPARSEFLOW_KNOWN_BAD", "/none/bad.json", 1);
  EXPECT_EQ(sf_function_prepare(function), SF_ERROR_IO);
  expectError({"SPARSEFLOW_KNOWN_BAD: ", "/none/bad.json"});
  const std::pair<const char *, const char *> wrong[] = {
      {"{", "not valid JSON"},
      {"{}", "list: member 'version' is missing"},
      {R"({"version": 2})",
       "list.version: this runtime reads version 1, found version 2"},
      {R"({"version": 1, "kernels": [{"kernel": "k"}]})",
       "list.kernels[0]: member 'reason' is missing"},
      {R"({"version": 1, "kernels": [{"reason": "r"}]})",
       "list.kernels[0]: member 'kernel' is missing"},
      {R"({"version": 1, "kernels": [{"kernel": "k", "reason": "r",
           "sizes": [{"symbol": "T", "from": 3, "to": 2}]}]})",
       "sizes[0].to: expected an integer from 3 to "}};
  for (auto [text, error] : wrong) {
    write("bad.json", text);
    setenv("SPARSEFLOW_KNOWN_BAD", (directory + "/bad.json").c_str(), 1);
    EXPECT_EQ(sf_function_prepare(function), SF_ERROR_FORMAT);
    expectError({"SPARSEFLOW_KNOWN_BAD: '", error});
  }
  unsetenv("SPARSEFLOW_KNOWN_BAD");
  EXPECT_EQ(ran(10), "small");
}
