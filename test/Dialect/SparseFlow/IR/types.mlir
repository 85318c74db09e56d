// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

// Any 1 <= N < M; the last axis is the default and prints as nothing.
// CHECK: func.func private @patterns(tensor<16x32xf16, #sparseflow.nm<2:4>>, tensor<16x32xbf16, #sparseflow.nm<1:2>>, tensor<7x24xf32, #sparseflow.nm<5:8>>, tensor<64xi8, #sparseflow.nm<1:16>>)
func.func private @patterns(tensor<16x32xf16, #sparseflow.nm<2:4>>,
                            tensor<16x32xbf16, #sparseflow.nm<1:2>>,
                            tensor<7x24xf32, #sparseflow.nm<5:8>>,
                            tensor<64xi8, #sparseflow.nm<1:16>>)

// CHECK: func.func private @axes(tensor<16x30xf16, #sparseflow.nm<2:4, axis = 0>>, tensor<3x8x5xf16, #sparseflow.nm<2:4, axis = 1>>)
func.func private @axes(tensor<16x30xf16, #sparseflow.nm<2:4, axis = 0>>,
                        tensor<3x8x5xf16, #sparseflow.nm<2:4, axis = 1>>)

// A dynamic grouped dimension is checked where its size is known.
// CHECK: func.func private @dynamic(tensor<?x?xf16, #sparseflow.nm<2:4>>, tensor<?x6xf16, #sparseflow.nm<2:4, axis = 0>>)
func.func private @dynamic(tensor<?x?xf16, #sparseflow.nm<2:4>>,
                           tensor<?x6xf16, #sparseflow.nm<2:4, axis = 0>>)

// CHECK: func.func private @empty(tensor<0x0xf16, #sparseflow.nm<2:4>>)
func.func private @empty(tensor<0x0xf16, #sparseflow.nm<2:4>>)

// Attributes alone.
// CHECK: func.func private @attributes
//  CHECK-SAME: b = #sparseflow.broadcast<per_token>
//  CHECK-SAME: empty = #sparseflow.storage<"sf24.v1", 0x0xbf16>
//  CHECK-SAME: s = #sparseflow.storage<"sf24.v1", 1536x384xf16>
func.func private @attributes() attributes {
  b = #sparseflow.broadcast<per_token>,
  empty = #sparseflow.storage<"sf24.v1", 0x0xbf16>,
  s = #sparseflow.storage<"sf24.v1", 1536x384xf16>
}

// Names of arguments, for tools.
// CHECK: func.func private @named(tensor<?x8xf16> {sparseflow.name = "x"})
func.func private @named(tensor<?x8xf16> {sparseflow.name = "x"})
