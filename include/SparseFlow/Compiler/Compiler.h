//===- Compiler.h - From a module to what ships -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole compiler behind one function, for the command line tool and for
// programs that embed it. There is no global state: two threads may compile at
// once, each with its own MLIRContext.
//
//   MLIRContext context(makeRegistry());          // registerCompiler(registry)
//   OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, &context);
//   CompileOptions options;
//   options.targets = {*parseTarget("sm_90")};
//   options.output = OutputKind::Bundle;
//   FailureOr<CompileResult> result = compileModule(*module, options);
//   writeBundle(*result, "ffn.bundle");
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_COMPILER_COMPILER_H
#define SPARSEFLOW_COMPILER_COMPILER_H

#include "SparseFlow/Target/NVPTX/Assembler.h"
#include "SparseFlow/Target/NVPTX/Census.h"
#include "SparseFlow/Target/NVPTX/Model.h"
#include "SparseFlow/Target/NVPTX/TargetInfo.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::sparseflow {

/// Where a compilation stops. Each kind includes the work of those before it
/// that it needs.
enum class OutputKind {
  MLIR,     ///< sparseflow ops on tensors, after import
  SFTile,   ///< kernels of tiles, and the host form of the functions
  NVVM,     ///< the same with kernels in the llvm and nvvm dialects
  LLVM,     ///< LLVM IR of the kernels, optimised
  PTX,      ///< PTX text
  Cubin,    ///< machine code of one target
  Fatbin,   ///< machine code of several targets and PTX in one image
  Bundle,   ///< a directory: manifest.json, cubins, PTX
  Manifest, ///< the manifest alone (no ptxas is needed)
  Object,   ///< an object file for C programs, and its header
  Header,   ///< the header alone (no ptxas is needed)
  TensorRT, ///< kernels and launches as TensorRT's plug-ins take them
};

/// The name the command line uses, "ptx"; and back.
StringRef stringifyOutputKind(OutputKind kind);
std::optional<OutputKind> parseOutputKind(StringRef name);
/// All names, for messages: "mlir, sftile, ...".
std::string outputKindNames();

/// What a module already is, by its ops. A file printed with `--emit` can be
/// compiled on from where it is.
enum class InputLevel {
  Tensor, ///< functions on tensors
  Tile,   ///< a gpu.module with sftile ops
  Host,   ///< a gpu.module of llvm and nvvm ops
};
InputLevel classifyInput(ModuleOp module);

/// What becomes of what ptxas finds slow (findDefects).
enum class PtxasPolicy {
  Strict,    ///< an error, unless another schedule has none of it
  Permissive ///< remarks
};

/// Where kernels for the dense form of packed weights take it from.
enum class DenseFallback {
  None,    ///< there are no such kernels
  Weights, ///< the caller gives it beside the packed weight
  Rebuild  ///< the runtime unpacks the packed weight
};

/// What is known of the calls of a program.
struct KnownCall {
  /// Sizes of symbols by name; those of others are not known.
  std::vector<std::pair<std::string, int64_t>> sizes;
  /// Shapes of arguments by name or index, which say what their symbols are.
  std::vector<std::pair<std::string, std::vector<int64_t>>> shapes;
  /// All tensors lie at multiples of 256 bytes.
  bool aligned = false;
};

struct CompileOptions {
  /// At least one, unless `output` is MLIR. The kinds SFTile to Cubin make one
  /// result per target.
  SmallVector<const TargetInfo *> targets;
  OutputKind output = OutputKind::Bundle;
  /// "ARG=N:M", or "ARG=ternary:STORAGE:SCALE:TYPE[:PLANES]": arguments to mark
  /// as sparse or ternary before import. ARG is a name or an index.
  std::vector<std::string> sparse;
  /// Multiply ternary weights with 8-bit activations.
  bool quantizeActivations = false;
  /// A table of schedules in place of the built-in one; "" means the latter.
  std::string scheduleFile;
  /// Constants of the cost model: the name of built-in ones (h200, h100) or a
  /// file's; "" means those for `gpu`.
  std::string calibration;
  /// The GPU that kernels are for, as its driver calls it; "": any of the
  /// targets. It decides no more than which constants are taken.
  std::string gpu;
  /// Where such calls are all that the program is compiled for: other kernels
  /// only trap.
  std::optional<KnownCall> calledWith;
  /// A dense kernel beside those of each packed weight, which the runtime
  /// launches where that is the faster one, or none of the others can be.
  DenseFallback denseFallback = DenseFallback::None;
  /// For Object and Header: the C identifier that init and release begin
  /// with (hostObjectName makes one).
  std::string objectName = "kernels";
  /// How ptxas is found and judged. `cancelled` below is passed on.
  std::string ptxasPath;
  PtxasPolicy ptxasPolicy = PtxasPolicy::Strict;
  std::chrono::seconds ptxasTimeout{120};
  /// Make the manifest for every output from LLVM on.
  bool withManifest = false;
  /// Make PTX for Manifest and Header, too, which have nothing of it: remarks
  /// and reports say what it holds. Without it results have no kernels there.
  bool withKernels = true;
  /// Keep the LLVM IR before optimisation too (TargetResult::llvmIR).
  bool keepLLVMIR = false;
  /// Asked between steps; true stops the compilation with an error.
  std::function<bool()> cancelled;
  /// Write the place of every instruction in the source into PTX (.loc) and
  /// machine code. It changes no instruction.
  bool lineInfo = false;
  /// Told before each step what it is, and which share of all is done (0 to 1).
  std::function<void(StringRef step, double done)> progress;
  /// Where given, becomes true if the compilation failed because of the machine
  /// and not of the program: no directory for temporary files, a full disk.
  bool *machineFailed = nullptr;
};

