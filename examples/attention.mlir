// Attention as models use it.
//
//   sparseflow run examples/attention.mlir --entry prefill --dim T=1 --dim T1=128 --check
//   sparseflow run examples/attention.mlir --entry decode --dim T=2 --dim T1=1000 --check
//   sparseflow run examples/attention.mlir --entry paged --dim T=3 --dim T1=40 --dim T2=16 --check
//   sparseflow run examples/attention.mlir --entry chunks --dim T=70 --dim T1=40 --dim T2=4 --dim T3=16 --dim T4=5 --check

// Queries, keys and values of a prompt: 8 query heads on 2 key heads, causal.
func.func @prefill(%q: tensor<?x8x?x64xf16>, %k: tensor<?x2x?x64xf16>,
                   %v: tensor<?x2x?x64xf16>) -> tensor<?x8x?x64xf16> {
  %o = sparseflow.attention %q, %k, %v {causal}
    : tensor<?x8x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16>
      -> tensor<?x8x?x64xf16>
  return %o : tensor<?x8x?x64xf16>
}

// One query against a cache whose entries have different lengths; scores are
// capped, and heads prefer near keys by slopes of their own.
func.func @decode(%q: tensor<?x1x8x64xf16>, %k: tensor<?x?x2x64xf16>,
                  %v: tensor<?x?x2x64xf16>,
                  %lengths: tensor<?xi32> {sparseflow.name = "lengths"},
                  %slopes: tensor<8xf32>) -> tensor<?x1x8x64xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%lengths : tensor<?xi32>)
      operands(%slopes : tensor<8xf32>) as ["h"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %slope: f32):
    %cap = arith.constant 50.0 : f32
    %step = arith.constant 0.001 : f32
    %0 = arith.divf %s, %cap : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %cap : f32
    %position = arith.sitofp %j : i32 to f32
    %3 = arith.mulf %position, %step : f32
    %4 = arith.mulf %3, %slope : f32
    %5 = arith.addf %2, %4 : f32
    sparseflow.yield %5 : f32
  } {layout = #sparseflow.attention_layout<bshd>}
    : tensor<?x1x8x64xf16>, tensor<?x?x2x64xf16>, tensor<?x?x2x64xf16>
      -> tensor<?x1x8x64xf16>
  return %o : tensor<?x1x8x64xf16>
}

// The same against a cache in pages of 64 tokens: a row of the table names those of a
// sequence, in any order, and sequences may share some.
func.func @paged(%q: tensor<?x8x1x64xf16>, %k: tensor<?x2x64x64xf16>,
                 %v: tensor<?x2x64x64xf16>,
                 %lengths: tensor<?xi32> {sparseflow.name = "lengths"},
                 %table: tensor<?x?xi32> {sparseflow.name = "table"})
    -> tensor<?x8x1x64xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%lengths : tensor<?xi32>)
      pages(%table : tensor<?x?xi32>)
    : tensor<?x8x1x64xf16>, tensor<?x2x64x64xf16>, tensor<?x2x64x64xf16>
      -> tensor<?x8x1x64xf16>
  return %o : tensor<?x8x1x64xf16>
}

// Prompts of several lengths, one behind the other, without padding.
func.func @prompts(%q: tensor<1x?x8x64xf16>, %k: tensor<1x?x2x64xf16>,
                   %v: tensor<1x?x2x64xf16>,
                   %cu: tensor<?xi32> {sparseflow.name = "cu_seqlens"})
    -> tensor<1x?x8x64xf16> {
  %o = sparseflow.attention %q, %k, %v
      cu_seqlens(%cu, %cu : tensor<?xi32>, tensor<?xi32>)
      {causal, layout = #sparseflow.attention_layout<bshd>}
    : tensor<1x?x8x64xf16>, tensor<1x?x2x64xf16>, tensor<1x?x2x64xf16>
      -> tensor<1x?x8x64xf16>
  return %o : tensor<1x?x8x64xf16>
}

// Chunks of prompts of several lengths, one behind the other, each at the end of what its
// sequence has in a cache of pages of 64 tokens; a sequence that decodes is a chunk of one.
func.func @chunks(%q: tensor<1x?x8x64xf16>, %k: tensor<?x64x2x64xf16>,
                  %v: tensor<?x64x2x64xf16>,
                  %lengths: tensor<?xi32> {sparseflow.name = "lengths"},
                  %table: tensor<?x?xi32> {sparseflow.name = "table"},
                  %cu: tensor<?xi32> {sparseflow.name = "cu_seqlens"})
    -> tensor<1x?x8x64xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%lengths : tensor<?xi32>)
      pages(%table : tensor<?x?xi32>) cu_seqlens(%cu : tensor<?xi32>)
      {causal, layout = #sparseflow.attention_layout<bshd>}
    : tensor<1x?x8x64xf16>, tensor<?x64x2x64xf16>, tensor<?x64x2x64xf16>
      -> tensor<1x?x8x64xf16>
  return %o : tensor<1x?x8x64xf16>
}
