//===- SFTileThreadOps.td - What threads do with registers -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations on a thread's own registers and pointers, for kernels whose warps
// have pipelines of their own (streamed matmuls), or that compute element by
// element (quantization, cache appends). They name the instruction by its atom,
// and packed weights by their codec, as operations on tiles do; arithmetic,
// shuffles and barriers of the block are those of `arith` and `gpu`.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILETHREADOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILETHREADOPS

include "SparseFlow/Dialect/SFTile/IR/Ops/SFTilePlaneOps.td"
include "SparseFlow/Dialect/SFTile/IR/Ops/SFTileThreadEnums.td"

class SFTile_ThreadOp<string mnemonic, list<Trait> traits = []>
    : SFTile_Op<"thread." # mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Copies and matrix loads
//===----------------------------------------------------------------------===//

def SFTile_ThreadCopyOp : SFTile_ThreadOp<"copy"> {
  let summary = "Starts a copy of adjacent bytes between global and shared memory";
  let description = [{
    To shared memory, as many bytes as the atom moves. Both pointers are aligned
    to that. `bytes`, at most as many, is what is read; zeros are written behind
    them. Or from there to global memory (`stored`), by the atom `bulk`: `bytes`,
    a multiple of 16, to which both pointers are aligned. `commit_group` and
    `wait_group` are for both.

    ```mlir
    sftile.thread.copy %global to %shared by (#sftile.cp_async<16>)
    sftile.thread.copy %global to %shared bytes %valid
        by (#sftile.cp_async<16>)
    ```

    ```mlir
    sftile.thread.copy %global from %shared bytes %count by (#sftile.bulk)
    ```
  }];
  let arguments = (ins SFTile_GlobalPointer:$global,
                       SFTile_SharedPointer:$shared, Optional<I32>:$bytes,
                       SFTile_CopyAtomInterface:$atom, UnitAttr:$stored);
  let assemblyFormat = [{
    $global (`from` $stored^) : (`to`)? $shared (`bytes` $bytes^)?
    `by` `(` $atom `)` attr-dict
  }];
  let hasVerifier = 1;
}

