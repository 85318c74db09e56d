# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Caches in a traced graph: operators that say where they are written and read.

A write of consecutive positions becomes torch.ops.sparseflow.written, attention whose mask
is causal behind a number of positions torch.ops.sparseflow.attention_behind. Both decompose
into torch's operators where no program takes them.
"""

import operator

import torch
from torch import fx
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch.nn import functional as F

from . import indices
from .ops import library

_aten = torch.ops.aten

library.define("sdpa(Tensor q, Tensor k, Tensor v, Tensor? mask, float dropout, bool causal, "
               "float? scale, bool gqa) -> Tensor", tags=(torch.Tag.needs_exact_strides,))
library.define("written(Tensor cache, int dim, Tensor tokens, Tensor taken, int base)"
               " -> Tensor")
# Query i of Q of entry b sees the keys up to lengths[b] - Q + i, without lengths up to S - Q + i;
# of these the last `window`, 0 for all. `inside`: no length is more than S.
library.define("attention_behind(Tensor q, Tensor k, Tensor v, Tensor? lengths, float? scale, "
               "bool gqa, int window=0, bool inside=False) -> Tensor")


def _sdpa(q, k, v, mask, dropout, causal, scale, gqa):
    return F.scaled_dot_product_attention(q, k, v, mask, dropout, causal, scale=scale,
                                          enable_gqa=gqa)


def _places(count, taken, base):
    return torch.arange(count, device=taken.device) + taken.reshape(()) + base


def _written(cache, dim, tokens, taken, base):
    return torch.index_copy(cache, dim, _places(tokens.shape[dim], taken, base), tokens)


def _attention_behind(q, k, v, lengths, scale, gqa, window=0, inside=False):
    keys, queries = (torch.arange(t.shape[2], device=q.device) for t in (k, q))
    behind = k.shape[2] if lengths is None else lengths[:, None, None, None]
    last = behind - q.shape[2] + queries[:, None]
    mask = keys <= last
    if window:
        mask &= keys > last - window
    return _sdpa(q, k, v, mask, 0.0, False, scale, gqa)


# Traced as one operator, so that what it is does not depend on the device.
library.impl("sdpa", _sdpa, "CompositeExplicitAutograd")
torch.library.register_fake("sparseflow::sdpa", _sdpa, lib=library)
library.impl("written", _written, "CompositeImplicitAutograd")
library.impl("attention_behind", _attention_behind, "CompositeImplicitAutograd")

sdpa = torch.ops.sparseflow.sdpa.default
written = torch.ops.sparseflow.written.default
attention_behind = torch.ops.sparseflow.attention_behind.default


class Keeper(fx.Interpreter):
    """Runs a graph of torch.compile with attention as `sdpa`."""

    def call_function(self, target, args, kwargs):
        if target is F.scaled_dot_product_attention:
            target = self._attention
        return super().call_function(target, args, kwargs)

    @staticmethod
    def _attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False,
                   scale=None, enable_gqa=False):
        return sdpa(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)


def restore(graph):
    """Makes torch's attention of the `sdpa` that no program has taken."""
    for node in graph.graph.find_nodes(op="call_function", target=sdpa):
        *given, scale, gqa = node.args
        node.target = _aten.scaled_dot_product_attention.default
        node.args, node.kwargs = tuple(given), {"scale": scale, "enable_gqa": gqa}


def _final_copies(graph):
    """{input: (value, node)}, in order, of the writes of a functional graph to its inputs,
    which stand behind all that reads these; None where it writes otherwise."""
    found, behind = {}, set()
    for node in reversed(graph.graph.nodes):
        schema = getattr(node.target, "_schema", None)
        if node.op == "call_function" and schema is not None and schema.is_mutable:
            if node.target is not _aten.copy_.default or node.users or \
                    node.args[0].op != "placeholder" or node.args[0] in behind:
                return None
            found[node.args[0]] = (node.args[1], node)
        if node.op != "output":
            behind.update(node.all_input_nodes)
    return dict(reversed(found.items()))


def writes(graph):
    """True where a traced graph writes to a tensor otherwise than to its inputs, in the end."""
    return _final_copies(graph) is None


def detach_copies(graph):
    """Takes the final writes out of a graph, which then returns what they write, too:
    {input: value}."""
    found = _final_copies(graph)
    output = graph.graph.output_node()
    output.args = ((*output.args[0], *(value for value, _ in found.values())),)
    for _, node in found.values():
        graph.graph.erase_node(node)
    return {cache: value for cache, (value, _) in found.items()}


