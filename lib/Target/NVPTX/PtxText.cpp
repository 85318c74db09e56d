//===- PtxText.cpp - The kernels of a PTX module, read --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/PtxText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir::sparseflow;
using llvm::StringRef;

bool PtxInstruction::is(StringRef prefix) const {
  StringRef rest = opcode;
  return rest.consume_front(prefix) &&
         (rest.empty() || rest.front() == '.' || rest.front() == ':');
}

static bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/// Instructions whose first operand is a register that they read. Those whose
/// first operand is an address need no entry.
static bool readsFirst(const PtxInstruction &instruction) {
  return llvm::any_of(
      std::initializer_list<StringRef>{"bar", "barrier", "nanosleep", "brx",
                                       "bra", "call", "setmaxnreg"},
      [&](StringRef prefix) { return instruction.is(prefix); });
}

static bool endsBlock(const PtxInstruction &instruction) {
  return instruction.is("bra") || instruction.is("brx") ||
         instruction.is("ret") || instruction.is("exit") ||
         instruction.is("trap");
}

namespace {

/// Reads the body of one kernel, from behind its opening brace.
class BodyReader {
public:
  BodyReader(StringRef text, unsigned line, PtxKernel &kernel)
      : text(text), line(line), kernel(kernel) {
    scopes.emplace_back();
    open.push_back(0);
  }

  /// Gives back what follows the closing brace.
  StringRef read();

private:
  // A pair of braces: its labels, and registers that it declares.
  struct Scope {
    size_t parent = 0;
    llvm::StringMap<size_t> labels; // instruction behind it
    llvm::StringMap<unsigned> registers;
    llvm::StringMap<llvm::SmallVector<StringRef, 4>> tables;
  };
  struct Jump {
    size_t instruction, scope;
  };

  void advance(size_t count) {
    line += text.take_front(count).count('\n');
    text = text.drop_front(count);
  }
  void directive(StringRef statement);
  void instruction(StringRef statement);
  void operands(PtxInstruction &instruction, StringRef list);
  PtxOperand operand(StringRef text);
  unsigned registerOf(StringRef name, bool &isRegister);
  void makeBlocks();

  StringRef text;
  unsigned line;
  PtxKernel &kernel;
  std::vector<Scope> scopes;
  llvm::SmallVector<size_t> open;
  std::vector<Jump> jumps;
  StringRef lastLabel;
};

} // namespace

StringRef BodyReader::read() {
  while (!text.empty()) {
    if (llvm::isSpace(text.front()) || text.front() == ';') {
      advance(1);
    } else if (text.starts_with("//")) {
      advance(std::min(text.find('\n'), text.size()));
    } else if (text.front() == '{') {
      scopes.emplace_back().parent = open.back();
      open.push_back(scopes.size() - 1);
      advance(1);
    } else if (text.front() == '}') {
      advance(1);
      open.pop_back();
      if (open.empty())
        break;
    } else if (StringRef name = text.take_while(isNameCharacter);
               text.drop_front(name.size()).starts_with(":") &&
               !text.drop_front(name.size()).starts_with("::")) {
      lastLabel = name;
      scopes[open.back()].labels[name] = kernel.instructions.size();
      advance(text.find(':') + 1);
    } else if (text.front() == '.') {
      // Lines of debug information end without a semicolon.
      bool isLine = text.starts_with(".loc") || text.starts_with(".file") ||
                    text.starts_with(".section");
      size_t end = std::min(text.find(isLine ? '\n' : ';'), text.size());
      directive(text.take_front(end));
      advance(end);
    } else {
      size_t end = std::min(text.find(';'), text.size());
      instruction(text.take_front(end));
      advance(end);
    }
  }
  makeBlocks();
  return text;
}

