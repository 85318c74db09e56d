"""Programs of matmuls: dense, 2:4, ternary, int8 and int4 weights, epilogues, chains,
linalg."""

import numpy as np

from builder import Tensor, once

FEATURES = (1, 7, 8, 16, 24, 33, 48, 64, 72, 96, 100, 128, 130, 160, 200, 256)
DEPTHS = (4, 8, 12, 16, 32, 36, 64, 100, 128, 132, 192, 200, 256, 260, 384, 512)
MOST_WORK = 3_000_000  # multiplications of a matmul: the simulator runs each


def weight(program, n, k, dtype):
    """An argument [N, K]: dense, 2:4, ternary, or of 8 or 4 bits."""
    rng = program.rng
    kind = rng.choices(["dense", "nm", "ternary", "int8", "int4"], [3, 4, 4, 1.5, 1.5])[0]
    if kind == "nm" and k % 4 == 0:
        return program.argument([n, k], dtype, "#sparseflow.nm<2:4>")
    if kind in ("dense", "nm"):
        return program.argument([n, k], dtype)
    if kind != "ternary":
        scale = rng.choice(["tensor", "row", "row", "32", "64", "128", "256"])
        return program.argument([n, k], dtype, f"#sparseflow.quantized<{kind}, "
                                f"scale = {scale} : {program.any_type()}>")
    storage = rng.choices(["codes", "two_four", "two_four_zero"],
                          [4, 1, 1] if k % 4 == 0 else [1, 0, 0])[0]
    scale = rng.choice(["tensor", "row", "row", "32", "64", "128", "256"])
    planes = rng.choice([1, 1, 2]) if storage == "codes" else 1
    text = (f"#sparseflow.ternary<{storage}, scale = {scale} : {program.any_type()}"
            f"{', planes = 2' if planes == 2 else ''}>")
    return program.argument([n, k], dtype, text)


def product(x, w):
    """x * w^T in float64."""
    return lambda env: np.asarray(x.make(env)) @ np.asarray(w.make(env)).T


def operands(program, region_inputs, shape, n, most):
    """Epilogue operands: tensors, broadcasts, and their inputs of the region."""
    rng, tensors, broadcasts = program.rng, [], []
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3][:most + 3])):
        broadcast = rng.choice(["per_feature", "per_feature", "per_token", "full",
                                "scalar"])
        dtype = program.any_type()
        dims = {"per_feature": [n], "per_token": shape[:-1], "full": shape,
                "scalar": []}[broadcast]
        found = [a for a in program.arguments if a.shape == dims and not a.encoding
                 and a.dtype in ("f16", "bf16", "f32")]
        tensor = rng.choice(found) if found and rng.random() < 0.3 else \
            program.argument(dims, dtype)
        tensors.append(tensor)
        broadcasts.append(broadcast)
        region_inputs.append((f"%i{len(tensors)}", tensor.dtype, True, tensor.bound))
    return tensors, broadcasts


def spread(value, broadcast):
    return value[..., None] if broadcast == "per_token" else value


