//===- Mutants.cpp - Defects of a kernel's LLVM IR ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir::sparseflow::mutation;

namespace {

class Finder {
public:
  explicit Finder(Function &kernel) : kernel(kernel) {}
  std::vector<Mutant> run();

private:
  void add(StringRef kind, Instruction &at, std::function<void()> apply);
  void findInCall(CallInst &call, StringRef name);
  void findInBulk(CallInst &call, StringRef name);
  void addToOperand(StringRef kind, CallInst &call, unsigned operand,
                    uint64_t more);
  void findInAssembly(CallInst &call, StringRef text);
  void findInAccess(Instruction &access, unsigned operand, uint64_t bytes,
                    StringRef kind = "shift");
  void findInCondition(Instruction &user);
  void swapOperands(CallInst &call, unsigned first);

  Function &kernel;
  StringMap<unsigned> counts;
  std::vector<Mutant> mutants;
};

} // namespace

/// An intrinsic's name without "llvm.nvvm.", or "asm " and the text of inline
/// assembly.
static std::string instructionName(const CallInst &call) {
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    return ("asm " + assembly->getAsmString()).str();
  const Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : "";
  return name.consume_front("llvm.nvvm.") ? name.str() : "";
}

/// "bar.warp.sync", "load", "wgmma.mma_async": what numbers are counted by, so
/// that they change little when kernels do.
static std::string opcodeOf(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  if (!call)
    return instruction.getOpcodeName();
  std::string name = instructionName(*call);
  static const Regex opcode(
      "(wgmma|mbarrier|cp|bar|fence|griddep|mma|ldmatrix|stmatrix|shfl)"
      "(\\.[a-z0-9_]+)*");
  SmallVector<StringRef> matches;
  return opcode.match(name, &matches) ? matches[0].str() : name;
}

void Finder::add(StringRef kind, Instruction &at, std::function<void()> apply) {
  Mutant mutant;
  mutant.kind = (kind + " " + opcodeOf(at)).str();
  mutant.number = counts[mutant.kind]++;
  raw_string_ostream stream(mutant.instruction);
  at.print(stream);
  mutant.instruction = StringRef(mutant.instruction).trim().str();
  mutant.apply = std::move(apply);
  mutants.push_back(std::move(mutant));
}

/// Instructions that only order others.
static bool isOrder(StringRef name) {
  static const Regex order(
      "^(barrier|bar\\.warp|cp\\.async\\.(wait|commit|bulk\\.(wait|commit))|"
      "fence|membar|mbarrier\\.arrive|griddepcontrol|wgmma\\.(fence|commit|"
      "wait))|^asm .*(bar\\.sync|barrier\\.sync|barrier\\.cluster|fence\\.|"
      "wgmma\\.(fence|commit|wait)|mbarrier\\.arrive|cp\\.async\\.bulk\\."
      "(commit|wait)|griddepcontrol)");
  return order.match(name);
}

static bool isCount(StringRef name) { return name.contains("mbarrier.arrive"); }

static Value *moved(Instruction &before, Value *address, uint64_t bytes) {
  IRBuilder<> builder(&before);
  return builder.CreateGEP(builder.getInt8Ty(), address,
                           builder.getInt64(bytes));
}

void Finder::findInAccess(Instruction &access, unsigned operand, uint64_t bytes,
                          StringRef kind) {
  add(kind, access, [&access, operand, bytes] {
    access.setOperand(operand,
                      moved(access, access.getOperand(operand), bytes));
  });
}

void Finder::findInCondition(Instruction &user) {
  unsigned operand = 0;
  Value *condition = nullptr;
  if (auto *branch = dyn_cast<BranchInst>(&user)) {
    if (!branch->isConditional())
      return;
    condition = branch->getCondition();
    for (unsigned i = 0; i < user.getNumOperands(); ++i)
      if (user.getOperand(i) == condition)
        operand = i;
  } else if (auto *select = dyn_cast<SelectInst>(&user)) {
    condition = select->getCondition();
  }
  if (!condition || isa<Constant>(condition))
    return;
  add("negate", user, [&user, operand] {
    user.setOperand(operand,
                    IRBuilder<>(&user).CreateNot(user.getOperand(operand)));
  });
  add("true", user, [&user, operand] {
    user.setOperand(operand,
                    ConstantInt::getTrue(user.getOperand(operand)->getType()));
  });
}

void Finder::swapOperands(CallInst &call, unsigned first) {
  if (first + 1 >= call.arg_size())
    return;
  Value *a = call.getArgOperand(first), *b = call.getArgOperand(first + 1);
  if (a == b || a->getType() != b->getType())
    return;
  add("swap", call, [&call, first, a, b] {
    call.setArgOperand(first, b);
    call.setArgOperand(first + 1, a);
  });
}

/// The same assembly with another text.
static void setText(CallInst &call, StringRef text) {
  auto *old = cast<InlineAsm>(call.getCalledOperand());
  call.setCalledOperand(InlineAsm::get(
      old->getFunctionType(), text, old->getConstraintString(),
      old->hasSideEffects(), old->isAlignStack(), old->getDialect()));
}

/// An instruction that passes registers through, without the instruction.
static void passThrough(CallInst &call) {
  IRBuilder<> builder(&call);
  Value *result = PoisonValue::get(call.getType());
  for (unsigned i = 0; i < call.arg_size(); ++i)
    result = builder.CreateInsertValue(result, call.getArgOperand(i), i);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void Finder::findInAssembly(CallInst &call, StringRef text) {
  auto *results = dyn_cast<StructType>(call.getType());
  if (isOrder(("asm " + text).str()) && results &&
      results->getNumElements() == call.arg_size())
    add("remove", call, [&call] { passThrough(call); });
  auto replace = [&](StringRef kind, StringRef from, StringRef to) {
    size_t at = text.find(from);
    if (at != StringRef::npos)
      add(kind, call,
          [&call, changed = (text.take_front(at) + to +
                             text.drop_front(at + from.size()))
                                .str()] { setText(call, changed); });
  };
  for (const char *wait :
       {"wgmma.wait_group.sync.aligned ", "cp.async.bulk.wait_group ",
        "cp.async.bulk.wait_group.read "})
    replace("weaken", (wait + StringRef("0;")).str(),
            (wait + StringRef("1;")).str());
  if (!text.contains("wgmma.mma_async"))
    return;
  // Whether the accumulators count.
  replace("negate", "setp.eq.u32 p, 0, 0", "setp.ne.u32 p, 0, 0");
  replace("negate", "setp.ne.b32 p, ", "setp.eq.b32 p, ");
  if (text.contains("mma_async.sp")) {
    replace("selector", ", 0, p, ", ", 1, p, ");
    replace("selector", ", 1, p, ", ", 0, p, ");
  }
  // Descriptors count in 16 bytes.
  SmallVector<unsigned> descriptors;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.getArgOperand(i)->getType()->isIntegerTy(64)) {
      descriptors.push_back(i);
      add("shift", call, [&call, i] {
        IRBuilder<> builder(&call);
        call.setArgOperand(
            i, builder.CreateAdd(call.getArgOperand(i), builder.getInt64(1)));
      });
    }
  if (descriptors.size() == 2)
    swapOperands(call, descriptors[0]);
}

void Finder::addToOperand(StringRef kind, CallInst &call, unsigned operand,
                          uint64_t more) {
  add(kind, call, [&call, operand, more] {
    IRBuilder<> builder(&call);
    Value *old = call.getArgOperand(operand);
    call.setArgOperand(
        operand,
        builder.CreateAdd(old, ConstantInt::get(old->getType(), more)));
  });
}

/// Copies of the asynchronous proxy, and what they and their barriers count.
void Finder::findInBulk(CallInst &call, StringRef name) {
  if (name.starts_with("mbarrier.init"))
    addToOperand("count", call, 1, 1);
  if (name.contains("arrive.expect.tx"))
    addToOperand("count", call, 1, 16);
  if (name.starts_with("mapa."))
    add("rank", call, [&call] {
      IRBuilder<> builder(&call);
      call.setArgOperand(1, builder.CreateXor(call.getArgOperand(1), 1));
    });
  bool load = name.starts_with("cp.async.bulk.tensor.g2s");
  bool store = name.starts_with("cp.async.bulk.tensor.s2g");
  bool row = name.starts_with("cp.async.bulk.global.to.shared");
  if (!load && !store && !row)
    return;
  add("remove", call, [&call] { call.eraseFromParent(); });
  // Shared memory: the next place that a tile or a row may lie at.
  findInAccess(call, 0, row ? 16 : 128, store ? "shift-source" : "shift");
  if (row)
    return findInAccess(call, 2, 16, "shift-source");
  unsigned coordinates = load ? 3 : 2;
  unsigned rank = 0;
  while (call.getArgOperand(coordinates + rank)->getType()->isIntegerTy(32))
    ++rank;
  // The innermost begins at a multiple of 16 bytes.
  for (unsigned i = 0; i < rank; ++i)
    addToOperand("coordinate", call, coordinates + i, i == 0 ? 8 : 1);
  if (auto *mask = dyn_cast<ConstantInt>(call.getArgOperand(5));
      load && mask && mask->getZExtValue() > 1)
    add("mask", call, [&call, mask] {
      uint64_t old = mask->getZExtValue();
      call.setArgOperand(5, ConstantInt::get(mask->getType(), old & (old - 1)));
    });
}

void Finder::findInCall(CallInst &call, StringRef name) {
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    findInAssembly(call, assembly->getAsmString());
  findInBulk(call, name);
  if (isOrder(name) && (call.getType()->isVoidTy() || call.use_empty()))
    add("remove", call, [&call] { call.eraseFromParent(); });
  if (isCount(name))
    add("duplicate", call, [&call] { call.clone()->insertAfter(&call); });
  if (name.contains("wait") && name.contains("group") && call.arg_size() == 1)
    if (auto *count = dyn_cast<ConstantInt>(call.getArgOperand(0)))
      add("weaken", call, [&call, count] {
        call.setArgOperand(
            0, ConstantInt::get(count->getType(), count->getZExtValue() + 1));
      });
  if (name.starts_with("mma.sp"))
    if (auto *selector =
            dyn_cast<ConstantInt>(call.getArgOperand(call.arg_size() - 1)))
      add("selector", call, [&call, selector] {
        call.setArgOperand(call.arg_size() - 1,
                           ConstantInt::get(selector->getType(),
                                            selector->getZExtValue() ^ 1));
      });
  if (name.starts_with("mma.")) {
    // A and B; two registers each at least.
    swapOperands(call, 0);
    swapOperands(call, name.contains("k32") || name.contains("k16") ? 4 : 2);
  }
  if (name.starts_with("cp.async.c") && !name.contains("commit")) {
    add("skip", call, [&call] { call.eraseFromParent(); });
    findInAccess(call, 0, 16);
    findInAccess(call, 1, 16, "shift-source");
  }
  if (name.starts_with("ldmatrix") || name.starts_with("stmatrix"))
    findInAccess(call, 0, 16);
  if (name.starts_with("shfl."))
    if (auto *distance = dyn_cast<ConstantInt>(call.getArgOperand(2)))
      add("lane", call, [&call, distance] {
        call.setArgOperand(2, ConstantInt::get(distance->getType(),
                                               distance->getZExtValue() ^ 1));
      });
  // The parity is the last operand of every form.
  if (name.contains("parity"))
    for (unsigned i = call.arg_size(); i-- > 0;)
      if (call.getArgOperand(i)->getType()->isIntegerTy(32)) {
        add("phase", call, [&call, i] {
          IRBuilder<> builder(&call);
          call.setArgOperand(i, builder.CreateXor(call.getArgOperand(i), 1));
        });
        break;
      }
}

std::vector<Mutant> Finder::run() {
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  for (Instruction &instruction : instructions(kernel)) {
    findInCondition(instruction);
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      std::string name = instructionName(*call);
      if (!name.empty())
        findInCall(*call, name);
    } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      if (load->getPointerAddressSpace() != 0 ||
          !isa<GlobalVariable>(load->getPointerOperand()))
        findInAccess(*load, load->getPointerOperandIndex(),
                     layout.getTypeStoreSize(load->getType()));
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      findInAccess(
          *store, store->getPointerOperandIndex(),
          layout.getTypeStoreSize(store->getValueOperand()->getType()));
    }
  }
  return std::move(mutants);
}

std::vector<Mutant> mlir::sparseflow::mutation::findMutants(Function &kernel) {
  return Finder(kernel).run();
}
