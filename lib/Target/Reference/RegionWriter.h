//===- RegionWriter.h - Scalar regions as JSON -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_REFERENCE_REGIONWRITER_H
#define SPARSEFLOW_LIB_TARGET_REFERENCE_REGIONWRITER_H

#include "ScalarNames.h"

#include "SparseFlow/Support/LocatedError.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/JSON.h"

namespace mlir::sparseflow {

/// An error at `location` of which `parts` are the text.
template <typename... Parts>
llvm::Error errorAt(Location location, const Parts &...parts) {
  std::string message;
  llvm::raw_string_ostream os(message);
  ((os << parts), ...);
  return llvm::make_error<LocatedError>(location, std::move(message));
}

/// JSON has no infinities and no NaN; the manifest writes them as strings.
inline llvm::json::Value getJsonNumber(const APFloat &value) {
  if (value.isNaN())
    return "nan";
  if (value.isInfinity())
    return value.isNegative() ? "-inf" : "inf";
  APFloat wide = value;
  bool losesInfo;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return wide.convertToDouble();
}

/// Numbers the values of a scalar region and writes its ops. The inputs come
/// first; a constant is written when it is first read.
class RegionWriter {
public:
  explicit RegionWriter(ArrayRef<BlockArgument> inputs)
      : inputs(inputs.size()), count(inputs.size()) {
    for (auto [i, input] : llvm::enumerate(inputs))
      numbers[input] = i;
  }

  llvm::Error write(Block &block) {
    for (Operation &op : block.without_terminator())
      if (llvm::Error error = writeOp(op))
        return error;
    Operation *terminator = block.getTerminator();
    llvm::Expected<int64_t> result =
        getNumber(terminator->getOperand(0), *terminator);
    if (!result)
      return result.takeError();
    yielded = *result;
    return llvm::Error::success();
  }

  llvm::json::Object take() {
    return llvm::json::Object{
        {"inputs", inputs}, {"ops", std::move(ops)}, {"yield", yielded}};
  }

private:
  llvm::Expected<int64_t> getNumber(Value value, Operation &user) {
    auto known = numbers.find(value);
    if (known != numbers.end())
      return known->second;
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    if (!constant)
      return errorAt(user.getLoc(), "'", user.getName(),
                     "' reads a scalar from outside its region: expected a "
                     "constant or a tensor of rank 0");
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
      ops.push_back(
          llvm::json::Array{"const", getJsonNumber(number.getValue())});
    else if (auto flag = dyn_cast<BoolAttr>(constant.getValue()))
      ops.push_back(llvm::json::Array{"const", flag.getValue() ? 1.0 : 0.0});
    else if (auto index = dyn_cast<IntegerAttr>(constant.getValue()))
      ops.push_back(
          llvm::json::Array{"const", static_cast<double>(index.getInt())});
    else
      return errorAt(constant.getLoc(),
                     "'arith.constant' in a scalar region: expected a float or "
                     "i1, found ",
                     constant.getType());
    return numbers[value] = count++;
  }

  llvm::Error writeOp(Operation &op) {
    if (isa<arith::ConstantOp>(op))
      return llvm::Error::success();
    llvm::json::Array line;
    if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
      line.push_back("cmpf");
      line.push_back(arith::stringifyCmpFPredicate(compare.getPredicate()));
    } else if (auto compare = dyn_cast<arith::CmpIOp>(op);
               compare && getFloatPredicate(compare.getPredicate())) {
      line.push_back("cmpf");
      line.push_back(*getFloatPredicate(compare.getPredicate()));
    } else if (StringRef mnemonic = getManifestName(op); !mnemonic.empty()) {
      line.push_back(mnemonic.str());
    } else {
      return errorAt(op.getLoc(), "'", op.getName(),
                     "' has no reference form: expected one of the scalar ops "
                     "of the manifest, such as arith.addf, arith.select or "
                     "math.exp; rewrite it in terms of those");
    }
    for (Value operand : op.getOperands()) {
      llvm::Expected<int64_t> number = getNumber(operand, op);
      if (!number)
        return number.takeError();
      line.push_back(*number);
    }
    Value result = op.getResult(0);
    bool isTruncation = isa<arith::TruncFOp>(op);
    // Arithmetic in 16 bits rounds as a truncation does.
    bool rounds = !isTruncation && !isExact(op) &&
                  isa<Float16Type, BFloat16Type>(result.getType());
    if (isTruncation)
      line.push_back(getRoundedType(result));
    ops.push_back(std::move(line));
    numbers[result] = count++;
    if (rounds) {
      ops.push_back(
          llvm::json::Array{"truncf", numbers[result], getRoundedType(result)});
      numbers[result] = count++;
    }
    return llvm::Error::success();
  }

  /// True where a result in the type of the operands is not rounded.
  static bool isExact(Operation &op) {
    return isa<arith::ExtFOp, arith::NegFOp, arith::MaximumFOp,
               arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
               arith::SelectOp, math::AbsFOp, math::FloorOp, math::CeilOp>(op);
  }

  static llvm::StringRef getRoundedType(Value value) {
    return value.getType().isF16()    ? "f16"
           : value.getType().isBF16() ? "bf16"
                                      : "f32";
  }

  int64_t inputs;
  int64_t count;
  int64_t yielded = 0;
  llvm::json::Array ops;
  llvm::DenseMap<Value, int64_t> numbers;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_TARGET_REFERENCE_REGIONWRITER_H
