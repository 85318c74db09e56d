//===- dispatch_test.cpp - Which variant runs, and why --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/call.h"
#include "dispatch_fixture.h"
#include "quiet_driver.h"

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

using namespace sparseflow;
using namespace sparseflow::test;
using Json = nlohmann::json;

TEST_F(DispatchTest, TakesTheCompilersOrderUntilSomethingIsMeasured) {
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(ran(10), "small");
  EXPECT_EQ(ran(18), "wide finish");
  EXPECT_EQ(ran(18, 0x10002), "general");
}

TEST_F(DispatchTest, TakesTheFastestOfTheMeasured) {
  // small takes 40, wide and finish 20 together, general 10.
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(10), SF_OK) << sf_last_error();
  EXPECT_EQ(ran(10), "general");
  // Nothing is known of other sizes, and guards still decide.
  EXPECT_EQ(ran(12), "small");
  ASSERT_EQ(tune(18), SF_OK);
  EXPECT_EQ(ran(18), "general");
  EXPECT_EQ(ran(10), "general");
}

TEST_F(DispatchTest, BetweenMeasuredSizesTheWinnerOfBothRuns) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(6), SF_OK);
  ASSERT_EQ(tune(12), SF_OK);
  // general won at 6 and at 12.
  EXPECT_EQ(ran(6), "general");
  for (int64_t tokens : {7, 9, 11})
    EXPECT_EQ(ran(tokens), "general") << tokens;
  // Before and behind, nothing is known.
  EXPECT_EQ(ran(5), "small");
  EXPECT_EQ(ran(13), "small");
  // More than a factor of two.
  ASSERT_EQ(tune(25), SF_OK);
  EXPECT_EQ(ran(13), "small");
  EXPECT_EQ(ran(24), "wide finish");
  ASSERT_EQ(tune(24), SF_OK);
  EXPECT_EQ(ran(13), "general");
  EXPECT_EQ(ran(23), "general");
  restart();
  EXPECT_EQ(ran(23), "general");
}

TEST_F(DispatchTest, WhereTheWinnerChangesTheCompilersOrderHolds) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(12), SF_OK);
  EXPECT_EQ(ran(12), "general");
  microseconds = {{"small", 30}, {"wide", 0}, {"finish", 0}, {"general", 50}};
  restart();
  ASSERT_EQ(tune(18), SF_OK);
  EXPECT_EQ(ran(18), "wide finish");
  EXPECT_EQ(ran(14), "small");
}

TEST_F(DispatchTest, GuardsAndQuarantineComeBeforeTheWinnerOfBoth) {
  // wide wins.
  microseconds = {{"small", 30}, {"wide", 0}, {"finish", 0}, {"general", 50}};
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(10), SF_OK);
  ASSERT_EQ(tune(14), SF_OK);
  EXPECT_EQ(ran(12), "wide finish");
  // An address that wide does not take: the compiler's order.
  EXPECT_EQ(ran(12, 0x10002), "small");
  std::vector<std::string> reasons;
  ASSERT_EQ(sf_dispatch_set_callback(collect, &reasons), SF_OK);
  EXPECT_EQ(ran(12), "wide finish");
  EXPECT_EQ(ran(12, 0x10002), "small");
  ASSERT_EQ(reasons.size(), 2u);
  Json won = Json::parse(reasons[0]);
  EXPECT_EQ(won["because"], "the fastest measured at 10 and at 14");
  EXPECT_FALSE(won["ran"].contains("microseconds"));
  ASSERT_EQ(won["others"].size(), 2u);
  EXPECT_EQ(won["others"][0]["why_not"],
            "not the fastest at the measured sizes before and behind");
  EXPECT_EQ(Json::parse(reasons[1])["because"],
            "the first of the compiler's order whose guards hold");
  ASSERT_EQ(sf_dispatch_set_callback(nullptr, nullptr), SF_OK);
  auto *loaded = reinterpret_cast<rt::LoadedFunction *>(function);
  auto program = loaded->load();
  ASSERT_TRUE(program);
  (*program)->dispatch->quarantine("finish", "it failed");
  EXPECT_EQ(ran(12), "small");
}

// The compiler makes one kernel for several intervals.
TEST_F(DispatchTest, VariantsOfTheSameKernelsWinTogether) {
  std::string text = withInStep(R"("independent": true)");
  size_t small = text.find(R"({"guards": [{"le": ["T", 16]}])");
  text.insert(small, R"({"guards": [{"le": ["T", 12]}],
    "launches": [{"kernel": "general", "grid": "T", "threads": 256,
      "shared_bytes": 1024, "args": [{"arg": 1}]}]}, )");
  write("manifest.json", text);
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  // At 12 the first variant wins, at 20 the last one, which is the same.
  ASSERT_EQ(tune(12), SF_OK);
  ASSERT_EQ(tune(20), SF_OK);
  EXPECT_EQ(ran(12), "general");
  EXPECT_EQ(ran(20), "general");
  EXPECT_EQ(ran(14), "general");
  EXPECT_EQ(ran(18), "general");
  EXPECT_EQ(ran(22), "wide finish");
}

