// RUN: sparseflow-opt %s --split-input-file --sftile-assign-resources | FileCheck %s
// RUN: not sparseflow-opt %s --split-input-file --sftile-assign-resources=max-shared-bytes=40000 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: sparseflow-opt %s --split-input-file --sftile-assign-shared-memory 2>&1 | FileCheck %s --check-prefixes=OLD,CHECK
// OLD: warning: sftile-assign-shared-memory is read by this version for the last time; write sftile-assign-resources

// Rings first, one behind the other at multiples of 1024 bytes, where the
// swizzle starts anew; then the scratch tiles, which lie on one another.

// CHECK-LABEL: gpu.func @two_rings
// CHECK-SAME: sftile.shared_bytes = 48128 : i64
// 2 stages of 64 x 64 x 2 bytes.
// CHECK: sftile.ring {offset = 0 : i64} : <2, [<64x64xf16, swizzled>]>
// 3 stages of 4096 + 512 bytes, and what is missing to a multiple of 1024.
// CHECK: sftile.ring {offset = 16384 : i64} : <3, [<64x32xf16, values24>, <4x32xi32, metadata24>]>
// CHECK: sftile.shared warps 4 sharers 1 overlaid {offset = 31744 : i64, stride = 4096 : i64} : !sftile.tile<16x64xf32, swizzled>
// CHECK: sftile.shared warps 2 sharers 1 overlaid {offset = 31744 : i64, stride = 4096 : i64} : !sftile.tile<3x64xf16, swizzled>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @two_rings() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %a = sftile.ring : !sftile.ring<2, [!sftile.tile<64x64xf16, swizzled>]>
      %b = sftile.ring : !sftile.ring<3, [!sftile.tile<64x32xf16, values24>, !sftile.tile<4x32xi32, metadata24>]>
      sftile.role "main" warps 4 {
        %c = sftile.shared warps 4 sharers 1 overlaid : !sftile.tile<16x64xf32, swizzled>
        %d = sftile.shared warps 2 sharers 1 overlaid : !sftile.tile<3x64xf16, swizzled>
      }
      gpu.return
    }
    // CHECK-LABEL: gpu.func @none
    // CHECK-SAME: sftile.shared_bytes = 0 : i64
    gpu.func @none() kernel {
      gpu.return
    }
  }
  // Every launch asks for what its kernel takes.
  // CHECK-LABEL: func.func @host
  // CHECK: %[[SIZE:.*]] = arith.constant 48128 : i32
  // CHECK: gpu.launch_func {{.*}} dynamic_shared_memory_size %[[SIZE]]
  // CHECK: %[[NONE:.*]] = arith.constant 0 : i32
  // CHECK: gpu.launch_func {{.*}} dynamic_shared_memory_size %[[NONE]]
  func.func @host(%n: index) {
    %zero = arith.constant 7 : i32
    gpu.launch_func @kernels::@two_rings blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %zero
    gpu.launch_func @kernels::@none blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// A kernel that needs too much is an error that says what takes how much.
// LIMIT: error: kernel two_rings needs 48128 bytes of shared memory, but a block may have 40000 on this target; use fewer stages or a smaller block
// LIMIT: note: a ring of stages, '!sftile.ring<2, [<64x64xf16, swizzled>]>', takes 16384 bytes
// LIMIT: note: a ring of stages, '!sftile.ring<3, [<64x32xf16, values24>, <4x32xi32, metadata24>]>', takes 15360 bytes
// LIMIT: note: tiles of warps that share a place, the first '!sftile.tile<16x64xf32, swizzled>', takes 16384 bytes

// -----

// Roles run at the same time, so that their scratch tiles may not share a place.
// CHECK-LABEL: gpu.func @two_roles
// CHECK-SAME: sftile.shared_bytes = 12288 : i64
// CHECK: sftile.shared warps 4 sharers 1 overlaid {offset = 0 : i64, stride = 2048 : i64}
// CHECK: sftile.shared warps 4 sharers 1 overlaid {offset = 8192 : i64, stride = 1024 : i64}
gpu.module @kernels {
  gpu.func @two_roles() kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    sftile.role "a" warps 4 {
      %c = sftile.shared warps 4 sharers 1 overlaid : !sftile.tile<16x64xf16, swizzled>
    }
    sftile.role "b" warps 4 {
      %c = sftile.shared warps 4 sharers 1 overlaid : !sftile.tile<8x64xf16, swizzled>
    }
    gpu.return
  }
}

// -----

// Registers: consumers get what producers leave of 65536, by eights and at most
// 240: 168 at launch for 384 threads, (3 x 168 - 40) / 2 behind it.
// CHECK-LABEL: gpu.func @two_warpgroups
// CHECK: sftile.role "copy" warps 4 leader registers 40
// CHECK: sftile.role "multiply" warps 8 registers 232
// CHECK-LABEL: gpu.func @one_warpgroup
// CHECK: sftile.role "multiply" warps 4 registers 240
// With another block on the SM 128 at launch, 2 x 128 - 64 behind it.
// CHECK-LABEL: gpu.func @two_blocks
// CHECK: sftile.role "multiply" warps 4 registers 192
// What a role says of itself stays, and a kernel in which no role says anything.
// CHECK-LABEL: gpu.func @given
// CHECK: sftile.role "multiply" warps 8 registers 200
// CHECK-LABEL: gpu.func @nothing
// CHECK: sftile.role "multiply" warps 8 {
gpu.module @kernels {
  gpu.func @two_warpgroups() kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    sftile.role "copy" warps 4 leader registers 40 {
    }
    sftile.role "multiply" warps 8 {
    }
    gpu.return
  }
  gpu.func @one_warpgroup() kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    sftile.role "copy" warps 4 leader registers 40 {
    }
    sftile.role "multiply" warps 4 {
    }
    gpu.return
  }
  gpu.func @two_blocks() kernel attributes {known_block_size = array<i32: 256, 1, 1>, nvvm.minctasm = 2 : i32} {
    sftile.role "copy" warps 4 leader registers 64 {
    }
    sftile.role "multiply" warps 4 {
    }
    gpu.return
  }
  gpu.func @given() kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    sftile.role "copy" warps 4 leader registers 40 {
    }
    sftile.role "multiply" warps 8 registers 200 {
    }
    gpu.return
  }
  gpu.func @nothing() kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    sftile.role "copy" warps 4 leader {
    }
    sftile.role "multiply" warps 8 {
    }
    gpu.return
  }
}

// -----

// Blocks of an SM: by registers (65536 / 128 / 100 = 5), by shared memory (228 KB
// for 64 KB and the KB that is kept of each block: 3), and one at least.
// CHECK-LABEL: gpu.func @by_registers
// CHECK-SAME: nvvm.minctasm = 5 : i32
// CHECK-NOT: sftile.thread_registers
// CHECK-LABEL: gpu.func @by_memory
// CHECK-SAME: nvvm.minctasm = 3 : i32
// CHECK-LABEL: gpu.func @one
// CHECK-SAME: nvvm.minctasm = 1 : i32
gpu.module @kernels {
  gpu.func @by_registers() kernel attributes {known_block_size = array<i32: 128, 1, 1>, sftile.thread_registers = 100 : i64} {
    gpu.return
  }
  gpu.func @by_memory() kernel attributes {known_block_size = array<i32: 128, 1, 1>, sftile.thread_registers = 100 : i64} {
    %a = sftile.ring : !sftile.ring<8, [!sftile.tile<64x64xf16, swizzled>]>
    gpu.return
  }
  gpu.func @one() kernel attributes {known_block_size = array<i32: 512, 1, 1>, sftile.thread_registers = 200 : i64} {
    gpu.return
  }
}
