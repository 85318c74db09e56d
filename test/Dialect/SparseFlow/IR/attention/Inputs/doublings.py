"""A program whose score region reads each of 60 values twice: sums of indices, maxima of them, or
scores."""

import sys

ROUND = {
    "sums": "%x{1} = arith.addi %x{0}, %x{0} : i32",
    "maxima": "%c{0} = arith.constant {2} : i32\n"
              "%y{0} = arith.minsi %x{0}, %c{0} : i32\n"
              "%z{0} = arith.addi %j, %c{0} : i32\n"
              "%w{0} = arith.maxsi %x{0}, %z{0} : i32\n"
              "%x{1} = arith.maxsi %w{0}, %y{0} : i32",
    "scores": "%f{1} = arith.addf %f{0}, %f{0} : f32",
}
kind, count = sys.argv[1], 60
body = "\n".join(ROUND[kind].format(k, k + 1, 3 * k + 7) for k in range(count))
index = "%i" if kind == "scores" else f"%x{count}"
score = f"%f{count}" if kind == "scores" else "%s"
of = "tensor<1x1x32x64xf16>"
print(f"""func.func @f(%q: {of}, %k: {of}) -> {of} {{
  %o = sparseflow.attention %q, %k, %k score {{
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %x0 = arith.addi %i, %j : i32
    %f0 = arith.mulf %s, %s : f32
    {body}
    %c = arith.cmpi sle, %j, {index} : i32
    %m = arith.select %c, %zero, %none : f32
    %r = arith.addf {score}, %m : f32
    sparseflow.yield %r : f32
  }} : {of}, {of}, {of} -> {of}
  return %o : {of}
}}""")
