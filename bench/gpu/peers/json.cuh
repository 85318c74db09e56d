//===- json.cuh - What both peer programs print ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Members of JSON objects, each without a comma at its ends.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_JSON_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_JSON_CUH

#include "libraries.cuh"

#include <cmath>
#include <sstream>

inline void writeMachine(std::ostream &out) {
  cudaDeviceProp device;
  CK(cudaGetDeviceProperties(&device, 0));
  int driver = 0, runtime = 0;
  CK(cudaDriverGetVersion(&driver));
  CK(cudaRuntimeGetVersion(&runtime));
  out << "\"device\": " << quote(device.name)
      << ", \"multiprocessors\": " << device.multiProcessorCount
      << ", \"l2_bytes\": " << device.l2CacheSize
      << ", \"driver_cuda\": " << driver << ", \"runtime_cuda\": " << runtime
      << ", \"cublaslt\": " << cublasLtGetVersion();
}

inline void writeTimes(std::ostream &out, const std::vector<float> &us) {
  double mean = 0, squares = 0;
  for (float each : us)
    mean += each / us.size();
  for (float each : us)
    squares += (each - mean) * (each - mean) / us.size();
  out << "\"min_us\": " << percentile(us, 0) << ", \"mean_us\": " << mean
      << ", \"std_us\": " << std::sqrt(squares)
      << ", \"p10_us\": " << percentile(us, 0.1)
      << ", \"median_us\": " << percentile(us, 0.5)
      << ", \"p90_us\": " << percentile(us, 0.9)
      << ", \"p95_us\": " << percentile(us, 0.95)
      << ", \"p99_us\": " << percentile(us, 0.99)
      << ", \"samples\": " << us.size();
}

/// A contender's name, and how it was timed where it was.
inline void writeContender(std::ostream &out, const std::string &name,
                           const std::string &algorithm,
                           const std::vector<float> &us, const Replay *replay) {
  out << "\"name\": " << quote(name) << ", \"algorithm\": " << quote(algorithm);
  if (us.empty())
    return;
  out << ", ";
  writeTimes(out, us);
  out << ", \"launches_per_sample\": " << replay->launches
      << ", \"graph\": " << (replay->isGraph() ? "true" : "false");
}

inline void writeNotes(std::ostream &out,
                       const std::vector<std::string> &notes) {
  out << "\"notes\": [";
  for (size_t i = 0; i < notes.size(); ++i)
    out << (i ? ", " : "") << quote(notes[i]);
  out << "]";
}

#endif // SPARSEFLOW_BENCH_GPU_PEERS_JSON_CUH
