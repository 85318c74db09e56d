// Keys and values in pages of one allocation, beside one another or behind layers, are read where
// they are: of 16-bit caches, whose pages follow one another with a pitch, on tensor maps and on plain
// addresses, in both layouts, also where pages are parts of stages and queries are packed. A slice that
// is no page of each entry is copied, and a remark says why.
//
// REQUIRES: turn-0-of-3
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races
// RUN: %{run} --target sm_90a %t/beside.mlir --dim T=3 --dim T1=11 --dim T2=4 --seed 1 | FileCheck %s
// RUN: %{run} --target sm_80 %t/beside.mlir --dim T=3 --dim T1=11 --dim T2=4 --seed 2 | FileCheck %s
// RUN: %{run} --target sm_90a %t/heads.mlir --dim T=2 --dim T1=70 --dim T2=11 --dim T3=5 --seed 3 | FileCheck %s
// RUN: %{run} --target sm_80 %t/heads.mlir --dim T=2 --dim T1=70 --dim T2=11 --dim T3=5 --seed 4 | FileCheck %s
// RUN: %{run} --target sm_90a %t/layers.mlir --dim T=90 --dim T1=20 --dim T2=3 --dim T3=6 --dim T4=4 --seed 5 | FileCheck %s
// RUN: %{run} --target sm_80 %t/layers.mlir --dim T=90 --dim T1=20 --dim T2=3 --dim T3=6 --dim T4=4 --seed 6 | FileCheck %s
// RUN: %{run} --target sm_90a %t/wide.mlir --dim T=2 --dim T1=20 --dim T2=9 --dim T3=4 --seed 7 | FileCheck %s
// RUN: %{run} --target sm_80 %t/moved.mlir --dim T=2 --dim T1=9 --dim T2=4 --seed 8 | FileCheck %s
// RUN: %{run} --target sm_90a %t/donated.mlir --dim T=3 --dim T1=2 --seed 10 | FileCheck %s
// RUN: %{run} --target sm_80 %t/donated.mlir --dim T=3 --dim T1=2 --seed 11 | FileCheck %s
// RUN: %{run} --target sm_90a %t/single.mlir --seed 12 | FileCheck %s
// RUN: sparseflow run --device cpu --check %t/beside.mlir --dim T=3 --dim T1=11 --dim T2=4 --seed 9 | FileCheck %s --check-prefix=CPU
// RUN: sparseflow compile %t/layers.mlir --target sm_90a --emit ptx -o %t/layers.ptx --remarks 2>&1 | FileCheck %s --check-prefix=LAYERS
// RUN: sparseflow compile %t/moved.mlir --target sm_90a --emit ptx -o %t/moved.ptx --remarks 2>&1 | FileCheck %s --check-prefix=MOVED
// RUN: sparseflow compile %t/donated.mlir --target sm_90a --emit ptx -o %t/donated.ptx --remarks 2>&1 | FileCheck %s --check-prefix=DONATED
// RUN: sparseflow compile %t/single.mlir --target sm_90a --emit ptx -o %t/single.ptx --remarks 2>&1 | FileCheck %s --check-prefix=SINGLE
// RUN: sparseflow compile %t/reasons.mlir --target sm_80 --emit ptx -o %t/reasons.ptx --remarks 2>&1 | FileCheck %s --check-prefix=REASONS
//
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// CHECK: found    nothing: bounds, alignment, operands, races
// CPU: check {{.*}} ok
//
// LAYERS-NOT: a kernel of its own
// LAYERS: {{\[pages\]}} k is read in its pool: a page of each entry of 6, number 4
// LAYERS: {{\[pages\]}} v is read in its pool: a page of each entry of 6, number 5
// MOVED: {{\[pages\]}} k is copied out of its pool: expected a pool that is an argument, which nothing updates in place, and slices that attentions alone read
// MOVED: {{\[pages\]}} v is copied out of its pool: expected a slice of whole pages
// DONATED: a kernel of its own (map): it reads a cache that grows behind it
// DONATED: {{\[pages\]}} k is copied out of its pool: expected a pool that is an argument, which nothing updates in place,
// SINGLE: {{\[pages\]}} v is read in its pool: a page of each entry of 2, number 1
// REASONS-DAG: k is copied out of its pool: expected a slice with steps of 1
// REASONS-DAG: k is copied out of its pool: expected a slice of all entries of the pool, its first dimension
// REASONS-DAG: k is copied out of its pool: expected a pool of known sizes but for its entries
// REASONS-DAG: k is copied out of its pool: expected a slice at a known place of each entry
// REASONS-DAG: k is copied out of its pool: expected a slice of one page of each entry

//--- beside.mlir
func.func @f(%q: tensor<?x1x8x128xf16>, %pool: tensor<?x2x64x2x128xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> tensor<?x1x8x128xf16> {
  %c0 = arith.constant 0 : index
  %p = tensor.dim %pool, %c0 : tensor<?x2x64x2x128xf16>
  %k = tensor.extract_slice %pool[0, 0, 0, 0, 0] [%p, 1, 64, 2, 128] [1, 1, 1, 1, 1] : tensor<?x2x64x2x128xf16> to tensor<?x64x2x128xf16>
  %v = tensor.extract_slice %pool[0, 1, 0, 0, 0] [%p, 1, 64, 2, 128] [1, 1, 1, 1, 1] : tensor<?x2x64x2x128xf16> to tensor<?x64x2x128xf16>
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) {layout = #sparseflow.attention_layout<bshd>} : tensor<?x1x8x128xf16>, tensor<?x64x2x128xf16>, tensor<?x64x2x128xf16> -> tensor<?x1x8x128xf16>
  return %o : tensor<?x1x8x128xf16>
}

//--- heads.mlir
func.func @f(%q: tensor<?x4x?x64xbf16>, %pool: tensor<?x2x2x32x64xbf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> tensor<?x4x?x64xbf16> {
  %c0 = arith.constant 0 : index
  %p = tensor.dim %pool, %c0 : tensor<?x2x2x32x64xbf16>
  %k = tensor.extract_slice %pool[0, 1, 0, 0, 0] [%p, 1, 2, 32, 64] [1, 1, 1, 1, 1] : tensor<?x2x2x32x64xbf16> to tensor<?x2x32x64xbf16>
  %v = tensor.extract_slice %pool[0, 0, 0, 0, 0] [%p, 1, 2, 32, 64] [1, 1, 1, 1, 1] : tensor<?x2x2x32x64xbf16> to tensor<?x2x32x64xbf16>
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) {causal} : tensor<?x4x?x64xbf16>, tensor<?x2x32x64xbf16>, tensor<?x2x32x64xbf16> -> tensor<?x4x?x64xbf16>
  return %o : tensor<?x4x?x64xbf16>
}

//--- layers.mlir
func.func @f(%q: tensor<1x?x8x64xf16>, %pool: tensor<?x3x2x16x2x64xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>, %cu: tensor<?xi32>) -> tensor<1x?x8x64xf16> {
  %c0 = arith.constant 0 : index
  %p = tensor.dim %pool, %c0 : tensor<?x3x2x16x2x64xf16>
  %k = tensor.extract_slice %pool[0, 2, 0, 0, 0, 0] [%p, 1, 1, 16, 2, 64] [1, 1, 1, 1, 1, 1] : tensor<?x3x2x16x2x64xf16> to tensor<?x16x2x64xf16>
  %v = tensor.extract_slice %pool[0, 2, 1, 0, 0, 0] [%p, 1, 1, 16, 2, 64] [1, 1, 1, 1, 1, 1] : tensor<?x3x2x16x2x64xf16> to tensor<?x16x2x64xf16>
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) cu_seqlens(%cu : tensor<?xi32>) {causal, layout = #sparseflow.attention_layout<bshd>} : tensor<1x?x8x64xf16>, tensor<?x16x2x64xf16>, tensor<?x16x2x64xf16> -> tensor<1x?x8x64xf16>
  return %o : tensor<1x?x8x64xf16>
}

//--- wide.mlir
func.func @f(%q: tensor<?x4x?x264xf16>, %pool: tensor<?x2x2x48x264xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> tensor<?x4x?x264xf16> {
  %c0 = arith.constant 0 : index
  %p = tensor.dim %pool, %c0 : tensor<?x2x2x48x264xf16>
  %k = tensor.extract_slice %pool[0, 0, 0, 0, 0] [%p, 1, 2, 48, 264] [1, 1, 1, 1, 1] : tensor<?x2x2x48x264xf16> to tensor<?x2x48x264xf16>
  %v = tensor.extract_slice %pool[0, 1, 0, 0, 0] [%p, 1, 2, 48, 264] [1, 1, 1, 1, 1] : tensor<?x2x2x48x264xf16> to tensor<?x2x48x264xf16>
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) {causal} : tensor<?x4x?x264xf16>, tensor<?x2x48x264xf16>, tensor<?x2x48x264xf16> -> tensor<?x4x?x264xf16>
  return %o : tensor<?x4x?x264xf16>
}

//--- moved.mlir
func.func @f(%q: tensor<?x1x8x128xf16>, %pool: tensor<?x2x64x2x136xf16>, %own: tensor<?x2x64x2x128xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> (tensor<?x1x8x128xf16>, tensor<?x64x2x128xf16>) {
  %c0 = arith.constant 0 : index
  %p = tensor.dim %pool, %c0 : tensor<?x2x64x2x136xf16>
  %o = tensor.dim %own, %c0 : tensor<?x2x64x2x128xf16>
  %k = tensor.extract_slice %own[0, 0, 0, 0, 0] [%o, 1, 64, 2, 128] [1, 1, 1, 1, 1] : tensor<?x2x64x2x128xf16> to tensor<?x64x2x128xf16>
  %v = tensor.extract_slice %pool[0, 1, 0, 0, 8] [%p, 1, 64, 2, 128] [1, 1, 1, 1, 1] : tensor<?x2x64x2x136xf16> to tensor<?x64x2x128xf16>
  %r = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) {layout = #sparseflow.attention_layout<bshd>} : tensor<?x1x8x128xf16>, tensor<?x64x2x128xf16>, tensor<?x64x2x128xf16> -> tensor<?x1x8x128xf16>
  return %r, %k : tensor<?x1x8x128xf16>, tensor<?x64x2x128xf16>
}

// What attention reads is the pool before its update, which is written in place.
//--- donated.mlir
func.func @f(%q: tensor<?x1x8x128xf16>, %pool: tensor<?x2x64x2x128xf16> {sparseflow.donated}, %x: tensor<1x2x64x2x128xf16>, %n: tensor<?xi32>, %table: tensor<?x1xi32>) -> (tensor<?x1x8x128xf16>, tensor<?x2x64x2x128xf16>) {
  %c0 = arith.constant 0 : index
  %p = tensor.dim %pool, %c0 : tensor<?x2x64x2x128xf16>
  %k = tensor.extract_slice %pool[0, 0, 0, 0, 0] [%p, 1, 64, 2, 128] [1, 1, 1, 1, 1] : tensor<?x2x64x2x128xf16> to tensor<?x64x2x128xf16>
  %v = tensor.extract_slice %pool[0, 1, 0, 0, 0] [%p, 1, 64, 2, 128] [1, 1, 1, 1, 1] : tensor<?x2x64x2x128xf16> to tensor<?x64x2x128xf16>
  %new = tensor.insert_slice %x into %pool[0, 0, 0, 0, 0] [1, 2, 64, 2, 128] [1, 1, 1, 1, 1] : tensor<1x2x64x2x128xf16> into tensor<?x2x64x2x128xf16>
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) pages(%table : tensor<?x1xi32>) {layout = #sparseflow.attention_layout<bshd>} : tensor<?x1x8x128xf16>, tensor<?x64x2x128xf16>, tensor<?x64x2x128xf16> -> tensor<?x1x8x128xf16>
  return %o, %new : tensor<?x1x8x128xf16>, tensor<?x2x64x2x128xf16>
}

// A pool of one entry, of one head: sizes of 1 beside the page's number.
//--- single.mlir
func.func @f(%q: tensor<1x1x8x128xf16>, %pool: tensor<1x2x64x1x128xf16>, %n: tensor<1xi32>, %table: tensor<1x3xi32>) -> tensor<1x1x8x128xf16> {
  %k = tensor.extract_slice %pool[0, 0, 0, 0, 0] [1, 1, 64, 1, 128] [1, 1, 1, 1, 1] : tensor<1x2x64x1x128xf16> to tensor<1x64x1x128xf16>
  %v = tensor.extract_slice %pool[0, 1, 0, 0, 0] [1, 1, 64, 1, 128] [1, 1, 1, 1, 1] : tensor<1x2x64x1x128xf16> to tensor<1x64x1x128xf16>
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<1xi32>) pages(%table : tensor<1x3xi32>) {layout = #sparseflow.attention_layout<bshd>} : tensor<1x1x8x128xf16>, tensor<1x64x1x128xf16>, tensor<1x64x1x128xf16> -> tensor<1x1x8x128xf16>
  return %o : tensor<1x1x8x128xf16>
}

//--- reasons.mlir
func.func @steps(%q: tensor<?x1x8x128xf16>, %pool: tensor<?x2x128x2x128xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> tensor<?x1x8x128xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.dim %pool, %c0 : tensor<?x2x128x2x128xf16>
  %d = tensor.dim %pool, %c1 : tensor<?x2x128x2x128xf16>
  %i = tensor.dim %n, %c0 : tensor<?xi32>
  %k = tensor.extract_slice %pool[0, 0, 0, 0, 0] [%p, 1, 64, 2, 128] [1, 1, 2, 1, 1] : tensor<?x2x128x2x128xf16> to tensor<?x64x2x128xf16>
  %o = sparseflow.attention %q, %k, %k lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) {layout = #sparseflow.attention_layout<bshd>} : tensor<?x1x8x128xf16>, tensor<?x64x2x128xf16>, tensor<?x64x2x128xf16> -> tensor<?x1x8x128xf16>
  return %o : tensor<?x1x8x128xf16>
}
func.func @entries(%q: tensor<?x1x8x128xf16>, %pool: tensor<?x2x64x2x128xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> tensor<?x1x8x128xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.dim %pool, %c0 : tensor<?x2x64x2x128xf16>
  %d = tensor.dim %pool, %c1 : tensor<?x2x64x2x128xf16>
  %i = tensor.dim %n, %c0 : tensor<?xi32>
  %k = tensor.extract_slice %pool[0, 0, 0, 0, 0] [%i, 1, 64, 2, 128] [1, 1, 1, 1, 1] : tensor<?x2x64x2x128xf16> to tensor<?x64x2x128xf16>
  %o = sparseflow.attention %q, %k, %k lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) {layout = #sparseflow.attention_layout<bshd>} : tensor<?x1x8x128xf16>, tensor<?x64x2x128xf16>, tensor<?x64x2x128xf16> -> tensor<?x1x8x128xf16>
  return %o : tensor<?x1x8x128xf16>
}
func.func @sizes(%q: tensor<?x1x8x128xf16>, %pool: tensor<?x?x64x2x128xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> tensor<?x1x8x128xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.dim %pool, %c0 : tensor<?x?x64x2x128xf16>
  %d = tensor.dim %pool, %c1 : tensor<?x?x64x2x128xf16>
  %i = tensor.dim %n, %c0 : tensor<?xi32>
  %k = tensor.extract_slice %pool[0, 0, 0, 0, 0] [%p, 1, 64, 2, 128] [1, 1, 1, 1, 1] : tensor<?x?x64x2x128xf16> to tensor<?x64x2x128xf16>
  %o = sparseflow.attention %q, %k, %k lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) {layout = #sparseflow.attention_layout<bshd>} : tensor<?x1x8x128xf16>, tensor<?x64x2x128xf16>, tensor<?x64x2x128xf16> -> tensor<?x1x8x128xf16>
  return %o : tensor<?x1x8x128xf16>
}
func.func @places(%q: tensor<?x1x8x128xf16>, %pool: tensor<?x2x64x2x128xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> tensor<?x1x8x128xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.dim %pool, %c0 : tensor<?x2x64x2x128xf16>
  %d = tensor.dim %pool, %c1 : tensor<?x2x64x2x128xf16>
  %i = tensor.dim %n, %c0 : tensor<?xi32>
  %k = tensor.extract_slice %pool[0, %i, 0, 0, 0] [%p, 1, 64, 2, 128] [1, 1, 1, 1, 1] : tensor<?x2x64x2x128xf16> to tensor<?x64x2x128xf16>
  %o = sparseflow.attention %q, %k, %k lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) {layout = #sparseflow.attention_layout<bshd>} : tensor<?x1x8x128xf16>, tensor<?x64x2x128xf16>, tensor<?x64x2x128xf16> -> tensor<?x1x8x128xf16>
  return %o : tensor<?x1x8x128xf16>
}
func.func @several(%q: tensor<?x8x1x128xf16>, %pool: tensor<?x2x64x1x128xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> tensor<?x8x1x128xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.dim %pool, %c0 : tensor<?x2x64x1x128xf16>
  %d = tensor.dim %pool, %c1 : tensor<?x2x64x1x128xf16>
  %i = tensor.dim %n, %c0 : tensor<?xi32>
  %k = tensor.extract_slice %pool[0, 0, 0, 0, 0] [%p, 2, 64, 1, 128] [1, 1, 1, 1, 1] : tensor<?x2x64x1x128xf16> to tensor<?x2x64x128xf16>
  %o = sparseflow.attention %q, %k, %k lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) {causal} : tensor<?x8x1x128xf16>, tensor<?x2x64x128xf16>, tensor<?x2x64x128xf16> -> tensor<?x8x1x128xf16>
  return %o : tensor<?x8x1x128xf16>
}
