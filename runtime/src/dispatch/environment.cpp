//===- environment.cpp - Families of kernels that are asked for -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/environment.h"

#include <cstdlib>
#include <mutex>
#include <sstream>

using namespace sparseflow::rt;

static std::mutex mutex;
static std::set<std::string> asked;

std::set<std::string> sparseflow::rt::enabledFamilies() {
  std::lock_guard<std::mutex> lock(mutex);
  std::set<std::string> families = asked;
  const char *listed = std::getenv("SPARSEFLOW_ENABLE");
  std::istringstream names(listed ? listed : "");
  for (std::string name; std::getline(names, name, ',');)
    if (!name.empty())
      families.insert(name);
  return families;
}

void sparseflow::rt::enableFamily(const std::string &family) {
  std::lock_guard<std::mutex> lock(mutex);
  asked.insert(family);
}
