//===- SFTileCodecs.td - Packed encodings -------------------*- tablegen -*-===//
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

//===----------------------------------------------------------------------===//
// Keys and values of a cache
//===----------------------------------------------------------------------===//

class SFTile_CacheCodec<string name, string mnemonic,
                        list<string> overridden = []>
    : SFTile_Attr<name, mnemonic, [
        DeclareAttrInterfaceMethods<SFTile_CacheCodecInterface, overridden>]>;

def SFTile_TernCacheAttr : SFTile_CacheCodec<"TernCache", "tern_cache",
    ["hasSignBits"]> {
  let summary = "ternk.v1 and ternv.v1: planes of trits, two bits each";
  let description = [{
    Word i of a lane holds rows 8 i to 8 i + 7 of the operand and 64 columns of K
    (docs/formats/ternary-cache.md). Elements of f16 and bf16 are -2, 0 and 2: a trit
    in the two top bits of an element is that number; there may be several times 16
    columns.

    An operand of signed bytes (si8) has 32 columns; its elements are -64, 0 and 64,
    in the order in which bytes come out of a word: 4 c + b and 16 + 4 c + b, for a
    lane's number c in its row, are columns 8 f + 2 c + b / 2 of the word, where
    f = `col` / 16 and `col` / 16 + 1, and four more if b is even. `split_bytes` has
    the same order.

    ```mlir
    %two = sftile.slice %words[0, 0] strides [1, 2]
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<32x2xi32, #two>
    %k = sftile.decode %two[16] by (#sftile.tern_cache)
        : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x16xf16, #b>
    %w = sftile.decode %two[32] by (#sftile.tern_cache)
        : !sftile.frag<32x2xi32, #two> -> !sftile.frag<16x32xsi8, #a8>
    ```
  }];
}

def SFTile_CacheOperand : I32EnumAttr<"CacheOperand", "what a cache holds", [
    I32EnumAttrCase<"Keys", 0, "keys">,
    I32EnumAttrCase<"Values", 1, "values">]> {
  let cppNamespace = "::mlir::sftile";
  let genSpecializedAttr = 0;
}

def SFTile_IntCacheAttr : SFTile_CacheCodec<"IntCache", "int_cache"> {
  let summary = "int8k.v1, int8v.v1, int4k.v1 and int4v.v1";
  let description = [{
    The four words of a lane are a chunk of a page (docs/formats/quantized-cache.md):
    16 tokens and 32 features of 8 `bits`, or 64 of 4. The result are the tokens and
    16 features, those from `col` of the chunk on, as f16 or bf16, exactly. Of keys,
    tokens are its rows; of values, features.

    With `bare` an element is f16 that has the bits of a number in its lowest ones, the
    highest of them changed: 2^-24 times the number plus 128 or 8, a denormal, exactly.
    Of 4 bits it is 16 times that, but for features 0 to 7 of values. Who multiplies with
    them takes both away.

    ```mlir
    %k = sftile.decode %words[16] by (#sftile.int_cache<8, keys>)
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
    %v = sftile.decode %words[48] by (#sftile.int_cache<4, values>)
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xbf16, #b>
    ```
  }];
  let parameters = (ins "int64_t":$bits,
                        EnumParameter<SFTile_CacheOperand>:$operand,
                        DefaultValuedParameter<"bool", "false">:$bare);
  let assemblyFormat = "`<` $bits `,` $operand (`,` `bare` `=` $bare^)? `>`";
  let genVerifyDecl = 1;
}

def SFTile_E4M3CacheAttr : SFTile_Attr<"E4M3Cache", "e4m3_cache", [
    DeclareAttrInterfaceMethods<SFTile_CacheCodecInterface>,
    DeclareAttrInterfaceMethods<SFTile_AtomInterface>]> {
  let summary = "e4m3k.v1 and e4m3v.v1";
  let description = [{
    Floats of 8 bits, f8E4M3FN, at the places that `int_cache` has for numbers of 8
    bits; f16 and bf16 hold all of them exactly, and NaN stays NaN. With `converts`
    f16 comes by `cvt.rn.f16x2.e4m3x2`, which sm_89 and later have.

    ```mlir
    %k = sftile.decode %words[16] by (#sftile.e4m3_cache<keys>)
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
    ```
  }];
  let parameters = (ins EnumParameter<SFTile_CacheOperand>:$operand,
                        DefaultValuedParameter<"bool", "false">:$converts);
  let assemblyFormat = "`<` $operand (`,` `converts` `=` $converts^)? `>`";
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILECODECS
