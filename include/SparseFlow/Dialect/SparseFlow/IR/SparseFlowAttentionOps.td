//===- SparseFlowAttentionOps.td - Attention ---------------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWATTENTIONOPS_TD
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWATTENTIONOPS_TD

def SparseFlow_AttentionLayout : I32EnumAttr<"AttentionLayout",
    "the order of the dimensions of queries, keys, values and the result", [
      I32EnumAttrCase<"Bhsd", 0, "bhsd">,
      I32EnumAttrCase<"Bshd", 1, "bshd">
    ]> {
  let cppNamespace = "::mlir::sparseflow";
  let genSpecializedAttr = 0;
}

def SparseFlow_AttentionLayoutAttr
    : EnumAttr<SparseFlow_Dialect, SparseFlow_AttentionLayout,
               "attention_layout"> {
  let description = [{
    `bhsd` is [batch, head, position, feature], `bshd` is [batch, position, head,
    feature].
  }];
  let assemblyFormat = "`<` $value `>`";
}

def SparseFlow_AttentionMode : I32EnumAttr<"AttentionMode",
    "which operands of attention are ternary", [
      I32EnumAttrCase<"FullPrecision", 0, "full_precision">,
      I32EnumAttrCase<"TernaryKeys", 1, "ternary_keys">,
      I32EnumAttrCase<"TernaryKeysValues", 2, "ternary_keys_values">
    ]> {
  let cppNamespace = "::mlir::sparseflow";
  let genSpecializedAttr = 0;
}

def SparseFlow_AttentionOp : SparseFlow_Op<"attention", [
    Pure, AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "o = softmax(mask(score(scale * q k^T))) v";
  let description = [{
    Scaled dot-product attention. For batch entry b, query head h and query i,
    with the key head g = h / (query heads / key heads):

    ```
    s[j]  = score(scale * sum_d f32(q[b,h,i,d]) * f32(k[b,g,j,d]), b, h, i, j,
                  operand_0 at its indices, ...)
    A     = the keys j that query i may attend to, below
    lse   = log(sum_{j in A} exp(s[j]))
    o[b,h,i,:] = sum_{j in A} exp(s[j] - lse) * v[b,g,j,:]
    ```

    The softmax is computed in f32. A key is left out of the maximum and of the
    sum, not only of the result.

    **Which keys.** L is the number of keys: `lengths`[b], clamped to 0 ... S_k,
    where the operand is given, else S_k. Query i stands at key position
    p = i + L - S_q (the last query at the last key: bottom-right alignment, for
    every pair of lengths). Key j is in A if 0 <= j < L, and

    * with `causal`: j <= p;
    * with `window = w`: p - w < j, and j < p + w. So w keys with `causal`, the
      query's own included, and 2 w - 1 without it.

    A query with nothing to attend to (A empty, or every score -inf) gives a row
    of zeros and an `lse` of -inf.

    **Scores.** The optional region `score` is scalar arithmetic on the scaled
    product: it sees the product (f32), the indices b, h, i, j (i32) and one
    element of each score operand, and yields the score (f32). An operand's
    dimensions are named by letters of "bhqk", in this order: "bhqk" is a bias
    for every score, "qk" one that all heads share, "h" a slope for each head, ""
    a scalar.

    A region may yield -inf for a key that is to be left out, by comparisons of i
    and j. Where these are a causal mask or a window at the positions above they
    become `causal` and `window` (canonicalization); else keys that they leave
    out for all queries of a block are not visited either, as far as they are
    sums of i, j and constants, joined by and, or, not, min and max. Any other
    -inf, and any other number however small, masks nothing that is not visited.
    A value that is no number counts if its key is visited.

    **Sink logits.** With `sink_logits`, an f32 for each query head [H], the
    softmax has one more entry, which has no value: `lse` is then
    log(exp(sink_logits[h]) + sum_{j in A} exp(s[j])), and the weights of the
    keys add up to less than one (attention sinks that a model has learned). A
    logit counts as it is, neither scaled nor seen by the score region; -inf is
    none. A query with nothing to attend to has zeros, and the logit as its
    `lse`.

    ```mlir
    func.func @sinks(%q: tensor<?x64x1x64xbf16>, %k: tensor<?x8x?x64xbf16>,
                     %v: tensor<?x8x?x64xbf16>, %n: tensor<?xi32>,
                     %sinks: tensor<64xf32>) -> tensor<?x64x1x64xbf16> {
      %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>)
          sink_logits(%sinks : tensor<64xf32>) {window = 128 : i64}
        : tensor<?x64x1x64xbf16>, tensor<?x8x?x64xbf16>,
          tensor<?x8x?x64xbf16> -> tensor<?x64x1x64xbf16>
      return %o : tensor<?x64x1x64xbf16>
    }
    ```

    **Shapes.** In the layout `bhsd` (default): q [B, H, S_q, D], k [B, G, S_k,
    D], v [B, G, S_k, D_v], o [B, H, S_q, D_v], and the optional second result,
    the log-sum-exp in natural units, f32 [B, H, S_q] in every layout. In `bshd`
    the second and third dimensions change places in q, k, v and o.

    *Preconditions*: H, G, D and D_v are static and positive, H is a multiple of
    G; B, S_q and S_k may be dynamic. q, k and v have one element type, f16 or
    bf16; o holds f16, bf16 or f32. `scale` is 1/sqrt(D) where it is not given,
    and at most 1024 in magnitude: scores are kept in f32.

    A key that is left out has no influence, whatever finite value it or its
    value vector holds.

    **Values that are part of their rows.** With `value_features = n`, D_v is n
    and the values are the first n features of the rows of v. Where v is k
    itself, keys and values are one cache, which kernels read once: the latent
    vectors of multi-head latent attention (MLA), whose scores take rotary
    features too, behind the ones that are averaged. A `tensor.extract_slice` of
    the first features becomes this form. *Preconditions*: n is positive, at most
    the features of v, and v is no cache of planes or numbers with scales.

    ```mlir
    func.func @latent(%q: tensor<?x128x1x576xbf16>, %cache: tensor<?x1x?x576xbf16>)
        -> tensor<?x128x1x512xbf16> {
      %o = sparseflow.attention %q, %cache, %cache
          {scale = 0.1352337788 : f32, value_features = 512 : i64}
        : tensor<?x128x1x576xbf16>, tensor<?x1x?x576xbf16>,
          tensor<?x1x?x576xbf16> -> tensor<?x128x1x512xbf16>
      return %o : tensor<?x128x1x512xbf16>
    }
    ```

    **Pages.** With `pages`, a page table [B, C] of i32, keys and values lie in
    pages that all batch entries share: in `bhsd` k is [P, G, page, D] and v is
    [P, G, page, D_v], in `bshd` k is [P, page, G, D] and v is
    [P, page, G, D_v]. Key j of batch entry b is row j mod page of page
    table[b, j / page], and S_k is C * page. Pages may come in any order, and one
    page may stand in several places of the table. Only the entries of pages
    that hold a key j < L are read, and these are 0 ... P - 1: a checked run
    refuses others, and any other run reads zeros in their place. Without pages
    (P = 0) there are no keys.

    *Preconditions*: page is static, a multiple of 16 from 16 to 256, of int8,
    int4 and e4m3 caches 64, 128, 192 or 256; k and v are no ternary caches,
    which have pages of their own; C is static where a score operand is indexed by the key.

    **Sequences one behind the other.** With `cu_seqlens`, the sequences of a
    batch, whatever their lengths, follow one another in one entry: q is
    [1, H, T_q, D], k is [1, G, T_k, D], in `bshd` [1, T_q, H, D], the form of
    variable-length (varlen) prefill without padding. The operands are cumulative
    lengths of queries and of keys, both [N + 1] of i32, on the device:
    sequence n has the queries cu_seqlens_q[n] ... cu_seqlens_q[n + 1] - 1, and
    keys in the same way. It is computed as a batch entry of its own: S_q and
    S_k are its numbers of queries and keys, and query i, key j and batch entry
    b = n of masks and of the score count from its first on. So a chunk of a
    prompt stands at the end of its keys. Sequences without queries, without
    keys, or of one token are sequences. Queries behind the last sequence belong
    to none: their results are zeros, their `lse` -inf.

    *Preconditions*: the offsets begin with 0, never decrease, and end at most
    at T_q or T_k: a checked run refuses others, and any other run clamps them to
    0 ... T_q or T_k and takes a sequence that ends before it begins as empty, so
    that nothing outside the tensors is touched. There are no `pages` and score
    operands beside them, and no caches of fewer bits but those of the next
    paragraph.

    ```mlir
    func.func @prefill(%q: tensor<1x?x32x128xf16>, %k: tensor<1x?x8x128xf16>,
                       %v: tensor<1x?x8x128xf16>, %cu: tensor<?xi32>)
        -> tensor<1x?x32x128xf16> {
      %o = sparseflow.attention %q, %k, %v
          cu_seqlens(%cu, %cu : tensor<?xi32>, tensor<?xi32>)
          {causal, layout = #sparseflow.attention_layout<bshd>}
        : tensor<1x?x32x128xf16>, tensor<1x?x8x128xf16>, tensor<1x?x8x128xf16>
          -> tensor<1x?x32x128xf16>
      return %o : tensor<1x?x32x128xf16>
    }
    ```

    **Queries one behind the other, each sequence behind a cache.** With
    `lengths`, `cu_seqlens` has the cumulative lengths of queries alone, and the
    keys of sequence n are the first `lengths`[n] of entry n of k and v, [N, G,
    S_k, D], or of row n of a page table [N, C]: prompts and chunks of prompts
    of several lengths behind caches that they have grown already, beside
    sequences that decode, as servers batch them. All else is as above: S_q is
    the sequence's number of queries, the last of them stands at its last key,
    and results, log-sum-exps and score indices are those of packed sequences.

    *Preconditions*: those of packed queries and of pages; `lengths` and the
    first dimension of k and v, or of the table, count the sequences. Where they
    are fewer at run time than `cu_seqlens` has, the queries of the others
    belong to no sequence (a checked run refuses that). Caches may be int8, int4
    and e4m3, not ternary.

    ```mlir
    func.func @chunks(%q: tensor<1x?x32x128xf16>, %k: tensor<?x64x8x128xf16>,
                      %v: tensor<?x64x8x128xf16>, %n: tensor<?xi32>,
                      %table: tensor<?x?xi32>, %cu: tensor<?xi32>)
        -> tensor<1x?x32x128xf16> {
      %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>)
          pages(%table : tensor<?x?xi32>) cu_seqlens(%cu : tensor<?xi32>)
          {causal, layout = #sparseflow.attention_layout<bshd>}
        : tensor<1x?x32x128xf16>, tensor<?x64x8x128xf16>, tensor<?x64x8x128xf16>
          -> tensor<1x?x32x128xf16>
      return %o : tensor<1x?x32x128xf16>
    }
    ```

    **Ternary keys and values.** k, or k and v, may be ternary caches
    (`#sparseflow.ternary<key_planes, ...>` and `<value_planes, ...>`), in the
    layout `bhsd`; q holds the type that they stand for. The mode follows from
    the types: `full_precision`, `ternary_keys`, `ternary_keys_values`. Values
    count as they are, scale * trit, not rounded. Ternary values with full keys
    are refused: the scores read keys at full cost then, and rounding values
    hurts the result directly.

    **Int8, int4 and e4m3 keys and values.** k and v may be caches of numbers with
    scales (`#sparseflow.quantized<key_int8, ...>`, `key_int4` or `key_e4m3`, and
    `value_int8`, `value_int4` or `value_e4m3`, in any combination), in the layout `bhsd`. They count as they
    are, scale * number, not rounded. A scale of a token that is left out may be
    anything, also NaN; elements are finite otherwise.

    ```mlir
    func.func @int4(
        %q: tensor<?x32x1x128xf16>,
        %k: tensor<?x8x64x128xf16,
                   #sparseflow.quantized<key_int4, scale = token x 64 : f16>>,
        %v: tensor<?x8x64x128xf16,
                   #sparseflow.quantized<value_int4, scale = token : f16>>,
        %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> tensor<?x32x1x128xf16> {
      %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>)
          pages(%table : tensor<?x?xi32>)
        : tensor<?x32x1x128xf16>,
          tensor<?x8x64x128xf16,
                 #sparseflow.quantized<key_int4, scale = token x 64 : f16>>,
          tensor<?x8x64x128xf16,
                 #sparseflow.quantized<value_int4, scale = token : f16>>
          -> tensor<?x32x1x128xf16>
      return %o : tensor<?x32x1x128xf16>
    }
    ```

    With `plane_mask = 32` or `64` a device may mask the planes too, in words of
    that many keys; pages that no query of a block sees are never read. A cleared
    key is a key of zeros: its score is 0, not -inf, so it would stay in the
    normaliser. Therefore the planes are masked beside the exclusion of the keys
    from maximum, sum and result, never instead of it: without `causal`, a
    `window` or `lengths` there is no such exclusion, and the op is refused. The
    result is the same with and without.

    ```mlir
    func.func @causal(%q: tensor<?x8x?x64xf16>, %k: tensor<?x2x?x64xf16>,
                      %v: tensor<?x2x?x64xf16>) -> tensor<?x8x?x64xf16> {
      %o = sparseflow.attention %q, %k, %v {causal}
        : tensor<?x8x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16>
          -> tensor<?x8x?x64xf16>
      return %o : tensor<?x8x?x64xf16>
    }
    ```

    A ragged cache, softcap, a bias shared by all heads, and the log-sum-exp:

    ```mlir
    func.func @capped(%q: tensor<4x1x32x128xbf16>, %k: tensor<4x?x8x128xbf16>,
                      %v: tensor<4x?x8x128xbf16>, %n: tensor<4xi32>,
                      %bias: tensor<1x?xf32>)
        -> (tensor<4x1x32x128xbf16>, tensor<4x32x1xf32>) {
      %o, %lse = sparseflow.attention %q, %k, %v lengths(%n : tensor<4xi32>)
          operands(%bias : tensor<1x?xf32>) as ["qk"] score {
      ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %bias_: f32):
        %cap = arith.constant 30.0 : f32
        %0 = arith.divf %s, %cap : f32
        %1 = math.tanh %0 : f32
        %2 = arith.mulf %1, %cap : f32
        %3 = arith.addf %2, %bias_ : f32
        sparseflow.yield %3 : f32
      } {layout = #sparseflow.attention_layout<bshd>, window = 4096 : i64}
        : tensor<4x1x32x128xbf16>, tensor<4x?x8x128xbf16>,
          tensor<4x?x8x128xbf16> -> tensor<4x1x32x128xbf16>, tensor<4x32x1xf32>
      return %o, %lse : tensor<4x1x32x128xbf16>, tensor<4x32x1xf32>
    }
    ```

    One query of each of several sequences, whose keys lie in pages of 64:

    ```mlir
    func.func @paged(%q: tensor<?x32x1x128xf16>, %k: tensor<?x8x64x128xf16>,
                     %v: tensor<?x8x64x128xf16>, %n: tensor<?xi32>,
                     %table: tensor<?x?xi32>) -> tensor<?x32x1x128xf16> {
      %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>)
          pages(%table : tensor<?x?xi32>)
        : tensor<?x32x1x128xf16>, tensor<?x8x64x128xf16>,
          tensor<?x8x64x128xf16> -> tensor<?x32x1x128xf16>
      return %o : tensor<?x32x1x128xf16>
    }
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$q,
    AnyRankedTensor:$k,
    AnyRankedTensor:$v,
    Optional<AnyRankedTensor>:$lengths,
    Optional<AnyRankedTensor>:$pages,
    Optional<AnyRankedTensor>:$cu_seqlens_q,
    Optional<AnyRankedTensor>:$cu_seqlens_k,
    Optional<AnyRankedTensor>:$sink_logits,
    Variadic<AnyRankedTensor>:$scoreOperands,
    DefaultValuedAttr<StrArrayAttr, "{}">:$scoreDims,
    DefaultValuedAttr<SparseFlow_AttentionLayoutAttr,
        "::mlir::sparseflow::AttentionLayout::Bhsd">:$layout,
    UnitAttr:$causal,
    OptionalAttr<I64Attr>:$window,
    OptionalAttr<F32Attr>:$scale,
    OptionalAttr<I64Attr>:$plane_mask,
    OptionalAttr<I64Attr>:$value_features);
  let results = (outs AnyRankedTensor:$result, Optional<AnyRankedTensor>:$lse);
  let regions = (region AnyRegion:$score);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    (`pages` `(` $pages^ `:` type($pages) `)`)?
    (`cu_seqlens` `(` $cu_seqlens_q^ (`,` $cu_seqlens_k^)? `:`
    type($cu_seqlens_q) (`,` type($cu_seqlens_k)^)? `)`)?
    (`sink_logits` `(` $sink_logits^ `:` type($sink_logits) `)`)? ``
    custom<ScoreOperands>($scoreOperands, type($scoreOperands), $scoreDims)
    (`score` $score^)? attr-dict `:` type($q) `,` type($k) `,` type($v)
    `->` type($result) (`,` type($lse)^)?
  }];
  let builders = [
    // The results' types follow from those of `q` and `v`; `element` is the
    // result's, by default q's. `score` builds the score region from its
    // arguments and ends it with a yield; without it there is none. Values are
    // the first `valueFeatures` features of v, 0: all. A window, a scale and
    // `plane_mask` are set afterwards.
    OpBuilder<(ins "::mlir::Value":$q, "::mlir::Value":$k, "::mlir::Value":$v,
      CArg<"::mlir::sparseflow::AttentionLayout",
           "::mlir::sparseflow::AttentionLayout::Bhsd">:$layout,
      CArg<"bool", "false">:$causal, CArg<"::mlir::Value", "{}">:$lengths,
      CArg<"::mlir::ValueRange", "{}">:$scoreOperands,
      CArg<"::llvm::ArrayRef<::llvm::StringRef>", "{}">:$scoreDims,
      CArg<"::llvm::function_ref<void(::mlir::OpBuilder &, "
           "::mlir::Location, ::mlir::ValueRange)>", "nullptr">:$score,
      CArg<"::mlir::Type", "{}">:$element, CArg<"bool", "false">:$withLse,
      CArg<"int64_t", "0">:$valueFeatures)>
  ];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getQType();
    ::mlir::RankedTensorType getKType();
    ::mlir::RankedTensorType getVType();
    ::mlir::RankedTensorType getResultType();
    /// The types of the result and of the log-sum-exp. `valueFeatures` features
    /// of v count, 0: all.
    static ::mlir::RankedTensorType
    inferResultType(::mlir::RankedTensorType q, ::mlir::RankedTensorType v,
                    ::mlir::Type element, int64_t valueFeatures = 0);
    static ::mlir::RankedTensorType
    inferLseType(::mlir::RankedTensorType q, AttentionLayout layout);
    /// The dimension of q, k, v and the result that counts heads, positions.
    unsigned getHeadDim() { return getLayout() == AttentionLayout::Bhsd ? 1 : 2; }
    unsigned getSequenceDim() { return 3 - getHeadDim(); }
    int64_t getQueryHeads() { return getQType().getDimSize(getHeadDim()); }
    int64_t getKeyHeads() { return getKType().getDimSize(getHeadDim()); }
    /// S_k, kDynamic where it is not known.
    int64_t getKeyCount();
    /// True where the queries of sequences follow one another: with cumulative
    /// lengths.
    bool isVarlen() { return bool(getCuSeqlensQ()); }
    /// True where only these do: keys are those of entries with lengths.
    bool hasOwnCaches() { return isVarlen() && getLengths() && !getCuSeqlensK(); }
    /// Batch entries, or sequences that follow one another; kDynamic where it is
    /// not known.
    int64_t getSequenceCount();
    /// Keys of a page; 0 without pages.
    int64_t getPageSize();
    /// Features of q and k; of the values and the result, which may be fewer than
    /// a row of v has.
    int64_t getD() { return getQType().getDimSize(3); }
    int64_t getDv() {
      return getValueFeatures().value_or(getVType().getDimSize(3));
    }
    /// True where keys and values are one tensor.
    bool sharesKeys() { return getK() == getV(); }
    /// The scale, 1/sqrt(D) where none is given.
    float getScaleValue();
    /// Which operands are ternary, by their types.
    AttentionMode getMode();
    /// The letters of "bhqk" that index score operand `index`.
    ::llvm::StringRef getScoreDims(unsigned index);
    /// True where there is a score region.
    bool hasScore() { return !getScore().empty(); }
    /// The value that the score region yields.
    ::mlir::Value getYieldedScore();
    /// True for an op that a score region may hold: what an epilogue may hold,
    /// and arithmetic on i32 indices.
    static bool isScoreComputation(::mlir::Operation *op);
  }];
}

def SparseFlow_CacheAppendOp : SparseFlow_Op<"cache_append", [Pure,
    TypesMatchWith<"the result has the type of the cache", "cache", "result",
                   "$_self">]> {
  let summary = "a cache with new tokens behind those it has";
  let description = [{
    Writes the vectors of new tokens into a cache of keys or values: token t of
    batch entry b becomes position `lengths`[b] + t. Tokens before position 0 or
    from S on are dropped, all other positions keep their bits. A kernel writes
    in place where the result has the cache's memory, so the function returns it
    and its callers see that the argument is updated.

    **Dense caches** take the tokens as they are, in the `layout` of attention:
    [B, G, S, D] (`bhsd`, the default and that of all other caches) or
    [B, S, G, D] (`bshd`). What computes the tokens elementwise, such as a rotary
    position, is part of the kernel.

    ```mlir
    func.func @keep(%cache: tensor<?x4096x8x128xf16>,
                    %new: tensor<?x?x8x128xf16>, %n: tensor<?xi32>)
        -> tensor<?x4096x8x128xf16> {
      %0 = sparseflow.cache_append %cache, %new at %n
        {layout = #sparseflow.attention_layout<bshd>}
        : tensor<?x4096x8x128xf16>, tensor<?x?x8x128xf16>, tensor<?xi32>
      return %0 : tensor<?x4096x8x128xf16>
    }
    ```

    With `pages`, a page table [B, C] of i32 as that of `sparseflow.attention`, a
    dense or quantized cache is [P, G, page, D], in the layout bshd
    [P, page, G, D], and position j of batch entry b is row j mod page of page
    table[b, j / page]; S is C * page. Tokens of an entry that is no page are
    dropped (a checked run refuses it). No two of the new tokens may have one
    place.

    ```mlir
    func.func @keep_in_pages(%cache: tensor<?x64x8x128xf16>,
                             %new: tensor<?x?x8x128xf16>, %n: tensor<?xi32>,
                             %table: tensor<?x?xi32>)
        -> tensor<?x64x8x128xf16> {
      %0 = sparseflow.cache_append %cache, %new at %n pages(%table : tensor<?x?xi32>)
        {layout = #sparseflow.attention_layout<bshd>}
        : tensor<?x64x8x128xf16>, tensor<?x?x8x128xf16>, tensor<?xi32>
      return %0 : tensor<?x64x8x128xf16>
    }
    ```

    **Int8 and int4 caches.** In f32, for each vector x and group of features that
    share a scale (all D of them, or 32, 64 or 128): the scale is the largest
    abs(x) divided by 127 or 7, rounded to its type; a number is x divided by this
    scale, rounded to the nearest, ties to even, and clamped to -127 ... 127 or
    -7 ... 7; 0 where the scale is 0. A vector with a NaN or an infinity has
    numbers 0 and scales NaN.

    **Ternary caches** have a `method`. In f32, for each vector x of D features:

    * with a scale for each `token`, m is the mean of abs(x). `absmean`: the
      trit is the sign of x where abs(x) > m / 2, the scale is m. `twn`: where
      abs(x) > 0.7 m, and the scale is the mean of abs(x) over these. The sum of
      abs(x) is added up in 32 parts, features d % 32, each in order, then the
      parts of distance 16, 8, 4, 2, 1; so the bits are the same everywhere. The
      scale is rounded to its type.
    * otherwise the cache has its scales s already, and the trit is the sign of
      s * x where abs(x) > abs(s) / 2: the nearest of -s, 0 and s.

    A vector with a NaN or an infinity has trits 0, and a token's scale is NaN.

    ```mlir
    func.func @grow_int4(
        %cache: tensor<?x8x64x128xf16,
                       #sparseflow.quantized<key_int4, scale = token : f16>>,
        %new: tensor<?x8x1x128xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>)
        -> tensor<?x8x64x128xf16,
                  #sparseflow.quantized<key_int4, scale = token : f16>> {
      %0 = sparseflow.cache_append %cache, %new at %n pages(%table : tensor<?x?xi32>)
        : tensor<?x8x64x128xf16,
                 #sparseflow.quantized<key_int4, scale = token : f16>>,
          tensor<?x8x1x128xf16>, tensor<?xi32>
      return %0 : tensor<?x8x64x128xf16,
                         #sparseflow.quantized<key_int4, scale = token : f16>>
    }
    ```

    ```mlir
    func.func @grow(
        %cache: tensor<?x8x4096x128xf16,
                       #sparseflow.ternary<key_planes, scale = token : f32>>,
        %new: tensor<?x8x1x128xf16>, %n: tensor<?xi32>)
        -> tensor<?x8x4096x128xf16,
                  #sparseflow.ternary<key_planes, scale = token : f32>> {
      %0 = sparseflow.cache_append %cache, %new at %n by <twn>
        : tensor<?x8x4096x128xf16,
                 #sparseflow.ternary<key_planes, scale = token : f32>>,
          tensor<?x8x1x128xf16>, tensor<?xi32>
      return %0 : tensor<?x8x4096x128xf16,
                         #sparseflow.ternary<key_planes, scale = token : f32>>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$cache, AnyRankedTensor:$tokens,
                       AnyRankedTensor:$lengths,
                       Optional<AnyRankedTensor>:$pages,
                       OptionalAttr<SparseFlow_TernaryMethodAttr>:$method,
                       DefaultValuedAttr<SparseFlow_AttentionLayoutAttr,
           "::mlir::sparseflow::AttentionLayout::Bhsd">:$layout);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $cache `,` $tokens `at` $lengths
    (`pages` `(` $pages^ `:` type($pages) `)`)? (`by` $method^)? attr-dict
    `:` type($cache) `,` type($tokens) `,` type($lengths)
  }];
  let extraClassDeclaration = [{
    /// Whether the cache holds the tokens as they are.
    bool isDense();
    /// The dimension of the cache's, and the tokens', positions.
    unsigned getSequenceDim() {
      return getLayout() == AttentionLayout::Bhsd ? 2 : 1;
    }
    /// Keys of a page of the table; 0 without pages.
    int64_t getPageSize();
  }];
  let hasVerifier = 1;
}

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWATTENTIONOPS_TD
