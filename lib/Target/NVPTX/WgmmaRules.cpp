//===- WgmmaRules.cpp - Are registers of wgmma left alone? ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward data-flow analysis over the blocks of a kernel. Where paths meet,
// what any of them leaves under way is under way, with the younger of two
// groups, and what any of them has written is written.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/WgmmaRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <deque>
#include <optional>

using namespace mlir::sparseflow;
using llvm::StringRef;

namespace {

// How young the group of an MMA under way is: in no group yet, in the last one,
// in the one before that, ... The larger the younger.
constexpr uint8_t kFree = 0, kOldest = 1, kNewest = 14, kUncommitted = 15;

/// One register that some wgmma takes.
struct RegisterState {
  /// The youngest MMA under way with it as accumulator, and as operand A or
  /// metadata.
  uint8_t accumulator = kFree, operand = kFree;
  /// The line of a write since the last fence; 0: none.
  unsigned written = 0;

  bool operator==(const RegisterState &other) const {
    return accumulator == other.accumulator && operand == other.operand &&
           !written == !other.written;
  }
  void join(const RegisterState &other) {
    accumulator = std::max(accumulator, other.accumulator);
    operand = std::max(operand, other.operand);
    written = std::max(written, other.written);
  }
};

struct State {
  std::vector<RegisterState> registers;
  /// True if every path here has passed a fence.
  bool fenced = false;

  bool operator==(const State &other) const {
    return fenced == other.fenced && registers == other.registers;
  }
};

class Checker {
public:
  Checker(const PtxKernel &kernel, size_t limit);
  std::vector<std::string> run();

private:
  static bool isWgmma(const PtxInstruction &instruction) {
    return instruction.is("wgmma.mma_async");
  }
  /// Registers of operand A and metadata: all behind the accumulators but
  /// descriptors, which are read when the instruction is issued.
  static llvm::SmallVector<unsigned, 8> inputs(const PtxInstruction &wgmma);

  void step(const PtxInstruction &instruction, State &state);
  void start(const PtxInstruction &wgmma, State &state);
  void access(const PtxInstruction &instruction, State &state);
  template <typename... Args>
  void report(const PtxInstruction &at, const char *format, Args &&...args) {
    if (found && found->size() < limit)
      found->push_back(
          "line " + std::to_string(at.line) + ": " +
          llvm::formatv(format, std::forward<Args>(args)...).str());
  }
  StringRef name(unsigned reg) const { return kernel.registers[reg]; }

  const PtxKernel &kernel;
  size_t limit;
  /// The number of a register among those that count; -1 for the others.
  std::vector<int> index;
  size_t tracked = 0;
  /// Null until the states are known.
  std::vector<std::string> *found = nullptr;
};

} // namespace

llvm::SmallVector<unsigned, 8> Checker::inputs(const PtxInstruction &wgmma) {
  llvm::SmallVector<unsigned, 8> result;
  if (wgmma.operands.size() > 1 && wgmma.operands[1].text.starts_with("{"))
    llvm::append_range(result, wgmma.operands[1].registers);
  if (wgmma.is("wgmma.mma_async.sp") && wgmma.operands.size() > 3)
    llvm::append_range(result, wgmma.operands[3].registers);
  return result;
}

Checker::Checker(const PtxKernel &kernel, size_t limit)
    : kernel(kernel), limit(limit), index(kernel.registers.size(), -1) {
  auto track = [&](unsigned reg) {
    if (index[reg] < 0)
      index[reg] = tracked++;
  };
  for (const PtxInstruction &instruction : kernel.instructions)
    if (isWgmma(instruction) && !instruction.operands.empty()) {
      llvm::for_each(instruction.operands[0].registers, track);
      llvm::for_each(inputs(instruction), track);
    }
}

