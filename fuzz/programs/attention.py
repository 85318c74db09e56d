"""Programs of attention: layouts, masks, scores, ragged keys, pages."""

import numpy as np

from builder import once
from scalars import Region

FEATURES = (8, 16, 24, 32, 40, 64, 64, 72, 80, 96, 128)
LENGTHS = (1, 2, 3, 7, 16, 31, 33, 64, 65, 70, 100, 128, 130, 200)


def bounds(program, queries, keys, most=60_000):
    """Sizes of an attention of at most so many scores: the simulator computes each."""
    rng = program.rng
    while True:
        g = rng.choice([1, 1, 2, 3])
        h = g * rng.choice([1, 1, 2, 4, 5])
        b = rng.choice([1, 1, 2, 3])
        sq = 1 if rng.random() < 0.3 else rng.choice(queries)
        sk = rng.choice(keys)
        if b * h * sq * sk <= most:
            return b, h, g, sq, sk


def gathered(pages, table):
    """Rows [P, G, page, D] as a table [B, C] names their pages: [B, G, keys, D]."""
    count, g, page, d = pages.shape
    b, columns = table.shape
    if not count:
        return np.zeros((b, g, columns * page, d))
    return pages[table.astype(int)].transpose(0, 2, 1, 3, 4).reshape(
        b, g, columns * page, d)


def beside(out, lse, sinks):
    """(o, lse) where the softmax of each head has one more entry, of a logit of `sinks`."""
    sink = sinks[None, :, None]
    none = np.isneginf(lse)
    share = np.where(none, 0, 1 / (1 + np.exp(sink - np.where(none, 0, lse))))
    return out * share[..., None], np.logaddexp(lse, sink)


def attended(qs, ks, vs, valid, attributes, region, tensors, scale, first=0):
    """(o, lse) of arrays, heads first, in float64. `valid`: the keys of each entry;
    `tensors`: arrays that spread over the scores; `first`: the number of the first entry."""
    group = qs.shape[1] // ks.shape[1]
    ks, vs = np.repeat(ks, group, 1), np.repeat(vs, group, 1)
    b, _, sq, _ = qs.shape
    sk = ks.shape[2]
    scores = np.einsum("bhqd,bhkd->bhqk", qs, ks) * scale
    if region:
        at = np.indices(scores.shape).astype(np.float64)
        values = {"%s": scores, "%b": at[0] + first, "%h": at[1], "%i": at[2], "%j": at[3]}
        for index, (array, dims) in enumerate(tensors):
            values[f"%o{index}"] = array.reshape(
                [scores.shape["bhqk".index(d)] if d in dims else 1 for d in "bhqk"])
        scores = np.broadcast_to(region.evaluate(values), scores.shape)
    j, i = np.arange(sk)[None, None, :], np.arange(sq)[None, :, None]
    place = i + valid[:, None, None] - sq
    seen = np.broadcast_to(j < valid[:, None, None], (b, sq, sk)).copy()
    if attributes.get("causal"):
        seen &= j <= place
    if attributes.get("window"):
        seen &= (place - attributes["window"] < j) & (j < place + attributes["window"])
    scores = np.where(seen[:, None], scores, -np.inf)
    top = scores.max(-1, keepdims=True, initial=-np.inf)
    weights = np.where(scores == -np.inf, 0,
                       np.exp(scores - np.where(np.isfinite(top), top, 0)))
    total = weights.sum(-1, keepdims=True)
    weights = np.where(seen[:, None], weights, 0)
    out = np.where(total > 0, weights @ vs / np.where(total > 0, total, 1), 0)
    lse = np.where(total > 0, np.log(np.where(total > 0, total, 1)) +
                   np.where(np.isfinite(top), top, 0), -np.inf)[..., 0]
    return out, lse


def reference(q, k, v, attributes, lengths, region, tensors, layout, scale, table, packed,
              sinks):
    """(o, lse) in float64, heads first."""
    def make(env):
        order = (0, 2, 1, 3) if layout == "bshd" else (0, 1, 2, 3)
        qs, ks, vs = (np.transpose(np.asarray(t.make(env)), order) for t in (q, k, v))
        vs = vs[..., :attributes.get("value_features")]
        arrays = [(np.asarray(tensor.make(env)), dims) for tensor, dims in tensors]
        if packed:
            out, lse = np.zeros((*qs.shape[:3], vs.shape[3])), np.full(qs.shape[:3], -np.inf)
            rows, keys = (np.asarray(t.make(env)).astype(int) for t in packed)
            for n in range(len(rows) - 1):
                one, of = slice(rows[n], rows[n + 1]), slice(keys[n], keys[n + 1])
                out[:, :, one], lse[:, :, one] = attended(
                    qs[:, :, one], ks[:, :, of], vs[:, :, of],
                    np.array([keys[n + 1] - keys[n]]), attributes, region, [], scale, n)
            if sinks:
                out, lse = beside(out, lse, np.asarray(sinks.make(env)))
            return np.transpose(out, order), lse
        most = ks.shape[2]
        if table is not None:
            # Without pages no position holds a key.
            most = len(ks) and most * table.make(env).shape[1]
            ks, vs = (gathered(t, np.asarray(table.make(env))) for t in (ks, vs))
        valid = np.clip(np.asarray(lengths.make(env)), 0, most).astype(int) \
            if lengths else np.full(qs.shape[0], most)
        out, lse = attended(qs, ks, vs, valid, attributes, region, arrays, scale)
        if sinks:
            out, lse = beside(out, lse, np.asarray(sinks.make(env)))
        return np.transpose(out, order), lse
    return once(make)


def score(program, b, h, sq, sk, most=2):
    """A score region and its operands, at most so many; of no key where `sk` is None."""
    rng = program.rng
    tensors, inputs = [], [("%s", "f32", False, 20.0), ("%b", "i32", True, 4.0),
                           ("%h", "i32", True, 20.0), ("%i", "i32", True, 200.0),
                           ("%j", "i32", True, 200.0)]
    for index in range(min(most, rng.choice([0, 0, 1, 1, 2]))):
        dims = "".join(d for d in "bhqk" if rng.random() < 0.5)
        if sk is None:
            dims = dims.replace("k", "")
        shape = [{"b": b, "h": h, "q": sq, "k": sk}[d] for d in dims]
        tensor = program.argument(shape, program.any_type())
        tensors.append((tensor, dims))
        inputs.append((f"%o{index}", tensor.dtype, True, 5.0))
    region = Region(rng, inputs)
    # A slope of the distance, as ALiBi has it, from integer arithmetic.
    if rng.random() < 0.3:
        i, j = region.values[3], region.values[4]
        distance = region.emit("i32", f"arith.subi {j.name}, {i.name} : i32",
                               lambda env: env["%j"] - env["%i"], True, 200.0)
        slope = region.constant(rng.choice([0.125, -0.25, 0.0625]))
        region.values.append(region.binary("mulf", region.wide(distance), slope,
                                           np.multiply, 50.0, True))
    for _ in range(rng.choice([0, 1, 2, 3])):
        region.grow()
    last = region.wide(region.values[-1])
    if last is not region.values[0]:
        last = region.binary("addf", region.values[0], region.tame(last, 20.0), np.add, 40.0)
    region.result = region.tame(last, 40.0)
    return region, tensors, [(n, d) for n, d, _, _ in inputs]


def attend(program, q, k, v, b, h, sq, sk, layout, lengths=None, table=None,
           ternary=False, value_features=None, packed=None):
    """The op. `sk`: the keys, None where no number of the program's text; `value_features`: those
    of v that count, where not all do; `packed`: cumulative lengths of queries and keys."""
    rng, attributes, texts = program.rng, {}, []
    d, dv = program.of(q.shape)[3], value_features or program.of(v.shape)[3]
    if value_features:
        attributes["value_features"] = value_features
        texts.append(f"value_features = {value_features} : i64")
    if rng.random() < 0.4:
        attributes["causal"] = True
        texts.append("causal")
    if rng.random() < 0.25:
        attributes["window"] = rng.choice([1, 3, 16, 64, 100])
        texts.append(f"window = {attributes['window']} : i64")
    scale = float(np.float32(1 / np.sqrt(np.float32(d))))
    if rng.random() < 0.3:
        scale = float(np.float32(rng.choice([1.0, 0.5, -0.25, 0.1])))
        texts.append(f"scale = {scale:.9e} : f32")
    if layout == "bshd":
        texts.append("layout = #sparseflow.attention_layout<bshd>")
    if ternary and (attributes or lengths) and rng.random() < 0.3:
        texts.append(f"plane_mask = {rng.choice([32, 64])} : i64")
    region, tensors, inputs = None, [], []
    if rng.random() < 0.4:
        region, tensors, inputs = score(program, b, h, sq, sk, 0 if packed else 2)
    sinks = program.argument([h], "f32") if rng.random() < 0.2 else None
    both = reference(q, k, v, attributes, lengths, region, tensors, layout, scale, table,
                     packed, sinks)
    shape = [b, h, sq, dv] if layout == "bhsd" else [b, sq, h, dv]
    known = all(t.make for t in (q, k, v))
    o = program.value("o", shape, program.any_type(),
                      (lambda env: both(env)[0]) if known else None, 5.0)
    results = [o]
    if rng.random() < 0.35:
        results.append(program.value("l", [b, h, sq], "f32",
                                     (lambda env: both(env)[1]) if known else None))
    text = ", ".join(r.name for r in results)
    text += f" = sparseflow.attention {q.name}, {k.name}, {v.name}"
    if lengths:
        text += f" lengths({lengths.name} : {lengths.type})"
    if table:
        text += f" pages({table.name} : {table.type})"
    if packed:
        text += (f" cu_seqlens({', '.join(t.name for t in packed)} : "
                 f"{', '.join(t.type for t in packed)})")
    if sinks:
        text += f" sink_logits({sinks.name} : {sinks.type})"
    if tensors:
        text += (f" operands({', '.join(t.name for t, _ in tensors)} : "
                 f"{', '.join(t.type for t, _ in tensors)}) as ["
                 + ", ".join(f'"{dims}"' for _, dims in tensors) + "]")
    lines = [text]
    if region:
        lines[0] += " score {"
        lines += [f"^bb0({', '.join(f'{n}: {t}' for n, t in inputs)}):",
                  *("  " + line for line in region.lines),
                  f"  sparseflow.yield {region.result.name} : f32", "}"]
    lines[-1] += (f" {{{', '.join(texts)}}}" if texts else "") + \
        f" : {q.type}, {k.type}, {v.type} -> {', '.join(r.type for r in results)}"
    program.lines += lines
    program.give(*results)
    return results


def head_sizes(program, most=256):
    rng = program.rng
    d = min(most, rng.choice(FEATURES) + (1 if rng.random() < 0.05 else 0))
    return d, d if rng.random() < 0.7 else rng.choice(FEATURES)


def plain(program):
    rng = program.rng
    b, h, g, sq, sk = bounds(program, LENGTHS, LENGTHS)
    d, dv = head_sizes(program)
    b = program.size("B", b, rng.random() < 0.4)
    sq = program.size("S", sq, rng.random() < 0.5)
    sk = program.size("L", sk, rng.random() < 0.6)
    layout, dtype = rng.choice(["bhsd", "bshd"]), program.float_type()

    def tensor(heads, length, features):
        shape = [b, heads, length, features] if layout == "bhsd" else \
            [b, length, heads, features]
        return program.argument(shape, dtype)
    q, k, v = tensor(h, sq, d), tensor(g, sk, d), tensor(g, sk, dv)
    lengths = program.argument([b], "i32") if rng.random() < 0.3 else None
    attend(program, q, k, v, b, h, sq, sk, layout, lengths)
