//===- Machine.h - Threads, warps and blocks --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Block runs one CTA after another on one OS thread. Its threads are fibres:
// one runs until it has to wait for others (a warp collective, a barrier) and
// then switches to the next that is ready. Nothing here knows LLVM.
//
// A handler runs on the stack of the thread that arrived last. stop() abandons
// all stacks of the block where they are, so code that may call it holds no
// memory that needs a destructor.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_MACHINE_H
#define SPARSEFLOW_LIB_SIMULATOR_MACHINE_H

#include "Fibre.h"
#include "Memory.h"
#include "Races.h"
#include "SparseFlow/Simulator/Report.h"
#include "Wavefronts.h"

#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>

namespace mlir::sparseflow::sim {

class Block;
struct Handler;
struct Thread;

/// Special registers in the order of Thread::registers.
enum SpecialRegister : unsigned {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NumWarps,
  NumSpecialRegisters
};

/// A place in a kernel's text.
struct Site {
  /// The instruction, and " at FILE:LINE:COLUMN" where it is known.
  std::string text;
};

/// A kernel as the machine sees it.
struct Kernel {
  std::string name;
  /// Calls the kernel with the arguments whose addresses `arguments` holds.
  void (*entry)(const void *const *arguments) = nullptr;
  /// Site 0 stands for no instruction.
  std::vector<Site> sites;
  SharedLayout shared;
  /// From the kernel's attributes; 0: not stated.
  uint32_t maxThreads = 0;
  size_t arguments = 0;
  std::vector<std::pair<std::string, unsigned>> instructions;
};

/// What all blocks of a launch share.
struct Launch {
  const Kernel *kernel = nullptr;
  const void *const *arguments = nullptr;
  Dim3 grid, block;
  size_t sharedBytes = 0;
  uint64_t seed = 0;
  bool lateCopies = true, races = false, wavefronts = false;
  const BufferTable *buffers = nullptr;
  /// May be empty.
  std::function<bool()> cancelled;

  /// Set by the first fatal finding: all blocks end as soon as they can.
  std::atomic<bool> stopped{false};
  std::atomic<bool> wasCancelled{false};
  std::atomic<uint64_t> nextBlock{0};
  std::mutex mutex; ///< of what follows
  std::vector<std::pair<uint64_t, Finding>> findings;
  std::vector<SharedTraffic> traffic;
  uint64_t blocks = 0, switches = 0;
};

enum class ThreadState : uint8_t { Ready, AtCollective, AtBarrier, Done };

struct AsyncCopy {
  uint8_t *to;
  const uint8_t *from;
  /// Bytes written, and how many of them are read; the rest are zeros.
  uint32_t bytes, read;
  uint32_t site;
};

/// What generated code reads of a thread.
struct ThreadHead {
  uint32_t registers[NumSpecialRegisters];
  /// Where shared memory begins.
  uint64_t sharedBase = 0;
};

struct Thread : ThreadHead {
  Block *block = nullptr;
  uint32_t index = 0, warp = 0, lane = 0;
  ThreadState state = ThreadState::Done;
  void *stackPointer = nullptr;
  /// What it waits for.
  uint32_t site = 0;
  const Handler *handler = nullptr;
  uint32_t mask = 0;
  void *result = nullptr;
  const void *arguments = nullptr;
  uint32_t barrier = 0;
  /// Asynchronous copies under way, oldest first, and for each committed group
  /// the number of copies up to its end.
  std::vector<AsyncCopy> copies;
  std::vector<size_t> groupEnds;
};

/// One call of a handler by one thread.
struct ThreadCall {
  Thread &thread;
  void *result;
  const void *operands;
  uint32_t site;

  template <typename T>
  const T &args() const {
    return *static_cast<const T *>(operands);
  }
  template <typename T>
  void set(T value) const {
    std::memcpy(result, &value, sizeof(T));
  }
};

/// One call of a handler by the lanes of a warp that are in `mask`.
struct WarpCall {
  Thread *lanes;
  uint32_t mask;
  uint32_t site;

