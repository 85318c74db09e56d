//===- environment.h - Families of kernels that are asked for --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DISPATCH_ENVIRONMENT_H
#define SPARSEFLOW_RT_DISPATCH_ENVIRONMENT_H

#include <set>
#include <string>

namespace sparseflow::rt {

/// The families that SPARSEFLOW_ENABLE and enableFamily name.
std::set<std::string> enabledFamilies();
void enableFamily(const std::string &family);
inline bool isEnabled(const std::string &family) {
  return enabledFamilies().count(family) != 0;
}

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DISPATCH_ENVIRONMENT_H
