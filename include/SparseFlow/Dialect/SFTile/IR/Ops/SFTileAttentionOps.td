//===- SFTileAttentionOps.td - Rows of fragments -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What attention needs beside MMAs: statistics of rows, fragments that go
// from one MMA into the next, transposed loads, and fragments whose columns
// are neighbours in memory.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEATTENTIONOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEATTENTIONOPS

def SFTile_Reduction : I32EnumAttr<"Reduction", "how elements become one", [
    I32EnumAttrCase<"Max", 0, "max">,
    I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Or", 2, "or">]> {
  let cppNamespace = "::mlir::sftile";
  let genSpecializedAttr = 0;
}
def SFTile_ReductionAttr
    : EnumAttr<SFTile_Dialect, SFTile_Reduction, "reduction">;

def SFTile_ReduceOp : SFTile_Op<"reduce", [Pure]> {
  let summary = "The maximum or the sum of each row, or whether anything holds";
  let description = [{
    A result of one column holds the whole row's value in every lane that has a
    part of the row. A result with a column for each of these lanes holds what
    each has found in its own registers: no lane waits for another, and a second
    reduction finishes it. A NaN is not a maximum. The order of additions is
    fixed by the layout.

    ```mlir
    %part = sftile.reduce add %p : !sftile.frag<16x64xf32, #accumulator>
        -> !sftile.frag<16x4xf32, #parts>
    %sum = sftile.reduce add %part : !sftile.frag<16x4xf32, #parts>
        -> !sftile.frag<16x1xf32, #rows>
    ```

    The `or` of a fragment of i1 is one scalar for the warp: whether an element is
    true in any lane.

    ```mlir
    %any = sftile.reduce or %grown : !sftile.frag<16x1xi1, #rows> -> i1
    ```
  }];
  let arguments = (ins SFTile_ReductionAttr:$kind, SFTile_FragType:$source);
  let results = (outs AnyTypeOf<[SFTile_FragType, I1]>:$result);
  let assemblyFormat =
      "$kind $source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def SFTile_BroadcastOp : SFTile_Op<"broadcast", [Pure]> {
  let summary = "Repeats a scalar, or the one column or row of a fragment";
  let description = [{
    Every element is the scalar, or element (r, c) is (r, 0) of the source, of one of
    one row (0, c). Every lane has the values of its rows, or columns, already, so this
    costs nothing.

    ```mlir
    %zero = sftile.broadcast %c : f32 -> !sftile.frag<64x64xf32, #accumulator>
    %all = sftile.broadcast %max : !sftile.frag<16x1xf32, #rows>
        -> !sftile.frag<16x64xf32, #accumulator>
    %each = sftile.broadcast %scale : !sftile.frag<1x16xf32, #columns>
        -> !sftile.frag<8x16xf32, #scores>
    ```
  }];
  let arguments = (ins AnyType:$source);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def SFTile_Dimension : I32EnumAttr<"Dimension", "rows or columns", [
    I32EnumAttrCase<"Row", 0, "row">,
    I32EnumAttrCase<"Col", 1, "col">]> {
  let cppNamespace = "::mlir::sftile";
  let genSpecializedAttr = 0;
}
def SFTile_DimensionAttr
    : EnumAttr<SFTile_Dialect, SFTile_Dimension, "dimension">;

def SFTile_PositionsOp : SFTile_Op<"positions", [Pure]> {
  let summary = "The number of each element's row or column";
  let description = [{
    Element (r, c) is `base` + r or `base` + c.

    ```mlir
    %key = sftile.positions col %first : !sftile.frag<16x64xi32, #accumulator>
    ```
  }];
  let arguments = (ins SFTile_DimensionAttr:$dimension, I32:$base);
  let results = (outs SFTile_FragType:$frag);
  let assemblyFormat = "$dimension $base attr-dict `:` type($frag)";
  let hasVerifier = 1;
}

def SFTile_TransposeOp : SFTile_Op<"transpose", [Pure]> {
  let summary = "A fragment with rows and columns exchanged";
  let description = [{
    Element (r, c) of the result is element (c, r) of the source. Where the
    layouts are each other's transposes, the result is in the same registers and
    costs nothing. Otherwise both hold 8x8 matrices of 16-bit elements, two
    neighbouring columns in each lane, and lanes exchange them.

    ```mlir
    %s = sftile.transpose %t : !sftile.frag<16x8xf32, #accumulator>
        -> !sftile.frag<8x16xf32, #transposed>
    %p = sftile.transpose %w : !sftile.frag<16x8xf16, #accumulator>
        -> !sftile.frag<8x16xf16, #b>
    ```
  }];
  let arguments = (ins SFTile_FragType:$source);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// True if no element moves.
    bool isFree();
  }];
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEATTENTIONOPS
