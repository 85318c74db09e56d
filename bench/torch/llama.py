#!/usr/bin/env python3
# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Hugging Face llama of random weights in the sizes of Llama 3.2 1B: converted to 2:4 in
place, beside torch's own 2:4 weights, torchao's, the dense model, and the bundle of a whole
model.

usage: llama.py --compile-only OUT [--target sm_90a]     bundles and the model's folder
       llama.py --run OUT [--keys 1024] [--prompt 2048] [--variants 2:4,bundle,layers,torchao,torch,dense]

A step of decoding is one token behind --keys others in a static cache, a prefill --prompt
tokens without a cache; each is torch.compile(fullgraph=True) of the model's forward pass in a CUDA graph,
without compiling where that fails (a note says so). "2:4" is compiled with
backend="sparseflow", "layers" is the same converted model with Inductor. The bundle is what `scripts/bench models`
measures: a graph from a token to the next. Replays take turns, and medians are the times.
The logits of all are compared with those of the same weights dense, in eager mode.
--small: sizes for a test; on a machine without a GPU nothing is timed.
"""

import argparse
import json
import os
import statistics
import sys
import time

import torch
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM, StaticCache

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), *p)
                for p in ((), ("..", "..", "python"))]

# pylint: disable=wrong-import-position
import sparseflow.torch as st
from blocks import captured, semi_structured
from sparseflow.model.random_weights import GEOMETRIES, write_random_model

NAME, PLAN = "llama-3.2-1b", {"lm_head": None, "": "2:4"}
GPU = torch.cuda.is_available()
DEVICE = "cuda" if GPU else "cpu"


def config(options, layers=None):
    g = GEOMETRIES[NAME]
    sizes = (64, 96, layers or 2, 4, 2, 128) if options.small else (
        g.hidden, g.inner, layers or g.layers, g.heads, g.kv_heads, g.vocabulary)
    return LlamaConfig(
        hidden_size=sizes[0], intermediate_size=sizes[1], num_hidden_layers=sizes[2],
        num_attention_heads=sizes[3], num_key_value_heads=sizes[4], vocab_size=sizes[5],
        max_position_embeddings=8192, tie_word_embeddings=True)


def dense(options, layers=None):
    torch.manual_seed(1)
    with torch.device(DEVICE):
        torch.set_default_dtype(torch.float16)
        model = LlamaForCausalLM(config(options, layers))
        torch.set_default_dtype(torch.float32)
    return model.eval().requires_grad_(False)


def pruned(model):
    """The same with the two largest of every four, dense: what all variants compute."""
    for name, layer in model.named_modules():
        if isinstance(layer, nn.Linear) and name != "lm_head":
            groups = layer.weight.data.view(-1, 4)
            kept = torch.zeros_like(groups, dtype=torch.bool).scatter_(
                1, groups.abs().topk(2, dim=1).indices, True)
            groups.mul_(kept)
    return model


def torchs(model):
    """torch's own 2:4 weights in all layers but the head."""
    head, model.lm_head = model.lm_head, nn.Identity()
    semi_structured(model)
    model.lm_head = head
    return model


def torchaos(model):
    """torchao's 2:4 weights, likewise."""
    from torchao.sparsity import semi_sparse_weight, sparsify_
    sparsify_(model, semi_sparse_weight(), filter_fn=lambda m, name: isinstance(
        m, nn.Linear) and "lm_head" not in name)
    return model


def converted(model):
    st.convert(model, PLAN)
    return model


VARIANTS = {"2:4": converted, "layers": converted, "torchao": torchaos, "torch": torchs,
            "dense": lambda m: m}
# Of others, whose compilation may fail.
OTHERS = ("torch", "torchao")


