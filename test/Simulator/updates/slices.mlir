// Slices that are written into donated arguments: offsets that are numbers, symbols or
// data, several slices of one argument, what is outside, and readers before and behind.

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import npyfile; [npyfile.write('%t/%%d.npy' %% at, (), [at], '<i8') for at in (8, 9, -3)]"
// DEFINE: %{sim} = sparseflow run %s --device sim --races --check
// DEFINE: %{unaligned} = sparseflow run %s --device sim --races --unaligned --target sm_90a --check
// DEFINE: %{cpu} = sparseflow run %s --device cpu --check
// DEFINE: %{sizes} = --entry symbols --dim T=20 --dim T1=3

// RUN: %{sim} --entry static | FileCheck %s
// RUN: %{unaligned} --entry static | FileCheck %s
// RUN: %{cpu} --entry static | FileCheck %s
// RUN: %{sim} %{sizes} --dim T2=17 | FileCheck %s
// RUN: %{sim} %{sizes} --dim T2=18 | FileCheck %s
// RUN: %{cpu} %{sizes} --dim T2=18 | FileCheck %s
// RUN: %{cpu} %{sizes} --dim T2=80 | FileCheck %s
// RUN: %{sim} --entry data --arg at=%t/8.npy | FileCheck %s
// RUN: %{unaligned} --entry data --arg at=%t/9.npy | FileCheck %s
// RUN: %{cpu} --entry data --arg at=%t/9.npy | FileCheck %s
// RUN: %{cpu} --entry data --arg at=%t/-3.npy | FileCheck %s
// RUN: %{sim} --entry column --arg at=%t/-3.npy | FileCheck %s
// RUN: %{sim} --entry column | FileCheck %s
// RUN: %{cpu} --entry column --arg at=%t/8.npy | FileCheck %s
// RUN: %{sim} --entry several | FileCheck %s
// RUN: %{unaligned} --entry several | FileCheck %s
// RUN: %{sim} --entry between | FileCheck %s
// RUN: %{cpu} --entry between | FileCheck %s
// RUN: %{sim} --entry both | FileCheck %s --check-prefixes=CHECK,SECOND
// RUN: %{cpu} --entry both | FileCheck %s --check-prefixes=CHECK,SECOND
// CHECK: result 0: ok
// SECOND: result 1: ok

// Bodies read integers that data decide, too.
// RUN: %{sim} --entry body --arg at=%t/-3.npy | FileCheck %s
// RUN: %{cpu} --entry body --arg at=%t/-3.npy | FileCheck %s

// A place that a kernel computes stays in memory until the slice is written, behind others.
// RUN: %{sim} --entry computed --dim T=3 --arg at=%t/-3.npy | FileCheck %s --check-prefixes=CHECK,SECOND
// RUN: %{cpu} --entry computed --dim T=3 --arg at=%t/-3.npy | FileCheck %s --check-prefixes=CHECK,SECOND

// What is read has to be inside: a checked run says where it is not.
// RUN: %{sim} --entry part | FileCheck %s
// RUN: not %{sim} --entry part --arg at=%t/8.npy 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not %{cpu} --entry part --arg at=%t/8.npy 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: sparseflow run %s --device sim --races --entry part --arg at=%t/8.npy | FileCheck %s --check-prefix=CLAMPED
// OUTSIDE: argument 1 ('at') holds 8 at [], from which the function computes the index 9, expected 0 to 8
// CLAMPED: nothing: bounds, alignment, operands, races

// The kernel has a thread for each vector of the slice, and loads nothing else.
// RUN: sparseflow-opt %s --sparseflow-import --sparseflow-tensor --sparseflow-tile=target=sm_80 | FileCheck %s --check-prefix=KERNEL
// KERNEL-LABEL: gpu.func @static_0_map(
// KERNEL: llvm.load {{.*}} -> vector<8xf16>
// KERNEL-NOT: llvm.load
// KERNEL: llvm.store {{.*}} : vector<8xf16>, !llvm.ptr<1>
// KERNEL-LABEL: gpu.func @static_0_map_any(

func.func @static(%cache: tensor<2x9x24xf16> {sparseflow.donated}, %new: tensor<2x3x24xf16>) -> tensor<2x9x24xf16> {
  %r = tensor.insert_slice %new into %cache[0, 4, 0] [2, 3, 24] [1, 1, 1] : tensor<2x3x24xf16> into tensor<2x9x24xf16>
  return %r : tensor<2x9x24xf16>
}

// An offset and a size that are symbols, and another one that is the cache's.
func.func @symbols(%cache: tensor<2x?x24xf16> {sparseflow.donated}, %new: tensor<2x?x24xf16>, %past: tensor<?xf16>) -> tensor<2x?x24xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.dim %past, %c0 : tensor<?xf16>
  %n = tensor.dim %new, %c1 : tensor<2x?x24xf16>
  %r = tensor.insert_slice %new into %cache[0, %p, 0] [2, %n, 24] [1, 1, 1] : tensor<2x?x24xf16> into tensor<2x?x24xf16>
  return %r : tensor<2x?x24xf16>
}

// What is inserted is computed by the kernel that writes it, at a place that data say.
#id = affine_map<(b, d) -> (b, d)>
func.func @data(%cache: tensor<2x9x24xf16> {sparseflow.donated}, %x: tensor<2x24xf16>, %at: tensor<i64>) -> tensor<2x9x24xf16> {
  %e = tensor.empty() : tensor<2x24xf16>
  %new = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x24xf16>) outs(%e : tensor<2x24xf16>) {
  ^bb0(%v: f16, %o: f16):
    %twice = arith.addf %v, %v : f16
    linalg.yield %twice : f16
  } -> tensor<2x24xf16>
  %v = tensor.extract %at[] : tensor<i64>
  %p = arith.index_cast %v : i64 to index
  %r = tensor.insert_slice %new into %cache[0, %p, 0] [2, 1, 24] [1, 1, 1] : tensor<2x24xf16> into tensor<2x9x24xf16>
  return %r : tensor<2x9x24xf16>
}

// A column, whose elements lie apart.
func.func @column(%cache: tensor<5x8xf32> {sparseflow.donated}, %new: tensor<5xf32>, %at: tensor<i64>) -> tensor<5x8xf32> {
  %v = tensor.extract %at[] : tensor<i64>
  %p = arith.index_cast %v : i64 to index
  %r = tensor.insert_slice %new into %cache[0, %p] [5, 1] [1, 1] : tensor<5xf32> into tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// Two slices of one argument, and a third that is a part of it moved, which overlaps itself.
func.func @several(%cache: tensor<9x16xf16> {sparseflow.donated}, %a: tensor<2x16xf16>, %b: tensor<1x16xf16>) -> tensor<9x16xf16> {
  %moved = tensor.extract_slice %cache[0, 0] [5, 16] [1, 1] : tensor<9x16xf16> to tensor<5x16xf16>
  %0 = tensor.insert_slice %a into %cache[0, 0] [2, 16] [1, 1] : tensor<2x16xf16> into tensor<9x16xf16>
  %1 = tensor.insert_slice %moved into %0[2, 0] [5, 16] [1, 1] : tensor<5x16xf16> into tensor<9x16xf16>
  %2 = tensor.insert_slice %b into %1[8, 0] [1, 16] [1, 1] : tensor<1x16xf16> into tensor<9x16xf16>
  return %2 : tensor<9x16xf16>
}

// What is read between two updates is as it was then; the last one is read behind it.
#e = affine_map<(i, j) -> (i, j)>
func.func @between(%cache: tensor<4x16xf16> {sparseflow.donated}, %a: tensor<1x16xf16>, %b: tensor<1x16xf16>)
    -> (tensor<4x16xf16>, tensor<4x16xf16>) {
  %e = tensor.empty() : tensor<4x16xf16>
  %0 = tensor.insert_slice %a into %cache[0, 0] [1, 16] [1, 1] : tensor<1x16xf16> into tensor<4x16xf16>
  %half = linalg.exp ins(%0 : tensor<4x16xf16>) outs(%e : tensor<4x16xf16>) -> tensor<4x16xf16>
  %1 = tensor.insert_slice %b into %0[0, 0] [1, 16] [1, 1] : tensor<1x16xf16> into tensor<4x16xf16>
  %sum = linalg.generic {indexing_maps = [#e, #e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%half, %1 : tensor<4x16xf16>, tensor<4x16xf16>) outs(%e : tensor<4x16xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %s = arith.addf %x, %y : f16
    linalg.yield %s : f16
  } -> tensor<4x16xf16>
  return %1, %sum : tensor<4x16xf16>, tensor<4x16xf16>
}
// A part of a cache at a place that data say, by a kernel.
func.func @part(%cache: tensor<9x16xf16>, %at: tensor<i64>) -> tensor<2x16xf16> {
  %e = tensor.empty() : tensor<2x16xf16>
  %v = tensor.extract %at[] : tensor<i64>
  %p = arith.index_cast %v : i64 to index
  %s = tensor.extract_slice %cache[%p, 0] [2, 16] [1, 1] : tensor<9x16xf16> to tensor<2x16xf16>
  %r = linalg.exp ins(%s : tensor<2x16xf16>) outs(%e : tensor<2x16xf16>) -> tensor<2x16xf16>
  return %r : tensor<2x16xf16>
}

// The first version is the argument's memory, the second one a copy.
func.func @both(%cache: tensor<8x8xf16> {sparseflow.donated}, %x: tensor<1x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  %0 = tensor.insert_slice %x into %cache[3, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<8x8xf16>
  %r = tensor.insert_slice %x into %0[5, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<8x8xf16>
  return %r, %0 : tensor<8x8xf16>, tensor<8x8xf16>
}

func.func @body(%x: tensor<4x16xf32>, %at: tensor<i64> {sparseflow.name = "at"}) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x16xf32>
  %v = tensor.extract %at[] : tensor<i64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %scale = arith.sitofp %v : i64 to f32
    %y = arith.mulf %a, %scale : f32
    linalg.yield %y : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

#none = affine_map<() -> ()>
func.func @computed(%cache: tensor<9x16xf16> {sparseflow.donated}, %new: tensor<1x16xf16>, %at: tensor<i64> {sparseflow.name = "at"},
                    %x: tensor<?x64xf16>, %w: tensor<64x64xf16>, %u: tensor<32x64xf16>) -> (tensor<9x16xf16>, tensor<?x32xf16>) {
  %six = arith.constant 6 : i64
  %e = tensor.empty() : tensor<i64>
  %place = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%at : tensor<i64>) outs(%e : tensor<i64>) {
  ^bb0(%a: i64, %o: i64):
    %b = arith.addi %a, %six : i64
    linalg.yield %b : i64
  } -> tensor<i64>
  %v = tensor.extract %place[] : tensor<i64>
  %p = arith.index_cast %v : i64 to index
  %h = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  %y = sparseflow.matmul %h, %u {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x64xf16>, tensor<32x64xf16> -> tensor<?x32xf16>
  %r = tensor.insert_slice %new into %cache[%p, 0] [1, 16] [1, 1] : tensor<1x16xf16> into tensor<9x16xf16>
  return %r, %y : tensor<9x16xf16>, tensor<?x32xf16>
}
