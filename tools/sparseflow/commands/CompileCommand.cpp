//===- CompileCommand.cpp - sparseflow compile ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "SparseFlow/Schedule/Calibration.h"
#include "SparseFlow/System/Files.h"
#include "SparseFlow/Target/CPU/CpuObject.h"
#include "SparseFlow/Target/Manifest/Manifest.h"
#include "device/Devices.h"
#include "program/ExplainProgram.h"
#include "program/Input.h"
#include "program/PackedWeights.h"

#include "run/Progress.h"
#include "llvm/Support/Path.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;
namespace tools = ::sparseflow::tools;

static bool isText(OutputKind kind) {
  return kind != OutputKind::Cubin && kind != OutputKind::Fatbin &&
         kind != OutputKind::Bundle && kind != OutputKind::Object;
}

static bool isOnePerTarget(OutputKind kind) {
  return kind == OutputKind::SFTile || kind == OutputKind::NVVM ||
         kind == OutputKind::LLVM || kind == OutputKind::PTX ||
         kind == OutputKind::Cubin || kind == OutputKind::TensorRT;
}

static bool needsPtxas(OutputKind kind) {
  return kind == OutputKind::Cubin || kind == OutputKind::Fatbin ||
         kind == OutputKind::Bundle || kind == OutputKind::Object;
}

/// The one file that a kind of output is.
static StringRef primaryOutput(const CompileResult &result) {
  if (result.output == OutputKind::MLIR)
    return result.mlir;
  if (result.output == OutputKind::Manifest)
    return result.manifest;
  if (result.output == OutputKind::Fatbin)
    return result.fatbin;
  if (result.output == OutputKind::Object)
    return result.object;
  if (result.output == OutputKind::Header)
    return result.header;
  if (result.output == OutputKind::TensorRT)
    return result.tensorRT;
  const TargetResult &target = result.targets.front();
  switch (result.output) {
  case OutputKind::SFTile:
    return target.sftile;
  case OutputKind::NVVM:
    return target.nvvm;
  case OutputKind::LLVM:
    return target.optimizedLLVMIR;
  case OutputKind::PTX:
    return target.ptx;
  case OutputKind::Cubin:
    return target.cubin;
  default:
    llvm_unreachable("a bundle is a directory");
  }
}

/// What an object for the CPU offers. It updates nothing in place, results have
/// memory of their own, and reads 2:4 weights with their zeros.
static llvm::Expected<HostInterface>
describeForCpu(std::vector<llvm::json::Object> functions, StringRef path) {
  ManifestBuilder manifest(compilerVersion().str());
  for (llvm::json::Object &function : functions) {
    for (StringRef list : {"arguments", "results"})
      for (llvm::json::Value &value : *function.getArray(list)) {
        llvm::json::Object &tensor = *value.getAsObject();
        tensor.erase("updates");
        const llvm::json::Object *encoding = tensor.getObject("encoding");
        if (encoding && encoding->getString("kind") == "nm")
          tensor.erase("layout");
      }
    manifest.addFunction(std::move(function));
  }
  return describeHostObject(hostObjectName(path), manifest.str());
}

/// Object, header or both, which stand beside each other or not at all.
static int writeCpuObject(const CompileCommandOptions &options, OutputKind kind,
                          StringRef headerPath, const CpuDevice &device,
                          const HostInterface &interface) {
  std::string header = printCpuHeader(interface, device.getCpu());
  if (kind == OutputKind::Header)
    return writeOutput(options.output.empty() ? "-" : options.output, header);
  llvm::Expected<std::string> object = emitCpuObject(device, interface);
  if (!object)
    return fail(BadInput, llvm::toString(object.takeError()));
  if (headerPath.empty())
    return writeOutput(options.output, *object);
  if (llvm::Error error = writeFilesAtomically(
          {{options.output, *object}, {headerPath.str(), header}}))
    return fail(Environment, llvm::toString(std::move(error)));
  return Success;
}

/// Says which GPUs stand in for one that --gpu names and nothing is known of. A
/// driver may say any name, so it is no error.
static void noteUnknownGpu(StringRef gpu,
                           ArrayRef<const TargetInfo *> targets) {
  for (const TargetInfo *target : targets)
    if (!Calibration::knows(gpu, target->name))
      note("nothing is known of the GPU '" + gpu + "' with " + target->name +
           ": schedules are chosen as for " +
           Calibration::builtin().boardOf(*target) + "; known for " +
           target->name + ": " +
           llvm::join(Calibration::gpusOf(target->name), ", "));
}

/// --target cpu: the same source for the host's vector units. With a
/// `headerPath`, object and header.
static int compileForCpu(Program &program, const CompileCommandOptions &options,
                         OutputKind kind, StringRef headerPath,
                         const std::vector<std::string> &sparse) {
  bool isObject = kind == OutputKind::Object || kind == OutputKind::Header;
  if (kind != OutputKind::MLIR && kind != OutputKind::LLVM && !isObject)
    return fail(Usage, "--target cpu emits mlir, llvm, obj or header, not " +
                           stringifyOutputKind(kind));
  noteOptionsOfKernels(options.build);
  if (failed(importModule(program.module(), sparse,
                          options.build.activations == "i8")))
    return BadInput;
  if (kind == OutputKind::MLIR) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    program.module().print(stream);
    return writeOutput(options.output.empty() ? "-" : options.output, text);
  }
  HostInterface interface;
  if (isObject) {
    FailureOr<std::vector<llvm::json::Object>> functions =
        describeFunctions(program.module());
    if (failed(functions))
      return BadInput;
    bool named = !options.output.empty() && options.output != "-";
    auto described = describeForCpu(
        std::move(*functions), named ? options.output : options.build.input);
    if (!described)
      return fail(BadInput, llvm::toString(described.takeError()));
    interface = std::move(*described);
  }
  if (failed(lowerForCpu(program.module())))
    return BadInput;
  CpuOptions cpu;
  cpu.keepLLVMIR = true;
  llvm::Expected<std::unique_ptr<CpuDevice>> device =
      CpuDevice::compile(program.module(), cpu);
  if (!device)
    return fail(BadInput, llvm::toString(device.takeError()));
  if (isObject)
    return writeCpuObject(options, kind, headerPath, **device, interface);
  return writeOutput(options.output.empty() ? "-" : options.output,
                     (*device)->getLLVMIR().str());
}

/// Compiles, with a line that says what is being done when the standard error
/// stream is a terminal and it takes a while.
static FailureOr<CompileResult> compileWithProgress(Program &program,
                                                    CompileOptions &options,
                                                    bool printsRemarks) {
  tools::ProgressBar bar;
  options.progress = [&](StringRef step, double done) {
    bar.show(step.str(), done);
  };
  // A message starts on a line of its own.
  ScopedDiagnosticHandler handler(
      &program.context(), [&](Diagnostic &diagnostic) {
        if (printsRemarks ||
            diagnostic.getSeverity() != DiagnosticSeverity::Remark)
          bar.clear();
        return failure();
      });
  return compileModule(program.module(), options);
}

/// What --explain-program needs of the other options, and the sizes it is for.
static int checkExplainProgram(const CompileCommandOptions &options,
                               OutputKind kind, bool toStandardOutput,
                               tools::ArgumentRequest &call) {
  StringRef form = options.explainProgram;
  if (form.empty())
    return options.sizes.empty()
               ? 0
               : fail(Usage, "--dim: gives the sizes of --explain-program, "
                             "which is not there");
  if (form != "text" && form != "dot")
    return fail(Usage, "--explain-program: unknown form '" + form +
                           "': expected text or dot");
  if (kind < OutputKind::LLVM)
    return fail(Usage, "--explain-program is about launches of kernels: "
                       "--emit " +
                           stringifyOutputKind(kind) +
                           " stops before; take llvm, ptx or a later kind");
  if (form == "dot" && toStandardOutput)
    return fail(Usage, "--explain-program=dot writes a file beside the "
                       "output: name one with -o");
  for (const std::string &size : options.sizes)
    if (auto status = call.addSize(size); !status)
      return fail(Usage, status.text());
  return 0;
}

static int writeExplanation(const CompileCommandOptions &options,
                            const CompileResult &result,
                            const tools::ArgumentRequest &call) {
  bool asDot = options.explainProgram == "dot";
  auto text = explainProgram(result, call, asDot);
  if (!text)
    return fail(Usage, text.status().text());
  if (!asDot) {
    llvm::errs() << *text;
    return 0;
  }
  llvm::SmallString<128> path(options.output);
  llvm::sys::path::replace_extension(path, "dot");
  return writeOutput(path.str().str(), *text);
}

namespace {
/// One `sparseflow compile`. Methods give 0, or the exit status of an error
/// that they have said.
class CompileCommand {
public:
  explicit CompileCommand(const CompileCommandOptions &options)
      : options(options), isForCpu(options.build.target == "cpu"),
        toStandardOutput(options.output.empty() || options.output == "-"),
        headerPath(options.output) {
    llvm::sys::path::replace_extension(headerPath, "h");
  }

  int run();

private:
  int checkOutput();
  int chooseTargets();
  int checkTargets();
  int findAssembler();
  /// What the compiler is told beside targets and sparse arguments.
  void setOptions();
  int compileForGpus(Program &program, StringRef weights);
  int write(const CompileResult &result, StringRef weights);

  const CompileCommandOptions &options;
  const bool isForCpu, toStandardOutput;
  /// Of an object and its header, which stands beside it.
  bool withHeader = false;
  llvm::SmallString<128> headerPath;
  OutputKind kind = OutputKind::MLIR;
  CompileOptions compile;
  /// The sizes that --explain-program is about.
  tools::ArgumentRequest call;
};
} // namespace

int CompileCommand::checkOutput() {
  withHeader = options.emit == "obj,header" || options.emit == "header,obj";
  std::optional<OutputKind> parsed =
      withHeader ? OutputKind::Object : parseOutputKind(options.emit);
  if (!parsed)
    return fail(Usage, "--emit: unknown kind '" + options.emit +
                           "': expected one of " + outputKindNames() +
                           ", or obj,header");
  kind = *parsed;
  if (toStandardOutput && !isText(kind))
    return fail(Usage,
                "--emit " + options.emit + " is not text: name a file with -o");
  if (withHeader && headerPath == options.output)
    return fail(Usage, "--emit " + options.emit +
                           " writes the header beside "
                           "the object: name an object with -o, such as ffn.o");
  if (!options.build.weights.empty() && kind != OutputKind::Bundle &&
      kind != OutputKind::MLIR && !isForCpu)
    note("--weights only marks arguments as sparse here; only --emit bundle "
         "holds the file");
  compile.output = kind;
  return 0;
}

int CompileCommand::chooseTargets() {
  if (!isForCpu && !options.build.target.empty())
    if (int code =
            resolveTargets(options.build.target, compile.targets, &compile.gpu))
      return code;
  if (!options.gpu.empty()) {
    compile.gpu = options.gpu;
    if (options.build.calibration.empty())
      noteUnknownGpu(options.gpu, compile.targets);
  }
  return 0;
}

int CompileCommand::checkTargets() {
  if (!isForCpu && compile.targets.empty() && kind != OutputKind::MLIR)
    return fail(Usage, "--emit " + options.emit +
                           " needs a --target, such as sm_80 or native");
  if (isOnePerTarget(kind) && compile.targets.size() > 1)
    return fail(Usage, "--emit " + options.emit +
                           " is one file for one target, found " +
                           Twine(compile.targets.size()) +
                           ": give one, or use --emit bundle or fatbin");
  if (isForCpu && (!options.report.empty() || options.explain ||
                   options.lineInfo || !options.explainProgram.empty() ||
                   !options.gpu.empty() || !options.build.calibration.empty() ||
                   !options.build.scheduleFile.empty()))
    return fail(Usage, "--report, --explain, --explain-program, --line-info, "
                       "--gpu, --calibration and --schedule-file are about GPU "
                       "kernels; --target cpu has none");
  return checkExplainProgram(options, kind, toStandardOutput, call);
}

int CompileCommand::findAssembler() {
  if (isForCpu || !needsPtxas(kind))
    return 0;
  llvm::Expected<std::string> ptxas = findPtxas(options.build.ptxasPath);
  if (!ptxas)
    return fail(Environment, llvm::toString(ptxas.takeError()));
  compile.ptxasPath = *ptxas;
  return 0;
}

void CompileCommand::setOptions() {
  compile.objectName =
      hostObjectName(toStandardOutput ? options.build.input : options.output);
  compile.scheduleFile = options.build.scheduleFile;
  compile.calibration = options.build.calibration;
  compile.denseFallback = denseFallbackOf(options.build);
  compile.ptxasPolicy = options.build.allowSlowCode ? PtxasPolicy::Permissive
                                                    : PtxasPolicy::Strict;
  compile.ptxasTimeout =
      std::chrono::seconds(options.build.ptxasTimeoutSeconds);
  compile.cancelled = interrupted;
  compile.lineInfo = options.lineInfo;
  compile.withManifest = !options.explainProgram.empty();
  compile.withKernels = options.build.remarks || options.explain ||
                        !options.report.empty() || compile.withManifest;
}

int CompileCommand::compileForGpus(Program &program, StringRef weights) {
  setOptions();
  bool machineFailed = false;
  compile.machineFailed = &machineFailed;
  FailureOr<CompileResult> result =
      compileWithProgress(program, compile, options.build.remarks);
  if (interrupted())
    return Interrupted;
  if (failed(result))
    return machineFailed ? Environment : BadInput;
  if (options.explain)
    llvm::errs() << reportSummary(*result);
  if (!options.explainProgram.empty())
    if (int code = writeExplanation(options, *result, call))
      return code;
  if (!options.report.empty())
    if (int code = writeOutput(options.report, reportText(*result)))
      return code;
  return write(*result, weights);
}

int CompileCommand::write(const CompileResult &result, StringRef weights) {
  if (kind != OutputKind::Bundle && !withHeader)
    return writeOutput(toStandardOutput ? "-" : options.output,
                       primaryOutput(result));
  llvm::Error error =
      kind == OutputKind::Bundle
          ? writeBundle(result, options.output, weights)
          : writeFilesAtomically({{options.output, primaryOutput(result).str()},
                                  {headerPath.str().str(), result.header}});
  if (error)
    return fail(Environment, llvm::toString(std::move(error)));
  return Success;
}

int CompileCommand::run() {
  // Everything about the command line first: a mistake there costs no work.
  for (auto step :
       {&CompileCommand::checkOutput, &CompileCommand::chooseTargets,
        &CompileCommand::checkTargets, &CompileCommand::findAssembler})
    if (int code = (this->*step)())
      return code;

  Program program(options.build.remarks);
  if (!program.parse(options.build.input, options.build.donated))
    return BadInput;
  if (options.build.crash)
    LLVM_BUILTIN_TRAP;

  compile.sparse = options.build.sparse;
  compile.quantizeActivations = options.build.activations == "i8";
  std::string weights;
  if (!options.build.weights.empty())
    if (int code = usePackedWeights(
            options.build.weights, program.module(), compile.sparse,
            kind == OutputKind::Bundle ? &weights : nullptr))
      return code;
  if (isForCpu)
    return compileForCpu(program, options, kind,
                         withHeader ? headerPath.str() : StringRef(),
                         compile.sparse);
  return compileForGpus(program, weights);
}

int driver::runCompileCommand(const CompileCommandOptions &options) {
  return CompileCommand(options).run();
}