TEST_F(DispatchTest, MeasuresAgain) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(10), SF_OK);
  microseconds = {{"small", 0}, {"wide", 5}, {"finish", 5}, {"general", 50}};
  addKernels();
  ASSERT_EQ(tune(10), SF_OK);
  EXPECT_EQ(ran(10), "small");
}

TEST_F(DispatchTest, GuardsComeBeforeTimes) {
  microseconds = {{"small", 30}, {"wide", 0}, {"finish", 0}, {"general", 25}};
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(10), SF_OK);
  EXPECT_EQ(ran(10), "wide finish");
  // An address that wide does not take: the next of the order.
  EXPECT_EQ(ran(10, 0x10002), "general");
}

TEST_F(DispatchTest, AnotherProcessKnowsTheTimes) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(10), SF_OK);
  restart();
  EXPECT_EQ(ran(10), "general");
  EXPECT_EQ(ran(12), "small");
}

TEST_F(DispatchTest, TimesHoldForTheirBundleImageAndGpu) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(10), SF_OK);
  write("scale.sm_90.cubin", ".version 8.5\n.target sm_90\n// other\n");
  restart();
  EXPECT_EQ(ran(10), "small");
  write("scale.sm_90.cubin", ".version 8.5\n.target sm_90\n");
  restart();
  EXPECT_EQ(ran(10), "general");
  write("manifest.json", withInStep(R"("independent":  true)"));
  restart();
  EXPECT_EQ(ran(10), "small");
  write("manifest.json", withInStep(R"("independent": true)"));
  FakeDriver::get().minor = 1; // reset() puts it back to 0.
  sf_bundle_destroy(bundle);
  sf_context_destroy(context);
  bundle = nullptr;
  context = nullptr;
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(ran(10), "small");
}

TEST_F(DispatchTest, WithoutIndependenceTheFirstVariantRuns) {
  write("manifest.json", scaleManifest());
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(10), SF_OK);
  EXPECT_EQ(ran(10), "small");
  EXPECT_EQ(FakeDriver::get().calls("graph_launch"), 0);
}

TEST_F(DispatchTest, TuneRunsTheFunction) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(10, 3), SF_OK);
  // One replay of 16 launches to warm up and three that count, of each variant,
  // and once the variant that was chosen until now.
  EXPECT_EQ(FakeDriver::get().calls("graph_launch"), 12);
  EXPECT_EQ(FakeDriver::get().launches().size(), 16u * 4 * (1 + 2 + 1) + 1);
  EXPECT_EQ(FakeDriver::get().launches().back().kernel, "small");
  // The context, the module, and nothing of the tuning.
  EXPECT_EQ(FakeDriver::get().liveObjects(), 2);
  EXPECT_EQ(tune(0), SF_OK);
}

TEST_F(DispatchTest, CallsTakeTurns) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  const std::vector<uint64_t> xs = {0x10000, 0x60000, 0x70000};
  ASSERT_EQ(tuneCalls(xs, {10, 10, 10}), SF_OK) << sf_last_error();
  // 16 launches and two more, so that each call has its turn as often.
  std::vector<uint64_t> found;
  for (const FakeLaunch &launch : FakeDriver::get().launches())
    if (launch.kernel == "small")
      found.push_back(launch.arguments[0]);
  // Three replays, and each call once with what was chosen before.
  ASSERT_EQ(found.size(), 18u * 3 + 3);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i], xs[i % 3]);
  EXPECT_EQ(FakeDriver::get().liveObjects(), 2);
  EXPECT_EQ(ran(10), "general");
  EXPECT_EQ(tuneCalls({0x10000, 0x60000}, {10, 11}), SF_ERROR_INVALID_ARGUMENT);
  expectError({"expected calls of the same sizes to tune with, found others in "
               "call 1"});
  EXPECT_EQ(tuneCalls({0x10001}, {10}), SF_ERROR_INVALID_ARGUMENT);
  sf_call none = {};
  EXPECT_EQ(sf_function_tune_calls(function, &none, 0, 2, 1, nullptr, 1),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"expected at least 1 call to tune with, found 0"});
  EXPECT_EQ(sf_function_tune_calls(function, nullptr, 1, 2, 1, nullptr, 1),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_function_tune_calls: 'calls' is null"});
}

