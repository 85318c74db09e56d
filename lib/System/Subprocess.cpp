//===- Subprocess.cpp - Run a program with a deadline ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/System/Subprocess.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace mlir::sparseflow;

namespace {

/// A pipe whose ends close themselves and are not inherited by other children.
struct Pipe {
  int ends[2] = {-1, -1};
  bool open() { return ::pipe2(ends, O_CLOEXEC) == 0; }
  void close(int which) {
    if (ends[which] >= 0)
      ::close(ends[which]);
    ends[which] = -1;
  }
  ~Pipe() {
    close(0);
    close(1);
  }
};

/// posix_spawn's two option objects.
struct SpawnState {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnState() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnState() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
};

} // namespace

/// Reads what is there without blocking longer than one poll. Returns false at
/// the end of the stream.
static bool drain(int fd, std::string &into, size_t limit) {
  char buffer[4096];
  ssize_t got = ::read(fd, buffer, sizeof(buffer));
  if (got < 0)
    return errno == EINTR || errno == EAGAIN;
  if (got == 0)
    return false;
  if (into.size() < limit)
    into.append(buffer, std::min<size_t>(got, limit - into.size()));
  return true;
}

llvm::Expected<SubprocessResult>
mlir::sparseflow::runSubprocess(llvm::StringRef program,
                                llvm::ArrayRef<std::string> arguments,
                                const SubprocessOptions &options) {
  std::string path = program.str();
  std::vector<char *> argv{path.data()};
  std::vector<std::string> copies(arguments.begin(), arguments.end());
  for (std::string &argument : copies)
    argv.push_back(argument.data());
  argv.push_back(nullptr);

  std::array<Pipe, 2> pipes;
  SpawnState spawn;
  if (!options.inheritInput)
    posix_spawn_file_actions_addopen(&spawn.actions, 0, "/dev/null", O_RDONLY,
                                     0);
  if (options.capture) {
    for (int i = 0; i < 2; ++i) {
      if (!pipes[i].open())
        return llvm::createStringError(
            std::error_code(errno, std::generic_category()),
            llvm::formatv("cannot create a pipe: {0}; raise the limit (ulimit "
                          "-n) or end programs",
                          std::strerror(errno))
                .str());
      posix_spawn_file_actions_adddup2(&spawn.actions, pipes[i].ends[1], i + 1);
    }
  }
  // Its own process group, so that a kill reaches what the program starts.
  posix_spawnattr_setflags(&spawn.attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&spawn.attributes, 0);

  pid_t child = -1;
  if (int error = ::posix_spawn(&child, path.c_str(), &spawn.actions,
                                &spawn.attributes, argv.data(), environ))
    return llvm::createStringError(
        std::error_code(error, std::generic_category()),
        llvm::formatv("cannot start '{0}': {1}", path, std::strerror(error))
            .str());
  pipes[0].close(1);
  pipes[1].close(1);

  SubprocessResult result;
  auto deadline = std::chrono::steady_clock::now() + options.timeout;
  bool killed = false;
  int status = 0;
  bool exited = false;
  while (true) {
    struct pollfd polls[2];
    std::string *sinks[2] = {&result.standardOutput, &result.standardError};
    int count = 0;
    int which[2];
    for (int i = 0; i < 2; ++i)
      if (pipes[i].ends[0] >= 0) {
        which[count] = i;
        polls[count++] = {pipes[i].ends[0], POLLIN, 0};
      }
    // A grandchild may hold the pipes open after the child has ended.
    if (exited && count == 0)
      break;
    ::poll(polls, count, exited ? 0 : (count ? 50 : 10));
    bool progressed = false;
    for (int i = 0; i < count; ++i)
      if (polls[i].revents) {
        progressed = true;
        if (!drain(polls[i].fd, *sinks[which[i]], options.outputLimit))
          pipes[which[i]].close(0);
      }
    if (exited && !progressed)
      break;
    if (!exited) {
      pid_t waited = ::waitpid(child, &status, WNOHANG);
      exited = waited == child || (waited < 0 && errno != EINTR);
    }
    if (exited || killed)
      continue;
    result.timedOut = options.timeout.count() > 0 &&
                      std::chrono::steady_clock::now() > deadline;
    result.cancelled = options.cancelled && options.cancelled();
    if (result.timedOut || result.cancelled) {
      ::kill(-child, SIGKILL);
      killed = true;
    }
  }
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  else
    result.exitCode = WEXITSTATUS(status);
  return result;
}

std::string
mlir::sparseflow::findExecutable(llvm::StringRef name,
                                 llvm::ArrayRef<std::string> directories,
                                 std::string &searched) {
  auto tryDirectory = [&](llvm::StringRef directory) -> std::string {
    std::string candidate = (directory + "/" + name).str();
    if (!searched.empty())
      searched += ", ";
    searched += candidate;
    if (llvm::sys::fs::can_execute(candidate) &&
        !llvm::sys::fs::is_directory(candidate))
      return candidate;
    return {};
  };
  for (const std::string &directory : directories)
    if (std::string found = tryDirectory(directory); !found.empty())
      return found;
  if (const char *path = std::getenv("PATH")) {
    llvm::SmallVector<llvm::StringRef> entries;
    llvm::StringRef(path).split(entries, ':', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef entry : entries)
      if (entry.starts_with("/"))
        if (std::string found = tryDirectory(entry); !found.empty())
          return found;
  }
  return {};
}
