//===- Subjects.cpp - The kernels that are mutated ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subjects.h"

#include "run/Run.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <csignal>
#include <fcntl.h>
#include <limits>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::mutation;
namespace tools = ::sparseflow::tools;
using ::sparseflow::rt::Status;

namespace mlir::sparseflow::mutation {
static bool fromJSON(const llvm::json::Value &value, SubjectPlan &plan,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("name", plan.name) && map.map("file", plan.file) &&
         map.map("target", plan.target) && map.map("tokens", plan.tokens) &&
         map.mapOptional("schedule_file", plan.scheduleFile) &&
         map.mapOptional("infinite", plan.infinite) &&
         map.mapOptional("large", plan.large);
}
static bool fromJSON(const llvm::json::Value &value, Survivor &survivor,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("subject", survivor.subject) &&
         map.map("mutant", survivor.mutant) &&
         map.map("instruction", survivor.instruction) &&
         map.map("reason", survivor.reason);
}
static bool fromJSON(const llvm::json::Value &value, Plan &plan,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("subjects", plan.subjects) &&
         map.map("survivors", plan.survivors);
}
} // namespace mlir::sparseflow::mutation

llvm::Expected<Plan> mutation::readPlan(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + buffer.getError().message());
  llvm::Expected<llvm::json::Value> parsed =
      llvm::json::parse((*buffer)->getBuffer());
  if (!parsed)
    return parsed.takeError();
  Plan plan;
  llvm::json::Path::Root root(path);
  if (!fromJSON(*parsed, plan, root))
    return root.getError();
  for (SubjectPlan &subject : plan.subjects)
    for (std::string *file : {&subject.file, &subject.scheduleFile}) {
      if (file->empty())
        continue;
      llvm::SmallString<128> full(llvm::sys::path::parent_path(path));
      llvm::sys::path::append(full, *file);
      *file = std::string(full);
    }
  return plan;
}

const char *mutation::outcomeName(Outcome outcome) {
  switch (outcome) {
  case Outcome::Survived:
    return "survived";
  case Outcome::Wrong:
    return "wrong numbers";
  case Outcome::Finding:
    return "finding";
  case Outcome::Refused:
    return "refused";
  case Outcome::Crashed:
    return "crash";
  case Outcome::Endless:
    return "endless";
  }
  return "";
}

/// Writes `value` to elements of a tensor by index.
static void overwrite(tools::HostTensor &tensor,
                      std::initializer_list<size_t> elements, float value) {
  std::vector<float> values(tensor.count());
  tools::widen(tensor, values.data());
  for (size_t element : elements)
    values[element] = value;
  tools::narrow(values.data(), tensor);
}

/// One size under two schedules, with the race detector.
Outcome Subject::run(int64_t tokens, bool infinite) {
  tools::ArgumentRequest request;
  request.threads = 1;
  request.sizes.emplace_back("T", tokens);
  auto arguments = tools::prepareArguments(program->function(),
                                           program->reference(), request);
  if (!arguments)
    return Outcome::Refused;
  for (int64_t index : infinite ? described.infinite : described.large) {
    tools::HostTensor &tensor = arguments->arguments[index].dense;
    if (infinite)
      overwrite(tensor, {0, tensor.count() - 1},
                std::numeric_limits<float>::infinity());
    else
      overwrite(tensor, {1}, 100);
  }
  tools::RunOptions run;
  run.check = true;
  run.repeat = 2;
  run.checking.threads = 1;
  simulation::SimOptions how;
  how.races = true;
  how.threads = 1;
  how.schedule = 1;
  auto report = tools::runAndCheck(
      *arguments, program->reference(),
      [&](const tools::ArgumentSet &set,
          std::vector<tools::HostTensor> &results) {
        Status status = program->runner().run(set, results, how);
        ++how.schedule;
        return status;
      },
      run);
  if (!program->runner().findings().empty())
    return Outcome::Finding;
  if (!report)
    return Outcome::Refused;
  return report->ok() ? Outcome::Survived : Outcome::Wrong;
}

/// Every size, with finite numbers and with infinities.
Outcome Subject::runAll() {
  for (int64_t tokens : described.tokens)
    for (bool infinite : {false, true}) {
      if (infinite && described.infinite.empty())
        continue;
      Outcome outcome = run(tokens, infinite);
      if (outcome != Outcome::Survived)
        return outcome;
    }
  return Outcome::Survived;
}

llvm::Expected<std::unique_ptr<Subject>>
Subject::create(const SubjectPlan &plan) {
  std::unique_ptr<Subject> subject(new Subject());
  subject->described = plan;
  auto failed = [&](const llvm::Twine &why) {
    return llvm::createStringError("subject '" + plan.name + "': " + why);
  };
  DialectRegistry registry;
  registerCompiler(registry);
  // No threads: mutants run in forks of this process.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto target = parseTarget(plan.target);
  if (!target)
    return target.takeError();
  auto module = parseSourceFile<ModuleOp>(plan.file, ParserConfig(&context));
  if (!module)
    return failed("'" + plan.file + "' cannot be read");
  CompileOptions compile;
  compile.targets = {*target};
  compile.output = OutputKind::Manifest;
  compile.keepLLVMIR = true;
  compile.scheduleFile = plan.scheduleFile;
  FailureOr<CompileResult> compiled = compileModule(*module, compile);
  if (mlir::failed(compiled))
    return failed("does not compile");
  subject->compiled = std::move(*compiled);
  auto program = simulation::SimProgram::create(subject->compiled, {});
  if (!program)
    return failed(program.status().text());
  subject->program = std::move(*program);
  if (Outcome outcome = subject->runAll(); outcome != Outcome::Survived)
    return failed(llvm::Twine("the kernels as they are do not pass: ") +
                  outcomeName(outcome) + " " +
                  subject->program->runner().findings());
  llvm::SMDiagnostic diagnostic;
  subject->module = llvm::parseAssemblyString(
      subject->compiled.targets.front().optimizedLLVMIR, diagnostic,
      subject->context);
  for (const std::string &name : subject->program->runner().kernelsRun())
    if (llvm::Function *kernel = subject->module->getFunction(name))
      for (Mutant &mutant : findMutants(*kernel))
        subject->found.emplace_back(name, std::move(mutant));
  return subject;
}

/// In the child: what the mutant does there is nobody's concern.
static void limitChild(unsigned seconds) {
  rlimit time = {seconds, seconds + 1};
  ::setrlimit(RLIMIT_CPU, &time);
  rlimit noDump = {0, 0};
  ::setrlimit(RLIMIT_CORE, &noDump);
  int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(null, STDERR_FILENO);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    std::signal(signal, SIG_DFL);
}

Outcome Subject::tryMutant(const Mutant &mutant, unsigned seconds) {
  pid_t child = ::fork();
  if (child < 0)
    return Outcome::Refused;
  if (child == 0) {
    limitChild(seconds);
    mutant.apply();
    std::string &text = compiled.targets.front().optimizedLLVMIR;
    text.clear();
    llvm::raw_string_ostream(text) << *module;
    auto changed = simulation::SimProgram::create(compiled, {});
    if (!changed)
      ::_exit(static_cast<int>(Outcome::Refused));
    program = std::move(*changed);
    ::_exit(static_cast<int>(runAll()));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status))
    return static_cast<Outcome>(WEXITSTATUS(status));
  return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
             ? Outcome::Endless
             : Outcome::Crashed;
}
