"""Programs with one product of a weight, which tests in several folders compile."""

FLOATS = """\
func.func @{name}(%x: tensor<?x{k}x{type}>, %w: {weight}) -> tensor<?x{n}x{type}> {{
  %y = sparseflow.matmul %x, %w {{
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to {type}
    sparseflow.yield %0 : {type}
  }} : tensor<?x{k}x{type}>, {weight} -> tensor<?x{n}x{type}>
  return %y : tensor<?x{n}x{type}>
}}
"""

BYTES = """\
func.func @{name}(%x: tensor<?x{k}x{type}>, %w: {weight}) -> tensor<?x{n}x{type}> {{
  %q, %s = sparseflow.quantize %x : tensor<?x{k}x{type}> -> tensor<?x{k}xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s : tensor<?xf32>) as [per_token] {{
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.truncf %0 : f32 to {type}
    sparseflow.yield %1 : {type}
  }} : tensor<?x{k}xi8>, {weight} -> tensor<?x{n}x{type}>
  return %y : tensor<?x{n}x{type}>
}}
"""


def product(name, n, k, type, weight, quantized=False):
    """x [T, k] times a weight of n features, whose type is `weight`, as the function
    `name`: activations and result are of `type`, `quantized` activations become bytes."""
    return (BYTES if quantized else FLOATS).format(name=name, n=n, k=k, type=type,
                                                   weight=weight)
