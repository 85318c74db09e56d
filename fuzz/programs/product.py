"""Programs of products of two activations: batched matmuls, dimensions in any order."""

import numpy as np

from builder import Tensor, once
from matmul import generic

SIZES = (1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 40, 64, 65, 72, 100, 128, 130)
MOST_WORK = 2_000_000


def bounds(program):
    """Names of the batch dimensions, of m, n and k; small enough for the simulator. That
    of a result without features is dynamic: no kernel is compiled for nothing."""
    rng = program.rng
    while True:
        batch = [rng.choice([1, 2, 3]) for _ in range(rng.choice([0, 1, 1, 2]))]
        m, n, k = (0 if rng.random() < 0.02 else rng.choice(SIZES) for _ in range(3))
        if int(np.prod(batch + [m, n, k])) <= MOST_WORK:
            break
    return ([program.size(name, size, rng.random() < 0.4)
             for name, size in zip("BH", batch)],
            *(program.size(name, size, rng.random() < 0.5 or (size == 0 and name != "K"))
              for name, size in zip("MNK", (m, n, k))))


def product(program):
    rng, (batch, m, n, k) = program.rng, bounds(program)
    dtype = program.float_type()
    other = dtype if rng.random() < 0.9 else program.any_type()
    dims = batch + [m, n, k]
    letters = dict(zip(dims, "abcde"))
    place = dict(zip(dims, (f"d{i}" for i in range(len(dims)))))

    def ordered(names):
        """The order of memory: batches in front, or anything."""
        if rng.random() < 0.6:
            return batch + rng.sample(names, len(names))
        return rng.sample(batch + names, len(batch + names))
    x = program.argument(ordered([m, k]), dtype)
    y = program.argument(ordered([k, n]), other)
    shape = ordered([m, n]) if rng.random() < 0.3 else batch + [m, n]

    def make(env):
        text = ",".join("".join(letters[d] for d in t.shape) for t in (x, y))
        return np.einsum(f"{text}->{''.join(letters[d] for d in shape)}",
                         np.asarray(x.make(env)), np.asarray(y.make(env)))

    sizes = []
    for name in shape:
        if name not in program.dynamic:
            continue
        source = x if name in x.shape else y
        sizes.append(program.dim(source, source.shape.index(name)))
    result = program.type(shape, "f32")
    start, zero, fill, name = (program.fresh(p) for p in "ecep")

    def widened(to, value, kind):
        return [] if kind == "f32" else [f"  {to} = arith.extf {value} : {kind} to f32"]
    left, right = ("%i0" if x.dtype == "f32" else "%l"), ("%i1" if other == "f32" else "%r")
    maps = ", ".join(f"affine_map<({', '.join(place.values())}) -> "
                     f"({', '.join(place[d] for d in s)})>" for s in (x.shape, y.shape, shape))
    kinds = ", ".join('"reduction"' if d == k else '"parallel"' for d in dims)
    program.lines += [
        f"{start} = tensor.empty({', '.join(sizes)}) : {result}",
        f"{zero} = arith.constant 0.0 : f32",
        f"{fill} = linalg.fill ins({zero} : f32) outs({start} : {result}) -> {result}",
        f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
        f"ins({x.name}, {y.name} : {x.type}, {y.type}) outs({fill} : {result}) {{",
        f"^bb0(%i0: {x.dtype}, %i1: {other}, %o: f32):", *widened("%l", "%i0", x.dtype),
        *widened("%r", "%i1", other), f"  %p = arith.mulf {left}, {right} : f32",
        "  %s = arith.addf %o, %p : f32", "  linalg.yield %s : f32", f"}} -> {result}"]
    found = Tensor(name, shape, "f32", result, once(make), 64.0)
    program.give(generic(program, found) if rng.random() < 0.5 else found)