class Step:
    """model(ids) behind `first` tokens of a static cache; gives the last logits."""

    def __init__(self, model, options):
        self.model, self.first = model, options.keys
        self.cache = StaticCache(config=model.config, max_cache_len=options.keys + 64)
        self.ids = torch.randint(0, model.config.vocab_size, (1, 1), device=DEVICE)
        self.places = torch.full((1, 1), options.keys, device=DEVICE)
        self.model(input_ids=self.ids, position_ids=self.places, past_key_values=self.cache)
        # Each pass begins behind as many tokens.
        self.lengths = [layer.cumulative_length for layer in self.cache.layers]
        self.begin = [torch.full_like(length, self.first) for length in self.lengths]
        for layer in self.cache.layers:
            for held in (layer.keys, layer.values):
                held.normal_(generator=torch.Generator(DEVICE).manual_seed(2))

    def __call__(self, ids):
        torch._foreach_copy_(self.lengths, self.begin)
        return self.model(input_ids=ids, position_ids=self.places,
                          past_key_values=self.cache, logits_to_keep=1).logits


class Prefill:
    """model(ids) of a prompt, whose keys and values are not kept; the last logits."""

    def __init__(self, model, options):
        self.model = model
        self.ids = torch.randint(0, model.config.vocab_size, (1, options.prompt),
                                 device=DEVICE)

    def __call__(self, ids):
        return self.model(input_ids=ids, use_cache=False, logits_to_keep=1).logits


CALLS = {"decode": Step, "prefill": Prefill}


def graph_of(name, call, notes, options):
    """A replay, of the compiled call where that works."""
    try:
        compiled = call.model.forward
        backend = "sparseflow" if name == "2:4" else "inductor" if GPU else "eager"
        call.model.forward = torch.compile(compiled, fullgraph=True, backend=backend)
        with st.CompileReport() as report:
            made = captured(call, call.ids)[:2] if GPU else call(call.ids)
        notes += [f"{name}: {part}" for parts in report.graphs for part in parts if part.why]
        return made
    except Exception as error:  # what torch's own cannot do is no result of ours
        if name not in OTHERS:
            raise
        notes.append(f"{name}: not compiled: {type(error).__name__}: "
                     f"{str(error).strip().splitlines()[0][:200]}")
        call.model.forward = compiled
        if not GPU:
            return call(call.ids)
        torch.cuda.synchronize()
        return captured(call, call.ids)[:2]
    finally:
        call.model.forward = compiled


def bundle_samples(options):
    """The times of a bundle's steps and prompts, as functions that give milliseconds."""
    import numpy as np
    from sparseflow.bench import Bench, random_caches
    from sparseflow.model.gpu.step import DecodeStep, PromptGraph
    from sparseflow.model.model import Model
    from sparseflow.model.random_weights import RandomWeights
    model = Model(os.path.join(options.run, "model"), "cuda",
                  weights=RandomWeights(GEOMETRIES[NAME], "2:4"))
    bench, steps = Bench(model, 1, 16, 1), 16
    cache = model.cache(1)
    cache.make_room(options.keys + steps + 1)
    random_caches(cache, bench.gpu, np.random.default_rng(1))
    cache.lengths = np.full(1, options.keys - steps // 2, np.int32)
    step, prompt = DecodeStep(model, cache, bench.ids(1)), PromptGraph(
        model, bench.ids(1, options.prompt))

    def decode():
        cache.lengths = np.full(1, options.keys - steps // 2, np.int32)
        step.restart()
        return step.milliseconds(steps)
    return {"decode": decode, "prefill": lambda: prompt.milliseconds(2)}


def sample_of(graph, times):
    def sample():
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(times):
            graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / times
    return sample


def compile_only(options):
    os.makedirs(options.compile_only, exist_ok=True)
    g = GEOMETRIES[NAME]

    def layer(n, k):
        return st.SparseLinear(k, n, False, "meta", torch.float16)
    hidden, inner, heads = g.hidden, g.inner, g.heads * g.head_dim
    layers = nn.ModuleList([layer(heads + 2 * g.kv_heads * g.head_dim, hidden),
                            layer(hidden, heads), layer(hidden, inner),
                            st.GatedLinear(layer(inner, hidden), layer(inner, hidden),
                                           "silu")])
    bundles = os.path.join(options.compile_only, "bundles")
    print(*st.prepare(layers, [options.target], bundles), sep="\n")
    # The programs of the first layer, of the last, and of those between, which are equal.
    model = converted(dense(options, layers=4))
    for kind in CALLS.values():
        with torch.no_grad(), st.Shipment(bundles, [options.target]) as shipment:
            call = kind(model, options)
            compiled, model.forward = model.forward, torch.compile(
                model.forward, fullgraph=True, backend="sparseflow")
            call(call.ids)
            model.forward = compiled
        print(*shipment.paths, sep="\n")
    folder = os.path.join(options.compile_only, "model")
    os.makedirs(folder, exist_ok=True)
    write_random_model(folder, g, "2:4", [options.target])
    print(folder)


def run(options):
    start, notes, samples, errors, wrong = time.time(), [], {}, {}, False
    os.environ["SPARSEFLOW_BUNDLES"] = os.path.join(options.run, "bundles")
    held = []
    for name in options.variants.split(","):
        if name == "bundle":
            for what, sample in bundle_samples(options).items():
                samples[what, name] = sample
            print(name, f"{time.time() - start:.0f} s", flush=True)
            continue
        model, exact = pruned(dense(options)), {}
        for what, kind in CALLS.items():
            torch.manual_seed(3)
            with torch.no_grad():
                call = kind(model, options)
                exact[what] = call(call.ids).float().cpu()
        model = VARIANTS[name](model)
        for what, kind in CALLS.items():
            if time.time() - start > options.budget:
                notes.append(f"{name}, {what}: no time left")
                continue
            torch.manual_seed(3)
            torch._dynamo.reset()
            with torch.no_grad():
                call = kind(model, options)
                made = graph_of(name, call, notes, options)
                if GPU:
                    graph, y = made
                    y.fill_(float("nan"))
                    graph.replay()
                    made = y
                    samples[what, name] = sample_of(graph, 16 if what == "decode" else 2)
                found = made.float().cpu()
                errors[f"{what} {name}"] = error = (
                    (found - exact[what]).norm() / exact[what].norm()).item()
                # 16 layers in f16, added up in other orders; NaN is wrong, too.
                wrong |= not error < 2e-2
            # The graph reads the cache and the tokens: they stay.
            held.append(call)
            print(name, what, f"{time.time() - start:.0f} s", flush=True)
    times = {f"{what} {name}": [] for what, name in samples}
    for number in range(options.rounds if GPU else 0):
        order = list(samples.items())
        for (what, name), sample in order if number % 2 else order[::-1]:
            value = sample()
            if number >= 2:
                times[f"{what} {name}"].append(value)
    found = {name: statistics.median(values) for name, values in times.items() if values}
    report = {"gpu": torch.cuda.get_device_name() if GPU else "none",
              "torch": torch.__version__, "keys": options.keys, "prompt": options.prompt,
              "milliseconds": found, "relative_error": errors, "notes": notes}
    with open(options.results or os.path.join(options.run, "llama.json"), "w",
              encoding="utf-8") as file:
        json.dump(report, file, indent=1)
    print(json.dumps(report, indent=1))
    return 4 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--compile-only", metavar="OUT")
    what.add_argument("--run", metavar="OUT")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--keys", type=int, default=1024)
    parser.add_argument("--prompt", type=int, default=2048)
    parser.add_argument("--variants", default="2:4,bundle,layers,torchao,torch,dense")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--budget", type=float, default=1e9, metavar="SECONDS",
                        help="begin nothing after so many")
    parser.add_argument("--small", action="store_true", help="sizes for a test")
    parser.add_argument("--results", metavar="FILE", help="(default: OUT/llama.json)")
    options = parser.parse_args()
    if options.compile_only:
        compile_only(options)
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
