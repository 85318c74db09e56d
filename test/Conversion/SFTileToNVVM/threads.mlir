// RUN: sparseflow-opt %s --convert-sftile-to-nvvm --canonicalize | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @copies
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca, %{{.*}}
  // CHECK: nvvm.cp.async.commit.group
  // CHECK: nvvm.cp.async.wait.group 2
  // CHECK: nvvm.cp.async.bulk.global.shared.cta %arg0, %arg1, %arg2
  // CHECK: nvvm.cp.async.bulk.commit.group
  // CHECK: nvvm.cp.async.bulk.wait_group 0{{$}}
  gpu.func @copies(%from: !llvm.ptr<1>, %to: !llvm.ptr<3>, %valid: i32) kernel {
    sftile.thread.copy %from to %to by (#sftile.cp_async<16>)
    sftile.thread.copy %from to %to bytes %valid by (#sftile.cp_async<8>)
    sftile.commit_group by (#sftile.cp_async<16>)
    sftile.wait_group pending 2 by (#sftile.cp_async<16>)
    sftile.thread.copy %from from %to bytes %valid by (#sftile.bulk)
    sftile.commit_group by (#sftile.bulk)
    sftile.wait_group by (#sftile.bulk)
    gpu.return
  }

  // Codes that become floats take one lop3 and one multiplication and addition;
  // raw codes a mask. The sparse MMA of bytes has ordered metadata.
  // CHECK-LABEL: gpu.func @mmas
  // CHECK: nvvm.ldmatrix %{{.*}} num = 4
  // CHECK-COUNT-4: lop3.b32 $0, $1, $2, $3, 0xEA;
  // CHECK: nvvm.mma.sync
  // CHECK-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 16>
  // CHECK-COUNT-4: prmt.b32 $0, $1, $2, $3;
  // CHECK: nvvm.mma.sp.sync
  // CHECK-SAME: orderedMetadata
  // CHECK-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 64>
  gpu.func @mmas(%word: i32, %row: !llvm.ptr<3>, %c: f32, %i: i32, %meta: i32,
                 %out: !llvm.ptr<1>) kernel {
    %x:4 = sftile.thread.load_matrices %row by (#sftile.ldmatrix)
    %a:4 = sftile.thread.unpack %word[1] codec tern_v1 as f16
    %d:4 = sftile.thread.mma a(%a#0, %a#1, %a#2, %a#3) b(%x#0, %x#1)
        c(%c, %c, %c, %c) by (#sftile.mma_sync<16, f16>) : f32, f32, f32, f32
    %w:4 = sftile.thread.unpack %word[1] codec tern24_v1 as si8
    %e:4 = sftile.thread.mma a(%w#0, %w#1, %w#2, %w#3)
        b(%x#0, %x#1, %x#2, %x#3) c(%i, %i, %i, %i) metadata %meta[0]
        by (#sftile.mma_sp_sync<64, si8>) : i32, i32, i32, i32
    llvm.store %d#0, %out : f32, !llvm.ptr<1>
    llvm.store %e#0, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @raw
  // CHECK-NOT: lop3
  // Codes of the second half's upper rows and later columns, to bit 8.
  // CHECK-DAG: %[[MASK:.*]] = arith.constant 50332416 : i32
  // CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i32
  // CHECK-DAG: %[[LATER:.*]] = arith.shrui %{{.*}}, %[[SIX]] : i32
  // CHECK-DAG: arith.andi %[[LATER]], %[[MASK]] : i32
  // CHECK: gpu.return
  gpu.func @raw(%word: i32, %out: !llvm.ptr<1>) kernel {
    %r:4 = sftile.thread.unpack %word[1] codec tern_v1 raw as f16
    llvm.store %r#3, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @meet
  // CHECK: nvvm.bar.warp.sync
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
  // CHECK: nvvm.cluster.arrive
  // CHECK: nvvm.cluster.wait
  // CHECK: nvvm.prefetch level = L2, %{{.*}} : !llvm.ptr<1>
  // CHECK: nvvm.griddepcontrol{{ +}}wait
  // CHECK: nvvm.griddepcontrol{{ +}}launch_dependents
  // CHECK: nvvm.mapa
  // CHECK: prmt.b32
  // CHECK: cvt.rni.s32.f32 d, $4;{{.*}}cvt.pack.sat.s8.s32.b32 upper, d, c, 0;{{.*}}cvt.pack.sat.s8.s32.b32 $0, b, a, upper;
  // CHECK: dp4a.s32.s32 $0, $1, 0x01010101, $2;
  gpu.func @meet(%number: i32, %shared: !llvm.ptr<3>, %rank: i32, %x: f32,
                 %out: !llvm.ptr<1>) kernel {
    sftile.barrier warp
    sftile.barrier threads(%number of 64)
    sftile.barrier cluster
    "llvm.intr.prefetch"(%out) <{rw = 0 : i32, hint = 2 : i32, cache = 1 : i32}> : (!llvm.ptr<1>) -> ()
    sftile.griddep wait
    sftile.griddep launch_dependents
    %theirs = sftile.address %shared of %rank : !llvm.ptr<3>
    %word = llvm.load %theirs : !llvm.ptr<7> -> i32
    %permuted = sftile.thread.bytes permute(%word, %rank, %number) : i32, i32, i32
    %rounded = sftile.thread.bytes round(%x, %x, %x, %x) : f32, f32, f32, f32
    %bytes = sftile.thread.bytes sum(%rounded, %permuted) : i32, i32
    llvm.store %bytes, %out : i32, !llvm.ptr<1>
    gpu.return
  }
}
