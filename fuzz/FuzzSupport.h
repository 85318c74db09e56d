//===- FuzzSupport.h - What the fuzz targets share --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each target is one reader of a file format. An input is a whole file; the
// target reads it as a user would, and aborts where the reader breaks a promise
// that a sanitizer cannot see: an error without a text, a file that is accepted
// and does not read back as what it says.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_FUZZ_FUZZSUPPORT_H
#define SPARSEFLOW_FUZZ_FUZZSUPPORT_H

#include "common/status.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace sparseflow::fuzz {

/// Ends the run with `what`; libFuzzer then keeps the input.
[[noreturn]] inline void broken(const std::string &what) {
  std::fprintf(stderr, "broken promise: %s\n", what.c_str());
  std::abort();
}

/// An error has one of the reader's codes and a text fit for a terminal.
/// Anything else (out of memory, internal) would be a defect: no input may
/// make a reader allocate more than the input's own size justifies.
inline void checkError(const rt::Status &status) {
  if (status.ok())
    broken("an error without a code");
  if (status.code() != SF_ERROR_FORMAT &&
      status.code() != SF_ERROR_UNSUPPORTED && status.code() != SF_ERROR_IO &&
      status.code() != SF_ERROR_INVALID_ARGUMENT)
    broken("code " + std::to_string(status.code()) + ": " + status.text());
  if (status.text().empty() || status.text().size() > 4096)
    broken("an error text of " + std::to_string(status.text().size()) +
           " bytes");
  for (unsigned char c : status.text())
    if (c < 0x20 || c == 0x7f)
      broken("a control character in: " + rt::printable(status.text()));
}

/// A regular file in memory: the readers take paths, and a real file for every
/// input would cost more than reading it. One for the process, refilled by each
/// input.
class MemoryFile {
public:
  static MemoryFile &get() {
    static MemoryFile file;
    return file;
  }
  const std::string &fill(const uint8_t *data, size_t size) {
    if (::ftruncate(descriptor, 0) != 0 ||
        ::pwrite(descriptor, data, size, 0) != static_cast<ssize_t>(size))
      broken("cannot write the memory file");
    return path;
  }

private:
  MemoryFile() : descriptor(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (descriptor < 0)
      broken("no memory file");
    path = "/proc/self/fd/" + std::to_string(descriptor);
  }
  int descriptor;
  std::string path;
};

} // namespace sparseflow::fuzz

#endif // SPARSEFLOW_FUZZ_FUZZSUPPORT_H
