// Multi-head latent attention: 576 features of scores, the first 512 of a key are its
// value. One query of 16, 64 and 128 heads, several causal ones, lengths, pages, values of
// their own, odd numbers of features; parts without keys and single-element copies. On
// sm_90a two warpgroups divide the features of the values.
//
// REQUIRES: turn-1-of-2
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races
// RUN: %{run} %t/decode.mlir --target sm_80 --dim T=1 --dim T1=1 | FileCheck %s
// RUN: %{run} %t/decode.mlir --target sm_80 --dim T=3 --dim T1=63 --seed 1 | FileCheck %s
// RUN: %{run} %t/decode.mlir --target sm_80 --dim T=2 --dim T1=300 --seed 2 | FileCheck %s
// RUN: %{run} %t/decode.mlir --target sm_80 --dim T=1 --dim T1=33 --seed 3 --unaligned | FileCheck %s
// RUN: %{run} %t/heads64.mlir --target sm_80 --dim T=1 --dim T1=64 --seed 4 | FileCheck %s
// RUN: %{run} %t/few.mlir --target sm_80 --dim T=2 --dim T1=3 --dim T2=65 --seed 5 | FileCheck %s
// RUN: %{run} %t/few.mlir --target sm_80 --dim T=1 --dim T1=40 --dim T2=21 --seed 6 | FileCheck %s
// RUN: %{run} %t/paged.mlir --target sm_80 --dim T=2 --dim T1=5 --dim T2=3 --seed 7 | FileCheck %s
// RUN: %{run} %t/own.mlir --target sm_80 --dim T=2 --dim T1=5 --dim T2=70 --seed 8 | FileCheck %s
// RUN: %{run} %t/narrow.mlir --target sm_80 --dim T=2 --dim T1=70 --dim T2=70 --seed 9 | FileCheck %s
// RUN: %{run} %t/heads128.mlir --target sm_90a --dim T=1 --dim T1=65 --seed 10 | FileCheck %s
// RUN: %{run} %t/decode.mlir --target sm_90a --dim T=1 --dim T1=500 --seed 11 | FileCheck %s
// RUN: %{run} %t/own.mlir --target sm_86 --dim T=1 --dim T1=19 --dim T2=50 --seed 12 | FileCheck %s
// RUN: %{run} %t/decode.mlir --target sm_90a --dim T=3 --dim T1=700 --seed 14 | FileCheck %s
// RUN: %{run} %t/paged.mlir --target sm_90a --dim T=3 --dim T1=7 --dim T2=4 --seed 15 | FileCheck %s
// RUN: %{run} %t/prefill.mlir --target sm_90a --dim T=2 --dim T1=70 --dim T2=165 --seed 16 | FileCheck %s
// RUN: %{run} %t/uneven.mlir --target sm_90a --dim T=1 --dim T1=75 --dim T2=70 --seed 17 | FileCheck %s
// RUN: sparseflow run --device cpu --check %t/few.mlir --dim T=2 --dim T1=3 --dim T2=65 --seed 13 | FileCheck %s --check-prefix=CPU
// RUN: sparseflow compile %t/decode.mlir --target sm_90a --emit ptx -o /dev/null --remarks 2>&1 | FileCheck %s --check-prefix=ROW
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races
// CPU: check {{.*}} ok
// RUN: sparseflow compile %t/prefill.mlir --target sm_90a --emit cubin -o /dev/null --remarks 2>&1 | FileCheck %s --check-prefix=MMAS --implicit-check-not fallback
//
// ROW: remark: [schedule] sm90a.attention.decode_latent_pairs for up to 1 queries from 53 blocks on up to 66 blocks and 1024 keys: 64 queries a block, 16 a warp, 2 stages of 64 keys, 2 warpgroups for the features of a value, 2 blocks of a cluster for the keys
// ROW: remark: [schedule] sm90a.attention.decode_latent_pairs_short for up to 1 queries from 45 blocks on up to 66 blocks and 1024 keys and up to 10240 keys: 64 queries a block, 16 a warp, 2 stages of 64 keys, 2 warpgroups for the features of a value, 2 blocks of a cluster for the keys
// ROW: remark: [schedule] sm90a.attention.decode_latent for up to 1 queries: 64 queries a block, 16 a warp, 2 stages of 64 keys, 2 warpgroups for the features of a value
//
// 36 steps of 16 features of keys, and 4 of 16 keys for each half of the values.
// MMAS: [ptxas] 'f_0_d_whole' on sm_90a: {{.*}}no spills, 44 tensor core instructions

//--- decode.mlir
func.func @f(%q: tensor<?x16x1x576xbf16>, %c: tensor<?x1x?x576xbf16>) -> (tensor<?x16x1x512xbf16>, tensor<?x16x1xf32>) {
  %o, %l = sparseflow.attention %q, %c, %c {scale = 0.1352337788 : f32, value_features = 512 : i64}
    : tensor<?x16x1x576xbf16>, tensor<?x1x?x576xbf16>, tensor<?x1x?x576xbf16> -> tensor<?x16x1x512xbf16>, tensor<?x16x1xf32>
  return %o, %l : tensor<?x16x1x512xbf16>, tensor<?x16x1xf32>
}

//--- heads64.mlir
func.func @f(%q: tensor<?x64x1x576xf16>, %c: tensor<?x1x?x576xf16>) -> tensor<?x64x1x512xf16> {
  %o = sparseflow.attention %q, %c, %c {value_features = 512 : i64}
    : tensor<?x64x1x576xf16>, tensor<?x1x?x576xf16>, tensor<?x1x?x576xf16> -> tensor<?x64x1x512xf16>
  return %o : tensor<?x64x1x512xf16>
}

//--- heads128.mlir
func.func @f(%q: tensor<?x128x1x576xbf16>, %c: tensor<?x1x?x576xbf16>) -> tensor<?x128x1x512xf32> {
  %o = sparseflow.attention %q, %c, %c {value_features = 512 : i64}
    : tensor<?x128x1x576xbf16>, tensor<?x1x?x576xbf16>, tensor<?x1x?x576xbf16> -> tensor<?x128x1x512xf32>
  return %o : tensor<?x128x1x512xf32>
}

//--- few.mlir
func.func @f(%q: tensor<?x?x2x576xf16>, %c: tensor<?x?x1x576xf16>, %n: tensor<?xi32>) -> tensor<?x?x2x512xf16> {
  %o = sparseflow.attention %q, %c, %c lengths(%n : tensor<?xi32>) {causal, layout = #sparseflow.attention_layout<bshd>, value_features = 512 : i64}
    : tensor<?x?x2x576xf16>, tensor<?x?x1x576xf16>, tensor<?x?x1x576xf16> -> tensor<?x?x2x512xf16>
  return %o : tensor<?x?x2x512xf16>
}

//--- paged.mlir
func.func @f(%q: tensor<?x16x1x576xf16>, %c: tensor<?x1x64x576xf16>, %n: tensor<?xi32>, %t: tensor<?x?xi32>) -> tensor<?x16x1x512xf16> {
  %o = sparseflow.attention %q, %c, %c lengths(%n : tensor<?xi32>) pages(%t : tensor<?x?xi32>) {value_features = 512 : i64}
    : tensor<?x16x1x576xf16>, tensor<?x1x64x576xf16>, tensor<?x1x64x576xf16> -> tensor<?x16x1x512xf16>
  return %o : tensor<?x16x1x512xf16>
}

//--- own.mlir
func.func @f(%q: tensor<?x2x?x328xf16>, %k: tensor<?x1x?x328xf16>, %v: tensor<?x1x?x300xf16>) -> tensor<?x2x?x276xf16> {
  %o = sparseflow.attention %q, %k, %v {window = 20 : i64, value_features = 276 : i64}
    : tensor<?x2x?x328xf16>, tensor<?x1x?x328xf16>, tensor<?x1x?x300xf16> -> tensor<?x2x?x276xf16>
  return %o : tensor<?x2x?x276xf16>
}

//--- narrow.mlir
func.func @f(%q: tensor<?x2x?x96xf16>, %c: tensor<?x1x?x96xf16>) -> tensor<?x2x?x72xf16> {
  %o = sparseflow.attention %q, %c, %c {causal, value_features = 72 : i64}
    : tensor<?x2x?x96xf16>, tensor<?x1x?x96xf16>, tensor<?x1x?x96xf16> -> tensor<?x2x?x72xf16>
  return %o : tensor<?x2x?x72xf16>
}

//--- prefill.mlir
func.func @f(%q: tensor<?x?x2x576xf16>, %c: tensor<?x?x1x576xf16>, %n: tensor<?xi32>) -> (tensor<?x?x2x512xf16>, tensor<?x2x?xf32>) {
  %o, %l = sparseflow.attention %q, %c, %c lengths(%n : tensor<?xi32>) {causal, layout = #sparseflow.attention_layout<bshd>, value_features = 512 : i64}
    : tensor<?x?x2x576xf16>, tensor<?x?x1x576xf16>, tensor<?x?x1x576xf16> -> tensor<?x?x2x512xf16>, tensor<?x2x?xf32>
  return %o, %l : tensor<?x?x2x512xf16>, tensor<?x2x?xf32>
}

//--- uneven.mlir
func.func @f(%q: tensor<?x2x?x328xbf16>, %c: tensor<?x1x?x328xbf16>) -> tensor<?x2x?x272xbf16> {
  %o = sparseflow.attention %q, %c, %c {window = 20 : i64, value_features = 272 : i64}
    : tensor<?x2x?x328xbf16>, tensor<?x1x?x328xbf16>, tensor<?x1x?x328xbf16> -> tensor<?x2x?x272xbf16>
  return %o : tensor<?x2x?x272xbf16>
}
