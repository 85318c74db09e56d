// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(gpu.module(convert-sftile-to-nvvm))"

// What the lowering does not serve.

!ring = !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>
gpu.module @kernels {
  gpu.func @k(%v: !sftile.view<f16, row_major>, %i: index, %r: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %ring = sftile.ring {offset = 0 : i64} : !ring
    // expected-error@+1 {{expected bulk copies into a ring that another role reads, which signal a barrier in memory}}
    sftile.role "fill" warps 1 {
      %s = sftile.acquire %ring[%i] : !ring -> !sftile.slot<8x64xf16, swizzled>
      sftile.copy %v[%r, %r] to %s by (#sftile.cp_async<16>) : !sftile.view<f16, row_major> to !sftile.slot<8x64xf16, swizzled>
      sftile.commit %ring[%i] : !ring
    }
    // expected-note@+1 {{the reading role is here}}
    sftile.role "read" warps 1 {
      %t = sftile.wait %ring[%i] : !ring -> !sftile.tile<8x64xf16, swizzled>
    }
    gpu.return
  }
}

// -----

!ring = !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>
gpu.module @kernels {
  gpu.func @k(%v: !sftile.view<f16, tensor_map>, %i: index, %r: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %ring = sftile.ring {offset = 0 : i64} : !ring
    // expected-error@+1 {{expected another role to read a ring that bulk copies or stores fill}}
    sftile.role "fill" warps 1 leader {
      %s = sftile.acquire %ring[%i] : !ring -> !sftile.slot<8x64xf16, swizzled>
      sftile.copy %v[%r, %r] to %s by (#sftile.tma) : !sftile.view<f16, tensor_map> to !sftile.slot<8x64xf16, swizzled>
      sftile.commit %ring[%i] : !ring
    }
    gpu.return
  }
}

// -----

!ring = !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>
gpu.module @kernels {
  gpu.func @k(%i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %ring = sftile.ring {offset = 0 : i64} : !ring
    // expected-note@+1 {{the other role is here}}
    sftile.role "one" warps 1 {
      %p = sftile.acquire %ring[%i] : !ring -> !sftile.slot<8x64xf16, swizzled>
      %s = sftile.wait %ring[%i] : !ring -> !sftile.tile<8x64xf16, swizzled>
    }
    // expected-error@+1 {{expected no other role to read a ring that one fills and reads}}
    sftile.role "two" warps 1 {
      %t = sftile.wait %ring[%i] : !ring -> !sftile.tile<8x64xf16, swizzled>
    }
    gpu.return
  }
}

// -----

!ring = !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>
gpu.module @kernels {
  gpu.func @k(%i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %ring = sftile.ring {offset = 0 : i64} : !ring
    sftile.role "one" warps 1 { // expected-note {{the other role is here}}
      %s = sftile.acquire %ring[%i] : !ring -> !sftile.slot<8x64xf16, swizzled>
    }
    sftile.role "two" warps 1 {
      // expected-error@+1 {{expected a ring that one role fills}}
      %t = sftile.acquire %ring[%i] : !ring -> !sftile.slot<8x64xf16, swizzled>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{expected known_block_size = 96, 1, 1: the threads of all its roles}}
  gpu.func @k() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    sftile.role "a" warps 1 {
    }
    sftile.role "b" warps 2 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{expected known_block_size = 32, 1, 1: the threads of all its roles}}
  gpu.func @k() kernel {
    sftile.role "a" warps 1 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @k(%v: !sftile.view<f16, row_major>, %s: !sftile.slot<8x64xf16, swizzled>, %i: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    sftile.role "a" warps 1 {
      // expected-error@+1 {{expected a slot that an acquire gave}}
      sftile.copy %v[%i, %i] to %s by (#sftile.cp_async<16>) : !sftile.view<f16, row_major> to !sftile.slot<8x64xf16, swizzled>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @k(%i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+2 {{expected an offset; run sftile-assign-resources first}}
    // expected-error@+1 {{failed to legalize operation 'sftile.ring'}}
    %ring = sftile.ring : !sftile.ring<2, [!sftile.tile<8x64xf16, swizzled>]>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @k(%i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    sftile.role "main" warps 1 {
      // expected-error@+2 {{expected a stride; run sftile-assign-resources first}}
      // expected-error@+1 {{failed to legalize operation 'sftile.shared'}}
      %scratch = sftile.shared warps 1 sharers 1 overlaid {offset = 0 : i64} : !sftile.tile<8x64xf16, swizzled>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    sftile.role "0" warps 1 {}
    sftile.role "1" warps 1 {}
    sftile.role "2" warps 1 {}
    sftile.role "3" warps 1 {}
    sftile.role "4" warps 1 {}
    sftile.role "5" warps 1 {}
    sftile.role "6" warps 1 {}
    sftile.role "7" warps 1 {}
    sftile.role "8" warps 1 {}
    sftile.role "9" warps 1 {}
    sftile.role "10" warps 1 {}
    sftile.role "11" warps 1 {}
    sftile.role "12" warps 1 {}
    sftile.role "13" warps 1 {}
    sftile.role "14" warps 1 {}
    // expected-error@+1 {{expected at most 15 roles in a kernel: a block has 16 barriers, one of all its threads and one for each role}}
    sftile.role "15" warps 1 {}
    gpu.return
  }
}

// -----

!ring = !sftile.ring<1, [!sftile.tile<8x64xf16, swizzled>]>
gpu.module @kernels {
  gpu.func @k(%v: !sftile.view<f16, row_major>, %i: index, %r: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{expected at least 2 stages where one role fills and reads}}
    %ring = sftile.ring {offset = 0 : i64} : !ring
    %s = sftile.acquire %ring[%i] : !ring -> !sftile.slot<8x64xf16, swizzled>
    sftile.copy %v[%r, %r] to %s by (#sftile.cp_async<16>) : !sftile.view<f16, row_major> to !sftile.slot<8x64xf16, swizzled>
    sftile.commit %ring[%i] : !ring
    %t = sftile.wait %ring[%i] : !ring -> !sftile.tile<8x64xf16, swizzled>
    gpu.return
  }
}

// -----

#a = #sftile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!ring = !sftile.ring<2, [!sftile.tile<32x64xf16, swizzled>]>
gpu.module @kernels {
  gpu.func @k(%i: index, %part: !sftile.frag<16x16xf16, #a>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : index
    // expected-error@+1 {{expected swizzled tiles of which each warp that fills a stage, 8 in all blocks that share it, has a multiple of 8 rows, found '!sftile.tile<32x64xf16, swizzled>'}}
    %ring = sftile.ring {offset = 0 : i64} : !ring
    sftile.role "fill" warps 4 {
      %s = sftile.acquire %ring[%i] : !ring -> !sftile.slot<32x64xf16, swizzled>
      sftile.store %part to %s[%zero, %zero] by (#sftile.stmatrix) : !sftile.frag<16x16xf16, #a> to !sftile.slot<32x64xf16, swizzled>
      sftile.commit %ring[%i] shared_by 2 : !ring
    }
    sftile.role "read" warps 1 {
      %t = sftile.wait %ring[%i] : !ring -> !sftile.tile<32x64xf16, swizzled>
    }
    gpu.return
  }
}
