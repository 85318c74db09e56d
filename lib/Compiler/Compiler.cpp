//===- Compiler.cpp - From a module to what ships -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Compiler/Compiler.h"

#include "KernelOps.h"
#include "LaunchedKernels.h"
#include "Levels.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Support/Remarks.h"
#include "SparseFlow/Target/Manifest/Manifest.h"
#include "SparseFlow/Target/NVPTX/EmitPTX.h"
#include "SparseFlow/Target/NVPTX/Kernels.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "SparseFlow/Target/Object/HostObject.h"
#include "TensorRT.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// One run of compileModule.
class Compilation {
public:
  Compilation(const CompileOptions &options) : options(options) {}

  LogicalResult run(ModuleOp module);
  /// Keeps a remark; false if one like it is kept and the program is compiled
  /// once more.
  bool remember(CompileRemark remark);
  CompileResult result;

private:
  bool reached(OutputKind kind) const { return options.output == kind; }
  bool needsMachineCode() const {
    return options.output == OutputKind::Cubin ||
           options.output == OutputKind::Fatbin ||
           options.output == OutputKind::Bundle ||
           options.output == OutputKind::Object;
  }
  bool needsManifest() const {
    return (options.withManifest && options.output >= OutputKind::LLVM) ||
           options.output == OutputKind::Bundle ||
           options.output == OutputKind::Manifest ||
           options.output == OutputKind::Object ||
           options.output == OutputKind::Header ||
           options.output == OutputKind::TensorRT;
  }
  bool needsPTX() const {
    return options.withKernels || (options.output != OutputKind::Manifest &&
                                   options.output != OutputKind::Header);
  }
  LogicalResult checkCancelled(Operation *op) const;
  LogicalResult runTarget(ModuleOp source, InputLevel level,
                          const TargetInfo &target);
  FailureOr<OwningOpRef<ModuleOp>> attempt(ModuleOp program, InputLevel level,
                                           const TargetInfo &target);
  LogicalResult emitImage(ModuleOp module, TargetResult &result);
  LogicalResult runPtxas(gpu::GPUModuleOp kernels, TargetResult &result);
  bool avoidSlow(ModuleOp program, const TargetResult &made);
  LogicalResult linkImages(ModuleOp module);
  LogicalResult makeHostObject(ModuleOp module);

  /// Reports `error` of a tool at `op`.
  LogicalResult fail(Operation *op, llvm::Error error) const;

  /// Tells the caller that `step` begins for the target that is worked on.
  void begin(StringRef step);

  const CompileOptions &options;
  std::optional<ManifestBuilder> manifest;
  /// The ops behind the kernels; empty when the input holds kernels already.
  std::map<std::string, KernelOp> ops;
  size_t stepsDone = 0;
  bool isRepeated = false;
  /// Kernels of no row that spilled with the blocks that they state.
  llvm::StringSet<> roomier;
};

} // namespace

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

LogicalResult Compilation::checkCancelled(Operation *op) const {
  if (options.cancelled && options.cancelled())
    return op->emitError("compilation was cancelled");
  return success();
}

LogicalResult Compilation::fail(Operation *op, llvm::Error error) const {
  std::string text;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    text = info.message();
    // What a system call said has its number; our own refusals have none.
    if (options.machineFailed &&
        info.convertToErrorCode().category() == std::generic_category())
      *options.machineFailed = true;
  });
  return op->emitError(text);
}

void Compilation::begin(StringRef step) {
  if (!options.progress)
    return;
  // Import; then tiles, instructions, PTX and ptxas for each target.
  size_t each = reached(OutputKind::SFTile) ? 1
                : reached(OutputKind::NVVM) ? 2
                : !needsPTX()               ? 2
                : needsMachineCode()        ? 4
                                            : 3;
  size_t all = 1 + each * options.targets.size();
  bool hasTarget = !result.targets.empty();
  options.progress(
      hasTarget ? (step + " for " + result.targets.back().target->name).str()
                : step.str(),
      static_cast<double>(stepsDone++) / static_cast<double>(all));
}

/// The report of one kernel, from its attributes, its op and its PTX.
static KernelReport describeKernel(LLVM::LLVMFuncOp function,
                                   const TargetInfo &target,
                                   const std::map<std::string, KernelOp> &ops,
                                   const PTXModule &ptx) {
  KernelReport report;
  report.name = function.getName().str();
  if (auto merged = function->getAttrOfType<ArrayAttr>(sftile::kMergedAttr))
    for (auto name : merged.getAsRange<StringAttr>())
      report.merged.push_back(name.str());
  Attribute schedule = function->getDiscardableAttr("sftile.schedule");
  if (schedule)
    llvm::raw_string_ostream(report.schedule) << schedule;
  describeKernelWork(report, schedule, target, ops);
  if (auto further = function->getAttrOfType<DenseI64ArrayAttr>(
          sftile::kFurtherTokensAttr))
    for (ArrayRef<int64_t> rest = further; !rest.empty();
         rest = rest.drop_front(2))
      report.furtherTokens.emplace_back(rest[0], rest[1]);
  if (auto bytes = function->getAttrOfType<IntegerAttr>("sftile.shared_bytes"))
    report.dynamicSharedBytes = bytes.getInt();
  // Generated kernels state the most threads, hand-written ones the number.
  DenseI32ArrayAttr threads = getRequiredBlock(function);
  if (!threads)
    threads = getLargestBlock(function);
  if (threads) {
    report.threads = 1;
    for (int32_t size : threads.asArrayRef())
      report.threads *= size;
  }
  auto census = ptx.census.find(report.name);
  if (census != ptx.census.end())
    report.census = census->second;
  return report;
}

LogicalResult Compilation::runPtxas(gpu::GPUModuleOp kernels,
                                    TargetResult &result) {
  AssembleOptions assembler;
  assembler.ptxasPath = options.ptxasPath;
  assembler.timeout = options.ptxasTimeout;
  assembler.lineInfo = options.lineInfo;
  if (options.cancelled)
    assembler.cancelled = options.cancelled;
  auto isRoomier = [&](StringRef kernel) { return roomier.contains(kernel); };
  assembler.mayHaveFewerBlocks = isRoomier;
  begin("ptxas");
  llvm::Expected<AssembledModule> assembled =
      assemble(result.ptx, *result.target, assembler);
  if (!assembled)
    return fail(kernels, assembled.takeError());
  result.cubin = std::move(assembled->cubin);
  for (KernelReport &kernel : result.kernels)
    for (const KernelResources &resources : assembled->report.kernels)
      if (resources.name == kernel.name)
        kernel.resources = resources;
  if (options.ptxasPolicy == PtxasPolicy::Permissive)
    for (const std::string &defect : findDefects(assembled->report))
      explain(kernels, "ptxas") << result.target->name << ": " << defect;
  for (const KernelReport &kernel : result.kernels)
    if (kernel.resources)
      explain(kernels.lookupSymbol(kernel.name), "ptxas")
          << "'" << kernel.name << "' on " << result.target->name << ": "
          << kernel.resources->registers << " registers, "
          << kernel.dynamicSharedBytes + kernel.resources->sharedBytes
          << " bytes of shared memory"
          << (kernel.resources->stackBytes ? "" : ", no spills")
          << (kernel.resources->tensorInstructions
                  ? ", " +
                        std::to_string(*kernel.resources->tensorInstructions) +
                        " tensor core instructions"
                  : "")
          << (kernel.resources->keepsLoops
                  ? ", loops not unrolled: their copies lack MMAs"
                  : "")
          << (kernel.resources->blocks
                  ? ", for " + std::to_string(kernel.resources->blocks) +
                        " blocks on an SM"
                  : "");
  result.ptxas = std::move(assembled->report);
  return success();
}

