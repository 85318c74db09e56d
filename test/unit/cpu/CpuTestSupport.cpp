//===- CpuTestSupport.cpp - Arrays and modules for tests of the CPU device
//-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuTestSupport.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace cputest;

namespace {
/// A binary format: precision counts the implicit bit.
struct Format {
  int precision, maxExponent;
  int minExponent() const { return 1 - maxExponent; }
};
} // namespace

static Format formatOf(HostType type) {
  switch (type) {
  case HostType::F16:
    return {11, 15};
  case HostType::BF16:
    return {8, 127};
  default:
    return {24, 127};
  }
}

/// The weight of the last bit of `value`.
static double lastPlace(HostType type, double value) {
  Format format = formatOf(type);
  int exponent = value == 0 ? format.minExponent()
                            : std::max(std::ilogb(value), format.minExponent());
  return std::ldexp(1.0, exponent - (format.precision - 1));
}

double cputest::roundingError(HostType type, double value) {
  return std::isfinite(value) ? lastPlace(type, value) / 2 : 0;
}

double cputest::decode(HostType type, const void *bits) {
  if (type == HostType::F32) {
    float value;
    std::memcpy(&value, bits, 4);
    return value;
  }
  uint16_t word;
  std::memcpy(&word, bits, 2);
  Format format = formatOf(type);
  int mantissaBits = format.precision - 1;
  int mantissa = word & ((1 << mantissaBits) - 1);
  int exponent = (word & 0x7fff) >> mantissaBits;
  double sign = word & 0x8000 ? -1 : 1;
  if (exponent == 2 * format.maxExponent + 1)
    return mantissa ? std::nan("") : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, format.minExponent() - mantissaBits);
  return sign * std::ldexp(mantissa + (1 << mantissaBits),
                           exponent - format.maxExponent - mantissaBits);
}

void cputest::encode(HostType type, double value, void *bits) {
  if (type == HostType::F32) {
    float narrow = static_cast<float>(value);
    std::memcpy(bits, &narrow, 4);
    return;
  }
  Format format = formatOf(type);
  int mantissaBits = format.precision - 1;
  uint16_t special = static_cast<uint16_t>(2 * format.maxExponent + 1)
                     << mantissaBits;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  uint16_t word;
  if (std::isnan(value)) {
    word = special | (1 << (mantissaBits - 1));
  } else if (std::isinf(value)) {
    word = special;
  } else {
    double unit = lastPlace(type, value);
    // nearbyint rounds to nearest even in the default mode; a carry into the
    // next binade has the same value there.
    double rounded = std::nearbyint(std::fabs(value) / unit) * unit;
    if (rounded >= std::ldexp(1.0, format.maxExponent + 1)) {
      word = special;
    } else {
      unit = lastPlace(type, rounded);
      int64_t units = static_cast<int64_t>(rounded / unit);
      int exponent = rounded == 0
                         ? format.minExponent()
                         : std::max(std::ilogb(rounded), format.minExponent());
      // Subnormals have no implicit bit, so adding it counts the exponent up.
      word = static_cast<uint16_t>(
          units + (static_cast<int64_t>(exponent - format.minExponent())
                   << mantissaBits));
    }
  }
  word |= sign;
  std::memcpy(bits, &word, 2);
}

Array::Array(HostType type, llvm::ArrayRef<int64_t> shape)
    : dtype(type), dims(shape.begin(), shape.end()), count(1),
      width(mlir::sparseflow::getHostTypeSize(type)) {
  for (int64_t size : shape)
    count *= size;
  data.resize(count * width);
  for (int64_t i = 0; i < count; ++i)
    set(i, std::nan(""));
}

Array Array::random(HostType type, llvm::ArrayRef<int64_t> shape,
                    std::mt19937_64 &generator, double low, double high) {
  Array array(type, shape);
  std::uniform_real_distribution<double> values(low, high);
  for (int64_t i = 0; i < array.size(); ++i)
    array.set(i, values(generator));
  return array;
}

Compiler::Compiler() {
  mlir::DialectRegistry registry;
  mlir::sparseflow::registerCpuDialects(registry);
  registry.insert<mlir::sparseflow::SparseFlowDialect>();
  context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
}

Compiler::~Compiler() = default;

mlir::OwningOpRef<mlir::ModuleOp> Compiler::parse(const std::string &text) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  if (!module)
    ADD_FAILURE() << "does not parse:\n" << text;
  else
    (*module)->setAttr("sparseflow.remarks",
                       mlir::BoolAttr::get(context.get(), false));
  return module;
}

std::unique_ptr<CpuDevice> Compiler::compile(const std::string &text,
                                             const CpuOptions &options) {
  auto module = parse(text);
  if (!module)
    return nullptr;
  auto device = CpuDevice::compile(*module, options);
  if (!device) {
    ADD_FAILURE() << llvm::toString(device.takeError()) << "\n" << text;
    return nullptr;
  }
  return std::move(*device);
}

std::string Compiler::compileError(const std::string &text,
                                   const CpuOptions &options) {
  auto module = parse(text);
  if (!module)
    return "";
  auto device = CpuDevice::compile(*module, options);
  return device ? "" : llvm::toString(device.takeError());
}

std::string cputest::tensorType(llvm::ArrayRef<int64_t> shape, HostType type) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += (size == dynamic ? "?" : std::to_string(size)) + "x";
  return text + mlir::sparseflow::getHostTypeName(type).str() + ">";
}

std::string cputest::elementwiseModule(HostType from, HostType to,
                                       const std::string &body) {
  std::string in = tensorType({dynamic}, from), out = tensorType({dynamic}, to);
  std::string a = mlir::sparseflow::getHostTypeName(from).str();
  std::string v = mlir::sparseflow::getHostTypeName(to).str();
  return "func.func @f(%x: " + in + ") -> " + out +
         " {\n  %c0 = arith.constant 0 : index\n  %d = tensor.dim %x, %c0 : " +
         in + "\n  %e = tensor.empty(%d) : " + out +
         "\n  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, "
         "affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} ins(%x : " +
         in + ") outs(%e : " + out + ") {\n  ^bb0(%a: " + a + ", %o: " + v +
         "):\n" + body + "\n    linalg.yield %v : " + v + "\n  } -> " + out +
         "\n  return %y : " + out + "\n}\n";
}

const std::vector<Epilogue> &cputest::epilogues() {
  static const std::vector<Epilogue> list = {
      {"sum",
       "%zero = arith.constant 0.0 : f32\n%v = arith.addf %a, %zero : f32",
       [](double a, double, double, double) { return a; },
       [](double, double) { return 1.0; }},
      {"bias_relu",
       "%zero = arith.constant 0.0 : f32\n"
       "%0 = arith.addf %a, %b32 : f32\n"
       "%v = arith.maximumf %0, %zero : f32",
       [](double a, double b, double, double) { return std::fmax(a + b, 0); },
       [](double, double) { return 1.0; }},
      {"bias_gelu_erf",
       "%half = arith.constant 0.5 : f32\n%one = arith.constant 1.0 : f32\n"
       "%root = arith.constant 0.70710678 : f32\n"
       "%0 = arith.addf %a, %b32 : f32\n%1 = arith.mulf %0, %root : f32\n"
       "%2 = math.erf %1 : f32\n%3 = arith.addf %2, %one : f32\n"
       "%4 = arith.mulf %0, %half : f32\n%v = arith.mulf %4, %3 : f32",
       [](double a, double b, double, double) {
         return 0.5 * (a + b) * std::erfc(-(a + b) * std::sqrt(0.5));
       },
       [](double, double) { return 1.2; }},
      {"gelu_tanh_residual",
       "%half = arith.constant 0.5 : f32\n%one = arith.constant 1.0 : f32\n"
       "%c = arith.constant 0.044715 : f32\n"
       "%slope = arith.constant 0.797884561 : f32\n"
       "%0 = arith.mulf %a, %a : f32\n%1 = arith.mulf %0, %a : f32\n"
       "%2 = arith.mulf %1, %c : f32\n%3 = arith.addf %a, %2 : f32\n"
       "%4 = arith.mulf %3, %slope : f32\n%5 = math.tanh %4 : f32\n"
       "%6 = arith.addf %one, %5 : f32\n%7 = arith.mulf %a, %half : f32\n"
       "%8 = arith.mulf %7, %6 : f32\n%v = arith.addf %8, %r32 : f32",
       [](double a, double, double, double r) {
         double u = std::sqrt(2 / M_PI) * (a + 0.044715 * a * a * a);
         return 0.5 * a * (1 + std::tanh(u)) + r;
       },
       [](double, double) { return 1.2; }},
      {"silu_scale",
       "%one = arith.constant 1.0 : f32\n%0 = arith.negf %a : f32\n"
       "%1 = math.exp %0 : f32\n%2 = arith.addf %1, %one : f32\n"
       "%3 = arith.divf %a, %2 : f32\n%v = arith.mulf %3, %t32 : f32",
       [](double a, double, double t, double) {
         return a / (1 + std::exp(-a)) * t;
       },
       [](double, double t) { return 1.2 * std::fabs(t); }},
      {"gate_squared_relu",
       "%zero = arith.constant 0.0 : f32\n%0 = arith.maximumf %a, %zero : f32\n"
       "%1 = arith.mulf %0, %0 : f32\n%v = arith.mulf %1, %r32 : f32",
       [](double a, double, double, double r) {
         return std::fmax(a, 0) * std::fmax(a, 0) * r;
       },
       [](double a, double) { return 2 * std::fabs(a) + 1e-3; }},
  };
  return list;
}

std::string cputest::matmulModule(HostType from, HostType to,
                                  const Epilogue &epilogue, int64_t n,
                                  int64_t k, bool skipZeros) {
  std::string x = tensorType({dynamic, k}, from);
  std::string w = tensorType({n, k}, from), b = tensorType({n}, from);
  std::string t = tensorType({dynamic}, from);
  std::string r = tensorType({dynamic, n}, from);
  std::string y = tensorType({dynamic, n}, to);
  std::string sum = tensorType({dynamic, n}, HostType::F32);
  std::string e = mlir::sparseflow::getHostTypeName(from).str();
  std::string o = mlir::sparseflow::getHostTypeName(to).str();
  auto widen = [&](const std::string &name, const std::string &wide) {
    if (from == HostType::F32)
      return "    " + wide + " = arith.addf " + name + ", %nothing : f32\n";
    return "    " + wide + " = arith.extf " + name + " : " + e + " to f32\n";
  };
  std::string sizes = n == dynamic ? "(%td, %nd)" : "(%td)";
  std::string text = "func.func @f(%x: " + x + ", %w: " + w + ", %b: " + b +
                     ", %t: " + t + ", %r: " + r + ") -> " + y + " {\n";
  text += "  %c0 = arith.constant 0 : index\n"
          "  %zf = arith.constant 0.0 : f32\n"
          "  %nothing = arith.constant -0.0 : f32\n"
          "  %td = tensor.dim %x, %c0 : " +
          x + "\n";
  if (n == dynamic)
    text += "  %nd = tensor.dim %w, %c0 : " + w + "\n";
  text += "  %e = tensor.empty" + sizes + " : " + sum +
          "\n  %z = linalg.fill ins(%zf : f32) outs(%e : " + sum + ") -> " +
          sum +
          "\n  %s = linalg.generic {indexing_maps = ["
          "affine_map<(t, n, k) -> (t, k)>, affine_map<(t, n, k) -> (n, k)>, "
          "affine_map<(t, n, k) -> (t, n)>], iterator_types = "
          "[\"parallel\", \"parallel\", \"reduction\"]} ins(%x, %w : " +
          x + ", " + w + ") outs(%z : " + sum + ") {\n  ^bb0(%p: " + e +
          ", %q: " + e + ", %acc: f32):\n" + widen("%p", "%p32") +
          widen("%q", "%q32") +
          "    %m = arith.mulf %p32, %q32 : f32\n"
          "    %n = arith.addf %acc, %m : f32\n";
  if (skipZeros)
    text += "    %stored = arith.cmpf une, %q32, %zf : f32\n"
            "    %kept = arith.select %stored, %n, %acc : f32\n"
            "    linalg.yield %kept : f32\n";
  else
    text += "    linalg.yield %n : f32\n";
  text += "  } -> " + sum + "\n  %o = tensor.empty" + sizes + " : " + y +
          "\n  %y = linalg.generic {indexing_maps = ["
          "affine_map<(t, n) -> (t, n)>, affine_map<(t, n) -> (n)>, "
          "affine_map<(t, n) -> (t)>, affine_map<(t, n) -> (t, n)>, "
          "affine_map<(t, n) -> (t, n)>], iterator_types = "
          "[\"parallel\", \"parallel\"]} ins(%s, %b, %t, %r : " +
          sum + ", " + b + ", " + t + ", " + r + ") outs(%o : " + y +
          ") {\n  ^bb0(%a: f32, %bn: " + e + ", %tn: " + e + ", %rn: " + e +
          ", %on: " + o + "):\n" + widen("%bn", "%b32") + widen("%tn", "%t32") +
          widen("%rn", "%r32") + epilogue.body + "\n";
  if (to == HostType::F32)
    text += "    linalg.yield %v : f32\n";
  else
    text += "    %narrow = arith.truncf %v : f32 to " + o +
            "\n    linalg.yield %narrow : " + o + "\n";
  return text + "  } -> " + y + "\n  return %y : " + y + "\n}\n";
}

