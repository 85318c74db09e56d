// Machine code for every target, and the gates on what ptxas says.

// REQUIRES: ptxas
// RUN: rm -rf %t && split-file %s %t
// RUN: sparseflow compile %t/good.mlir --emit cubin --target sm_80 -o %t/a.cubin --remarks --report %t/report.json 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=REPORT < %t/report.json
// RUN: not sparseflow compile %t/spill.mlir --emit cubin --target sm_80 -o %t/spill.cubin 2>&1 | FileCheck %s --check-prefix=SPILL
// RUN: not ls %t/spill.cubin
// RUN: sparseflow compile %t/spill.mlir --emit cubin --target sm_80 -o %t/spill.cubin --allow-slow-code --remarks 2>&1 | FileCheck %s --check-prefix=ALLOWED

// REMARK: good.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: [ptx] 'copy' on sm_80: 1 ld.global, 1 st.global
// REMARK: remark: [ptxas] 'copy' on sm_80: {{[0-9]+}} registers, 1024 bytes of shared memory, no spills

// REPORT: "dynamic_shared_bytes": 1024
// REPORT: "instructions": {
// REPORT: "ld.global": 1
// REPORT: "name": "copy"
// REPORT: "registers":
// REPORT: "schedule": "{tile = 64 : i64}"
// REPORT: "spill_store_bytes": 0
// REPORT: "threads": 64
// REPORT: "ptx_version": "8.5"

// SPILL: error: ptxas {{[0-9.]+}} finds the code for sm_80 slow: kernel 'stack' uses {{[0-9]+}} bytes of local memory per thread
// ALLOWED: remark: [ptxas] sm_80: kernel 'stack' uses {{[0-9]+}} bytes of local memory per thread

//--- good.mlir
module {
  gpu.module @kernels {
    llvm.func @copy(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
        attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>,
                    sftile.shared_bytes = 1024 : i64,
                    sftile.schedule = {tile = 64 : i64}} {
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %q = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %p : !llvm.ptr<1> -> f32
      llvm.store %v, %q : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

//--- spill.mlir
module {
  gpu.module @kernels {
    // An array that a thread indexes with a value has no register.
    llvm.func @stack(%a: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
      %size = llvm.mlir.constant(16 : i32) : i32
      %array = llvm.alloca %size x i32 : (i32) -> !llvm.ptr
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %p = llvm.getelementptr %array[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store volatile %i, %p : i32, !llvm.ptr
      %q = llvm.getelementptr %array[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load volatile %q : !llvm.ptr -> i32
      llvm.store %v, %a : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}
