//===- status.cpp - Errors inside the runtime -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/status.h"

#include "common/utf8.h"

#include <cstdio>
#include <cstring>

using namespace sparseflow::rt;

// A fixed buffer: storing a text can neither throw nor run a destructor after
// the thread's other objects are gone.
static thread_local char lastError[4096];

extern "C" const char *sf_status_string(sf_status status) {
  switch (status) {
  case SF_OK:
    return "success";
  case SF_ERROR_INVALID_ARGUMENT:
    return "invalid argument";
  case SF_ERROR_NO_DEVICE:
    return "no device";
  case SF_ERROR_OUT_OF_MEMORY:
    return "out of memory";
  case SF_ERROR_IO:
    return "input/output error";
  case SF_ERROR_FORMAT:
    return "file or data format error";
  case SF_ERROR_UNSUPPORTED:
    return "unsupported";
  case SF_ERROR_DRIVER:
    return "driver error";
  case SF_ERROR_DEVICE_LOST:
    return "device lost";
  case SF_ERROR_INTERNAL:
    return "internal error";
  }
  return "unknown status code";
}

extern "C" const char *sf_last_error(void) { return lastError; }

sf_status sparseflow::rt::publish(sf_status code, const char *text) noexcept {
  if (code == SF_OK)
    return code;
  size_t length = strnlen(text, sizeof(lastError) - 1);
  std::memcpy(lastError, text, length);
  lastError[length] = '\0';
  return code;
}

sf_status sparseflow::rt::publish(const Status &status) noexcept {
  return publish(status.code(), status.text().c_str());
}

std::string sparseflow::rt::printable(const std::string &text, size_t limit) {
  std::string result;
  const auto *bytes = reinterpret_cast<const unsigned char *>(text.data());
  for (size_t i = 0; i < text.size();) {
    if (result.size() >= limit)
      return result + "...";
    size_t length = utf8SequenceLength(bytes + i, text.size() - i);
    // C1 controls (U+0080..U+009F) move a terminal's cursor as well as C0.
    bool control = bytes[i] < 0x20 || bytes[i] == 0x7f ||
                   (length == 2 && bytes[i] == 0xc2 && bytes[i + 1] < 0xa0);
    if (length == 0 || control) {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\x%02x", bytes[i]);
      result += escaped;
      ++i;
      continue;
    }
    result.append(text, i, length);
    i += length;
  }
  return result;
}
