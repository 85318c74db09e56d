//===- TuneForm.cpp - Which matmul is to be tuned -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Tune/Candidates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::sparseflow;

// What weights with scales of groups have where nothing is said.
static constexpr int64_t kUsualGroup = 128;

static bool hasGroups(StringRef kind) { return kind.contains("_groups"); }

std::string TuneForm::name() const {
  std::string text = kind;
  if (hasGroups(kind))
    text += group ? ".g" + std::to_string(group) : ".row";
  if (planes > 1)
    text += ".p2";
  if (zeros)
    text += ".zeros";
  if (integer && !StringRef(kind).ends_with("_i8"))
    text += ".i8";
  if (bits)
    text += ".int" + std::to_string(bits);
  if (wideScales)
    text += ".f32";
  return text;
}

/// Whether scales multiply weights as these are dequantized, where they have
/// the activations' type.
static bool mayScaleWeights(const TuneForm &form) {
  return form.group && form.planes == 1 && !form.integer && !form.bits;
}

/// Whether the kind is that of what the form says.
static bool isConsistent(const TuneForm &form) {
  if (form.wideScales && !mayScaleWeights(form))
    return false;
  if (form.bits && (form.planes > 1 || form.integer || form.keepsPairs()))
    return false;
  if (!form.isTernary())
    return !form.group && form.planes == 1 && !form.zeros && !form.integer &&
           !form.bits;
  bool pairs = form.keepsPairs();
  return form.kind ==
             ternaryKind(pairs, form.group || form.planes > 1, form.integer) &&
         (pairs ? form.planes == 1 : !form.zeros);
}

llvm::Expected<TuneForm> mlir::sparseflow::parseTuneForm(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, '.');
  TuneForm form;
  form.kind = parts.front().str();
  if (!llvm::is_contained(weightKinds(), parts.front()))
    return llvm::createStringError(
        "expected one of " + llvm::join(weightKinds(), ", ") +
        ", the last ones perhaps with .g64 or the like, found '" + text + "'");
  form.integer = parts.front().ends_with("_i8");
  form.group = hasGroups(form.kind) ? kUsualGroup : 0;
  bool known = true;
  for (StringRef part : ArrayRef(parts).drop_front()) {
    if (part == "row")
      form.group = 0;
    else if (part == "p2")
      form.planes = 2;
    else if (part == "zeros")
      form.zeros = true;
    else if (part == "i8")
      form.integer = true;
    else if (part == "f32")
      form.wideScales = true;
    else if (part == "int4" || part == "int8")
      form.bits = part == "int4" ? 4 : 8;
    else
      known &= part.consume_front("g") && !part.getAsInteger(10, form.group) &&
               llvm::is_contained({32, 64, 128, 256}, form.group);
  }
  if (known && isConsistent(form))
    return form;
  return llvm::createStringError(
      "'" + text +
      "' is no form of weights: expected behind ternary_groups and "
      "ternary_groups_i8 .g32, .g64, .g128, .g256 (columns of a scale) or "
      ".row, and .p2 (two planes; always with .row); behind ternary24_groups "
      "such columns, and .i8 (activations); behind ternary24 kinds .zeros; "
      "behind groups with activations of 16 bits .f32 (scales), and behind "
      "ternary and ternary_groups .int4 or .int8 (weights)");
}

ScheduleQuery mlir::sparseflow::queryOf(const TuneForm &form, int64_t n,
                                        int64_t k) {
  ScheduleQuery query;
  query.op = "matmul";
  // The kinds have names that stay.
  query.weights = *llvm::find(weightKinds(), form.kind);
  query.n = n;
  query.k = k;
  query.integer = form.integer;
  query.wholeRows = k % 8 == 0;
  query.holdable = form.integer;
  // As sparseflow-select-schedule does for activations of 16 bits.
  query.unaligned = n % 8 != 0 || (!form.integer && !query.wholeRows);
  query.facts.zeros = form.zeros;
  query.facts.planes = form.planes;
  query.facts.scaleColumns = form.group ? form.group : form.planes > 1 ? k : 0;
  query.exactScales = mayScaleWeights(form) && !form.wideScales;
  if (form.bits) {
    query.codeBytes = double(form.bits) / 8;
    query.streamed = false;
  }
  return query;
}

std::string TuneShape::name() const {
  return llvm::formatv("{0}x{1}x{2}-{3}-{4}", t, n, k, form.name(), type);
}

llvm::Expected<TuneShape> mlir::sparseflow::parseTuneShape(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  TuneShape shape;
  int64_t *sizes[] = {&shape.t, &shape.n, &shape.k};
  bool good = parts.size() == 3;
  for (size_t i = 0; good && i < 3; ++i)
    good = !parts[i].getAsInteger(10, *sizes[i]) && *sizes[i] > 0 &&
           *sizes[i] <= (int64_t(1) << 30);
  if (!good || shape.n % 4 || shape.k % 4)
    return llvm::createStringError(
        "expected a shape as TOKENSxFEATURESxK, the last two multiples of "
        "4, such as 2048x2048x2048, found '" +
        text + "'");
  return shape;
}
