//===- SFTilePlaneOps.td - Tiles from planes -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that fill stages with what the threads of a role have computed, in
// a header of their own: few files need them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEPLANEOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEPLANEOPS

include "SparseFlow/Dialect/SFTile/IR/SFTileOps.td"

def SFTile_PutTritsOp : SFTile_Op<"put_trits"> {
  let summary = "Stores the trits of a word as numbers into a slot";
  let description = [{
    `words` are words of a page of `ternk.v1` or `ternv.v1`, some for each lane
    (docs/formats/ternary-cache.md). Word number `word` of all lanes is a block of
    8 rows, 64 deep; its element (r, d) becomes element (`row` + r, `col` + d) of
    the slot, or with `transposed` element (`row` + d, `col` + r). Both are
    multiples of 8. Elements are -2, 0 and 2, as those of `expand_trits`; where
    `flip`, sign bits of a pair of elements, has a bit their sign is the other one.

    The slot is of a ring that another role reads; `commit` makes what all warps
    of the filling role have put visible to it.

    ```mlir
    sftile.put_trits %w[1] to %slot[%key, %c0] by (#sftile.stmatrix)
        : !sftile.frag<32x4xi32, #words> to !sftile.slot<128x64xf16, swizzled>
    sftile.put_trits %w[3] flip %signs to %slot[%key, %c0] transposed
        by (#sftile.stmatrix)
        : !sftile.frag<32x4xi32, #words> to !sftile.slot<128x64xf16, swizzled>
    ```
  }];
  let arguments = (ins SFTile_FragType:$words, I64Attr:$word,
                       Optional<I32>:$flip, SFTile_SlotType:$slot, Index:$row,
                       Index:$col, UnitAttr:$transposed,
                       SFTile_MatrixAtomInterface:$atom);
  let assemblyFormat = [{
    $words `[` $word `]` (`flip` $flip^)? `to` $slot `[` $row `,` $col `]`
    (`transposed` $transposed^)? `by` `(` $atom `)` attr-dict
    `:` type($words) `to` type($slot)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Numbers as pairs of signed bytes
//===----------------------------------------------------------------------===//

def SFTile_SplitBytesOp : SFTile_Op<"split_bytes", [
    Pure, TypesMatchWith<"the fragments have one type", "first", "second",
                         "$_self">]> {
  let summary = "Rows of numbers as an operand of signed bytes";
  let description = [{
    Numbers from -32512 to 32512, rounded to the nearest integer, even if tied, are
    256 h + l with signed bytes h and l. Rows 2 r and 2 r + 1 of the result, an
    operand B, are h and l of row r, for the depths that `expand_trits` gives of the
    same `step` of 64: `first` has columns 0 to 31 of these, `second` the others.
    Their layout is fixed: a lane has the numbers from which its bytes come.

    ```mlir
    %q8 = sftile.split_bytes %q0, %q1 step 0
        : !sftile.frag<4x32xf32, #pairs> -> !sftile.frag<8x32xsi8, #b8>
    ```
  }];
  let arguments = (ins SFTile_FragType:$first, SFTile_FragType:$second,
                       I64Attr:$step);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = [{
    $first `,` $second `step` $step attr-dict
    `:` type($first) `->` type($result)
  }];
  let hasVerifier = 1;
}

def SFTile_WeightBytesOp : SFTile_Op<"weight_bytes", [
    Pure, TypesMatchWith<"the fragments have one type", "first", "second",
                         "$_self">]> {
  let summary = "Weights of keys as an operand of signed bytes";
  let description = [{
    The same for numbers of which a lane has one row and the columns that its
    number's upper bits say, as `join_bytes` leaves them. `first` and `second` are
    columns 16 `step` and 32 + 16 `step` on of the 64 of a page; what is split is
    `scale` times a number. The bytes cross lanes, as one 8x8 matrix of pairs for
    each of their 8 columns.

    ```mlir
    %p8 = sftile.weight_bytes %p0, %p2 scale 32512.0
        : !sftile.frag<4x16xf32, #heads> -> !sftile.frag<8x32xsi8, #b8>
    ```
  }];
  let arguments = (ins SFTile_FragType:$first, SFTile_FragType:$second,
                       F32Attr:$scale);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = [{
    $first `,` $second `scale` $scale attr-dict
    `:` type($first) `->` type($result)
  }];
  let hasVerifier = 1;
}

def SFTile_JoinBytesOp : SFTile_Op<"join_bytes", [Pure]> {
  let summary = "Sums of high and of low bytes as sums of numbers";
  let description = [{
    Element (r, k) of the result is 256 times element (k, 2 r) of the accumulator
    plus element (k, 2 r + 1): both are in one lane.

    ```mlir
    %s = sftile.join_bytes %acc
        : !sftile.frag<16x8xi32, #c> -> !sftile.frag<4x16xi32, #heads>
    ```
  }];
  let arguments = (ins SFTile_FragType:$sums);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = "$sums attr-dict `:` type($sums) `->` type($result)";
  let hasVerifier = 1;
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEPLANEOPS
