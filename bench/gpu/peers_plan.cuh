//===- peers_plan.cuh - What SparseFlow launches --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Reads the launch plans of launches.py and carries them out with the driver.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_PLAN_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_PLAN_CUH

#include "peers_timing.cuh"

#include <cuda.h>
#include <dlfcn.h>

#include <fstream>
#include <sstream>

struct Driver {
  decltype(&cuModuleLoad) moduleLoad;
  decltype(&cuModuleGetFunction) getFunction;
  decltype(&cuFuncSetAttribute) setAttribute;
  decltype(&cuLaunchKernel) launch;

  Driver() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
      throw std::runtime_error("no libcuda.so.1");
    load(library, moduleLoad, "cuModuleLoad");
    load(library, getFunction, "cuModuleGetFunction");
    load(library, setAttribute, "cuFuncSetAttribute");
    load(library, launch, "cuLaunchKernel");
  }
  template <typename F>
  void load(void *library, F &f, const char *name) {
    f = reinterpret_cast<F>(dlsym(library, name));
    if (!f)
      throw std::runtime_error(std::string("libcuda.so.1 has no ") + name);
  }
};

struct PlannedLaunch {
  CUfunction kernel = nullptr;
  unsigned grid = 0, threads = 0, shared = 0;
  /// Buffer ('x', 'w', 'y', 's', or '#' for a number) and offset or value.
  std::vector<std::pair<char, uint64_t>> arguments;
};

inline void checkDriver(CUresult result, const std::string &what) {
  if (result != CUDA_SUCCESS)
    throw std::runtime_error(what + ": CUDA driver error " +
                             std::to_string(int(result)));
}

inline std::vector<PlannedLaunch> readPlan(const Driver &driver,
                                           const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  std::vector<PlannedLaunch> plan;
  CUmodule module = nullptr;
  std::string line, word, kernel;
  while (std::getline(file, line)) {
    std::istringstream in(line);
    in >> word;
    if (word == "image") {
      checkDriver(driver.moduleLoad(&module, line.substr(6).c_str()), line);
    } else if (word == "workspace") {
      uint64_t bytes = 0;
      in >> bytes;
      if (bytes > workspaceBytes)
        throw std::runtime_error("more workspace than there is: " + line);
    } else if (word == "launch") {
      PlannedLaunch next;
      in >> kernel >> next.grid >> next.threads >> next.shared;
      checkDriver(driver.getFunction(&next.kernel, module, kernel.c_str()),
                  line);
      checkDriver(
          driver.setAttribute(next.kernel,
                              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              int(next.shared)),
          line);
      plan.push_back(next);
    } else if (!plan.empty() && (word == "pointer" || word == "number")) {
      char buffer = '#';
      uint64_t value = 0;
      if (word == "pointer")
        in >> buffer;
      in >> value;
      plan.back().arguments.push_back({buffer, value});
    }
    if (in.fail())
      throw std::runtime_error(path + ": expected numbers in '" + line + "'");
  }
  if (plan.empty())
    throw std::runtime_error(path + ": no launch");
  return plan;
}

inline void runPlan(const Driver &driver,
                    const std::vector<PlannedLaunch> &plan, void *x, void *w,
                    void *y, void *workspace, cudaStream_t stream) {
  for (const PlannedLaunch &next : plan) {
    std::vector<uint64_t> values;
    for (const auto &[buffer, offset] : next.arguments) {
      void *base = buffer == 'x'   ? x
                   : buffer == 'w' ? w
                   : buffer == 'y' ? y
                   : buffer == 's' ? workspace
                                   : nullptr;
      values.push_back(reinterpret_cast<uint64_t>(base) + offset);
    }
    std::vector<void *> pointers;
    for (uint64_t &value : values)
      pointers.push_back(&value);
    checkDriver(driver.launch(next.kernel, next.grid, 1, 1, next.threads, 1, 1,
                              next.shared, stream, pointers.data(), nullptr),
                "cuLaunchKernel");
  }
}

#endif // SPARSEFLOW_BENCH_GPU_PEERS_PLAN_CUH
