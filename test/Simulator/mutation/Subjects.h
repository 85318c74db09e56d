//===- Subjects.h - The kernels that are mutated ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_SIMULATOR_MUTATION_SUBJECTS_H
#define SPARSEFLOW_TEST_SIMULATOR_MUTATION_SUBJECTS_H

#include "Mutants.h"
#include "SimProgram.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::sparseflow::mutation {

/// A program, compiled, and the runs that a mutant of its kernels must survive
/// unnoticed to count as a survivor.
struct SubjectPlan {
  std::string name, file, target, scheduleFile;
  std::vector<int64_t> tokens;
  /// Arguments by index whose first and last elements are infinities in runs of
  /// their own, behind those of finite numbers: a kernel may compute again what
  /// is not finite, each warp its part.
  std::vector<int64_t> infinite;
  /// Arguments by index whose second element is 100 in runs of finite numbers:
  /// a largest number that is not the largest changes results by less than a
  /// tolerance where all are alike.
  std::vector<int64_t> large;
};

/// A defect that nobody notices, and why it is none.
struct Survivor {
  /// Regular expressions: of the subject's whole name ("*" for every one), of
  /// the mutant's whole name, and of a part of the instruction.
  std::string subject, mutant, instruction;
  std::string reason;
};

struct Plan {
  std::vector<SubjectPlan> subjects;
  std::vector<Survivor> survivors;
};

/// Reads the table; files are named relative to it.
llvm::Expected<Plan> readPlan(llvm::StringRef path);

/// What became of a run.
enum class Outcome {
  Survived,
  Wrong,   ///< numbers, or other bits under another schedule
  Finding, ///< race, bounds, alignment, deadlock, bad operand
  Refused, ///< the launch
  Crashed,
  Endless
};
const char *outcomeName(Outcome outcome);

class Subject {
public:
  /// Compiles, and runs the kernels as they are, which must pass.
  static llvm::Expected<std::unique_ptr<Subject>>
  create(const SubjectPlan &plan);

  /// Kernel and defect; of the kernels that the runs launch.
  const std::vector<std::pair<std::string, Mutant>> &mutants() const {
    return found;
  }
  const SubjectPlan &plan() const { return described; }

  /// Runs the mutant in a process of its own, which ends after `seconds` of
  /// processor time.
  Outcome tryMutant(const Mutant &mutant, unsigned seconds);

private:
  Outcome runAll();
  Outcome run(int64_t tokens, bool infinite);

  SubjectPlan described;
  CompileResult compiled;
  std::unique_ptr<simulation::SimProgram> program;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::vector<std::pair<std::string, Mutant>> found;
};

} // namespace mlir::sparseflow::mutation

#endif // SPARSEFLOW_TEST_SIMULATOR_MUTATION_SUBJECTS_H
