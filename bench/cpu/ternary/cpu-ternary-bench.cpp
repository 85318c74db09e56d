//===- cpu-ternary-bench.cpp - Ternary matmuls on the CPU device ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints, for each shape T x N x K, the time of y = x * w^T with a ternary
// weight in tern.v1 (a scale for each row) and f16 activations that are
// quantized to 8 bits in the same call, and of the product alone on activations
// that have 8 bits already. The results of the latter are compared with sums of
// integers, bit for bit, first. The fastest call counts: on a shared machine
// the minimum is what the code can do. Weights stay in the caches.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Target/CPU/CpuDevice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "ternary/pack.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <random>

using namespace mlir;
using namespace mlir::sparseflow;
namespace rt = ::sparseflow::rt;

namespace cl = llvm::cl;
static cl::opt<unsigned> threads("num-threads", cl::init(1),
                                 cl::desc("threads"));
static cl::opt<double> seconds("seconds", cl::init(1),
                               cl::desc("time for each row and form"));
static cl::list<int64_t> sizes("shape", cl::CommaSeparated,
                               cl::desc("T,N,K instead of the usual shapes"));
static cl::opt<std::string>
    dot("int8-dot", cl::desc("int8 dot products in place of this machine's: "
                             "portable, avx2 or avx512vnni"));

static cl::opt<int64_t>
    lookup("lookup-tokens", cl::init(-1),
           cl::desc("tokens from which sums come from tables, in place of this "
                    "machine's number; 0: never"));

static int fail(const llvm::Twine &text) {
  llvm::errs() << "cpu-ternary-bench: error: " << text << "\n";
  return 1;
}