/// A remark that a pass or a tool made, in the order of the program.
struct CompileRemark {
  /// "ffn.mlir:7:8", or "" when it belongs to no place.
  std::string location;
  /// "epilogue" of "[epilogue] fused ..."; "" when there is none.
  std::string category;
  /// The whole text, category included.
  std::string text;
};

/// The op that a kernel computes, or a part of it.
struct KernelOp {
  /// "matmul", "attention" or "elementwise".
  std::string kind;
  std::string location;
  /// Features of the result, and K of the matmul (0 for elementwise); of
  /// an attention those of all heads, and the features of a key.
  int64_t n = 0, k = 0;
  /// Keys of an attention, as many as a prediction takes where they are
  /// dynamic, and features of a value.
  int64_t keys = 0, valueFeatures = 0;
  bool hasDynamicKeys = false;
  bool isSparse = false;
  /// Why a product is dense, and what would change it; "" for sparse ones.
  std::string notSparse;
  /// Element types of the weight (or the result) and of the result, "f16".
  std::string element, result;
  /// Tokens where they are known at compile time, else 0.
  int64_t staticTokens = 0;
  /// Bytes that a launch moves at least: for each token, and besides.
  int64_t bytesPerToken = 0, fixedBytes = 0;
  /// Scalar operations on each element of the result.
  int64_t epilogueOps = 0;
};

/// What became of one kernel on one target.
struct KernelReport {
  std::string name;
  /// The names of equal kernels, in whose place this one is launched.
  std::vector<std::string> merged;
  /// The schedule attribute as printed, "" when the kernel carries none; and
  /// the row of the table that it came from.
  std::string schedule, scheduleRow;
  /// Absent for kernels that were not generated from an op on tensors.
  std::optional<KernelOp> op;
  /// "matmul", "attention", "elementwise", or "reduce": the second kernel of a
  /// split K or of split keys.
  std::string role;
  /// Launched for at most this many tokens (0: any), and for pointers of any
  /// alignment or for aligned ones only.
  int64_t maxTokens = 0;
  bool anyAlignment = false;
  /// Further intervals of tokens that it is launched for, in order: the least
  /// and the most (0: any).
  std::vector<std::pair<int64_t, int64_t>> furtherTokens;
  /// The tokens that the prediction is for.
  int64_t tokens = 0;
  std::optional<Prediction> prediction;
  /// The prediction for another number of tokens; empty where there is none, or
  /// where it depends on other sizes too.
  /// Valid while the context of the compiled module lives.
  std::function<Prediction(int64_t tokens)> predictAt;
  int64_t threads = 0;
  int64_t dynamicSharedBytes = 0;
  KernelCensus census;
  /// Absent when ptxas has not run.
  std::optional<KernelResources> resources;
};

struct TargetResult {
  const TargetInfo *target = nullptr;
  /// The texts up to the output kind; "" for those not asked for.
  std::string sftile, nvvm, llvmIR, optimizedLLVMIR, ptx;
  /// The image for the driver; empty when ptxas has not run.
  std::string cubin;
  /// The cubin's name in a bundle, "ffn.sm_80.cubin".
  std::string image;
  std::vector<KernelReport> kernels;
  /// Absent when ptxas has not run.
  std::optional<PtxasReport> ptxas;
};

struct CompileResult {
  OutputKind output = OutputKind::Bundle;
  /// The module after import, for OutputKind::MLIR.
  std::string mlir;
  std::vector<TargetResult> targets;
  std::string fatbin;
  /// manifest.json, for Bundle, Manifest, Object, Header and TensorRT.
  std::string manifest;
  /// For Object: a relocatable object for this machine.
  std::string object;
  /// For Object and Header.
  std::string header;
  /// For TensorRT: a JSON text, docs/tensorrt.md.
  std::string tensorRT;
  std::vector<CompileRemark> remarks;
};

/// The compiler's name and version, "sparseflow 0.1.0".
StringRef compilerVersion();

/// Adds every dialect, extension and translation that compileModule needs.
void registerCompiler(DialectRegistry &registry);

/// Compiles `module`, which is left unchanged. Errors and warnings go to the
/// context's diagnostic handlers, at the location of the op concerned; remarks
/// go there too and into the result.
FailureOr<CompileResult> compileModule(ModuleOp module,
                                       const CompileOptions &options);

/// Runs only the import of compileModule, in place: marks arguments as sparse,
/// raises linalg, folds epilogues. With `quantizeActivations`, ternary weights
/// meet 8-bit activations.
LogicalResult importModule(ModuleOp module, ArrayRef<std::string> sparse,
                           bool quantizeActivations = false);

/// The description of every public function of an imported module, as a
/// manifest states it: shapes, symbols and the reference.
FailureOr<std::vector<llvm::json::Object>> describeFunctions(ModuleOp module);

/// Lowers an imported module to dense linalg, in place: what CpuDevice takes.
LogicalResult lowerForCpu(ModuleOp module);

/// Writes manifest.json, one .cubin and .ptx a target and, when not empty, the
/// bytes `weights` as weights.sfpk: all of it or nothing.
llvm::Error writeBundle(const CompileResult &result, StringRef directory,
                        StringRef weights = {});

/// The report as JSON text: per target and kernel the op, the schedule, the
/// census, registers and memory, the predicted bound; what ptxas said; all
/// remarks. docs/formats/report.md describes every field.
std::string reportText(const CompileResult &result);

/// The same for people: a paragraph for each op, a line for each kernel.
std::string reportSummary(const CompileResult &result);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_COMPILER_COMPILER_H
