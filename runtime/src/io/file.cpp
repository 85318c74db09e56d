//===- file.cpp - Reading and replacing files safely ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/file.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace sparseflow::rt;

static Status systemError(const std::string &path, const std::string &what) {
  int code = errno;
  return ioError("'" + printable(path) + "': cannot " + what + ": " +
                 std::strerror(code));
}

//===----------------------------------------------------------------------===//
// InputFile
//===----------------------------------------------------------------------===//

Expected<InputFile> InputFile::open(const std::string &path) {
  // O_NONBLOCK: opening a pipe that nobody writes to must not hang.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return systemError(path, "open");
  InputFile file(descriptor, 0, path);
  struct stat info;
  if (::fstat(descriptor, &info) != 0)
    return systemError(path, "examine");
  if (!S_ISREG(info.st_mode))
    return ioError("'" + printable(path) +
                   "': expected a regular file, found " +
                   (S_ISDIR(info.st_mode)    ? "a directory"
                    : S_ISFIFO(info.st_mode) ? "a pipe"
                                             : "a device or socket"));
  file.bytes = info.st_size;
  return file;
}

InputFile::InputFile(InputFile &&other) noexcept
    : descriptor(other.descriptor), bytes(other.bytes),
      name(std::move(other.name)) {
  other.descriptor = -1;
}

InputFile &InputFile::operator=(InputFile &&other) noexcept {
  std::swap(descriptor, other.descriptor);
  std::swap(bytes, other.bytes);
  std::swap(name, other.name);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Status InputFile::read(uint64_t offset, void *buffer, uint64_t count) const {
  auto *next = static_cast<char *>(buffer);
  while (count > 0) {
    ssize_t got =
        ::pread(descriptor, next, std::min<uint64_t>(count, 1u << 30), offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError(name, "read");
    if (got == 0)
      return ioError("'" + printable(name) + "': the file ends at byte " +
                     std::to_string(offset) + ", " + std::to_string(count) +
                     " bytes early; it was shortened while being read");
    next += got;
    offset += got;
    count -= got;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// OutputFile
//===----------------------------------------------------------------------===//

Expected<OutputFile> OutputFile::create(const std::string &path) {
  OutputFile file;
  file.target = path;
  struct stat info;
  bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode))
    return ioError("'" + printable(path) +
                   "': the output must be a new name or a regular file, this "
                   "is something else; choose another path");
  if (exists) {
    // The rename has to hit the file behind a link, not the link.
    char *resolved = ::realpath(path.c_str(), nullptr);
    if (!resolved)
      return systemError(path, "resolve");
    file.target = resolved;
    std::free(resolved);
  }

  size_t slash = file.target.rfind('/');
  size_t start = slash == std::string::npos ? 0 : slash + 1;
  // A name that just fits must not become too long by our prefix and suffix.
  std::string base = file.target.substr(start).substr(0, 200);
  if (base.empty())
    return ioError("'" + printable(path) + "': expected the name of a file");
  file.temporary = file.target.substr(0, start) + "." + base + ".XXXXXX.tmp";
  file.descriptor = ::mkostemps(file.temporary.data(), 4, O_CLOEXEC);
  if (file.descriptor < 0) {
    Status status = systemError(path, "create a temporary file beside it");
    file.temporary.clear();
    return status;
  }
  // mkostemps makes the file private; give it the mode of the one it replaces,
  // or what open() would have given.
  mode_t mask = ::umask(0);
  ::umask(mask);
  mode_t mode = exists ? info.st_mode & 0777 : 0666 & ~mask;
  if (::fchmod(file.descriptor, mode) != 0)
    return systemError(path, "set the permissions");
  return file;
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : descriptor(other.descriptor), written(other.written),
      target(std::move(other.target)), temporary(std::move(other.temporary)) {
  other.descriptor = -1;
  other.temporary.clear();
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

Status OutputFile::rewrite(uint64_t offset, const void *data, uint64_t count) {
  const auto *next = static_cast<const char *>(data);
  while (count > 0) {
    ssize_t put =
        ::pwrite(descriptor, next, std::min<uint64_t>(count, 1u << 30), offset);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return systemError(target, "write");
    next += put;
    offset += put;
    count -= put;
  }
  return Status::success();
}

Status OutputFile::write(const void *data, uint64_t count) {
  Status status = rewrite(written, data, count);
  if (status)
    written += count;
  return status;
}

Status OutputFile::padTo(uint64_t offset) {
  static const char zeros[4096] = {};
  while (written < offset)
    if (Status status =
            write(zeros, std::min<uint64_t>(sizeof(zeros), offset - written));
        !status)
      return status;
  return Status::success();
}

Status OutputFile::commit() {
  // Without this a crash of the machine could leave the new name with old or
  // missing blocks behind it.
  if (::fsync(descriptor) != 0)
    return systemError(target, "write to disk");
  int closed = ::close(descriptor);
  descriptor = -1;
  if (closed != 0)
    return systemError(target, "close");
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return systemError(target, "rename the temporary file to");
  temporary.clear();

  // Makes the rename itself durable. Some file systems cannot sync a directory;
  // the file is complete all the same.
  size_t slash = target.rfind('/');
  std::string directory = slash == std::string::npos ? "."
                          : slash == 0               ? "/"
                                                     : target.substr(0, slash);
  int parent = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent >= 0) {
    ::fsync(parent);
    ::close(parent);
  }
  return Status::success();
}