LogicalResult Compilation::emitImage(ModuleOp module, TargetResult &target) {
  SmallVector<gpu::GPUModuleOp> all(module.getOps<gpu::GPUModuleOp>());
  if (all.size() != 1)
    return module.emitError() << "expected one gpu.module with all kernels, "
                              << "found " << all.size();
  gpu::GPUModuleOp kernels = all.front();
  if (!needsPTX())
    return verifyKernels(kernels, *target.target);
  if (options.lineInfo && failed(addLineInfo(module)))
    return failure();
  begin("PTX");
  EmitPTXOptions emit;
  emit.keepLLVMIR = options.keepLLVMIR || reached(OutputKind::LLVM);
  FailureOr<PTXModule> ptx = emitPTX(kernels, *target.target, emit);
  if (failed(ptx))
    return failure();
  for (auto function : kernels.getOps<LLVM::LLVMFuncOp>()) {
    if (!isLaunchable(function) || function->hasAttr(kNotLaunchedAttr))
      continue;
    target.kernels.push_back(
        describeKernel(function, *target.target, ops, *ptx));
    const KernelReport &kernel = target.kernels.back();
    explain(function, "ptx")
        << "'" << kernel.name << "' on " << target.target->name << ": "
        << summarize(kernel.census);
    if (kernel.prediction)
      explain(function, "model")
          << "'" << kernel.name << "' on " << target.target->name << " at "
          << kernel.tokens << " tokens: bound by " << kernel.prediction->bound
          << ", at least "
          << llvm::formatv("{0:f2}", kernel.prediction->time).str() << " us";
  }
  target.llvmIR = std::move(ptx->llvmIR);
  target.optimizedLLVMIR = std::move(ptx->optimizedLLVMIR);
  target.ptx = std::move(ptx->ptx);
  if (failed(checkCancelled(module)))
    return failure();
  return needsMachineCode() ? runPtxas(kernels, target) : success();
}

/// The name of the image in a bundle: the function's when there is one.
static std::string imageName(ModuleOp module, const TargetInfo &target) {
  std::string stem;
  for (auto function : module.getOps<func::FuncOp>())
    if (isHostFunction(function))
      stem = stem.empty() ? function.getName().str() : "kernels";
  // A symbol may hold any character; a file name of a bundle may not.
  bool plain = !stem.empty() && stem.front() != '.' && stem.size() < 128;
  for (char c : stem)
    plain &= llvm::isAlnum(c) || StringRef("_.-$").contains(c);
  return (plain ? stem : "kernels") + "." + target.name.str() + ".cubin";
}

/// `op` and the matmuls of the same activations, which may share its launches
/// and then need the same schedules.
static SmallVector<Operation *> sharingOps(Operation *op) {
  auto source = [](MatmulOp matmul) {
    auto quantize = matmul.getX().getDefiningOp<QuantizeOp>();
    return quantize ? quantize.getX() : matmul.getX();
  };
  SmallVector<Operation *> ops{op};
  if (auto matmul = dyn_cast<MatmulOp>(op))
    for (auto other : op->getBlock()->getOps<MatmulOp>())
      if (other != matmul && source(other) == source(matmul))
        ops.push_back(other);
  return ops;
}

/// Keeps `row` from `op`; false if it was kept from it before.
static bool avoidRow(Operation *op, Attribute row) {
  SmallVector<Attribute> names;
  if (auto known = op->getAttrOfType<ArrayAttr>(kAvoidSchedulesAttr))
    llvm::append_range(names, known);
  if (llvm::is_contained(names, row))
    return false;
  names.push_back(row);
  op->setAttr(kAvoidSchedulesAttr, ArrayAttr::get(op->getContext(), names));
  return true;
}

/// Keeps the rows of slow kernels from the ops of `program` behind them, so
/// that these get others, and lets those of no row have fewer blocks on an SM.
/// False if that does not mend everything that ptxas found.
bool Compilation::avoidSlow(ModuleOp program, const TargetResult &made) {
  if (llvm::any_of(made.ptxas->complaints, [](StringRef complaint) {
        return !complaint.contains("Registers are spilled") &&
               !complaint.contains("Local memory used");
      }))
    return false;
  Builder builder(program.getContext());
  bool changed = false;
  for (const KernelReport &kernel : made.kernels) {
    if (!kernel.resources || !kernel.resources->stackBytes)
      continue;
    // Local memory for other ends than spills has causes in the code.
    if (!kernel.resources->spillStoreBytes && !kernel.resources->spillLoadBytes)
      return false;
    std::vector<std::string> equal{kernel.name};
    llvm::append_range(equal, kernel.merged);
    SmallVector<Operation *> ops = findOps(program, equal);
    auto explainSpill = [&](Operation *op) {
      Remark remark = explain(op, "fallback");
      remark << "'" << kernel.name << "' on " << made.target->name << " spills "
             << kernel.resources->spillStoreBytes
             << " bytes of registers: compiled again ";
      return remark;
    };
    if (kernel.scheduleRow.empty()) {
      // What a kernel that the program holds states is the user's choice, too.
      if (!ops.front() || !roomier.insert(kernel.name).second)
        return false;
      changed = true;
      explainSpill(ops.front()) << "for fewer blocks on an SM";
      continue;
    }
    // The rows of a table that the user names are the user's to choose.
    if (!options.scheduleFile.empty() || llvm::any_of(ops, [](Operation *op) {
          return !op || op->hasAttr(kSchedulesAttr);
        }))
      return false;
    Attribute row = builder.getStringAttr(kernel.scheduleRow);
    for (Operation *op : ops)
      for (Operation *sharing : sharingOps(op))
        changed |= avoidRow(sharing, row);
    explainSpill(ops.front())
        << "without schedule '" << kernel.scheduleRow << "'";
  }
  return changed;
}

LogicalResult Compilation::runTarget(ModuleOp source, InputLevel level,
                                     const TargetInfo &target) {
  // A kernel that spills with the epilogue of an op is replaced, and what comes
  // in its place may spill as well. Each attempt takes rows away.
  constexpr int kAttempts = 8;
  OwningOpRef<ModuleOp> program = source.clone();
  roomier.clear();
  size_t stepsBefore = stepsDone;
  std::string defects;
  for (int left = kAttempts;; --left) {
    FailureOr<OwningOpRef<ModuleOp>> module = attempt(*program, level, target);
    // Without the rows that were taken away nothing may be left.
    if (failed(module))
      return defects.empty() ? failure() : source.emitError(defects);
    const TargetResult &made = result.targets.back();
    defects.clear();
    if (made.ptxas && options.ptxasPolicy == PtxasPolicy::Strict)
      defects = describeDefects(*made.ptxas, target);
    if (defects.empty())
      return manifest ? manifest->addPrograms(**module, target, made.image)
                      : success();
    if (left == 1 || !avoidSlow(*program, made))
      return source.emitError(defects);
    result.targets.pop_back();
    stepsDone = stepsBefore;
    isRepeated = true;
  }
}

/// Everything for one target, up to machine code, which may have defects. Gives
/// the module as it is then.
FailureOr<OwningOpRef<ModuleOp>>
Compilation::attempt(ModuleOp program, InputLevel level,
                     const TargetInfo &target) {
  OwningOpRef<ModuleOp> module = program.clone();
  result.targets.emplace_back();
  TargetResult &made = result.targets.back();
  made.target = &target;
  begin("kernels of tiles");
  if (level == InputLevel::Tensor &&
      failed(lowerToTiles(*module, target, options)))
    return failure();
  if (level == InputLevel::Tensor && options.calledWith)
    dropUnlaunched(*module, *options.calledWith);
  if (failed(checkCancelled(program)))
    return failure();
  if (reached(OutputKind::SFTile)) {
    if (level == InputLevel::Host)
      return program.emitError("has kernels of llvm and nvvm ops: there is no "
                               "way back to --emit sftile");
    made.sftile = print(*module);
    return module;
  }
  begin("instructions");
  if (level != InputLevel::Host && failed(lowerToHost(*module, target)))
    return failure();
  if (failed(checkCancelled(program)))
    return failure();
  if (reached(OutputKind::NVVM)) {
    made.nvvm = print(*module);
    return module;
  }
  made.image = imageName(*module, target);
  if (failed(emitImage(*module, made)))
    return failure();
  return module;
}

LogicalResult Compilation::linkImages(ModuleOp module) {
  std::vector<FatbinImage> images;
  // PTX of the last target lets newer chips of its kind run the image.
  for (const TargetResult &target : result.targets)
    images.push_back({target.target, target.cubin,
                      &target == &result.targets.back() ? StringRef(target.ptx)
                                                        : StringRef()});
  AssembleOptions assembler;
  assembler.ptxasPath = options.ptxasPath;
  assembler.timeout = options.ptxasTimeout;
  if (options.cancelled)
    assembler.cancelled = options.cancelled;
  llvm::Expected<std::string> fatbin = linkFatbin(images, assembler);
  if (!fatbin)
    return fail(module, fatbin.takeError());
  result.fatbin = std::move(*fatbin);
  return success();
}

