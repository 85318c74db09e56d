//===- SparseFlowTernary.td - Quantized weights ------------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWTERNARY_TD
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWTERNARY_TD

// Included by SparseFlowAttributes.td, which defines SparseFlow_Attr.

def SparseFlow_TernaryStorage : I32EnumAttr<"TernaryStorage",
    "how the numbers of a quantized weight are stored", [
      I32EnumAttrCase<"Codes", 1, "codes">,
      I32EnumAttrCase<"BitPlanes", 2, "bit_planes">,
      I32EnumAttrCase<"Base3", 3, "base3">,
      I32EnumAttrCase<"TwoFour", 4, "two_four">,
      I32EnumAttrCase<"TwoFourZero", 5, "two_four_zero">,
      I32EnumAttrCase<"KeyPlanes", 6, "key_planes">,
      I32EnumAttrCase<"ValuePlanes", 7, "value_planes">,
      I32EnumAttrCase<"Int4", 8, "int4">,
      I32EnumAttrCase<"KeyInt8", 9, "key_int8">,
      I32EnumAttrCase<"ValueInt8", 10, "value_int8">,
      I32EnumAttrCase<"KeyInt4", 11, "key_int4">,
      I32EnumAttrCase<"ValueInt4", 12, "value_int4">,
      I32EnumAttrCase<"Int8", 13, "int8">,
      I32EnumAttrCase<"KeyE4M3", 14, "key_e4m3">,
      I32EnumAttrCase<"ValueE4M3", 15, "value_e4m3">
    ]> {
  let cppNamespace = "::mlir::sparseflow";
  let genSpecializedAttr = 0;
}

def SparseFlow_TernaryMethod : I32EnumAttr<"TernaryMethod",
    "how weights are made ternary", [
      I32EnumAttrCase<"Absmean", 0, "absmean">,
      I32EnumAttrCase<"Twn", 1, "twn">,
      I32EnumAttrCase<"Lloyd", 2, "lloyd">
    ]> {
  let cppNamespace = "::mlir::sparseflow";
  let genSpecializedAttr = 0;
}

