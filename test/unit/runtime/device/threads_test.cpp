//===- threads_test.cpp - Many threads load, launch and fail at once ------===//
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
#include <string>
#include <thread>
#include <vector>

using namespace sparseflow::test;

namespace {

constexpr int threadCount = 8;

/// Runs `body(0)` to `body(7)` at once, as far as the machine lets it.
template <typename Body>
void together(Body body) {
  std::atomic<int> waiting{threadCount};
  std::vector<std::thread> threads;
  for (int t = 0; t < threadCount; ++t)
    threads.emplace_back([&, t] {
      --waiting;
      while (waiting)
        std::this_thread::yield();
      body(t);
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// Launches `scale` on `tokens` rows at address tokens << 20.
sf_status launchRows(sf_function *function, int64_t tokens) {
  int64_t shape[] = {tokens, 8}, weights[] = {64, 64};
  uint64_t bytes = static_cast<uint64_t>(tokens) * 16;
  uint64_t base = static_cast<uint64_t>(tokens) << 20;
  sf_tensor arguments[] = {{base, shape, 2, SF_DTYPE_F16, bytes},
                           {0x20000, weights, 2, SF_DTYPE_F16, 4608}};
  sf_tensor result = {base + 0x40000, shape, 2, SF_DTYPE_F16, bytes};
  return sf_function_launch(function, arguments, 2, &result, 1, base + 0x80000,
                            static_cast<uint64_t>(tokens) * 256, nullptr);
}

} // namespace

TEST_F(BundleTest, ThreadsGetTheirOwnArguments) {
  ASSERT_EQ(open(), SF_OK);
  std::atomic<int> failures{0};
  together([&](int t) {
    for (int i = 0; i < 100; ++i)
      failures += launchRows(function, t + 1) != SF_OK;
  });
  EXPECT_EQ(failures, 0);
  std::vector<FakeLaunch> launches = FakeDriver::get().launches();
  ASSERT_EQ(launches.size(), 100u * threadCount);
  for (const FakeLaunch &launch : launches) {
    ASSERT_EQ(launch.arguments.size(), 3u);
    EXPECT_EQ(launch.arguments[0], launch.arguments[2] << 20);
    EXPECT_EQ(launch.arguments[1], launch.arguments[0] + 0x40000);
  }
}

TEST_F(BundleTest, ThreadsLoadAndDestroyBundlesOfOneContext) {
  ASSERT_EQ(open(), SF_OK);
  std::atomic<int> failures{0};
  together([&](int t) {
    for (int i = 0; i < 20; ++i) {
      sf_bundle *own = nullptr;
      sf_function *scale = nullptr;
      failures += sf_bundle_load(context, directory.c_str(), &own) != SF_OK ||
                  sf_bundle_function(own, nullptr, &scale) != SF_OK ||
                  sf_function_prepare(scale) != SF_OK ||
                  launchRows(scale, t + 1) != SF_OK;
      sf_bundle_destroy(own);
    }
  });
  EXPECT_EQ(failures, 0);
  FakeDriver &driver = FakeDriver::get();
  EXPECT_EQ(driver.launches().size(), 20u * threadCount);
  EXPECT_EQ(driver.calls("module_load_data_ex"), 20 * threadCount);
  EXPECT_EQ(driver.calls("module_unload"), 20 * threadCount);
}

TEST_F(BundleTest, ThreadsCreateContexts) {
  std::atomic<int> failures{0};
  together([&](int t) {
    for (int i = 0; i < 20; ++i) {
      sf_context *own = nullptr;
      int major = 0, minor = 0;
      failures += sf_context_create(0, &own) != SF_OK ||
                  sf_context_capability(own, &major, &minor) != SF_OK ||
                  major != 9;
      sf_context_destroy(own);
    }
  });
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(FakeDriver::get().liveObjects(), 0);
}

TEST_F(BundleTest, EachThreadHasItsOwnError) {
  ASSERT_EQ(open(), SF_OK);
  std::atomic<int> wrong{0};
  together([&](int t) {
    for (int i = 0; i < 50; ++i) {
      // Even threads ask for a function that is not there.
      std::string name = "none" + std::to_string(t);
      sf_function *found = nullptr;
      if (t % 2) {
        wrong += launchRows(function, t) != SF_OK;
        continue;
      }
      wrong += sf_bundle_function(bundle, name.c_str(), &found) == SF_OK;
      wrong += std::string(sf_last_error()).find(name) == std::string::npos;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST_F(BundleTest, AStickyErrorStopsEveryThread) {
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(sf_function_prepare(function), SF_OK);
  FakeDriver::get().failCall("launch_kernel", 100, SFCU_ERROR_ILLEGAL_ADDRESS);
  std::atomic<int> succeeded{0}, others{0};
  together([&](int t) {
    bool lost = false;
    for (int i = 0; i < 100; ++i) {
      sf_status status = launchRows(function, t + 1);
      succeeded += status == SF_OK;
      others += status != SF_OK && status != SF_ERROR_DEVICE_LOST;
      // Once lost, a context does not come back.
      others += lost && status == SF_OK;
      lost |= status != SF_OK;
    }
  });
  EXPECT_EQ(others, 0);
  EXPECT_EQ(succeeded, 99);
}
