# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of a manifest's reference graph, in NumPy (docs/formats/bundle.md)."""

from itertools import product

import numpy as np

from ..dtypes import round_to
from ..errors import Error


def visible(step, queries, keys, length):
    """Which keys each query may attend to: bool [queries, keys]."""
    length = keys if length is None else int(np.clip(length, 0, keys))
    position = np.arange(queries)[:, None] + length - queries
    key = np.arange(keys)
    mask = np.broadcast_to(key < length, (queries, keys))
    if step.get("causal"):
        mask = mask & (key <= position)
    if step.get("window"):
        mask = mask & (abs(key - position) < step["window"])
    return mask


def _scores(graph, step, q, k, entry, dtype):
    """Scores of one head, [queries, keys]."""
    scores = (q @ k.T) * graph.scalar(step["scale"])
    if "region" not in step:
        return scores
    queries, keys = scores.shape
    index = (*entry, np.arange(queries)[:, None], np.arange(keys))
    inputs = [scores, *(np.broadcast_to(np.asarray(i, graph.scalar), scores.shape)
                        for i in index)]
    inputs += [np.broadcast_to(graph.values[o["value"]][tuple(index[d] for d in o["dims"])],
                               scores.shape) for o in step.get("operands", [])]
    return graph.region(step["region"], inputs, dtype)


def _gathered(pages, table, lengths):
    """Pages [P, G, page, D] as `table` [B, C] names them: [B, G, C * page, D]."""
    count, groups, page, width = pages.shape
    columns = table.shape[1]
    # Without pages no position holds a key.
    used = np.full(len(table), columns * page if count else 0)
    if lengths is not None:
        used = np.clip(lengths, 0, used).astype(int)
    out = np.zeros((len(table), groups, columns * page, width), pages.dtype)
    for b, length in enumerate(used):
        numbers = table[b, :-(-length // page)].astype(int)
        if ((numbers < 0) | (numbers >= count)).any():
            raise Error(f"the page table: expected numbers from 0 to {count - 1} "
                        f"for the {length} keys of batch entry {b}, found {numbers}")
        rows = pages[numbers].transpose(1, 0, 2, 3).reshape(
            groups, len(numbers) * page, width)
        out[b, :, :length] = rows[:, :length]
    return out


def _sequences(graph, step, queries, keys):
    """The entry of the keys, the rows and the keys, slices, of each sequence of those that
    follow one another."""
    bounds = []
    for name, rows in (("cu_seqlens_q", queries), ("cu_seqlens_k", keys)):
        if name not in step:
            continue
        offsets = graph.values[step[name]].astype(int)
        if offsets[0] or (np.diff(offsets) < 0).any() or offsets[-1] > rows:
            raise Error(f"the cumulative lengths {name}: expected numbers from 0 to {rows} "
                        f"that begin with 0 and never decrease, found {offsets}")
        bounds.append([slice(a, b) for a, b in zip(offsets, offsets[1:])])
    if len(bounds) == 1:
        return [(n, part, slice(None)) for n, part in enumerate(bounds[0])]
    return [(0, *parts) for parts in zip(*bounds)]


def _with_sink(graph, step, head, out, lse):
    """Results and log-sum-exps of rows of a head, whose softmax may have one more entry."""
    if "sink_logits" not in step:
        return out, lse
    sink = graph.values[step["sink_logits"]][head]
    # Nothing can be subtracted from the log-sum-exp of no key.
    above = np.where(np.isneginf(lse), np.inf, sink - np.where(np.isneginf(lse), 0, lse))
    with np.errstate(over="ignore"):
        return out / (1 + np.exp(above))[:, None], np.logaddexp(lse, sink)


def _rows(graph, step, q, k, v, entry, length, dtype):
    """Results and log-sum-exps of a head's queries `q` over all keys that belong to them."""
    mask = visible(step, len(q), len(k), length)
    scores = np.where(mask, _scores(graph, step, q, k, entry, dtype), -np.inf)
    # A NaN score is none of the maximum, and makes its row NaN.
    most = np.fmax.reduce(scores, axis=-1, keepdims=True, initial=-np.inf)
    rows = mask.any(axis=-1) & ~(np.isneginf(scores).all(axis=-1))
    weights = np.where(mask, np.exp(scores - most), 0)
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / total
    if not graph.exact:
        weights = round_to(weights, dtype)
    # Keys that are not attended to have no part, whatever their values are.
    values = np.where(mask.any(axis=0)[:, None], v, 0)
    products = weights @ values
    if not np.isfinite(values).all():
        products = np.stack([w[m] @ values[m] for w, m in zip(weights, mask)])
    return (np.where(rows[:, None], products, 0),
            np.where(rows, (most + np.log(total))[:, 0], -np.inf))


def attention(graph, step):
    """The results and their log-sum-exps, both of which are `graph.scalar`."""
    q, k, v = (graph.values[step[name]] for name in "qkv")
    v = v[..., :step.get("value_features")]
    dtype = graph.types[step["q"]]
    swapped = step.get("layout") == "bshd"
    if swapped:
        q, k, v = (x.transpose(0, 2, 1, 3) for x in (q, k, v))
    if "pages" in step:
        table, lengths = (graph.values[step[name]] if name in step else None
                          for name in ("pages", "lengths"))
        k, v = (_gathered(x, table, lengths) for x in (k, v))
    batch, heads, queries = q.shape[:3]
    groups, keys = k.shape[1:3]
    # Packed queries have an entry of keys, with a length, for each sequence.
    cached = "cu_seqlens_q" in step and "cu_seqlens_k" not in step
    entries = len(graph.values[step["cu_seqlens_q"]]) - 1 if cached else batch
    if k.shape != (entries, groups, keys, q.shape[3]) or v.shape[:3] != k.shape[:3] or \
            groups == 0 or heads % groups:
        raise Error(f"attention of q {q.shape}, k {k.shape}, v {v.shape}: the sizes "
                    "do not fit one another")
    lengths = graph.values[step["lengths"]] if "lengths" in step else [None] * entries
    if "pages" in step and not graph.values[step["k"]].shape[0]:
        lengths = [0] * entries
    out = np.zeros((batch, heads, queries, v.shape[3]), graph.scalar)
    lse = np.full((batch, heads, queries), -np.inf, graph.scalar)
    if "sink_logits" in step:
        lse[:] = graph.values[step["sink_logits"]][None, :, None]
    # Queries and keys that belong together: all of an entry, or those of a sequence.
    whole = slice(None)
    parts = [(b, b, b, whole, whole, lengths[b]) for b in range(batch)]
    if "cu_seqlens_q" in step:
        parts = [(0, entry, n, rows, columns, lengths[n] if cached else None)
                 for n, (entry, rows, columns) in
                 enumerate(_sequences(graph, step, queries, keys))]
    for (b, entry, number, rows, columns, length), h in product(parts, range(heads)):
        g = h * groups // heads
        out[b, h, rows], lse[b, h, rows] = _with_sink(graph, step, h, *_rows(
            graph, step, q[b, h, rows], k[entry, g, columns], v[entry, g, columns],
            (number, h), length, dtype))
    return out.transpose(0, 2, 1, 3) if swapped else out, lse
