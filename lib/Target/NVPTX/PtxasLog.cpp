//===- PtxasLog.cpp - What ptxas -v says about kernels --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/Assembler.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::sparseflow;
using llvm::StringRef;

/// The integer that stands before `unit` in `line` ("16 bytes stack frame").
static int64_t numberBefore(StringRef line, StringRef unit) {
  size_t at = line.find(unit);
  if (at == StringRef::npos)
    return 0;
  StringRef head = line.take_front(at).rtrim();
  size_t start = head.size();
  while (start > 0 && llvm::isDigit(head[start - 1]))
    --start;
  int64_t value = 0;
  if (head.drop_front(start).getAsInteger(10, value))
    return 0;
  return value;
}

/// The text between the first pair of single quotes.
static StringRef quoted(StringRef line) {
  StringRef rest = line.drop_until([](char c) { return c == '\''; });
  return rest.drop_front(rest.empty() ? 0 : 1).take_until([](char c) {
    return c == '\'';
  });
}

PtxasReport mlir::sparseflow::parsePtxasLog(StringRef log) {
  PtxasReport report;
  KernelResources *kernel = nullptr;
  auto select = [&](StringRef name) {
    kernel = nullptr;
    for (KernelResources &known : report.kernels)
      if (known.name == name)
        kernel = &known;
  };
  SmallVector<StringRef> lines;
  log.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    line = line.trim();
    if (line.contains("Compiling entry function")) {
      select(quoted(line));
      if (!kernel) {
        report.kernels.emplace_back();
        kernel = &report.kernels.back();
        kernel->name = quoted(line).str();
      }
    } else if (line.contains("Function properties for")) {
      // Names a kernel, or a function whose frame belongs to its caller.
      StringRef name = line.split("Function properties for").second.trim();
      KernelResources *before = kernel;
      select(name);
      if (!kernel)
        kernel = before;
    } else if (line.contains("bytes stack frame")) {
      if (!kernel)
        continue;
      kernel->lines.push_back(line.str());
      kernel->stackBytes += numberBefore(line, "bytes stack frame");
      kernel->spillStoreBytes += numberBefore(line, "bytes spill stores");
      kernel->spillLoadBytes += numberBefore(line, "bytes spill loads");
    } else if (line.contains("Used ") && line.contains(" registers")) {
      if (!kernel)
        continue;
      kernel->lines.push_back(line.str());
      kernel->registers = numberBefore(line, "registers");
      kernel->barriers = numberBefore(line, "barriers");
      kernel->sharedBytes = numberBefore(line, "bytes smem");
    } else if (line.contains("warning") || line.contains("Warning") ||
               line.contains("dvisory") || line.contains("C75") ||
               line.contains("Potential Performance Loss")) {
      report.complaints.push_back(line.str());
    }
  }
  return report;
}

std::vector<std::string>
mlir::sparseflow::findDefects(const PtxasReport &report) {
  std::vector<std::string> defects;
  for (const KernelResources &kernel : report.kernels) {
    if (kernel.spillStoreBytes || kernel.spillLoadBytes)
      defects.push_back(
          llvm::formatv("kernel '{0}' spills registers ({1} bytes stored, {2} "
                        "bytes loaded per thread, {3} registers used)",
                        kernel.name, kernel.spillStoreBytes,
                        kernel.spillLoadBytes, kernel.registers)
              .str());
    else if (kernel.stackBytes)
      defects.push_back(
          llvm::formatv("kernel '{0}' uses {1} bytes of local memory per "
                        "thread",
                        kernel.name, kernel.stackBytes)
              .str());
  }
  for (const std::string &complaint : report.complaints) {
    // Said above with its numbers.
    StringRef text(complaint);
    if (!defects.empty() && (text.contains("Registers are spilled") ||
                             text.contains("Local memory used")))
      continue;
    defects.push_back("ptxas: " + complaint);
  }
  return defects;
}

std::string mlir::sparseflow::describeDefects(const PtxasReport &report,
                                              const TargetInfo &target) {
  std::vector<std::string> defects = findDefects(report);
  if (defects.empty())
    return "";
  return llvm::formatv("ptxas {0} finds the code for {1} slow: {2}; choose "
                       "another schedule or allow it (--allow-slow-code)",
                       report.version, target.name, llvm::join(defects, "; "))
      .str();
}
