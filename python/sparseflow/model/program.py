# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program of a model, as MLIR text: a few functions, each compiled once.

    embed    token ids to activations
    project  activations to queries, keys and values
    append   caches of numbers with new keys and values, which it rounds
    block    the rest of a layer: attention over the cache, and the feed-forward
    layer    both, with keys and values written into the caches in between
    head     activations to logits; of an encoder, to an embedding for each text
    next     logits to tokens, drawn or the likeliest, and the texts' lengths with them

A layer is `project`, a write of its keys and values into the layer's cache, and
`block`, or, where caches are updated in place, `layer`; every layer calls them with its own weights (docs/Rationale/Models.md). All of
them take any batch B and any number of tokens T, so prefill and decode are one program.
"""

from __future__ import annotations

import re
from typing import Dict, List, Mapping, Sequence, Tuple

from .function import ModelFunction
from .geometry import DISTANCES, ROTATION, Geometry

_MAPS = """#x = affine_map<(b, t, c) -> (b, t, c)>
#token = affine_map<(b, t, c) -> (b, t)>
#entry = affine_map<(b, t, c) -> (b)>
#feature = affine_map<(b, t, c) -> (c)>
#text = affine_map<(b, t, c) -> (b, c)>
#text_only = affine_map<(b) -> (b)>
#pair = affine_map<(b, c) -> (b, c)>
#first = affine_map<(b, c) -> (b)>
#heads = affine_map<(b, t, h, d) -> (b, t, h, d)>
#heads_token = affine_map<(b, t, h, d) -> (b, t, h)>
#heads_entry = affine_map<(b, t, h, d) -> (b)>
#heads_feature = affine_map<(b, t, h, d) -> (d)>
"""


def _embed(g: Geometry) -> str:
    f, specs = ModelFunction("embed", g), g.model_tensors()
    ids = f.argument("ids", "tensor<?x?xi32>")
    lengths = f.argument("lengths", "tensor<?xi32>") if g.places else ""
    table = f.weight("token_embd.weight", specs)
    places = "" if g.rotary else f.weight("position_embd.weight", specs)
    norm = [f.weight(name, specs) for name in specs if name.startswith("token_embd_norm")]
    f.tokens(ids, "tensor<?x?xi32>")
    data, d = f.tensor(g.hidden), g.dtype
    body = ("    %i = arith.index_cast %id : i32 to index\n"
            "    %c = linalg.index 2 : index\n"
            f"    %v = tensor.extract {table}[%i, %c] : "
            f"tensor<{g.vocabulary}x{g.hidden}x{d}>\n")
    inputs, maps = [(ids, "tensor<?x?xi32>")], ["#token"]
    block, last = "%id: i32", "%v"
    if g.embed_scale != 1:
        body += (f"    %unscaled = arith.extf %v : {d} to f32\n"
                 f"    %scale = arith.constant {g.embed_scale:.9e} : {d}\n"
                 f"    %scale32 = arith.extf %scale : {d} to f32\n"
                 "    %scaled32 = arith.mulf %unscaled, %scale32 : f32\n"
                 f"    %scaled = arith.truncf %scaled32 : f32 to {d}\n")
        last = "%scaled"
    if places:
        if lengths:
            inputs.append((lengths, "tensor<?xi32>"))
            maps.append("#entry")
            block += ", %length: i32"
            body += ("    %t = linalg.index 1 : index\n"
                     "    %keys = arith.index_cast %length : i32 to index\n"
                     "    %past = arith.subi %keys, %T : index\n"
                     "    %p = arith.addi %past, %t : index\n")
        else:
            body += "    %p = linalg.index 1 : index\n"
        body += (f"    %place = tensor.extract {places}[%p, %c] : "
                 f"tensor<{g.positions}x{g.hidden}x{d}>\n"
                 f"    %v32 = arith.extf {last} : {d} to f32\n"
                 f"    %p32 = arith.extf %place : {d} to f32\n"
                 "    %s = arith.addf %v32, %p32 : f32\n"
                 f"    %r = arith.truncf %s : f32 to {d}\n")
        last = "%r"
    y = f.generic([*maps, "#x"], False, inputs, (f.empty(data), data),
                  block + f", %o: {d}", body + f"    linalg.yield {last} : {d}")
    if norm:
        y = f.norm(y, [g.hidden], *norm)
    return f.text([(y, data)])


def _weights(f: ModelFunction, specs: Dict[str, Tuple[str, List[int]]],
             prefixes: Tuple[str, ...]) -> Dict[str, str]:
    """The weights of a layer whose names begin so, as arguments."""
    return {name: f.weight(name, specs) for name in specs if name.startswith(prefixes)}


# The matrices of queries, keys and values, one behind the other.
MERGED = "attn_qkv.weight"


def merged_tensors(g: Geometry) -> Dict[str, Tuple[str, List[int]]]:
    """A layer's tensors where the matrices of queries, keys and values are one."""
    tensors = g.layer_tensors()
    names = [f"attn_{name}" for name in "qkv"]
    rows = (g.heads + 2 * g.kv_heads) * g.head_dim
    result = {MERGED: (g.dtype, [rows, g.hidden])}
    if any(f"{name}.bias" in tensors for name in names):
        result["attn_qkv.bias"] = ("f32", [rows])
    removed = {f"{name}.{kind}" for name in names for kind in ("weight", "bias")}
    result.update({name: spec for name, spec in tensors.items() if name not in removed})
    return result