  bool has(unsigned lane) const { return mask >> lane & 1; }
  template <typename T>
  const T &args(unsigned lane) const {
    return *static_cast<const T *>(lanes[lane].arguments);
  }
  template <typename T>
  T *result(unsigned lane) const {
    return static_cast<T *>(lanes[lane].result);
  }
};

/// How an instruction is carried out. Exactly one of the functions is set.
struct Handler {
  std::string name;
  void (*thread)(ThreadCall &) = nullptr;
  /// Called once when all lanes of the mask have arrived.
  void (*warp)(WarpCall &) = nullptr;
  /// The first operand is the mask of lanes; otherwise the whole warp takes
  /// part.
  bool hasMask = false;
};

class Block {
public:
  /// The window is this OS thread's shared memory.
  Block(Launch &launch, SharedWindow &window);

  /// Takes blocks from the launch until there are none left.
  void run();

  /// Reports `kind` for `thread` at `site` and ends the launch; does not
  /// return. The rest is as for printf.
  [[noreturn]] void stop(const Thread &thread, FindingKind kind, uint32_t site,
                         uint64_t address, const char *format, ...)
      __attribute__((format(printf, 6, 7)));

  /// Checks an access, and tells the detectors about it. Returns only if it is
  /// allowed. `counted` is false where countMatrix counts it.
  void access(Thread &thread, uint64_t address, uint32_t bytes,
              uint32_t alignment, AccessKind kind, uint32_t site,
              bool counted = true);

  /// Waits until all lanes of the call have arrived, and carries it out.
  void collective(Thread &thread, const Handler &handler, void *result,
                  const void *arguments, uint32_t site);
  /// Arrives at barrier `id` for `count` threads (0: all of the block), and
  /// waits there unless `wait` is false.
  void barrier(Thread &thread, uint32_t id, uint32_t count, bool wait,
               uint32_t site);
  /// Orders the memory accesses of a warp's lanes.
  void warpBarrier(uint32_t warp) { ++clock.warps[warp]; }

  void issueCopy(Thread &thread, const AsyncCopy &copy);
  void commitCopies(Thread &thread);
  /// Lands all committed groups but the latest `pending`.
  void waitCopies(Thread &thread, size_t pending);
  /// Lands everything, committed or not.
  void waitAllCopies(Thread &thread);

  Thread *currentThread() { return current; }
  const Launch &getLaunch() const { return launch; }
  /// Tells the wavefront counter about one access of a whole warp.
  void countMatrix(Thread &thread, const uint64_t *rows, uint32_t site) {
    if (launch.wavefronts)
      wavefronts.matrix(rows, site);
  }

private:
  struct Barrier {
    uint32_t arrived = 0, expected = 0;
    uint32_t lanes[32] = {};
  };

  static void fibreMain();
  void startBlock(uint64_t index);
  void runThreads();
  Thread *pick();
  void yield(Thread &thread);
  void ready(Thread &thread);
  void land(Thread &thread, size_t count);
  Finding describe(const Thread &thread, FindingKind kind, uint32_t site) const;
  void reportDeadlock();
  void reportRace(const Thread &thread, uint64_t address, uint32_t site,
                  const Conflict &conflict);
  uint64_t random();

  Launch &launch;
  SharedWindow &window;
  SharedRange staticRange, dynamicRange;
  Stacks stacks;
  std::vector<Thread> threads;
  uint32_t count = 0, alive = 0, warps = 0;
  Thread *current = nullptr;
  void *scheduler = nullptr, *abandoned = nullptr;
  uint32_t readyLanes[32] = {}, waitingLanes[32] = {}, exited[32] = {};
  uint32_t readyWarps = 0, warpNow = 0;
  Barrier barriers[16];
  uint64_t blockIndex = 0, randomState = 0, switches = 0, blocks = 0;
  Clock clock;
  RaceDetector detector;
  WavefrontCounter wavefronts;
};

/// The thread that runs on this OS thread. Called by generated code.
Thread *currentThread();

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_MACHINE_H
