//===- Cases.h - What the matrix runs ---------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_SIMULATOR_MATRIX_CASES_H
#define SPARSEFLOW_TEST_SIMULATOR_MATRIX_CASES_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::sparseflow::matrix {

/// A program, its target, and the token counts to run it at. The file is what
/// `bench/gpu/programs.py --set matrix` writes.
struct Case {
  std::string program, file, target;
  /// Seed of the arguments.
  uint64_t seed = 0;
  /// Arguments with special values, by index.
  std::vector<int64_t> special;
  std::vector<int64_t> tokens;
  /// Of `tokens`: with the race detector, under three schedules.
  std::vector<int64_t> races;
  /// Copies that land at once must give the same bits.
  std::vector<int64_t> early;
  /// Arguments with the alignment of their element.
  std::vector<int64_t> unaligned;
  /// The same bits under 50 schedules.
  std::vector<int64_t> schedules;
};

llvm::Expected<std::vector<Case>> readCases(llvm::StringRef path);

} // namespace mlir::sparseflow::matrix

#endif // SPARSEFLOW_TEST_SIMULATOR_MATRIX_CASES_H
