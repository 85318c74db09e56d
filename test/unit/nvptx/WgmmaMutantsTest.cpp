//===- WgmmaMutantsTest.cpp - Defects in kernels of each family -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of sm_90a as the compiler writes them keep the rules; with one line
// put in or taken away they break one, and that is found.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Compiler/Compiler.h"
#include "SparseFlow/Target/NVPTX/WgmmaRules.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::sparseflow;

static std::string matmul(const std::string &element, const std::string &weight,
                          bool quantized = false) {
  std::string x = "tensor<?x1024x" + element + ">";
  std::string q = quantized ? "tensor<?x1024xi8>" : x;
  std::string y = "tensor<?x4096x" + element + ">";
  std::string w = "tensor<4096x1024x" + element + ", #sparseflow." + weight;
  if (weight.empty())
    w = "tensor<4096x1024x" + element;
  w += ">";
  return "func.func @f(%x: " + x + ", %w: " + w + ") -> " + y + " {\n" +
         (quantized ? "%q, %s = sparseflow.quantize %x : " + x + " -> " + q +
                          ", tensor<?xf32>\n"
                    : "") +
         "%y = sparseflow.matmul " + (quantized ? "%q" : "%x") +
         ", %w {\n^bb0(%acc: f32):\n%0 = arith.truncf %acc : f32 to " +
         element + "\nsparseflow.yield %0 : " + element + "\n} : " + q + ", " +
         w + " -> " + y + "\nreturn %y : " + y + "\n}\n";
}

static std::string attention() {
  return R"(
func.func @f(%q: tensor<1x8x512x64xf16>, %k: tensor<1x8x512x64xf16>,
             %v: tensor<1x8x512x64xf16>) -> tensor<1x8x512x64xf16> {
  %y = sparseflow.attention %q, %k, %v
      : tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>
      -> tensor<1x8x512x64xf16>
  return %y : tensor<1x8x512x64xf16>
})";
}

