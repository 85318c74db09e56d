//===- SFTileAttrs.td - Layouts and atoms -----------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEATTRS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEATTRS

include "SparseFlow/Dialect/SFTile/IR/SFTileBase.td"
include "SparseFlow/Dialect/SFTile/IR/SFTileInterfaces.td"

class SFTile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<SFTile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Orders of elements in memory
//===----------------------------------------------------------------------===//

def SFTile_Order : I32EnumAttr<"Order", "how the elements of a tile lie in memory", [
    I32EnumAttrCase<"RowMajor", 0, "row_major">,
    I32EnumAttrCase<"Swizzled", 1, "swizzled">,
    I32EnumAttrCase<"Values24", 2, "values24">,
    I32EnumAttrCase<"Metadata24", 3, "metadata24">,
    I32EnumAttrCase<"TensorMap", 4, "tensor_map">,
    I32EnumAttrCase<"Ternary", 5, "ternary">,
    I32EnumAttrCase<"GroupedRows", 6, "grouped_rows">]> {
  let description = [{
    * `row_major`: rows one after another.
    * `swizzled`: row-major, with the 16-byte chunks of a row exchanged by an
      exclusive or with the row number, so that eight rows of one column of
      chunks lie in different banks.
    * `values24`: the values of packed 2:4 weights, layout sf24.v1: units of 64
      rows x 32 nonzeros, 4096 bytes each, made of 8x8 core matrices.
    * `metadata24`: their metadata: a unit is 4 x 32 words, a word for each lane
      of the warp that multiplies 16 of its rows.
    * `ternary`: the words of packed quantized weights that are not sparse, such
      as tern.v1: a unit is 4 x 128 words, a row of words for 16 rows of the weight
      and in it four words for each lane of the warp that multiplies them.
    * `tensor_map`: rows of a pitch that a tensor map tells; global memory only.
    * `grouped_rows`: rows in groups that have a pitch of their own, such as the
      heads of a query for each query; global memory only.
  }];
  let cppNamespace = "::mlir::sftile";
  let genSpecializedAttr = 0;
}

def SFTile_LayoutAttr : SFTile_Attr<"Layout", "layout"> {
  let summary = "Which lane and register of a warp holds which element";
  let description = [{
    An F2-linear map from the bits of the register number and of the lane number
    to a position in an instruction's tile: the position is the exclusive or of
    the pairs whose bit is set. `SparseFlow/Support/LinearLayout.h` teaches it.

    The accumulator of `mma.m16n8k16`:

    ```mlir
    #accumulator = #sftile.layout<registers = [[0, 1], [8, 0]],
        lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
    ```
  }];
  let parameters = (ins
    "::mlir::ArrayAttr":$registers,
    "::mlir::ArrayAttr":$lanes);
  let assemblyFormat = "`<` `registers` `=` $registers `,` `lanes` `=` $lanes `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static LayoutAttr get(::mlir::MLIRContext *context,
                          const ::mlir::sftile::LinearLayout &layout);
    ::mlir::sftile::LinearLayout getLayout() const;
  }];
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

