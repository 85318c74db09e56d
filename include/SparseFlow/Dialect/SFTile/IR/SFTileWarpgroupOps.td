//===- SFTileWarpgroupOps.td - Products that overlap -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of a warpgroup, several groups of them in flight, and warpgroups that
// take turns. Included by SFTileOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEWARPGROUPOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEWARPGROUPOPS

def SFTile_MmaAsyncOp : SFTile_Op<"mma_async"> {
  let summary = "Starts a matrix product of a warpgroup";
  let description = [{
    result = a * transpose(b) + acc, read from shared memory while the warps go
    on. All four warps of a warpgroup execute it together; each holds its rows
    of the accumulator. The corner of `a` is (`aRow`, `aCol`) and counts kept
    elements if the atom is sparse. An accumulator that is in flight may be
    passed on to the next product, and to nothing else.

    ```mlir
    %p = sftile.mma_async %w[%row, %c0], %x[%token, %c0], %acc
        by (#sftile.wgmma<f16>)
        : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>,
          !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
    ```
  }];
  let arguments = (ins Arg<SFTile_TileType, "", [MemRead]>:$a, Index:$aRow,
                       Index:$aCol, Arg<SFTile_TileType, "", [MemRead]>:$b,
                       Index:$bRow, Index:$bCol,
                       AnyTypeOf<[SFTile_FragType, SFTile_PendingType]>:$acc,
                       Optional<SFTile_FragType>:$metadata,
                       OptionalAttr<I64Attr>:$selector,
                       SFTile_AsyncMmaAtomInterface:$atom);
  let results = (outs SFTile_PendingType:$result);
  let assemblyFormat = [{
    $a `[` $aRow `,` $aCol `]` `,` $b `[` $bRow `,` $bCol `]` `,` $acc
    (`metadata` $metadata^ `[` $selector `]`)? `by` `(` $atom `)` attr-dict
    `:` type($a) `,` type($b) `,` type($acc) (`,` type($metadata)^)?
    `->` type($result)
  }];
  let hasVerifier = 1;
}

def SFTile_MmaAsyncRegistersOp : SFTile_Op<"mma_async_registers"> {
  let summary = "Starts a matrix product of a warpgroup, A in registers";
  let description = [{
    result = a * transpose(b) + acc. Each of the four warps holds its rows of `a`
    and of the accumulator; `b` is read from shared memory while the warps go on.
    An `await` holds what the product reads in registers.

    If `cleared` nothing is added: `acc` is what the registers of the result held
    before, and nobody else reads.

    A sparse `a` has the kept columns, and a lane's `metadata` says which they
    are: word `selector`, or, where a word serves two products, the half of that
    number.

    ```mlir
    %p = sftile.mma_async_registers %w, %x[%token, %c0], %acc
        by (#sftile.wgmma_registers<i8>)
        : !sftile.frag<16x32xi8, #a>, !sftile.tile<128x128xi8, swizzled>,
          !sftile.frag<16x128xi32, #c> -> !sftile.pending<!sftile.frag<16x128xi32, #c>>
    ```
  }];
  let arguments = (ins SFTile_FragType:$a,
                       Arg<SFTile_TileType, "", [MemRead]>:$b, Index:$bRow,
                       Index:$bCol,
                       AnyTypeOf<[SFTile_FragType, SFTile_PendingType]>:$acc,
                       Optional<SFTile_FragType>:$metadata,
                       OptionalAttr<I64Attr>:$selector, UnitAttr:$cleared,
                       SFTile_RegisterMmaAtomInterface:$atom);
  let results = (outs SFTile_PendingType:$result);
  let assemblyFormat = [{
    $a `,` $b `[` $bRow `,` $bCol `]` `,` (`cleared` $cleared^)? $acc
    (`metadata` $metadata^ `[` $selector `]`)? `by` `(` $atom `)` attr-dict
    `:` type($a) `,` type($b) `,` type($acc) (`,` type($metadata)^)?
    `->` type($result)
  }];
  let hasVerifier = 1;
}

def SFTile_AwaitOp : SFTile_Op<"await", [AttrSizedOperandSegments]> {
  let summary = "Waits for products and gives their accumulators back";
  let description = [{
    The products that were started since the last `await` are a group. Waits
    until at most `leaving` groups, the youngest, are unfinished. If that is
    none the results are fragments; otherwise they are still pending, but what
    the groups before the youngest read may be filled again.

    Products read metadata from registers while they run, and nothing else keeps
    those from being used anew: `holding` names the fragments that groups have
    read which are finished now.

    ```mlir
    %acc = sftile.await %p by (#sftile.wgmma<f16>)
        : !sftile.pending<!sftile.frag<16x128xf32, #c>>
        -> !sftile.frag<16x128xf32, #c>
    %q = sftile.await %p leaving 1 holding (%m : !sftile.frag<1x32xi32, #m>)
        by (#sftile.wgmma_sp<f16>)
        : !sftile.pending<!sftile.frag<16x128xf32, #c>>
        -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
    ```
  }];
  let arguments = (ins Variadic<SFTile_PendingType>:$pending,
                       Variadic<SFTile_FragType>:$held,
                       DefaultValuedAttr<I64Attr, "0">:$leaving,
                       SFTile_AsyncGroupAtomInterface:$atom);
  let results = (outs Variadic<AnyTypeOf<[SFTile_FragType,
                                          SFTile_PendingType]>>:$results);
  let assemblyFormat = [{
    $pending (`leaving` $leaving^)? (`holding` `(` $held^ `:` type($held) `)`)?
    `by` `(` $atom `)` attr-dict `:` type($pending) `->` type($results)
  }];
  let hasVerifier = 1;
}

def SFTile_MmaAsyncFragOp : SFTile_Op<"mma_async_frag"> {
  let summary = "Starts a product of a warpgroup with its left side in registers";
  let description = [{
    result = a * b + acc. Each warp holds its rows of `a`, one step of depth,
    which must stay as they are until the product is awaited. Rows of `b` are
    the depth, from `bRow` on; its columns, those of the accumulator, lie in
    tiles of one stage that follow one another, 64 columns in each.

    ```mlir
    %p = sftile.mma_async_frag %weights, (%v0, %v1)[%row], %acc
        by (#sftile.wgmma<f16>)
        : !sftile.frag<16x16xf16, #a>, (!sftile.tile<128x64xf16, swizzled>,
          !sftile.tile<128x64xf16, swizzled>), !sftile.frag<16x128xf32, #c>
        -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
    ```
  }];
  let arguments = (ins SFTile_FragType:$a,
                       Arg<Variadic<SFTile_TileType>, "", [MemRead]>:$b,
                       Index:$bRow,
                       AnyTypeOf<[SFTile_FragType, SFTile_PendingType]>:$acc,
                       SFTile_FragmentMmaAtomInterface:$atom);
  let results = (outs SFTile_PendingType:$result);
  let assemblyFormat = [{
    $a `,` `(` $b `)` `[` $bRow `]` `,` $acc `by` `(` $atom `)` attr-dict
    `:` type($a) `,` `(` type($b) `)` `,` type($acc) `->` type($result)
  }];
  let hasVerifier = 1;
}

def SFTile_CommitProductsOp : SFTile_Op<"commit_products", [
    TypesMatchWith<"the result is the accumulator", "pending", "result",
                   "$_self">]> {
  let summary = "Ends a group of products";
  let description = [{
    The products that were started since the group before are one. `collect`
    can then wait for it while products of later groups run.

    ```mlir
    %q = sftile.commit_products %p by (#sftile.wgmma<f16>)
        : !sftile.pending<!sftile.frag<16x128xf32, #c>>
    ```
  }];
  let arguments = (ins SFTile_PendingType:$pending,
                       SFTile_AsyncGroupAtomInterface:$atom);
  let results = (outs SFTile_PendingType:$result);
  let assemblyFormat = "$pending `by` `(` $atom `)` attr-dict `:` type($pending)";
}

def SFTile_CollectOp : SFTile_Op<"collect"> {
  let summary = "Waits for a group of products with younger ones behind it";
  let description = [{
    Waits until at most `younger` groups are unfinished, and gives back an
    accumulator of a group before those. `holding` is as in `await`.

    ```mlir
    %s = sftile.collect %q younger 1 by (#sftile.wgmma<f16>)
        : !sftile.pending<!sftile.frag<16x128xf32, #c>>
        -> !sftile.frag<16x128xf32, #c>
    ```
  }];
  let arguments = (ins SFTile_PendingType:$pending,
                       Variadic<SFTile_FragType>:$held, I64Attr:$younger,
                       SFTile_AsyncGroupAtomInterface:$atom);
  let results = (outs SFTile_FragType:$frag);
  let assemblyFormat = [{
    $pending `younger` $younger (`holding` `(` $held^ `:` type($held) `)`)?
    `by` `(` $atom `)` attr-dict `:` type($pending) `->` type($frag)
  }];
  let hasVerifier = 1;
}

def SFTile_PinOp : SFTile_Op<"pin", [
    TypesMatchWith<"the result is the source", "source", "result", "$_self">]> {
  let summary = "Ends what computes a fragment";
  let description = [{
    What computes the fragment stands before, what uses it behind, also for the
    assembler: while products run, writing to a register that they use, or that
    it merges with one, would make it run them one by one.

    ```mlir
    %q = sftile.pin %p : !sftile.frag<16x128xf32, #c>
    ```
  }];
  let arguments = (ins SFTile_FragType:$source);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def SFTile_SettleOp : SFTile_Op<"settle"> {
  let summary = "Ends what computes a fragment, for ptxas too";
  let description = [{
    `pin` orders what the compiler writes; ptxas still moves arithmetic
    behind a wait for products, as if that took no time. Here the fragment's
    elements (f32, never negative) decide whether something is stored, which
    never happens, but which nothing that waits can be moved in front of. So
    arithmetic that should run beside products does.

    ```mlir
    sftile.settle %totals : !sftile.frag<16x4xf32, #parts>
    ```
  }];
  let arguments = (ins SFTile_FragType:$frag);
  let assemblyFormat = "$frag attr-dict `:` type($frag)";
  let hasVerifier = 1;
}

def SFTile_AnyLessOp : SFTile_Op<"any_less", [
    Pure, SameTypeOperands]> {
  let summary = "Whether an element of a warp's fragment is less than another's";
  let description = [{
    True, in every lane, if an element of `a` that a lane of the warp holds is
    less than that of `b` in its place.

    ```mlir
    %grown = sftile.any_less %before, %after : !sftile.frag<16x1xf32, #rows>
    ```
  }];
  let arguments = (ins SFTile_FragType:$a, SFTile_FragType:$b);
  let results = (outs I1:$result);
  let assemblyFormat = "$a `,` $b attr-dict `:` type($a)";
  let hasVerifier = 1;
}

def SFTile_TakeTurnOp : SFTile_Op<"take_turn"> {
  let summary = "Waits until the warpgroup before passes its turn";
  let description = [{
    The warpgroups of a role, four warps each, take turns in order: each passes
    its turn to the next, the last to the first. The last passes one before the
    first take. With one warpgroup there is nothing to wait for.

    ```mlir
    sftile.take_turn
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def SFTile_PassTurnOp : SFTile_Op<"pass_turn"> {
  let summary = "Lets the next warpgroup go on";
  let description = [{
    With `first` only the last warpgroup does so, before anyone has a turn.

    ```mlir
    sftile.pass_turn first
    ```
  }];
  let arguments = (ins UnitAttr:$first);
  let assemblyFormat = "(`first` $first^)? attr-dict";
  let hasVerifier = 1;
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEWARPGROUPOPS
