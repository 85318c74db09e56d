//===- SFTileBase.td - The sftile dialect -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEBASE
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEBASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def SFTile_Dialect : Dialect {
  let name = "sftile";
  let cppNamespace = "::mlir::sftile";
  let summary = "How a kernel computes: tiles with a place and an owner";
  let description = [{
    `sftile` is the level inside `gpu.func` at which a kernel is a program over
    tiles. A tile has a *place*: global memory (`view`), shared memory (`tile`,
    `slot`), or the registers of a warp (`frag`). Data moves between places only
    by explicit operations, and each such operation names the instruction that
    carries it: an *atom*.

    Three rules make kernels checkable before they run:

    * **Layouts are assigned by atoms, never inferred.** The type of a fragment
      carries the layout that an atom asked for; an MMA of fragments with
      other layouts does not verify. A change of layout is a `convert_layout`.
    * **Asynchrony is in the types.** Memory of a ring that is being filled is a
      `slot`, which can be written but not read; only `wait` turns it into a
      `tile`, which can be read but not written. A fragment that is still being
      computed is a `pending`, which only `wait_group` turns into a fragment.
    * **A kernel is a set of roles that exchange ring stages.** `acquire`,
      `copy`, `commit` on the filling side; `wait`, `load`, `release` on the
      reading side. How that becomes barriers is a lowering.

    The dialect holds no PTX text and no tile-size constants: instructions live
    in the atoms' files, sizes in the schedule.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEBASE
