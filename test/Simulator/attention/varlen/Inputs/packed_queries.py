"""What runs of packed queries have in common: the sizes that they take in turn, and a
score of the indices."""

# Features of keys and of values; heads, key heads.
FEATURES = [(64, 64), (128, 128), (40, 24), (192, 192), (96, 64), (256, 256), (36, 33)]
HEADS = [(4, 1), (4, 2), (3, 1), (8, 1)]
# Queries and keys of each sequence.
PROMPTS = [(n, n) for n in (1, 130, 0, 64, 127)]
CHUNKS = [(1, 1), (0, 40), (70, 200), (0, 0), (3, 0), (129, 129), (200, 90), (1, 65)]
MANY = [(n % 3, n * 5 % 7) for n in range(70)]
SCORE = """score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %far = arith.subi %i, %j : i32
    %both = arith.addi %far, %b : i32
    %f = arith.sitofp %both : i32 to f32
    %c = arith.constant 0.03125 : f32
    %m = arith.mulf %f, %c : f32
    %r = arith.addf %s, %m : f32
    sparseflow.yield %r : f32
  }"""
