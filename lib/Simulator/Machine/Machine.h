//===- Machine.h - Threads, warps and blocks --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Cluster runs one cluster of CTAs after another on one OS thread; a kernel
// without clusters has clusters of one. Each CTA is a Block, whose threads are
// fibres: one runs until it has to wait for others (a warp collective, a
// barrier) and then switches to the next of the cluster that is ready. Nothing
// here knows LLVM.
//
// A handler runs on the stack of the thread that arrived last. stop() abandons
// all stacks of the block where they are, so code that may call it holds no
// memory that needs a destructor.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_MACHINE_MACHINE_H
#define SPARSEFLOW_LIB_SIMULATOR_MACHINE_MACHINE_H

#include "Simulator/Machine/Memory.h"
#include "SparseFlow/Simulator/Report.h"
#include "SparseFlow/Simulator/TensorMap.h"

#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>

namespace mlir::sparseflow::sim {

class AssemblyProgram;
class Block;
class Cluster;
class GlobalRaces;
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
  WarpSize,
  ClusterIdX,
  ClusterIdY,
  ClusterIdZ,
  NumClustersX,
  NumClustersY,
  NumClustersZ,
  ClusterCtaX,
  ClusterCtaY,
  ClusterCtaZ,
  ClusterSizeX,
  ClusterSizeY,
  ClusterSizeZ,
  ClusterCtaRank,
  ClusterNumCtas,
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
  /// CTAs of a cluster in each dimension.
  Dim3 cluster;
  /// Registers of a thread at its start, as far as the attributes say; 0: not
  /// stated.
  uint32_t maxRegisters = 0;
  /// CTAs of an SM that ptxas leaves registers for.
  uint32_t residentCtas = 1;
  struct Argument {
    /// Bytes that a launch passes by value for a pointer argument; 0 for other
    /// arguments, which are values of up to 8 bytes.
    size_t byValueBytes = 0;
    size_t alignment = 1;
  };
  std::vector<Argument> arguments;
  /// The inline assembly of the kernel, which its code refers to by address.
  std::vector<std::shared_ptr<const AssemblyProgram>> assembly;
  std::vector<std::pair<std::string, unsigned>> instructions;
};

/// What all blocks of a launch share.
struct Launch {
  const Kernel *kernel = nullptr;
  const void *const *arguments = nullptr;
  Dim3 grid, block;
  size_t sharedBytes = 0;
  uint64_t seed = 0;
  /// What memory holds that nothing has been written to.
  uint8_t poison = 0xff;
  bool lateCopies = true, races = false, wavefronts = false;
  const BufferTable *buffers = nullptr;
  /// Null unless races are reported.
  GlobalRaces *globalRaces = nullptr;
  /// May be empty.
  std::function<bool()> cancelled;

  /// Set by the first fatal finding: all blocks end as soon as they can.
  /// Clusters from this one on need not run: it has ended with a finding. Those
  /// before it do, so that what is reported does not depend on which of the
  /// OS threads is faster. 0 stops all.
  std::atomic<uint64_t> stopAt{~uint64_t(0)};
  void stopFrom(uint64_t cluster) {
    uint64_t known = stopAt;
    while (cluster < known && !stopAt.compare_exchange_weak(known, cluster)) {
    }
  }
  std::atomic<bool> wasCancelled{false};
  std::atomic<uint64_t> nextCluster{0};
  /// As in LaunchReport.
  std::atomic<uint64_t> boxBytes{0}, paddingBytes{0};
  std::mutex mutex; ///< of what follows
  std::vector<std::pair<uint64_t, Finding>> findings;
  std::vector<SharedTraffic> traffic;
  uint64_t blocks = 0, switches = 0;
};

enum class ThreadState : uint8_t {
  Ready,
  AtCollective,
  AtBarrier,
  AtMbarrier,
  AtClusterBarrier,
  AtRegisters,
  Polling,
  Done
};

struct AsyncCopy {
  uint8_t *to;
  const uint8_t *from;
  /// Bytes written, and how many of them are read; the rest are zeros.
  uint32_t bytes, read;
  uint32_t site;
};

/// A copy from shared to global memory by the asynchronous proxy.
struct BulkStore {
  /// A tile of a tensor, or `bytes` in a row at `map.address`.
  TensorMap map;
  bool tile = false;
  int32_t coordinates[5] = {};
  uint64_t from = 0;
  uint32_t bytes = 0;
  uint32_t site = 0;
  /// The source has been read; its bytes are in `data`.
  bool read = false;
  std::vector<uint8_t> data;
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
  /// At an mbarrier: its address and the phase it waits for the end of.
  uint64_t mbarrier = 0;
  uint32_t phase = 0;
  /// Calls of try_wait that found nothing, to let every other one fail.
  uint32_t tries = 0;
  /// Whether wgmma.fence came after the last wait.
  bool wgmmaFenced = false;
  /// It arrived at the cluster's barrier and has not waited there.
  bool arrivedAtCluster = false;
  /// Whether fence.mbarrier_init came after the last arrival there.
  bool fencedInits = false;
  uint32_t clusterPhase = 0;
  /// Bulk stores that have not been read, then those that have not landed.
  std::vector<BulkStore> stores;
  /// For each committed group the number of stores up to its end.
  std::vector<size_t> storeGroupEnds;
  /// Asynchronous copies under way, oldest first, and for each committed group
  /// the number of copies up to its end.
  std::vector<AsyncCopy> copies;
  std::vector<size_t> groupEnds;

  /// As at the start of a block.
  void reset() {
    copies.clear();
    groupEnds.clear();
    stores.clear();
    storeGroupEnds.clear();
    handler = nullptr;
    tries = 0;
    wgmmaFenced = arrivedAtCluster = fencedInits = false;
  }
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

/// Stops the kernel at an `instruction` of whole warps that not all lanes
/// execute.
void requireWarp(const WarpCall &call, const char *instruction);

/// How an instruction is carried out. Exactly one of the functions is set.
struct Handler {
  std::string name;
  void (*thread)(ThreadCall &) = nullptr;
  /// Called once when all lanes of the mask have arrived.
  void (*warp)(WarpCall &) = nullptr;
  /// Called once when all 128 threads of a warpgroup have arrived. The mask is
  /// of no meaning, and lanes go up to 127.
  void (*warpgroup)(WarpCall &) = nullptr;
  /// The first operand is the mask of lanes; otherwise the whole warp takes
  /// part.
  bool hasMask = false;
};

/// The thread that runs on this OS thread. Called by generated code.
Thread *currentThread();

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_MACHINE_MACHINE_H
