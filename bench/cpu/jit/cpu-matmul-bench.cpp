//===- cpu-matmul-bench.cpp - The CPU device against OpenBLAS -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints, for each shape T x N x K, the time of y = x * w^T by the CPU device
// (f16 and f32 operands, f32 result, packing included) and by OpenBLAS's sgemm
// on as many threads, and the ratio of the speeds. Calls alternate, and the
// fastest of each counts: on a shared machine the minimum is what the code can
// do. Without OpenBLAS only the device is timed. With --floor R the exit status
// is 1 where a ratio is below R.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/CpuDevice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <random>
#ifdef SPARSEFLOW_HAVE_OPENBLAS
#include <cblas.h>
extern "C" void openblas_set_num_threads(int threads);
#endif

using namespace mlir;
using namespace mlir::sparseflow;

namespace cl = llvm::cl;
static cl::opt<unsigned> threads("num-threads", cl::init(2),
                                 cl::desc("threads of both sides"));
static cl::opt<unsigned> repeats("repeats", cl::init(15),
                                 cl::desc("calls of each side"));
static cl::opt<double> floorRatio("floor", cl::init(0),
                                  cl::desc("smallest ratio that passes"));
static cl::list<int64_t> sizes("shape", cl::CommaSeparated,
                               cl::desc("T,N,K instead of the usual shapes"));
static cl::list<int64_t>
    tile("schedule", cl::CommaSeparated,
         cl::desc("tile rows,tile vectors,block rows,block columns,block depth "
                  "instead of the schedule table's"));

namespace {
struct Shape {
  int64_t tokens, features, depth;
};

struct Result {
  double device = 1e30, peer = 1e30;
};
} // namespace

static std::string makeModule(const Shape &shape, StringRef type) {
  std::string n = std::to_string(shape.features);
  std::string k = std::to_string(shape.depth);
  std::string x = "tensor<?x" + k + "x" + type.str() + ">";
  std::string w = "tensor<" + n + "x" + k + "x" + type.str() + ">";
  std::string y = "tensor<?x" + n + "xf32>";
  std::string extend =
      type == "f32" ? "%2 = arith.mulf %a, %b : f32\n"
                    : "%0 = arith.extf %a : " + type.str() +
                          " to f32\n %1 = arith.extf %b : " + type.str() +
                          " to f32\n %2 = arith.mulf %0, %1 : f32\n";
  return "func.func @matmul(%x: " + x + ", %w: " + w + ") -> " + y +
         " {\n"
         "  %c0 = arith.constant 0 : index\n"
         "  %zero = arith.constant 0.0 : f32\n"
         "  %t = tensor.dim %x, %c0 : " +
         x + "\n  %e = tensor.empty(%t) : " + y +
         "\n  %f = linalg.fill ins(%zero : f32) outs(%e : " + y + ") -> " + y +
         "\n  %y = linalg.generic {indexing_maps = ["
         "affine_map<(t, n, k) -> (t, k)>, affine_map<(t, n, k) -> (n, k)>, "
         "affine_map<(t, n, k) -> (t, n)>], iterator_types = "
         "[\"parallel\", \"parallel\", \"reduction\"]} ins(%x, %w : " +
         x + ", " + w + ") outs(%f : " + y + ") {\n  ^bb0(%a: " + type.str() +
         ", %b: " + type.str() + ", %acc: f32):\n" + extend +
         "    %3 = arith.addf %acc, %2 : f32\n"
         "    linalg.yield %3 : f32\n  } -> " +
         y + "\n  return %y : " + y + "\n}\n";
}

template <typename Function>
static double timeOnce(Function function) {
  auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

static Result runShape(MLIRContext &context, const Shape &shape,
                       HostType type) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      makeModule(shape, getHostTypeName(type)), &context);
  CpuOptions options;
  options.threads = threads;
  if (tile.size() == 5) {
    options.schedule = CpuSchedule::forHost();
    options.schedule->tileRows = tile[0];
    options.schedule->tileVectors = tile[1];
    options.schedule->blockRows = tile[2];
    options.schedule->blockColumns = tile[3];
    options.schedule->blockDepth = tile[4];
  }
  auto device = llvm::cantFail(CpuDevice::compile(*module, options));

  int64_t t = shape.tokens, n = shape.features, k = shape.depth;
  std::mt19937 generator(1);
  // Bits of f16 and of the upper half of f32 both stay below 2 like this.
  auto fill = [&](int64_t count) {
    std::vector<char> data(count * getHostTypeSize(type));
    if (type == HostType::F32)
      for (int64_t i = 0; i < count; ++i)
        reinterpret_cast<float *>(data.data())[i] = float(generator() % 8) / 8;
    else
      for (int64_t i = 0; i < count; ++i)
        reinterpret_cast<uint16_t *>(data.data())[i] = generator() % 0x3c00;
    return data;
  };
  std::vector<char> x = fill(t * k), w = fill(n * k);
  std::vector<float> y(t * n), peer(t * n), xf(t * k, 0.5f), wf(n * k, 0.25f);
  HostBuffer args[] = {{x.data(), type, {t, k}}, {w.data(), type, {n, k}}};
  HostBuffer results[] = {{y.data(), HostType::F32, {t, n}}};
  Result result;
  for (unsigned i = 0; i < repeats; ++i) {
    result.device =
        std::min(result.device, timeOnce([&] {
                   llvm::cantFail(device->run("matmul", args, results));
                 }));
#ifdef SPARSEFLOW_HAVE_OPENBLAS
    result.peer = std::min(result.peer, timeOnce([&] {
                             cblas_sgemm(CblasRowMajor, CblasNoTrans,
                                         CblasTrans, t, n, k, 1, xf.data(), k,
                                         wf.data(), k, 0, peer.data(), n);
                           }));
#endif
  }
  return result;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "CPU device against OpenBLAS\n");
  bool hasPeer = false;
#ifdef SPARSEFLOW_HAVE_OPENBLAS
  hasPeer = true;
  openblas_set_num_threads(threads);
#endif
  DialectRegistry registry;
  registerCpuDialects(registry);
  MLIRContext context(registry);
  std::vector<Shape> shapes = {{512, 1536, 384}, {2048, 2048, 2048}};
  if (sizes.size() == 3)
    shapes = {{sizes[0], sizes[1], sizes[2]}};
  double lowest = 1e30;
  llvm::outs() << "threads " << threads << ", fastest of " << repeats
               << (hasPeer ? "" : "; OpenBLAS was not found, no peer") << "\n";
  for (const Shape &shape : shapes)
    for (HostType type : {HostType::F16, HostType::F32}) {
      Result result = runShape(context, shape, type);
      double work = 2e-9 * shape.tokens * shape.features * shape.depth;
      llvm::outs() << shape.tokens << " x " << shape.features << " x "
                   << shape.depth << " " << getHostTypeName(type)
                   << llvm::format(": device %.2f ms %.1f GFLOP/s",
                                   result.device * 1e3, work / result.device);
      if (hasPeer) {
        double ratio = result.peer / result.device;
        lowest = std::min(lowest, ratio);
        llvm::outs() << llvm::format(", sgemm %.2f ms %.1f GFLOP/s, ratio %.2f",
                                     result.peer * 1e3, work / result.peer,
                                     ratio);
      }
      llvm::outs() << "\n";
      llvm::outs().flush();
    }
  if (lowest < floorRatio) {
    llvm::errs() << llvm::format(
        "expected a ratio of at least %.2f, found %.2f\n", double(floorRatio),
        lowest);
    return 1;
  }
  return 0;
}
