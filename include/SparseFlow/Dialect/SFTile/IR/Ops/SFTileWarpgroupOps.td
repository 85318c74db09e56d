//===- SFTileWarpgroupOps.td - Asynchronous MMAs -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MMAs of a warpgroup, groups of what runs on while threads do, and what keeps the
// order of instructions around them. Included by SFTileOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEWARPGROUPOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEWARPGROUPOPS

//===----------------------------------------------------------------------===//
// Asynchronous MMAs
//===----------------------------------------------------------------------===//

def SFTile_MmaAsyncOp : SFTile_Op<"mma_async", [AttrSizedOperandSegments]> {
  let summary = "Starts an MMA of a warpgroup";
  let description = [{
    result = a * transpose(b) + acc, while the warps go on. All four warps of a
    warpgroup execute it together; each holds its rows of the accumulator. An
    accumulator that is in flight may be passed on to the next MMA, and to
    nothing else. If `cleared` nothing is added: `acc` is what the registers of
    the result held before, and nobody else reads.

    `a` is a tile, with the corner (`aRow`, `aCol`) of the MMA, or a fragment
    with the warp's rows of one step of K, which must stay as it is until the
    MMA has been waited for. Columns of a sparse `a` are those of its
    nonzeros; then `selector` says which MMA this is of those that a lane's
    words of `metadata` serve.

    Rows of `b` are columns of the accumulator, from `bRow` on, and its columns
    are K. If it is `transposed` its rows are K and its columns those of the
    accumulator, 64 in a tile; the next ones are in the tiles that follow `b` in
    its stage. The corner of the MMA is (`bRow`, `bCol`) in both cases.

    ```mlir
    %p = sftile.mma_async %w[%row, %c0], %x[%token, %c0], %acc
        by (#sftile.wgmma<f16>)
        : !sftile.tile<64x64xf16, swizzled>, !sftile.tile<128x64xf16, swizzled>,
          !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
    ```

    ```mlir
    %p = sftile.mma_async %w, %x[%token, %c0], %acc by (#sftile.wgmma<i8>)
        : !sftile.frag<16x32xi8, #a>, !sftile.tile<128x128xi8, swizzled>,
          !sftile.frag<16x128xi32, #c> -> !sftile.pending<!sftile.frag<16x128xi32, #c>>
    ```

    ```mlir
    %p = sftile.mma_async %weights, %v0[%row, %c0] transposed, %acc
        by (#sftile.wgmma<f16>)
        : !sftile.frag<16x16xf16, #a>, !sftile.tile<128x64xf16, swizzled>,
          !sftile.frag<16x128xf32, #c> -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
    ```
  }];
  let arguments = (ins
    Arg<AnyTypeOf<[SFTile_TileType, SFTile_FragType]>, "", [MemRead]>:$a,
    Optional<Index>:$aRow, Optional<Index>:$aCol,
    Arg<SFTile_TileType, "", [MemRead]>:$b, Index:$bRow, Index:$bCol,
    AnyTypeOf<[SFTile_FragType, SFTile_PendingType]>:$acc,
    Optional<SFTile_FragType>:$metadata, OptionalAttr<I64Attr>:$selector,
    SFTile_AsyncMmaAtomInterface:$atom, UnitAttr:$transposed,
    UnitAttr:$cleared);
  let results = (outs SFTile_PendingType:$result);
  let assemblyFormat = [{
    $a (`[` $aRow^ `,` $aCol `]`)? `,` $b `[` $bRow `,` $bCol `]`
    (`transposed` $transposed^)? `,` (`cleared` $cleared^)? $acc
    (`metadata` $metadata^ `[` $selector `]`)? `by` `(` $atom `)` attr-dict
    `:` type($a) `,` type($b) `,` type($acc) (`,` type($metadata)^)?
    `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

// Atoms whose executions run on while the thread does: they are ended in groups.
def SFTile_GroupAtom
    : AnyAttrOf<[SFTile_AsyncMmaAtomInterface, SFTile_CopyAtomInterface],
                "atom of asynchronous MMAs or of a thread's copies">;

def SFTile_CommitGroupOp : SFTile_Op<"commit_group", [
    RangedTypesMatchWith<"the results are the accumulators", "accumulators",
                         "results", "llvm::to_vector($_self)">]> {
  let summary = "Ends a group of asynchronous MMAs, or of a thread's copies";
  let description = [{
    What the atom has started since the last `commit_group` is a group, for which
    `wait_group` can wait: the MMAs of a warpgroup, whose accumulators pass
    through it, or the copies of the thread (`thread.copy`), of which there may be
    none.

    ```mlir
    %q = sftile.commit_group %p by (#sftile.wgmma<f16>)
        : !sftile.pending<!sftile.frag<16x128xf32, #c>>
    ```

    ```mlir
    sftile.commit_group by (#sftile.cp_async<16>)
    ```
  }];
  let arguments = (ins Variadic<SFTile_PendingType>:$accumulators,
                       SFTile_GroupAtom:$atom);
  let results = (outs Variadic<SFTile_PendingType>:$results);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$accumulators,
                                 "AsyncMmaAtomInterface":$atom), [{
    build($_builder, $_state, accumulators.getTypes(), accumulators, atom);
  }]>, OpBuilder<(ins "CopyAtomInterface":$atom), [{
    build($_builder, $_state, ::mlir::TypeRange(), ::mlir::ValueRange(), atom);
  }]>];
  let assemblyFormat = [{
    ($accumulators^)? `by` `(` $atom `)` attr-dict (`:` type($accumulators)^)?
  }];
  let hasVerifier = 1;
}

def SFTile_WaitGroupOp : SFTile_Op<"wait_group", [AttrSizedOperandSegments]> {
  let summary = "Waits for groups of asynchronous MMAs, or of a thread's copies";
  let description = [{
    Waits until at most `pending` groups of the atom, the youngest, are
    unfinished.

    Of MMAs, the result of an accumulator whose MMAs are done then is a fragment;
    others stay pending, but what older groups read may be overwritten. With
    `pending` = 0 every result is a fragment. MMAs read registers while they run,
    and nothing else keeps those from being used anew: `holding` names the
    fragments that groups have read which are finished now.

    Of copies, the thread's own have arrived; other threads see the bytes behind a
    barrier with this one. Of the copies `from` a tile that `tma_store` has started,
    a group each, all but the youngest have read their source, and every warp that
    shares the tile has come this far: it may be filled again.

    ```mlir
    %acc = sftile.wait_group %q by (#sftile.wgmma<f16>)
        : !sftile.pending<!sftile.frag<16x128xf32, #c>>
        -> !sftile.frag<16x128xf32, #c>
    %r = sftile.wait_group %q pending 1
        holding (%m : !sftile.frag<1x32xi32, #m>)
        by (#sftile.wgmma<f16, sparse>)
        : !sftile.pending<!sftile.frag<16x128xf32, #c>>
        -> !sftile.pending<!sftile.frag<16x128xf32, #c>>
    ```

    ```mlir
    sftile.wait_group pending 2 by (#sftile.cp_async<16>)
    ```

    ```mlir
    sftile.wait_group pending 1
        from (%box : !sftile.tile<64x64xf16, swizzled>) by (#sftile.tma)
    ```
  }];
  let arguments = (ins Variadic<SFTile_PendingType>:$accumulators,
                       Variadic<SFTile_FragType>:$held,
                       Optional<SFTile_TileType>:$tile,
                       DefaultValuedAttr<ConfinedAttr<I64Attr,
                                                      [IntNonNegative]>, "0">:$pending,
                       SFTile_GroupAtom:$atom);
  let results = (outs Variadic<AnyTypeOf<[SFTile_FragType,
                                          SFTile_PendingType]>>:$results);
  let builders = [
    // For MMAs.
    OpBuilder<(ins "::mlir::TypeRange":$results,
                   "::mlir::ValueRange":$accumulators,
                   "::mlir::ValueRange":$held, "int64_t":$pending,
                   "AsyncMmaAtomInterface":$atom), [{
      build($_builder, $_state, results, accumulators, held, ::mlir::Value(),
            pending, atom);
    }]>,
    // For copies of this thread, or those from `tile`.
    OpBuilder<(ins "int64_t":$pending, "CopyAtomInterface":$atom,
                   CArg<"::mlir::Value", "{}">:$tile), [{
      build($_builder, $_state, ::mlir::TypeRange(), ::mlir::ValueRange(),
            ::mlir::ValueRange(), tile, pending, atom);
    }]>];
  let assemblyFormat = [{
    ($accumulators^)? (`pending` $pending^)?
    (`holding` `(` $held^ `:` type($held) `)`)?
    (`from` `(` $tile^ `:` type($tile) `)`)? `by` `(` $atom `)` attr-dict
    (`:` type($accumulators)^ `->` type($results))?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// The order of instructions
//===----------------------------------------------------------------------===//

def SFTile_SchedBarrierOp : SFTile_Op<"sched_barrier", [
    TypesMatchWith<"the result is the source", "source", "result", "$_self">]> {
  let summary = "Keeps what computes a fragment in front of what follows";
  let description = [{
    What computes the fragment stands before, what uses the result behind, in
    PTX: while asynchronous MMAs run, writing to a register that they use, or
    that ptxas merges with one, would make it run them one by one.

    ptxas still moves arithmetic behind a wait for MMAs, as if that took no
    time. `in_sass` orders its instructions too: the fragment's elements (f32,
    never negative) decide whether something is stored, which never happens, but
    which nothing that waits can be moved in front of. So arithmetic that should
    run beside MMAs does. The result is the source then.

    ```mlir
    %q = sftile.sched_barrier %p : !sftile.frag<16x128xf32, #c>
    ```

    ```mlir
    %t = sftile.sched_barrier in_sass %totals : !sftile.frag<16x4xf32, #parts>
    ```
  }];
  let arguments = (ins SFTile_FragType:$source, UnitAttr:$in_sass);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = "(`in_sass` $in_sass^)? $source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def SFTile_OrderedAction
    : I32EnumAttr<"OrderedAction", "what a warpgroup does at its turn", [
    I32EnumAttrCase<"Wait", 0, "wait">,
    I32EnumAttrCase<"Arrive", 1, "arrive">,
    I32EnumAttrCase<"ArriveFirst", 2, "arrive_first">]> {
  let cppNamespace = "::mlir::sftile";
}

def SFTile_OrderedBarrierOp : SFTile_Op<"ordered_barrier"> {
  let summary = "Lets the warpgroups of a role take turns (ping-pong)";
  let description = [{
    The warpgroups of a role, four warps each, pass an ordered barrier one after
    the other. `wait` waits until the warpgroup before has arrived, the first's
    until the last has; `arrive` lets the next one pass. With `arrive_first` only
    the last warpgroup arrives, before any waits. With one warpgroup there is
    nothing to wait for.

    ```mlir
    sftile.ordered_barrier arrive_first
    sftile.ordered_barrier wait
    ```
  }];
  let arguments = (ins SFTile_OrderedAction:$action);
  let assemblyFormat = "$action attr-dict";
  let hasVerifier = 1;
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEWARPGROUPOPS
