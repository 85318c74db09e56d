//===- ExplainProgram.cpp - What a call of a program launches -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "program/ExplainProgram.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;
namespace tools = ::sparseflow::tools;
namespace rt = ::sparseflow::rt;
using rt::Expected;

namespace {
struct PlannedLaunch {
  std::string kernel, op, location;
  int64_t grid = 0, threads = 0;
  bool programmatic = false;
  /// Bytes; absent where a step does not say them, and for the second launch of
  /// one.
  std::optional<int64_t> read, written;
  /// Microseconds, and what bounds them.
  std::optional<double> time;
  std::string bound;
  std::vector<std::string> notes;
};

/// One function on one target, for given sizes.
struct ProgramPlan {
  std::string function, target, sizes;
  std::vector<PlannedLaunch> launches;
  uint64_t workspace = 0;
  int64_t read = 0, written = 0, results = 0;
  double time = 0;
  /// Steps that do not say their bytes.
  int64_t uncounted = 0;
  /// What became of ops that have no launch of their own: they are computed by
  /// one of the launches.
  std::vector<std::string> others;
};

class Planner {
public:
  /// `isGiven` says of each symbol whether its size was asked for.
  Planner(const CompileResult &compiled, const TargetResult &target,
          const rt::Function &function, const std::vector<int64_t> &symbols,
          const std::vector<bool> &isGiven)
      : compiled(compiled), target(target), function(function),
        symbols(symbols), isGiven(isGiven) {}

  Expected<ProgramPlan> run(const rt::Program &program);

private:
  Expected<int64_t> value(const rt::Expression &expression) const {
    return expression.evaluate(symbols.data());
  }
  rt::Status addStep(const rt::Step &step);
  rt::Status addTraffic(const rt::Traffic &traffic, PlannedLaunch &launch);
  const KernelReport *findKernel(StringRef name) const;

  const CompileResult &compiled;
  const TargetResult &target;
  const rt::Function &function;
  const std::vector<int64_t> &symbols;
  const std::vector<bool> &isGiven;
  ProgramPlan plan;
};
} // namespace

/// "ffn.mlir:7" of "/there/ffn.mlir:7:8", as a manifest says it.
static std::string lineOf(StringRef location) {
  return llvm::sys::path::filename(location.rsplit(':').first).str();
}

/// Whether a remark says how an op was read, fused or placed.
static bool isAboutFusion(const CompileRemark &remark) {
  return llvm::is_contained({"import", "epilogue", "kernel"}, remark.category);
}

const KernelReport *Planner::findKernel(StringRef name) const {
  for (const KernelReport &kernel : target.kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

rt::Status Planner::addTraffic(const rt::Traffic &traffic,
                               PlannedLaunch &launch) {
  Expected<int64_t> read = value(traffic.read);
  Expected<int64_t> written = value(traffic.written);
  Expected<int64_t> tokens = value(traffic.tokens);
  for (const Expected<int64_t> *number : {&read, &written, &tokens})
    if (!*number)
      return number->status();
  launch.read = *read;
  launch.written = *written;
  plan.read += *read;
  plan.written += *written;
  const KernelReport *kernel = findKernel(launch.kernel);
  if (kernel && kernel->predictAt) {
    Prediction prediction = kernel->predictAt(*tokens);
    launch.time = prediction.time;
    launch.bound = prediction.bound.str();
  } else if (const TargetPeaks *peaks = findPeaks(target.target->name)) {
    launch.time =
        static_cast<double>(*read + *written) / peaks->memoryGBps * 1e-3;
    launch.bound = "memory";
  }
  plan.time += launch.time.value_or(0);
  return rt::Status::success();
}

rt::Status Planner::addStep(const rt::Step &step) {
  Expected<const rt::Variant *> variant = tools::chooseVariant(step, symbols);
  if (!variant)
    return variant.status();
  const std::optional<rt::Traffic> &traffic =
      (*variant)->traffic ? (*variant)->traffic : step.traffic;
  // What a launch of a step before computes is counted there.
  if (!traffic && !(*variant)->launches.empty())
    ++plan.uncounted;
  bool isFirst = true;
  for (const rt::KernelLaunch &each : (*variant)->launches) {
    PlannedLaunch launch;
    launch.kernel = each.kernel;
    launch.op = step.op;
    launch.location = step.location;
    launch.threads = each.threads;
    launch.programmatic = each.programmatic;
    Expected<int64_t> grid = value(each.grid);
    if (!grid)
      return grid.status();
    launch.grid = *grid;
    if (isFirst && traffic)
      if (rt::Status status = addTraffic(*traffic, launch); !status)
        return status;
    if (isFirst)
      for (const CompileRemark &remark : compiled.remarks)
        if (isAboutFusion(remark) && lineOf(remark.location) == step.location &&
            !llvm::is_contained(launch.notes, remark.text))
          launch.notes.push_back(remark.text);
    plan.launches.push_back(std::move(launch));
    isFirst = false;
  }
  return rt::Status::success();
}

Expected<ProgramPlan> Planner::run(const rt::Program &program) {
  plan.function = rt::printable(function.name);
  plan.target = program.target.text;
  for (auto [symbol, size, given] :
       llvm::zip(function.symbols, symbols, isGiven))
    plan.sizes += (plan.sizes.empty() ? "" : ", ") + rt::printable(symbol) +
                  " = " + std::to_string(size) + (given ? "" : " (assumed)");
  Expected<uint64_t> workspace =
      function.workspaceBytes(program, symbols.data());
  if (!workspace)
    return workspace.status();
  plan.workspace = *workspace;
  for (const rt::Step &step : program.steps)
    if (rt::Status status = addStep(step); !status)
      return status;
  for (const rt::TensorSpec &result : function.results) {
    // What is updated in place is the caller's.
    if (result.updates >= 0)
      continue;
    std::vector<int64_t> shape;
    for (const rt::Dim &dim : result.shape)
      shape.push_back(dim.value(symbols.data()));
    Expected<uint64_t> bytes = rt::storageBytes(result, shape.data());
    if (!bytes)
      return bytes.status();
    plan.results += static_cast<int64_t>(*bytes);
  }
  auto hasLaunch = [&](StringRef line) {
    return llvm::any_of(program.steps, [&](const rt::Step &step) {
      return step.location == line;
    });
  };
  for (const CompileRemark &remark : compiled.remarks)
    if (isAboutFusion(remark) && !remark.location.empty() &&
        !hasLaunch(lineOf(remark.location)))
      plan.others.push_back(lineOf(remark.location) + ": " + remark.text);
  return std::move(plan);
}

/// "512 B", "3.4 kB", "12.0 MB": decimal, as rates of memory are.
static std::string bytesText(double bytes) {
  if (bytes < 1000)
    return llvm::formatv("{0:f0} B", bytes);
  if (bytes < 1e6)
    return llvm::formatv("{0:f1} kB", bytes / 1e3);
  if (bytes < 1e9)
    return llvm::formatv("{0:f1} MB", bytes / 1e6);
  return llvm::formatv("{0:f1} GB", bytes / 1e9);
}

/// "12.34 us", or "4.2 ns" where that would be 0.00 us.
static std::string timeText(double microseconds) {
  if (microseconds < 0.1)
    return llvm::formatv("{0:f1} ns", microseconds * 1e3);
  return llvm::formatv("{0:f2} us", microseconds);
}

static std::string summaryOf(const ProgramPlan &plan) {
  std::string text = plan.function + " on " + plan.target +
                     (plan.sizes.empty() ? "" : ", " + plan.sizes) + ": " +
                     std::to_string(plan.launches.size()) + " launches, read " +
                     bytesText(plan.read) + ", written " +
                     bytesText(plan.written);
  if (plan.uncounted)
    text += " (" + std::to_string(plan.uncounted) + " steps not counted)";
  if (plan.time)
    text += ", at least " + timeText(plan.time);
  return text;
}

static std::string workspaceOf(const ProgramPlan &plan) {
  return "workspace " + bytesText(static_cast<double>(plan.workspace)) +
         "; without shared places its tensors take " +
         bytesText(std::max<int64_t>(plan.written - plan.results, 0));
}

static std::string timeOf(const PlannedLaunch &launch) {
  return launch.time
             ? "at least " + timeText(*launch.time) + ", " + launch.bound
             : "";
}

static void printText(llvm::raw_ostream &os, const ProgramPlan &plan) {
  os << summaryOf(plan) << "\n" << workspaceOf(plan) << "\n";
  size_t number = 0;
  for (const PlannedLaunch &launch : plan.launches) {
    os << llvm::format_decimal(++number, 4) << "  "
       << llvm::left_justify(launch.kernel, 24) << " "
       << llvm::format_decimal(launch.grid, 6) << " blocks of "
       << launch.threads;
    if (launch.read)
      os << ", read " << bytesText(*launch.read) << ", written "
         << bytesText(*launch.written);
    if (launch.time)
      os << ", " << timeOf(launch);
    if (launch.programmatic)
      os << ", PDL";
    os << "; " << launch.op;
    if (!launch.location.empty())
      os << " of " << launch.location;
    os << "\n";
    for (const std::string &note : launch.notes)
      os << "        " << note << "\n";
  }
  if (!plan.others.empty())
    os << "without a launch of their own:\n";
  for (const std::string &other : plan.others)
    os << "        " << other << "\n";
}

/// Launches from top to bottom in their order, the darker the longer they take.
static void printDot(llvm::raw_ostream &os, const ProgramPlan &plan) {
  auto quoted = [](StringRef text) {
    std::string escaped;
    llvm::raw_string_ostream(escaped) << '"';
    for (char c : text)
      escaped += c == '"' || c == '\\' ? std::string{'\\', c}
                 : c == '\n'           ? std::string("\\n")
                                       : std::string{c};
    return escaped + '"';
  };
  os << "digraph " << quoted(plan.function + "." + plan.target) << " {\n"
     << "  label = " << quoted(summaryOf(plan) + "\n" + workspaceOf(plan))
     << ";\n  labelloc = t;\n"
     << "  node [shape = box, style = filled, fontname = monospace];\n";
  double longest = 0;
  for (const PlannedLaunch &launch : plan.launches)
    longest = std::max(longest, launch.time.value_or(0));
  for (auto [index, launch] : llvm::enumerate(plan.launches)) {
    std::string label = launch.kernel + "\n" + launch.op + " " +
                        launch.location + "\n" + std::to_string(launch.grid) +
                        " blocks of " + std::to_string(launch.threads);
    if (launch.read)
      label += "\nread " + bytesText(*launch.read) + ", written " +
               bytesText(*launch.written);
    if (launch.time)
      label += "\n" + timeOf(launch);
    double share = longest ? launch.time.value_or(0) / longest : 0;
    os << "  n" << index << " [label = " << quoted(label)
       << llvm::formatv(", fillcolor = \"0.58 {0:f2} 1.0\"", 0.6 * share)
       << "];\n";
    if (index)
      os << "  n" << index - 1 << " -> n" << index
         << (launch.programmatic ? " [style = dashed]" : "") << ";\n";
  }
  os << "}\n";
}

Expected<std::string>
driver::explainProgram(const CompileResult &compiled,
                       const tools::ArgumentRequest &request, bool asDot) {
  Expected<tools::BundleManifest> manifest =
      tools::parseBundleManifest(compiled.manifest);
  if (!manifest)
    return manifest.status();
  std::string text;
  llvm::raw_string_ostream os(text);
  const std::vector<rt::Function> &functions = manifest->manifest.functions;
  auto hasSymbol = [](const rt::Function &function, const std::string &name) {
    return llvm::is_contained(function.symbols, name);
  };
  for (const auto &size : request.sizes)
    if (llvm::none_of(functions, [&](const rt::Function &function) {
          return hasSymbol(function, size.first);
        }))
      return rt::invalidArgument("--dim " + rt::printable(size.first) +
                                 ": no function has such a symbol");
  for (const rt::Function &function : functions) {
    // Each function takes the sizes of its own symbols.
    auto own = request.sizes;
    llvm::erase_if(own, [&](const auto &size) {
      return !hasSymbol(function, size.first);
    });
    Expected<std::vector<int64_t>> symbols =
        tools::symbolSizes(function, own, request.defaultSize);
    if (!symbols)
      return symbols.status();
    std::vector<bool> isGiven;
    for (const std::string &symbol : function.symbols)
      isGiven.push_back(llvm::any_of(
          own, [&](const auto &size) { return size.first == symbol; }));
    for (const rt::Program &program : function.programs)
      for (const TargetResult &target : compiled.targets) {
        if (target.target->name != program.target.text)
          continue;
        Expected<ProgramPlan> plan =
            Planner(compiled, target, function, *symbols, isGiven).run(program);
        if (!plan)
          return plan.status();
        if (asDot)
          printDot(os, *plan);
        else
          printText(os, *plan);
      }
  }
  return text;
}
