//===- Report.cpp - What became of a program, as JSON and as text ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/formats/report.md describes the fields, docs/formats/report.schema.json
// checks them. A field that is added there is added in both.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Compiler/Compiler.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// `value` times 1000 as an integer: JSON has no short decimal fractions.
static int64_t thousandths(double value) { return std::llround(value * 1e3); }

static Object opObject(const KernelOp &op) {
  Object object{{"kind", op.kind},     {"location", op.location},
                {"n", op.n},           {"element", op.element},
                {"result", op.result}, {"epilogue_ops", op.epilogueOps}};
  if (op.kind != "elementwise")
    object["k"] = op.k;
  if (op.kind != "matmul")
    return object;
  object["weights"] = op.isSparse ? "2:4" : "dense";
  if (!op.isSparse)
    object["not_sparse"] = op.notSparse;
  return object;
}

static Object predictionObject(const KernelReport &kernel) {
  const Prediction &p = *kernel.prediction;
  return Object{{"tokens", kernel.tokens},
                {"flops", p.flops},
                {"memory_bytes", p.memoryBytes},
                {"shared_bytes", p.sharedBytes},
                {"blocks", p.blocks},
                {"utilization_percent", std::llround(p.utilization * 100)},
                {"compute_ns", thousandths(p.compute)},
                {"memory_ns", thousandths(p.memory)},
                {"shared_ns", thousandths(p.shared)},
                {"time_ns", thousandths(p.time)},
                {"bound", p.bound.str()}};
}

static Object kernelObject(const KernelReport &kernel) {
  Object census;
  for (const auto &[group, count] : kernel.census)
    census[group] = count;
  Object object{{"name", kernel.name},
                {"schedule", kernel.schedule},
                {"schedule_row", kernel.scheduleRow},
                {"threads", kernel.threads},
                {"dynamic_shared_bytes", kernel.dynamicSharedBytes},
                {"instructions", std::move(census)}};
  if (!kernel.merged.empty())
    object["merged"] = Array(kernel.merged);
  if (kernel.op) {
    object["op"] = opObject(*kernel.op);
    object["role"] = kernel.role;
    object["max_tokens"] = kernel.maxTokens;
    if (!kernel.furtherTokens.empty() && kernel.role != "reduce") {
      Array further;
      for (auto [least, most] : kernel.furtherTokens)
        further.push_back(Object{{"min", least}, {"max", most}});
      object["further_tokens"] = std::move(further);
    }
    object["any_alignment"] = kernel.anyAlignment;
  }
  if (kernel.prediction)
    object["predicted"] = predictionObject(kernel);
  if (kernel.resources) {
    object["registers"] = kernel.resources->registers;
    object["static_shared_bytes"] = kernel.resources->sharedBytes;
    object["spill_store_bytes"] = kernel.resources->spillStoreBytes;
    object["spill_load_bytes"] = kernel.resources->spillLoadBytes;
    object["stack_bytes"] = kernel.resources->stackBytes;
    object["barriers"] = kernel.resources->barriers;
    if (kernel.resources->tensorInstructions)
      object["tensor_instructions"] = *kernel.resources->tensorInstructions;
    if (kernel.resources->keepsLoops)
      object["keeps_loops"] = true;
    object["ptxas_lines"] = Array(kernel.resources->lines);
  }
  return object;
}

static std::string versionText(unsigned timesTen) {
  return (Twine(timesTen / 10) + "." + Twine(timesTen % 10)).str();
}

static Object targetObject(const TargetResult &target) {
  Array kernels;
  for (const KernelReport &kernel : target.kernels)
    kernels.push_back(kernelObject(kernel));
  Object object{{"target", target.target->name.str()},
                {"family", target.target->family.str()},
                {"ptx_version", versionText(target.target->ptxVersion)},
                {"kernels", std::move(kernels)}};
  if (const TargetPeaks *peaks = findPeaks(target.target->name))
    object["peaks"] =
        Object{{"board", peaks->board.str()},
               {"dense_gflops", thousandths(peaks->denseTflops)},
               {"sparse_gflops", thousandths(peaks->sparseTflops)},
               {"vector_gflops", thousandths(peaks->vectorTflops)},
               {"memory_gbps", peaks->memoryGBps},
               {"multiprocessors", peaks->multiprocessors},
               {"clock_mhz", thousandths(peaks->clockGHz)}};
  if (target.ptxas)
    object["ptxas"] = Object{{"path", target.ptxas->tool},
                             {"version", target.ptxas->version},
                             {"complaints", Array(target.ptxas->complaints)}};
  return object;
}