def matmul(program, x, w, result=None, with_operands=True, extra=(), quantizes=0.5):
    """sparseflow.matmul with a random epilogue. `extra`: tensors of the result's
    shape that the epilogue must have as operands. `quantizes`: how often activations of
    ternary weights get 8 bits."""
    rng = program.rng
    n, shape = w.shape[0], x.shape[:-1] + [w.shape[0]]
    result = result or program.any_type()
    scale = None
    if x.shape[-1] % 64 == 0 and x.shape[-1] and rng.random() < 0.2:
        x = hadamard(program, x)
    if w.encoding and "ternary" in w.encoding and rng.random() < quantizes and not extra:
        x, scale = quantize(program, x)
    inputs = [("%acc", "f32", False, 64.0 * max(1, x.bound / 5))]
    tensors, broadcasts = operands(program, inputs, shape, n, 3 if with_operands else 0)
    for tensor in extra:
        tensors.append(tensor)
        broadcasts.append("full")
        inputs.append((f"%i{len(tensors)}", tensor.dtype, False, tensor.bound))
    if scale is not None:
        tensors.append(scale)
        broadcasts.append("per_token")
        inputs.append((f"%i{len(tensors)}", "f32", False, 1.0))
    region = program.region(inputs)
    program.folds |= x.shape[-1] == 0
    if scale is not None:
        # The sum of integers times the scale of its token is the product.
        acc, factor = region.values[0], region.values[-1]
        whole = region.binary("mulf", acc, factor, np.multiply, 64.0)
        region.values = [whole] + region.values[1:-1]
    last = region.finish(result, rng.choice([0, 1, 2, 2, 3, 4, 6]))
    acc = product(x, w)

    def make(env):
        values = {"%acc": acc(env)}
        for index, (tensor, broadcast) in enumerate(zip(tensors, broadcasts)):
            values[f"%i{index + 1}"] = spread(np.asarray(tensor.make(env)), broadcast)
        full = region.evaluate(values)
        return np.broadcast_to(full, program.of(shape))

    y = program.value("y", shape, result, once(make), min(region.result.bound, 1e4))
    clause = ""
    if tensors:
        names = ", ".join(t.name for t in tensors)
        types = ", ".join(t.type for t in tensors)
        clause = f" epilogue({names} : {types}) as [{', '.join(broadcasts)}]"
    block = ", ".join(f"{name}: {dtype}" for name, dtype, _, _ in inputs)
    program.lines += [f"{y.name} = sparseflow.matmul {x.name}, {w.name}{clause} {{",
                      f"^bb0({block}):", *("  " + line for line in region.lines),
                      f"  sparseflow.yield {last} : {result}",
                      f"}} : {x.type}, {w.type} -> {y.type}"]
    return y


def stored(values, dtype):
    """float32 as a tensor of `dtype` holds them."""
    if dtype == "f16":
        return values.astype(np.float16).astype(np.float32)
    if dtype == "bf16":
        bits = values.view(np.uint32)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)).view(np.float32)
    return values


def hadamard(program, x):
    """Blocks of the last dimension times signs and a Hadamard matrix."""
    rng, k = program.rng, x.shape[-1]
    block = rng.choice([b for b in (64, 128, 256, 512) if k % b == 0])
    signs = program.argument([k], program.any_type()) if rng.random() < 0.5 else None

    def make(env):
        v = np.asarray(x.make(env))
        if signs is not None:
            v = v * np.asarray(signs.make(env))
        shape, half = v.shape, 1
        while half < block:
            v = v.reshape(-1, 2, half)
            v = np.stack([v[:, 0] + v[:, 1], v[:, 0] - v[:, 1]], axis=1)
            half *= 2
        return v.reshape(shape) * block ** -0.5
    bound = x.bound * (signs.bound if signs is not None else 1) * block ** 0.5
    result = Tensor(program.fresh("h"), x.shape, x.dtype, x.type, once(make), bound)
    clause = f" signs({signs.name} : {signs.type})" if signs is not None else ""
    program.lines.append(f"{result.name} = sparseflow.hadamard {x.name}{clause} "
                         f"block {block} : {x.type}")
    return result


def quantize(program, x):
    """8-bit activations and the scales of their tokens."""
    def both(env):
        # It reads what is stored, not the exact values.
        values = stored(np.asarray(x.make(env), np.float32), x.dtype)
        one = np.float32
        largest = np.maximum(one(1e-5), np.abs(values).max(-1, keepdims=True, initial=0))
        return (np.clip(np.rint(values * (one(127) / largest)), -127, 127)
                .astype(np.float64), (largest / one(127))[..., 0].astype(np.float64))
    both = once(both)
    q, s = program.fresh("q"), program.fresh("s")
    quantized = Tensor(q, x.shape, "i8", program.type(x.shape, "i8"),
                       lambda env: both(env)[0], 127.0)
    scale = Tensor(s, x.shape[:-1], "f32", program.type(x.shape[:-1], "f32"),
                   lambda env: both(env)[1], 1.0)
    program.lines.append(f"{q}, {s} = sparseflow.quantize {x.name} : {x.type} -> "
                         f"{quantized.type}, {scale.type}")
    return quantized, scale


def norm(program, x):
    """A root-mean-square or layer norm of the last axis, with a weight or without."""
    rng, shape, k = program.rng, x.shape, x.shape[-1]
    rank, centred = len(shape), rng.random() < 0.4
    weight = program.argument([k], program.any_type()) if rng.random() < 0.7 else None
    dims = ", ".join(f"d{d}" for d in range(rank))
    rows = ", ".join(f"d{d}" for d in range(rank - 1))
    whole, row, column = (f"affine_map<({dims}) -> ({to})>"
                          for to in (dims, rows, f"d{rank - 1}"))
    total_type = program.type(shape[:-1], "f32")
    zero, count, least = (program.fresh("c") for _ in range(3))
    program.lines += [f"{zero} = arith.constant 0.0 : f32",
                      f"{count} = arith.constant {float(max(k, 1))} : f32",
                      f"{least} = arith.constant 1.0e-5 : f32"]
    start, none = empty(program, shape[:-1], "f32", x), program.fresh("e")
    program.lines.append(f"{none} = linalg.fill ins({zero} : f32) outs({start} : "
                         f"{total_type}) -> {total_type}")
    parallel = ", ".join(['"parallel"'] * (rank - 1))
    wide = (lambda to, value, dtype: [f"  {to} = arith.extf {value} : {dtype} to f32"]
            if dtype != "f32" else [f"  {to} = arith.addf {value}, {zero} : f32"])

    def total(mean):
        """The sum of x, or of the squares of x less its mean."""
        name = program.fresh("t")
        means = f", {mean}" if mean else ""
        body = wide("%w", "%i0", x.dtype)
        term = "%w"
        if mean is not None:
            term = "%p"
            body += ([f"  %m = arith.divf %i1, {count} : f32",
                      "  %d = arith.subf %w, %m : f32"] if mean else
                     [f"  %d = arith.addf %w, {zero} : f32"])
            body.append("  %p = arith.mulf %d, %d : f32")
        program.lines += [
            f"{name} = linalg.generic {{indexing_maps = [{whole}, {f'{row}, ' if mean else ''}"
            f"{row}], iterator_types = [{parallel}{', ' if parallel else ''}\"reduction\"]}} "
            f"ins({x.name}{means} : {x.type}{f', {total_type}' if mean else ''}) "
            f"outs({none} : {total_type}) {{",
            f"^bb0(%i0: {x.dtype}{', %i1: f32' if mean else ''}, %o: f32):", *body,
            f"  %s = arith.addf %o, {term} : f32", "  linalg.yield %s : f32",
            f"}} -> {total_type}"]
        return name

    mean = total(None) if centred else ""
    squares = total(mean)

    def make(env):
        v = np.asarray(x.make(env))
        if centred:
            v = v - v.sum(-1, keepdims=True) / max(k, 1)
        v = v / np.sqrt((v * v).sum(-1, keepdims=True) / max(k, 1) + 1e-5)
        return v * np.asarray(weight.make(env)) if weight else v

    out = empty(program, shape, x.dtype, x)
    y = program.value("n", shape, x.dtype, once(make),
                      max(k, 1) ** 0.5 * (weight.bound if weight else 1))
    reads = [(x.name, x.type, whole, x.dtype), (squares, total_type, row, "f32")]
    body = wide("%w", "%i0", x.dtype)
    value = "%w"
    if centred:
        reads.append((mean, total_type, row, "f32"))
        body += [f"  %m = arith.divf %i2, {count} : f32", "  %d = arith.subf %w, %m : f32"]
        value = "%d"
    body += [f"  %v = arith.divf %i1, {count} : f32", f"  %safe = arith.addf %v, {least} : f32",
             "  %r = math.rsqrt %safe : f32", f"  %y = arith.mulf {value}, %r : f32"]
    value = "%y"
    if weight:
        body += wide("%g", f"%i{len(reads)}", weight.dtype)
        reads.append((weight.name, weight.type, column, weight.dtype))
        body.append("  %yg = arith.mulf %y, %g : f32")
        value = "%yg"
    if x.dtype != "f32":
        body.append(f"  %n = arith.truncf {value} : f32 to {x.dtype}")
        value = "%n"
    block = ", ".join(f"%i{i}: {dtype}" for i, (_, _, _, dtype) in enumerate(reads))
    program.lines += [
        f"{y.name} = linalg.generic {{indexing_maps = "
        f"[{', '.join(m for _, _, m, _ in reads)}, {whole}], iterator_types = "
        f"[{parallel}{', ' if parallel else ''}\"parallel\"]}} "
        f"ins({', '.join(n for n, _, _, _ in reads)} : {', '.join(t for _, t, _, _ in reads)}) "
        f"outs({out} : {y.type}) {{", f"^bb0({block}, %o: {x.dtype}):", *body,
        f"  linalg.yield {value} : {x.dtype}", f"}} -> {y.type}"]
    return y


def empty(program, shape, dtype, like):
    """tensor.empty of a shape whose dynamic sizes are those of `like`."""
    sizes = [program.dim(like, axis) for axis, size in enumerate(shape)
             if size in program.dynamic]
    name = program.fresh("e")
    program.lines.append(f"{name} = tensor.empty({', '.join(sizes)}) : "
                         f"{program.type(shape, dtype)}")
    return name


def generic(program, source, result=None, hoists=True, most=4):
    """linalg.generic: random arithmetic on a tensor and perhaps others."""
    rng, shape = program.rng, source.shape
    result = result or program.any_type()
    tensors, inputs = [source], [("%i0", source.dtype, False, source.bound)]
    maps = [list(range(len(shape)))]
    for _ in range(rng.choice([0, 1, 1, 2])):
        axes = rng.choice([list(range(len(shape))), [len(shape) - 1], []] +
                          ([list(range(len(shape) - 1))] if len(shape) > 1 else []))
        tensors.append(program.argument([shape[a] for a in axes], program.any_type()))
        maps.append(axes)
        inputs.append((f"%i{len(tensors) - 1}", tensors[-1].dtype, True, 5.0))
    region = program.region(inputs, hoists)
    last = region.finish(result, rng.randint(0, most))

    def make(env):
        values = {}
        for index, (tensor, axes) in enumerate(zip(tensors, maps)):
            array = np.asarray(tensor.make(env))
            values[f"%i{index}"] = array.reshape(
                [program.of(shape)[d] if d in axes else 1 for d in range(len(shape))])
        return np.broadcast_to(region.evaluate(values), program.of(shape))

    out = empty(program, shape, result, source)
    z = program.value("z", shape, result, once(make), min(region.result.bound, 1e4))
    dims = ", ".join(f"d{d}" for d in range(len(shape)))
    maps.append(list(range(len(shape))))
    texts = ", ".join(f"affine_map<({dims}) -> ({', '.join(f'd{a}' for a in axes)})>"
                      for axes in maps)
    kinds = ", ".join('"parallel"' for _ in shape)
    names = ", ".join(t.name for t in tensors)
    types = ", ".join(t.type for t in tensors)
    block = ", ".join([f"{name}: {dtype}" for name, dtype, _, _ in inputs] +
                      [f"%o: {result}"])
    program.lines += [
        *region.outside,
        f"{z.name} = linalg.generic {{indexing_maps = [{texts}], "
        f"iterator_types = [{kinds}]}} ins({names} : {types}) outs({out} : {z.type}) {{",
        f"^bb0({block}):", *("  " + line for line in region.lines),
        f"  linalg.yield {last} : {result}", f"}} -> {z.type}"]
    return z


def linalg_product(program, x, w):
    """linalg.matmul into f32, as front ends write it."""
    n, shape = w.shape[0], x.shape[:-1] + [w.shape[0]]
    # linalg knows no encodings: an option says which argument is sparse.
    if w.encoding:
        program.options += ["--sparse", f"{program.arguments.index(w)}=2:4"]
        w.type = program.type(w.shape, w.dtype)
    start = empty(program, shape, "f32", x)
    zero, fill = program.fresh("c"), program.fresh("e")
    y = program.value("p", shape, "f32", once(product(x, w)), 64.0)
    program.lines += [
        f"{zero} = arith.constant 0.0 : f32",
        f"{fill} = linalg.fill ins({zero} : f32) outs({start} : {y.type}) -> {y.type}",
        f"{y.name} = linalg.matmul indexing_maps = [affine_map<(t, n, k) -> (t, k)>, "
        "affine_map<(t, n, k) -> (n, k)>, affine_map<(t, n, k) -> (t, n)>] "
        f"ins({x.name}, {w.name} : {x.type}, {w.type}) outs({fill} : {y.type}) "
        f"-> {y.type}"]
    return y


