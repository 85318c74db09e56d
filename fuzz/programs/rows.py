"""Programs of rows: those of a table that ids name, and tokens drawn from logits."""

import numpy as np

from builder import Tensor, once
from matmul import FEATURES, empty, generic, matmul, sizes, weight


def looked_up(program, ids, table):
    """table[ids], as front ends write it."""
    shape = ids.shape + [table.shape[1]]
    dims = ", ".join(f"d{d}" for d in range(len(shape)))
    rows = ", ".join(f"d{d}" for d in range(len(shape) - 1))
    kinds = ", ".join('"parallel"' for _ in shape)
    out = empty(program, shape, table.dtype, ids)
    name = program.fresh("g")
    type_text = program.type(shape, table.dtype)
    program.lines += [
        f"{name} = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({rows})>, "
        f"affine_map<({dims}) -> ({dims})>], iterator_types = [{kinds}]}} "
        f"ins({ids.name} : {ids.type}) outs({out} : {type_text}) {{",
        f"^bb0(%i0: {ids.dtype}, %o: {table.dtype}):",
        f"  %at = arith.index_cast %i0 : {ids.dtype} to index",
        f"  %d = linalg.index {len(shape) - 1} : index",
        f"  %e = tensor.extract {table.name}[%at, %d] : {table.type}",
        f"  linalg.yield %e : {table.dtype}", f"}} -> {type_text}"]
    return Tensor(name, shape, table.dtype, type_text, once(
        lambda env: np.asarray(table.make(env))[np.asarray(ids.make(env)).astype(int)]), 5.0)


def lookup(program):
    """Rows of an embedding, arithmetic on them, perhaps a matmul of them."""
    rng, shape, dtype = program.rng, program.tokens(), program.float_type()
    n, k = sizes(program, shape)
    count = rng.choice([1, 2, 7, 100])
    ids = program.argument(shape, rng.choice(["i32", "i64"]), whole=(0, count - 1))
    table = program.argument([count, k or 8], dtype)
    x = looked_up(program, ids, table)
    if rng.random() < 0.5:
        x = generic(program, x, dtype, most=2)
    if rng.random() < 0.6 and x.bound <= 50:
        program.give(matmul(program, x, weight(program, n, k or 8, dtype)))
    else:
        program.give(x)


def sample(program):
    """Tokens of rows of logits. Which ones is the library's to say, bit by bit."""
    rng, shape = program.rng, program.tokens()
    logits = program.argument(shape + [rng.choice((*FEATURES, 1000, 4097))],
                              program.any_type())
    parameters = [program.argument(shape, dtype) for dtype in
                  ("f32", "i32", "f32", "i64", "i32")]
    name = program.fresh("s")
    clauses = " ".join(f"{clause}({parameter.name})" for clause, parameter in zip(
        ("temperature", "top_k", "top_p", "seed", "position"), parameters))
    program.lines.append(f"{name} = sparseflow.sample {logits.name} {clauses} : "
                         f"{logits.type}")
    program.give(Tensor(name, shape, "i32", program.type(shape, "i32"), None, 1e6))
