//===- PackedWeights.cpp - What a packed file says about arguments --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "program/PackedWeights.h"

#include "Options.h"
#include "SparseFlow/System/Files.h"

#include "io/sfpk.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;
using ::sparseflow::rt::SfpkFile;
using ::sparseflow::rt::SfpkSection;

// A bundle's weights are copied through memory.
static constexpr uint64_t kMaxWeightBytes = 64ull << 30;

static bool isTernary(const SfpkSection &section) {
  return section.kind == SF_SECTION_TERNARY;
}

static bool isPacked(const SfpkSection &section) {
  return StringRef(section.layout()) == "sf24.v1";
}

/// What sparseflow-mark-sparse is asked for: "2:4", or the ternary encoding.
static std::string patternOf(const SfpkSection &section) {
  if (!isTernary(section))
    return "2:4";
  auto format = section.ternaryFormat();
  if (!format)
    return "";
  const ::sparseflow::rt::Storage &storage =
      ::sparseflow::rt::storageOf(format->storage);
  std::string scale = format->group == ::sparseflow::rt::kTensorScale ? "tensor"
                      : format->group == ::sparseflow::rt::kRowScale
                          ? "row"
                          : std::to_string(format->group);
  const char *type = format->scaleType == SF_DTYPE_F16    ? "f16"
                     : format->scaleType == SF_DTYPE_BF16 ? "bf16"
                                                          : "f32";
  return std::string(storage.isTernary() ? "ternary:" : "quantized:") +
         storage.word + ":" + scale + ":" + type + ":" +
         std::to_string(format->planes);
}

/// Whether a run can give `section` to an argument of type `type`: packed
/// matrices as they are, dense tensors also rounded from f32.
static bool fits(const SfpkSection &section, RankedTensorType type) {
  Type element = type.getElementType();
  bool sameType = (section.dtype == SF_DTYPE_F16 && element.isF16()) ||
                  (section.dtype == SF_DTYPE_BF16 && element.isBF16()) ||
                  (section.dtype == SF_DTYPE_F32 && element.isF32()) ||
                  (section.dtype == SF_DTYPE_I64 && element.isInteger(64)) ||
                  (section.dtype == SF_DTYPE_I32 && element.isInteger(32)) ||
                  (section.dtype == SF_DTYPE_I8 && element.isInteger(8)) ||
                  (section.dtype == SF_DTYPE_BOOL && element.isInteger(1));
  bool rounds = section.dtype == SF_DTYPE_F32 && !isPacked(section) &&
                (element.isF16() || element.isBF16());
  if (isTernary(section))
    return sameType && section.shape.size() >= 2 &&
           ArrayRef<int64_t>(section.shape).take_front(2) == type.getShape();
  if ((sameType || rounds) &&
      succeeded(verifyCompatibleShape(ArrayRef<int64_t>(section.shape),
                                      type.getShape())))
    return true;
  // A packed weight is [N, K] of 16-bit floats, also where the program keeps
  // [K, N], unit dimensions or f32: import gives the argument that type.
  SmallVector<int64_t> large = llvm::filter_to_vector(
      type.getShape(), [](int64_t size) { return size != 1; });
  ArrayRef<int64_t> packed(section.shape);
  bool sameMatrix = large.size() == 2 && packed.size() == 2 &&
                    (ArrayRef<int64_t>(large) == packed ||
                     (large[0] == packed[1] && large[1] == packed[0]));
  return isPacked(section) && sameMatrix && (sameType || element.isF32());
}

/// What the command line asks for argument `index` other than `wanted`; ""
/// where there is none.
static StringRef findConflict(ArrayRef<std::string> sparse, StringRef name,
                              unsigned index, StringRef wanted) {
  for (StringRef mark : sparse) {
    auto [argument, pattern] = mark.rsplit('=');
    if ((argument == name || argument == std::to_string(index)) &&
        pattern != wanted)
      return mark;
  }
  return "";
}

int driver::usePackedWeights(const std::string &path, ModuleOp module,
                             std::vector<std::string> &sparse,
                             std::string *bytes) {
  auto file = SfpkFile::open(path);
  if (!file)
    return fail(BadInput, file.status().text());
  bool any = false;
  int code = Success;
  module.walk([&](func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto name = function.getArgAttrOfType<StringAttr>(i, "sparseflow.name");
      const SfpkSection *section =
          name ? file->find(name.getValue().str()) : nullptr;
      if (!section)
        continue;
      auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[i]);
      if (!type || !fits(*section, type)) {
        function.emitError("argument '")
            << name.getValue() << "' has type "
            << function.getArgumentTypes()[i] << ", but '" << path
            << "' holds a tensor of another shape or element type under that "
               "name";
        code = BadInput;
        return;
      }
      if (!isPacked(*section) && !isTernary(*section))
        continue;
      std::string pattern = patternOf(*section);
      if (StringRef other = findConflict(sparse, name.getValue(), i, pattern);
          !other.empty()) {
        function.emitError("argument '")
            << name.getValue() << "' is packed " << pattern << " in '" << path
            << "', but --sparse " << other
            << " asks for another pattern; remove one of the two";
        code = BadInput;
        return;
      }
      any = true;
      std::string mark = (name.getValue() + "=" + pattern).str();
      // Two ternary forms differ in many ways: the mark compares them.
      if ((!type.getEncoding() || isTernary(*section)) &&
          !llvm::is_contained(sparse, mark))
        sparse.push_back(mark);
    }
  });
  if (code)
    return code;
  if (!any)
    return fail(BadInput,
                "'" + path +
                    "' holds no packed matrix named like an argument of the "
                    "program: name arguments (sparseflow.name) like tensors");
  if (bytes) {
    llvm::Expected<std::string> data = readRegularFile(path, kMaxWeightBytes);
    if (!data)
      return fail(BadInput, llvm::toString(data.takeError()));
    *bytes = std::move(*data);
  }
  return Success;
}
