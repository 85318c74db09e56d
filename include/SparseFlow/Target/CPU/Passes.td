//===- Passes.td - Passes of the CPU device ----------------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_CPU_PASSES_TD
#define SPARSEFLOW_TARGET_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerTernary : Pass<"sparseflow-cpu-lower-ternary", "::mlir::func::FuncOp"> {
  let summary = "Read ternary weights and planes with linalg on packed bytes";
  let description = [{
    An argument with the encoding `#sparseflow.ternary` becomes the bytes of its
    packed layout, `tensor<BYTESxi8>`; products, `unpack` and `plane_split` read
    trits and scales out of them. With i8 activations the sums are integers; all
    is exact and in the order that `sparseflow.matmul` states. Plane ops and
    `sparseflow.quantize` become elementwise ops and reductions. sparseflow-lower-to-linalg then lowers what
    else the function holds.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseElementwise
    : Pass<"sparseflow-cpu-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse chains of elementwise linalg ops over one iteration space";
  let description = [{
    Joins an elementwise producer with its only consumer where both iterate over
    the same space, so that a chain costs one pass over memory and nothing is
    computed twice. A contraction is never a part of it: sparseflow-cpu-tile-matmul
    recognises it by its body.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def BoundSlices : Pass<"sparseflow-cpu-bound-slices", "::mlir::func::FuncOp"> {
  let summary = "Insert the part of a slice that is inside of a tensor";
  let description = [{
    The offset of `tensor.insert_slice` may be a size of an argument, or data, and
    then nobody has checked that the slice is inside. What is not is left out, as
    kernels leave it out.

    ```mlir
    %r = tensor.insert_slice %x into %y[%at, 0] [3, 8] [1, 1]
    // becomes, where %first, %count and %skipped follow from %at and sizes of %y
    %part = tensor.extract_slice %x[%skipped, 0] [%count, 8] [1, 1]
    %r = tensor.insert_slice %part into %y[%first, 0] [%count, 8] [1, 1]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def GuardGathers : Pass<"sparseflow-cpu-guard-gathers", "::mlir::func::FuncOp"> {
  let summary = "Read 0, and no memory, where a gathered tensor is empty";
  let description = [{
    `tensor.extract` with an index that data decide has been clamped to the size
    that it indexes. Where that size is dynamic it may be 0, and then no index is
    inside: the element is 0 there, as it is in kernels.

    ```mlir
    %v = tensor.extract %x[%at, %j] : tensor<?x64xf16>
    // becomes
    %v = scf.if %isSome -> (f16) {   // dimension 0 of %x is not 0
      %0 = tensor.extract %x[%at, %j] : tensor<?x64xf16>
      scf.yield %0 : f16
    } else {
      scf.yield %zero : f16
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ResultsToDestinations
    : Pass<"sparseflow-cpu-results-to-destinations", "::mlir::func::FuncOp"> {
  let summary = "Pass the results of public functions as destination buffers";
  let description = [{
    Gives a public function one contiguous memref argument per result, after its
    own arguments, and writes the returned tensors there. Bufferization then
    computes in place in the caller's memory. Refuses what the CPU device cannot
    bind: arguments or results that are no ranked tensors of f16, bf16, f32, f64
    or an integer, and tensors that still carry an encoding.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def SplitBatches
    : Pass<"sparseflow-cpu-split-batches", "::mlir::func::FuncOp"> {
  let summary = "Batched products on buffers as parallel loops over products";
  let description = [{
    A contraction `c[b.., m.., n] += sum_k a[b.., m.., k] * b[b.., n, k]`
    (linalg.generic on memrefs, dimensions of `a` and `b` in any order, those of
    the batch also divided by a constant, as heads that share keys are) becomes a
    parallel loop over the batch around the same op on slices, which
    sparseflow-cpu-tile-matmul recognises. Other ops are left alone.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def TileMatmul : Pass<"sparseflow-cpu-tile-matmul", "::mlir::ModuleOp"> {
  let summary = "Lower contractions on buffers to packed, blocked loops";
  let description = [{
    Rewrites `c[m.., n] += sum_k a[m.., k] * b[n, k]` (f16, bf16 or f32 operands,
    f32 sum, linalg.generic on memrefs) to three parallel loops: pack `a` and `b`
    into f32 panels of `tile-rows` and `tile-vectors * lanes` elements with k
    outside, then multiply blocks of panels with a register-blocked kernel. Where
    `a` has at most `direct-rows` rows, `b` is read once, where it lies, and
    widened in registers; `b` of [k, n] too. A
    body that skips zero weights keeps that meaning. Other ops are left alone.
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", "8", "f32 elements of a vector register">,
    Option<"tileRows", "tile-rows", "int64_t", "4",
           "rows of c held in registers by the kernel">,
    Option<"tileVectors", "tile-vectors", "int64_t", "3",
           "vector registers that hold a row of the kernel's tile">,
    Option<"blockRows", "block-rows", "int64_t", "64",
           "rows of c of one task">,
    Option<"blockColumns", "block-columns", "int64_t", "192",
           "columns of c of one task">,
    Option<"blockDepth", "block-depth", "int64_t", "384",
           "k values a task sums before it moves to the next tile">,
    Option<"directRows", "direct-rows", "int64_t", "32",
           "rows of a up to which b is not packed">,
    Option<"prefetchBytes", "prefetch-bytes", "int64_t", "0",
           "how far ahead memory of b is asked for; 0: not at all">,
    Option<"unit", "unit", "int64_t", "8192",
           "elements of b worth handing to another thread">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def TernaryProduct : Pass<"sparseflow-cpu-ternary-product", "::mlir::func::FuncOp"> {
  let summary = "Lower matmuls with packed trits to vector loops";
  let description = [{
    Rewrites the ops on buffers that sparseflow-cpu-lower-ternary marked: sums of
    8-bit activations times trits of the layout tern.v1, and the scales of rows.
    Activations are first copied into the order of the trits; then each task
    multiplies 16 rows with four tokens at a time, 64 multiply-adds of bytes an
    instruction, whose trits are taken out of a word by masks alone. `int8-dot`
    says which instruction. From `lookup-tokens` tokens on, where it is not 0 and
    the instruction is that of AVX-512, whole groups of tokens take the sums of
    three trits from tables and multiply the rest: see TernaryLookup.cpp. Sums
    are exact integers. A remark says what was chosen.
  }];
  let options = [
    Option<"int8Dot", "int8-dot", "std::string", "\"portable\"",
           "int8 dot products: portable, avx2 or avx512vnni">,
    Option<"lookupTokens", "lookup-tokens", "int64_t", "0",
           "tokens from which sums of trits come from tables; 0: never">];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def CacheValues : Pass<"sparseflow-cpu-cache-values", "::mlir::func::FuncOp"> {
  let summary = "Read quantized caches by vector loops";
  let description = [{
    Rewrites the ops on buffers that sparseflow-cpu-lower-ternary marked: the values
    of caches of int8, int4 and e4m3, a number times its scale in f32. Bytes of a
    page are brought into the order of features by shuffles. A task has about `unit`
    elements, and whole pages.
  }];
  let options = [
    Option<"unit", "unit", "int64_t", "8192",
           "elements a task of the parallel loop works on">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def VectorizeElementwise
    : Pass<"sparseflow-cpu-vectorize-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Lower elementwise linalg on buffers to parallel vector loops";
  let description = [{
    Rewrites all-parallel linalg ops on memrefs (fills and copies included) to a
    parallel loop over units of about `unit` elements; inside, the innermost
    dimension runs in vectors of `lanes` elements and a scalar tail. An operand
    that does not vary along it is loaded once a row and broadcast. Ops whose
    body or layout does not allow that are left alone.
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", "8", "elements of a vector">,
    Option<"unit", "unit", "int64_t", "8192",
           "elements worth handing to another thread">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def VectorizeReductions
    : Pass<"sparseflow-cpu-vectorize-reductions", "::mlir::func::FuncOp"> {
  let summary = "Lower reductions of neighbours on buffers to vector loops";
  let description = [{
    Rewrites linalg ops on memrefs whose last loop is their only reduction, with
    one result that an associative op combines (sums, products, extremes, bitwise
    ops), to a parallel loop over units of rows of about `unit` elements. A row is
    reduced in the lanes of a vector, whose lanes are combined at its end: the
    order of float sums is that of the lanes, and neutral elements behind a row
    change no bit. Other ops are left alone.
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", "8", "elements of a vector">,
    Option<"unit", "unit", "int64_t", "8192",
           "elements worth handing to another thread">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def OutlineParallel
    : Pass<"sparseflow-cpu-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Run parallel loops through the device's thread pool";
  let description = [{
    Moves the body of every outermost one-dimensional `scf.parallel` without
    reductions into a function over a range of iterations and calls
    `sparseflow_cpu_parallel_for(pool, function, context, count)`, with the
    captured values in a structure on the stack. The loops of this pipeline count
    from 0 by 1; others are normalised.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

def EntryPoints : Pass<"sparseflow-cpu-entry-points", "::mlir::ModuleOp"> {
  let summary = "Give public functions an entry point with one C signature";
  let description = [{
    Adds `sparseflow_cpu_entry_NAME(ptr slots)` for each public function NAME
    over memrefs; slot i points to the descriptor of argument i. The function
    itself becomes private.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ExpandShapes
    : Pass<"sparseflow-cpu-expand-shapes", "mlir::func::FuncOp"> {
  let summary = "memref.expand_shape to several sizes at run time by its strides";
  let description = [{
    Upstream's `expand-strided-metadata` takes one dynamic size of each group of
    a `memref.expand_shape`; groups of more become
    `memref.extract_strided_metadata` and `memref.reinterpret_cast` here.
  }];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect"];
}

def KeepRounding
    : Pass<"sparseflow-cpu-keep-rounding", "::mlir::func::FuncOp"> {
  let summary = "Forbid that float conversions are contracted away";
  let description = [{
    Upstream's arith-emulate-unsupported-floats marks the conversions it inserts
    with the fast-math flag `contract`, and a later fold drops the rounding
    between two narrow ops; nor do LLVM's conversions carry the flag. Without it
    every op on f16 or bf16 rounds once, as on the other devices.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ApproximateMath
    : Pass<"sparseflow-cpu-approximate-math", "::mlir::func::FuncOp"> {
  let summary = "Expand transcendental functions to f32 arithmetic on vectors";
  let description = [{
    Replaces `math` ops on f32 that have no machine instruction by polynomials,
    accurate to a few units in the last place over the whole range, NaN and
    infinities included. The rest becomes a scalar call of the C library per
    element (sparseflow-cpu pipeline, convert-math-to-libm).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

def ExpandHalf : Pass<"sparseflow-cpu-expand-half", "::mlir::func::FuncOp"> {
  let summary = "Convert between f16 and f32 with integer arithmetic";
  let description = [{
    For hosts without conversion instructions, where the compiler would call
    library functions that need not exist. Rounds to nearest even; subnormals,
    infinities and NaN are exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // SPARSEFLOW_TARGET_CPU_PASSES_TD
