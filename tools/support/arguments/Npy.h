//===- Npy.h - The .npy file format -----------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_NPY_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_NPY_H

#include "arguments/Tensor.h"

namespace sparseflow::tools {

/// Element types a file may have: '<f2', '<f4', '<u2' (how bf16 is kept, since
/// the format has no name for it), '|b1', '|i1', '<i4' and '<i8'.
enum class NpyType : uint8_t { F16, F32, U16, Bool, I8, I32, I64 };

struct NpyArray {
  NpyType type = NpyType::F32;
  std::vector<int64_t> shape;
  Buffer data;
};

/// Reads versions 1 to 3, C order, little endian. Anything else, a header that
/// does not agree with the file's size, or a file over `maxBytes` is refused
/// before memory is taken for it.
Expected<NpyArray> readNpy(const std::string &path,
                           uint64_t maxBytes = uint64_t(1) << 40);
/// The same from memory; `name` is for messages.
Expected<NpyArray> parseNpy(const uint8_t *bytes, size_t size,
                            const std::string &name);
/// The shape alone, of a file of any size.
Expected<std::vector<int64_t>> readNpyShape(const std::string &path);

/// Writes version 1.0, atomically: a reader sees the old file or the new. bf16
/// becomes
/// '<u2' holding the bits: numpy gets the values with
/// (a.astype('<u4') << 16).view('<f4').
Status writeNpy(const std::string &path, const HostTensor &tensor);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_NPY_H