/// `f` quantizes f16 activations, `g` takes those of 8 bits.
static std::string makeModule(int64_t tokens, int64_t n, int64_t k) {
  return llvm::formatv(R"(
    !w = tensor<{1}x{2}xf16, #sparseflow.ternary<codes, scale = row : f32>>
    func.func @f(%x: tensor<{0}x{2}xf16>, %w: !w) -> tensor<{0}x{1}xf16> {{
      %q, %s = sparseflow.quantize %x
        : tensor<{0}x{2}xf16> -> tensor<{0}x{2}xi8>, tensor<{0}xf32>
      %y = sparseflow.matmul %q, %w epilogue(%s : tensor<{0}xf32>)
          as [per_token] {{
      ^bb0(%acc: f32, %scale: f32):
        %0 = arith.mulf %acc, %scale : f32
        %1 = arith.truncf %0 : f32 to f16
        sparseflow.yield %1 : f16
      } : tensor<{0}x{2}xi8>, !w -> tensor<{0}x{1}xf16>
      return %y : tensor<{0}x{1}xf16>
    }
    func.func @g(%q: tensor<{0}x{2}xi8>, %w: !w) -> tensor<{0}x{1}xf32> {{
      %y = sparseflow.matmul %q, %w {{
      ^bb0(%acc: f32):
        sparseflow.yield %acc : f32
      } : tensor<{0}x{2}xi8>, !w -> tensor<{0}x{1}xf32>
      return %y : tensor<{0}x{1}xf32>
    })",
                       tokens, n, k)
      .str();
}

/// The fastest of the calls that fit the time, in microseconds.
static double measure(llvm::function_ref<void()> call) {
  using Clock = std::chrono::steady_clock;
  double best = 1e30;
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    auto start = Clock::now();
    call();
    std::chrono::duration<double, std::micro> time = Clock::now() - start;
    best = std::min(best, time.count());
  } while (Clock::now() < end);
  return best;
}

static int benchShape(int64_t tokens, int64_t n, int64_t k) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, SparseFlowDialect>();
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(makeModule(tokens, n, k), &context);
  if (!module)
    return fail("the program does not parse");
  CpuOptions options;
  options.threads = threads;
  options.schedule = CpuSchedule::forHost();
  if (!dot.empty())
    options.schedule->int8Dot = dot;
  if (lookup >= 0)
    options.schedule->lookupTokens = lookup;
  (*module)->setAttr("sparseflow.remarks", BoolAttr::get(&context, false));
  auto device = CpuDevice::compile(*module, options);
  if (!device)
    return fail(llvm::toString(device.takeError()));

  std::mt19937_64 random(1);
  rt::TernaryFormat format{n, k, rt::TernaryStorage::Codes, 1, rt::kRowScale};
  std::vector<int8_t> trits(n * k), q(tokens * k);
  for (int8_t &trit : trits)
    trit = int(random() % 3) - 1;
  for (int8_t &value : q)
    value = int(random() % 255) - 127;
  std::vector<float> scales(n), g(tokens * n);
  for (float &scale : scales)
    scale = float(random() % 4096) / 4096 + 0.001f;
  std::vector<uint8_t> blob(format.blobBytes());
  if (rt::Status status = rt::packTernary(trits.data(), scales.data(), format,
                                          "w", 1, blob.data());
      !status)
    return fail(status.text());
  // Halves between 1 and 2, of either sign.
  std::vector<uint16_t> x(tokens * k), f(tokens * n);
  for (uint16_t &half : x)
    half = 0x3c00 | (random() & 0x83ff);

  HostBuffer weight{blob.data(), HostType::I8, {int64_t(blob.size())}};
  HostBuffer floatArgs[] = {{x.data(), HostType::F16, {tokens, k}}, weight};
  HostBuffer byteArgs[] = {{q.data(), HostType::I8, {tokens, k}}, weight};
  HostBuffer floatResult[] = {{f.data(), HostType::F16, {tokens, n}}};
  HostBuffer byteResult[] = {{g.data(), HostType::F32, {tokens, n}}};
  if (llvm::Error error = (*device)->run("g", byteArgs, byteResult))
    return fail(llvm::toString(std::move(error)));
  if (llvm::Error error = (*device)->run("f", floatArgs, floatResult))
    return fail(llvm::toString(std::move(error)));
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t row = 0; row < n; ++row) {
      int32_t sum = 0;
      for (int64_t col = 0; col < k; ++col)
        sum += q[t * k + col] * trits[row * k + col];
      if (g[t * n + row] != scales[row] * float(sum))
        return fail(llvm::formatv("token {0}, row {1}: found {2}, expected {3}",
                                  t, row, g[t * n + row],
                                  scales[row] * float(sum)));
    }
  auto run = [&](StringRef name, ArrayRef<HostBuffer> args,
                 MutableArrayRef<HostBuffer> results) {
    llvm::cantFail((*device)->run(name, args, results));
  };
  double all = measure([&] { run("f", floatArgs, floatResult); });
  double product = measure([&] { run("g", byteArgs, byteResult); });
  double rate = 2.0 * double(tokens) * double(n) * double(k) / all / 1e6;
  llvm::outs() << llvm::format("%6lld %6lld %6lld %12.1f %12.1f %10.3f\n",
                               (long long)tokens, (long long)n, (long long)k,
                               all, product, rate);
  llvm::outs().flush();
  return 0;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "ternary matmuls on the CPU\n");
  if (!sizes.empty() && sizes.size() != 3)
    return fail("--shape takes T,N,K");
  llvm::outs() << llvm::formatv("exact; {0} threads, {1}\n", threads,
                                dot.empty() ? CpuSchedule::forHost().int8Dot
                                            : dot)
               << "     T      N      K  f16 -> f16 us  i8 -> f32 us"
                  "     TOPS\n";
  if (!sizes.empty())
    return benchShape(sizes[0], sizes[1], sizes[2]);
  for (int64_t side : {2560, 4096})
    for (int64_t tokens : {1, 16, 64})
      if (int code = benchShape(tokens, side, side))
        return code;
  return 0;
}