/// A wgmma takes its registers.
void Checker::start(const PtxInstruction &wgmma, State &state) {
  if (!state.fenced)
    report(wgmma, "expected wgmma.fence before the first wgmma, found none on "
                  "some path");
  auto fenced = [&](unsigned reg, RegisterState &own) {
    if (own.written && state.fenced)
      report(wgmma,
             "expected wgmma.fence between a write to {0} and the wgmma that "
             "takes it, found the write in line {1} behind the last fence",
             name(reg), own.written);
  };
  llvm::SmallVector<unsigned, 8> operands = inputs(wgmma);
  for (unsigned reg : operands) {
    RegisterState &own = state.registers[index[reg]];
    fenced(reg, own);
    if (own.accumulator)
      report(wgmma,
             "expected wgmma.wait_group before accumulator {0} of an MMA under "
             "way is read, found it as an operand",
             name(reg));
  }
  for (unsigned reg : wgmma.operands[0].registers) {
    RegisterState &own = state.registers[index[reg]];
    fenced(reg, own);
    if (own.operand)
      report(wgmma,
             "expected wgmma.wait_group before operand {0} of an MMA under way "
             "is written, found it as an accumulator",
             name(reg));
    own.accumulator = kUncommitted;
    own.written = 0;
  }
  for (unsigned reg : operands)
    state.registers[index[reg]].operand = kUncommitted;
}

/// Any other instruction.
void Checker::access(const PtxInstruction &instruction, State &state) {
  for (const auto &[number, operand] : llvm::enumerate(instruction.operands))
    for (unsigned reg : operand.registers) {
      if (index[reg] < 0)
        continue;
      RegisterState &own = state.registers[index[reg]];
      bool writes = number == 0 && instruction.writesFirst;
      if (own.accumulator)
        report(instruction,
               "expected wgmma.wait_group before accumulator {0} of an MMA "
               "under way is {1}, found '{2}'",
               name(reg), writes ? "written" : "read", instruction.opcode);
      if (!writes)
        continue;
      if (own.operand)
        report(instruction,
               "expected wgmma.wait_group before operand {0} of an MMA under "
               "way is written, found '{1}'",
               name(reg), instruction.opcode);
      own.written = instruction.line;
    }
}

void Checker::step(const PtxInstruction &instruction, State &state) {
  auto age = [&](auto change) {
    for (RegisterState &own : state.registers) {
      change(own.accumulator);
      change(own.operand);
    }
  };
  if (isWgmma(instruction) && !instruction.operands.empty()) {
    start(instruction, state);
  } else if (instruction.is("wgmma.fence")) {
    state.fenced = true;
    for (RegisterState &own : state.registers)
      own.written = 0;
  } else if (instruction.is("wgmma.commit_group")) {
    age([](uint8_t &group) {
      if (group > kOldest)
        --group;
    });
  } else if (instruction.is("wgmma.wait_group")) {
    unsigned left = 0;
    if (instruction.operands.empty() ||
        instruction.operands[0].text.getAsInteger(0, left))
      return;
    age([&](uint8_t &group) {
      if (group <= kNewest && group + left <= kNewest)
        group = kFree;
    });
  } else {
    access(instruction, state);
  }
}

std::vector<std::string> Checker::run() {
  std::vector<std::string> hazards;
  if (!tracked || kernel.blocks.empty())
    return hazards;
  std::vector<std::optional<State>> entry(kernel.blocks.size());
  entry[0].emplace().registers.resize(tracked);
  auto flow = [&](size_t block) {
    State state = *entry[block];
    for (size_t at = kernel.blocks[block].begin; at < kernel.blocks[block].end;
         ++at)
      step(kernel.instructions[at], state);
    return state;
  };
  // Every value only rises, so that this ends.
  std::deque<size_t> work{0};
  while (!work.empty()) {
    size_t block = work.front();
    work.pop_front();
    State out = flow(block);
    for (size_t next : kernel.blocks[block].successors) {
      if (!entry[next]) {
        entry[next] = out;
        work.push_back(next);
        continue;
      }
      State joined = *entry[next];
      joined.fenced &= out.fenced;
      for (auto [own, other] : llvm::zip(joined.registers, out.registers))
        own.join(other);
      if (joined == *entry[next])
        continue;
      entry[next] = std::move(joined);
      if (!llvm::is_contained(work, next))
        work.push_back(next);
    }
  }
  found = &hazards;
  for (size_t block = 0; block < kernel.blocks.size(); ++block)
    if (entry[block])
      flow(block);
  return hazards;
}

std::vector<std::string>
mlir::sparseflow::findWgmmaHazards(const PtxKernel &kernel, size_t limit) {
  return Checker(kernel, limit).run();
}