LogicalResult Compilation::makeHostObject(ModuleOp module) {
  llvm::Expected<HostInterface> interface =
      describeHostObject(options.objectName, result.manifest);
  if (!interface)
    return module.emitError(llvm::toString(interface.takeError()));
  result.header = printHostHeader(*interface);
  if (reached(OutputKind::Header))
    return success();
  std::vector<HostImage> images;
  for (const TargetResult &target : result.targets)
    images.push_back({target.image, target.cubin});
  llvm::Expected<std::string> object = emitHostObject(*interface, images);
  if (!object)
    return module.emitError(llvm::toString(object.takeError()));
  result.object = std::move(*object);
  return success();
}

LogicalResult Compilation::run(ModuleOp source) {
  result.output = options.output;
  InputLevel level = classifyInput(source);
  if (level != InputLevel::Tensor && !options.sparse.empty())
    return source.emitError("holds kernels already: arguments can be marked "
                            "sparse in functions on tensors only");
  if (level != InputLevel::Tensor && reached(OutputKind::MLIR))
    return source.emitError("holds kernels already: there is no way back to "
                            "--emit mlir");
  // Import does not depend on the target, so it runs once.
  begin("import");
  OwningOpRef<ModuleOp> module = source.clone();
  if (level == InputLevel::Tensor &&
      failed(
          importModule(*module, options.sparse, options.quantizeActivations)))
    return failure();
  if (level == InputLevel::Tensor)
    ops = describeOps(*module);
  if (reached(OutputKind::MLIR)) {
    result.mlir = print(*module);
    return success();
  }
  if (level == InputLevel::Tensor &&
      llvm::none_of(module->getOps<func::FuncOp>(), [](func::FuncOp function) {
        return function.isPublic() && !function.isExternal();
      }))
    return source.emitError("has no public function to compile: expected a "
                            "func.func on tensors");
  if (options.targets.empty())
    return source.emitError("expected at least one target to compile for");
  if (needsManifest()) {
    manifest.emplace(compilerVersion().str());
    if (options.denseFallback == DenseFallback::Rebuild)
      manifest->setDenseFallback("rebuild");
    if (level == InputLevel::Tensor) {
      FailureOr<std::vector<llvm::json::Object>> functions =
          describeFunctions(*module);
      if (failed(functions))
        return failure();
      for (llvm::json::Object &function : *functions)
        manifest->addFunction(std::move(function));
    }
  }
  for (const TargetInfo *target : options.targets)
    if (failed(checkCancelled(source)) ||
        failed(runTarget(*module, level, *target)))
      return failure();
  if (reached(OutputKind::Fatbin) && failed(linkImages(source)))
    return failure();
  if (manifest)
    result.manifest = manifest->str();
  if (reached(OutputKind::Object) || reached(OutputKind::Header))
    return makeHostObject(source);
  if (reached(OutputKind::TensorRT)) {
    llvm::Expected<std::string> plugins =
        describePlugins(result.manifest, result.targets.front().ptx);
    if (!plugins)
      return source.emitError(llvm::toString(plugins.takeError()));
    result.tensorRT = std::move(*plugins);
  }
  return success();
}

bool Compilation::remember(CompileRemark remark) {
  auto isLike = [&](const CompileRemark &other) {
    return other.location == remark.location && other.text == remark.text;
  };
  if (isRepeated && llvm::any_of(result.remarks, isLike))
    return false;
  result.remarks.push_back(std::move(remark));
  return true;
}

/// "epilogue" of "[epilogue] fused arith.addf".
static std::string categoryOf(StringRef text) {
  if (!text.consume_front("["))
    return "";
  auto [category, rest] = text.split(']');
  return rest.empty() ? "" : category.str();
}

FailureOr<CompileResult>
mlir::sparseflow::compileModule(ModuleOp module,
                                const CompileOptions &options) {
  Compilation compilation(options);
  {
    // Collects remarks and passes everything on to the outer handlers.
    ScopedDiagnosticHandler handler(
        module.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
            return failure();
          bool isNew = compilation.remember(
              {locationText(diagnostic.getLocation()),
               categoryOf(diagnostic.str()), diagnostic.str()});
          return success(!isNew);
        });
    if (failed(compilation.run(module)))
      return failure();
  }
  return std::move(compilation.result);
}
