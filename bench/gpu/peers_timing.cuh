//===- peers_timing.cuh - Launches as timed graph replays -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_TIMING_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_TIMING_CUH

#include "peers_data.cuh"

#include <chrono>
#include <functional>

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
      : launch(launch), sets(sets), stream(stream) {
    CK(cudaEventCreate(&from));
    CK(cudaEventCreate(&to));
    for (int i = 0; i < sets; ++i)
      launch(i);
    CK(cudaStreamSynchronize(stream));
    launches = sets;
    double ms = runTimed();
    launches = sets * std::max(1, std::min(400, int(targetMs / ms) + 1));
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

private:
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
  cudaEvent_t from, to;
  cudaGraphExec_t exec = nullptr;
};

/// Median time of a short run, for choosing among algorithms.
inline double screen(const Launch &launch, int sets, cudaStream_t stream) {
  Replay replay(launch, sets, 1.0, stream);
  std::vector<float> us;
  for (int i = 0; i < 6; ++i)
    if (float t = replay.microseconds(); i > 0)
      us.push_back(t);
  return percentile(us, 0.5);
}

#endif // SPARSEFLOW_BENCH_GPU_PEERS_TIMING_CUH
