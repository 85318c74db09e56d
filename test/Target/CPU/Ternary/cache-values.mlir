// RUN: sparseflow-opt %s --sparseflow-cpu-lower-ternary | FileCheck %s --check-prefix=MARKS
// RUN: sparseflow-opt %s --sparseflow-cpu-lower-ternary --sparseflow-lower-to-linalg --sparseflow-cpu | FileCheck %s --check-prefix=LOOPS --implicit-check-not=sparseflow.cache_values

#k8 = #sparseflow.quantized<key_int8, scale = token : f16>
#v8 = #sparseflow.quantized<value_int8, scale = token : f16>
#k4 = #sparseflow.quantized<key_int4, scale = token x 32 : f16>
#ve = #sparseflow.quantized<value_e4m3, scale = token : f16>

// Keys and values up to the longest text, in whole pages, but not behind the cache.
// MARKS: #[[ALL:.*]] = affine_map<(d0) -> (d0)>
// MARKS: #[[ONE:.*]] = affine_map<(d0) -> ()>
// MARKS-LABEL: func.func @step
// MARKS-SAME: %[[K:[a-z0-9]*]]: tensor<?x2x?x4224xi8>, %[[V:[a-z0-9]*]]: tensor<?x2x?x4224xi8>, %[[LENGTHS:.*]]: tensor<?xi32>
// MARKS: %[[MOST:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[ONE]]], iterator_types = ["reduction"]} ins(%[[LENGTHS]] : tensor<?xi32>)
// MARKS: arith.maxsi
// MARKS: %[[LENGTH:.*]] = tensor.extract %[[MOST]][]
// MARKS: %[[TOKENS:.*]] = arith.index_cast %[[LENGTH]] : i32 to index
// MARKS: %[[MORE:.*]] = arith.addi %[[TOKENS]], %{{.*}} : index
// MARKS: %[[PAGES:.*]] = arith.divui %[[MORE]], %{{.*}} : index
// MARKS: %[[THERE:.*]] = tensor.dim %[[K]], %{{.*}}
// MARKS: %[[READ:.*]] = arith.minui %[[PAGES]], %[[THERE]]
// MARKS: %[[USED:.*]] = arith.muli %[[READ]], %{{.*}} : index
// MARKS: tensor.empty(%{{.*}}, %[[USED]]) : tensor<?x2x?x64xf32>
// MARKS: linalg.generic {{.*}} attrs = {sparseflow.cache_values = tensor<?x2x?x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>}
// MARKS: tensor.extract %[[K]]
// MARKS: tensor.empty(%{{.*}}, %[[USED]]) : tensor<?x2x?x64xf32>
// MARKS: linalg.generic {{.*}} attrs = {sparseflow.cache_values = tensor<?x2x?x64xf16, #sparseflow.quantized<value_int8, scale = token : f16>>}
// MARKS: tensor.extract %[[V]]

// Rows of 64 bytes, of which two tokens are shuffled out; for values rows are
// paired before, three times.
// LOOPS-LABEL: llvm.func @step
// LOOPS-COUNT-8: llvm.load %{{.*}} -> vector<64xi8>
// LOOPS: llvm.shufflevector %[[ROW:.*]], %[[ROW]] [0, 2, 16, 18, 32, 34, 48, 50, 1, 3, 17, 19, 33, 35, 49, 51, 8, 10, 24, 26, 40, 42, 56, 58, 9, 11, 25, 27, 41, 43, 57, 59, 4, 6, 20, 22, 36, 38, 52, 54,
// LOOPS: llvm.sext %{{.*}} : vector<16xi8> to vector<16xi32>
// LOOPS: llvm.sitofp %{{.*}} : vector<16xi32> to vector<16xf32>
// LOOPS: llvm.fmul %{{.*}}, %{{.*}} : vector<16xf32>
// LOOPS: llvm.store %{{.*}}, %{{.*}} : vector<16xf32>
// LOOPS: llvm.shufflevector %[[LOW:[0-9]+]], %[[HIGH:[0-9]+]] [0, 1, 64, 65, 4, 5, 68, 69,
// LOOPS: llvm.shufflevector %[[LOW]], %[[HIGH]] [2, 3, 66, 67, 6, 7, 70, 71,
func.func @step(%q: tensor<?x4x1x64xf16>, %k: tensor<?x2x?x64xf16, #k8>, %v: tensor<?x2x?x64xf16, #v8>, %lengths: tensor<?xi32>) -> tensor<?x4x1x64xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%lengths : tensor<?xi32>) {causal}
    : tensor<?x4x1x64xf16>, tensor<?x2x?x64xf16, #k8>, tensor<?x2x?x64xf16, #v8> -> tensor<?x4x1x64xf16>
  return %o : tensor<?x4x1x64xf16>
}

// Nibbles are bytes first; floats of 8 bits are moved into place. A table of
// pages says which ones are read, whatever the lengths.
// MARKS-LABEL: func.func @paged
// MARKS-NOT: arith.minui
// LOOPS-LABEL: llvm.func @paged
// LOOPS: llvm.ashr %{{.*}}, %{{.*}} : vector<64xi8>
// LOOPS: llvm.shl %{{.*}}, %{{.*}} : vector<64xi8>
// LOOPS: llvm.zext %{{.*}} : vector<16xi8> to vector<16xi32>
// LOOPS: llvm.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
func.func @paged(%q: tensor<2x4x1x64xf16>, %k: tensor<9x2x64x64xf16, #k4>, %v: tensor<9x2x64x64xf16, #ve>, %lengths: tensor<2xi32>, %pages: tensor<2x3xi32>) -> tensor<2x4x1x64xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%lengths : tensor<2xi32>) pages(%pages : tensor<2x3xi32>)
    : tensor<2x4x1x64xf16>, tensor<9x2x64x64xf16, #k4>, tensor<9x2x64x64xf16, #ve> -> tensor<2x4x1x64xf16>
  return %o : tensor<2x4x1x64xf16>
}

// Other sizes and trits have no vector form.
// MARKS-LABEL: func.func @others
// MARKS-NOT: sparseflow.cache_values
#t = #sparseflow.ternary<key_planes, scale = token : f32>
#u = #sparseflow.ternary<value_planes, scale = token : f32>
func.func @others(%q: tensor<1x2x1x40xf16>, %k: tensor<1x2x64x40xf16, #k8>, %v: tensor<1x2x64x40xf16, #v8>,
                  %p: tensor<1x2x1x64xf16>, %t: tensor<1x2x64x64xf16, #t>, %u: tensor<1x2x64x64xf16, #u>)
    -> (tensor<1x2x1x40xf16>, tensor<1x2x1x64xf16>) {
  %0 = sparseflow.attention %q, %k, %v : tensor<1x2x1x40xf16>, tensor<1x2x64x40xf16, #k8>, tensor<1x2x64x40xf16, #v8> -> tensor<1x2x1x40xf16>
  %1 = sparseflow.attention %p, %t, %u : tensor<1x2x1x64xf16>, tensor<1x2x64x64xf16, #t>, tensor<1x2x64x64xf16, #u> -> tensor<1x2x1x64xf16>
  return %0, %1 : tensor<1x2x1x40xf16>, tensor<1x2x1x64xf16>
}