static std::string compileToPtx(const std::string &program) {
  DialectRegistry registry;
  registerCompiler(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>(program, &context);
  if (!module)
    return "";
  CompileOptions options;
  options.output = OutputKind::PTX;
  options.targets = {*parseTarget("sm_90a")};
  FailureOr<CompileResult> result = compileModule(*module, options);
  return failed(result) ? "" : result->targets.front().ptx;
}

static bool breaksARule(const std::string &ptx) {
  for (const PtxKernel &kernel : readPtx(ptx))
    if (!findWgmmaHazards(kernel, 1).empty())
      return true;
  return false;
}

namespace {

class Mutants : public testing::TestWithParam<int> {
protected:
  void SetUp() override {
    const std::string programs[] = {
        matmul("f16", ""),
        matmul("bf16", "nm<2:4>"),
        matmul("f16", "ternary<codes, scale = row : f32>"),
        matmul("f16", "ternary<codes, scale = row : f32>", true),
        matmul("f16", "ternary<two_four, scale = row : f32>", true),
        matmul("f16", "ternary<codes, scale = row : f32, planes = 2>"),
        matmul("f16", "ternary<codes, scale = 32 : f32>"),
        attention()};
    ptx = compileToPtx(programs[GetParam()]);
    ASSERT_FALSE(ptx.empty());
    ASSERT_FALSE(breaksARule(ptx));
    SmallVector<StringRef> split;
    StringRef(ptx).split(split, '\n');
    for (StringRef line : split)
      lines.push_back(line.str());
    kernels = readPtx(ptx);
  }

  /// The text of the kernel that `line` (from 1) is in, with that line
  /// replaced.
  std::string with(unsigned line, const std::string &text) const {
    size_t begin = line - 1, end = line;
    while (begin && lines[begin].find(".entry") == std::string::npos)
      --begin;
    while (end < lines.size() && lines[end].find(".entry") == std::string::npos)
      ++end;
    std::string result;
    for (size_t at = begin; at < end; ++at)
      result += (at + 1 == line ? text : lines[at]) + "\n";
    return result;
  }
  /// Calls `visit` with some of the instructions of that opcode, at most
  /// `most`, from all of the text. Gives the number of calls.
  template <typename Visit>
  unsigned forEach(StringRef opcode, unsigned most, Visit visit) const {
    std::vector<std::pair<const PtxKernel *, const PtxInstruction *>> all;
    for (const PtxKernel &kernel : kernels)
      for (const PtxInstruction &instruction : kernel.instructions)
        if (instruction.is(opcode))
          all.emplace_back(&kernel, &instruction);
    size_t step = (all.size() + most - 1) / most, count = 0;
    for (size_t at = 0; at < all.size(); at += step, ++count)
      visit(*all[at].first, *all[at].second);
    return count;
  }
  /// Kernels with wgmma.
  unsigned count() const {
    return llvm::count_if(kernels, [](const PtxKernel &kernel) {
      return llvm::any_of(kernel.instructions, [](const PtxInstruction &at) {
        return at.is("wgmma.mma_async");
      });
    });
  }

  std::string ptx;
  std::vector<std::string> lines;
  std::vector<PtxKernel> kernels;
};

} // namespace

// Mutants of each kind: each costs a walk over a kernel of some hundred MMAs.
static constexpr unsigned kMost = 12;

TEST_P(Mutants, AreFound) {
  ASSERT_GT(count(), 0u);
  auto nameOf = [](const PtxKernel &kernel, const PtxInstruction &at,
                   size_t operand) {
    return kernel.registers[at.operands[operand].registers.back()].str();
  };
  // Behind a fence, a write to what the next wgmma takes.
  forEach("wgmma.fence", kMost,
          [&](const PtxKernel &kernel, const PtxInstruction &at) {
            const PtxInstruction *next = &at;
            while (!next->is("wgmma.mma_async"))
              ++next;
            for (size_t operand : {0, 1})
              if (next->operands[operand].text.starts_with("{"))
                EXPECT_TRUE(breaksARule(
                    with(at.line, lines[at.line - 1] + "\nmov.b32 " +
                                      nameOf(kernel, *next, operand) + ", 0;")))
                    << at.line;
          });
  // Behind a wgmma, a read or write of what it holds.
  forEach(
      "wgmma.mma_async", kMost,
      [&](const PtxKernel &kernel, const PtxInstruction &at) {
        const std::string &line = lines[at.line - 1];
        std::string acc = nameOf(kernel, at, 0);
        EXPECT_TRUE(breaksARule(
            with(at.line, line + "\nmov.b32 %mutant, " + acc + ";")));
        EXPECT_TRUE(
            breaksARule(with(at.line, line + "\nmov.b32 " + acc + ", 0;")));
        if (at.operands[1].text.starts_with("{"))
          EXPECT_TRUE(breaksARule(with(
              at.line, line + "\nmov.b32 " + nameOf(kernel, at, 1) + ", 0;")));
      });
  // No fence. One behind which no register is new is not missed; some is, in
  // each kernel.
  unsigned found = 0;
  forEach("wgmma.fence", 1000,
          [&](const PtxKernel &, const PtxInstruction &at) {
            found += breaksARule(with(at.line, ""));
          });
  EXPECT_GE(found, count());
  // No wait, or one that leaves a group more. Those that guard shared memory
  // alone are not missed; the last one of each kernel is.
  unsigned missed = 0, late = 0;
  forEach("wgmma.wait_group", 1000,
          [&](const PtxKernel &, const PtxInstruction &at) {
            missed += breaksARule(with(at.line, ""));
            std::string line = lines[at.line - 1];
            ++line[line.find_last_of("0123456789")];
            late += breaksARule(with(at.line, line));
          });
  EXPECT_GE(missed, count());
  EXPECT_GE(late, count());
}

INSTANTIATE_TEST_SUITE_P(Families, Mutants, testing::Range(0, 8));
