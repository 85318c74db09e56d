# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models of random weights beside PyTorch: compare.py FOLDERS -o FILE.json.

FOLDERS holds for each model of CASES a folder NAME with model.json and program.bundle
(`compare.py FOLDERS --write`, which needs no GPU). Steps are one CUDA graph on both
sides; samples take turns. The first check is that a graph gives the tokens that the same
calls without a graph give; that those are right is what python/tests and the simulator
are for.
"""

import argparse
import json
import os
import sys
import time

import numpy as np

from sparseflow.bench import Bench, _random_caches
from sparseflow.model.model import Model
from sparseflow.model.random_weights import (GEOMETRIES, RandomWeights,
                                             write_random_model)
from sparseflow.model.step import DecodeStep, PromptGraph

# Folder: geometry, format, activations.
MODELS = {
    "llama-3-8b-24": ("llama-3-8b", "2:4", "f16"),
    "llama-3-8b-w2a8": ("llama-3-8b", "ternary", "i8"),
    "bitnet-2b-w2a8": ("bitnet-2b", "ternary", "i8"),
    "smollm2-135m": ("smollm2-135m", "dense", "f16"),
}
# Geometry: (batch, keys) of decoding, tokens of prompts.
ROWS = {
    "llama-3-8b": ([(1, 1024), (16, 1024), (64, 1024), (1, 16384)], [2048]),
    "bitnet-2b": ([(1, 1024), (16, 1024)], [2048]),
    "smollm2-135m": ([(1, 1024)], []),
}
STEPS, SAMPLES = 16, 9


def check_step(bench, batch, keys):
    """Whether a graph's tokens are those of the calls that it was captured of."""
    model = bench.model
    caches = [model.cache(batch) for _ in range(2)]
    ids = bench._ids(batch)
    for cache in caches:
        cache.make_room(min(model.geometry.positions, keys + 8))
        _random_caches(cache, bench.gpu, np.random.default_rng(5))
        cache.lengths = np.full(batch, keys, np.int32)
    step = DecodeStep(model, caches[0], ids)
    given = ids
    for _ in range(3):
        step.launch()
        logits = model.forward(given[:, None], caches[1])
        assert np.isfinite(logits).all()
        given = logits[:, -1].argmax(-1).astype(np.int32)
        made = step.tokens()
        if not np.array_equal(made, given):
            raise SystemExit(f"WRONG: a step gives {made}, its calls {given}")


class Ours:
    def __init__(self, folder, name, samples):
        geometry, form, _ = MODELS[name]
        weights = RandomWeights(GEOMETRIES[geometry], form)
        self.bench = Bench(Model(os.path.join(folder, name), "cuda", weights=weights),
                           samples, STEPS, 1)

    def sampler(self, kind, *row):
        if kind == "prompt":
            graph = PromptGraph(self.bench.model, self.bench._ids(1, *row))
            return lambda: graph.milliseconds(2)
        batch, keys = row
        check_step(self.bench, batch, min(keys, 1024))
        cache = self.bench.model.cache(batch)
        cache.make_room(keys + STEPS + 1)
        _random_caches(cache, self.bench.gpu, np.random.default_rng(1))
        step = None

        def sample():
            # Every sample stands at the same keys.
            cache.lengths = np.full(batch, keys - STEPS // 2, np.int32)
            step.restart()
            return step.milliseconds(STEPS)
        cache.lengths = np.full(batch, keys - STEPS // 2, np.int32)
        step = DecodeStep(self.bench.model, cache, self.bench._ids(batch))
        return sample


def torch_sampler(model, batch, tokens, keys, backend):
    from torch_model import milliseconds
    graph = model.graph(batch, tokens, keys - tokens, keys, backend)
    times = STEPS if tokens == 1 else 2
    return lambda: milliseconds(graph, times, 1)[0]


def measure(ours, theirs, samples):
    for sample in (*ours, *theirs):
        sample()
    found = [[] for _ in range(len(ours) + len(theirs))]
    for turn in range(samples):
        order = list(enumerate((*ours, *theirs)))
        for index, sample in order if turn % 2 else order[::-1]:
            found[index].append(sample())
    return [{"min": min(f), "median": float(np.median(f)),
             "p95": sorted(f)[int(0.95 * len(f))]} for f in found]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--no-torch", action="store_true")
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    names = options.models.split(",")
    if options.write:
        for name in names:
            geometry, form, activations = MODELS[name]
            folder = os.path.join(options.folders, name)
            os.makedirs(folder, exist_ok=True)
            write_random_model(folder, GEOMETRIES[geometry], form, [options.target],
                               activations)
        return
    rows = []
    for geometry, (decodes, prompts) in ROWS.items():
        mine = {name: Ours(options.folders, name, options.samples)
                for name in names if MODELS[name][0] == geometry}
        if not mine:
            continue
        peer = None
        if not options.no_torch:
            from torch_model import TorchModel
            peer = TorchModel(GEOMETRIES[geometry])
        for kind, row in [("decode", r) for r in decodes] + \
                [("prompt", (t,)) for t in prompts]:
            began = time.time()
            samplers = [ours.sampler(kind, *row) for ours in mine.values()]
            theirs, labels = [], []
            batch, tokens, keys = (row[0], 1, row[1]) if kind == "decode" else \
                (1, row[0], row[0])
            if peer:
                peer.reserve(batch, keys + 1)
            for backend in ("flash", "cudnn") if peer else ():
                try:
                    theirs.append(torch_sampler(peer, batch, tokens, keys, backend))
                except RuntimeError as error:
                    print(f"  torch with {backend}: {str(error).splitlines()[0]}")
                    continue
                labels.append(f"torch {backend}")
            times = measure(samplers, theirs, options.samples)
            entry = {"geometry": geometry, "kind": kind, "row": list(row),
                     "milliseconds": dict(zip([*mine, *labels], times))}
            rows.append(entry)
            best = min((entry["milliseconds"][label]["median"] for label in labels),
                       default=float("nan"))
            for name in mine:
                median = entry["milliseconds"][name]["median"]
                print(f"{name:18} {kind} {row}: {median:.3f} ms, torch {best:.3f}, "
                      f"ratio {best / median:.2f}   [{time.time() - began:.0f} s]",
                      flush=True)
            theirs = samplers = None
            if options.output:
                with open(options.output, "w", encoding="utf-8") as file:
                    json.dump({"rows": rows}, file, indent=1)


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    main()
