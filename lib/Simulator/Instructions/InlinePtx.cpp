//===- InlinePtx.cpp - Inline PTX -----------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/InlinePtx.h"

#include "Simulator/Instructions/Handlers.h"
#include "Simulator/Machine/Block.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>

using namespace mlir::sparseflow::sim;

namespace mlir::sparseflow::sim {

class AssemblyParser {
public:
  AssemblyParser(const std::string &text, AssemblyProgram &program,
                 std::string &error)
      : text(text), program(program), error(error) {}

  bool run(const std::vector<int> &ties);

private:
  bool fail(const std::string &what) {
    if (error.empty())
      error = what;
    return false;
  }
  void skip();
  bool eat(char c) {
    skip();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool word(std::string &name);
  bool statement();
  bool instruction(std::string opcode);
  bool argument(AssemblyInstruction &into);
  /// A register, number or operand; the slot that holds it.
  bool value(uint16_t &slot);
  uint16_t newSlot(uint64_t initial);
  uint16_t constant(uint64_t number);
  uint16_t namedSlot(const std::string &name);

  const std::string &text;
  AssemblyProgram &program;
  std::string &error;
  size_t at = 0;
  std::vector<uint16_t> operandSlots;
  std::map<std::string, uint16_t> names;
  std::map<uint64_t, uint16_t> constants;
  std::map<std::string, int32_t> labels;
  std::vector<std::pair<size_t, std::string>> branches;
};

} // namespace mlir::sparseflow::sim

void AssemblyParser::skip() {
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
    } else if (text.compare(at, 2, "//") == 0) {
      while (at < text.size() && text[at] != '\n')
        ++at;
    } else if (text.compare(at, 2, "/*") == 0) {
      size_t end = text.find("*/", at + 2);
      at = end == std::string::npos ? text.size() : end + 2;
    } else {
      return;
    }
  }
}

/// Letters, digits, and what opcodes and names have besides. "${:uid}" makes
/// labels unique in the real output and stands for nothing here.
bool AssemblyParser::word(std::string &name) {
  skip();
  name.clear();
  while (at < text.size()) {
    char c = text[at];
    if (text.compare(at, 7, "${:uid}") == 0) {
      at += 7;
      name += "uid";
      continue;
    }
    if (text.compare(at, 2, "::") == 0) {
      name += "::";
      at += 2;
      continue;
    }
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' &&
        c != '%')
      break;
    name += c;
    ++at;
  }
  return !name.empty();
}

/// A register that no instruction and no tied input has written, in any type: a
/// GPU has there what was there before. As a float it is a NaN, so that sums
/// that begin with it are found.
static constexpr uint64_t kUnwritten = ~uint64_t(0);

uint16_t AssemblyParser::newSlot(uint64_t initial) {
  program.initial.push_back(initial);
  return static_cast<uint16_t>(program.initial.size() - 1);
}

uint16_t AssemblyParser::constant(uint64_t number) {
  auto [place, added] = constants.try_emplace(number, 0);
  if (added)
    place->second = newSlot(number);
  return place->second;
}

uint16_t AssemblyParser::namedSlot(const std::string &name) {
  auto [place, added] = names.try_emplace(name, 0);
  if (added)
    place->second = newSlot(0);
  return place->second;
}

bool AssemblyParser::value(uint16_t &slot) {
  skip();
  if (at >= text.size())
    return fail("the text ends within an instruction");
  if (text[at] == '$') {
    ++at;
    bool braces = eat('{');
    size_t digits = 0;
    uint64_t number = 0;
    for (;
         at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
         ++at, ++digits)
      number = number * 10 + static_cast<uint64_t>(text[at] - '0');
    if (braces && !eat('}'))
      return fail("a modifier of an operand, at '" + text.substr(at, 12) + "'");
    if (digits == 0 || number >= operandSlots.size())
      return fail("there is no operand $" + std::to_string(number));
    slot = operandSlots[number];
    return true;
  }
  if (text[at] == '-' || std::isdigit(static_cast<unsigned char>(text[at]))) {
    bool negative = eat('-');
    skip();
    uint64_t number = 0;
    size_t end = at;
    while (end < text.size() &&
           std::isalnum(static_cast<unsigned char>(text[end])))
      ++end;
    std::string digits = text.substr(at, end - at);
    char *rest = nullptr;
    if (digits.size() == 10 && (digits[1] == 'f' || digits[1] == 'F'))
      number = std::strtoull(digits.c_str() + 2, &rest, 16);
    else
      number = std::strtoull(digits.c_str(), &rest, 0);
    if (rest && (*rest == 'U' || *rest == 'u'))
      ++rest;
    if (digits.empty() || !rest || *rest)
      return fail("expected a number, found '" + text.substr(at, 12) + "'");
    at = end;
    slot = constant(negative ? 0 - number : number);
    return true;
  }
  std::string name;
  if (!word(name))
    return fail("expected a register or a number, found '" +
                text.substr(at, 12) + "'");
  if (name == "_") {
    slot = newSlot(0);
    return true;
  }
  if (auto known = names.find(name); known != names.end()) {
    slot = known->second;
    return true;
  }
  if (name[0] == '%') {
    // Assembly writes %cluster_ctarank where intrinsics have cluster.ctarank.
    std::string spelled = name.substr(1);
    unsigned index = findSpecialRegister(spelled);
    if (index == NumSpecialRegisters &&
        spelled.compare(0, 8, "cluster_") == 0) {
      spelled[7] = '.';
      index = findSpecialRegister(spelled);
    }
    if (index == NumSpecialRegisters)
      return fail("the register '" + name +
                  "', which the simulator does not "
                  "know");
    slot = namedSlot(name);
    program.specials.push_back({slot, static_cast<SpecialRegister>(index)});
    return true;
  }
  return fail("the register '" + name + "', which is not declared");
}

