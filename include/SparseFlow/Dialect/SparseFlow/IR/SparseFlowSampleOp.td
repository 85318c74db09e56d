//===- SparseFlowSampleOp.td - Tokens drawn from logits ----*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWSAMPLEOP_TD
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWSAMPLEOP_TD

// Included by SparseFlowOps.td, which defines SparseFlow_Op.

/// Operand or result `name` has one element of type `type` for each row of logits.
class SparseFlow_OfRows<string name, string type, string text>
    : TypesMatchWith<name # " is " # text # ", one for each row of logits",
                     "logits", name,
                     "::mlir::sparseflow::SampleOp::typeOfRows($_self, "
                     "::mlir::" # type # "($_self.getContext()" #
                     !if(!eq(type, "IntegerType::get"),
                         !if(!eq(text, "i64"), ", 64", ", 32"), "") # "))">;

def SparseFlow_SampleOp : SparseFlow_Op<"sample", [
    Pure, SparseFlow_OfRows<"temperature", "Float32Type::get", "f32">,
    SparseFlow_OfRows<"topK", "IntegerType::get", "i32">,
    SparseFlow_OfRows<"topP", "Float32Type::get", "f32">,
    SparseFlow_OfRows<"seed", "IntegerType::get", "i64">,
    SparseFlow_OfRows<"position", "IntegerType::get", "i32">,
    SparseFlow_OfRows<"ids", "IntegerType::get", "i32">,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "A token of each row, drawn from its logits";
  let description = [{
    Draws a token from `softmax(logits / temperature)` of each row [..., V], of
    which the `top_k` likeliest tokens stay, and of these the fewest whose
    probabilities sum to `top_p`. All parameters have a value for each row, so that
    rows of one call are sampled in ways of their own.

    Probabilities are integers, whose sums are the same in any order, so a token is
    the same everywhere: on the CPU, in the simulator, on every GPU, and whatever
    the other rows are. With all of `l[i] = f32(logits[i])`, and -0.0 as 0.0:

    ```
    m = max(l); the token is -1 where an l[i] is a NaN, or m is infinite
    the first i with l[i] = m, where temperature > 0 does not hold (greedy)

    c    = min(f32(log2(e)) / temperature, the largest number of f32)
    y    = (m - l[i]) * c, 63 where y < 63 does not hold
    p    = ((((((c6 * f + c5) * f + c4) * f + c3) * f + c2) * f + c1) * f + 1
    w[i] = (u64(p * 2^24) << 16) >> n        where y = n + f, n an integer, 0 <= f < 1

    kept = { i : l[i] >= the top_k-th largest l }      all, where top_k is not in 1 .. V - 1
    t    = max(1, floor(sum(w of kept) * floor(top_p * 2^32) / 2^32))
    kept = { i in kept : sum(w[j] of kept with l[j] > l[i]) < t }
                                                       as before, where top_p < 1 does not hold
    r    = floor(random * sum(w of kept) / 2^64)
    the first i of kept with sum(w[j] of kept with j <= i) > r
    ```

    in f32, each operation rounded to nearest even, none fused. The polynomial is 2^-f,
    `c1` to `c6` are -0.69314706, 0.24022436, -0.05549076, 0.00957918, -0.0012747481 and
    0.00010902318. `w[i]` is the probability's ratio to the largest one times
    2^40, with a relative error below 2e-6 for a ratio of 2^-10 and above, and an
    absolute one of 2^-40 for the smallest. Tokens of equal logits stay or go
    together. `random` are the first 64 bits, the low word first, of Philox-4x32-10
    with the key `seed` (low word first) and the counter (`position`, 0, 0, 0): one
    number for each position of a text.

    *Preconditions*: V is static, from 1 to 2^20. The parameters have the shape of
    the logits without V. A `top_p` of 0 or less, or a NaN, keeps the likeliest
    tokens.

    ```mlir
    func.func @next(%logits: tensor<?x32000xf32>, %temperature: tensor<?xf32>,
                    %top_k: tensor<?xi32>, %top_p: tensor<?xf32>,
                    %seeds: tensor<?xi64>, %lengths: tensor<?xi32>)
        -> tensor<?xi32> {
      %ids = sparseflow.sample %logits temperature(%temperature) top_k(%top_k)
          top_p(%top_p) seed(%seeds) position(%lengths) : tensor<?x32000xf32>
      return %ids : tensor<?xi32>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$logits, AnyRankedTensor:$temperature,
                       AnyRankedTensor:$topK, AnyRankedTensor:$topP,
                       AnyRankedTensor:$seed, AnyRankedTensor:$position);
  let results = (outs AnyRankedTensor:$ids);
  let assemblyFormat = [{
    $logits `temperature` `(` $temperature `)` `top_k` `(` $topK `)`
    `top_p` `(` $topP `)` `seed` `(` $seed `)` `position` `(` $position `)`
    attr-dict `:` type($logits)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t kLargestVocabulary = int64_t(1) << 20;
    /// Logits of a row, V.
    int64_t getVocabulary();
    /// The type of what has one `element` for each row of `logits`.
    static Type typeOfRows(Type logits, Type element);
  }];
}

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWSAMPLEOP_TD
