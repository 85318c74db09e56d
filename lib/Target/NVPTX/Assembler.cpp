//===- Assembler.cpp - PTX to cubin through ptxas -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/Assembler.h"

#include "SparseFlow/System/Files.h"
#include "SparseFlow/System/Subprocess.h"
#include "SparseFlow/Target/NVPTX/TensorCode.h"
#include "ToolSearch.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdlib>

using namespace mlir::sparseflow;

// A cubin larger than this is not one of ours.
static constexpr uint64_t kMaxImageBytes = 256u << 20;

std::string mlir::sparseflow::findCudaTool(llvm::StringRef name,
                                           llvm::StringRef firstDirectory,
                                           llvm::StringRef lastDirectory,
                                           std::string &searched) {
  std::vector<std::string> directories;
  if (!firstDirectory.empty())
    directories.push_back(firstDirectory.str());
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (const char *home = std::getenv(variable))
      if (home[0] == '/')
        directories.push_back(std::string(home) + "/bin");
  std::string found = findExecutable(name, directories, searched);
  if (found.empty()) {
    std::string standard = (lastDirectory + "/" + name).str();
    searched += (searched.empty() ? "" : ", ") + standard;
    if (llvm::sys::fs::can_execute(standard))
      found = standard;
  }
  return found;
}

llvm::Expected<std::string>
mlir::sparseflow::findPtxas(llvm::StringRef requested,
                            llvm::StringRef toolkit) {
  std::string named = requested.str();
  std::string origin = "--ptxas";
  if (named.empty())
    if (const char *variable = std::getenv("SPARSEFLOW_PTXAS")) {
      named = variable;
      origin = "SPARSEFLOW_PTXAS";
    }
  if (!named.empty()) {
    llvm::SmallString<128> absolute(named);
    llvm::sys::fs::make_absolute(absolute);
    if (llvm::sys::fs::can_execute(absolute) &&
        !llvm::sys::fs::is_directory(absolute))
      return absolute.str().str();
    return llvm::createStringError(
        llvm::formatv("{0} names '{1}', which is not an executable file",
                      origin, named)
            .str());
  }
  std::string searched;
  std::string found = findCudaTool("ptxas", "", toolkit, searched);
  if (!found.empty())
    return found;
  return llvm::createStringError(
      llvm::formatv(
          "ptxas was not found (searched {0}): install the CUDA toolkit or "
          "the Python package nvidia-cuda-nvcc, then set SPARSEFLOW_PTXAS or "
          "pass --ptxas; --emit ptx needs no ptxas",
          searched)
          .str());
}

llvm::Expected<std::string>
mlir::sparseflow::ptxasVersion(llvm::StringRef path) {
  SubprocessOptions options;
  options.timeout = std::chrono::seconds(20);
  llvm::Expected<SubprocessResult> run =
      runSubprocess(path, {"--version"}, options);
  if (!run)
    return run.takeError();
  llvm::StringRef text = run->standardOutput;
  llvm::StringRef release =
      text.split("release ").second.take_until([](char c) {
        return c == ',' || c == '\n';
      });
  if (!run->succeeded() || release.empty())
    return llvm::createStringError("'" + path.str() +
                                   " --version' does not answer like ptxas");
  return release.str();
}

/// Why a run of ptxas failed, in one sentence and its own words.
static std::string describeFailure(const SubprocessResult &run,
                                   const TargetInfo &target,
                                   const AssembleOptions &options) {
  std::string text;
  if (run.cancelled)
    return "cancelled";
  if (run.timedOut)
    text = llvm::formatv("it was killed after {0} s", options.timeout.count())
               .str();
  else if (run.signal)
    text = llvm::formatv("it crashed with signal {0}", run.signal).str();
  else
    text = llvm::formatv("it exited with status {0}", run.exitCode).str();
  std::string output = run.standardError + run.standardOutput;
  llvm::StringRef said = llvm::StringRef(output).trim();
  // An old ptxas rejects the version line or the chip's name.
  if (said.contains("Unsupported .version") || said.contains("is not defined"))
    text += llvm::formatv("; it is too old for {0}, which needs CUDA {1} or "
                          "newer",
                          target.name, target.driverRelease)
                .str();
  if (!said.empty())
    text += ":\n" + said.take_front(16384).str();
  return text;
}

/// Where a directive of a kernel's head may be inserted: before the body, with
/// a line feed. `head` becomes what stands before it.
static std::optional<size_t>
findBody(llvm::StringRef ptx, llvm::StringRef kernel, llvm::StringRef &head) {
  size_t entry = ptx.find((".entry " + kernel + "(").str());
  if (entry == llvm::StringRef::npos)
    return std::nullopt;
  size_t body = ptx.find("\n{", entry);
  head = ptx.slice(entry, body);
  return body;
}

/// The blocks on a processor that a kernel with this head states, and where
/// their number stands in it; nothing if it states none.
static std::optional<std::pair<llvm::StringRef, int64_t>>
statedBlocks(llvm::StringRef head) {
  llvm::StringRef rest = head.split(".minnctapersm").second.ltrim();
  llvm::StringRef digits = rest.take_while(llvm::isDigit);
  int64_t blocks = 0;
  if (digits.empty() || digits.getAsInteger(10, blocks))
    return std::nullopt;
  return std::pair(digits, blocks);
}

/// The PTX with a number of blocks for each processor, one, in every kernel
/// that spills and states neither blocks nor registers. Left to itself ptxas
/// aims at more blocks, and may spill a few bytes to stay at, say, 64
/// registers. Kernels that may have fewer blocks than they state get one less,
/// which `fewer` keeps.
static std::string leaveRegisters(llvm::StringRef ptx,
                                  const PtxasReport &report,
                                  const AssembleOptions &options,
                                  llvm::StringMap<int64_t> &fewer) {
  std::string text = ptx.str();
  for (const KernelResources &kernel : report.kernels) {
    // A frame without a spill comes of too few registers, too.
    if (!kernel.stackBytes)
      continue;
    llvm::StringRef head;
    std::optional<size_t> body = findBody(text, kernel.name, head);
    if (!body || !head.contains("ntid ") || head.contains(".maxnreg"))
      continue;
    auto stated = statedBlocks(head);
    if (!stated) {
      text.insert(*body, "\n.minnctapersm 1");
    } else if (stated->second > 1 && options.mayHaveFewerBlocks &&
               options.mayHaveFewerBlocks(kernel.name)) {
      fewer[kernel.name] = stated->second - 1;
      text.replace(stated->first.data() - text.data(), stated->first.size(),
                   std::to_string(stated->second - 1));
    }
  }
  return text;
}

namespace {

/// A kernel whose machine code has a number of MMAs that its PTX does not
/// explain.
struct MmaMismatch {
  std::string kernel;
  PtxTensorCount expected;
  /// None if there is no code of that kernel.
  std::optional<int64_t> found;
};

} // namespace

/// Compares the MMAs of `ptx` with those of the machine code, and notes the
/// latter.
static llvm::Expected<std::vector<MmaMismatch>>
compareMmas(llvm::StringRef ptx, AssembledModule &assembled) {
  std::vector<MmaMismatch> result;
  std::map<std::string, PtxTensorCount> expected;
  for (const PtxKernel &kernel : readPtx(ptx)) {
    PtxTensorCount count = countTensorPtx(kernel);
    if (count.all && count.uncounted.empty())
      expected[kernel.name.str()] = std::move(count);
  }
  if (expected.empty())
    return result;
  auto code = countTensorCode(assembled.cubin);
  if (!code)
    return code.takeError();
  for (const auto &[name, count] : expected) {
    auto found = code->find(name);
    if (found == code->end()) {
      result.push_back({name, count, std::nullopt});
      continue;
    }
    if (!holdsEveryMma(count, found->second))
      result.push_back({name, count, found->second});
    for (KernelResources &kernel : assembled.report.kernels)
      if (kernel.name == name)
        kernel.tensorInstructions = found->second;
  }
  return result;
}

/// Tells ptxas to leave the loops of those kernels as they stand. In the last
/// copy of an unrolled loop it may drop MMAs for the iteration that does not
/// come, by right; one by one they can be counted. Returns whether any kernel
/// was told so for the first time.
static bool keepLoops(std::string &ptx,
                      llvm::ArrayRef<MmaMismatch> mismatches) {
  constexpr llvm::StringLiteral kPragma = ".pragma \"nounroll\";";
  bool changed = false;
  for (const MmaMismatch &mismatch : mismatches) {
    llvm::StringRef head;
    std::optional<size_t> body = findBody(ptx, mismatch.kernel, head);
    if (!body || mismatch.expected.loops.empty() || head.contains(kPragma))
      continue;
    ptx.insert(*body, ("\n" + kPragma).str());
    changed = true;
  }
  return changed;
}

static llvm::Error describe(const MmaMismatch &mismatch,
                            const TargetInfo &target, llvm::StringRef version) {
  const PtxTensorCount &expected = mismatch.expected;
  if (!mismatch.found)
    return llvm::createStringError(
        llvm::formatv("expected code of kernel '{0}' in what ptxas {1} made "
                      "for {2}, found none",
                      mismatch.kernel, version, target.name)
            .str());
  return llvm::createStringError(
      llvm::formatv(
          "ptxas {0} drops MMAs of kernel '{1}' for {2}: expected {3} "
          "tensor core instructions, as in the PTX{4}, found {5}; the "
          "results would be wrong. Choose another schedule, and leave out "
          "MMAs whose results nobody reads (docs/Rationale/ptxas.md)",
          version, mismatch.kernel, target.name, expected.all,
          expected.loops.empty() ? "" : ", and whole copies of its loops",
          *mismatch.found)
          .str());
}

/// Whether this ptxas can work on several kernels at once. Their code is the
/// same bit for bit.
static bool takesThreads(llvm::StringRef version) {
  unsigned major = 0, minor = 0;
  auto [first, second] = version.split('.');
  return !first.getAsInteger(10, major) && !second.getAsInteger(10, minor) &&
         std::pair(major, minor) >= std::pair(12u, 8u);
}

/// What one run of ptxas makes of `ptx`, as it says.
static llvm::Expected<AssembledModule> runPtxas(llvm::StringRef ptx,
                                                const TargetInfo &target,
                                                const AssembleOptions &options,
                                                const std::string &tool,
                                                const std::string &version) {
  llvm::Expected<PrivateTempDir> directory =
      PrivateTempDir::create("sparseflow-ptxas");
  if (!directory)
    return directory.takeError();
  std::string input = directory->file("module.ptx");
  std::string output = directory->file("module.cubin");
  if (llvm::Error error = writeFileAtomically(input, ptx))
    return error;

  SubprocessOptions run;
  run.timeout = options.timeout;
  run.cancelled = options.cancelled;
  std::vector<std::string> arguments{"-arch=" + target.name.str(), "-O3", "-v",
                                     "--warn-on-spills",
                                     "--warn-on-local-memory-usage"};
  // As many as there are cores.
  if (takesThreads(version))
    arguments.push_back("-split-compile=0");
  arguments.insert(arguments.end(), {input, "-o", output});
  if (options.lineInfo)
    arguments.push_back("-lineinfo");
  llvm::Expected<SubprocessResult> result = runSubprocess(tool, arguments, run);
  if (!result)
    return result.takeError();
  if (!result->succeeded()) {
    std::string why = describeFailure(*result, target, options);
    if (result->cancelled)
      return llvm::createStringError("ptxas was cancelled");
    std::string kept = directory->keep();
    return llvm::createStringError(
        llvm::formatv("ptxas {0} failed for {1} (the PTX is kept in "
                      "{2}/module.ptx): {3}",
                      version, target.name, kept, why)
            .str());
  }
  llvm::Expected<std::string> cubin = readRegularFile(output, kMaxImageBytes);
  if (!cubin)
    return cubin.takeError();

  AssembledModule assembled;
  assembled.cubin = std::move(*cubin);
  assembled.report =
      parsePtxasLog(result->standardError + "\n" + result->standardOutput);
  assembled.report.tool = tool;
  assembled.report.version = version;
  return assembled;
}

llvm::Expected<AssembledModule>
mlir::sparseflow::assemble(llvm::StringRef ptx, const TargetInfo &target,
                           const AssembleOptions &options) {
  llvm::Expected<std::string> tool =
      findPtxas(options.ptxasPath, options.toolkit);
  if (!tool)
    return tool.takeError();
  llvm::Expected<std::string> version = ptxasVersion(*tool);
  if (!version)
    return version.takeError();

  // Each turn adds a directive to a kernel that lacks it, lowers the number of
  // one, or is the last.
  llvm::StringSet<> kept;
  llvm::StringMap<int64_t> fewer;
  for (std::string text = ptx.str();;) {
    llvm::Expected<AssembledModule> assembled =
        runPtxas(text, target, options, *tool, *version);
    if (!assembled)
      return assembled;
    std::string roomier =
        leaveRegisters(text, assembled->report, options, fewer);
    if (roomier != text) {
      text = std::move(roomier);
      continue;
    }
    auto mismatches = compareMmas(text, *assembled);
    if (!mismatches)
      return mismatches.takeError();
    if (mismatches->empty()) {
      for (KernelResources &kernel : assembled->report.kernels) {
        kernel.keepsLoops = kept.contains(kernel.name);
        kernel.blocks = fewer.lookup(kernel.name);
      }
      return assembled;
    }
    if (!keepLoops(text, *mismatches))
      return describe(mismatches->front(), target, *version);
    for (const MmaMismatch &mismatch : *mismatches)
      kept.insert(mismatch.kernel);
  }
}
