//===- LdSt.cpp - A load and a store, for pointers cp.async refuses -----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sftile;

LogicalResult
LdStAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 int64_t width) {
  if (width != 2 && width != 4)
    return emitError()
           << "expected 2 or 4 bytes for ld_st (cp_async serves what "
              "is aligned better), found "
           << width;
  return success();
}

std::string LdStAttr::getInstruction() const { return "ld.global"; }
unsigned LdStAttr::getMinComputeCapability() const { return 80; }
int64_t LdStAttr::getBytes() const { return getWidth(); }
// The stores are in order with everything else this thread does, so a group of
// copies needs no end and no wait; the barrier of `wait` publishes them.
bool LdStAttr::isAsynchronous() const { return false; }

void LdStAttr::emit(OpBuilder &builder, Location loc,
                    const CopyOperands &operands) const {
  Value source = operands.source, valid = operands.valid;
  Type type = builder.getIntegerType(getWidth() * 8);
  auto load = [&](OpBuilder &b) -> Value {
    return LLVM::LoadOp::create(b, loc, type, source, getWidth());
  };
  Value value;
  if (!valid) {
    value = load(builder);
  } else {
    // Nothing outside the view is touched, not even to be thrown away.
    Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                          builder.getI32IntegerAttr(0));
    Value any = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                     valid, zero);
    auto branch = scf::IfOp::create(
        builder, loc, any,
        [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, load(b)); },
        [&](OpBuilder &b, Location l) {
          Value none =
              LLVM::ConstantOp::create(b, l, type, b.getIntegerAttr(type, 0));
          scf::YieldOp::create(b, l, none);
        });
    value = branch.getResult(0);
  }
  LLVM::StoreOp::create(builder, loc, value, operands.destination, getWidth());
}
