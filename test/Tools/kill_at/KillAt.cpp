//===- KillAt.cpp - Kills a process at its n-th change of files -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With KILL_AT=N, a process called KILL_PROGRAM gets SIGKILL just before its
// N-th call (from 1) of a function that changes files: between any two such
// calls nothing happens that the disk could show. A write is done by half
// first, as if the kill came in the middle of it.
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static bool reached() {
  static const char *text = std::getenv("KILL_AT");
  static const char *program = std::getenv("KILL_PROGRAM");
  static const bool meant =
      text && program && !std::strcmp(program, program_invocation_short_name);
  static const long at = meant ? std::atol(text) : 0;
  static std::atomic<long> calls{0};
  return ++calls == at;
}

static void change() {
  if (reached())
    ::kill(::getpid(), SIGKILL);
}

/// The function that this one stands in front of.
template <typename Function>
static Function *next(const char *name) {
  return reinterpret_cast<Function *>(::dlsym(RTLD_NEXT, name));
}

extern "C" {

ssize_t write(int fd, const void *data, size_t count) {
  static auto real = next<ssize_t(int, const void *, size_t)>("write");
  if (fd > 2 && reached()) {
    real(fd, data, count / 2);
    ::kill(::getpid(), SIGKILL);
  }
  return real(fd, data, count);
}

#define PWRITE(name, type)                                                     \
  ssize_t name(int fd, const void *data, size_t count, type at) {              \
    static auto real = next<ssize_t(int, const void *, size_t, type)>(#name);  \
    if (reached()) {                                                           \
      real(fd, data, count / 2, at);                                           \
      ::kill(::getpid(), SIGKILL);                                             \
    }                                                                          \
    return real(fd, data, count, at);                                          \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define OPEN(name)                                                             \
  int name(const char *path, int flags, ...) {                                 \
    static auto real = next<int(const char *, int, ...)>(#name);               \
    va_list list;                                                              \
    va_start(list, flags);                                                     \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;    \
    va_end(list);                                                              \
    if (flags & O_CREAT)                                                       \
      change();                                                                \
    return real(path, flags, mode);                                            \
  }
OPEN(open)
OPEN(open64)

#define CHANGE(name, parameters, arguments)                                    \
  int name parameters {                                                        \
    static auto real = next<int parameters>(#name);                            \
    change();                                                                  \
    return real arguments;                                                     \
  }
CHANGE(mkostemps, (char *name, int suffix, int flags), (name, suffix, flags))
CHANGE(mkostemps64, (char *name, int suffix, int flags), (name, suffix, flags))
CHANGE(mkdir, (const char *path, mode_t mode), (path, mode))
CHANGE(fchmod, (int fd, mode_t mode), (fd, mode))
CHANGE(fsync, (int fd), (fd))
CHANGE(unlink, (const char *path), (path))
CHANGE(rmdir, (const char *path), (path))
CHANGE(unlinkat, (int fd, const char *path, int flags), (fd, path, flags))
CHANGE(rename, (const char *from, const char *to), (from, to))
CHANGE(renameat2,
       (int fromAt, const char *from, int toAt, const char *to, unsigned flags),
       (fromAt, from, toAt, to, flags))

// LLVM's remove calls the C library's, which calls none of the above.
CHANGE(remove, (const char *path), (path))
}
