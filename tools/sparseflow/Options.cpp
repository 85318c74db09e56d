//===- Options.cpp - Messages, signals and outputs of sparseflow ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "SparseFlow/Support/InternalError.h"
#include "SparseFlow/System/Files.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <unistd.h>
#include <utility>

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;

int driver::fail(ExitCode code, const llvm::Twine &text) {
  llvm::errs() << "sparseflow: error: " << text << "\n";
  return code;
}

int driver::failInternally(const llvm::Twine &found) {
  return fail(Internal, internalErrorText(found));
}

void driver::note(const llvm::Twine &text) {
  llvm::errs() << "sparseflow: note: " << text << "\n";
}

DenseFallback driver::denseFallbackOf(const BuildOptions &build) {
  if (build.denseFallback == "none")
    return DenseFallback::None;
  return build.denseFallback == "rebuild" ? DenseFallback::Rebuild
                                          : DenseFallback::Weights;
}

void driver::noteOptionsOfKernels(const BuildOptions &build) {
  if (build.denseFallback != "none")
    note("--dense-fallback changes nothing on the CPU, which has one kernel "
         "for each product");
  for (auto [option, value] : {std::pair("--calibration", &build.calibration),
                               {"--schedule-file", &build.scheduleFile}})
    if (!value->empty())
      note(llvm::Twine(option) + " changes nothing on the CPU, where no "
                                 "schedule is chosen; it is not read");
}

int driver::writeOutput(llvm::StringRef path, llvm::StringRef data) {
  if (path != "-") {
    if (llvm::Error error = writeFileAtomically(path, data))
      return fail(Environment, llvm::toString(std::move(error)));
    return Success;
  }
  // A reader that went away (head) is no reason for a signal.
  std::signal(SIGPIPE, SIG_IGN);
  llvm::outs().flush();
  while (!data.empty()) {
    ssize_t count = ::write(STDOUT_FILENO, data.data(), data.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EPIPE)
      return Success;
    if (count < 0)
      return fail(Environment, llvm::Twine("cannot write to the standard "
                                           "output: ") +
                                   std::strerror(errno));
    data = data.drop_front(count);
  }
  return Success;
}
