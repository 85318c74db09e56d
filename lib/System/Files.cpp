//===- Files.cpp - Files that are whole or absent -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/System/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace mlir::sparseflow;
namespace fs = llvm::sys::fs;

static llvm::Error systemError(llvm::StringRef doing, llvm::StringRef path) {
  int error = errno;
  return llvm::createStringError(
      std::error_code(error, std::generic_category()),
      llvm::formatv("cannot {0} '{1}': {2}", doing, path, std::strerror(error))
          .str());
}

llvm::Expected<PrivateTempDir> PrivateTempDir::create(llvm::StringRef prefix) {
  llvm::SmallString<128> path;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
  llvm::sys::path::append(path, prefix + "-XXXXXX");
  // mkdtemp creates with 0700, whatever the umask.
  std::string name = path.str().str();
  if (!::mkdtemp(name.data()))
    return systemError("create the temporary directory", name);
  return PrivateTempDir(std::move(name));
}

PrivateTempDir::PrivateTempDir(PrivateTempDir &&other)
    : directory(std::move(other.directory)) {
  other.directory.clear();
}

PrivateTempDir &PrivateTempDir::operator=(PrivateTempDir &&other) {
  std::swap(directory, other.directory);
  return *this;
}

PrivateTempDir::~PrivateTempDir() {
  if (!directory.empty())
    fs::remove_directories(directory, /*IgnoreErrors=*/true);
}

std::string PrivateTempDir::file(llvm::StringRef name) const {
  return directory + "/" + name.str();
}

std::string PrivateTempDir::keep() {
  std::string path = std::move(directory);
  directory.clear();
  return path;
}

/// Writes and syncs a file that did not exist.
static llvm::Error writeNewFile(int fd, llvm::StringRef path,
                                llvm::StringRef data) {
  size_t written = 0;
  while (written < data.size()) {
    ssize_t count = ::write(fd, data.data() + written, data.size() - written);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return systemError("write", path);
    written += count;
  }
  if (::fsync(fd) != 0 && errno != EINVAL)
    return systemError("sync", path);
  return llvm::Error::success();
}

/// Tries names beside `target` until `create` makes a new one; the permissions
/// follow the umask, as those of any output do. Returns what `create` did, or
/// a negative value with errno set.
template <typename Create>
static int createSibling(const std::string &target, std::string &name,
                         Create create) {
  static std::atomic<unsigned> counter{0};
  int made = -1;
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = llvm::formatv("{0}.{1:x-}-{2:x-}.tmp", target, ::getpid(), counter++)
               .str();
    made = create(name.c_str());
    if (made >= 0 || errno != EEXIST)
      return made;
  }
  return made;
}

/// Makes a rename in the directory of `path` durable. A file system without
/// directory syncs is no error.
static void syncParent(llvm::StringRef path) {
  std::string parent = llvm::sys::path::parent_path(path).str();
  int fd = ::open(parent.empty() ? "." : parent.c_str(),
                  O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  ::fsync(fd);
  ::close(fd);
}

namespace {
/// The data of one output: a finished file beside its place, or, for what is
/// no regular file, bytes still to be written through.
class StagedFile {
public:
  static llvm::Expected<StagedFile> stage(const DirectoryFile &file);
  /// Gives the data their name. They stay apart where it fails.
  llvm::Error commit();

  StagedFile(StagedFile &&other)
      : target(std::move(other.target)), temporary(std::move(other.temporary)),
        through(other.through) {
    other.temporary.clear();
  }
  StagedFile &operator=(StagedFile &&) = delete;
  ~StagedFile() {
    if (!temporary.empty())
      ::unlink(temporary.c_str());
  }

private:
  explicit StagedFile(std::string target) : target(std::move(target)) {}

  std::string target, temporary;
  /// What a pipe or a device gets, of the caller.
  std::optional<llvm::StringRef> through;
};
} // namespace

llvm::Expected<StagedFile> StagedFile::stage(const DirectoryFile &file) {
  StagedFile staged(file.name);
  struct stat info;
  if (::stat(staged.target.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return llvm::createStringError(
          llvm::formatv("cannot write '{0}': it is a directory", file.name)
              .str());
    if (!S_ISREG(info.st_mode)) {
      staged.through = file.data;
      return std::move(staged);
    }
    // A link keeps pointing where it pointed.
    llvm::SmallString<128> real;
    if (!fs::real_path(staged.target, real))
      staged.target = real.str().str();
  }
  int fd = createSibling(staged.target, staged.temporary, [](const char *name) {
    return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  });
  if (fd < 0) {
    llvm::Error error = systemError("create a file beside", staged.target);
    staged.temporary.clear();
    return error;
  }
  llvm::Error error = writeNewFile(fd, staged.temporary, file.data);
  if (::close(fd) != 0 && !error)
    error = systemError("close", staged.temporary);
  if (error)
    return error;
  return std::move(staged);
}

llvm::Error StagedFile::commit() {
  if (!through) {
    if (::rename(temporary.c_str(), target.c_str()) != 0)
      return systemError("rename to", target);
    temporary.clear();
    syncParent(target);
    return llvm::Error::success();
  }
  // O_NONBLOCK: opening a pipe that nobody reads must not hang.
  int fd = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && errno == ENXIO)
    return llvm::createStringError(
        llvm::formatv("cannot write '{0}': nobody reads the pipe; start its "
                      "reader first",
                      target)
            .str());
  if (fd < 0)
    return systemError("open", target);
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  llvm::Error error = writeNewFile(fd, target, *through);
  ::close(fd);
  return error;
}

llvm::Error
mlir::sparseflow::writeFilesAtomically(llvm::ArrayRef<DirectoryFile> files) {
  std::vector<StagedFile> staged;
  for (const DirectoryFile &file : files) {
    llvm::Expected<StagedFile> one = StagedFile::stage(file);
    if (!one)
      return one.takeError();
    staged.push_back(std::move(*one));
  }
  for (StagedFile &one : staged)
    if (llvm::Error error = one.commit())
      return error;
  return llvm::Error::success();
}

llvm::Error mlir::sparseflow::writeFileAtomically(llvm::StringRef path,
                                                  llvm::StringRef data) {
  return writeFilesAtomically(DirectoryFile{path.str(), data.str()});
}

llvm::Expected<std::string>
mlir::sparseflow::readRegularFile(llvm::StringRef path, uint64_t limit) {
  std::string name = path.str();
  // O_NONBLOCK: opening a pipe without a writer must not hang.
  int fd = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return systemError("open", path);
  struct stat info;
  std::string data;
  llvm::Error error = llvm::Error::success();
  if (::fstat(fd, &info) != 0) {
    error = systemError("inspect", path);
  } else if (!S_ISREG(info.st_mode)) {
    error = llvm::createStringError(
        llvm::formatv("cannot read '{0}': expected a regular file", path)
            .str());
  } else if (static_cast<uint64_t>(info.st_size) > limit) {
    error = llvm::createStringError(
        llvm::formatv("cannot read '{0}': it has {1} bytes, at most {2} are "
                      "accepted",
                      path, info.st_size, limit)
            .str());
  } else {
    data.resize(info.st_size);
    size_t got = 0;
    while (got < data.size()) {
      ssize_t count = ::read(fd, data.data() + got, data.size() - got);
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0) {
        error = systemError("read", path);
        break;
      }
      if (count == 0)
        break;
      got += count;
    }
    data.resize(got);
  }
  ::close(fd);
  if (error)
    return error;
  return data;
}

