//===- known_bad.h - Kernels that must not run somewhere ----------*- C++
//-*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// known_bad.json beside this file is shipped inside the library; the
// file that SPARSEFLOW_KNOWN_BAD names is read besides
// (docs/formats/dispatch.md).
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DISPATCH_KNOWN_BAD_H
#define SPARSEFLOW_RT_DISPATCH_KNOWN_BAD_H

#include "dispatch/store.h"

#include <map>

namespace sparseflow::rt {

struct KnownBad {
  /// Names, or beginnings of names with '*' behind.
  std::string gpu, driver, image, kernel;
  std::string reason;
  /// The least and the greatest value of each symbol; without one, any sizes.
  std::map<std::string, std::pair<int64_t, int64_t>> sizes;

  /// Whether this is said of a kernel on a device.
  bool names(const DeviceKey &device, const std::string &kernelImage,
             const std::string &kernelName) const;
};

Expected<std::vector<KnownBad>> parseKnownBad(const std::string &text);
/// Both lists, read anew at each call.
Expected<std::vector<KnownBad>> knownBad();

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DISPATCH_KNOWN_BAD_H
