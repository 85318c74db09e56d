//===- timing.cuh - Launches as timed graph replays -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_TIMING_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_TIMING_CUH

#include "power.cuh"

#include <chrono>
#include <functional>
#include <thread>

/// Workspace that each contender may use.
constexpr size_t workspaceBytes = size_t(64) << 20;

inline double secondsNow() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

inline double percentile(std::vector<float> sorted, double p) {
  std::sort(sorted.begin(), sorted.end());
  return sorted[size_t(p * double(sorted.size() - 1) + 0.5)];
}

/// Launches set `i` of the buffers; throws if the launch is refused.
using Launch = std::function<void(int i)>;

/// `launches` launches over rotating buffers as one graph, or one by one where
/// they cannot be captured.
class Replay {
public:
  Replay(const Launch &launch, int sets, double targetMs, cudaStream_t stream)
      : Replay(launch, sets, stream) {
    for (int i = 0; i < sets; ++i)
      launch(i);
    CK(cudaStreamSynchronize(stream));
    launches = sets;
    double ms = runTimed();
    launches = sets * std::max(1, std::min(400, int(targetMs / ms) + 1));
    capture();
  }
  /// Exactly `count` launches, which the caller has warmed up.
  Replay(const Launch &launch, int sets, int count, cudaStream_t stream)
      : Replay(launch, sets, stream) {
    launches = count;
    capture();
  }
  Replay(const Replay &) = delete;
  ~Replay() {
    if (exec)
      cudaGraphExecDestroy(exec);
    cudaEventDestroy(from);
    cudaEventDestroy(to);
  }

  void run() {
    if (exec)
      CK(cudaGraphLaunch(exec, stream));
    else
      for (int i = 0; i < launches; ++i)
        launch(i % sets);
  }
  /// Milliseconds of all launches.
  float runTimed() {
    CK(cudaEventRecord(from, stream));
    run();
    CK(cudaEventRecord(to, stream));
    CK(cudaEventSynchronize(to));
    float ms = 0;
    CK(cudaEventElapsedTime(&ms, from, to));
    return std::max(ms, 1e-4f);
  }
  float microseconds() { return runTimed() * 1000.f / float(launches); }

  int launches = 1;
  bool isGraph() const { return exec; }

  cudaEvent_t from = nullptr, to = nullptr;

private:
  Replay(const Launch &launch, int sets, cudaStream_t stream)
      : launch(launch), sets(sets), stream(stream) {
    CK(cudaEventCreate(&from));
    CK(cudaEventCreate(&to));
  }
  void capture() {
    cudaGraph_t graph = nullptr;
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)) {
      cudaGetLastError();
      return;
    }
    bool captured = true;
    try {
      for (int i = 0; i < launches; ++i)
        launch(i % sets);
    } catch (const std::exception &) {
      captured = false;
    }
    // The stream leaves its capture in any case.
    captured &= cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph;
    if (captured && cudaGraphInstantiate(&exec, graph, 0))
      exec = nullptr;
    if (graph)
      cudaGraphDestroy(graph);
    cudaGetLastError();
  }

  Launch launch;
  int sets;
  cudaStream_t stream;
  cudaGraphExec_t exec = nullptr;
};

/// Times all contenders (`launch`, `sets`, `replay`, `us`) interleaved: `samples`
/// graph replays of each, every one after `settleMs` of the same load.
template <typename Contender>
void takeTurns(std::vector<Contender> &all, int samples, double settleMs,
               cudaStream_t stream) {
  for (Contender &c : all)
    c.replay = std::make_unique<Replay>(c.launch, c.sets, 2.0, stream);
  // Clocks settle under load.
  for (double start = secondsNow(); secondsNow() - start < 0.3;)
    for (Contender &c : all)
      c.replay->runTimed();
  size_t count = all.size();
  for (size_t round = 0; round < size_t(samples); ++round)
    for (size_t i = 0; i < count; ++i) {
      // Another first one in each round, and another direction.
      size_t turn = (i + round / 2) % count;
      Contender &c = all[round % 2 ? count - 1 - turn : turn];
      // Its own caches and power state, not its predecessor's.
      double start = secondsNow();
      do
        c.replay->runTimed();
      while ((secondsNow() - start) * 1000 < settleMs);
      c.us.push_back(c.replay->microseconds());
    }
}

/// Median time of a short run, for choosing among algorithms.
inline double screen(const Launch &launch, int sets, cudaStream_t stream) {
  Replay replay(launch, sets, 1.0, stream);
  std::vector<float> us;
  for (int i = 0; i < 6; ++i)
    if (float t = replay.microseconds(); i > 0)
      us.push_back(t);
  return percentile(us, 0.5);
}

/// Microseconds of a launch after `idleMs` of rest: one launch that is not
/// timed, and then two (more where two are over before the events are).
inline std::vector<float> burst(const Launch &launch, double us, int sets,
                                int samples, int idleMs, cudaStream_t stream) {
  int count = us < 20 ? int(40 / us) + 1 : 2;
  Replay first(launch, sets, 1, stream);
  Replay timed([&](int i) { launch((i + 1) % sets); }, sets, count, stream);
  std::vector<float> found;
  for (int i = 0; i < samples; ++i) {
    CK(cudaStreamSynchronize(stream));
    std::this_thread::sleep_for(std::chrono::milliseconds(idleMs));
    first.run();
    found.push_back(timed.microseconds());
  }
  return found;
}

/// One contender alone under load.
struct Steady {
  /// Microseconds of a launch, by group of replays.
  std::vector<float> us;
  std::vector<float> megahertz;
  unsigned long long limits = 0;
  /// Of the whole, 0 where they are unknown.
  double joules = 0, seconds = 0, launches = 0;
};

/// `groups` groups of replays that take `groupMs` each, after a warm-up.
inline Steady steady(Replay &replay, const Power &power, int groups,
                     double groupMs, cudaStream_t stream) {
  Steady result;
  double ms = replay.runTimed();
  int replays = std::max(1, int(groupMs / ms + 0.5));
  for (double start = secondsNow(); secondsNow() - start < 0.15;)
    replay.runTimed();
  double energy = double(power.millijoules()), start = secondsNow();
  for (int group = 0; group < groups; ++group) {
    CK(cudaEventRecord(replay.from, stream));
    for (int i = 0; i < replays; ++i)
      replay.run();
    CK(cudaEventRecord(replay.to, stream));
    // While the group runs.
    if (unsigned clock = power.megahertz())
      result.megahertz.push_back(float(clock));
    result.limits |= power.reasons();
    CK(cudaEventSynchronize(replay.to));
    float elapsed = 0;
    CK(cudaEventElapsedTime(&elapsed, replay.from, replay.to));
    result.us.push_back(elapsed * 1000 / float(replays * replay.launches));
  }
  result.seconds = secondsNow() - start;
  result.joules = (double(power.millijoules()) - energy) / 1000;
  result.launches = double(groups) * replays * replay.launches;
  return result;
}

#endif // SPARSEFLOW_BENCH_GPU_PEERS_TIMING_CUH
