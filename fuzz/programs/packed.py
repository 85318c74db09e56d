"""Programs of sequences that follow one another in one entry (`cu_seqlens`), with what stands
around them in a model: norms, projections, elementwise ops."""

import numpy as np

from attention import FEATURES, LENGTHS, attend
from builder import Tensor, once
from matmul import clamp, generic, matmul, norm, weight

WIDE = (*FEATURES, 128, 160, 192, 200, 256)


def offsets(program, count, rows):
    """Cumulative lengths of `count` sequences in so many rows."""
    argument = program.argument([count], "i32", whole=(0, program.of([rows])[0]))
    argument.cumulative = True
    return argument


def reshaped(program, x, shape, groups, op):
    """tensor.expand_shape or collapse_shape between [1, T, H * D] and [1, T, H, D]."""
    name, type_text = program.fresh("u"), program.type(shape, x.dtype)
    sizes = ""
    if op == "expand_shape":
        words = []
        for axis, size in enumerate(shape):
            words.append(program.dim(x, axis) if size in program.dynamic else
                         str(program.of([size])[0]))
        sizes = f" output_shape [{', '.join(words)}]"
    program.lines.append(f"{name} = tensor.{op} {x.name} {groups}{sizes} : {x.type} into "
                         f"{type_text}")
    return Tensor(name, shape, x.dtype, type_text, once(
        lambda env: np.asarray(x.make(env)).reshape(program.of(shape))), x.bound)


def projected(program, x, heads, d):
    """A matmul of x [1, T, K] as [1, T, heads, D]."""
    w = weight(program, heads * d, x.shape[-1], x.dtype)
    # Matmuls that share activations of 8 bits must have weights of one order.
    y = matmul(program, x, w, x.dtype, with_operands=False, quantizes=0)
    if y.bound > 4:
        # Scores of large numbers leave one key.
        y = clamp(program, y, 3.0)
    return reshaped(program, y, [*x.shape[:2], heads, d], "[[0], [1], [2, 3]]",
                    "expand_shape")


def sizes(program, most=40_000):
    rng = program.rng
    while True:
        g = rng.choice([1, 1, 2, 3])
        h = g * rng.choice([1, 1, 2, 4, 5])
        rows, keys = rng.choice((*LENGTHS, 260, 300)), rng.choice((*LENGTHS, 260, 300))
        if h * rows * keys <= most:
            return g, h, rows, keys


def packed(program):
    """Attention alone, of tensors of the caller's."""
    rng, (g, h, rows, keys) = program.rng, sizes(program)
    d = rng.choice(WIDE) + (1 if rng.random() < 0.05 else 0)
    dv = d if rng.random() < 0.7 else rng.choice(WIDE)
    same = rng.random() < 0.5
    rows = program.size("S", rows, rng.random() < 0.7)
    keys = rows if same else program.size("L", keys, rng.random() < 0.7)
    count = program.size("N", 1 + rng.choice([0, 1, 1, 2, 3, 5, 9]), rng.random() < 0.6)
    layout, dtype = rng.choice(["bhsd", "bshd"]), program.float_type()

    def tensor(heads, length, features):
        return program.argument([1, heads, length, features] if layout == "bhsd" else
                                [1, length, heads, features], dtype)
    q, k, v = tensor(h, rows, d), tensor(g, keys, d), tensor(g, keys, dv)
    cu_q = offsets(program, count, rows)
    # A prompt is read whole; a chunk of one stands behind other keys.
    cu_k = cu_q if same and rng.random() < 0.7 else offsets(program, count, keys)
    attend(program, q, k, v, 1, h, rows, keys, layout, packed=(cu_q, cu_k))


def layer(program):
    """Packed sequences of a layer: perhaps a norm, projections, attention, a projection."""
    rng, (g, h, rows, _) = program.rng, sizes(program)
    d, k, dtype = rng.choice([8, 16, 32, 40, 64, 128]), rng.choice([16, 64, 96, 128]), \
        program.float_type()
    while program.of([rows])[0] * h * d * k > 1_500_000:
        h, g = max(1, h // 2), 1
        rows = max(1, rows // 2)
    rows = program.size("T", rows, rng.random() < 0.7)
    count = program.size("N", 1 + rng.choice([1, 2, 3, 5]), rng.random() < 0.6)
    x = program.argument([1, rows, k], dtype)
    if rng.random() < 0.5:
        x = norm(program, x)
    q = projected(program, x, h, d)
    keys, values = (projected(program, x, g, d) if rng.random() < 0.7 else
                    program.argument([1, rows, g, d], dtype) for _ in range(2))
    if rng.random() < 0.3:
        q = clamp(program, generic(program, q, dtype, most=2), 3.0)
    cu = offsets(program, count, rows)
    o, *_ = attend(program, q, keys, values, 1, h, rows, rows, "bshd", packed=(cu, cu))
    if o.dtype == dtype and rng.random() < 0.7:
        flat = reshaped(program, o, [1, rows, h * d], "[[0], [1], [2, 3]]", "collapse_shape")
        program.give(matmul(program, flat, weight(program, rng.choice([16, 40, 64]), h * d,
                                                  dtype)))
