//===- sparseflow-mutate.cpp - Does the simulator notice defects? ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// sparseflow-mutate PLAN [--all | --rotate N --number SEED] [--subject NAME]
//
// Makes defects in the LLVM IR of compiled kernels, one at a time, and runs
// each on the simulator. A mutant is killed by wrong numbers, by a finding, by
// a crash, or by running forever. One that is not must be listed in PLAN with
// the reason why it is no defect; any other is a failure, and so is a list with
// entries that nothing needs (under --all).
//
//===----------------------------------------------------------------------===//

#include "Subjects.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

#include <random>

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::mutation;

static llvm::cl::opt<std::string> planFile(llvm::cl::Positional,
                                           llvm::cl::Required,
                                           llvm::cl::desc("<plan>"));
static llvm::cl::opt<bool> all("all", llvm::cl::desc("Every mutant"));
static llvm::cl::opt<unsigned>
    rotate("rotate", llvm::cl::init(10),
           llvm::cl::desc("This many mutants, chosen by --number (10)"));
static llvm::cl::opt<uint64_t> number("number", llvm::cl::init(0),
                                      llvm::cl::desc("Chooses the mutants"));
static llvm::cl::opt<std::string>
    onlySubject("subject", llvm::cl::desc("Only this subject"));
static llvm::cl::opt<std::string> onlyMutant(
    "mutant",
    llvm::cl::desc("Only mutants of this name, \"remove bar.warp.sync 3\""));
static llvm::cl::opt<std::string>
    pattern("match", llvm::cl::desc("Every mutant whose name this regular "
                                    "expression matches, \"remove .*\""));
static llvm::cl::opt<unsigned>
    seconds("seconds", llvm::cl::init(10),
            llvm::cl::desc("Processor time a mutant may take (10)"));
static llvm::cl::opt<bool> list("list", llvm::cl::desc("Print every outcome"));

static int fail(const std::string &text) {
  llvm::errs() << "sparseflow-mutate: error: " << text << "\n";
  return 1;
}

static bool matches(const std::string &pattern, llvm::StringRef text) {
  return llvm::Regex("^(" + pattern + ")$").match(text);
}

static const Survivor *findReason(Plan &plan, const std::string &subject,
                                  const Mutant &mutant) {
  for (const Survivor &survivor : plan.survivors) {
    if ((survivor.subject == "*" || matches(survivor.subject, subject)) &&
        matches(survivor.mutant, mutant.name()) &&
        llvm::Regex(survivor.instruction).match(mutant.instruction))
      return &survivor;
  }
  return nullptr;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Does the simulator notice defects?\n");
  llvm::Expected<Plan> plan = readPlan(planFile);
  if (!plan)
    return fail(llvm::toString(plan.takeError()));
  std::vector<std::unique_ptr<Subject>> subjects;
  struct Choice {
    Subject *subject;
    size_t index;
  };
  std::vector<Choice> choices;
  for (const SubjectPlan &one : plan->subjects) {
    if (!onlySubject.empty() && one.name != onlySubject)
      continue;
    auto subject = Subject::create(one);
    if (!subject)
      return fail(llvm::toString(subject.takeError()));
    for (size_t i = 0; i < (*subject)->mutants().size(); ++i)
      if (std::string name = (*subject)->mutants()[i].second.name();
          (onlyMutant.empty() || name == onlyMutant) &&
          (pattern.empty() || matches(pattern, name)))
        choices.push_back({subject->get(), i});
    llvm::outs() << one.name << " (" << one.target
                 << "): " << (*subject)->mutants().size() << " mutants\n";
    subjects.push_back(std::move(*subject));
  }
  size_t possible = choices.size();
  if (!all && onlyMutant.empty() && pattern.empty()) {
    std::mt19937_64 random(number);
    for (size_t i = 0; i < choices.size() && i < rotate; ++i)
      std::swap(choices[i], choices[i + random() % (choices.size() - i)]);
    choices.resize(std::min<size_t>(choices.size(), rotate));
    llvm::outs() << "number " << number << " chooses " << choices.size()
                 << " of " << possible << "\n";
  }
  llvm::outs().flush();

  std::map<Outcome, unsigned> outcomes;
  std::set<const Survivor *> needed;
  unsigned unlisted = 0;
  for (const Choice &choice : choices) {
    const auto &[kernel, mutant] = choice.subject->mutants()[choice.index];
    const std::string &subject = choice.subject->plan().name;
    Outcome outcome = choice.subject->tryMutant(mutant, seconds);
    ++outcomes[outcome];
    const Survivor *reason = nullptr;
    if (outcome == Outcome::Survived) {
      reason = findReason(*plan, subject, mutant);
      if (reason)
        needed.insert(reason);
      else
        ++unlisted;
    }
    if (list || (outcome == Outcome::Survived && !reason))
      llvm::outs() << (outcome == Outcome::Survived && !reason ? "SURVIVOR "
                                                               : "")
                   << subject << ", " << kernel << ", " << mutant.name() << ", "
                   << outcomeName(outcome) << ": "
                   << llvm::StringRef(mutant.instruction).take_front(160)
                   << "\n";
    llvm::outs().flush();
  }
  if (all && onlySubject.empty() && onlyMutant.empty() && pattern.empty())
    for (const Survivor &survivor : plan->survivors)
      if (!needed.count(&survivor)) {
        ++unlisted;
        llvm::outs() << "no survivor is explained by: " << survivor.subject
                     << ", " << survivor.mutant << ", " << survivor.instruction
                     << "\n";
      }
  for (const auto &[outcome, count] : outcomes)
    llvm::outs() << outcomeName(outcome) << " " << count << ", ";
  llvm::outs() << llvm::formatv("of {0} mutants; {1} without a reason\n",
                                choices.size(), unlisted);
  return unlisted != 0;
}
