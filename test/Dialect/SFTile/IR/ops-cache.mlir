// Numbers of int8, int4 and e4m3 caches: their registers as operands of an MMA.
// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

#words = #sftile.layout<registers = [[0, 1], [0, 2]],
    lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// CHECK-LABEL: func.func @numbers
// CHECK: sftile.decode %{{.*}}[16] by(#sftile.int_cache<8, keys>) : <32x4xi32, #{{.*}}> -> <16x16xf16, #{{.*}}>
// CHECK: sftile.decode %{{.*}}[48] by(#sftile.int_cache<4, values>) : <32x4xi32, #{{.*}}> -> <16x16xbf16, #{{.*}}>
// CHECK: sftile.decode %{{.*}}[48] by(#sftile.int_cache<4, values, bare = true>) : <32x4xi32, #{{.*}}> -> <16x16xf16, #{{.*}}>
// CHECK: sftile.decode %{{.*}}[0] by(#sftile.e4m3_cache<values>) : <32x4xi32, #{{.*}}> -> <16x16xf16, #{{.*}}>
// CHECK: sftile.decode %{{.*}}[0] by(#sftile.e4m3_cache<values, converts = true>) : <32x4xi32, #{{.*}}> -> <16x16xf16, #{{.*}}>
// CHECK: sftile.decode %{{.*}}[0] times %{{.*}} by(#sftile.int_cache<8, keys>) : <32x4xi32, #{{.*}}>, !sftile.frag<16x16xf16, #{{.*}}> -> <16x16xf16, #{{.*}}>
func.func @numbers(%words: !sftile.frag<32x4xi32, #words>, %scales: !sftile.frag<16x16xf16, #a>) {
  %k = sftile.decode %words[16] by (#sftile.int_cache<8, keys>)
      : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
  %v = sftile.decode %words[48] by (#sftile.int_cache<4, values>)
      : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xbf16, #b>
  %n = sftile.decode %words[48] by (#sftile.int_cache<4, values, bare = true>)
      : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
  %f = sftile.decode %words[0] by (#sftile.e4m3_cache<values>)
      : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
  %c = sftile.decode %words[0] by (#sftile.e4m3_cache<values, converts = true>)
      : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #b>
  %s = sftile.decode %words[0] times %scales by (#sftile.int_cache<8, keys>)
      : !sftile.frag<32x4xi32, #words>, !sftile.frag<16x16xf16, #a> -> !sftile.frag<16x16xf16, #a>
  return
}
