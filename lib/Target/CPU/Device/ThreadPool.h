//===- ThreadPool.h - Parallel loops of compiled functions ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_DEVICE_THREADPOOL_H
#define SPARSEFLOW_LIB_TARGET_CPU_DEVICE_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace mlir::sparseflow::cpu {

/// Threads that share the iterations of one loop at a time.
///
/// Thread-safe. A loop that starts while another runs (from a second thread, or
/// nested) runs on its caller's thread: the pool never waits for itself, and
/// the machine is busy anyway.
class ThreadPool {
public:
  /// body(context, begin, end) runs the iterations begin .. end - 1.
  using Body = void (*)(void *context, int64_t begin, int64_t end);

  /// `threads` counts the caller of `run`; at least 1. There are fewer where
  /// the system has no more for this process.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// Calls `body` for ranges that cover 0 .. count - 1 once and returns when
  /// all are done.
  void run(Body body, void *context, int64_t count);

  unsigned getNumThreads() const { return workers.size() + 1; }

private:
  void work();
  void takeRanges();

  std::vector<std::thread> workers;
  /// True while a loop runs.
  std::atomic<bool> busy{false};

  /// Guards what follows; the atomic is also used without it.
  std::mutex mutex;
  std::condition_variable started, finished;
  // Written with the mutex; spinning threads read them without.
  std::atomic<bool> stopping{false};
  std::atomic<uint64_t> generation{0};
  std::atomic<unsigned> active{0};
  Body body = nullptr;
  void *context = nullptr;
  int64_t count = 0, chunk = 1;
  std::atomic<int64_t> next{0};
};

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_DEVICE_THREADPOOL_H
