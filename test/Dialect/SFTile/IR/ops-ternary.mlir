// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

// Codes of ternary weights, and products that take A from registers.

#codes = #sftile.layout<registers = [[0, 1], [0, 2]],
    lanes = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>

// CHECK-LABEL: func.func @decode
// CHECK: sftile.decode %{{.*}}[16] by(#sftile.tern_v1) : <4x128xi32, #{{.*}}> -> <64x16xf16, #{{.*}}>
#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
// CHECK: sftile.decode %{{.*}}[48] by(#sftile.int4_v1) : <4x128xi32, #{{.*}}> -> <64x16xf16, #{{.*}}>
// CHECK: sftile.decode %{{.*}}[16] by(#sftile.int8_v1) : <4x128xi32, #{{.*}}> -> <64x16xbf16, #{{.*}}>
func.func @decode(%codes: !sftile.frag<4x128xi32, #codes>) {
  %a = sftile.decode %codes[16] by (#sftile.tern_v1) : !sftile.frag<4x128xi32, #codes>
      -> !sftile.frag<64x16xf16, #a>
  %b = sftile.decode %codes[48] by (#sftile.int4_v1) : !sftile.frag<4x128xi32, #codes>
      -> !sftile.frag<64x16xf16, #a>
  %c = sftile.decode %codes[16] by (#sftile.int8_v1) : !sftile.frag<4x128xi32, #codes>
      -> !sftile.frag<64x16xbf16, #a>
  return
}
