//===- ThreadPool.cpp - Parallel loops of compiled functions --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Device/ThreadPool.h"
#include <algorithm>
#include <chrono>
#include <system_error>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace mlir::sparseflow::cpu;

/// Ranges per thread: enough that a late thread leaves its share to others, few
/// enough that taking one costs nothing.
static constexpr int64_t kRangesPerThread = 8;

/// How long a thread looks for work before it sleeps. Waking one takes 5 to 50
/// microseconds, and the loops of a function follow each other in less; longer
/// than that would take time from others.
static constexpr std::chrono::microseconds kSpin{30};

/// Waits a little for `condition`; whoever still needs it then waits on.
template <typename Condition>
static void spin(Condition condition) {
  auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 16; ++i) {
      if (condition())
        return;
#if defined(__x86_64__)
      _mm_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() < end);
}

ThreadPool::ThreadPool(unsigned threads) {
  // A process may have fewer than it asks for; loops end with those that are
  // there.
  for (unsigned i = 1; i < threads; ++i) {
    try {
      workers.emplace_back([this] { work(); });
    } catch (const std::system_error &) {
      break;
    }
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  started.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::takeRanges() {
  for (;;) {
    int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
    if (begin >= count)
      return;
    body(context, begin, std::min(begin + chunk, count));
  }
}

void ThreadPool::work() {
  uint64_t seen = 0;
  for (;;) {
    spin([&] { return stopping || generation != seen; });
    std::unique_lock<std::mutex> lock(mutex);
    started.wait(lock, [&] { return stopping || generation != seen; });
    if (stopping)
      return;
    seen = generation;
    // A thread that wakes after the loop has ended finds nothing to take.
    if (!body)
      continue;
    ++active;
    lock.unlock();
    takeRanges();
    lock.lock();
    if (--active == 0)
      finished.notify_one();
  }
}

void ThreadPool::run(Body newBody, void *newContext, int64_t newCount) {
  if (newCount <= 0)
    return;
  if (workers.empty() || newCount == 1 || busy.exchange(true))
    return newBody(newContext, 0, newCount);
  {
    std::lock_guard<std::mutex> lock(mutex);
    body = newBody;
    context = newContext;
    count = newCount;
    chunk = std::max<int64_t>(
        1, newCount / (int64_t(getNumThreads()) * kRangesPerThread));
    next.store(0, std::memory_order_relaxed);
    ++generation;
  }
  started.notify_all();
  takeRanges();
  spin([&] { return active == 0; });
  {
    std::unique_lock<std::mutex> lock(mutex);
    finished.wait(lock, [&] { return active == 0; });
    body = nullptr;
  }
  busy.store(false);
}