TEST_F(DispatchTest, TuneRefusesWhatALaunchRefuses) {
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(tune(10, 0), SF_ERROR_INVALID_ARGUMENT);
  expectError({"expected at least 1 replay, found 0"});
  EXPECT_EQ(tune(-1), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(tune(1001), SF_ERROR_UNSUPPORTED);
  expectError({"none of its 3 variants accepts this call for T = 1001"});
  EXPECT_EQ(sf_function_tune(nullptr, nullptr, 0, nullptr, 0, 0, 0, nullptr, 1),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_function_tune: 'function' is null"});
}

TEST_F(DispatchTest, TuneSurvivesEveryFailingCall) {
  for (const char *call :
       {"stream_create", "stream_synchronize", "event_create", "event_record",
        "event_synchronize", "event_elapsed_time", "stream_begin_capture",
        "stream_end_capture", "graph_instantiate", "graph_launch"})
    for (int nth : {1, 2}) {
      restart();
      FakeDriver::get().failCall(call, nth, SFCU_ERROR_OUT_OF_MEMORY);
      bool never = tune(10) == SF_OK;
      EXPECT_TRUE(!never || (nth == 2 && std::string(call) == "stream_create"))
          << call;
      EXPECT_EQ(FakeDriver::get().liveObjects(), 2) << call << " " << nth;
      // It was nobody's fault.
      EXPECT_EQ(quarantined().size(), 1u) << call;
      EXPECT_EQ(launch(10), SF_OK);
    }
}

TEST_F(DispatchTest, ReasonsSayWhatRanAndWhatElseCould) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  std::vector<std::string> reasons;
  ASSERT_EQ(sf_dispatch_set_callback(collect, &reasons), SF_OK);
  EXPECT_EQ(ran(18), "wide finish");
  ASSERT_EQ(tune(18), SF_OK);
  EXPECT_EQ(ran(18), "general");
  ASSERT_EQ(sf_dispatch_set_callback(nullptr, nullptr), SF_OK);
  EXPECT_EQ(ran(18), "general");
  ASSERT_EQ(reasons.size(), 2u);

  Json first = Json::parse(reasons[0]);
  EXPECT_EQ(first["function"], "scale");
  EXPECT_EQ(first["gpu"], "Fake GPU sm_90");
  EXPECT_EQ(first["sizes"], (Json{{"T", 18}}));
  EXPECT_EQ(first["step"], 0);
  EXPECT_EQ(first["op"], "matmul");
  EXPECT_EQ(first["loc"], "scale.mlir:3");
  EXPECT_EQ(first["ran"], (Json{{"variant", 1},
                                {"kernels", {"wide", "finish"}},
                                {"form", "dense"}}));
  EXPECT_EQ(first["because"],
            "the first of the compiler's order whose guards hold");
  ASSERT_EQ(first["others"].size(), 2u);
  EXPECT_EQ(first["others"][0]["why_not"], "18 <= 16 does not hold");
  EXPECT_EQ(first["others"][1]["form"], "n:m");
  EXPECT_EQ(first["others"][1]["why_not"],
            "behind the chosen one in the compiler's order");

  Json second = Json::parse(reasons[1]);
  EXPECT_EQ(second["because"], "the fastest of 2 measured");
  EXPECT_NEAR(second["ran"]["microseconds"].get<double>(), 10, 1e-3);
  EXPECT_EQ(second["others"][1]["why_not"], "slower");
  EXPECT_NEAR(second["others"][1]["microseconds"].get<double>(), 20, 1e-3);
}

TEST_F(DispatchTest, SummaryCountsCallsAndTime) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  auto summary = [] {
    std::vector<std::string> lines;
    EXPECT_EQ(sf_dispatch_summary(collect, &lines), SF_OK);
    return Json::parse(lines.at(0))["summary"];
  };
  Json before = summary();
  std::vector<std::string> reasons;
  sf_dispatch_set_callback(collect, &reasons);
  EXPECT_EQ(ran(18), "wide finish"); // Reads no packed weight.
  ASSERT_EQ(tune(18), SF_OK);
  EXPECT_EQ(ran(18), "general"); // Does.
  Json after = summary();
  auto grown = [&](const char *what) {
    return after[what].get<double>() - before[what].get<double>();
  };
  EXPECT_EQ(grown("calls"), 2);
  EXPECT_EQ(grown("measured_calls"), 1);
  EXPECT_NEAR(grown("microseconds"), 10, 1e-3);
  EXPECT_EQ(grown("compared_with_dense"), 1);
  EXPECT_NEAR(grown("gained_microseconds"), 10, 1e-3);
  EXPECT_EQ(sf_dispatch_summary(nullptr, nullptr), SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_dispatch_summary: 'callback' is null"});
}

TEST_F(DispatchTest, OptInKernelsRunWhereTheyAreAskedFor) {
  std::string text = withInVariant(withInStep(R"("independent": true)"),
                                   R"("family": "new-one")");
  write("manifest.json", text);
  ASSERT_EQ(open(), SF_OK);
  std::vector<std::string> reasons;
  sf_dispatch_set_callback(collect, &reasons);
  EXPECT_EQ(ran(10), "wide finish");
  ASSERT_EQ(reasons.size(), 1u);
  EXPECT_EQ(Json::parse(reasons[0])["others"][0]["why_not"],
            "its kernels are of the family 'new-one', which is used only where "
            "SPARSEFLOW_ENABLE or sf_dispatch_enable names it");
  setenv("SPARSEFLOW_ENABLE", "other,new-one", 1);
  restart();
  EXPECT_EQ(ran(10), "small");
  unsetenv("SPARSEFLOW_ENABLE");
  restart();
  EXPECT_EQ(ran(10), "wide finish");
  ASSERT_EQ(sf_dispatch_enable("new-one"), SF_OK);
  restart();
  EXPECT_EQ(ran(10), "small");
  EXPECT_EQ(sf_dispatch_enable(""), SF_ERROR_INVALID_ARGUMENT);
  expectError({"expected the name of a family of kernels, found none"});
}

TEST_F(DispatchTest, RefusesWrongMembers) {
  for (const char *wrong : {R"("independent": 1)", R"("independent": null)"}) {
    write("manifest.json", withInStep(wrong));
    EXPECT_EQ(open(), SF_ERROR_FORMAT);
    expectError({"steps[0].independent: expected true or false"});
    sf_context_destroy(context);
    context = nullptr;
  }
  write("manifest.json", withInVariant(scaleManifest(), R"("family": "")"));
  EXPECT_EQ(open(), SF_ERROR_FORMAT);
  expectError({"variants[0].family: the string has 0 bytes"});
}

TEST_F(DispatchTest, ChoosingAllocatesNothing) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  // 10 goes by its neighbours.
  for (int64_t tokens = 1; tokens <= 32; ++tokens)
    if (tokens != 10)
      ASSERT_EQ(tune(tokens, 1), SF_OK);
  sf_bundle_destroy(bundle);
  sf_context_destroy(context);
  bundle = nullptr;
  context = nullptr;
  QuietDriver quiet;
  ASSERT_EQ(open(), SF_OK);
  quiet.setCurrent(sf_context_native(context));
  ASSERT_EQ(sf_function_prepare(function), SF_OK);
  allocations = 0;
  countAllocations = true;
  for (int64_t tokens = 1; tokens <= 40; ++tokens)
    EXPECT_EQ(launch(tokens), SF_OK);
  countAllocations = false;
  EXPECT_EQ(allocations, 0);
  EXPECT_GE(quiet.launches(), 40);

  // The choice alone.
  auto *loaded = reinterpret_cast<rt::LoadedFunction *>(function);
  auto program = loaded->load();
  ASSERT_TRUE(program);
  for (int64_t tokens : {10, 11}) {
    auto bytes = static_cast<uint64_t>(tokens) * 16;
    int64_t shape[] = {tokens, 8}, weights[] = {64, 64};
    sf_tensor arguments[] = {{0x10000, shape, 2, SF_DTYPE_F16, bytes},
                             {0x20000, weights, 2, SF_DTYPE_F16, 4608}};
    sf_tensor result = {0x30000, shape, 2, SF_DTYPE_F16, bytes};
    rt::Call call(loaded->spec(), loaded->context(), arguments, &result,
                  0x40000, bytes * 16);
    bool empty = false;
    ASSERT_TRUE(call.bind(empty));
    uint8_t chosen = 0;
    double spent = nanosecondsWithoutAllocation(
        [&] { (void)call.choose(**program, 0, chosen); });
    EXPECT_EQ(chosen, 2);
    RecordProperty("choice_nanoseconds_" + std::to_string(tokens),
                   std::to_string(spent));
    std::printf("a choice of %d tokens takes %.0f ns\n",
                static_cast<int>(tokens), spent);
  }
  sf_bundle_destroy(bundle);
  sf_context_destroy(context);
  bundle = nullptr;
  context = nullptr;
}

TEST_F(DispatchTest, ThreadsTuneAndLaunchAtOnce) {
  addKernels();
  ASSERT_EQ(open(), SF_OK);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) {
        failures += tune(1 + t, 1) != SF_OK;
        for (int64_t tokens = 1; tokens <= 8; ++tokens)
          failures += launch(tokens) != SF_OK;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  for (int64_t tokens = 1; tokens <= 4; ++tokens)
    EXPECT_NE(ran(tokens), "");
}
