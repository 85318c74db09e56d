//===- parallel.cpp - Loops over all cores --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

void sparseflow::rt::parallelFor(int64_t count, int threads,
                                 const std::function<void(int64_t)> &body) {
  if (threads <= 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  int64_t helpers = std::min<int64_t>(threads, count) - 1;

  std::atomic<int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failureLock;
  auto work = [&] {
    try {
      for (int64_t i = next++; i < count; i = next++)
        body(i);
    } catch (...) {
      next = count;
      std::lock_guard<std::mutex> lock(failureLock);
      failure = std::current_exception();
    }
  };

  std::vector<std::thread> pool;
  pool.reserve(std::max<int64_t>(helpers, 0));
  for (int64_t i = 0; i < helpers; ++i) {
    try {
      pool.emplace_back(work);
    } catch (const std::system_error &) {
      break;
    }
  }
  work();
  for (std::thread &thread : pool)
    thread.join();
  if (failure)
    std::rethrow_exception(failure);
}