llvm::Error
mlir::sparseflow::writeDirectoryAtomically(llvm::StringRef path,
                                           llvm::ArrayRef<DirectoryFile> files,
                                           llvm::StringRef marker) {
  std::string target = path.rtrim('/').str();
  if (target.empty())
    return llvm::createStringError("cannot write a directory to '" +
                                   path.str() +
                                   "': expected the name of a directory to "
                                   "make");
  struct stat info;
  bool exists = ::stat(target.c_str(), &info) == 0;
  if (exists && !S_ISDIR(info.st_mode))
    return llvm::createStringError(
        llvm::formatv("cannot write the directory '{0}': a file has that name",
                      target)
            .str());
  if (exists) {
    std::error_code error;
    bool empty =
        fs::directory_iterator(target, error) == fs::directory_iterator();
    if (!empty && !fs::exists(target + "/" + marker.str()))
      return llvm::createStringError(
          llvm::formatv("refusing to replace the directory '{0}': it is not "
                        "empty and holds no {1}; choose another name or "
                        "remove it",
                        target, marker)
              .str());
  }
  std::string temporary;
  if (createSibling(target, temporary,
                    [](const char *name) { return ::mkdir(name, 0777); }) < 0)
    return systemError("create a directory beside", target);
  auto fail = [&](llvm::Error error) {
    fs::remove_directories(temporary, /*IgnoreErrors=*/true);
    return error;
  };
  for (const DirectoryFile &file : files) {
    std::string name = temporary + "/" + file.name;
    int fd =
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
      return fail(systemError("create", name));
    llvm::Error error = writeNewFile(fd, name, file.data);
    if (::close(fd) != 0 && !error)
      error = systemError("close", name);
    if (error)
      return fail(std::move(error));
  }
  if (!exists) {
    if (::rename(temporary.c_str(), target.c_str()) != 0)
      return fail(systemError("rename to", target));
    syncParent(target);
    return llvm::Error::success();
  }
  // Exchange the two names in one step, then remove the old contents, which
  // now have the temporary name.
  if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(),
                  RENAME_EXCHANGE) != 0) {
    // A file system without the exchange: two renames. Between them the name
    // is absent, never half written.
    std::string old = temporary + ".old";
    if (::rename(target.c_str(), old.c_str()) != 0)
      return fail(systemError("move away", target));
    if (::rename(temporary.c_str(), target.c_str()) != 0) {
      llvm::Error error = systemError("rename to", target);
      ::rename(old.c_str(), target.c_str());
      return fail(std::move(error));
    }
    temporary = old;
  }
  syncParent(target);
  fs::remove_directories(temporary, /*IgnoreErrors=*/true);
  return llvm::Error::success();
}