def SFTile_ThreadLoadMatricesOp : SFTile_ThreadOp<"load_matrices"> {
  let summary = "Four 8x8 matrices of 16-bit elements from shared memory";
  let description = [{
    Lane l gives the address of row l % 8 of matrix l / 8, and gets the elements
    2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of each matrix, a register each.
    Bytes are moved in pairs. All lanes of the warp execute it.

    ```mlir
    %x:4 = sftile.thread.load_matrices %row by (#sftile.ldmatrix)
    ```
  }];
  let arguments = (ins SFTile_SharedPointer:$row,
                       SFTile_MatrixAtomInterface:$atom);
  let results = (outs I32:$m0, I32:$m1, I32:$m2, I32:$m3);
  let assemblyFormat = "$row `by` `(` $atom `)` attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Operands and MMAs
//===----------------------------------------------------------------------===//

def SFTile_ThreadUnpackOp : SFTile_ThreadOp<"unpack", [Pure]> {
  let summary = "Registers of operand A from a word of packed weights";
  let description = [{
    A word of codes gives operand A of one or several MMAs of 16 rows, four
    registers each; `part` is the number of the MMA. Weights are exact: -1, 0 or
    1 of type `element`.

    | codec       | si8            | f16, bf16                           |
    |-------------|----------------|-------------------------------------|
    | `tern_v1`   | 1 part, K = 32 | 2 parts, K = 16                     |
    | `tern24_v1` | 2 parts, K = 64| 4 parts, K = 32, of exchanged bytes |
    | `tern24z_v1`| 1 part, K = 64 | 2 parts, K = 32, of exchanged bytes |

    The 2:4 codecs give the nonzeros alone. Their words lie as int8 MMAs read
    them; for MMAs of 16 bits the lanes of a quad have exchanged bytes (see
    `lib/Dialect/SFTile/Codecs/Tern24.cpp`).

    `raw` leaves the codes of `tern_v1`, one more than the weight, as their bits
    lie in the word, which takes fewer instructions: as i8 those of the upper
    eight rows are multiplied by four, as f16 they have no exponent. Whoever
    stores the accumulators takes away both, and the sum of the activations.

    ```mlir
    %a:4 = sftile.thread.unpack %word[1] codec tern_v1 as f16
    %r:4 = sftile.thread.unpack %word[0] codec tern_v1 raw as i8
    ```
  }];
  let arguments = (ins I32:$word, ConfinedAttr<I64Attr, [IntNonNegative]>:$part,
                       SFTile_Codec:$codec, UnitAttr:$raw,
                       TypeAttr:$element);
  let results = (outs I32:$a0, I32:$a1, I32:$a2, I32:$a3);
  let assemblyFormat = [{
    $word `[` $part `]` `codec` $codec (`raw` $raw^)? `as` $element attr-dict
  }];
  let hasVerifier = 1;
}

def SFTile_ThreadMmaOp : SFTile_ThreadOp<"mma", [
    Pure, AttrSizedOperandSegments,
    RangedTypesMatchWith<"results and accumulators have the same types", "c",
                         "results", "$_self">]> {
  let summary = "One MMA of a warp on registers";
  let description = [{
    D = A * B + C of one instruction tile, each operand as the thread's
    registers in the atom's layout: `a` and `b` 32 bits each, `c` and the
    results accumulators. A sparse A has `metadata`, and `selector` says which
    of the MMAs that share it this is. All lanes of the warp execute it.

    ```mlir
    %d:4 = sftile.thread.mma a(%a#0, %a#1, %a#2, %a#3) b(%x#0, %x#1)
        c(%c, %c, %c, %c) by (#sftile.mma_sync<16, f16>) : f32, f32, f32, f32
    %e:4 = sftile.thread.mma a(%w#0, %w#1, %w#2, %w#3)
        b(%x#0, %x#1, %x#2, %x#3) c(%i, %i, %i, %i) metadata %meta[0]
        by (#sftile.mma_sp_sync<64, si8>) : i32, i32, i32, i32
    ```
  }];
  let arguments = (ins Variadic<I32>:$a, Variadic<I32>:$b,
                       Variadic<AnyTypeOf<[F32, I32]>>:$c,
                       Optional<I32>:$metadata,
                       OptionalAttr<I64Attr>:$selector,
                       SFTile_MmaAtomInterface:$atom);
  let results = (outs Variadic<AnyTypeOf<[F32, I32]>>:$results);
  let assemblyFormat = [{
    `a` `(` $a `)` `b` `(` $b `)` `c` `(` $c `)`
    (`metadata` $metadata^ `[` $selector `]`)? `by` `(` $atom `)` attr-dict
    `:` type($c)
  }];
  let hasVerifier = 1;
}

def SFTile_ThreadBytesOp : SFTile_ThreadOp<"bytes", [Pure]> {
  let summary = "What one instruction does with the bytes of words";
  let description = [{
    * `permute` of a lower word, an upper one and a selector: byte i of the
      result is the one that nibble i of the selector names: 0 to 3 of the lower
      word, 4 to 7 of the upper one. With the nibble's top bit set it is the
      sign of that byte, repeated.
    * `round` of four f32: byte i of the result is the integer nearest to number
      i, the even one of two, or the nearest that a byte with a sign holds; 0
      for a NaN.
    * `sum` of a word and a number: the number and the word's bytes, which have
      signs.

    ```mlir
    %bytes = sftile.thread.bytes permute(%low, %high, %selector) : i32, i32, i32
    %word = sftile.thread.bytes round(%a, %b, %c, %d) : f32, f32, f32, f32
    %next = sftile.thread.bytes sum(%word, %sum) : i32, i32
    ```
  }];
  let arguments = (ins SFTile_BytesKind:$kind,
                       Variadic<AnyTypeOf<[I32, F32]>>:$operands);
  let results = (outs I32:$result);
  let assemblyFormat = "$kind `(` $operands `)` attr-dict `:` type($operands)";
  let hasVerifier = 1;
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILETHREADOPS
