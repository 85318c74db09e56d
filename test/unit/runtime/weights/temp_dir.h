//===- temp_dir.h - A directory that a test may fill ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_WEIGHTS_TEMP_DIR_H
#define SPARSEFLOW_TEST_WEIGHTS_TEMP_DIR_H

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace sparseflow::test {

/// A fresh directory, removed with everything in it at the end of the scope.
class TempDir {
public:
  TempDir() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "sparseflow.XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
      throw std::runtime_error("mkdtemp failed");
    root = pattern;
  }
  TempDir(const TempDir &) = delete;
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  std::string path(const std::string &name) const { return root + "/" + name; }
  const std::string &path() const { return root; }

  /// The names in the directory.
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto &entry : std::filesystem::directory_iterator(root))
      result.push_back(entry.path().filename().string());
    return result;
  }

private:
  std::string root;
};

inline std::string readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), bytes.size());
}

/// Flips one bit in place: tests that do so for every bit of a file would spend
/// their time on creating files otherwise.
inline void flipBit(const std::string &path, size_t bit) {
  std::fstream stream(path, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekg(bit / 8);
  char byte = stream.get() ^ 1 << bit % 8;
  stream.seekp(bit / 8);
  stream.put(byte);
}

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_WEIGHTS_TEMP_DIR_H
