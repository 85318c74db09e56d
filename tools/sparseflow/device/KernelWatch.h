//===- KernelWatch.h - Names the kernel that crashes ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_KERNELWATCH_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_KERNELWATCH_H

#include <string>

namespace mlir::sparseflow::driver {

/// While a kernel runs as host code, a signal of the processor (a bad address
/// that no check foresaw, a division by zero, an illegal instruction) and the
/// end of its time are the kernel's: the process says which kernel, and ends
/// with ExitCode::CheckFailed. Between launches signals mean what they meant
/// before. One at a time.
class KernelWatch {
public:
  /// `limit`: seconds that a launch may take, 0 for no limit.
  explicit KernelWatch(unsigned limit);
  ~KernelWatch();
  KernelWatch(const KernelWatch &) = delete;
  KernelWatch &operator=(const KernelWatch &) = delete;

  /// The kernel that is launched now; "" when it has ended.
  void note(const std::string &kernel);

private:
  unsigned limit;
};

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_KERNELWATCH_H
