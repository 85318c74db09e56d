// What LLVM would answer with an abort is an error here, at the op.

// RUN: rm -rf %t && split-file %s %t
// RUN: not sparseflow compile %t/old-target.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not sparseflow compile %t/arch-specific.mlir --emit ptx --target sm_90 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: not sparseflow compile %t/asm.mlir --emit ptx --target sm_90 2>&1 | FileCheck %s --check-prefix=ASM
// RUN: not sparseflow compile %t/math.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=MATH
// RUN: not sparseflow compile %t/selector.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=SELECTOR
// RUN: not sparseflow compile %t/range.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not sparseflow compile %t/metadata.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=METADATA
// RUN: not sparseflow compile %t/shared.mlir --emit ptx --target sm_86 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: sparseflow compile %t/shared.mlir --emit ptx --target sm_80 -o %t/shared.ptx
// RUN: not sparseflow compile %t/static.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: sparseflow compile %t/apart.mlir --emit ptx --target sm_80 -o %t/apart.ptx
// RUN: not sparseflow compile %t/threads.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not sparseflow compile %t/call.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not sparseflow compile %t/wide.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not sparseflow compile %t/unknown.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not sparseflow compile %t/argument.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not sparseflow compile %t/two.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not sparseflow compile %t/fp8.mlir --emit ptx --target sm_86 2>&1 | FileCheck %s --check-prefix=FP8
// RUN: not sparseflow compile %t/fp8.mlir --emit ptx --target sm_89 2>&1 | FileCheck %s --check-prefix=FP8SP
// RUN: not sparseflow compile %t/sin.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=SIN
// RUN: not sparseflow compile %t/exp2.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=EXP2
// RUN: not sparseflow compile %t/scalable.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=SCALABLE
// RUN: not sparseflow compile %t/pointer.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not sparseflow compile %t/thread-local.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: not sparseflow compile %t/common.mlir --emit ptx --target sm_80 2>&1 | FileCheck %s --check-prefix=COMMON

//--- old-target.mlir
// OLD: old-target.mlir:5:7: error: 'nvvm.cluster.arrive' op needs sm_90 or newer, but the target is sm_80
module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      nvvm.cluster.arrive
      llvm.return
    }
  }
}

//--- arch-specific.mlir
// ARCH: error: 'nvvm.wgmma.fence.aligned' op needs sm_90a, but the target is sm_90: compile for another target or choose a schedule without 'wgmma'
module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      nvvm.wgmma.fence.aligned
      llvm.return
    }
  }
}

//--- asm.mlir
// ASM: error: 'llvm.inline_asm' op needs sm_90a, but the target is sm_90
module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, 1, 0; @p setmaxnreg.dec.sync.aligned.u32 24; }", "" : () -> ()
      llvm.return
    }
  }
}

//--- math.mlir
// MATH: error: 'llvm.intr.exp' op has no lowering for GPUs (no libdevice is used): expand it to ex2.approx and polynomials first
module {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
      %y = llvm.intr.exp(%x) : (f32) -> f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

//--- selector.mlir
// SELECTOR: error: 'nvvm.mma.sp.sync' op expected the sparsity selector to be an llvm.mlir.constant
module {
  gpu.module @kernels {
    llvm.func @k(%sel: i32) attributes {nvvm.kernel} {
      %h = llvm.mlir.undef : vector<2xf16>
      %c = llvm.mlir.constant(0.0 : f32) : f32
      %e = llvm.mlir.constant(0x44444444 : i32) : i32
      %r = nvvm.mma.sp.sync A[%h, %h, %h, %h] B[%h, %h, %h, %h] C[%c, %c, %c, %c]
          sparseMetadata[%e] selector[%sel]
          {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 32>}
          : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      llvm.return
    }
  }
}

//--- range.mlir
// RANGE: range.mlir:{{[0-9]+:[0-9]+}}: error: translates to invalid LLVM IR: immarg value 7 out of range
module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      %sel = llvm.mlir.constant(7 : i32) : i32
      %h = llvm.mlir.undef : vector<2xf16>
      %c = llvm.mlir.constant(0.0 : f32) : f32
      %e = llvm.mlir.constant(0x44444444 : i32) : i32
      %r = nvvm.mma.sp.sync A[%h, %h, %h, %h] B[%h, %h, %h, %h] C[%c, %c, %c, %c]
          sparseMetadata[%e] selector[%sel]
          {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 32>}
          : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      llvm.return
    }
  }
}

//--- metadata.mlir
// METADATA: error: 'nvvm.mma.sp.sync' op expected the 'orderedMetadata' attribute
module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      %sel = llvm.mlir.constant(0 : i32) : i32
      %h = llvm.mlir.undef : vector<2xf16>
      %c = llvm.mlir.constant(0.0 : f32) : f32
      %e = llvm.mlir.constant(0x44444444 : i32) : i32
      %r = nvvm.mma.sp.sync A[%h, %h, %h, %h] B[%h, %h, %h, %h] C[%c, %c, %c, %c]
          sparseMetadata[%e] selector[%sel]
          {shape = #nvvm.shape<m = 16, n = 8, k = 32>}
          : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      llvm.return
    }
  }
}

//--- shared.mlir
// SHARED: error: 'llvm.func' op asks for 131072 bytes of shared memory; a block on sm_86 has at most 101376: choose a schedule with smaller tiles or fewer stages
module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel, sftile.shared_bytes = 131072 : i64} {
      llvm.return
    }
  }
}

