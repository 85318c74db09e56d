//===- SFTilePlaneOps.td - Tiles from planes -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers as signed bytes, in a header of their own: few files need them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEPLANEOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEPLANEOPS

include "SparseFlow/Dialect/SFTile/IR/SFTileOps.td"

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
    operand B, are h and l of row r, in the order of K that `#sftile.tern_cache`
    gives of the same step of 64. What is split is `scale` times a number.

    Numbers lie in one of two layouts. In the first a lane has those from which its
    bytes come; `first` has columns 0 to 31 of 64, `second` the others, and `step`
    says which half of K the result is. In the second, that of sums of such bytes,
    `first` and `second` are columns 16 i and 32 + 16 i on for step i; the bytes
    cross lanes, as one 8x8 matrix of pairs for each of their 8 columns.

    ```mlir
    %q8 = sftile.split_bytes %q0, %q1 step 1
        : !sftile.frag<4x32xf32, #pairs> -> !sftile.frag<8x32xsi8, #b8>
    ```

    ```mlir
    %p8 = sftile.split_bytes %p0, %p2 scale 32512.0
        : !sftile.frag<4x16xf32, #heads> -> !sftile.frag<8x32xsi8, #b8>
    ```
  }];
  let arguments = (ins SFTile_FragType:$first, SFTile_FragType:$second,
                       DefaultValuedAttr<I64Attr, "0">:$step,
                       OptionalAttr<F32Attr>:$scale);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = [{
    $first `,` $second (`step` $step^)? (`scale` $scale^)? attr-dict
    `:` type($first) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// True if lanes have the numbers of their own bytes.
    bool hasOwnNumbers();
    /// What numbers are multiplied by.
    float getFactor();
  }];
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEPLANEOPS
