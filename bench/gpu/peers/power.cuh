//===- power.cuh - Energy, clocks and what limits them --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVML, opened at run time: without it times are taken as well, only without
// energy and clocks.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_POWER_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_POWER_CUH

#include "data.cuh"

#include <dlfcn.h>

class Power {
public:
  /// Throws nothing: `available` says whether it works.
  Power() {
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    char bus[32] = {};
    if (!library || cudaDeviceGetPCIBusId(bus, sizeof(bus), 0) != cudaSuccess)
      return;
    auto init = find<int()>(library, "nvmlInit_v2");
    auto handle = find<int(const char *, void **)>(
        library, "nvmlDeviceGetHandleByPciBusId_v2");
    energyOf = find<int(void *, unsigned long long *)>(
        library, "nvmlDeviceGetTotalEnergyConsumption");
    clockOf =
        find<int(void *, int, unsigned *)>(library, "nvmlDeviceGetClockInfo");
    reasonsOf = find<int(void *, unsigned long long *)>(
        library, "nvmlDeviceGetCurrentClocksEventReasons");
    if (!reasonsOf)
      reasonsOf = find<int(void *, unsigned long long *)>(
          library, "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (!init || !handle || init() != 0 || handle(bus, &device) != 0)
      device = nullptr;
  }

  bool available() const { return device; }
  /// Millijoules since the driver was loaded, 0 if unknown.
  unsigned long long millijoules() const {
    unsigned long long value = 0;
    return device && energyOf && energyOf(device, &value) == 0 ? value : 0;
  }
  /// Of the SMs, 0 if unknown.
  unsigned megahertz() const {
    unsigned value = 0;
    return device && clockOf && clockOf(device, 1, &value) == 0 ? value : 0;
  }
  /// Bits as nvidia-smi's clocks_event_reasons.active.
  unsigned long long reasons() const {
    unsigned long long value = 0;
    return device && reasonsOf && reasonsOf(device, &value) == 0 ? value : 0;
  }

private:
  template <typename F>
  static F *find(void *library, const char *name) {
    return reinterpret_cast<F *>(dlsym(library, name));
  }

  void *device = nullptr;
  int (*energyOf)(void *, unsigned long long *) = nullptr;
  int (*clockOf)(void *, int, unsigned *) = nullptr;
  int (*reasonsOf)(void *, unsigned long long *) = nullptr;
};

#endif // SPARSEFLOW_BENCH_GPU_PEERS_POWER_CUH
