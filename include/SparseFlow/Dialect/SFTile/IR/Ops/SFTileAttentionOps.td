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
    I32EnumAttrCase<"Add", 1, "add">]> {
  let cppNamespace = "::mlir::sftile";
  let genSpecializedAttr = 0;
}
def SFTile_ReductionAttr
    : EnumAttr<SFTile_Dialect, SFTile_Reduction, "reduction">;

def SFTile_ReduceOp : SFTile_Op<"reduce", [Pure]> {
  let summary = "The maximum or the sum of each row of a fragment";
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
  }];
  let arguments = (ins SFTile_ReductionAttr:$kind, SFTile_FragType:$source);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat =
      "$kind $source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def SFTile_BroadcastOp : SFTile_Op<"broadcast", [Pure]> {
  let summary = "Repeats a scalar, or the one column of a fragment";
  let description = [{
    Every element is the scalar, or element (r, c) is (r, 0) of the source. Every
    lane has the values of its rows already, so this costs nothing.

    ```mlir
    %zero = sftile.broadcast %c : f32 -> !sftile.frag<64x64xf32, #accumulator>
    %all = sftile.broadcast %max : !sftile.frag<16x1xf32, #rows>
        -> !sftile.frag<16x64xf32, #accumulator>
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

def SFTile_DecodePlanesOp : SFTile_Op<"decode_planes", [Pure]> {
  let summary = "Keys or values from words of their planes";
  let description = [{
    `words` are words of a page of `ternk.v1` or `ternv.v1`, some for each lane
    (docs/formats/ternary-cache.md). The result is an operand of an MMA, A or B, or
    of several along K: `rows`[i] says which word holds its rows from 8 i on, 64
    columns of K, and `step` where it begins, in steps of 16 of the 64. Elements are
    -2, 0 and 2: a trit in the two top bits of an element is that number. Where
    `flip`, sign bits of a pair of elements, has a bit their sign is the other one.

    An operand of signed bytes (si8) has 32 columns of K, and `step` is 0 or 1; its
    elements are -64, 0 and 64, in the order in which bytes come out of a word:
    4 c + b and 16 + 4 c + b, for a lane's number c in its row, are columns
    8 f + 2 c + b / 2 of the word, where f = 2 `step` and 2 `step` + 1, and four more
    if b is even. `split_bytes` has the same order.

    ```mlir
    %k = sftile.decode_planes %words[0, 2] step 1
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
    %w = sftile.decode_planes %words[0, 2] step 1
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x32xsi8, #a8>
    ```

    ```mlir
    %all = sftile.decode_planes %w[3] step 0 flip %signs
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<8x64xf16, #b>
    ```
  }];
  let arguments = (ins SFTile_FragType:$words, DenseI64ArrayAttr:$rows,
                       I64Attr:$step, Optional<I32>:$flip);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = [{
    $words `` $rows `step` $step (`flip` $flip^)? attr-dict
    `:` type($words) `->` type($result)
  }];
  let hasVerifier = 1;
}

def SFTile_DecodeCacheOp : SFTile_Op<"decode_cache", [Pure]> {
  let summary = "Keys or values from words of an int8 or int4 cache";
  let description = [{
    `words` are a chunk of a page of `int8k.v1`, `int8v.v1`, `int4k.v1` or `int4v.v1`:
    four words for each lane (docs/formats/quantized-cache.md). The result is an
    operand of an MMA, A or B: 16 tokens and 16 features, those from 16 `step` of the
    chunk on, as f16 or bf16, exactly. Of keys, tokens are its rows; with `values`,
    features. `bits` are those of a number, 8 or 4.

    ```mlir
    %k = sftile.decode_cache %words step 1 of 8
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
    %v = sftile.decode_cache %words step 3 of 4 values
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xbf16, #b>
    ```
  }];
  let arguments = (ins SFTile_FragType:$words, I64Attr:$step, I64Attr:$bits,
                       UnitAttr:$values);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = [{
    $words `step` $step `of` $bits (`values` $values^)? attr-dict
    `:` type($words) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEATTENTIONOPS
