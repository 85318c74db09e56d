//===- Devices.h - What this machine can run --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_DEVICES_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_DEVICES_H

#include "SparseFlow/Target/NVPTX/TargetInfo.h"

#include <string>

namespace mlir::sparseflow::driver {

/// The first GPU of this process's view of the machine.
struct GpuInfo {
  std::string name;
  int major = 0, minor = 0;
};

/// Asks the CUDA driver, which is opened here. An error says what is missing.
llvm::Expected<GpuInfo> findGpu();

/// The targets of a --target option; "native" asks the driver, and gives `gpu`,
/// if it is there, its device's name. Errors are printed and end in an exit
/// code other than 0.
int resolveTargets(llvm::StringRef text,
                   llvm::SmallVectorImpl<const TargetInfo *> &targets,
                   std::string *gpu = nullptr);

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_DEVICES_H
