//===- sim-bench.cpp - How fast the simulator is --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Prints, for kernels on mma.sp, mma.sync, wgmma.sp and wgmma, how many dense
// multiply-adds the simulator carries out each second on one core, without and
// with the race detector. A kernel is compiled before it is timed. Processor
// time counts, and of several runs the fastest: on a shared machine the minimum
// is what the code can do. With --floor the exit status is 1 where the first
// column is below the floor of its instruction: 1 for mma.sp, 2 for wgmma.sp.
//
//===----------------------------------------------------------------------===//

#include "SimProgram.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

#include <ctime>

using namespace mlir;
using namespace mlir::sparseflow;
namespace tools = ::sparseflow::tools;

static llvm::cl::opt<unsigned> repeats("repeats", llvm::cl::init(3),
                                       llvm::cl::desc("runs of each (3)"));
static llvm::cl::list<int64_t>
    sizes("shape", llvm::cl::CommaSeparated,
          llvm::cl::desc("T,N,K (512,1536,384 and, for wgmma, 512,2048,384)"));
static llvm::cl::opt<bool> withFloor("floor",
                                     llvm::cl::desc("fail below the floors"));

namespace {
struct Row {
  const char *instruction, *target;
  bool sparse;
  /// The schedules take wgmma for wide products only.
  int64_t features;
  /// G multiply-adds a second and core that the row has to reach.
  double floor;
};
constexpr Row rows[] = {
    {"mma.sp", "sm_80", true, 1536, 1},
    {"mma.sync", "sm_80", false, 1536, 1},
    {"wgmma.sp", "sm_90a", true, 2048, 2},
    {"wgmma", "sm_90a", false, 2048, 0},
};

struct Shape {
  int64_t tokens, features, depth;
};
} // namespace

static std::string makeModule(const Shape &shape, bool sparse) {
  return llvm::formatv(
             "func.func @f(%x: tensor<?x{0}xf16>, %w: tensor<{1}x{0}xf16{2}>) "
             "-> tensor<?x{1}xf16> {{\n"
             "  %y = sparseflow.matmul %x, %w {{\n"
             "  ^bb0(%acc: f32):\n"
             "    %v = arith.truncf %acc : f32 to f16\n"
             "    sparseflow.yield %v : f16\n"
             "  } : tensor<?x{0}xf16>, tensor<{1}x{0}xf16{2}> -> "
             "tensor<?x{1}xf16>\n"
             "  return %y : tensor<?x{1}xf16>\n}\n",
             shape.depth, shape.features, sparse ? ", #sparseflow.nm<2:4>" : "")
      .str();
}

/// Processor time of this process, all of whose work is one thread's.
static double now() {
  timespec time = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

/// Seconds of the fastest run; an error for a kernel that does not run.
static llvm::Expected<double> timeRuns(simulation::SimProgram &program,
                                       const tools::ArgumentSet &arguments,
                                       bool races) {
  simulation::SimOptions how;
  how.threads = 1;
  how.races = races;
  double best = 1e30;
  // The first run compiles the kernel.
  for (unsigned i = 0; i <= repeats; ++i) {
    std::vector<tools::HostTensor> results = arguments.allocateResults();
    double start = now();
    auto status = program.runner().run(arguments, results, how);
    double time = now() - start;
    if (!status)
      return llvm::createStringError(program.runner().findings() +
                                     status.text());
    if (i)
      best = std::min(best, time);
  }
  return best;
}

static llvm::Expected<std::pair<double, double>> measure(const Row &row,
                                                         const Shape &shape) {
  DialectRegistry registry;
  registerCompiler(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
  });
  auto target = parseTarget(row.target);
  if (!target)
    return target.takeError();
  auto module =
      parseSourceString<ModuleOp>(makeModule(shape, row.sparse), &context);
  CompileOptions compile;
  compile.targets = {*target};
  compile.output = OutputKind::Manifest;
  compile.keepLLVMIR = true;
  FailureOr<CompileResult> compiled = failure();
  if (module)
    compiled = compileModule(*module, compile);
  if (failed(compiled))
    return llvm::createStringError("does not compile");
  auto program = simulation::SimProgram::create(*compiled, {});
  if (!program)
    return llvm::createStringError(program.status().text());
  tools::ArgumentRequest request;
  request.sizes.emplace_back("T", shape.tokens);
  auto arguments = tools::prepareArguments((*program)->function(),
                                           (*program)->reference(), request);
  if (!arguments)
    return llvm::createStringError(arguments.status().text());
  auto plain = timeRuns(**program, *arguments, false);
  if (!plain)
    return plain.takeError();
  auto races = timeRuns(**program, *arguments, true);
  if (!races)
    return races.takeError();
  return std::make_pair(*plain, *races);
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "How fast the simulator is\n");
  if (!sizes.empty() && sizes.size() != 3) {
    llvm::errs() << "sparseflow-sim-bench: error: expected --shape T,N,K\n";
    return 2;
  }
  bool slow = false;
  llvm::outs()
      << "instruction  target  T x N x K         G mul-add/s and core, "
         "with --races\n";
  for (const Row &row : rows) {
    Shape shape = {512, row.features, 384};
    if (!sizes.empty())
      shape = {sizes[0], sizes[1], sizes[2]};
    std::string name = llvm::formatv("{0} x {1} x {2}", shape.tokens,
                                     shape.features, shape.depth);
    llvm::outs() << llvm::formatv("{0,-12} {1,-7} {2,-17} ", row.instruction,
                                  row.target, name);
    auto seconds = measure(row, shape);
    if (!seconds) {
      llvm::outs() << "error: " << llvm::toString(seconds.takeError()) << "\n";
      slow = true;
      continue;
    }
    double work = 1e-9 * static_cast<double>(shape.tokens) *
                  static_cast<double>(shape.features) *
                  static_cast<double>(shape.depth);
    double speed = work / seconds->first;
    llvm::outs() << llvm::formatv("{0,-20:f2}  {1:f2}\n", speed,
                                  work / seconds->second);
    llvm::outs().flush();
    slow |= speed < row.floor;
  }
  return withFloor && slow;
}