# What the two halves of a layer take.
_PROJECT = ("attn_norm.", "attn_q", "attn_k", "attn_v")
_BLOCK = ("attn_sub_norm.", "attn_output", "ffn_", "layer_output_norm.",
          DISTANCES)


def _heads(f: ModelFunction, x: str, lengths: str, weights: Dict[str, str],
           tables: List[str]) -> Tuple[str, List[str]]:
    """What the matrices of queries, keys and values read, and these three."""
    g = f.g
    h = x if g.encoder else f.norm(x, [g.hidden], weights["attn_norm.weight"],
                                   weights.get("attn_norm.bias", ""))
    results = []
    parts = (("q", g.heads), ("k", g.kv_heads), ("v", g.kv_heads))
    whole, total, first = "", sum(heads for _, heads in parts), 0
    if MERGED in weights:
        whole = f.split_heads(
            f.matmul(h, g.hidden, weights[MERGED], total * g.head_dim,
                     weights.get("attn_qkv.bias", "")), total)
    # All matrices first: what is behind them shares a launch.
    split = []
    for name, heads in parts:
        if whole:
            y = f.value()
            f.emit(f"  {y} = tensor.extract_slice {whole}[0, 0, {first}, 0] "
                   f"[%B, %T, {heads}, {g.head_dim}] [1, 1, 1, 1]\n      : "
                   f"{f.tensor(total, g.head_dim)} to {f.tensor(heads, g.head_dim)}")
            first += heads
        else:
            flat = f.matmul(h, g.hidden, weights[f"attn_{name}.weight"],
                            heads * g.head_dim, weights.get(f"attn_{name}.bias", ""))
            y = f.split_heads(flat, heads)
        split.append(y)
    for (name, heads), y in zip(parts, split):
        if f"attn_{name}_norm.weight" in weights:
            y = f.norm(y, [heads, g.head_dim], weights[f"attn_{name}_norm.weight"],
                       kind="rms")
        if g.rotary and name != "v":
            y = f.rotate(y, heads, lengths, *tables)
        results.append(y)
    return h, results


def _project(g: Geometry, probe: bool, encodings: Mapping[str, str]) -> str:
    f, specs = ModelFunction("project", g, encodings), g.layer_tensors()
    x = f.argument("x", f.tensor(g.hidden))
    lengths = f.argument("lengths", "tensor<?xi32>") if g.rotary else ""
    weights = _weights(f, specs, _PROJECT)
    tables = [f.weight(name, g.rotary_tables()) for name in g.rotary_tables()]
    f.tokens(x, f.tensor(g.hidden))
    h, heads = _heads(f, x, lengths, weights, tables)
    kinds = [f.tensor(count, g.head_dim) for count in (g.heads, g.kv_heads, g.kv_heads)]
    return f.text(list(zip(heads, kinds)) + [(h, f.tensor(g.hidden))] * probe)


def _rest(f: ModelFunction, x: str, q: str, k: str, v: str, lengths: str,
          weights: Dict[str, str]) -> Tuple[str, List[Tuple[str, str]]]:
    """A layer behind its queries, of spread, keys and values: its result, and what the
    matrices attn_output, ffn_gate and ffn_up, and ffn_down read."""
    g = f.g
    queries = f.tensor(g.heads, g.head_dim)
    o = f.attention(q, k, v, lengths, weights.get(DISTANCES, ""))
    flat = f.value()
    f.emit(f"  {flat} = tensor.collapse_shape {o} [[0], [1], [2, 3]]\n      : {queries} "
           f"into {f.tensor(g.heads * g.head_dim)}")
    if g.has("attn_sub_norm.weight"):
        flat = f.norm(flat, [g.heads * g.head_dim], weights["attn_sub_norm.weight"],
                      kind="rms")
    y = f.matmul(flat, g.heads * g.head_dim, weights["attn_output.weight"], g.hidden,
                 weights.get("attn_output.bias", ""), residual=x)
    name = "attn_output_norm" if g.encoder else "ffn_norm"
    h = read = f.norm(y, [g.hidden], weights[f"{name}.weight"],
                      weights.get(f"{name}.bias", ""))
    if g.encoder:
        y = h
    up_bias = weights.get("ffn_up.bias", "")
    if g.gated:
        up = f.matmul(h, g.hidden, weights["ffn_up.weight"], g.inner, up_bias)
        h = f.matmul(h, g.hidden, weights["ffn_gate.weight"], g.inner,
                     weights.get("ffn_gate.bias", ""), g.activation, gate=up)
    else:
        h = f.matmul(h, g.hidden, weights["ffn_up.weight"], g.inner, up_bias,
                     g.activation)
    if g.has("ffn_sub_norm.weight"):
        h = f.norm(h, [g.inner], weights["ffn_sub_norm.weight"], kind="rms")
    if g.rotated:
        h = f.hadamard(h, g.inner, weights[ROTATION], g.rotated)
    y = f.matmul(h, g.inner, weights["ffn_down.weight"], g.hidden,
                 weights.get("ffn_down.bias", ""), residual=y)
    if g.encoder:
        y = f.norm(y, [g.hidden], weights["layer_output_norm.weight"],
                   weights.get("layer_output_norm.bias", ""))
    return y, [(flat, f.tensor(g.heads * g.head_dim)), (read, f.tensor(g.hidden)),
               (h, f.tensor(g.inner))]


def _block(g: Geometry, probe: bool, encodings: Mapping[str, str]) -> str:
    f = ModelFunction("block", g, encodings)
    x = f.argument("x", f.tensor(g.hidden))
    q = f.argument("q", f.tensor(g.heads, g.head_dim))
    k, v = (f.argument(name, f.cache(part))
            for name, part in (("keys", "key"), ("values", "value")))
    lengths = f.argument("lengths", "tensor<?xi32>")
    weights = _weights(f, {**g.layer_tensors(), **g.model_tensors()}, _BLOCK)
    f.tokens(x, f.tensor(g.hidden))
    q = f.spread(f.for_cache(q, g.heads), g.heads)
    y, read = _rest(f, x, q, k, v, lengths, weights)
    return f.text([(y, f.tensor(g.hidden))] + read * probe)


def _append(g: Geometry) -> str:
    """The caches of a layer with new tokens, which `lengths` counts already."""
    f = ModelFunction("append", g)
    kinds = [f.cache(part) for part in ("key", "value")]
    caches = [f.argument(*each) for each in zip(("keys", "values"), kinds)]
    tokens = f.tensor(g.kv_heads, g.head_dim)
    new = [f.argument(name, tokens) for name in ("k", "v")]
    lengths = f.argument("lengths", "tensor<?xi32>")
    f.tokens(new[0], tokens)
    past = f.past(lengths)
    k, v = (f.for_cache(x, g.kv_heads) for x in new)
    k = f.spread(k, g.kv_heads)
    grown = [f.append(*each, past) for each in zip(("key", "value"), caches, (k, v))]
    return f.text(list(zip(grown, kinds)))


def layer_entry(number: int) -> str:
    """The function of the layers whose matrices have the `number`-th formats."""
    return f"layer_{number}" if number else "layer"


