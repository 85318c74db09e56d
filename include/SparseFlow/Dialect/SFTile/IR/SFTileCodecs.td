//===- SFTileCodecs.td - Packed encodings of weights ---------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILECODECS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILECODECS

// Included by SFTileAttrs.td, which defines SFTile_Attr. docs/formats has the
// places of all bits.

class SFTile_Codec<string name, string mnemonic, list<string> overridden = []>
    : SFTile_Attr<name, mnemonic, [
        DeclareAttrInterfaceMethods<SFTile_CodecInterface, overridden>]>;

def SFTile_TernV1Attr : SFTile_Codec<"TernV1", "tern_v1",
    ["getBias", "isStreamed"]> {
  let summary = "tern.v1: ternary weights, two bits each";
  let description = [{
    A word has 16 codes, 0, 1 and 2 for -1, 0 and 1, of two rows and 32 columns;
    a unit has 128 columns. As f16, bf16 and si8 they are the weights, as i8 the
    unsigned codes, one more than the weights. Bytes are in the order of columns
    that docs/formats/ternary.md gives, which B has to have too.
  }];
}

def SFTile_Tern24V1Attr : SFTile_Codec<"Tern24V1", "tern24_v1",
    ["getWordsPerLane", "isSparse", "isStreamed"]> {
  let summary = "tern24.v1: 2:4 sparse ternary weights, 1.5 bits each";
  let description = [{
    Of each four columns two are nonzeros; a word has the signs of 32 of them. A
    unit has 256 columns. For MMAs of f16 and bf16 lanes of a quad have exchanged
    bytes (`load_nonzeros`).
  }];
}

def SFTile_Tern24zV1Attr : SFTile_Codec<"Tern24zV1", "tern24z_v1",
    ["isSparse", "isStreamed"]> {
  let summary = "tern24z.v1: the same with at most two nonzeros, 2 bits each";
  let description = [{
    As `tern24_v1`, but that the weights at the two positions of four columns are
    -1, 0 or 1: a word has 16 of them, two bits each.
  }];
}

def SFTile_Int4V1Attr : SFTile_Codec<"Int4V1", "int4_v1"> {
  let summary = "int4.v1: weights from -8 to 7, four bits each";
  let description = [{
    A word has 8 codes, 8 more than the weights, of two rows and 16 columns: those
    of a lane in one MMA of f16 or bf16. A unit has 64 columns.

    ```mlir
    %a = sftile.decode %codes[16] by (#sftile.int4_v1)
        : !sftile.frag<4x128xi32, #codes> -> !sftile.frag<64x16xf16, #a>
    ```
  }];
}

def SFTile_Int8V1Attr : SFTile_Codec<"Int8V1", "int8_v1"> {
  let summary = "int8.v1: weights from -127 to 127, a byte each";
  let description = [{
    A word has 4 weights in two's complement, of one row and 16 columns. A unit has
    32 columns.

    ```mlir
    %a = sftile.decode %codes[16] by (#sftile.int8_v1)
        : !sftile.frag<4x128xi32, #codes> -> !sftile.frag<64x16xbf16, #a>
    ```
  }];
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILECODECS
