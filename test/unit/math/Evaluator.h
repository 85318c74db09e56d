//===- Evaluator.h - Lowers a function and runs it on arrays ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses one function, runs sparseflow-lower-math on it and interprets what
// comes out, so that the tests measure the formulas the compiler emits and
// not a copy of them. Every op is the host's exactly rounded one. The hardware
// approximations return the correctly rounded value moved by a chosen share of
// the largest error that PTX documents.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_UNIT_MATH_EVALUATOR_H
#define SPARSEFLOW_TEST_UNIT_MATH_EVALUATOR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sparseflow::test {

/// Where the approximations lie within their documented error, from -1 to 1:
/// one share for ex2, one for all others.
struct Errors {
  double ex2 = 0, other = 0;
};

/// Bits of one value per lane: f32 and i32 in full, f16, bf16 and i1 in the
/// low bits.
using Lanes = std::vector<uint32_t>;

class Evaluator {
public:
  /// `source` holds one func.func. Throws nothing; `valid()` is false when it
  /// does not parse or the pass fails.
  explicit Evaluator(const std::string &source, bool approximate = false);
  ~Evaluator();

  bool valid() const { return static_cast<bool>(module); }

  /// Every combination of the extremes, and none, of the approximations that
  /// the lowered function calls.
  std::vector<Errors> extremes();

  /// The function's single result for every lane.
  Lanes run(const std::vector<Lanes> &arguments, const Errors &errors = {});

private:
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// A function `name` of one operand of type `type`, say ("math.exp", "f32").
std::string unary(const std::string &name, const std::string &type,
                  const std::string &flags = "");
std::string binary(const std::string &name, const std::string &type,
                   const std::string &flags = "");

/// A binary format: `digits` stored significand bits and exponent `bias`.
struct Format {
  const char *name;
  int digits;
  int bias;
};
inline constexpr Format kF16{"f16", 10, 15};
inline constexpr Format kBF16{"bf16", 7, 127};

/// Decoding is exact; encoding rounds to nearest even, once.
double decode(uint32_t bits, const Format &format);
uint32_t encode(double value, const Format &format);

float toFloat(uint32_t bits);
uint32_t toBits(float value);

/// |got - reference| in units of the last place of the reference in `format`
/// (f32: digits 23, bias 127). An overflow counts as the next power of two;
/// two NaN or two equal infinities are 0 apart, one of them is infinity.
double ulps(double got, double reference, const Format &format);
inline constexpr Format kF32{"f32", 23, 127};

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_UNIT_MATH_EVALUATOR_H