def _layer(g: Geometry, number: int, encodings: Mapping[str, str]) -> str:
    """project, the write of keys and values into the caches, and block."""
    f = ModelFunction(layer_entry(number), g, encodings)
    x = f.argument("x", f.tensor(g.hidden))
    kinds = [f.cache(part) for part in ("key", "value")]
    caches = [f.argument(*each) for each in zip(("keys", "values"), kinds)]
    lengths = f.argument("lengths", "tensor<?xi32>")
    specs = merged_tensors(g) if MERGED in encodings else g.layer_tensors()
    weights = _weights(f, specs, _PROJECT + _BLOCK)
    tables = [f.weight(name, g.rotary_tables()) for name in g.rotary_tables()]
    f.tokens(x, f.tensor(g.hidden))
    _, (q, k, v) = _heads(f, x, lengths, weights, tables)
    past = f.past(lengths)
    # Before the appends: they share a launch, and so do the two behind them.
    q, k, v = (f.for_cache(y, count)
               for y, count in ((q, g.heads), (k, g.kv_heads), (v, g.kv_heads)))
    q, k = f.spread(q, g.heads), f.spread(k, g.kv_heads)
    grown = [f.append(*each, past) for each in zip(("key", "value"), caches, (k, v))]
    y, _ = _rest(f, x, q, *grown, lengths, weights)
    return f.text([(y, f.tensor(g.hidden)), *zip(grown, kinds)])


# The sum of a text's tokens, or of the first of them alone, or the largest of each feature, over
# its root of squares: of length 1, as their mean then is.
_POOL = """  %c0 = arith.constant 0 : index
  %B = tensor.dim %x, %c0 : {data}
  %zero = arith.constant 0.0 : f32
  %none = arith.constant {none} : f32
  %e0 = tensor.empty(%B) : tensor<?x{size}xf32>
  %z0 = linalg.fill ins(%none : f32) outs(%e0 : tensor<?x{size}xf32>)
      -> tensor<?x{size}xf32>
  %sums = linalg.generic {{indexing_maps = [#x, #entry, #text],
      iterator_types = ["parallel", "reduction", "parallel"]}}
      ins(%x, %lengths : {data}, tensor<?xi32>) outs(%z0 : tensor<?x{size}xf32>) {{
  ^bb0(%in: {d}, %length: i32, %sum: f32):
    %t = linalg.index 1 : index
    %tokens = {tokens}
    %inside = arith.cmpi slt, %t, %tokens : index
    %v = arith.extf %in : {d} to f32
    %kept = arith.select %inside, %v, %none : f32
    %s = arith.{joined} %sum, %kept : f32
    linalg.yield %s : f32
  }} -> tensor<?x{size}xf32>
  %e1 = tensor.empty(%B) : tensor<?xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %squares = linalg.generic {{indexing_maps = [#pair, #first],
      iterator_types = ["parallel", "reduction"]}}
      ins(%sums : tensor<?x{size}xf32>) outs(%z1 : tensor<?xf32>) {{
  ^bb0(%in: f32, %sum: f32):
    %square = arith.mulf %in, %in : f32
    %s = arith.addf %sum, %square : f32
    linalg.yield %s : f32
  }} -> tensor<?xf32>
  %y = linalg.generic {{indexing_maps = [#pair, #first, #pair],
      iterator_types = ["parallel", "parallel"]}}
      ins(%sums, %squares : tensor<?x{size}xf32>, tensor<?xf32>)
      outs(%e0 : tensor<?x{size}xf32>) {{
  ^bb0(%in: f32, %square: f32, %o: f32):
    %r = math.rsqrt %square : f32
    %n = arith.mulf %in, %r : f32
    linalg.yield %n : f32
  }} -> tensor<?x{size}xf32>"""


# By pooling: the tokens that count, what is there without one, and how two are joined.
_LENGTH = "arith.index_cast %length : i32 to index"
_POOLINGS = {"mean": (_LENGTH, "0.0", "addf"), "first": ("arith.constant 1 : index", "0.0", "addf"),
             "max": (_LENGTH, "0xFF800000", "maximumf")}
HEAD = "output.weight"


