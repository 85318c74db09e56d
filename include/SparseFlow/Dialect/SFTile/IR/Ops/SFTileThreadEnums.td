//===- SFTileThreadEnums.td - Choices of thread operations -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILETHREADENUMS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILETHREADENUMS

include "mlir/IR/EnumAttr.td"

def SFTile_Codec : I32EnumAttr<"Codec", "how weights are packed", [
    I32EnumAttrCase<"TernV1", 0, "tern_v1">,
    I32EnumAttrCase<"Tern24V1", 1, "tern24_v1">,
    I32EnumAttrCase<"Tern24zV1", 2, "tern24z_v1">]> {
  let cppNamespace = "::mlir::sftile";
}

def SFTile_BytesKind : I32EnumAttr<"BytesKind", "what happens to bytes", [
    I32EnumAttrCase<"Permute", 0, "permute">,
    I32EnumAttrCase<"Round", 1, "round">,
    I32EnumAttrCase<"Sum", 2, "sum">]> {
  let cppNamespace = "::mlir::sftile";
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILETHREADENUMS
