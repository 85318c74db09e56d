//===- DeadMmas.cpp - MMAs whose results nobody reads ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadMmas.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/ADCE.h"

using namespace llvm;

/// Whether the intrinsics of mma.sync are told that they return, which lets
/// ADCE remove those that it can.
static bool markMmaSync(Function &function) {
  bool found = false;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->getName().starts_with("llvm.nvvm.mma."))
      continue;
    found = true;
    call->setDoesNotThrow();
    call->addFnAttr(Attribute::WillReturn);
  }
  return found;
}

namespace {

/// What passes accumulators of wgmma on: an MMA, or a wait that ties them.
enum class Passes { Nothing, Mma, Wait };

Passes passesOn(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  if (!call || !call->isInlineAsm() || call->getType()->isVoidTy())
    return Passes::Nothing;
  StringRef text = cast<InlineAsm>(call->getCalledOperand())->getAsmString();
  if (text.contains("wgmma.mma_async"))
    return Passes::Mma;
  return text.starts_with("wgmma.wait_group") ? Passes::Wait : Passes::Nothing;
}

} // namespace

/// The wgmmas, and the waits that tie their accumulators, from which no value
/// comes to anything with an effect.
static SmallVector<CallInst *> findDeadWgmmas(Function &function) {
  SmallVector<CallInst *> candidates;
  SmallVector<Instruction *> work;
  SmallPtrSet<Instruction *, 32> live;
  for (Instruction &instruction : instructions(function)) {
    if (passesOn(instruction) != Passes::Nothing)
      candidates.push_back(cast<CallInst>(&instruction));
    else if (instruction.isTerminator() || instruction.mayHaveSideEffects())
      work.push_back(&instruction);
  }
  if (candidates.empty())
    return {};
  live.insert(work.begin(), work.end());
  while (!work.empty())
    for (Value *operand : work.pop_back_val()->operands())
      if (auto *maker = dyn_cast<Instruction>(operand);
          maker && live.insert(maker).second)
        work.push_back(maker);
  erase_if(candidates, [&](CallInst *call) { return live.contains(call); });
  return candidates;
}

static void removeWgmmas(ArrayRef<CallInst *> dead) {
  for (CallInst *call : dead) {
    // Others may wait for copies and for MMAs that live: the wait stays.
    if (passesOn(*call) == Passes::Wait) {
      auto *tied = cast<InlineAsm>(call->getCalledOperand());
      InlineAsm *plain =
          InlineAsm::get(FunctionType::get(Type::getVoidTy(call->getContext()),
                                           /*isVarArg=*/false),
                         tied->getAsmString(), "~{memory}",
                         /*hasSideEffects=*/true);
      CallInst *wait = CallInst::Create(plain, "", call->getIterator());
      wait->setAttributes(AttributeList().addFnAttributes(
          call->getContext(),
          AttrBuilder(call->getContext(), call->getAttributes().getFnAttrs())));
    }
    call->replaceAllUsesWith(PoisonValue::get(call->getType()));
    call->eraseFromParent();
  }
}

void mlir::sparseflow::removeDeadMmas(Module &module,
                                      FunctionAnalysisManager &functions) {
  for (Function &function : module) {
    bool changed = markMmaSync(function);
    if (SmallVector<CallInst *> dead = findDeadWgmmas(function);
        !dead.empty()) {
      removeWgmmas(dead);
      changed = true;
    }
    if (changed)
      ADCEPass().run(function, functions);
  }
}
