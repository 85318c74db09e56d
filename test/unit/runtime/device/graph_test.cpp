//===- graph_test.cpp - Graphs of calls on a driver that fails ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Also run under the thread sanitizer (test/unit/sanitized).
//
//===----------------------------------------------------------------------===//

#include "bundle_fixture.h"

#include <atomic>
#include <thread>
#include <vector>

using namespace sparseflow::test;

static FakeDriver &driver() { return FakeDriver::get(); }

namespace {

class GraphTest : public BundleTest {
protected:
  /// A graph of `scale` on `tokens` rows, or an update of `graph` to that.
  sf_status capture(int64_t tokens, uint64_t x, sf_graph *&graph,
                    bool update = false) {
    int64_t shape[] = {tokens, 8}, weights[] = {64, 64};
    uint64_t bytes = static_cast<uint64_t>(tokens) * 16;
    sf_tensor arguments[] = {{x, shape, 2, SF_DTYPE_F16, bytes},
                             {0x20000, weights, 2, SF_DTYPE_F16, 4608}};
    sf_tensor result = {0x30000, shape, 2, SF_DTYPE_F16, bytes};
    uint64_t workspace = static_cast<uint64_t>(tokens) * 256;
    return update ? sf_graph_update(graph, arguments, 2, &result, 1, 0x40000,
                                    workspace)
                  : sf_function_graph(function, arguments, 2, &result, 1,
                                      0x40000, workspace, &graph);
  }
  std::vector<uint64_t> firstArguments() {
    std::vector<uint64_t> found;
    for (const FakeLaunch &launch : driver().launches())
      found.push_back(launch.arguments[0]);
    return found;
  }
};

} // namespace

TEST_F(GraphTest, ReplaysACallAndThenAnotherOne) {
  ASSERT_EQ(open(), SF_OK);
  sf_graph *graph = nullptr;
  ASSERT_EQ(capture(7, 0x10000, graph), SF_OK) << sf_last_error();
  EXPECT_TRUE(driver().launches().empty());
  ASSERT_EQ(sf_graph_launch(graph, nullptr), SF_OK);
  ASSERT_EQ(sf_graph_launch(graph, nullptr), SF_OK);
  // New pointers, and as many kernels of other sizes.
  ASSERT_EQ(capture(7, 0x11000, graph, true), SF_OK) << sf_last_error();
  ASSERT_EQ(sf_graph_launch(graph, nullptr), SF_OK);
  ASSERT_EQ(capture(5, 0x12000, graph, true), SF_OK) << sf_last_error();
  ASSERT_EQ(sf_graph_launch(graph, nullptr), SF_OK);
  EXPECT_EQ(firstArguments(),
            (std::vector<uint64_t>{0x10000, 0x10000, 0x11000, 0x12000}));
  EXPECT_EQ(driver().launches()[3].arguments[2], 5u);
  EXPECT_EQ(driver().calls("graph_instantiate"), 1);
  sf_graph_destroy(graph);
}

TEST_F(GraphTest, OtherKernelsAreAnError) {
  ASSERT_EQ(open(), SF_OK);
  sf_graph *graph = nullptr;
  ASSERT_EQ(capture(7, 0x10000, graph), SF_OK);
  EXPECT_EQ(capture(66, 0x10000, graph, true), SF_ERROR_UNSUPPORTED);
  expectError({"'scale': expected a call with the kernels of the graph",
               "make another graph"});
  // A call that sf_function_launch refuses.
  EXPECT_EQ(capture(1001, 0x10000, graph, true), SF_ERROR_UNSUPPORTED);
  expectError({"scale.mlir:3", "T = 1001"});
  EXPECT_EQ(capture(7, 0x10001, graph, true), SF_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(sf_graph_launch(graph, nullptr), SF_OK);
  EXPECT_EQ(firstArguments(), (std::vector<uint64_t>{0x10000}));
  sf_graph_destroy(graph);
}

TEST_F(GraphTest, EmptyCallsAndNullObjects) {
  ASSERT_EQ(open(), SF_OK);
  sf_graph *graph = nullptr;
  ASSERT_EQ(capture(0, 0, graph), SF_OK) << sf_last_error();
  EXPECT_EQ(sf_graph_launch(graph, nullptr), SF_OK);
  EXPECT_TRUE(driver().launches().empty());
  sf_graph_destroy(graph);
  sf_graph_destroy(nullptr);
  EXPECT_EQ(sf_graph_launch(nullptr, nullptr), SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_graph_launch: 'graph' is null"});
  EXPECT_EQ(sf_graph_update(nullptr, nullptr, 0, nullptr, 0, 0, 0),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_graph_update: 'graph' is null"});
  EXPECT_EQ(sf_function_graph(function, nullptr, 0, nullptr, 0, 0, 0, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_function_graph: 'graph' is null"});
  graph = reinterpret_cast<sf_graph *>(1);
  EXPECT_EQ(sf_function_graph(function, nullptr, 0, nullptr, 0, 0, 0, &graph),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(graph, nullptr);
}

TEST_F(GraphTest, OldDriversMakeGraphsButDoNotUpdateThem) {
  driver().removeOptionalFunctions();
  ASSERT_EQ(open(), SF_OK) << sf_last_error();
  sf_graph *graph = nullptr;
  ASSERT_EQ(capture(7, 0x10000, graph), SF_OK) << sf_last_error();
  EXPECT_EQ(capture(7, 0x11000, graph, true), SF_ERROR_UNSUPPORTED);
  expectError({"cuGraphExecUpdate_v2", "make another graph"});
  EXPECT_EQ(sf_graph_launch(graph, nullptr), SF_OK);
  sf_graph_destroy(graph);
}

TEST_F(GraphTest, SurvivesEveryFailingCall) {
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(sf_function_prepare(function), SF_OK);
  int before = driver().liveObjects();
  for (const char *call :
       {"ctx_get_current", "ctx_push_current", "stream_create",
        "stream_begin_capture", "launch_kernel", "stream_end_capture",
        "graph_instantiate"}) {
    driver().failCall(call, 1, SFCU_ERROR_OUT_OF_MEMORY);
    sf_graph *graph = nullptr;
    EXPECT_EQ(capture(7, 0x10000, graph), SF_ERROR_OUT_OF_MEMORY) << call;
    EXPECT_EQ(graph, nullptr) << call;
    EXPECT_EQ(driver().liveObjects(), before) << call;
  }
  sf_graph *graph = nullptr;
  ASSERT_EQ(capture(7, 0x10000, graph), SF_OK) << sf_last_error();
  for (const char *call :
       {"ctx_get_current", "ctx_push_current", "stream_create",
        "stream_begin_capture", "launch_kernel", "stream_end_capture",
        "graph_exec_update"}) {
    driver().failCall(call, 1, SFCU_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(capture(7, 0x11000, graph, true), SF_ERROR_OUT_OF_MEMORY) << call;
    EXPECT_EQ(driver().liveObjects(), before + 1) << call;
  }
  for (const char *call :
       {"ctx_get_current", "ctx_push_current", "graph_launch"}) {
    driver().failCall(call, 1, SFCU_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(sf_graph_launch(graph, nullptr), SF_ERROR_OUT_OF_MEMORY) << call;
  }
  ASSERT_EQ(sf_graph_launch(graph, nullptr), SF_OK);
  EXPECT_EQ(firstArguments(), (std::vector<uint64_t>{0x10000}));
  sf_graph_destroy(graph);
  EXPECT_EQ(driver().liveObjects(), before);
}

TEST_F(GraphTest, OfADeadContext) {
  ASSERT_EQ(open(), SF_OK);
  sf_graph *graph = nullptr;
  ASSERT_EQ(capture(7, 0x10000, graph), SF_OK);
  driver().failCall("graph_launch", 1, SFCU_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(sf_graph_launch(graph, nullptr), SF_ERROR_DEVICE_LOST);
  EXPECT_EQ(sf_graph_launch(graph, nullptr), SF_ERROR_DEVICE_LOST);
  EXPECT_EQ(capture(7, 0x11000, graph, true), SF_ERROR_DEVICE_LOST);
  sf_graph *other = nullptr;
  EXPECT_EQ(capture(7, 0x11000, other), SF_ERROR_DEVICE_LOST);
  EXPECT_EQ(driver().calls("graph_launch"), 1);
  sf_graph_destroy(graph);
  EXPECT_EQ(driver().calls("graph_exec_destroy"), 0);
}

TEST_F(GraphTest, ThreadsLaunchAndUpdateOneGraphAndMakeTheirOwn) {
  ASSERT_EQ(open(), SF_OK);
  sf_graph *shared = nullptr;
  ASSERT_EQ(capture(7, 0x10000, shared), SF_OK);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      uint64_t x = 0x11000 + static_cast<uint64_t>(t) * 0x100;
      for (int i = 0; i < 25; ++i) {
        sf_graph *own = nullptr;
        failures += capture(7, x, own) != SF_OK ||
                    capture(7, x, shared, true) != SF_OK ||
                    sf_graph_launch(shared, nullptr) != SF_OK ||
                    sf_graph_launch(own, nullptr) != SF_OK;
        sf_graph_destroy(own);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(driver().launches().size(), 400u);
  EXPECT_EQ(driver().calls("module_load_data_ex"), 1);
  sf_graph_destroy(shared);
}