bool AssemblyParser::argument(AssemblyInstruction &into) {
  if (eat('[')) {
    do {
      if (!argument(into))
        return false;
    } while (eat(','));
    return eat(']') ||
           fail("expected ']', found '" + text.substr(at, 12) + "'");
  }
  std::vector<uint16_t> slots;
  if (eat('{')) {
    do {
      uint16_t slot;
      if (!value(slot))
        return false;
      slots.push_back(slot);
    } while (eat(','));
    if (!eat('}'))
      return fail("expected '}', found '" + text.substr(at, 12) + "'");
  } else {
    uint16_t slot;
    if (!value(slot))
      return false;
    slots.push_back(slot);
    if (eat('+')) {
      // An address and a number: computed into a register of its own.
      uint16_t offset;
      if (!value(offset))
        return false;
      AssemblyInstruction add;
      add.opcode = "add.u64";
      Registry::get().findAssembly(add.opcode, add.handler);
      add.guard = into.guard;
      add.guardNegated = into.guardNegated;
      uint16_t sum = newSlot(0);
      for (uint16_t part : {sum, slot, offset}) {
        add.arguments.push_back(
            {static_cast<uint16_t>(program.argumentSlots.size()), 1});
        program.argumentSlots.push_back(part);
      }
      program.instructions.push_back(std::move(add));
      slots[0] = sum;
    }
  }
  into.arguments.push_back({static_cast<uint16_t>(program.argumentSlots.size()),
                            static_cast<uint16_t>(slots.size())});
  program.argumentSlots.insert(program.argumentSlots.end(), slots.begin(),
                               slots.end());
  // elect.sync has "destination|predicate".
  if (eat('|'))
    return argument(into);
  return true;
}

bool AssemblyParser::instruction(std::string opcode) {
  AssemblyInstruction made;
  std::string guardName;
  if (opcode.empty() && eat('@')) {
    made.guardNegated = eat('!');
    uint16_t slot;
    if (!value(slot))
      return false;
    made.guard = slot;
    if (!word(opcode))
      return fail("expected an instruction after a guard");
  }
  made.opcode = opcode;
  if (opcode == "bra" || opcode == "bra.uni") {
    std::string label;
    if (!word(label))
      return fail("expected a label after '" + opcode + "'");
    branches.push_back({program.instructions.size(), label});
  } else {
    if (!Registry::get().findAssembly(opcode, made.handler))
      return fail("the simulator does not know '" + opcode + "'");
    skip();
    if (at < text.size() && text[at] != ';')
      do {
        if (!argument(made))
          return false;
      } while (eat(','));
    if (made.arguments.size() < made.handler.minArguments ||
        made.arguments.size() > made.handler.maxArguments)
      return fail("'" + opcode + "' with " +
                  std::to_string(made.arguments.size()) + " operands");
    program.hasWgmmaWait |= opcode.compare(0, 16, "wgmma.wait_group") == 0;
  }
  program.instructions.push_back(std::move(made));
  skip();
  if (!eat(';') && at < text.size() && text[at] != '}')
    return fail("expected ';' after '" + opcode + "', found '" +
                text.substr(at, 12) + "'");
  return true;
}

bool AssemblyParser::statement() {
  if (eat('{') || eat('}') || eat(';'))
    return true;
  if (text[at] == '@')
    return instruction("");
  std::string first;
  if (!word(first))
    return fail("'" + text.substr(at, 12) + "', which is no statement");
  if (first == ".reg") {
    std::string type;
    if (!word(type) || type[0] != '.')
      return fail("expected a type after .reg");
    do {
      std::string name;
      if (!word(name))
        return fail("expected a name after .reg");
      // "r<4>" declares r0 to r3.
      if (eat('<')) {
        std::string number;
        if (!word(number) || !eat('>'))
          return fail("expected a number of registers in '<>'");
        for (long i = 0, n = std::strtol(number.c_str(), nullptr, 10); i < n;
             ++i)
          names[name + std::to_string(i)] = newSlot(kUnwritten);
      } else {
        names[name] = newSlot(kUnwritten);
      }
    } while (eat(','));
    return eat(';') || fail("expected ';' after .reg");
  }
  if (eat(':')) {
    labels[first] = static_cast<int32_t>(program.instructions.size());
    return true;
  }
  return instruction(first);
}

bool AssemblyParser::run(const std::vector<int> &ties) {
  for (size_t i = 0; i < program.outputs.size(); ++i)
    operandSlots.push_back(newSlot(kUnwritten));
  for (int tie : ties) {
    uint16_t slot =
        tie >= 0 ? operandSlots[static_cast<size_t>(tie)] : newSlot(0);
    program.inputSlots.push_back(slot);
    operandSlots.push_back(slot);
  }
  for (skip(); at < text.size(); skip())
    if (!statement())
      return false;
  for (const auto &[index, label] : branches) {
    auto place = labels.find(label);
    if (place == labels.end())
      return fail("a branch to '" + label + "', which is no label");
    program.instructions[index].target = place->second;
    program.hasLoop |= place->second <= static_cast<int32_t>(index);
  }
  return program.initial.size() < 2000 ||
         fail("more than 2000 registers and numbers");
}

std::shared_ptr<const AssemblyProgram>
AssemblyProgram::parse(const std::string &text, std::vector<Operand> outputs,
                       std::vector<Operand> inputs,
                       const std::vector<int> &ties, std::string &error) {
  auto program = std::make_shared<AssemblyProgram>();
  program->outputs = std::move(outputs);
  program->inputs = std::move(inputs);
  if (!AssemblyParser(text, *program, error).run(ties))
    return nullptr;
  return program;
}

std::vector<std::string> AssemblyProgram::opcodes() const {
  std::vector<std::string> names;
  for (const AssemblyInstruction &instruction : instructions)
    if (std::find(names.begin(), names.end(), instruction.opcode) ==
        names.end())
      names.push_back(instruction.opcode);
  return names;
}

/// Operands are accumulators by the hundred, of 4 bytes: a copy of a size known
/// here is one instruction.
static uint64_t loadOperand(const void *from, uint32_t bytes) {
  uint32_t word;
  uint64_t value = 0;
  if (bytes != sizeof word) {
    std::memcpy(&value, from, bytes);
    return value;
  }
  std::memcpy(&word, from, sizeof word);
  return word;
}

static void storeOperand(void *to, uint64_t value, uint32_t bytes) {
  auto word = static_cast<uint32_t>(value);
  if (bytes == sizeof word)
    std::memcpy(to, &word, sizeof word);
  else
    std::memcpy(to, &value, bytes);
}

void AssemblyProgram::run(Thread &thread, void *results, const void *operands,
                          uint32_t site) const {
  auto *slots =
      static_cast<uint64_t *>(__builtin_alloca(8 * initial.size() + 8));
  std::memcpy(slots, initial.data(), 8 * initial.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    slots[inputSlots[i]] =
        loadOperand(static_cast<const char *>(operands) + inputs[i].offset,
                    inputs[i].bytes);
  for (const auto &[slot, index] : specials)
    slots[slot] = thread.registers[index];
  for (size_t next = 0; next < instructions.size();) {
    const AssemblyInstruction &instruction = instructions[next++];
    if (instruction.guard >= 0 &&
        (slots[instruction.guard] & 1) == (instruction.guardNegated ? 1 : 0))
      continue;
    if (instruction.target >= 0) {
      next = static_cast<size_t>(instruction.target);
      continue;
    }
    AssemblyCall call{thread, *this, instruction, slots, site};
    instruction.handler.run(call);
  }
  if (hasWgmmaWait)
    for (size_t i = 0; i < outputs.size(); ++i)
      slots[i] = takeAccumulator(thread, static_cast<uint32_t>(slots[i]));
  for (size_t i = 0; i < outputs.size(); ++i)
    storeOperand(static_cast<char *>(results) + outputs[i].offset, slots[i],
                 outputs[i].bytes);
}

void mlir::sparseflow::sim::invokeAssembly(const AssemblyProgram *program,
                                           Thread *thread, void *results,
                                           const void *operands,
                                           uint32_t site) {
  program->run(*thread, results, operands, site);
}