//--- static.mlir
// STATIC: error: 'llvm.func' op declares 65536 bytes of static shared memory; 49152 is the limit
module {
  gpu.module @kernels {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<40960 x i8>
    llvm.mlir.global internal @other() {addr_space = 3 : i32} : !llvm.array<24576 x i8>
    llvm.func @k() attributes {nvvm.kernel} {
      %zero = llvm.mlir.constant(0 : i8) : i8
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      llvm.store %zero, %tile : i8, !llvm.ptr<3>
      llvm.call @part() : () -> ()
      llvm.return
    }
    llvm.func @part() {
      %zero = llvm.mlir.constant(0 : i8) : i8
      %other = llvm.mlir.addressof @other : !llvm.ptr<3>
      llvm.store %zero, %other : i8, !llvm.ptr<3>
      llvm.return
    }
  }
}

// A block has what its own kernel names.
//--- apart.mlir
module {
  gpu.module @kernels {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<40960 x i8>
    llvm.mlir.global internal @other() {addr_space = 3 : i32} : !llvm.array<24576 x i8>
    llvm.func @k() attributes {nvvm.kernel} {
      %zero = llvm.mlir.constant(0 : i8) : i8
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      llvm.store volatile %zero, %tile : i8, !llvm.ptr<3>
      llvm.return
    }
    llvm.func @l() attributes {nvvm.kernel} {
      %zero = llvm.mlir.constant(0 : i8) : i8
      %other = llvm.mlir.addressof @other : !llvm.ptr<3>
      llvm.store volatile %zero, %other : i8, !llvm.ptr<3>
      llvm.return
    }
  }
}

//--- threads.mlir
// THREADS: error: 'llvm.func' op asks for 2048 threads a block; sm_80 has at most 1024
module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 2048>} {
      llvm.return
    }
  }
}

//--- call.mlir
// CALL: error: 'llvm.call' op calls '__nv_expf', which has no body in the module
module {
  gpu.module @kernels {
    llvm.func @__nv_expf(f32) -> f32
    llvm.func @k(%x: f32) attributes {nvvm.kernel} {
      %y = llvm.call @__nv_expf(%x) : (f32) -> f32
      llvm.return
    }
  }
}

//--- wide.mlir
// WIDE: error: 'llvm.udiv' op divides integers wider than 64 bits
module {
  gpu.module @kernels {
    llvm.func @k(%x: i128) attributes {nvvm.kernel} {
      %y = llvm.udiv %x, %x : i128
      llvm.return
    }
  }
}

//--- unknown.mlir
// UNKNOWN: error: 'llvm.inline_asm' op instruction 'tcgen05.alloc.cta_group::1.sync.aligned.b32' is not known to the PTX back end
module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.inline_asm has_side_effects "tcgen05.alloc.cta_group::1.sync.aligned.b32 [0], 32;", "" : () -> ()
      llvm.return
    }
  }
}

//--- argument.mlir
// ARGUMENT: error: 'llvm.func' op takes '!llvm.struct<(i64, i64)>': kernels take pointers, integers and floats
module {
  gpu.module @kernels {
    llvm.func @k(%s: !llvm.struct<(i64, i64)>) attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

//--- two.mlir
// TWO: error: expected one gpu.module with all kernels, found 2
module {
  gpu.module @a {
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
  gpu.module @b {
  }
}

//--- fp8.mlir
// FP8: error: 'nvvm.mma.sp.sync' op multiplies e4m3, which needs sm_89 or newer, but the target is sm_86
// FP8SP: error: 'nvvm.mma.sp.sync' op on 8-bit floats cannot be translated by LLVM 22 (its verifier and its intrinsic disagree on the operands): use inline assembly
module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      %a = llvm.mlir.constant(0 : i32) : i32
      %e = llvm.mlir.constant(0x44444444 : i32) : i32
      %c = llvm.mlir.constant(0.0 : f32) : f32
      %r = nvvm.mma.sp.sync A[%a, %a] B[%a, %a] C[%c, %c, %c, %c]
          sparseMetadata[%e] selector[%a]
          {orderedMetadata, multiplicandAPtxType = #nvvm.mma_type<e4m3>,
           multiplicandBPtxType = #nvvm.mma_type<e4m3>,
           shape = #nvvm.shape<m = 16, n = 8, k = 64>}
          : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      llvm.return
    }
  }
}

//--- sin.mlir
// SIN: error: 'llvm.intr.sin' op has no exact lowering for GPUs: expand it to polynomials first or allow the approximation (fastmath<afn>, not f64)
module {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
      %y = llvm.intr.sin(%x) : (f32) -> f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

//--- exp2.mlir
// EXP2: error: 'llvm.intr.exp2' op has no f64 lowering for GPUs: use f32
module {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1>, %x: f64) attributes {nvvm.kernel} {
      %y = llvm.intr.exp2(%x) : (f64) -> f64
      llvm.store %y, %p : f64, !llvm.ptr<1>
      llvm.return
    }
  }
}

//--- scalable.mlir
// SCALABLE: error: 'llvm.mlir.undef' op has a scalable vector result; GPUs have fixed vectors only
module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      %v = llvm.mlir.undef : vector<[4]xf32>
      llvm.return
    }
  }
}

//--- pointer.mlir
// POINTER: error: 'llvm.call' op calls through a pointer: inline the callee
module {
  gpu.module @kernels {
    llvm.func @k(%f: !llvm.ptr, %x: f32) attributes {nvvm.kernel} {
      %y = llvm.call %f(%x) : !llvm.ptr, (f32) -> f32
      llvm.return
    }
  }
}

//--- thread-local.mlir
// LOCAL: error: 'llvm.mlir.global' op is thread local, which GPUs do not have
module {
  gpu.module @kernels {
    llvm.mlir.global internal thread_local @t(0 : i32) : i32
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

//--- common.mlir
// COMMON: error: 'llvm.mlir.global' op has a linkage that PTX cannot state: use internal or external
module {
  gpu.module @kernels {
    llvm.mlir.global common @c(0 : i32) : i32
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}
