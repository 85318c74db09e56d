//===- plan.cuh - What SparseFlow launches --------------------------------===//
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

#include "timing.cuh"

#include <cuda.h>
#include <dlfcn.h>

#include <fstream>
#include <sstream>

struct Driver {
  decltype(&cuModuleLoad) moduleLoad;
  decltype(&cuModuleGetFunction) getFunction;
  decltype(&cuFuncSetAttribute) setAttribute;
  decltype(&cuLaunchKernel) launch;
  decltype(&cuLaunchKernelEx) launchEx;
  decltype(&cuTensorMapEncodeTiled) encode;

  Driver() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
      throw std::runtime_error("no libcuda.so.1");
    load(library, moduleLoad, "cuModuleLoad");
    load(library, getFunction, "cuModuleGetFunction");
    load(library, setAttribute, "cuFuncSetAttribute");
    load(library, launch, "cuLaunchKernel");
    load(library, launchEx, "cuLaunchKernelEx");
    load(library, encode, "cuTensorMapEncodeTiled");
  }
  template <typename F>
  void load(void *library, F &f, const char *name) {
    f = reinterpret_cast<F>(dlsym(library, name));
    if (!f)
      throw std::runtime_error(std::string("libcuda.so.1 has no ") + name);
  }
};

/// A box of a tensor, as cuTensorMapEncodeTiled takes it.
struct PlannedMap {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  uint32_t rank = 0;
  cuuint64_t sizes[5] = {}, strides[5] = {};
  cuuint32_t box[5] = {};
};

struct PlannedArgument {
  /// 'x', 'w', 'e', 'y', 's', or '#' for a number.
  char buffer = '#';
  /// Offset or number.
  uint64_t value = 0;
  bool isMap = false;
  PlannedMap map;
};

struct PlannedLaunch {
  CUfunction kernel = nullptr;
  unsigned grid = 0, threads = 0, shared = 0;
  bool programmatic = false;
  std::vector<PlannedArgument> arguments;
};

/// Where the buffers of one call are.
struct PlanBuffers {
  void *x, *w, *e, *y, *workspace;
  void *at(char buffer) const {
    switch (buffer) {
    case 'x':
      return x;
    case 'w':
      return w;
    case 'e':
      return e;
    case 'y':
      return y;
    case 's':
      return workspace;
    default:
      return nullptr;
    }
  }
};

inline void checkDriver(CUresult result, const std::string &what) {
  if (result != CUDA_SUCCESS)
    throw std::runtime_error(what + ": CUDA driver error " +
                             std::to_string(int(result)));
}

inline PlannedMap readMap(std::istream &in) {
  PlannedMap map;
  std::string type;
  unsigned swizzle = 0;
  in >> type >> swizzle >> map.rank;
  map.type = type == "bf16"  ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
             : type == "f32" ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
             : type == "i8"  ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                             : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  map.swizzle = swizzle == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                : swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                : swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                : CU_TENSOR_MAP_SWIZZLE_NONE;
  if (map.rank < 1 || map.rank > 5)
    throw std::runtime_error("a tensor map needs 1 to 5 dimensions");
  for (uint32_t i = 0; i < map.rank; ++i)
    in >> map.sizes[i];
  for (uint32_t i = 0; i + 1 < map.rank; ++i)
    in >> map.strides[i];
  for (uint32_t i = 0; i < map.rank; ++i)
    in >> map.box[i];
  return map;
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
      size_t count = 0;
      in >> kernel >> next.grid >> next.threads >> next.shared >> count;
      next.programmatic = line.find(" programmatic") != std::string::npos;
      checkDriver(driver.getFunction(&next.kernel, module, kernel.c_str()),
                  line);
      checkDriver(
          driver.setAttribute(next.kernel,
                              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              int(next.shared)),
          line);
      plan.push_back(next);
    } else if (!plan.empty()) {
      PlannedArgument argument;
      if (word != "number")
        in >> argument.buffer;
      in >> argument.value;
      argument.isMap = word == "map";
      if (argument.isMap)
        argument.map = readMap(in);
      plan.back().arguments.push_back(argument);
    }
    if (in.fail())
      throw std::runtime_error(path + ": expected numbers in '" + line + "'");
  }
  if (plan.empty())
    throw std::runtime_error(path + ": no launch");
  return plan;
}

inline void runPlan(const Driver &driver,
                    const std::vector<PlannedLaunch> &plan,
                    const PlanBuffers &buffers, cudaStream_t stream) {
  // As many maps as a launch may have.
  alignas(128) CUtensorMap maps[16];
  for (const PlannedLaunch &next : plan) {
    std::vector<uint64_t> values(next.arguments.size());
    std::vector<void *> pointers;
    size_t count = 0;
    for (size_t i = 0; i < next.arguments.size(); ++i) {
      const PlannedArgument &argument = next.arguments[i];
      values[i] = reinterpret_cast<uint64_t>(buffers.at(argument.buffer)) +
                  argument.value;
      pointers.push_back(&values[i]);
      if (!argument.isMap)
        continue;
      if (count == 16)
        throw std::runtime_error("more than 16 tensor maps in a launch");
      const PlannedMap &map = argument.map;
      static const cuuint32_t ones[5] = {1, 1, 1, 1, 1};
      checkDriver(driver.encode(&maps[count], map.type, map.rank,
                                reinterpret_cast<void *>(values[i]), map.sizes,
                                map.strides, map.box, ones,
                                CU_TENSOR_MAP_INTERLEAVE_NONE, map.swizzle,
                                CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
                  "cuTensorMapEncodeTiled");
      pointers[i] = &maps[count++];
    }
    if (!next.programmatic) {
      checkDriver(driver.launch(next.kernel, next.grid, 1, 1, next.threads, 1,
                                1, next.shared, stream, pointers.data(),
                                nullptr),
                  "cuLaunchKernel");
      continue;
    }
    CUlaunchAttribute attribute = {};
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    CUlaunchConfig config = {};
    config.gridDimX = next.grid;
    config.blockDimX = next.threads;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimY = config.blockDimZ = 1;
    config.sharedMemBytes = next.shared;
    config.hStream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    checkDriver(driver.launchEx(&config, next.kernel, pointers.data(), nullptr),
                "cuLaunchKernelEx");
  }
}

#endif // SPARSEFLOW_BENCH_GPU_PEERS_PLAN_CUH
