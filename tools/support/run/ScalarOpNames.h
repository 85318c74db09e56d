//===- ScalarOpNames.h - How manifests spell scalar operations --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_SCALAROPNAMES_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_SCALAROPNAMES_H

#include "run/Manifest.h"

namespace sparseflow::tools {

/// An operation that takes values of its region and nothing else.
struct ScalarOpName {
  const char *name;
  ScalarOp op;
  int operands;
};

inline constexpr ScalarOpName scalarOpNames[] = {
    {"extf", ScalarOp::Extf, 1},
    {"truncf", ScalarOp::Truncf, 1},
    {"addf", ScalarOp::Addf, 2},
    {"subf", ScalarOp::Subf, 2},
    {"mulf", ScalarOp::Mulf, 2},
    {"divf", ScalarOp::Divf, 2},
    {"negf", ScalarOp::Negf, 1},
    {"maximumf", ScalarOp::Maximumf, 2},
    {"minimumf", ScalarOp::Minimumf, 2},
    {"maxnumf", ScalarOp::Maxnumf, 2},
    {"minnumf", ScalarOp::Minnumf, 2},
    {"absf", ScalarOp::Absf, 1},
    {"fma", ScalarOp::Fma, 3},
    {"exp", ScalarOp::Exp, 1},
    {"exp2", ScalarOp::Exp2, 1},
    {"log", ScalarOp::Log, 1},
    {"log2", ScalarOp::Log2, 1},
    {"sqrt", ScalarOp::Sqrt, 1},
    {"rsqrt", ScalarOp::Rsqrt, 1},
    {"tanh", ScalarOp::Tanh, 1},
    {"erf", ScalarOp::Erf, 1},
    {"sin", ScalarOp::Sin, 1},
    {"cos", ScalarOp::Cos, 1},
    {"floor", ScalarOp::Floor, 1},
    {"ceil", ScalarOp::Ceil, 1},
    {"powf", ScalarOp::Powf, 2},
    {"trunc", ScalarOp::Trunc, 1},
    {"roundeven", ScalarOp::Roundeven, 1},
    {"atan", ScalarOp::Atan, 1},
    {"cbrt", ScalarOp::Cbrt, 1},
    {"copysign", ScalarOp::Copysign, 2},
    {"cosh", ScalarOp::Cosh, 1},
    {"erfc", ScalarOp::Erfc, 1},
    {"expm1", ScalarOp::Expm1, 1},
    {"log1p", ScalarOp::Log1p, 1},
    {"sinh", ScalarOp::Sinh, 1},
    {"divsi", ScalarOp::Divsi, 2},
    {"remsi", ScalarOp::Remsi, 2},
    {"floordivsi", ScalarOp::Floordivsi, 2},
    {"andi", ScalarOp::Andi, 2},
    {"ori", ScalarOp::Ori, 2},
    {"xori", ScalarOp::Xori, 2},
    {"shli", ScalarOp::Shli, 2},
    {"shrsi", ScalarOp::Shrsi, 2},
    {"select", ScalarOp::Select, 3}};

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_SCALAROPNAMES_H
