//===- KernelWatch.cpp - Names the kernel that crashes --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/KernelWatch.h"

#include "Options.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;

namespace {
constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
/// What handlers may read: they run between any two instructions.
char kernelName[256];
unsigned secondsAllowed;
struct sigaction before[std::size(crashes) + 1];
/// A kernel may have no stack left.
alignas(16) char handlerStack[64 << 10];
/// Whether one of the threads says why the process ends.
std::atomic_flag ending = ATOMIC_FLAG_INIT;
} // namespace

static void say(const char *text) {
  // There is nothing to do about a stream that cannot be written.
  ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
  (void)written;
}

static void onCrash(int signal) {
  // Threads that simulate other blocks crash, too, at the same time.
  while (ending.test_and_set())
    ::pause();
  const char *what = "an illegal instruction";
  if (signal == SIGSEGV || signal == SIGBUS)
    what = "an address that is nobody's";
  else if (signal == SIGFPE)
    what = "an integer division by zero";
  else if (signal == SIGTRAP)
    what = "a trap";
  say("sparseflow: error: kernel '");
  say(kernelName);
  say("' crashed on the simulator: ");
  say(what);
  say("\n");
  ::_exit(CheckFailed);
}

static void onAlarm(int) {
  // It may have come between what this very thread says.
  if (ending.test_and_set())
    return;
  char digits[16];
  char *at = digits + sizeof(digits) - 1;
  *at = 0;
  for (unsigned left = secondsAllowed; left || !*at; left /= 10)
    *--at = static_cast<char>('0' + left % 10);
  say("sparseflow: error: kernel '");
  say(kernelName);
  say("' did not end within ");
  say(at);
  say(" s (--time-limit): its loop may have no end, or the sizes are large "
      "for the simulator\n");
  ::_exit(CheckFailed);
}

static void install() {
  stack_t stack = {};
  stack.ss_sp = handlerStack;
  stack.ss_size = sizeof(handlerStack);
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = onCrash;
  for (size_t i = 0; i < std::size(crashes); ++i)
    ::sigaction(crashes[i], &action, &before[i]);
  action.sa_handler = onAlarm;
  ::sigaction(SIGALRM, &action, &before[std::size(crashes)]);
}

static void restore() {
  for (size_t i = 0; i < std::size(crashes); ++i)
    ::sigaction(crashes[i], &before[i], nullptr);
  ::sigaction(SIGALRM, &before[std::size(crashes)], nullptr);
}

KernelWatch::KernelWatch(unsigned limit) : limit(limit) {
  secondsAllowed = limit;
}

KernelWatch::~KernelWatch() { note(""); }

void KernelWatch::note(const std::string &kernel) {
  ::alarm(0);
  if (kernelName[0]) {
    kernelName[0] = 0;
    restore();
  }
  if (kernel.empty())
    return;
  std::strncpy(kernelName, kernel.c_str(), sizeof(kernelName) - 1);
  install();
  ::alarm(limit);
}