void BodyReader::directive(StringRef statement) {
  Scope &scope = scopes[open.back()];
  auto names = [](StringRef list) {
    llvm::SmallVector<StringRef, 4> parts;
    list.split(parts, ',');
    for (StringRef &part : parts)
      part = part.trim();
    return parts;
  };
  if (statement.consume_front(".branchtargets")) {
    scope.tables[lastLabel] = names(statement);
  } else if (statement.consume_front(".reg")) {
    // Those with a count, "%r<16>", are known by their percent sign.
    StringRef type = statement.ltrim().take_until(llvm::isSpace);
    statement = statement.ltrim().drop_front(type.size());
    for (StringRef name : names(statement))
      if (!name.contains('<')) {
        scope.registers[name] = kernel.registers.size();
        kernel.registers.push_back(name);
      }
  }
}

/// The number of a register, declared here or further out; names with a percent
/// sign that nobody declares belong to the kernel, as special registers do.
unsigned BodyReader::registerOf(StringRef name, bool &isRegister) {
  isRegister = true;
  for (size_t at = open.back();; at = scopes[at].parent) {
    auto found = scopes[at].registers.find(name);
    if (found != scopes[at].registers.end())
      return found->second;
    if (at == 0)
      break;
  }
  isRegister = name.starts_with("%");
  if (!isRegister)
    return 0;
  kernel.registers.push_back(name);
  return scopes[0].registers[name] = kernel.registers.size() - 1;
}

PtxOperand BodyReader::operand(StringRef text) {
  PtxOperand result;
  result.text = text.trim();
  for (StringRef rest = result.text; !rest.empty();) {
    StringRef token = rest.take_while(isNameCharacter);
    bool isRegister = false;
    if (!token.empty() && !llvm::isDigit(token.front()))
      if (unsigned number = registerOf(token, isRegister); isRegister)
        result.registers.push_back(number);
    rest = rest.drop_front(std::max<size_t>(token.size(), 1));
  }
  return result;
}

void BodyReader::operands(PtxInstruction &instruction, StringRef list) {
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= list.size(); ++at) {
    char c = at < list.size() ? list[at] : ',';
    depth += StringRef("{[(").contains(c);
    depth -= StringRef("}])").contains(c);
    if (at < list.size() && (c != ',' || depth > 0))
      continue;
    if (StringRef part = list.slice(begin, at); !part.trim().empty())
      instruction.operands.push_back(operand(part));
    begin = at + 1;
  }
}

void BodyReader::instruction(StringRef statement) {
  PtxInstruction result;
  result.line = line;
  StringRef guard;
  if (statement.starts_with("@")) {
    guard = statement.take_until(llvm::isSpace);
    statement = statement.drop_front(guard.size()).ltrim();
  }
  result.opcode = statement.take_until(llvm::isSpace);
  operands(result, statement.drop_front(result.opcode.size()));
  result.writesFirst = !result.operands.empty() &&
                       !result.operands.front().text.starts_with("[") &&
                       !readsFirst(result);
  result.guarded = !guard.empty();
  if (result.guarded)
    result.operands.push_back(operand(guard.drop_front().ltrim("!")));
  if (result.is("bra") || result.is("brx"))
    jumps.push_back({kernel.instructions.size(), open.back()});
  kernel.instructions.push_back(std::move(result));
}

void BodyReader::makeBlocks() {
  size_t count = kernel.instructions.size();
  if (!count)
    return;
  // Block starts; a label at the very end is an empty return.
  llvm::BitVector starts(count + 1);
  starts.set(0);
  for (const Scope &scope : scopes)
    for (const auto &label : scope.labels)
      starts.set(label.second);
  for (size_t at = 0; at < count; ++at)
    if (endsBlock(kernel.instructions[at]))
      starts.set(at + 1);
  std::vector<size_t> blockOf(count + 1);
  for (size_t at = 0; at < count; ++at) {
    if (starts.test(at)) {
      kernel.blocks.emplace_back();
      kernel.blocks.back().begin = at;
    }
    kernel.blocks.back().end = at + 1;
    blockOf[at] = kernel.blocks.size() - 1;
  }
  blockOf[count] = kernel.blocks.size();
  auto link = [&](size_t from, size_t to) {
    if (to < kernel.blocks.size())
      kernel.blocks[from].successors.push_back(to);
  };
  auto visible = [&](size_t scope, auto lookup) {
    while (!lookup(scopes[scope]) && scope)
      scope = scopes[scope].parent;
  };
  for (const Jump &jump : jumps) {
    const PtxInstruction &instruction = kernel.instructions[jump.instruction];
    bool isTable = instruction.is("brx");
    size_t last = instruction.operands.size() - instruction.guarded;
    if (!last)
      continue;
    StringRef name = instruction.operands[last - 1].text;
    llvm::SmallVector<StringRef, 4> targets{name};
    if (isTable)
      visible(jump.scope, [&](Scope &scope) {
        auto found = scope.tables.find(name);
        if (found == scope.tables.end())
          return false;
        targets = found->second;
        return true;
      });
    for (StringRef target : targets)
      visible(jump.scope, [&](Scope &scope) {
        auto found = scope.labels.find(target);
        if (found == scope.labels.end())
          return false;
        link(blockOf[jump.instruction], blockOf[found->second]);
        return true;
      });
  }
  for (size_t block = 0; block < kernel.blocks.size(); ++block) {
    const PtxInstruction &last =
        kernel.instructions[kernel.blocks[block].end - 1];
    if (!endsBlock(last) || last.guarded)
      link(block, block + 1);
  }
}

std::vector<PtxKernel> mlir::sparseflow::readPtx(StringRef ptx) {
  std::vector<PtxKernel> kernels;
  StringRef rest = ptx;
  while (true) {
    size_t entry = rest.find(".entry");
    if (entry == StringRef::npos)
      return kernels;
    rest = rest.drop_front(entry + StringRef(".entry").size()).ltrim();
    PtxKernel &kernel = kernels.emplace_back();
    kernel.name = rest.take_until(
        [](char c) { return llvm::isSpace(c) || c == '(' || c == '{'; });
    size_t open = rest.find('{');
    if (open == StringRef::npos)
      return kernels;
    rest = rest.drop_front(open + 1);
    unsigned line = 1 + ptx.drop_back(rest.size()).count('\n');
    rest = BodyReader(rest, line, kernel).read();
  }
}

std::vector<llvm::BitVector>
mlir::sparseflow::findLoops(const PtxKernel &kernel) {
  size_t count = kernel.blocks.size();
  std::vector<llvm::SmallVector<size_t, 2>> before(count), latches(count);
  for (size_t block = 0; block < count; ++block)
    for (size_t next : kernel.blocks[block].successors)
      before[next].push_back(block);
  // Depth first: an edge to a block that is still open goes back.
  enum { Unseen, Open, Done };
  std::vector<char> state(count, Unseen);
  std::vector<std::pair<size_t, size_t>> path;
  if (count) {
    path.push_back({0, 0});
    state[0] = Open;
  }
  while (!path.empty()) {
    auto &[block, next] = path.back();
    if (next == kernel.blocks[block].successors.size()) {
      state[block] = Done;
      path.pop_back();
      continue;
    }
    size_t to = kernel.blocks[block].successors[next++];
    if (state[to] == Open)
      latches[to].push_back(block);
    if (state[to] != Unseen)
      continue;
    state[to] = Open;
    path.push_back({to, 0});
  }
  std::vector<llvm::BitVector> loops;
  for (size_t header = 0; header < count; ++header) {
    if (latches[header].empty())
      continue;
    llvm::BitVector &loop = loops.emplace_back(count);
    loop.set(header);
    llvm::SmallVector<size_t, 2> work = latches[header];
    while (!work.empty()) {
      size_t block = work.pop_back_val();
      if (loop.test(block) || state[block] == Unseen)
        continue;
      loop.set(block);
      work.append(before[block].begin(), before[block].end());
    }
  }
  return loops;
}
