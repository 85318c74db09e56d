//===- Progress.cpp - A progress bar for people ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run/Progress.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

using namespace sparseflow::tools;

ProgressBar::ProgressBar()
    : enabled(isatty(STDERR_FILENO) == 1),
      start(std::chrono::steady_clock::now()), last(start) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::show(const std::string &what, double done) {
  using namespace std::chrono;
  if (!enabled)
    return;
  auto now = steady_clock::now();
  if (now - start < milliseconds(500) ||
      (drawn && now - last < milliseconds(50)))
    return;
  constexpr int width = 30;
  int filled = static_cast<int>(std::clamp(done, 0.0, 1.0) * width);
  std::fprintf(
      stderr, "\r\033[K[%s%s] %3d%% %s", std::string(filled, '#').c_str(),
      std::string(width - filled, ' ').c_str(),
      static_cast<int>(std::clamp(done, 0.0, 1.0) * 100), what.c_str());
  std::fflush(stderr);
  drawn = true;
  last = now;
}

void ProgressBar::clear() {
  if (!drawn)
    return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn = false;
}
