//===- CompilerTest.cpp - The compiler as a library -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What only an embedder sees: several compilations in one process, each with a
// context of its own, cancellation, and a module that stays as it was.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Compiler/Compiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <thread>

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr const char *kProgram = R"(
func.func @f(%x: tensor<?x64xf16>,
             %w: tensor<64x64xf16, #sparseflow.nm<2:4>>) -> tensor<?x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = math.tanh %acc : f32
    %1 = arith.truncf %0 : f32 to f16
    sparseflow.yield %1 : f16
  } : tensor<?x64xf16>, tensor<64x64xf16, #sparseflow.nm<2:4>>
      -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
})";

namespace {
/// A context with the program in it.
struct Input {
  Input() : context(registry(), MLIRContext::Threading::DISABLED) {
    module = parseSourceString<ModuleOp>(kProgram, &context);
  }
  static DialectRegistry registry() {
    DialectRegistry registry;
    registerCompiler(registry);
    return registry;
  }
  std::string text() {
    std::string result;
    llvm::raw_string_ostream stream(result);
    module->print(stream);
    return result;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

static CompileOptions ptxFor(const char *target) {
  CompileOptions options;
  options.output = OutputKind::PTX;
  options.targets = {llvm::cantFail(parseTarget(target))};
  return options;
}

static std::string compile(const char *target) {
  Input input;
  if (!input.module)
    return "";
  FailureOr<CompileResult> result =
      compileModule(*input.module, ptxFor(target));
  return failed(result) ? "" : result->targets.front().ptx;
}

TEST(Compiler, ThreadsWithTheirOwnContexts) {
  const char *targets[] = {"sm_80", "sm_90"};
  // The threads come first, so that they meet in what is initialised once.
  constexpr size_t threadCount = 8;
  std::string found[threadCount];
  std::vector<std::thread> threads;
  for (size_t i = 0; i < threadCount; ++i)
    threads.emplace_back([&, i] { found[i] = compile(targets[i % 2]); });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i < threadCount; ++i) {
    EXPECT_NE(found[i].find("mma.sp::ordered_metadata"), std::string::npos);
    EXPECT_EQ(found[i], compile(targets[i % 2])) << i;
  }
}

TEST(Compiler, LeavesTheModuleAsItWas) {
  Input input;
  ASSERT_TRUE(input.module);
  std::string before = input.text();
  ASSERT_TRUE(succeeded(compileModule(*input.module, ptxFor("sm_90"))));
  EXPECT_EQ(input.text(), before);
}

TEST(Compiler, ManifestsHaveNothingOfPTX) {
  Input input;
  ASSERT_TRUE(input.module);
  CompileOptions options = ptxFor("sm_90");
  for (OutputKind kind : {OutputKind::Manifest, OutputKind::Header}) {
    options.output = kind;
    options.withKernels = true;
    FailureOr<CompileResult> full = compileModule(*input.module, options);
    options.withKernels = false;
    FailureOr<CompileResult> result = compileModule(*input.module, options);
    ASSERT_TRUE(succeeded(full) && succeeded(result));
    EXPECT_NE(full->targets.front().ptx, "");
    EXPECT_EQ(result->targets.front().ptx, "");
    EXPECT_TRUE(result->targets.front().kernels.empty());
    EXPECT_NE(result->manifest, "");
    EXPECT_EQ(result->manifest, full->manifest);
    EXPECT_EQ(result->header, full->header);
  }
}

TEST(Compiler, CancelsBetweenSteps) {
  Input input;
  ASSERT_TRUE(input.module);
  std::string errors;
  ScopedDiagnosticHandler handler(&input.context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors += diagnostic.str();
    return success();
  });
  // However often it was asked before, the answer ends the compilation.
  int questions = 0;
  CompileOptions options = ptxFor("sm_90");
  options.cancelled = [&] { return ++questions > 1000; };
  ASSERT_TRUE(succeeded(compileModule(*input.module, options)));
  int inAll = questions;
  EXPECT_GE(inAll, 3);
  EXPECT_EQ(errors, "");
  for (int last = 0; last < inAll; ++last) {
    errors.clear();
    questions = 0;
    options.cancelled = [&] { return questions++ >= last; };
    EXPECT_TRUE(failed(compileModule(*input.module, options))) << last;
    EXPECT_EQ(questions, last + 1);
    EXPECT_NE(errors.find("cancel"), std::string::npos) << errors;
  }
}
