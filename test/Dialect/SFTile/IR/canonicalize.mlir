// RUN: sparseflow-opt %s --canonicalize | FileCheck %s

// What only renames the registers of a fragment folds; memory is left alone.

#c = #sftile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#t = #sftile.layout<registers = [[1, 0], [0, 8]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>
#vec = #sftile.layout<registers = [[1, 0], [2, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]]>
#words = #sftile.layout<registers = [[0, 1], [0, 2]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#two = #sftile.layout<registers = [[0, 1]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#word = #sftile.layout<registers = [], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>

// CHECK-LABEL: func.func @layouts_and_back(
// CHECK-SAME: %[[X:.*]]: !sftile.frag<16x16xf16
// CHECK-NEXT: return %[[X]]
func.func @layouts_and_back(%x: !sftile.frag<16x16xf16, #c>) -> !sftile.frag<16x16xf16, #c> {
  %0 = sftile.convert_layout %x : !sftile.frag<16x16xf16, #c> to !sftile.frag<16x16xf16, #a>
  %1 = sftile.convert_layout %0 : !sftile.frag<16x16xf16, #a> to !sftile.frag<16x16xf16, #c>
  return %1 : !sftile.frag<16x16xf16, #c>
}

// A layout that is only a name for the one before needs no way of its own, but
// elements that move are moved once.
// CHECK-LABEL: func.func @layout_before_a_way(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !sftile.frag<16x16xf32
// CHECK-NEXT: %[[V:.*]] = sftile.convert_layout %[[X]] via
// CHECK-NEXT: return %[[V]]
func.func @layout_before_a_way(%x: !sftile.frag<16x16xf32, #c>, %s: !sftile.tile<16x16xf32, row_major>) -> !sftile.frag<16x16xf32, #vec> {
  %0 = sftile.convert_layout %x : !sftile.frag<16x16xf32, #c> to !sftile.frag<16x16xf32, #a>
  %1 = sftile.convert_layout %0 via %s : !sftile.frag<16x16xf32, #a> to !sftile.frag<16x16xf32, #vec>, !sftile.tile<16x16xf32, row_major>
  return %1 : !sftile.frag<16x16xf32, #vec>
}

// CHECK-LABEL: func.func @two_ways(
// CHECK-COUNT-2: sftile.convert_layout {{.*}} via
func.func @two_ways(%x: !sftile.frag<16x16xf32, #c>, %s: !sftile.tile<16x16xf32, row_major>) -> !sftile.frag<16x16xf32, #a> {
  %0 = sftile.convert_layout %x via %s : !sftile.frag<16x16xf32, #c> to !sftile.frag<16x16xf32, #vec>, !sftile.tile<16x16xf32, row_major>
  %1 = sftile.convert_layout %0 via %s : !sftile.frag<16x16xf32, #vec> to !sftile.frag<16x16xf32, #a>, !sftile.tile<16x16xf32, row_major>
  return %1 : !sftile.frag<16x16xf32, #a>
}

// CHECK-LABEL: func.func @slices(
// CHECK-SAME: %[[X:.*]]: !sftile.frag<32x32xf32
// CHECK-NEXT: %[[P:.*]] = sftile.slice %[[X]][16, 24] : <32x32xf32, {{.*}}> -> <16x8xf32,
// CHECK-NEXT: return %[[X]], %[[P]]
func.func @slices(%x: !sftile.frag<32x32xf32, #c>) -> (!sftile.frag<32x32xf32, #c>, !sftile.frag<16x8xf32, #c>) {
  %all = sftile.slice %x[0, 0] : !sftile.frag<32x32xf32, #c> -> !sftile.frag<32x32xf32, #c>
  %0 = sftile.slice %x[16, 16] : !sftile.frag<32x32xf32, #c> -> !sftile.frag<16x16xf32, #c>
  %1 = sftile.slice %0[0, 8] : !sftile.frag<16x16xf32, #c> -> !sftile.frag<16x8xf32, #c>
  return %all, %1 : !sftile.frag<32x32xf32, #c>, !sftile.frag<16x8xf32, #c>
}

// Strides multiply, and choose from all parts of what was put together.
// CHECK-LABEL: func.func @strides(
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{.*}}, %[[PAIR:[a-z0-9]+]]: !sftile.frag
// CHECK-NEXT: %[[ONE:.*]] = sftile.slice %[[X]][0, 6] strides [1, 2] : <32x8xi32, {{.*}}> -> <32x1xi32,
// CHECK-NEXT: %[[BOTH:.*]] = sftile.concat %[[PAIR]], %[[PAIR]]
// CHECK-NEXT: %[[EVEN:.*]] = sftile.slice %[[BOTH]][0, 0] strides [1, 2]
// CHECK-NEXT: return %[[ONE]], %[[EVEN]]
func.func @strides(%x: !sftile.frag<32x8xi32, #words>, %pair: !sftile.frag<32x2xi32, #two>) -> (!sftile.frag<32x1xi32, #word>, !sftile.frag<32x2xi32, #two>) {
  %half = sftile.slice %x[0, 4] strides [1, 2] : !sftile.frag<32x8xi32, #words> -> !sftile.frag<32x2xi32, #two>
  %one = sftile.slice %half[0, 1] : !sftile.frag<32x2xi32, #two> -> !sftile.frag<32x1xi32, #word>
  %both = sftile.concat %pair, %pair : !sftile.frag<32x2xi32, #two>, !sftile.frag<32x2xi32, #two> -> !sftile.frag<32x4xi32, #two>
  %even = sftile.slice %both[0, 0] strides [1, 2] : !sftile.frag<32x4xi32, #two> -> !sftile.frag<32x2xi32, #two>
  return %one, %even : !sftile.frag<32x1xi32, #word>, !sftile.frag<32x2xi32, #two>
}

// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{.*}}, %[[Y:[a-z0-9]+]]: !sftile.frag
// CHECK-NEXT: %[[BOTH:.*]] = sftile.concat %[[X]], %[[Y]]
// CHECK-NEXT: %[[ACROSS:.*]] = sftile.slice %[[BOTH]][0, 8]
// CHECK-NEXT: return %[[X]], %[[Y]], %[[ACROSS]]
func.func @parts(%x: !sftile.frag<16x16xf32, #c>, %y: !sftile.frag<16x16xf32, #c>) -> (!sftile.frag<16x16xf32, #c>, !sftile.frag<16x16xf32, #c>, !sftile.frag<16x16xf32, #c>) {
  %one = sftile.concat %x : !sftile.frag<16x16xf32, #c> -> !sftile.frag<16x16xf32, #c>
  %both = sftile.concat %x, %y : !sftile.frag<16x16xf32, #c>, !sftile.frag<16x16xf32, #c> -> !sftile.frag<16x32xf32, #c>
  %second = sftile.slice %both[0, 16] : !sftile.frag<16x32xf32, #c> -> !sftile.frag<16x16xf32, #c>
  %across = sftile.slice %both[0, 8] : !sftile.frag<16x32xf32, #c> -> !sftile.frag<16x16xf32, #c>
  return %one, %second, %across : !sftile.frag<16x16xf32, #c>, !sftile.frag<16x16xf32, #c>, !sftile.frag<16x16xf32, #c>
}

// CHECK-LABEL: func.func @maps(
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{.*}}, %[[Y:[a-z0-9]+]]: !sftile.frag<16x8xf32
// CHECK-NEXT: return %[[Y]]
func.func @maps(%x: !sftile.frag<16x8xf32, #c>, %y: !sftile.frag<16x8xf32, #c>) -> !sftile.frag<16x8xf32, #c> {
  %0 = sftile.map %x, %y : !sftile.frag<16x8xf32, #c>, !sftile.frag<16x8xf32, #c> -> !sftile.frag<16x8xf32, #c> {
  ^bb0(%a: f32, %b: f32):
    sftile.yield %b : f32
  }
  return %0 : !sftile.frag<16x8xf32, #c>
}

// CHECK-LABEL: func.func @transposed_twice(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !sftile.frag<16x8xf32
// CHECK-NEXT: return %[[X]]
func.func @transposed_twice(%x: !sftile.frag<16x8xf32, #c>) -> !sftile.frag<16x8xf32, #c> {
  %0 = sftile.transpose %x : !sftile.frag<16x8xf32, #c> -> !sftile.frag<8x16xf32, #t>
  %1 = sftile.transpose %0 : !sftile.frag<8x16xf32, #t> -> !sftile.frag<16x8xf32, #c>
  return %1 : !sftile.frag<16x8xf32, #c>
}

// What was stored is loaded: another lane may have written it since. Nobody
// needs the second load.
// CHECK-LABEL: func.func @memory(
// CHECK: sftile.store
// CHECK-NEXT: sftile.barrier warp
// CHECK-NEXT: %[[Y:.*]] = sftile.load
// CHECK-NEXT: return %[[Y]]
func.func @memory(%x: !sftile.frag<16x16xf32, #c>) -> !sftile.frag<16x16xf32, #c> {
  %z = arith.constant 0 : index
  %s = sftile.shared warps 1 sharers 1 : !sftile.tile<16x16xf32, row_major>
  sftile.store %x to %s[%z, %z] : !sftile.frag<16x16xf32, #c> to !sftile.tile<16x16xf32, row_major>
  sftile.barrier warp
  %y = sftile.load %s[%z, %z] : !sftile.tile<16x16xf32, row_major> -> !sftile.frag<16x16xf32, #c>
  %unused = sftile.load transposed %s[%z, %z] : !sftile.tile<16x16xf32, row_major> -> !sftile.frag<16x16xf32, #c>
  return %y : !sftile.frag<16x16xf32, #c>
}
