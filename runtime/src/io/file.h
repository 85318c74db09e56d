//===- file.h - Reading and replacing files safely --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_IO_FILE_H
#define SPARSEFLOW_RT_IO_FILE_H

#include "common/status.h"

#include <cstdint>
#include <memory>
#include <string>

namespace sparseflow::rt {

/// A regular file opened for reading. Never mapped: a mapped file that someone
/// truncates kills the reader with SIGBUS, a read() merely comes up short.
/// Reads are positioned, so that threads may share one InputFile.
class InputFile {
public:
  /// Opens `path`. Directories, pipes, sockets and devices are refused, without
  /// blocking on them.
  static Expected<InputFile> open(const std::string &path);

  InputFile(InputFile &&other) noexcept;
  InputFile &operator=(InputFile &&other) noexcept;
  ~InputFile();

  /// The size when the file was opened.
  uint64_t size() const { return bytes; }
  const std::string &path() const { return name; }

  /// Reads exactly `count` bytes at `offset`. Fails with SF_ERROR_IO if the
  /// file has become shorter.
  Status read(uint64_t offset, void *buffer, uint64_t count) const;

private:
  InputFile(int descriptor, uint64_t bytes, std::string name)
      : descriptor(descriptor), bytes(bytes), name(std::move(name)) {}

  int descriptor = -1;
  uint64_t bytes = 0;
  std::string name;
};

/// A file that appears, complete, under its name on commit(), or not at all.
/// The data go to a temporary file ".NAME.XXXXXX.tmp" in the same directory;
/// commit syncs it and renames it over the old file. Until then, and when the
/// process is killed at any moment, the old file is intact; so the output may
/// be a file that is being read. Destruction without commit removes the
/// temporary file. Not for several threads at once.
class OutputFile {
public:
  /// A symbolic link is followed: the file it points to is replaced. Fails if
  /// `path` names something that is not a regular file.
  static Expected<OutputFile> create(const std::string &path);

  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  /// Appends.
  Status write(const void *data, uint64_t count);
  /// Appends zeros up to position `offset`, which must not be behind.
  Status padTo(uint64_t offset);
  /// Overwrites bytes that have been written before.
  Status rewrite(uint64_t offset, const void *data, uint64_t count);
  /// Bytes appended so far.
  uint64_t position() const { return written; }

  Status commit();

private:
  OutputFile() = default;

  int descriptor = -1;
  uint64_t written = 0;
  std::string target, temporary;
};

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_IO_FILE_H