def _head(g: Geometry, encoding: str) -> str:
    f, specs = ModelFunction("head", g, {HEAD: encoding}), g.model_tensors()
    x = f.argument("x", f.tensor(g.hidden))
    if g.encoder:
        f.argument("lengths", "tensor<?xi32>")
        tokens, none, joined = _POOLINGS[g.pooling]
        f.emit(_POOL.format(data=f.tensor(g.hidden), size=g.hidden, d=g.dtype, tokens=tokens,
                            none=none, joined=joined))
        return f.text([("%y", f"tensor<?x{g.hidden}xf32>")])
    norm = {name: f.weight(name, specs) for name in specs
            if name.startswith("output_norm.")}
    weight = f.weight("token_embd.weight" if g.tied else HEAD, specs)
    f.tokens(x, f.tensor(g.hidden))
    h = f.norm(x, [g.hidden], norm["output_norm.weight"],
               norm.get("output_norm.bias", ""))
    y = f.matmul(h, g.hidden, weight, g.vocabulary, dtype="f32")
    return f.text([(y, f.tensor(g.vocabulary, dtype="f32"))])


# The tokens, and the lengths with them.
_NEXT = """  %c0 = arith.constant 0 : index
  %B = tensor.dim %logits, %c0 : {logits}
  %rows = tensor.collapse_shape %logits [[0, 1], [2]] : {logits} into {rows}
  %drawn = sparseflow.sample %rows temperature(%temperature) top_k(%top_k)
      top_p(%top_p) seed(%seeds) position(%lengths) : {rows}
  %ids = tensor.expand_shape %drawn [[0, 1]] output_shape [%B, 1]
      : tensor<?xi32> into tensor<?x1xi32>
  %empty = tensor.empty(%B) : tensor<?xi32>
  %after = linalg.generic {{indexing_maps = [#text_only, #text_only],
      iterator_types = ["parallel"]}} ins(%lengths : tensor<?xi32>)
      outs(%empty : tensor<?xi32>) {{
  ^bb0(%length: i32, %o: i32):
    %one = arith.constant 1 : i32
    %more = arith.addi %length, %one : i32
    linalg.yield %more : i32
  }} -> tensor<?xi32>"""


def _next(g: Geometry) -> str:
    """The next tokens of texts, drawn from logits [B, 1, V], and their lengths with
    these."""
    f = ModelFunction("next", g)
    logits = f"tensor<?x1x{g.vocabulary}xf32>"
    f.argument("logits", logits)
    for name, dtype in (("lengths", "i32"), ("temperature", "f32"), ("top_k", "i32"),
                        ("top_p", "f32"), ("seeds", "i64")):
        f.argument(name, f"tensor<?x{dtype}>")
    f.emit(_NEXT.format(logits=logits, rows=f"tensor<?x{g.vocabulary}xf32>"))
    return f.text([("%ids", "tensor<?x1xi32>"), ("%after", "tensor<?xi32>")])


def without_layers(text: str) -> str:
    """A program without the functions that update caches in place, which the CPU does not
    call: compiling them is two fifths of what a program takes there. Lines keep their
    numbers."""
    return re.sub(r"(?ms)^func\.func @layer(_\d+)?\(.*?^}$",
                  lambda found: "\n" * found[0].count("\n"), text)


def build_program(geometry: Geometry, probe: bool = False,
                  formats: Sequence[Mapping[str, str]] = ({},), head: str = "") -> str:
    """The MLIR text of a model with this geometry.

    `formats`: for each kind of layer the encodings of its packed matrices, by name;
    layer_entry(i) is the function of the i-th kind, and project and block are of the
    first. Where they name MERGED, the layer has one matrix of queries, keys and values.
    `head`: the encoding of a head that is apart from the embedding.

    With `probe`, project and block also return what their matrices read: project the
    inputs of attn_q, attn_k and attn_v; block those of attn_output, of ffn_gate and
    ffn_up, and of ffn_down.
    """
    kind = "encoder" if geometry.encoder else "decoder"
    return "\n".join([f"// A {geometry.family} {kind}: {geometry.layers} layers call "
                      "project and block with weights of their own.\n" + _MAPS,
                      _embed(geometry), _project(geometry, probe, formats[0]),
                      *([_append(geometry)] if geometry.cached else []),
                      _block(geometry, probe, formats[0]),
                      *([] if geometry.encoder else
                        [_layer(geometry, number, encodings)
                         for number, encodings in enumerate(formats)]),
                      _head(geometry, head),
                      *([] if geometry.encoder else [_next(geometry)])])
