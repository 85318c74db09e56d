// RUN: sparseflow-opt %s --verify-roundtrip | FileCheck %s

// Operations on registers and pointers of a thread, with the examples of their
// documentation.

// CHECK-LABEL: func.func @copies
// CHECK: sftile.thread.copy %{{.*}} to %{{.*}} by(#sftile.cp_async<16>)
// CHECK: sftile.thread.copy %{{.*}} to %{{.*}} bytes %{{.*}} by(#sftile.cp_async<16>)
// CHECK: sftile.commit_group by(#sftile.cp_async<16>)
// CHECK: sftile.wait_group pending 2 by(#sftile.cp_async<16>)
// CHECK: sftile.thread.copy %{{.*}} from %{{.*}} bytes %{{.*}} by(#sftile.bulk)
// CHECK: sftile.wait_group by(#sftile.bulk)
// CHECK: sftile.thread.load_matrices %{{.*}} by(#sftile.ldmatrix)
func.func @copies(%global: !llvm.ptr<1>, %shared: !llvm.ptr<3>, %valid: i32,
                  %count: i32, %row: !llvm.ptr<3>) -> i32 {
  sftile.thread.copy %global to %shared by (#sftile.cp_async<16>)
  sftile.thread.copy %global to %shared bytes %valid
      by (#sftile.cp_async<16>)
  sftile.commit_group by (#sftile.cp_async<16>)
  sftile.wait_group pending 2 by (#sftile.cp_async<16>)
  sftile.thread.copy %global from %shared bytes %count by (#sftile.bulk)
  sftile.commit_group by (#sftile.bulk)
  sftile.wait_group by (#sftile.bulk)
  %x:4 = sftile.thread.load_matrices %row by (#sftile.ldmatrix)
  return %x#3 : i32
}

// CHECK-LABEL: func.func @mmas
// CHECK: %[[A0:.*]], %[[A1:.*]], %[[A2:.*]], %[[A3:.*]] = sftile.thread.unpack %{{.*}}[1] codec tern_v1 as f16
// CHECK: sftile.thread.unpack %{{.*}}[0] codec tern_v1 raw as i8
// CHECK: sftile.thread.unpack %{{.*}}[1] codec tern24_v1 as si8
// CHECK: sftile.thread.mma a(%[[A0]], %[[A1]], %[[A2]], %[[A3]]) b({{.*}}) c({{.*}}) by(#sftile.mma_sync<16, f16>) : f32, f32, f32, f32
// CHECK: sftile.thread.mma {{.*}} metadata %{{.*}}[0] by(#sftile.mma_sp_sync<64, si8>) : i32, i32, i32, i32
func.func @mmas(%word: i32, %c: f32, %i: i32, %meta: i32,
                %row: !llvm.ptr<3>) -> (f32, i32, i32) {
  %x:4 = sftile.thread.load_matrices %row by (#sftile.ldmatrix)
  %a:4 = sftile.thread.unpack %word[1] codec tern_v1 as f16
  %r:4 = sftile.thread.unpack %word[0] codec tern_v1 raw as i8
  %w:4 = sftile.thread.unpack %word[1] codec tern24_v1 as si8
  %d:4 = sftile.thread.mma a(%a#0, %a#1, %a#2, %a#3) b(%x#0, %x#1)
      c(%c, %c, %c, %c) by (#sftile.mma_sync<16, f16>) : f32, f32, f32, f32
  %e:4 = sftile.thread.mma a(%w#0, %w#1, %w#2, %w#3)
      b(%x#0, %x#1, %x#2, %x#3) c(%i, %i, %i, %i) metadata %meta[0]
      by (#sftile.mma_sp_sync<64, si8>) : i32, i32, i32, i32
  return %d#0, %e#0, %r#0 : f32, i32, i32
}

// CHECK-LABEL: func.func @others
// CHECK: sftile.thread.bytes permute(%{{.*}}, %{{.*}}, %{{.*}}) : i32, i32, i32
// CHECK: sftile.thread.bytes round(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : f32, f32, f32, f32
// CHECK: sftile.thread.bytes sum(%{{.*}}, %{{.*}}) : i32, i32
// CHECK: sftile.barrier warp
// CHECK: sftile.barrier threads(%{{.*}} of 64)
// CHECK: sftile.barrier cluster
// CHECK: sftile.barrier role
// CHECK: sftile.griddep launch_dependents
// CHECK: sftile.griddep wait
// CHECK: sftile.address %{{.*}} : !sftile.tile<384x128xi8, swizzled>
// CHECK: sftile.address %{{.*}} of %{{.*}} : !llvm.ptr<3>
func.func @others(%low: i32, %high: i32, %selector: i32, %number: i32,
                  %shared: !llvm.ptr<3>, %rank: i32, %sum: i32,
                  %a: f32, %b: f32, %c: f32, %d: f32)
    -> (i32, i32, !llvm.ptr<3>, !llvm.ptr<7>) {
  %tile = sftile.shared warps 8 sharers 8 : !sftile.tile<384x128xi8, swizzled>
  %bytes = sftile.thread.bytes permute(%low, %high, %selector) : i32, i32, i32
  %word = sftile.thread.bytes round(%a, %b, %c, %d) : f32, f32, f32, f32
  %next = sftile.thread.bytes sum(%word, %sum) : i32, i32
  sftile.barrier warp
  sftile.barrier threads(%number of 64)
  sftile.barrier cluster
  sftile.barrier role
  sftile.griddep launch_dependents
  sftile.griddep wait
  %place = sftile.address %tile : !sftile.tile<384x128xi8, swizzled>
  %theirs = sftile.address %shared of %rank : !llvm.ptr<3>
  return %bytes, %next, %place, %theirs : i32, i32, !llvm.ptr<3>, !llvm.ptr<7>
}