std::string mlir::sparseflow::reportText(const CompileResult &result) {
  Array targets;
  for (const TargetResult &target : result.targets)
    targets.push_back(targetObject(target));
  Array remarks;
  for (const CompileRemark &remark : result.remarks)
    remarks.push_back(Object{{"location", remark.location},
                             {"category", remark.category},
                             {"text", remark.text}});
  llvm::json::Value report =
      Object{{"format", "sparseflow-report"},
             {"version", 1},
             {"producer", compilerVersion().str()},
             {"llvm", LLVM_VERSION_STRING},
             {"output", stringifyOutputKind(result.output).str()},
             {"targets", std::move(targets)},
             {"remarks", std::move(remarks)}};
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::formatv("{0:2}", report) << "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// ", 65 to 128, from 513": the intervals behind the first one.
static std::string furtherText(const KernelReport &kernel) {
  std::string text;
  for (auto [least, most] : kernel.furtherTokens)
    text += most ? llvm::formatv(", {0} to {1}", least, most).str()
                 : llvm::formatv(", from {0}", least).str();
  return text;
}

/// "T <= 16", "any T"; and the alignment where it is the reason to be there.
static std::string servesText(const KernelReport &kernel) {
  std::string text = kernel.op && kernel.op->staticTokens
                         ? "T = " + std::to_string(kernel.op->staticTokens)
                     : kernel.maxTokens
                         ? "T <= " + std::to_string(kernel.maxTokens)
                         : "any T";
  return text + furtherText(kernel) +
         (kernel.anyAlignment ? ", any alignment" : "");
}

static void printOp(llvm::raw_ostream &os, const KernelOp &op) {
  os << (op.location.empty() ? "" : op.location + ": ") << op.kind << ", "
     << op.n << " features of " << op.result;
  if (op.kind == "matmul") {
    os << ", K = " << op.k << ", ";
    if (op.isSparse)
      os << "2:4 weights of " << op.element;
    else
      os << "dense weights of " << op.element << " (" << op.notSparse << ")";
  }
  if (op.kind == "attention")
    os << ", keys of " << op.k << " features";
  if (op.epilogueOps)
    os << ", " << op.epilogueOps
       << (op.epilogueOps == 1 ? " operation" : " operations")
       << " on each element";
  os << "\n";
}

static void printKernel(llvm::raw_ostream &os, const KernelReport &kernel) {
  os << "  " << llvm::left_justify(kernel.name, 20) << " "
     << llvm::left_justify(
            kernel.role == "reduce" ? "adds the parts" : servesText(kernel), 22)
     << " " << kernel.scheduleRow << ", " << kernel.threads << " threads, "
     << kernel.dynamicSharedBytes << " bytes of shared memory";
  if (kernel.resources)
    os << ", " << kernel.resources->registers << " registers";
  os << "\n" << std::string(23, ' ') << summarize(kernel.census) << "\n";
  if (!kernel.prediction)
    return;
  const Prediction &p = *kernel.prediction;
  os << std::string(23, ' ')
     << llvm::formatv("at {0} tokens at least {1:f2} us, bound by {2} (compute "
                      "{3:f2}, memory {4:f2}, shared memory {5:f2}; {6} blocks "
                      "use {7:f0} % of the chip)\n",
                      kernel.tokens, p.time, p.bound, p.compute, p.memory,
                      p.shared, p.blocks, p.utilization * 100);
}

std::string mlir::sparseflow::reportSummary(const CompileResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const TargetResult &target : result.targets) {
    os << target.target->name << ", PTX "
       << versionText(target.target->ptxVersion);
    if (const TargetPeaks *peaks = findPeaks(target.target->name))
      os << "; limits of " << peaks->board << ": "
         << llvm::format("%g", peaks->denseTflops) << " TFLOP/s dense, "
         << llvm::format("%g", peaks->sparseTflops) << " with 2:4 weights, "
         << llvm::format("%g", peaks->memoryGBps) << " GB/s";
    os << "\n";
    const KernelReport *previous = nullptr;
    for (const KernelReport &kernel : target.kernels) {
      bool isNew = !previous || !previous->op || !kernel.op ||
                   previous->op->location != kernel.op->location ||
                   previous->op->kind != kernel.op->kind;
      if (isNew && kernel.op)
        printOp(os, *kernel.op);
      printKernel(os, kernel);
      previous = &kernel;
    }
  }
  return text;
}
