// RUN: sparseflow-translate %s --sparseflow-to-ptx --target sm_80 --split-input-file --verify-diagnostics

// Kernels that are no PTX.

module {
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      // expected-error@+1 {{instruction 'frobnicate' is not known to the PTX back end: expected one of the instructions listed in VerifyKernels.cpp}}
      llvm.call_intrinsic "llvm.nvvm.frobnicate"() : () -> ()
      llvm.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1>, %x: i128, %y: i128) attributes {nvvm.kernel} {
      // expected-error@+1 {{divides integers wider than 64 bits, which needs a library that GPUs do not have}}
      %z = llvm.udiv %x, %y : i128
      llvm.store %z, %p : i128, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    llvm.func @outside()
    llvm.func @k() attributes {nvvm.kernel} {
      // expected-error@+1 {{calls 'outside', which has no body in the module: kernels link nothing, so define it or use an instruction}}
      llvm.call @outside() : () -> ()
      llvm.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    // expected-error@+1 {{asks for 128 registers for each of 1024 threads; a block has 65536}}
    llvm.func @k() attributes {nvvm.kernel, nvvm.maxnreg = 128 : i32, nvvm.reqntid = array<i32: 1024>} {
      llvm.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    // expected-error@+1 {{is not expected in a gpu.module at this level: only llvm.func and llvm.mlir.global}}
    llvm.mlir.alias external @other : i32 {
      %0 = llvm.mlir.addressof @k : !llvm.ptr
      llvm.return %0 : !llvm.ptr
    }
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

module {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %t = tensor.empty() : tensor<4xf32>
      // expected-error@+1 {{'builtin.unrealized_conversion_cast' op is not expected in a kernel at this level: only ops of the llvm and nvvm dialects are translated; run sparseflow-codegen first}}
      %c = arith.constant 0 : index
      %x = tensor.extract %t[%c] : tensor<4xf32>
      llvm.store %x, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

module {
  // expected-error@+1 {{expected kernels that translate to LLVM IR, found the op that the error before this one names}}
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      // expected-error@+2 {{intrinsic call returns float}}
      // expected-error@+1 {{LLVM Translation failed for operation: llvm.call_intrinsic}}
      %a = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"() : () -> f32
      llvm.store %a, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

// What the back end prints is counted again. Here a choice of spellings makes a
// label of what was an instruction, and an MMA of what belonged to it.
module {
  // expected-error@+1 {{kernel 'k' holds 1 tensor core instructions in PTX and 0 in LLVM IR, expected no more: the back end duplicated a warp collective; choose another schedule, or write inline assembly whose instructions are spelled out}}
  gpu.module @kernels {
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.inline_asm has_side_effects "trap.$(x:$|$)\0Amma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};", "" : () -> ()
      llvm.return
    }
  }
}
