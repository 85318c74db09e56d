//===- SafetensorsFuzzer.cpp - Reads safetensors files --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"

#include "io/safetensors.h"

#include <vector>

using namespace sparseflow;
using namespace sparseflow::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  rt::Expected<rt::SafetensorsFile> file =
      rt::SafetensorsFile::open(MemoryFile::get().fill(data, size));
  if (!file) {
    checkError(file.status());
    return 0;
  }
  // The tensors tile the data area, and each of a known type can be read whole.
  uint64_t position = 0;
  for (const rt::SafetensorsEntry &entry : file->tensors()) {
    if (entry.begin != position || entry.end < entry.begin || entry.end > size)
      broken("tensors do not tile the data");
    position = entry.end;
    std::vector<uint8_t> buffer(entry.bytes());
    rt::Status status = file->read(entry, buffer.data());
    if (entry.dtype == SF_DTYPE_INVALID)
      checkError(status);
    else if (!status)
      broken("an accepted tensor does not read: " + status.text());
    if (!file->find(entry.name))
      broken("a tensor is not found by its name");
  }
  return 0;
}
