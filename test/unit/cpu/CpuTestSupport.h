//===- CpuTestSupport.h - Arrays and modules for tests of the CPU device --*-
// C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions here are written from the formats' definitions on doubles, not
// with the bit tricks of the code under test.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_UNIT_CPU_CPUTESTSUPPORT_H
#define SPARSEFLOW_TEST_UNIT_CPU_CPUTESTSUPPORT_H

#include "SparseFlow/Target/CPU/CpuDevice.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace cputest {

using mlir::sparseflow::CpuDevice;
using mlir::sparseflow::CpuOptions;
using mlir::sparseflow::HostBuffer;
using mlir::sparseflow::HostType;

/// The value of the bits of one element.
double decode(HostType type, const void *bits);
/// Rounds to nearest even into the format.
void encode(HostType type, double value, void *bits);
/// Half a unit in the last place of `value` in the format: the error of one
/// rounding, subnormals included.
double roundingError(HostType type, double value);

/// A dense array of floats in one of the formats.
class Array {
public:
  /// Every element NaN.
  Array(HostType type, llvm::ArrayRef<int64_t> shape);

  static Array random(HostType type, llvm::ArrayRef<int64_t> shape,
                      std::mt19937_64 &generator, double low = -1,
                      double high = 1);

  int64_t size() const { return count; }
  HostType type() const { return dtype; }
  double operator[](int64_t i) const { return decode(dtype, at(i)); }
  void set(int64_t i, double value) { encode(dtype, value, at(i)); }
  HostBuffer buffer() { return {data.data(), dtype, dims}; }
  bool sameBits(const Array &other) const { return data == other.data; }

private:
  void *at(int64_t i) { return data.data() + i * width; }
  const void *at(int64_t i) const { return data.data() + i * width; }

  HostType dtype;
  llvm::SmallVector<int64_t, 4> dims;
  int64_t count, width;
  std::vector<char> data;
};

/// A context with everything that tests parse, and helpers over it.
class Compiler {
public:
  Compiler();
  ~Compiler();
  /// The device for a module; a failure is a test failure and null.
  std::unique_ptr<CpuDevice> compile(const std::string &text,
                                     const CpuOptions &options = {});
  /// The message with which `text` is refused; "" where it compiles.
  std::string compileError(const std::string &text,
                           const CpuOptions &options = {});

private:
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text);
  std::unique_ptr<mlir::MLIRContext> context;
};

/// "tensor<?x?xf16>" and so on.
std::string tensorType(llvm::ArrayRef<int64_t> shape, HostType type);
/// Marks a dynamic size.
inline constexpr int64_t dynamic = -1;

/// A function over one input of `from` that applies `body`, lines of MLIR that
/// define %v from %a, elementwise, with results of `to`.
std::string elementwiseModule(HostType from, HostType to,
                              const std::string &body);

/// An epilogue on the f32 sum %a with a per-feature operand %b, a per-token
/// operand %t and a full operand %r, all of the input's type (widened to f32 in
/// %b32, %t32, %r32): lines that define %v of f32, the same in f64, and how
/// much an error of the sum may grow.
struct Epilogue {
  const char *name;
  const char *body;
  std::function<double(double a, double b, double t, double r)> reference;
  std::function<double(double a, double t)> slope;
};
const std::vector<Epilogue> &epilogues();

/// func @f(x [T, K], w [N, K], b [N], t [T], r [T, N]) -> [T, N]; sizes may be
/// dynamic.
std::string matmulModule(HostType from, HostType to, const Epilogue &epilogue,
                         int64_t n, int64_t k, bool skipZeros = false);

/// Runs @f of a matmul module on fresh random data with a result poisoned by
/// NaN, and compares every element with f64.
void checkMatmul(const CpuDevice &device, HostType from, HostType to,
                 const Epilogue &epilogue, int64_t t, int64_t n, int64_t k,
                 std::mt19937_64 &generator);

} // namespace cputest

#endif // SPARSEFLOW_TEST_UNIT_CPU_CPUTESTSUPPORT_H
