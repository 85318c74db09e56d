//===- sim-matrix.cpp - Many programs and sizes on the simulator ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// sparseflow-sim-matrix TABLE --target T [--only PROGRAM] [--part I/N]
//                       [--minimum KIND=N...]
//
// Compiles each program of the table once, runs it at every size on the same
// compiled kernels, and checks every element against float64. Prints what
// fails, each with the command that runs it alone, and what was run; fewer than
// a minimum is a failure, so that the table cannot shrink unseen.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include "SimProgram.h"
#include "run/Run.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

#include <chrono>

using namespace mlir;
using namespace mlir::sparseflow;
using matrix::Case;
namespace tools = ::sparseflow::tools;
using ::sparseflow::rt::Status;

static llvm::cl::opt<std::string>
    table(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("<table>"));
static llvm::cl::opt<std::string>
    onlyTarget("target", llvm::cl::desc("Only the cases of this target"));
static llvm::cl::opt<std::string>
    onlyProgram("only", llvm::cl::desc("Only programs with this in the name"));
static llvm::cl::opt<std::string>
    onlyPart("part", llvm::cl::init("0/1"),
             llvm::cl::desc("I/N: of these, those numbered I modulo N"));
static llvm::cl::opt<unsigned>
    threads("block-threads", llvm::cl::init(1),
            llvm::cl::desc("Blocks that run at once (1)"));
static llvm::cl::list<std::string>
    minimum("minimum", llvm::cl::desc("KIND=N: fewer of a count is a failure"));

namespace {

/// What was run.
struct Counts {
  std::map<std::string, uint64_t> values;
  uint64_t &operator[](const std::string &name) { return values[name]; }
};

class Matrix {
public:
  void run(const Case &one);

  Counts counts;
  uint64_t failures = 0;

private:
  void runAt(const Case &one, simulation::SimProgram &program, int64_t tokens);
  bool launch(const Case &one, simulation::SimProgram &program, int64_t tokens,
              const std::string &more, int repeat, simulation::SimOptions how,
              tools::RunReport &report);
  void failed(const Case &one, const std::string &command,
              const std::string &why);
  void countKernels(simulation::SimProgram &program);

  std::set<uint64_t> kernels;
};

} // namespace

static llvm::cl::opt<uint64_t>
    schedule("schedule-seed", llvm::cl::init(1),
             llvm::cl::desc("The first schedule of each run (1)"));

static std::string commandOf(const Case &one) {
  return "sparseflow run " + one.file + " --device sim --target " + one.target;
}

void Matrix::failed(const Case &one, const std::string &command,
                    const std::string &why) {
  ++failures;
  llvm::outs() << "FAILED " << one.target << " " << one.program << ": " << why
               << "\n  alone: " << command << "\n";
  llvm::outs().flush();
}

static bool contains(const std::vector<int64_t> &list, int64_t value) {
  return llvm::is_contained(list, value);
}

/// Kernels that have run, each different code once, whatever its name.
void Matrix::countKernels(simulation::SimProgram &program) {
  for (const std::string &name : program.runner().kernelsRun()) {
    const llvm::Function *function = program.kernels().getFunction(name);
    if (!function)
      continue;
    std::string text;
    llvm::raw_string_ostream stream(text);
    function->print(stream);
    for (size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at))
      text.erase(at, name.size());
    kernels.insert(llvm::xxh3_64bits(text));
  }
  counts["kernels"] = kernels.size();
}

/// Runs and checks; false after a failure, which has been reported.
bool Matrix::launch(const Case &one, simulation::SimProgram &program,
                    int64_t tokens, const std::string &more, int repeat,
                    simulation::SimOptions how, tools::RunReport &report) {
  tools::ArgumentRequest request;
  request.seed = one.seed;
  request.threads = 1;
  std::string command = commandOf(one) +
                        " --check --dim T=" + std::to_string(tokens) +
                        " --seed " + std::to_string(one.seed);
  request.sizes.emplace_back("T", tokens);
  for (int64_t argument : one.special) {
    std::string source =
        std::to_string(argument) + "=special:" + std::to_string(one.seed);
    if (Status status = request.addArgument(source); !status) {
      failed(one, command, status.text());
      return false;
    }
    command += " --arg " + source;
  }
  how.schedule = schedule;
  how.threads = threads;
  command += " --schedule-seed " + std::to_string(how.schedule) + more;
  if (repeat > 1)
    command += " --repeat " + std::to_string(repeat);
  auto arguments =
      tools::prepareArguments(program.function(), program.reference(), request);
  if (!arguments) {
    failed(one, command, arguments.status().text());
    return false;
  }
  tools::RunOptions run;
  run.check = true;
  run.repeat = repeat;
  run.checking.threads = 1;
  auto done = tools::runAndCheck(
      *arguments, program.reference(),
      [&](const tools::ArgumentSet &set,
          std::vector<tools::HostTensor> &results) {
        if (set.empty())
          return Status::success();
        Status status = program.runner().run(set, results, how);
        ++how.schedule;
        ++counts["launches"];
        return status;
      },
      run);
  if (!done) {
    failed(one, command, program.runner().findings() + done.status().text());
    return false;
  }
  report = std::move(*done);
  if (report.ok())
    return true;
  std::string why =
      "other bits in repetition " + std::to_string(report.differingLaunch);
  if (report.differingLaunch < 0)
    for (const tools::ResultCheck &check : report.check->results)
      why =
          llvm::formatv("{0} of {1} elements are wrong, at first {2}: found "
                        "{3}, expected {4} within {5}",
                        check.report.wrong, check.report.elements,
                        tools::shapeText(check.worstIndex), check.report.found,
                        check.report.exact, check.report.tolerance)
              .str();
  failed(one, command, why);
  return false;
}

void Matrix::runAt(const Case &one, simulation::SimProgram &program,
                   int64_t tokens) {
  simulation::SimOptions how;
  std::string more;
  int repeat = 1;
  how.races = contains(one.races, tokens);
  how.unaligned = contains(one.unaligned, tokens);
  bool many = contains(one.schedules, tokens);
  if (how.races) {
    more += " --races";
    repeat = 3;
  }
  if (how.unaligned)
    more += " --unaligned";
  if (many) {
    how.races = false;
    repeat = 50;
  }
  tools::RunReport report;
  if (!launch(one, program, tokens, more, repeat, how, report))
    return;
  ++counts[report.empty ? "empty" : "executions"];
  counts["unaligned"] += how.unaligned;
  counts["races"] += how.races;
  counts["schedules"] += many;
  if (!contains(one.early, tokens))
    return;
  how.earlyCopies = true;
  how.races = false;
  tools::RunReport early;
  if (!launch(one, program, tokens, " --early-copies", 1, how, early))
    return;
  ++counts["early"];
  for (size_t i = 0; i < early.results.size(); ++i)
    if (std::memcmp(early.results[i].data.data(), report.results[i].data.data(),
                    early.results[i].data.size()))
      failed(one,
             commandOf(one) +
                 " --early-copies --dim T=" + std::to_string(tokens),
             "copies that land at once give other bits");
}

void Matrix::run(const Case &one) {
  DialectRegistry registry;
  registerCompiler(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Remarks are not wanted here.
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      llvm::outs() << diagnostic.str() << "\n";
    return success();
  });
  auto target = parseTarget(one.target);
  if (!target)
    return failed(one, commandOf(one), llvm::toString(target.takeError()));
  auto module = parseSourceFile<ModuleOp>(one.file, ParserConfig(&context));
  if (!module)
    return failed(one, commandOf(one), "cannot be read");
  CompileOptions compile;
  compile.targets = {*target};
  compile.output = OutputKind::Manifest;
  compile.keepLLVMIR = true;
  FailureOr<CompileResult> compiled = compileModule(*module, compile);
  if (mlir::failed(compiled))
    return failed(one, commandOf(one), "does not compile");
  auto program = simulation::SimProgram::create(*compiled, {});
  if (!program)
    return failed(one, commandOf(one), program.status().text());
  ++counts["programs"];
  for (int64_t tokens : one.tokens)
    runAt(one, **program, tokens);
  countKernels(**program);
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Many programs on the simulator\n");
  auto start = std::chrono::steady_clock::now();
  auto cases = matrix::readCases(table);
  if (!cases) {
    llvm::errs() << "sparseflow-sim-matrix: error: "
                 << llvm::toString(cases.takeError()) << "\n";
    return 1;
  }
  auto [partText, partsText] = llvm::StringRef(onlyPart).split('/');
  uint64_t part = 0, parts = 0;
  if (partText.getAsInteger(10, part) || partsText.getAsInteger(10, parts) ||
      part >= parts) {
    llvm::errs() << "sparseflow-sim-matrix: error: --part " << onlyPart
                 << ": expected I/N with I below N\n";
    return 2;
  }
  Matrix all;
  uint64_t number = 0;
  for (const Case &one : *cases)
    if ((onlyTarget.empty() || one.target == onlyTarget) &&
        llvm::StringRef(one.program).contains(onlyProgram) &&
        number++ % parts == part)
      all.run(one);
  for (const std::string &text : minimum) {
    auto [kind, number] = llvm::StringRef(text).split('=');
    uint64_t least = 0;
    if (number.getAsInteger(10, least)) {
      llvm::errs() << "sparseflow-sim-matrix: error: --minimum " << text
                   << ": expected KIND=N\n";
      return 2;
    }
    if (all.counts[kind.str()] < least) {
      ++all.failures;
      llvm::outs() << "FAILED expected at least " << least << " " << kind
                   << ", found " << all.counts[kind.str()] << "\n";
    }
  }
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  for (const auto &[name, value] : all.counts.values)
    llvm::outs() << name << " " << value << ", ";
  llvm::outs() << llvm::formatv("failures {0}, in {1:f0} s\n", all.failures,
                                seconds);
  return all.failures != 0;
}
