// RUN: sparseflow-opt %s -split-input-file -verify-diagnostics

func.func @f(%word: i32) {
  // expected-error@+1 {{expected weights as si8, f16 or bf16; found 'i8'}}
  %a:4 = sftile.thread.unpack %word[0] codec tern_v1 as i8
  return
}

// -----

func.func @f(%word: i32) {
  // expected-error@+1 {{expected raw codes as i8 or f16; found 'bf16'}}
  %a:4 = sftile.thread.unpack %word[0] codec tern_v1 raw as bf16
  return
}

// -----

func.func @f(%word: i32) {
  // expected-error@+1 {{expected tern_v1, whose codes are numbers, for raw codes; found tern24_v1}}
  %a:4 = sftile.thread.unpack %word[0] codec tern24_v1 raw as f16
  return
}

// -----

func.func @f(%word: i32) {
  // expected-error@+1 {{expected a part from 0 to 1 of a word as 'f16'; found 2}}
  %a:4 = sftile.thread.unpack %word[2] codec tern_v1 as f16
  return
}

// -----

func.func @f(%word: i32) {
  // expected-error@+1 {{expected a part from 0 to 0 of a word as 'si8'; found 1}}
  %a:4 = sftile.thread.unpack %word[1] codec tern24z_v1 as si8
  return
}

// -----

func.func @f(%r: i32, %c: f32) {
  // expected-error@+1 {{expected 4 registers of a for #sftile.mma_sync<16, f16>; found 3}}
  %d:4 = sftile.thread.mma a(%r, %r, %r) b(%r, %r) c(%c, %c, %c, %c)
      by (#sftile.mma_sync<16, f16>) : f32, f32, f32, f32
  return
}

// -----

func.func @f(%r: i32, %c: f32) {
  // expected-error@+1 {{expected 2 registers of b for #sftile.mma_sync<16, f16>; found 4}}
  %d:4 = sftile.thread.mma a(%r, %r, %r, %r) b(%r, %r, %r, %r) c(%c, %c, %c, %c)
      by (#sftile.mma_sync<16, f16>) : f32, f32, f32, f32
  return
}

// -----

func.func @f(%r: i32, %c: f32) {
  // expected-error@+1 {{expected accumulators of 'i32' for #sftile.mma_int8_sync<32, i8>; found 'f32'}}
  %d:4 = sftile.thread.mma a(%r, %r, %r, %r) b(%r, %r) c(%c, %c, %c, %c)
      by (#sftile.mma_int8_sync<32, i8>) : f32, f32, f32, f32
  return
}

// -----

func.func @f(%r: i32, %c: f32) {
  // expected-error@+1 {{expected metadata for #sftile.mma_sp_sync<32, f16>}}
  %d:4 = sftile.thread.mma a(%r, %r, %r, %r) b(%r, %r, %r, %r) c(%c, %c, %c, %c)
      by (#sftile.mma_sp_sync<32, f16>) : f32, f32, f32, f32
  return
}

// -----

func.func @f(%r: i32, %c: f32) {
  // expected-error@+1 {{expected no metadata for #sftile.mma_sync<16, f16>}}
  %d:4 = sftile.thread.mma a(%r, %r, %r, %r) b(%r, %r) c(%c, %c, %c, %c)
      metadata %r[0] by (#sftile.mma_sync<16, f16>) : f32, f32, f32, f32
  return
}

// -----

func.func @f(%r: i32, %c: i32) {
  // expected-error@+1 {{expected a selector from 0 to 0 for #sftile.mma_sp_sync<64, si8>; found 1}}
  %d:4 = sftile.thread.mma a(%r, %r, %r, %r) b(%r, %r, %r, %r) c(%c, %c, %c, %c)
      metadata %r[1] by (#sftile.mma_sp_sync<64, si8>) : i32, i32, i32, i32
  return
}

// -----

func.func @f(%number: i32) {
  // expected-error@+1 {{expected the number of a barrier and of its threads, 'threads(%number of 64)', for the scope threads and for no other}}
  sftile.barrier warp(%number of 64)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{for the scope threads and for no other}}
  sftile.barrier threads
  return
}

// -----

func.func @f(%number: i32) {
  // expected-error@+1 {{expected whole warps, a multiple of 32 threads; found 48}}
  sftile.barrier threads(%number of 48)
  return
}

// -----

func.func @f(%r: i32) {
  // expected-error@+1 {{failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  sftile.wait_group pending -1 by (#sftile.cp_async<16>)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected an atom of asynchronous copies of a thread for a group of copies, found #sftile.tma}}
  sftile.commit_group by (#sftile.tma)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected an atom of asynchronous copies of a thread for a group of copies, found #sftile.ld_st<2>}}
  sftile.wait_group by (#sftile.ld_st<2>)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected the accumulators of a group of MMAs by #sftile.wgmma<f16>}}
  sftile.commit_group by (#sftile.wgmma<f16>)
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%p: !sftile.pending<!sftile.frag<16x64xf32, #c>>) {
  // expected-error@+1 {{expected no accumulators for a group of copies by #sftile.cp_async<16>}}
  %q = sftile.commit_group %p by (#sftile.cp_async<16>)
      : !sftile.pending<!sftile.frag<16x64xf32, #c>>
  return
}

// -----

#c = #sftile.layout<registers = [[0, 1], [8, 0]],
    lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

func.func @f(%a: !sftile.frag<16x8xf32, #c>) {
  // expected-error@+1 {{expected no fragments to hold for a group of copies, which read no registers}}
  sftile.wait_group holding (%a : !sftile.frag<16x8xf32, #c>) by (#sftile.cp_async<16>)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'sftile.commit_group' op attribute 'atom' failed to satisfy constraint: atom of asynchronous MMAs or of a thread's copies}}
  sftile.commit_group by (#sftile.ldmatrix)
  return
}

// -----

func.func @address_of_here(%shared: !llvm.ptr<3>) {
  // expected-error@+1 {{expected a tile, or the rank of the block whose memory is meant, 'of %rank'}}
  %place = sftile.address %shared : !llvm.ptr<3>
  return
}

// -----

func.func @f(%word: i32) {
  // expected-error@+1 {{expected 4 operands of f32 for round; found 'i32', 'i32'}}
  %a = sftile.thread.bytes round(%word, %word) : i32, i32
  return
}

// -----

func.func @f(%word: i32, %number: f32) {
  // expected-error@+1 {{expected 2 operands of i32 for sum; found 'i32', 'f32'}}
  %a = sftile.thread.bytes sum(%word, %number) : i32, f32
  return
}