void cputest::checkMatmul(const CpuDevice &device, HostType from, HostType to,
                          const Epilogue &epilogue, int64_t t, int64_t n,
                          int64_t k, std::mt19937_64 &generator) {
  SCOPED_TRACE(std::string(epilogue.name) + " T=" + std::to_string(t) +
               " N=" + std::to_string(n) + " K=" + std::to_string(k));
  Array x = Array::random(from, {t, k}, generator);
  Array w = Array::random(from, {n, k}, generator);
  Array b = Array::random(from, {n}, generator);
  Array s = Array::random(from, {t}, generator);
  Array r = Array::random(from, {t, n}, generator);
  Array y(to, {t, n});
  HostBuffer args[] = {x.buffer(), w.buffer(), b.buffer(), s.buffer(),
                       r.buffer()};
  HostBuffer results[] = {y.buffer()};
  if (llvm::Error error = device.run("f", args, results)) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return;
  }
  std::vector<double> xs(t * k), ws(n * k);
  for (int64_t i = 0; i < t * k; ++i)
    xs[i] = x[i];
  for (int64_t i = 0; i < n * k; ++i)
    ws[i] = w[i];
  constexpr double unit = 0x1p-24;
  for (int64_t i = 0; i < t; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (int64_t l = 0; l < k; ++l) {
        double product = xs[i * k + l] * ws[j * k + l];
        sum += product;
        magnitude += std::fabs(product);
      }
      double expected = epilogue.reference(sum, b[j], s[i], r[i * n + j]);
      // k roundings of the sum (the bound of any order), about ten more in the
      // epilogue on values of its size, and one of the result.
      double sumError = (k + 1) * unit * magnitude;
      double bound = sumError * epilogue.slope(sum, s[i]) +
                     10 * unit * (std::fabs(sum) + 2) +
                     1.01 * roundingError(to, expected);
      double found = y[i * n + j];
      ASSERT_FALSE(std::isnan(found)) << "at [" << i << ", " << j << "]";
      ASSERT_LE(std::fabs(found - expected), bound)
          << "at [" << i << ", " << j << "]: expected " << expected
          << ", found " << found;
    }
}