def attach_copies(graph, caches):
    """Puts them back, but for what is returned as the input itself: it has been written."""
    output = graph.graph.output_node()
    returned = output.args[0]
    count = len(returned) - len(caches)
    by_name = {node.name: node for node in graph.graph.nodes}
    with graph.graph.inserting_before(output):
        for cache, value in zip(caches, returned[count:]):
            if value.name != cache.name:
                graph.graph.call_function(_aten.copy_.default, (by_name[cache.name], value))
    output.args = (returned[:count],)


def find(graph):
    """Puts `written` and `attention_behind` where a traced graph has what they are."""
    lengths = {}
    for node in list(graph.graph.nodes):
        if node.op != "call_function":
            continue
        if node.target is _aten.index_copy.default:
            _find_write(graph, node)
        elif node.target is sdpa and node.args[3] is not None and \
                not node.args[4] and not node.args[5]:
            _find_mask(graph, node, lengths)
    graph.graph.eliminate_dead_code()


def _exchange(graph, node, target, args):
    with graph.graph.inserting_before(node):
        new = graph.graph.call_function(target, args)
    new.meta = dict(node.meta)
    node.replace_all_uses_with(new)
    graph.graph.erase_node(node)


def _lengths(graph, taken, count, batch):
    """A node of i32 [batch]: the element of `taken`, and a number; one for all layers."""
    def after(source, target, *args, **named):
        with graph.graph.inserting_after(source):
            node = graph.graph.call_function(target, (source, *args), named)
        node.meta["val"] = target(source.meta["val"], *args, **named)
        return node
    # In front of all that may read it.
    node = after(taken, _aten.reshape.default, [1])
    node = after(node, _aten.add.Tensor, count)
    node = after(node, _aten._to_copy.default, dtype=torch.int32)
    node = after(node, _aten.expand.default, [batch])
    return after(node, _aten.clone.default)


def _full(graph, node, taken, count, batch):
    """A node of i32 [batch] in front of `node`: a number of the host, or of the graph."""
    like = node.args[0].meta["val"]
    with graph.graph.inserting_before(node):
        value, number = count, count
        if taken is not None:
            number = graph.graph.call_function(operator.add, (taken, count))
            value = number.meta["val"] = taken.meta["val"] + count
        made = graph.graph.call_function(_aten.full.default, ([batch], number), {
            "dtype": torch.int32, "device": like.device, "pin_memory": False})
    made.meta["val"] = like.new_full((batch,), value, dtype=torch.int32)
    return made


def _find_write(graph, node):
    cache, dim, index, tokens = node.args
    places = indices.count(index)
    if places and places.taken is not None and len(places.steps) == 1 and \
            places.steps[0] == (0 if index.meta["val"].shape == (1,) else 1):
        dim %= cache.meta["val"].dim()
        _exchange(graph, node, written, (cache, dim, tokens, places.taken, places.base))


def _find_mask(graph, node, lengths):
    q, k, v, mask, _, _, scale, gqa = node.args
    queries, keys = mask.meta["val"].shape[-2:]
    found = indices.mask(mask)
    # A mask of one key or query is for all of them.
    if not found or keys != k.meta["val"].shape[2] or queries != q.meta["val"].shape[2]:
        return
    taken, window, more = found.taken, found.window, found.base + queries
    # The keys that the last query sees end there.
    end = more if taken is None else taken.meta["val"] + more
    if isinstance(end, torch.Tensor):
        inside = _ends_at(k, taken, more) and _ends_at(v, taken, more)
        whole = False
    else:
        inside, whole = statically_known_true(end <= keys), statically_known_true(end == keys)
    if inside and statically_known_true(keys <= window):
        window = 0
    if whole and not window and (queries == keys or queries == 1):
        _exchange(graph, node, sdpa, (q, k, v, None, 0.0, queries != 1, scale, gqa))
        return
    behind = None
    if not whole:
        if not isinstance(queries, int):
            return
        size = (taken, more, q.meta["val"].shape[0])
        if size not in lengths:
            lengths[size] = _lengths(graph, *size) if isinstance(end, torch.Tensor) else \
                _full(graph, node, *size)
        behind = lengths[size]
    _exchange(graph, node, attention_behind, (q, k, v, behind, scale, gqa, window, inside))


def _ends_at(node, taken, end):
    """True where keys or values are a cache whose last new position is `taken` + end - 1: a
    write behind a cache is an error, so that they hold so many."""
    while getattr(node.target, "overloadpacket", None) in indices.MOVES:
        node = node.args[0]
    if node.target is not written:
        return False
    _, dim, tokens, written_behind, base = node.args
    return written_behind is taken and base + tokens.meta["val"].shape[dim] == end
