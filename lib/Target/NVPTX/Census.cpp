//===- Census.cpp - Counts of instructions in PTX -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/Census.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir::sparseflow;
using llvm::StringRef;

// A longer prefix stands before the shorter one that it extends. The order is
// also the order of a summary.
static constexpr StringRef kGroups[] = {
    "wgmma.mma_async.sp",
    "wgmma.mma_async",
    "mma.sp::ordered_metadata",
    "mma.sp",
    "mma.sync",
    "cp.async.bulk",
    "cp.async.commit_group",
    "cp.async.wait_group",
    "cp.async",
    "ldmatrix",
    "stmatrix",
    "mbarrier",
    "bar.sync",
    "barrier.sync",
    "bar.warp.sync",
    "fence.proxy",
    "fence",
    "shfl.sync",
    "ld.global",
    "st.global",
    "ld.shared",
    "st.shared",
    "ld.local",
    "st.local",
    "ld.param",
    "atom",
    "red",
    "ex2.approx",
    "lg2.approx",
    "rcp.approx",
    "rsqrt.approx",
    "tanh.approx",
    "sqrt",
    "div",
    "fma",
    "cvt",
    "setmaxnreg",
    "bra",
};

// The first five groups run on tensor cores.
static bool isTensorCoreGroup(StringRef group) {
  return llvm::is_contained(llvm::ArrayRef(kGroups).take_front(5), group);
}

static StringRef groupOf(StringRef opcode) {
  for (StringRef group : kGroups) {
    StringRef rest = opcode;
    if (rest.consume_front(group) &&
        (rest.empty() || rest.front() == '.' || rest.front() == ':'))
      return group;
  }
  return {};
}

/// Calls `visit` with the opcode of every instruction of `text`, which is a
/// kernel body or inline assembly.
template <typename Visit>
static void forEachOpcode(StringRef text, Visit visit) {
  while (!text.empty()) {
    // Comments hold no instructions ("// begin inline asm").
    if (text.starts_with("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
      continue;
    }
    if (llvm::isSpace(text.front()) ||
        StringRef("{};").contains(text.front())) {
      text = text.drop_front();
      continue;
    }
    size_t end = text.find_first_of(";\n{}");
    StringRef statement = text.take_front(end).rtrim();
    // A vector operand `{a, b}` belongs to its instruction: go on to the ';'.
    text = end == StringRef::npos ? StringRef() : text.drop_front(end);
    if (statement.starts_with(".")) {
      // A directive ends at its ';', or at its line when it has none.
      text = text.drop_until([](char c) { return c == ';' || c == '\n'; });
      continue;
    }
    if (statement.ends_with(":"))
      continue;
    if (size_t colon = statement.find(": ");
        colon != StringRef::npos && !statement.take_front(colon).contains(' '))
      statement = statement.drop_front(colon + 1).ltrim();
    if (statement.starts_with("@"))
      statement = statement.drop_until(llvm::isSpace).ltrim();
    if (!statement.empty())
      visit(statement.take_until(llvm::isSpace));
    text = text.drop_until([](char c) { return c == ';'; });
  }
}

std::map<std::string, KernelCensus>
mlir::sparseflow::takeCensus(StringRef ptx) {
  std::map<std::string, KernelCensus> result;
  StringRef rest = ptx;
  while (true) {
    size_t entry = rest.find(".entry");
    if (entry == StringRef::npos)
      return result;
    rest = rest.drop_front(entry + StringRef(".entry").size()).ltrim();
    StringRef name =
        rest.take_until([](char c) { return llvm::isSpace(c) || c == '('; });
    size_t open = rest.find("\n{");
    if (open == StringRef::npos)
      return result;
    StringRef body = rest.drop_front(open + 2);
    // Kernel bodies end with a brace in column 0; inner scopes are indented.
    body = body.take_front(body.find("\n}"));
    rest = body.empty() ? rest : rest.drop_front(open + 2 + body.size());
    KernelCensus &census = result[name.str()];
    forEachOpcode(body, [&](StringRef opcode) {
      ++census["instructions"];
      if (StringRef group = groupOf(opcode); !group.empty())
        ++census[group.str()];
    });
  }
}

int64_t mlir::sparseflow::tensorCoreInstructions(const KernelCensus &census) {
  int64_t sum = 0;
  for (const auto &[group, count] : census)
    if (isTensorCoreGroup(group))
      sum += count;
  return sum;
}

int64_t mlir::sparseflow::countTensorCoreOpcodes(StringRef text) {
  int64_t sum = 0;
  forEachOpcode(text, [&](StringRef opcode) {
    sum += isTensorCoreGroup(groupOf(opcode));
  });
  return sum;
}

std::string mlir::sparseflow::summarize(const KernelCensus &census) {
  std::string text;
  for (StringRef group : kGroups) {
    auto found = census.find(group.str());
    if (found == census.end())
      continue;
    if (!text.empty())
      text += ", ";
    text += std::to_string(found->second) + " " + group.str();
  }
  return text.empty() ? "no instruction of note" : text;
}
