// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s
// RUN: sparseflow-opt %s --mlir-print-op-generic | sparseflow-opt | FileCheck %s
// RUN: sparseflow-opt %s --emit-bytecode | sparseflow-opt | FileCheck %s

#row = #sparseflow.ternary<codes, scale = row : f32>
#groups = #sparseflow.ternary<codes, scale = 128 : f16, planes = 2>

// CHECK: func.func private @types(tensor<16x33xf16, #sparseflow.ternary<codes, scale = row : f32>>, tensor<16x33xbf16, #sparseflow.ternary<codes, scale = 128 : f16, planes = 2>>, tensor<5x7xf16, #sparseflow.ternary<bit_planes, scale = tensor : bf16>>, tensor<5x7xf16, #sparseflow.ternary<base3, scale = 32 : f16>>, tensor<5x8xf16, #sparseflow.ternary<two_four, scale = row : f32>>, tensor<5x8xf16, #sparseflow.ternary<two_four_zero, scale = 256 : f32>>, tensor<0x0xf16, #sparseflow.ternary<codes, scale = row : f32>>)
func.func private @types(tensor<16x33xf16, #row>, tensor<16x33xbf16, #groups>,
                         tensor<5x7xf16, #sparseflow.ternary<bit_planes, scale = tensor : bf16>>,
                         tensor<5x7xf16, #sparseflow.ternary<base3, scale = 32 : f16>>,
                         tensor<5x8xf16, #sparseflow.ternary<two_four, scale = row : f32>>,
                         tensor<5x8xf16, #sparseflow.ternary<two_four_zero, scale = 256 : f32, planes = 1>>,
                         tensor<0x0xf16, #row>)

// CHECK: s = #sparseflow.storage<"tern24.v1", 5x8xf16, <two_four, scale = row : f32>>
func.func private @storage() attributes {
  s = #sparseflow.storage<"tern24.v1", 5x8xf16, <two_four, scale = row : f32>>
}

// CHECK-LABEL: func.func @half
// CHECK: sparseflow.matmul %{{.*}}, %{{.*}} {
// CHECK: } : tensor<?x256xf16>, tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x64xf16>
func.func @half(%x: tensor<?x256xf16>, %w: tensor<64x256xf16, #row>) -> tensor<?x64xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x256xf16>, tensor<64x256xf16, #row> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// 8-bit activations; the scale of a token is an operand of the epilogue.
// CHECK-LABEL: func.func @integer
// CHECK: epilogue(%{{.*}} : tensor<?xf32>) as [per_token]
func.func @integer(%x: tensor<?x256xi8>, %w: tensor<64x256xbf16, #groups>, %s: tensor<?xf32>) -> tensor<?x64xbf16> {
  %y = sparseflow.matmul %x, %w epilogue(%s : tensor<?xf32>) as [per_token] {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.truncf %0 : f32 to bf16
    sparseflow.yield %1 : bf16
  } : tensor<?x256xi8>, tensor<64x256xbf16, #groups> -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// CHECK-LABEL: func.func @weights
// CHECK: sparseflow.ternarize %{{.*}} by <lloyd> : tensor<64x256xf16> -> tensor<64x256xf16, #sparseflow.ternary<codes, scale = row : f32>>
// 64 rows, 256 columns: 2 units of 2048 bytes, 64 scales of 4.
// CHECK: sparseflow.pack %{{.*}} as {{.*}}<"tern.v1", 64x256xf16, <codes, scale = row : f32>> : {{.*}} -> tensor<4352xi8>
// CHECK: sparseflow.unpack %{{.*}} from {{.*}}<"tern.v1", 64x256xf16, <codes, scale = row : f32>> : tensor<4352xi8>
// CHECK: sparseflow.unpack %{{.*}} : {{.*}} -> tensor<64x256xf16>
func.func @weights(%w: tensor<64x256xf16>) -> tensor<64x256xf16> {
  %0 = sparseflow.ternarize %w by <lloyd> : tensor<64x256xf16> -> tensor<64x256xf16, #row>
  %1 = sparseflow.pack %0 as <"tern.v1", 64x256xf16, <codes, scale = row : f32>> : tensor<64x256xf16, #row> -> tensor<4352xi8>
  %2 = sparseflow.unpack %1 from <"tern.v1", 64x256xf16, <codes, scale = row : f32>> : tensor<4352xi8> -> tensor<64x256xf16, #row>
  %3 = sparseflow.unpack %2 : tensor<64x256xf16, #row> -> tensor<64x256xf16>
  return %3 : tensor<64x256xf16>
}

// The sizes of every layout, as the format document has them.
// CHECK-LABEL: func.func @sizes
func.func @sizes(%a: tensor<65x129xf16, #groups>,
                 %b: tensor<65x129xf16, #sparseflow.ternary<bit_planes, scale = tensor : f32>>,
                 %c: tensor<65x129xf16, #sparseflow.ternary<base3, scale = 64 : bf16>>,
                 %d: tensor<65x260xf16, #sparseflow.ternary<two_four, scale = row : f16>>,
                 %e: tensor<65x260xf16, #sparseflow.ternary<two_four_zero, scale = row : f16>>)
    -> (tensor<17408xi8>, tensor<3344xi8>, tensor<2560xi8>, tensor<12544xi8>, tensor<16640xi8>) {
  // 2 x 2 units of 2 planes, 2 groups of 128 rows in 2 planes.
  %0 = sparseflow.pack %a as <"tern.v1", 65x129xf16, <codes, scale = 128 : f16, planes = 2>> : tensor<65x129xf16, #groups> -> tensor<17408xi8>
  // 2 planes of 65 rows of 3 words: 3120, then 3328, one scale in 16 bytes.
  %1 = sparseflow.pack %b as <"ternbp.v1", 65x129xf16, <bit_planes, scale = tensor : f32>> : tensor<65x129xf16, #sparseflow.ternary<bit_planes, scale = tensor : f32>> -> tensor<3344xi8>
  // 65 rows of 26 bytes: 1690, then 1792, 3 groups of 128 rows.
  %2 = sparseflow.pack %c as <"tern3.v1", 65x129xf16, <base3, scale = 64 : bf16>> : tensor<65x129xf16, #sparseflow.ternary<base3, scale = 64 : bf16>> -> tensor<2560xi8>
  // 2 x 2 units.
  %3 = sparseflow.pack %d as <"tern24.v1", 65x260xf16, <two_four, scale = row : f16>> : tensor<65x260xf16, #sparseflow.ternary<two_four, scale = row : f16>> -> tensor<12544xi8>
  %4 = sparseflow.pack %e as <"tern24z.v1", 65x260xf16, <two_four_zero, scale = row : f16>> : tensor<65x260xf16, #sparseflow.ternary<two_four_zero, scale = row : f16>> -> tensor<16640xi8>
  return %0, %1, %2, %3, %4 : tensor<17408xi8>, tensor<3344xi8>, tensor<2560xi8>, tensor<12544xi8>, tensor<16640xi8>
}

// CHECK-LABEL: func.func @planes
// CHECK: sparseflow.plane_split %{{.*}} plane 1
// CHECK: sparseflow.plane_and
// CHECK: sparseflow.plane_or
// CHECK: sparseflow.plane_popcount %{{.*}} : tensor<16x33xi1> -> tensor<16xi32>
// CHECK: sparseflow.plane_mask %{{.*}}, %{{.*}} : tensor<16x33xf16>, tensor<16x33xi1>
func.func @planes(%w: tensor<16x33xbf16, #groups>, %x: tensor<16x33xf16>) -> (tensor<16xi32>, tensor<16x33xf16>) {
  %plus, %minus = sparseflow.plane_split %w plane 1 : tensor<16x33xbf16, #groups> -> tensor<16x33xi1>
  %both = sparseflow.plane_and %plus, %minus : tensor<16x33xi1>
  %any = sparseflow.plane_or %both, %minus : tensor<16x33xi1>
  %count = sparseflow.plane_popcount %any : tensor<16x33xi1> -> tensor<16xi32>
  %masked = sparseflow.plane_mask %x, %any : tensor<16x33xf16>, tensor<16x33xi1>
  return %count, %masked : tensor<16xi32>, tensor<16x33xf16>
}

// CHECK-LABEL: func.func @quantize
// CHECK: %{{.*}}, %{{.*}} = sparseflow.quantize %{{.*}} : tensor<2x?x256xbf16> -> tensor<2x?x256xi8>, tensor<2x?xf32>
func.func @quantize(%x: tensor<2x?x256xbf16>) -> (tensor<2x?x256xi8>, tensor<2x?xf32>) {
  %q, %s = sparseflow.quantize %x : tensor<2x?x256xbf16> -> tensor<2x?x256xi8>, tensor<2x?xf32>
  return %q, %s : tensor<2x?x256xi8>, tensor<2x?xf32>
}

// CHECK-LABEL: func.func @packed_product
// CHECK: {storage = #sparseflow.storage<"tern.v1", 64x256xf16, <codes, scale = row : f32>>} : tensor<?x256xi8>, tensor<4352xi8> -> tensor<?x64xf32>
func.func @packed_product(%x: tensor<?x256xi8>, %w: tensor<4352xi8>) -> tensor<?x64xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } {storage = #sparseflow.storage<"tern.v1", 64x256xf16, <codes, scale = row : f32>>} : tensor<?x256xi8>, tensor<4352xi8> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
