//===- CpuObject.h - Tensor functions as a host object ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the CPU device compiles, for programs without a compiler: functions of C
// in an object, and the header that declares them (printCpuHeader).
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_CPU_CPUOBJECT_H
#define SPARSEFLOW_TARGET_CPU_CPUOBJECT_H

#include "SparseFlow/Target/CPU/CpuDevice.h"
#include "SparseFlow/Target/Object/HostObject.h"

namespace mlir::sparseflow {

/// A position-independent object of what `device` compiled, for processors that
/// have what the device's has. Each function of `interface`, which describes
/// the device's functions, is one of C as printCpuHeader declares it: pointers
/// to arguments and results, then sizes. It computes on the calling thread and
/// needs the C library and its mathematics only. An argument whose packed bytes
/// depend on sizes of the call is an error that names it. The same input gives
/// the same bytes.
llvm::Expected<std::string> emitCpuObject(const CpuDevice &device,
                                          const HostInterface &interface);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_CPU_CPUOBJECT_H