def sizes(program, shape):
    """N and K of a matmul that is not too much work."""
    rng = program.rng
    tokens = max(1, int(np.prod(program.of(shape))))
    n, k = rng.choice(FEATURES), rng.choice(DEPTHS)
    if rng.random() < 0.1:
        k += 1
    if rng.random() < 0.01:
        k = 0
    while tokens * n * k > MOST_WORK:
        n, k = max(1, n // 2), k // 2 // 4 * 4
    return n, k


def single(program):
    shape, dtype = program.tokens(), program.float_type()
    n, k = sizes(program, shape)
    x = program.argument(shape + [k], dtype)
    w = weight(program, n, k, dtype)
    if len(shape) == 1 and k and "nm" in (w.encoding or "nm") and \
            program.rng.random() < 0.3:
        y = linalg_product(program, x, w)
        program.give(generic(program, y))
        return
    program.give(matmul(program, x, w))


def chain(program):
    """Two matmuls, perhaps with elementwise ops between, perhaps both returned."""
    rng, shape, dtype = program.rng, program.tokens(), program.float_type()
    n, k = sizes(program, shape)
    x = program.argument(shape + [k], dtype)
    y = matmul(program, x, weight(program, n, k, dtype),
               dtype if rng.random() < 0.6 else None)
    if y.dtype != dtype or rng.random() < 0.3:
        y = generic(program, y, dtype, most=2)
    if y.bound > 50:
        # Products of large numbers overflow the next result.
        y = clamp(program, y)
    n2 = rng.choice([f for f in FEATURES if f <= 128])
    z = matmul(program, y, weight(program, n2, n, dtype))
    program.give(*([y, z] if rng.random() < 0.25 else [z]))


def normed(program):
    """A norm whose rows a matmul reads, often as 8 bits, and perhaps the caller."""
    rng, shape, dtype = program.rng, program.tokens(), program.float_type()
    n, k = sizes(program, shape)
    if rng.random() < 0.15:
        n, k = min(n, 16), rng.choice([1536, 2560, 6912, 9216, 11008])
    # A norm of nothing is refused.
    x = program.argument(shape + [k or 4], dtype)
    y = norm(program, x)
    z = matmul(program, y, weight(program, n, k or 4, dtype), quantizes=0.8)
    program.give(*([y, z] if rng.random() < 0.15 else [z]))


def clamp(program, source, most=20.0):
    """min(max(source, -most), most) in the source's type."""
    region = program.region([("%i0", source.dtype, False, source.bound)])
    value = region.tame(region.wide(region.values[0]), most)
    region.result = region.narrow(value, source.dtype)
    out = empty(program, source.shape, source.dtype, source)
    z = program.value("z", source.shape, source.dtype, once(
        lambda env: region.evaluate({"%i0": np.asarray(source.make(env))})), most)
    dims = ", ".join(f"d{d}" for d in range(len(source.shape)))
    same = f"affine_map<({dims}) -> ({dims})>"
    kinds = ", ".join('"parallel"' for _ in source.shape)
    program.lines += [
        f"{z.name} = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types "
        f"= [{kinds}]}} ins({source.name} : {source.type}) outs({out} : {z.type}) {{",
        f"^bb0(%i0: {source.dtype}, %o: {source.dtype}):",
        *("  " + line for line in region.lines),
        f"  linalg.yield {region.result.name} : {source.dtype}", f"}} -> {z.type}"]
    return z


def gated(program):
    """One matmul's result is an operand of another's epilogue."""
    shape, dtype = program.tokens(), program.float_type()
    n, k = sizes(program, shape)
    x = program.argument(shape + [k], dtype)
    gate = matmul(program, x, weight(program, n, k, dtype), with_operands=False)
    program.give(matmul(program, x, weight(program, n, k, dtype), extra=[gate]))


def elementwise(program):
    shape = program.tokens() + [program.rng.choice(FEATURES)]
    value = program.argument(shape, program.any_type())
    for _ in range(program.rng.choice([1, 1, 2])):
        value = generic(program, value)
    program.give(value)