def SparseFlow_TernaryMethodAttr
    : EnumAttr<SparseFlow_Dialect, SparseFlow_TernaryMethod, "ternary_method"> {
  let description = [{
    `absmean` is the rule of BitNet, for weights that were trained with it, `twn`
    a threshold of 0.7 of the mean magnitude, `lloyd` the least squared error.
    docs/formats/ternary.md has the exact rules.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def SparseFlow_TernaryAttr
    : SparseFlow_Attr<"Ternary", "ternary", [
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>
      ]> {
  let summary = "Weights that are small whole numbers times a scale";
  let description = [{
    A tensor encoding of a weight `[N, K]`:

    ```
    w[n, k] = sum over planes p of scale_p(n, k) * trit_p[n, k]
    ```

    with trits in {-1, 0, 1} and one or two planes. There is one scale for the
    tensor, for each row, or for each group of 32, 64, 128 or 256 adjacent
    columns of a row; their type follows the colon. The tensor keeps its logical
    shape and the element type that it stands for, f16 or bf16; its values are
    not rounded to that type unless it is unpacked.

    The storage names one of the packed layouts of docs/formats (the table is
    `lib/Dialect/SparseFlow/IR/PackedLayouts.cpp`). Where it holds other numbers
    than trits, the encoding is spelled `#sparseflow.quantized`. Of trits, `codes` is tern.v1, `bit_planes` ternbp.v1, `base3` tern3.v1,
    `two_four` tern24.v1 (exactly two of four columns are not zero) and
    `two_four_zero` tern24z.v1 (at most two).

    ```mlir
    tensor<4096x4096xf16, #sparseflow.ternary<codes, scale = row : f32>>
    tensor<64x4096xbf16, #sparseflow.ternary<codes, scale = 128 : f16, planes = 2>>
    tensor<64x4096xf16, #sparseflow.ternary<two_four, scale = tensor : f32>>
    ```

    `int4` is int4.v1, numbers from -8 to 7, and `int8` int8.v1, numbers from
    -127 to 127; both have one plane.

    ```mlir
    tensor<4096x4096xf16, #sparseflow.quantized<int4, scale = 128 : f16>>
    tensor<49152x576xf16, #sparseflow.quantized<int8, scale = row : f16>>
    ```

    **Caches.** `key_planes` (ternk.v1) and `value_planes` (ternv.v1) hold the
    keys and the values of attention, tensors `[B, G, S, D]` of one plane, in
    pages of 64 positions: S is a multiple of 64 and says how many there is room
    for, `lengths` of the op how many are taken. B and S may be dynamic. Their
    scale is one for a `head` (each batch entry and head), for a `token` (of each
    head), or for a group of adjacent features of a head, 32 to 256 of them.

    ```mlir
    tensor<?x8x?x128xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
    tensor<?x8x?x128xf16, #sparseflow.ternary<value_planes, scale = 32 : f16>>
    ```

    `key_int8` (int8k.v1), `value_int8` (int8v.v1), `key_int4` (int4k.v1) and
    `value_int4` (int4v.v1) are the same with numbers of 8 and of 4 bits in two's
    complement; `key_e4m3` (e4m3k.v1) and `value_e4m3` (e4m3v.v1) with floats of 8
    bits, f8E4M3FN. A `token` may have a scale for each 32, 64 or 128 adjacent
    features there.

    ```mlir
    tensor<?x8x?x128xf16, #sparseflow.quantized<key_int8, scale = token : f16>>
    tensor<?x8x?x128xf16, #sparseflow.quantized<value_int4, scale = token x 64 : f16>>
    ```
  }];
  let parameters = (ins
    EnumParameter<SparseFlow_TernaryStorage>:$storage,
    "int64_t":$group,
    "::mlir::Type":$scaleType,
    DefaultValuedParameter<"int64_t", "1", "trits of each weight">:$planes);
  let assemblyFormat = [{
    `<` $storage `,` `scale` `=` custom<TernaryScale>($group, $scaleType)
    (`,` `planes` `=` $planes^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Values of `group` that are no number of columns.
    static constexpr int64_t kTensorScale = 0, kRowScale = 1;
    /// The same, of caches.
    static constexpr int64_t kHeadScale = -1, kTokenScale = -2;
    /// Below: a token has a scale for so many features, their number negated.
    bool isTokenScaled() const { return getGroup() <= kTokenScale; }
    /// Features of a cache that share a scale, of so many.
    int64_t getScaleFeatures(int64_t features) const;
    /// Positions of a cache's page.
    static constexpr int64_t kPageTokens = 64;
    /// The name of the packed layout, such as "tern.v1".
    ::llvm::StringRef getLayout() const;
    /// How the encoding is spelled: "ternary", or of other numbers than -1, 0
    /// and 1 "quantized".
    static constexpr ::llvm::StringLiteral kQuantized = "quantized";
    ::llvm::StringRef getKeyword() const;
    /// Whether weights are -1, 0 or 1 before they are scaled.
    bool isTernary() const;
    bool isTwoFour() const;
    /// Whether kernels multiply it on GPUs.
    bool hasKernels() const;
    static bool isCache(TernaryStorage storage);
    bool isCache() const { return isCache(getStorage()); }
    /// Whether a cache holds values, whose words are those of MMAs along
    /// tokens; otherwise keys.
    bool isValueCache() const;
    /// Bits of an element of a cache: 2, 4 or 8.
    int64_t getCacheBits() const;
    /// Whether the elements of a cache are floats, f8E4M3FN.
    bool isFloatCache() const;
    /// The largest magnitude that an append rounds elements of a cache to, before
    /// they are scaled.
    float getCacheLimit() const;
    /// A cache of vectors of `features`: features with the padding that pages
    /// have; bytes of the planes or numbers of a page, which its scales follow;
    /// scales of a page; bytes of a page.
    int64_t getPageFeatures(int64_t features) const;
    int64_t getPageCodeBytes(int64_t features) const;
    int64_t getPageScales(int64_t features) const;
    int64_t getPageBytes(int64_t features) const;
    /// What the bytes of a cache of type `type` are in memory:
    /// [B, G, pages, bytes of a page] of i8.
    ::mlir::RankedTensorType getPagedType(::mlir::RankedTensorType type) const;
    /// Scales of one plane along K: 1, or the groups of a row.
    int64_t getGroups(int64_t k) const;
    /// Columns that share a scale.
    int64_t getGroupColumns(int64_t k) const;
    /// Bytes of the codes of a weight [n, k], where its scales begin, and bytes
    /// of the whole; valid for shapes that verifyEncoding accepts.
    int64_t getCodeBytes(int64_t n, int64_t k) const;
    int64_t getScaleOffset(int64_t n, int64_t k) const;
    int64_t getSizeInBytes(int64_t n, int64_t k) const;
  }];
}

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWTERNARY_TD
