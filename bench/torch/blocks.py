#!/usr/bin/env python3
# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformer blocks in PyTorch: dense, converted, and with torch's own 2:4 weights.

usage: blocks.py RESULTS [--tokens 64,512,16,1] [--layers 2] [--budget SECONDS] [--small]
       blocks.py --bundles FOLDER --target sm_90a

Blocks of random weights in the sizes of Llama 3 8B (hidden size 4096, 14336 in the feed-forward
block, 32 query heads on 8 key heads of 128), causal attention within the tokens of one
sequence. Each variant is compiled by torch.compile(fullgraph=True) and captured in a CUDA
graph; replays of the variants alternate, and medians of them are the times. `eager_us` is
one call without compiling and graph, wall time with its synchronization. The converted
results are compared with the same weights in float64. --bundles compiles what the
variants call, for a machine without the compiler.
"""

import argparse
import json
import statistics
import time

import torch
from torch import nn
from torch.nn import functional as F

import sparseflow.torch as st


class Attention(nn.Module):
    def __init__(self, hidden, heads, key_heads, make):
        super().__init__()
        self.features = hidden // heads
        self.q_proj = make(hidden, hidden)
        self.k_proj = make(hidden, key_heads * self.features)
        self.v_proj = make(hidden, key_heads * self.features)
        self.o_proj = make(hidden, hidden)

    def forward(self, x):
        b, s, _ = x.shape
        q, k, v = (p(x).view(b, s, -1, self.features).transpose(1, 2)
                   for p in (self.q_proj, self.k_proj, self.v_proj))
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.o_proj(out.transpose(1, 2).reshape(b, s, -1))


class MLP(nn.Module):
    def __init__(self, hidden, inner, make):
        super().__init__()
        self.gate_proj, self.up_proj = make(hidden, inner), make(hidden, inner)
        self.down_proj = make(inner, hidden)
        self.act_fn = nn.SiLU()

    def forward(self, x):
        return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    def __init__(self, sizes, make):
        super().__init__()
        hidden, inner, heads, key_heads = sizes
        self.self_attn = Attention(hidden, heads, key_heads, make)
        self.mlp = MLP(hidden, inner, make)
        self.input_norm, self.output_norm = nn.RMSNorm(hidden), nn.RMSNorm(hidden)

    def forward(self, x):
        x = x + self.self_attn(self.input_norm(x))
        return x + self.mlp(self.output_norm(x))


def model(sizes, layers, device):
    def make(k, n):
        return nn.Linear(k, n, bias=False, device=device, dtype=torch.float16)
    torch.manual_seed(1)
    return nn.Sequential(*(Block(sizes, make) for _ in range(layers))).to(
        device, torch.float16).requires_grad_(False)


class SemiStructured(nn.Module):
    """torch's 2:4 weights, pruned as ours are."""

    def __init__(self, linear):
        super().__init__()
        groups = linear.weight.detach().view(-1, 4)
        kept = torch.zeros_like(groups, dtype=torch.bool).scatter_(
            1, groups.abs().topk(2, dim=1).indices, True)
        self.weight = nn.Parameter(torch.sparse.to_sparse_semi_structured(
            (groups * kept).view_as(linear.weight)), requires_grad=False)

    def forward(self, x):
        return F.linear(x, self.weight)


def semi_structured(blocks):
    for parent in list(blocks.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, nn.Linear):
                setattr(parent, name, SemiStructured(child))
    return blocks


VARIANTS = {
    "dense": lambda m: m,
    "2:4": lambda m: (st.convert(m, "2:4"), m)[1],
    "W2A8": lambda m: (st.convert(m, "ternary"), m)[1],
    "torch 2:4": semi_structured,
}


def layers(sizes):
    """The layers that converted blocks have, without weights."""
    hidden, inner, heads, key_heads = sizes
    made = []
    for kind in (st.SparseLinear, st.TernaryLinear):
        def layer(k, n, kind=kind):
            return kind(k, n, False, "meta", torch.float16)
        made += [layer(hidden, hidden + 2 * hidden * key_heads // heads),
                 layer(hidden, hidden), layer(inner, hidden),
                 st.GatedLinear(layer(hidden, inner), layer(hidden, inner), "silu")]
    return nn.ModuleList(made)


class Sum:
    """What a matmul is in float64 with the weights that a layer holds."""

    def __init__(self, layer, packed):
        form = layer.form
        held = st.ops.matrix(packed.cpu(), form)
        exact = held.values() if form.weights == "2:4" else held.values("float64")
        self.weights = torch.from_numpy(exact).double().to(packed.device)
        self.int8 = form.int8

    def __call__(self, x):
        rows = x.double()
        if self.int8:
            most = x.float().abs().amax(-1, keepdim=True).clamp(min=1e-5)
            steps = torch.full_like(most, 127) / most
            rows = (x.float() * steps).round().clamp(-127, 127).double() * (most / 127).double()
        return rows @ self.weights.t()


def check(blocks):
    """The largest relative error of the converted layers of a block, on fresh inputs."""
    worst = {}
    with torch.no_grad():
        for name, layer in blocks[0].named_modules():
            if not isinstance(layer, (st.PackedLinear, st.GatedLinear)):
                continue
            for tokens in (1, 23, 200):
                x = torch.randn(tokens, layer.in_features, device="cuda").half()
                torch.full((1 << 26,), float("nan"), device="cuda")
                found = layer(x).double()
                if isinstance(layer, st.GatedLinear):
                    exact = F.silu(Sum(layer, layer.gate)(x)) * Sum(layer, layer.up)(x)
                else:
                    exact = Sum(layer, layer.packed)(x)
                error = ((found - exact).norm() / exact.norm()).item()
                # NaN is an error, too.
                if not error <= 1e-3:
                    raise SystemExit(f"{name}: relative error {error} with {tokens} tokens")
                worst[name] = max(worst.get(name, 0), error)
    return worst


def captured(call, x):
    """A graph of a compiled call, its result, and the seconds of compiling."""
    begin = time.time()
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            call(x)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = call(x)
    torch.cuda.synchronize()
    return graph, y, time.time() - begin


def measure(graphs, rounds=12, inner=10):
    """Medians of alternating replays, in microseconds."""
    times = {name: [] for name in graphs}
    for round_ in range(rounds + 2):
        for name, graph in graphs.items():
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            for _ in range(inner):
                graph.replay()
            end.record()
            torch.cuda.synchronize()
            if round_ >= 2:
                times[name].append(begin.elapsed_time(end) * 1000 / inner)
    return {name: statistics.median(t) for name, t in times.items()}


def eager(call, x):
    times = []
    for _ in range(20):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        call(x)
        torch.cuda.synchronize()
        times.append((time.perf_counter() - begin) * 1e6)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", nargs="?")
    parser.add_argument("--tokens", default="64,512,16,1")
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--budget", type=float, default=1e9)
    parser.add_argument("--small", action="store_true", help="sizes for a test")
    parser.add_argument("--bundles")
    parser.add_argument("--target", default="sm_90a")
    options = parser.parse_args()
    sizes = (256, 512, 4, 2) if options.small else (4096, 14336, 32, 8)
    if options.bundles:
        features = sizes[0] // sizes[2]
        forms = [st.AttentionForm(sizes[2], sizes[3], features, features, "f16", True,
                                  features ** -0.5, layout) for layout in ("bhsd", "bshd")]
        print(*st.prepare(layers(sizes), [options.target], options.bundles, forms), sep="\n")
        return
    # The variants share the code of torch.nn.Sequential.
    torch._dynamo.config.recompile_limit = 256
    start = time.time()
    rows, notes, made = [], [], {}
    for name, convert in VARIANTS.items():
        try:
            made[name] = convert(model(sizes, options.layers, "cuda"))
        except Exception as error:  # what torch's own cannot do is no result of ours
            if name != "torch 2:4":
                raise
            notes.append(f"{name}: {type(error).__name__}: {error}")
    print("made", f"{time.time() - start:.0f} s", flush=True)
    errors = {name: check(made[name]) for name in ("2:4", "W2A8")}
    print("errors", json.dumps(errors), f"{time.time() - start:.0f} s", flush=True)
    for tokens in map(int, options.tokens.split(",")):
        if time.time() - start > options.budget:
            notes.append(f"{tokens} tokens: no time left")
            break
        x = torch.randn(1, tokens, sizes[0], device="cuda").half()
        for part in ("block", "mlp"):
            graphs, row = {}, {"tokens": tokens, "part": part, "eager_us": {}, "compile_s": {}}
            for name, blocks in made.items():
                called = blocks if part == "block" else nn.Sequential(
                    *(block.mlp for block in blocks))
                with torch.no_grad():
                    try:
                        row["eager_us"][name] = eager(called, x)
                        compiled = torch.compile(called, fullgraph=True, dynamic=True)
                        graph, y, seconds = captured(compiled, x)
                        graphs[name], row["compile_s"][name] = graph, round(seconds, 1)
                        if not bool(y.isfinite().all()):
                            raise SystemExit(f"{name}: not finite")
                        # What was compiled and captured is what eager mode computes.
                        expected = called(x)
                        y.fill_(float("nan"))
                        graph.replay()
                        error = ((y - expected).float().norm() / expected.float().norm()).item()
                        if not error <= 1e-2:
                            raise SystemExit(f"{name}: compiled and eager differ by {error}")
                    except Exception as error:
                        if name != "torch 2:4":
                            raise
                        notes.append(f"{name}, {part}, {tokens} tokens: "
                                     f"{type(error).__name__}: {str(error)[:300]}")
            if part == "block" and "2:4" in graphs:
                for name in ("2:4", "W2A8"):
                    with torch.no_grad(), st.attention() as override:
                        graph, _, _ = captured(torch.compile(
                            made[name], fullgraph=True, dynamic=True), x)
                        graphs[f"{name} and attention"] = graph
                        row["attention"] = override.report
            row["us"] = measure(graphs)
            rows.append(row)
            print(json.dumps(row), f"{time.time() - start:.0f} s", flush=True)
    about = {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__,
             "sizes": sizes, "layers": options.layers, "errors": errors, "notes": notes,
             "rows": rows}
    with open(options.results, "w", encoding="utf-8") as file:
        json.dump(about, file, indent=1)
    print("\n".join(notes))


if __name__ == "__main__":
    main()
