//===- Mutants.h - Defects of a kernel's LLVM IR ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_SIMULATOR_MUTATION_MUTANTS_H
#define SPARSEFLOW_TEST_SIMULATOR_MUTATION_MUTANTS_H

#include "llvm/IR/Function.h"

#include <functional>
#include <string>
#include <vector>

namespace mlir::sparseflow::mutation {

/// One defect that can be made.
struct Mutant {
  /// What is done, and to which instruction: "remove bar.warp.sync".
  std::string kind;
  /// To the how many-th that this can be done to, from 0.
  unsigned number = 0;
  /// The instruction, as the LLVM IR has it.
  std::string instruction;
  /// Changes the module. The function stays valid IR.
  std::function<void()> apply;

  /// "remove bar.warp.sync 3".
  std::string name() const { return kind + " " + std::to_string(number); }
};

/// Every defect of `kernel`, in the order of its text:
///
///  remove     a barrier, wait, commit, fence, arrival or other instruction
///             whose only use is to order others, or a bulk copy
///  skip       a cp.async
///  duplicate  an arrival at an mbarrier (twice the same barrier or wait is no
///             defect, for the second finds nothing to wait for; an empty group
///             more only makes waits wait for more)
///  negate     the condition of a branch or of a select, and
///  true         the same condition replaced by true
///  weaken     one group more may stay under way at a wait
///  selector   the other half of the metadata
///  swap       the first two registers of an operand of a matrix instruction
///  shift      the address of an access, by the size of the access; of a copy
///             the destination,
///  shift-source  and the source
///  coordinate of a tile, by 16 bytes in dimension 0 and by one in the others
///  mask       one block less that a copy goes to
///  count      arrivals or bytes that an mbarrier waits for, more
///  rank       of the block whose shared memory is meant, the neighbour's
///  phase      the parity that a wait on an mbarrier waits for
///  lane       a shuffle's distance, by one
std::vector<Mutant> findMutants(llvm::Function &kernel);

} // namespace mlir::sparseflow::mutation

#endif // SPARSEFLOW_TEST_SIMULATOR_MUTATION_MUTANTS_H
