//===- Passes.td - Passes of the sparseflow dialect --------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_PASSES_TD
#define SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SparseFlowImportEncodings
    : Pass<"sparseflow-import-encodings", "::mlir::ModuleOp"> {
  let summary = "Convert upstream structured[n, m] encodings to #sparseflow.nm";
  let description = [{
    Rewrites every type in the module, so that function signatures and uses
    change together:

    ```mlir
    #nv24 = #sparse_tensor.encoding<{
      map = (i, j) -> (i : dense, j floordiv 4 : dense,
                       j mod 4 : structured[2, 4])
    }>
    tensor<1536x384xf16, #nv24>
    // becomes
    tensor<1536x384xf16, #sparseflow.nm<2:4>>
    ```

    `sparse_tensor.convert` between a dense and such a type becomes
    `sparseflow.prune` or `sparseflow.unpack`. Other upstream encodings stay,
    with a remark.
  }];
  let dependentDialects = ["::mlir::sparseflow::SparseFlowDialect"];
}

def SparseFlowVerifyInput
    : Pass<"sparseflow-verify-input", "::mlir::ModuleOp"> {
  let summary = "Refuse what no device can compile";
  let description = [{
    Runs before anything is rewritten, so that errors speak of the source:
    recursive calls, and reads or writes of values outside the function
    (`ml_program.global_load` and the like), which are to be arguments. Calls
    become part of their caller, so calls of declarations, `no_inline`, and marks
    of sparsity that only the called function has, are refused, too.
  }];
}

def SparseFlowNormalizeLinalg
    : Pass<"sparseflow-normalize-linalg", "::mlir::func::FuncOp"> {
  let summary = "One form for what front ends write around a matmul";
  let description = [{
    Front ends say the same in many ways. These become one:

    * Tokens that were folded for a matmul are unfolded again. A reshape that
      keeps the last dimension goes away, and the linalg ops between two of them
      get a batch dimension:

      ```mlir
      %0 = tensor.collapse_shape %x [[0, 1], [2]]
          : tensor<2x8x64xf16> into tensor<16x64xf16>
      %1 = linalg.matmul ins(%0, %wt : ...) outs(...) -> tensor<16x32xf16>
      %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [2, 8, 32]
          : tensor<16x32xf16> into tensor<2x8x32xf16>
      // becomes
      %2 = linalg.generic {maps: (b, t, n, k) -> (b, t, k), (k, n), (b, t, n)}
          ins(%x, %wt : ...) outs(...) -> tensor<2x8x32xf16>
      ```

    * A dimension of size 1 that a map reads at 0 is taken out of the operand:
      `(d0, d1) -> (0, d1)` of a bias [1, N] becomes `(d0, d1) -> (d1)` of [N].

    * The position of a maximum is that of the first NaN where there is one:
      `ogt(%in, %best)` becomes `ugt(%in, %best)` and `ord(%best, %best)`, which
      does not depend on the order of comparisons.

    Results that nobody reads, such as the position of a maximum, are dropped.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SparseFlowSimplifySizes
    : Pass<"sparseflow-simplify-sizes", "::mlir::func::FuncOp"> {
  let summary = "Shapes that are computed at run time become shapes";
  let description = [{
    A dynamic size is a product of a number and of the dynamic dimensions of
    arguments. Quotients cancel; what the program asserts to be equal, what one
    loop indexes and what a reshape keeps is one dimension. So, in place of
    integer arithmetic:

    * Sizes are constants and `tensor.dim` of arguments.
    * `tensor.reshape` by computed sizes is `tensor.collapse_shape` and
      `tensor.expand_shape`.
    * `tensor.extract` in the body of a `linalg.generic` at the place of its
      loops is an operand. That is how front ends broadcast where they do not
      know which size is 1:

      ```mlir
      %1 = linalg.generic {maps: (d0, d1) -> (d0, d1)} outs(%e : tensor<?x64xf16>) {
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %is1 = arith.cmpi eq, %n, %c1 : index   // %n = dimension 0 of %x and %e
        %at = arith.select %is1, %c0, %i : index
        %v = tensor.extract %x[%at, %j] : tensor<?x64xf16>
        linalg.yield %v : f16
      }
      // becomes
      %1 = linalg.generic {maps: (d0, d1) -> (d0, d1), (d0, d1) -> (d0, d1)}
          ins(%x : tensor<?x64xf16>) outs(%e : tensor<?x64xf16>) { yield %in }
      ```

    * Any other index of `tensor.extract` that data decide, such as a token's id,
      is clamped to the size that it indexes, so that no input of a program reads
      outside of a tensor. The `arith.minsi` of such a clamp has the attribute
      `sparseflow.index_clamp`; one that the program has of its own, to a bound
      below the size, stays as it is. So is the offset of a
      `tensor.extract_slice` that data decide.
    * Assertions are dropped, with a remark.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SparseFlowNormalizeScalars
    : Pass<"sparseflow-normalize-scalars", "::mlir::func::FuncOp"> {
  let summary = "One form for scalars in the bodies of linalg ops";
  let description = [{
    * An input of a `linalg.generic` of which all elements are one number (a
      splat, a fill, of any shape) is a constant of its body.
    * A rounded constant is a constant: `arith.truncf %c : f64 to f16`.
    * What is f64 between a function's arguments and results is f32, with a
      remark.
    * `math.fpowi` is a product for 2 and 3, else `math.powf`, in f32.

    ```mlir
    ^bb0(%x: f32, %out: f32):
      %e = arith.truncf %c64 : f64 to f32
      %y = math.fpowi %x, %c2 : f32, i64
    // becomes
      %y = arith.mulf %x, %x : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def SparseFlowMarkSparse
    : Pass<"sparseflow-mark-sparse", "::mlir::ModuleOp"> {
  let summary = "Declare function arguments to be N:M sparse or ternary";
  let description = [{
    Front ends do not print encodings; this pass adds them. Who asks: an item
    ARG=N:M of `mark`, where ARG is the `sparseflow.name` of an argument or its
    index, or the attribute `sparseflow.sparse = "N:M"` on the argument. Two that
    ask for different patterns are an error that names both. In place of N:M,
    `ternary:STORAGE:SCALE:TYPE[:PLANES]` asks for a ternary weight, such as
    `ternary:codes:row:f32` for `#sparseflow.ternary<codes, scale = row : f32>`;
    it is [N, K], as `sparseflow.matmul` takes it.

    The groups lie along the dimension that the argument's matmuls sum over,
    seen through transposes, broadcasts, unit dimensions and conversions; an
    argument without matmuls is grouped along its last axis. The uses that can
    carry the encoding see it: linalg ops and the weight of `sparseflow.matmul`.
    Any other use reads `sparseflow.unpack` of the argument.

    ```mlir
    // --sparseflow-mark-sparse=mark=w=2:4
    func.func @f(%w: tensor<64x32xf16> {sparseflow.name = "w"})
    // becomes
    func.func @f(%w: tensor<64x32xf16, #sparseflow.nm<2:4>>
                     {sparseflow.name = "w"})
    ```

    It is an error when no function has the argument, when the argument cannot
    have the encoding, and when two of its matmuls sum over different
    dimensions.
  }];
  let options = [
    ListOption<"mark", "mark", "std::string",
               "arguments to mark, each as ARG=N:M or "
               "ARG=ternary:STORAGE:SCALE:TYPE[:PLANES], ARG being a name or an "
               "index">
  ];
  let dependentDialects = ["::mlir::sparseflow::SparseFlowDialect"];
}

def SparseFlowOrientWeights
    : Pass<"sparseflow-orient-weights", "::mlir::func::FuncOp"> {
  let summary = "Store sparse arguments as their matmuls read them";
  let description = [{
    A packed weight is [N, K] in f16 or bf16, whatever the program says. An
    argument with an encoding that the program keeps as [K, N], with unit
    dimensions, or in f32 and rounds before each matmul, changes its type to
    what the matmuls read. A remark says so, because whoever packs the weight
    has to know:

    ```mlir
    func.func @f(%x: tensor<8x64xf16>,
                 %w: tensor<64x32xf16, #sparseflow.nm<2:4, axis = 0>>)
      %y = linalg.matmul ins(%x, %w : ...) ...
    // becomes
    func.func @f(%x: tensor<8x64xf16>,
                 %w: tensor<32x64xf16, #sparseflow.nm<2:4>>)
      %0 = sparseflow.unpack %w : ...
      %1 = linalg.generic {transposes} ins(%0 : ...) -> tensor<64x32xf16>
      %y = linalg.matmul ins(%x, %1 : ...) ...
    ```

    What is put in between goes away when the matmul is raised. Rounding at
    packing time is refused, with both places, where another op reads the f32
    values.
  }];
  let dependentDialects = ["::mlir::sparseflow::SparseFlowDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SparseFlowRaiseLinalg
    : Pass<"sparseflow-raise-linalg", "::mlir::func::FuncOp"> {
  let summary = "Raise linalg contractions with a weight to sparseflow.matmul";
  let description = [{
    Recognises y[..., t, n] += x[..., t, k] * w[n, k] by its indexing maps and
    body, so it does not matter which op says it: `linalg.matmul` with or
    without indexing maps, `linalg.batch_matmul` of a repeated weight,
    `linalg.contract`, `linalg.generic`. What lies between the operands and
    their sources without computing anything is seen through: transposes,
    broadcasts, unit dimensions, extensions to f32; so is the encoding that
    these drop. The epilogue only rounds:

    ```mlir
    %wt = linalg.transpose ins(%w : tensor<1536x384xf16, #sparseflow.nm<2:4>>)
        outs(%e : tensor<384x1536xf16>) permutation = [1, 0]
    %y = linalg.matmul ins(%x, %wt : tensor<?x384xf16>, tensor<384x1536xf16>)
        outs(%zero : tensor<?x1536xf32>) -> tensor<?x1536xf32>
    // becomes
    %y = sparseflow.matmul %x, %w {
    ^bb0(%acc: f32):
      sparseflow.yield %acc : f32
    } : tensor<?x384xf16>, tensor<1536x384xf16, #sparseflow.nm<2:4>>
        -> tensor<?x1536xf32>
    ```

    An initial value other than a zero fill becomes an epilogue operand that is
    added, `per_feature` where it only repeats a vector, else `full`. A dense weight
    that is [K, N] is transposed before the matmul, with a remark. A matmul that accumulates in f16 or bf16 is promoted to f32,
    with a remark. What is refused gets a remark with the reason.
  }];
  let dependentDialects = ["::mlir::sparseflow::SparseFlowDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SparseFlowRaiseAttention
    : Pass<"sparseflow-raise-attention", "::mlir::func::FuncOp"> {
  let summary = "Raise softmax(Q K^T) V in linalg to sparseflow.attention";
  let description = [{
    Recognises a matmul of probabilities [B, H, S_q, S_k] with values, where the
    probabilities are `linalg.softmax` of scores, or its steps (maximum,
    difference, exponential, sum, quotient), and the scores come from a matmul
    of queries and keys. Tensors are [B, H, S, D] or [B, S, H, D], all alike, and
    transposes of keys are seen through. The matmuls may be of rank 3: batches
    [B * H, S, D] that were joined just before, and are split and transposed after;
    or of [B, S, D] and [S, D], with one head. Without a batch, keys and values have
    to be computed: an argument beside a softmax is a weight. Elementwise ops between
    the matmul and the softmax become the score region, whatever they compute: a
    scale, a bias, a mask.

    ```mlir
    %s = linalg.generic {maps: (b, h, i, d), (b, h, j, d), (b, h, i, j)}
        ins(%q, %k) outs(%zero) {out + q * k}
    %t = linalg.generic ins(%s) {s * 0.125}
    %p = linalg.softmax dimension(3) ins(%t)
    %o = linalg.generic {maps: (b, h, i, j), (b, h, j, d), (b, h, i, d)}
        ins(%p, %v) outs(%zero) {out + p * v}
    // becomes, after canonicalization
    %o = sparseflow.attention %q, %k, %v {scale = 0.125 : f32}
    ```

    Roundings of scores or probabilities between the steps go away: scores and
    softmax are computed in f32. A row of scores that are all -inf gives zeros, where the
    steps would give NaN. What is almost an attention gets a remark with the
    reason why it is none.
  }];
  let dependentDialects = ["::mlir::sparseflow::SparseFlowDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SparseFlowFoldEpilogues
    : Pass<"sparseflow-fold-epilogues", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise linalg into the epilogue of its matmul";
  let description = [{
    First writes elementwise linalg ops (named ops, `linalg.elementwise`,
    `linalg.map`, `linalg.broadcast`, fills) as `linalg.generic` and fuses each
    into its only user. Then moves a generic that alone uses the result of a
    `sparseflow.matmul` into the matmul's epilogue. The other inputs become
    epilogue operands; their indexing maps decide the broadcast:

    ```mlir
    %y = sparseflow.matmul %x, %w {identity} : ... -> tensor<?x1536xf16>
    %z = linalg.generic {maps: (d0, d1), (d1), (d0, d1)}
        ins(%y, %bias : tensor<?x1536xf16>, tensor<1536xf16>) outs(...) {
      %0 = arith.addf %in, %in_0 : f16
      linalg.yield %0 : f16
    }
    // becomes
    %z = sparseflow.matmul %x, %w
        epilogue(%bias : tensor<1536xf16>) as [per_feature] {
    ^bb0(%acc: f32, %in: f16):
      %0 = arith.truncf %acc : f32 to f16
      %1 = arith.addf %0, %in : f16
      sparseflow.yield %1 : f16
    } : ... -> tensor<?x1536xf16>
    ```

    There is no pattern per activation: any scalar region fuses. A remark says
    what was fused, and for what was not, why.
  }];
  let dependentDialects = ["::mlir::sparseflow::SparseFlowDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SparseFlowQuantizeActivations
    : Pass<"sparseflow-quantize-activations", "::mlir::func::FuncOp"> {
  let summary = "Multiply ternary weights with 8-bit activations";
  let description = [{
    Every `sparseflow.matmul` of f16 or bf16 activations and a ternary weight
    becomes one of `sparseflow.quantize`d activations, whose integer sums are
    exact; its epilogue begins with the scale of the token. Matmuls of the same
    activations share them. Other matmuls are left alone.

    ```mlir
    %y = sparseflow.matmul %x, %w {
    ^bb0(%acc: f32):
      ...%acc...
    } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.ternary<...>> -> ...
    // becomes
    %q, %s = sparseflow.quantize %x
      : tensor<?x64xf16> -> tensor<?x64xi8>, tensor<?xf32>
    %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {
    ^bb0(%acc: f32, %scale: f32):
      %0 = arith.mulf %acc, %scale : f32
      ...%0...
    } : tensor<?x64xi8>, tensor<32x64xf16, #sparseflow.ternary<...>> -> ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::sparseflow::SparseFlowDialect"];
}

def SparseFlowUpdateInPlace
    : Pass<"sparseflow-update-in-place", "::mlir::func::FuncOp"> {
  let summary = "Give results the memory of donated arguments";
  let description = [{
    An argument with `sparseflow.donated` is the memory of one result: the first
    of its type that an elementwise op makes of it, reading no other elements of
    it than those that it writes, or that is the argument with slices inserted
    (`tensor.insert_slice`, one into the result of the one before). Those ops get
    `sparseflow.in_place`, the number of the argument; their kernels write there:
    where an op selects between new elements and those that were there, only the
    new ones, and of an insertion only the slice, without what is outside of the
    argument.

    ```mlir
    func.func @step(%cache: tensor<4x128x64xf16> {sparseflow.donated},
                    %new: tensor<4x64xf16>, %at: tensor<i64>) -> ... {
      %r = linalg.generic ... ins(%isNew, %new, %cache : ...) {
        %0 = arith.select %flag, %token, %old : f16
        linalg.yield %0 : f16
      } {sparseflow.in_place = 0 : i64}
      return %r
    }
    ```

    A donated argument for which there is no such result is an error.
  }];
}

def SparseFlowMaterializeStorage
    : Pass<"sparseflow-materialize-storage", "::mlir::func::FuncOp"> {
  let summary = "Turn encoded tensors into the bytes of their packed layout";
  let description = [{
    The last place where an encoding exists. An argument with a 2:4 or a ternary
    encoding becomes a 1-D tensor of bytes, and the matmul that reads it says what
    they hold. Any other N:M encoding has no packed layout: the argument becomes
    dense, with a remark, or an error under `require-sparse`.

    ```mlir
    func.func @f(%x: tensor<?x64xf16>,
                 %w: tensor<64x64xf16, #sparseflow.nm<2:4>>)
      %y = sparseflow.matmul %x, %w {...} : ...
    // becomes
    func.func @f(%x: tensor<?x64xf16>, %w: tensor<4608xi8>)
      %y = sparseflow.matmul %x, %w {...}
        {storage = #sparseflow.storage<"sf24.v1", 64x64xf16>} : ...
    ```

    The function remembers its signature in `sparseflow.argument_types`,
    `sparseflow.argument_names`, `sparseflow.argument_shapes` (integers, and the
    symbol of each dynamic dimension), the same of its results, and
    `sparseflow.symbols`. Encoded values that are no arguments are errors, and
    so is any encoding that is left.
  }];
  let options = [
    Option<"requireSparse", "require-sparse", "bool", "false",
           "refuse encodings without a packed layout instead of multiplying "
           "densely">
  ];
  let dependentDialects = ["::mlir::sparseflow::SparseFlowDialect"];
}

def SparseFlowVerifyProgram
    : Pass<"sparseflow-verify-program", "::mlir::func::FuncOp"> {
  let summary = "Refuse ops that have no GPU kernel";
  let description = [{
    Reports every op of a function that no kernel computes (bodies that are no
    scalar arithmetic, reductions that no associative op makes, constants that
    should be arguments), each with what to do, before schedules are chosen. The
    CPU computes most of them.
  }];
}

def SparseFlowFormKernels
    : Pass<"sparseflow-form-kernels", "::mlir::func::FuncOp"> {
  let summary = "Decide which tensor ops are one kernel";
  let description = [{
    Every op on tensors that is no matmul and no attention (linalg ops, slices,
    concatenations, pads) becomes the root of a kernel, which writes its results
    to memory (`sparseflow.kernel`), or is computed inside the kernels that read
    it (`sparseflow.inlined`). Reshapes are neither. Forms of kernels:

    * `map`: a thread computes adjacent elements of the result
    * `rows`: threads share a row: reductions over the last dimensions, and what
      reads them row by row (`sparseflow.row_dims` says how many dimensions)
    * `columns`: reductions over dimensions in front of others
    * `product`: a matmul of two computed tensors on tensor cores, with
      elementwise arithmetic on its result alone; what rounds it ends it

    An op is inlined unless something else reads its result, or computing it
    again costs more than storing it: several kernels read it and it is more than
    a conversion, a matmul reads it, its functions would be computed for every
    repetition of its elements. A reduction is inlined where its results are the
    rows of what reads them. A remark says each decision and its reason.

    ```mlir
    %s = linalg.generic ... ins(%x : tensor<?x256xf32>) outs(%zero) // sum of rows
    %y = linalg.generic ... ins(%x, %s : tensor<?x256xf32>, tensor<?xf32>) // x / s
    return %y
    // becomes
    %s = linalg.generic ... {sparseflow.inlined}
    %y = linalg.generic ... {sparseflow.kernel = "rows", sparseflow.row_dims = 1 : i64}
    ```
  }];
}

def SparseFlowOutlineRegions
    : Pass<"sparseflow-outline-regions", "::mlir::ModuleOp"> {
  let summary = "Cut what has kernels out of functions that keep other ops";
  let description = [{
    For compilers that compile a part of a program with SparseFlow and the rest
    themselves. Ops that `keep-ops` names, and with `keep-unsupported` those that
    have no kernel, stay in their function, the host function. All others become
    functions `NAME_region0`, `NAME_region1`, ... on tensors, as few as the order
    of the kept ops allows, which the host function calls. Constants, empty
    tensors and the arithmetic of sizes are repeated where they are needed. A
    region's argument keeps the attributes, such as the name, of the argument of
    the host function that it is.

    Regions are public functions: `sparseflow compile` makes kernels and launches
    of a module of them (`part=device`). The host functions alone (`part=host`)
    have declarations of regions with `llvm.emit_c_interface`, and upstream passes
    bufferize and lower them. An op that needs a scalar that the host computes is
    an error, and so is a cache that grows in place.

    ```mlir
    func.func @f(%x: tensor<?x64xf16>, ...) -> tensor<?x64xf16> {
      %a = sparseflow.matmul %x, %w ...
      %b = mine.op %a
      %c = sparseflow.matmul %b, %v ...
      return %c
    }
    // becomes with keep-ops=mine.op
    func.func @f(%x: tensor<?x64xf16>, ...) -> tensor<?x64xf16> {
      %a = call @f_region0(%x, %w)
      %b = mine.op %a
      %c = call @f_region1(%b, %v)
      return %c
    }
    ```
  }];
  let options = [
    ListOption<"keepOps", "keep-ops", "std::string",
               "names of ops that stay in the host function">,
    Option<"keepUnsupported", "keep-unsupported", "bool", "false",
           "ops without a kernel stay in the host function, too">,
    Option<"part", "part", "std::string", "\"all\"",
           "what is left of the module: all, device (the regions) or host (the "
           "rest, with declarations of the regions)">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def SparseFlowVerifyNoEncodings
    : Pass<"sparseflow-verify-no-encodings", "::mlir::func::FuncOp"> {
  let summary = "Refuse tensor encodings: none may pass this point";
  let description = [{
    Reports the first op or argument of a function whose type has an encoding.
    Bufferization would drop it without a word.
  }];
}

def SparseFlowLowerToLinalg
    : Pass<"sparseflow-lower-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "Lower matmul and attention to dense linalg, for the CPU";
  let description = [{
    Each matmul becomes a `linalg.generic` that contracts in f32 and one that
    applies the epilogue. Each attention becomes its steps on tensors of all
    scores: matmuls, masks, the softmax, the sum of values. The body for an N:M weight skips zeros, so that an
    infinity in `x` meets only the stored weights, as in a sparse kernel.
    Encodings go away: an encoded argument becomes dense, with zeros where the
    pattern has none. Other sums that a program makes in f16 or bf16, such as the
    scores of an attention, are made in f32 and rounded once. The function
    remembers its signature as after `sparseflow-materialize-storage`.

    ```mlir
    %y = sparseflow.matmul %x, %w {epilogue} : tensor<?x64xf16>,
        tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<?x32xf16>
    // becomes
    %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x32xf32>)
    %1 = linalg.generic {maps: (t, k), (n, k), (t, n)}
        ins(%x, %w : tensor<?x64xf16>, tensor<32x64xf16>) outs(%0) {...}
    %y = linalg.generic {maps: (t, n), (t, n)} ins(%1) outs(...) {epilogue}
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_TRANSFORMS_PASSES_TD
