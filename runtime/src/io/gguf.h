//===- gguf.h - Reads GGUF files --------------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/formats/gguf.md says what is accepted. The reader trusts nothing: every
// count, size and offset is checked before it is used, and nothing is allocated
// that the file's real size does not justify.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_IO_GGUF_H
#define SPARSEFLOW_RT_IO_GGUF_H

#include "io/file.h"
#include "io/tensor_shape.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sparseflow::rt {

/// Numbers of tensor types that this library does more with than listing them.
enum GgufType : uint32_t {
  GgufF32 = 0,
  GgufF16 = 1,
  GgufBF16 = 30,
  GgufTQ1_0 = 34,
  GgufTQ2_0 = 35,
  /// Blocks of 64; older files of one fork have blocks of 128 under the same
  /// number.
  GgufQ2_0 = 42,
  /// The same fork's later number for blocks of 128.
  GgufPQ2_0 = 142
};

/// One tensor of a file.
struct GgufTensor {
  std::string name;
  uint32_t type = 0;
  /// Outermost first: [N, K] of a matrix, the reverse of the file's order.
  std::vector<int64_t> shape;
  /// Position in the file, and size. The size of an unknown type reaches to the
  /// next tensor or the end of the file.
  uint64_t offset = 0, bytes = 0;
  /// Elements and bytes of a block; 0 for a type that is unknown, or a Q2_0
  /// tensor whose block size cannot be told: such tensors can be listed only.
  uint32_t blockElements = 0, blockBytes = 0;

  /// "TQ2_0", or "type 77".
  std::string typeName() const;
  bool isReadable() const { return blockElements != 0; }
  /// The type of dense tensors; SF_DTYPE_INVALID for block types.
  sf_dtype dtype() const;
  /// True for the types that hold ternary weights.
  bool isTernary() const;
};

/// A key of the metadata. Arrays are described, not kept.
struct GgufPair {
  std::string key, value;
};

struct GgufHeader {
  uint32_t version = 0;
  uint64_t alignment = 32;
  std::vector<GgufPair> metadata;
  /// By offset.
  std::vector<GgufTensor> tensors;
};

/// Metadata and tensor infos beyond this many bytes are refused.
inline constexpr uint64_t kMaxGgufHeader = uint64_t(256) << 20;

/// Reads `count` bytes at `offset`, which lie inside the file.
using GgufSource =
    std::function<Status(uint64_t offset, void *buffer, uint64_t count)>;

/// Parses and checks everything but the data. `q2Block` (0, 64 or 128) is the
/// block size of Q2_0 tensors if the file does not tell.
Expected<GgufHeader> parseGguf(const GgufSource &source, uint64_t fileBytes,
                               uint32_t q2Block = 0);

/// An open file. Threads may share it.
class GgufFile {
public:
  static Expected<GgufFile> open(const std::string &path, uint32_t q2Block = 0);

  const GgufHeader &header() const { return contents; }
  const std::vector<GgufTensor> &tensors() const { return contents.tensors; }
  /// The tensor called `name`, or null.
  const GgufTensor *find(const std::string &name) const;
  /// Reads all of `tensor` into `buffer` (tensor.bytes). Fails for one that is
  /// not readable.
  Status read(const GgufTensor &tensor, void *buffer) const;

private:
  GgufFile(InputFile file, GgufHeader header)
      : file(std::move(file)), contents(std::move(header)) {}

  InputFile file;
  GgufHeader contents;
};

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_IO_GGUF_H
