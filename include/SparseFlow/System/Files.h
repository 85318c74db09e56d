//===- Files.h - Files that are whole or absent -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a tool writes appears complete under its name or not at all: data
// goes to a sibling, is synced, and takes the name by rename. So an output may
// be the input, and a killed process leaves the old file.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SYSTEM_FILES_H
#define SPARSEFLOW_SYSTEM_FILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::sparseflow {

/// A directory below the system's temporary directory that only this user can
/// enter (0700). It and its contents are removed by the destructor.
class PrivateTempDir {
public:
  static llvm::Expected<PrivateTempDir> create(llvm::StringRef prefix);
  PrivateTempDir(PrivateTempDir &&other);
  PrivateTempDir &operator=(PrivateTempDir &&other);
  ~PrivateTempDir();

  /// The absolute path, without a trailing slash.
  const std::string &path() const { return directory; }
  /// The path of `name` inside.
  std::string file(llvm::StringRef name) const;
  /// Leaves the directory on disk, for a user to look at; returns its path.
  std::string keep();

private:
  explicit PrivateTempDir(std::string path) : directory(std::move(path)) {}
  std::string directory;
};

/// Writes `data` under `path`, replacing a regular file of that name. A pipe
/// that nobody reads is refused without blocking.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef data);

/// Reads a regular file of at most `limit` bytes. A directory, a pipe or a
/// device is refused without blocking.
llvm::Expected<std::string> readRegularFile(llvm::StringRef path,
                                            uint64_t limit);

/// One of several files that are written as a whole.
struct DirectoryFile {
  std::string name;
  std::string data;
};

/// Writes files, named by their paths, like writeFileAtomically; none gets its
/// name before the data of all are on the disk.
llvm::Error writeFilesAtomically(llvm::ArrayRef<DirectoryFile> files);

/// Writes a directory with exactly `files`. An existing directory is replaced
/// if it holds `marker` or is empty, and refused otherwise, so that a wrong
/// path destroys nothing.
llvm::Error writeDirectoryAtomically(llvm::StringRef path,
                                     llvm::ArrayRef<DirectoryFile> files,
                                     llvm::StringRef marker);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SYSTEM_FILES_H
