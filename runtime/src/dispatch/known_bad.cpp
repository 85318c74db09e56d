//===- known_bad.cpp - Kernels that must not run somewhere ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/known_bad.h"

#include "device/manifest/json.h"
#include "device/manifest/manifest.h"

#include <cstdlib>

using namespace sparseflow::rt;

// Written by CMake.
static const char shipped[] =
#include "dispatch/known_bad.inc"
    ;

static constexpr size_t maxBytes = size_t(1) << 20, maxKernels = 4096;

static bool fits(const std::string &pattern, const std::string &name) {
  if (pattern.empty() || pattern.back() != '*')
    return pattern == name;
  return name.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) ==
         0;
}

bool KnownBad::names(const DeviceKey &device, const std::string &kernelImage,
                     const std::string &kernelName) const {
  return fits(gpu, device.gpu) && fits(driver, device.driver) &&
         fits(image, kernelImage) && fits(kernel, kernelName);
}

static KnownBad readKernel(const JsonCursor &json) {
  KnownBad bad;
  bad.kernel = json.member("kernel").string(1, 1024);
  bad.reason = json.member("reason").string(1, 1024);
  auto pattern = [&](const char *member) -> std::string {
    return json.has(member) ? json.member(member).string(1, 1024) : "*";
  };
  bad.gpu = pattern("gpu");
  bad.driver = pattern("driver");
  bad.image = pattern("image");
  if (!json.has("sizes"))
    return bad;
  JsonCursor sizes = json.member("sizes");
  for (size_t i = 0, n = sizes.size(ManifestLimits::symbols); i < n; ++i) {
    JsonCursor range = sizes.element(i);
    int64_t most = std::numeric_limits<int64_t>::max();
    int64_t low = range.member("from").integer(0, most);
    bad.sizes[range.member("symbol").string(1, 64)] = {
        low, range.has("to") ? range.member("to").integer(low, most) : most};
  }
  return bad;
}

Expected<std::vector<KnownBad>>
sparseflow::rt::parseKnownBad(const std::string &text) {
  try {
    nlohmann::json document = parseJson(text);
    JsonCursor root(document, "list");
    JsonCursor version = root.member("version");
    if (int64_t found = version.integer(0, 1 << 30); found != 1)
      version.fail("this runtime reads version 1, found version " +
                   std::to_string(found));
    std::vector<KnownBad> list;
    JsonCursor kernels = root.member("kernels");
    for (size_t i = 0, n = kernels.size(maxKernels); i < n; ++i)
      list.push_back(readKernel(kernels.element(i)));
    return list;
  } catch (const JsonError &e) {
    return e.status;
  }
}

Expected<std::vector<KnownBad>> sparseflow::rt::knownBad() {
  Expected<std::vector<KnownBad>> list = parseKnownBad(shipped);
  const char *path = std::getenv("SPARSEFLOW_KNOWN_BAD");
  if (!list || !path || !*path)
    return list;
  std::string where = "SPARSEFLOW_KNOWN_BAD: '" + printable(path, 400) + "'";
  Expected<std::string> text = readSmallFile(path, maxBytes);
  if (!text)
    return text.status().withContext("SPARSEFLOW_KNOWN_BAD");
  Expected<std::vector<KnownBad>> more = parseKnownBad(*text);
  if (!more)
    return more.status().withContext(where);
  list->insert(list->end(), more->begin(), more->end());
  return list;
}
