//===- InlinePtx.h - Inline PTX ---------------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of an inline assembly becomes a small program when its kernel is
// compiled, and each thread interprets it: statements with guards, local
// registers, labels and branches. Instructions are keyed by their whole opcode,
// with all its modifiers.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_INSTRUCTIONS_INLINEPTX_H
#define SPARSEFLOW_LIB_SIMULATOR_INSTRUCTIONS_INLINEPTX_H

#include "Simulator/Machine/Machine.h"

namespace mlir::sparseflow::sim {

class AssemblyProgram;
struct AssemblyInstruction;

/// One instruction of an assembly, carried out by one thread. Values are the
/// low bits of 64, a predicate is 0 or 1.
struct AssemblyCall {
  Thread &thread;
  const AssemblyProgram &program;
  const AssemblyInstruction &instruction;
  uint64_t *slots;
  uint32_t site;

  size_t size() const;
  /// Elements of argument `i`: those in braces, otherwise 1.
  unsigned count(unsigned i) const;
  uint64_t get(unsigned i, unsigned element = 0) const;
  uint32_t get32(unsigned i, unsigned element = 0) const {
    return static_cast<uint32_t>(get(i, element));
  }
  void set(unsigned i, uint64_t value, unsigned element = 0) const;
};

struct AssemblyHandler {
  void (*run)(AssemblyCall &) = nullptr;
  /// For the function to know which of its opcodes it is.
  uint64_t parameter = 0;
  /// How many arguments there may be.
  uint8_t minArguments = 0, maxArguments = 255;
};

/// An argument: a register, a number, or several in braces. Addresses in
/// brackets are arguments like others; a list in brackets is as many.
struct AssemblyArgument {
  uint16_t first = 0, count = 0;
};

struct AssemblyInstruction {
  std::string opcode;
  AssemblyHandler handler;
  int32_t guard = -1;
  bool guardNegated = false;
  /// The instruction that a branch goes to; -1 for others.
  int32_t target = -1;
  std::vector<AssemblyArgument> arguments;
};

class AssemblyProgram {
public:
  /// An operand that LLVM passes in or takes out: where in the struct of
  /// operands or results, and how many bytes.
  struct Operand {
    uint32_t offset = 0, bytes = 0;
  };

  /// Reads `text`, in which $0, $1, ... are the outputs, then the inputs;
  /// ties[i] is the output that input i shares its register with, or -1.
  /// Returns null, and says why in `error`, when the text is not understood.
  static std::shared_ptr<const AssemblyProgram>
  parse(const std::string &text, std::vector<Operand> outputs,
        std::vector<Operand> inputs, const std::vector<int> &ties,
        std::string &error);

  void run(Thread &thread, void *results, const void *operands,
           uint32_t site) const;

  /// Each opcode once.
  std::vector<std::string> opcodes() const;
  /// It has a branch backwards: what it waits for it asks for again.
  bool loops() const { return hasLoop; }

private:
  friend struct AssemblyCall;
  friend class AssemblyParser;

  std::vector<Operand> outputs, inputs;
  /// For input i the slot it is loaded into: an output's when they are tied.
  std::vector<uint16_t> inputSlots;
  std::vector<AssemblyInstruction> instructions;
  /// Slots of all arguments, one after the other.
  std::vector<uint16_t> argumentSlots;
  /// What every slot holds at the start: numbers, zeros.
  std::vector<uint64_t> initial;
  std::vector<std::pair<uint16_t, SpecialRegister>> specials;
  bool hasLoop = false, hasWgmmaWait = false;
};

inline size_t AssemblyCall::size() const {
  return instruction.arguments.size();
}
inline unsigned AssemblyCall::count(unsigned i) const {
  return instruction.arguments[i].count;
}
inline uint64_t AssemblyCall::get(unsigned i, unsigned element) const {
  return slots[program.argumentSlots[instruction.arguments[i].first + element]];
}
inline void AssemblyCall::set(unsigned i, uint64_t value,
                              unsigned element) const {
  slots[program.argumentSlots[instruction.arguments[i].first + element]] =
      value;
}

/// What generated code calls for an inline assembly.
void invokeAssembly(const AssemblyProgram *program, Thread *thread,
                    void *results, const void *operands, uint32_t site);

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_INSTRUCTIONS_INLINEPTX_H
