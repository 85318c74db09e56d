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
                       SFTile_MatrixStoreAtomInterface:$atom);
  let assemblyFormat = [{
    $words `[` $word `]` (`flip` $flip^)? `to` $slot `[` $row `,` $col `]`
    (`transposed` $transposed^)? `by` `(` $atom `)` attr-dict
    `:` type($words) `to` type($slot)
  }];
  let hasVerifier = 1;
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEPLANEOPS
