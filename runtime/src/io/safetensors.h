//===- safetensors.h - Reads and writes safetensors files -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/formats/safetensors.md says what is accepted. The reader trusts nothing:
// every size and offset is checked before it is used, and nothing is allocated
// that the file's real size does not justify.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_IO_SAFETENSORS_H
#define SPARSEFLOW_RT_IO_SAFETENSORS_H

#include "io/file.h"
#include "io/tensor_shape.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sparseflow::rt {

/// One tensor of a safetensors file.
struct SafetensorsEntry {
  std::string name;
  /// SF_DTYPE_INVALID if the spelling is unknown: such a tensor can be listed,
  /// not read.
  sf_dtype dtype = SF_DTYPE_INVALID;
  std::string dtypeSpelling;
  std::vector<int64_t> shape;
  /// Bytes [begin, end) of the data area.
  uint64_t begin = 0, end = 0;

  uint64_t bytes() const { return end - begin; }
};

/// What the header of a file says.
struct SafetensorsHeader {
  /// In the order of the data; empty tensors before the one at their offset.
  std::vector<SafetensorsEntry> tensors;
  /// The pairs of "__metadata__", in file order.
  std::vector<std::pair<std::string, std::string>> metadata;
};

/// Headers beyond this many bytes are refused (the reference's limit).
inline constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

/// Parses the JSON text of a header. `dataBytes`: the size of the data area,
/// which the tensors have to fill exactly.
Expected<SafetensorsHeader> parseSafetensorsHeader(const std::string &json,
                                                   uint64_t dataBytes);

/// An open file. Threads may share it.
class SafetensorsFile {
public:
  static Expected<SafetensorsFile> open(const std::string &path);

  const SafetensorsHeader &header() const { return contents; }
  const std::vector<SafetensorsEntry> &tensors() const {
    return contents.tensors;
  }
  /// The tensor called `name`, or null.
  const SafetensorsEntry *find(const std::string &name) const;

  /// Reads all of `entry` into `buffer` (entry.bytes()). Fails for an entry of
  /// unknown type: nothing is known about its elements.
  Status read(const SafetensorsEntry &entry, void *buffer) const;

private:
  SafetensorsFile(InputFile file, uint64_t dataStart, SafetensorsHeader header)
      : file(std::move(file)), dataStart(dataStart),
        contents(std::move(header)) {}

  InputFile file;
  uint64_t dataStart;
  SafetensorsHeader contents;
};

/// Writes a file atomically, tensor by tensor, so that only one has to be in
/// memory. Data are laid out by falling element size, then as given, which
/// keeps every tensor aligned to its elements.
class SafetensorsWriter {
public:
  struct Tensor {
    std::string name;
    sf_dtype dtype = SF_DTYPE_INVALID;
    std::vector<int64_t> shape;
  };

  /// Fails if a name is used twice, is not UTF-8 or is "__metadata__".
  static Expected<SafetensorsWriter>
  create(const std::string &path, std::vector<Tensor> tensors,
         const std::vector<std::pair<std::string, std::string>> &metadata);

  /// The order in which write() expects the tensors: indices into `tensors`.
  const std::vector<size_t> &order() const { return layoutOrder; }
  /// Writes the next tensor of order(); `bytes` has to be its size.
  Status write(const void *data, uint64_t bytes);
  /// Fails unless every tensor was written.
  Status commit();

private:
  SafetensorsWriter(OutputFile file) : file(std::move(file)) {}

  OutputFile file;
  std::vector<Tensor> tensors;
  std::vector<size_t> layoutOrder;
  size_t next = 0;
};

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_IO_SAFETENSORS_H
