//===- GgufFuzzer.cpp - Reads GGUF files ----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"

#include "io/gguf.h"
#include "ternary/import.h"

#include <vector>

using namespace sparseflow;
using namespace sparseflow::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  rt::Expected<rt::GgufFile> file =
      rt::GgufFile::open(MemoryFile::get().fill(data, size));
  if (!file) {
    checkError(file.status());
    return 0;
  }
  for (const rt::GgufTensor &tensor : file->tensors()) {
    if (tensor.offset > size || tensor.bytes > size - tensor.offset)
      broken("a tensor reaches beyond the file");
    std::vector<uint8_t> buffer(tensor.bytes);
    rt::Status status = file->read(tensor, buffer.data());
    if (!tensor.isReadable()) {
      checkError(status);
      continue;
    }
    if (!status)
      broken("an accepted tensor does not read: " + status.text());
    if (!tensor.isTernary())
      continue;
    rt::Expected<rt::ImportedTernary> imported =
        rt::importGguf(tensor, buffer.data(), /*threads=*/1);
    if (!imported) {
      checkError(imported.status());
      continue;
    }
    for (int8_t trit : imported->trits)
      if (trit < -1 || trit > 1)
        broken("an imported weight is no trit");
  }
  return 0;
}