class SFTile_MmaAtom<string name, string mnemonic>
    : SFTile_Attr<name, mnemonic, [
        DeclareAttrInterfaceMethods<SFTile_AtomInterface>,
        DeclareAttrInterfaceMethods<SFTile_MmaAtomInterface>]> {
  let parameters = (ins "int64_t":$depth, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $depth `,` $elementType `>`";
  let genVerifyDecl = 1;
}

def SFTile_MmaSyncAttr : SFTile_MmaAtom<"MmaSync", "mma_sync"> {
  let summary = "mma.sync m16n8: a dense MMA of a warp";
  let description = [{
    `#sftile.mma_sync<16, f16>`: K = 16, elements f16 or bf16, f32
    accumulation.
  }];
}

def SFTile_MmaSpSyncAttr : SFTile_MmaAtom<"MmaSpSync", "mma_sp_sync"> {
  let summary = "mma.sp m16n8: a 2:4 sparse MMA of a warp";
  let description = [{
    `#sftile.mma_sp_sync<32, f16>`: K = 16 or 32, elements f16 or bf16, f32
    accumulation. `#sftile.mma_sp_sync<64, si8>`: K = 64, signed bytes, i32
    accumulation. Metadata is ordered.
  }];
}

def SFTile_MmaInt8SyncAttr : SFTile_MmaAtom<"MmaInt8Sync", "mma_int8_sync"> {
  let summary = "mma.sync m16n8k32: an exact int8 MMA";
  let description = [{
    `#sftile.mma_int8_sync<32, i8>`: K = 32, A of unsigned and B of signed
    bytes, i32 accumulation. `#sftile.mma_int8_sync<32, si8>`: both are signed.
  }];
}

def SFTile_WgmmaAttr : SFTile_Attr<"Wgmma", "wgmma", [
    DeclareAttrInterfaceMethods<SFTile_AtomInterface, ["isArchSpecific"]>,
    DeclareAttrInterfaceMethods<SFTile_AsyncMmaAtomInterface>]> {
  let summary = "wgmma m64: an MMA of a warpgroup on Hopper";
  let description = [{
    `#sftile.wgmma<f16>`: k = 16, f16 or bf16, f32 accumulation. A is a swizzled
    tile with rows of 128 bytes, or in registers.
    `#sftile.wgmma<f16, sparse>`: k = 32 with a 2:4 sparse A, a `values24` tile or
    in registers; metadata is in registers.
    `#sftile.wgmma<i8>`: k = 32, A of unsigned and B of signed bytes, i32
    accumulation, A in registers. `#sftile.wgmma<si8>`: both are signed.
    `#sftile.wgmma<i8, sparse>`: k = 64, signed bytes, A in registers.

    B is a swizzled tile with rows of 128 bytes.
  }];
  let parameters = (ins "::mlir::Type":$elementType,
                        DefaultValuedParameter<"bool", "false">:$sparse);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

class SFTile_CopyAtom<string name, string mnemonic, list<string> methods>
    : SFTile_Attr<name, mnemonic, [
        DeclareAttrInterfaceMethods<SFTile_AtomInterface>,
        DeclareAttrInterfaceMethods<SFTile_CopyAtomInterface, methods>]>;

class SFTile_ThreadCopyAtom<string name, string mnemonic, list<string> methods>
    : SFTile_CopyAtom<name, mnemonic, methods> {
  let parameters = (ins "int64_t":$width);
  let assemblyFormat = "`<` $width `>`";
  let genVerifyDecl = 1;
}

def SFTile_CpAsyncAttr : SFTile_ThreadCopyAtom<"CpAsync", "cp_async",
    ["getBytes", "emitCommit", "emitWait"]> {
  let summary = "cp.async of 4, 8 or 16 bytes";
  let description = [{
    `#sftile.cp_async<16>` bypasses the L1 cache, the narrower ones do not.
  }];
}

def SFTile_LdStAttr : SFTile_ThreadCopyAtom<"LdSt", "ld_st",
    ["getBytes", "isAsynchronous"]> {
  let summary = "A load followed by a store, for pointers that cp.async refuses";
  let description = [{
    `#sftile.ld_st<2>` moves one 16-bit element. It is synchronous: the bytes
    are in shared memory when the thread goes on.
  }];
}

def SFTile_BulkAttr : SFTile_CopyAtom<"Bulk", "bulk",
    ["isBulk", "emitStoreBytes", "emitCommit", "emitWait"]> {
  let summary = "cp.async.bulk: a copy of adjacent bytes, started by one thread";
}

def SFTile_TmaAttr : SFTile_CopyAtom<"Tma", "tma",
    ["isBulk", "usesTensorMap", "emitStore", "emitCommit", "emitWait"]> {
  let summary = "cp.async.bulk.tensor: a copy of a box, started by one thread";
  let description = [{
    Loads and stores boxes of a matrix that a tensor map describes. What lies
    outside the matrix is read as zeros and not written.
  }];
}

def SFTile_LdMatrixAttr : SFTile_Attr<"LdMatrix", "ldmatrix", [
    DeclareAttrInterfaceMethods<SFTile_AtomInterface>,
    DeclareAttrInterfaceMethods<SFTile_MatrixAtomInterface, ["emitLoad"]>]> {
  let summary = "ldmatrix of one, two or four 8x8 matrices of 16-bit elements";
}

def SFTile_StMatrixAttr : SFTile_Attr<"StMatrix", "stmatrix", [
    DeclareAttrInterfaceMethods<SFTile_AtomInterface>,
    DeclareAttrInterfaceMethods<SFTile_MatrixAtomInterface,
                                ["isStore", "emitStore"]>]> {
  let summary = "stmatrix of one, two or four 8x8 matrices of 16-bit elements";
}

include "SparseFlow/Dialect/SFTile/IR/SFTileCodecs.td"

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEATTRS
