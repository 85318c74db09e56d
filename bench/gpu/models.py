#!/usr/bin/env python3
"""Whole models of random weights beside PyTorch: steps of decoding, and prompts.

    scripts/bench models --compile-only OUT [options]   folders with bundles; no GPU
    scripts/bench models --run OUT [options]            times; needs PyTorch

A step is one CUDA graph on both sides, from the tokens to the next ones; a prompt is one
from its tokens to the logits of the last. Samples take turns. What is checked here is
that a graph gives the tokens that the same calls give without one; python/tests and the
simulator check what these are. PyTorch's side is model/torch_model.py: the better of its
two back ends of attention counts. A timeline is the kernels of one step, by CUPTI.
"""

import argparse
import dataclasses
import datetime
import gc
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from common import machine, tree
from model import llama_cpp

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
from sparseflow.bench import Bench, random_caches
from sparseflow.model.model import Model
from sparseflow.model.random_weights import (GEOMETRIES, RandomWeights,
                                             write_random_model)
from sparseflow.model.gpu.step import DecodeStep, PromptGraph

# Folder: geometry, format, activations, format of the head, cache.
MODELS = {
    "llama-3-8b-24": ("llama-3-8b", "2:4", "f16", "dense", "dense"),
    "llama-3-8b-24-head8": ("llama-3-8b", "2:4", "f16", "int8", "dense"),
    "llama-3-8b-24-cache8": ("llama-3-8b", "2:4", "f16", "dense", "int8"),
    "llama-3-8b-w2a8": ("llama-3-8b", "ternary", "i8", "dense", "dense"),
    "llama-3-8b-w2a8-head8": ("llama-3-8b", "ternary", "i8", "int8", "dense"),
    "llama-3-8b-w2a8-cache8": ("llama-3-8b", "ternary", "i8", "dense", "int8"),
    "llama-3-8b-w2a8-cache4": ("llama-3-8b", "ternary", "i8", "dense", "int4"),
    "bitnet-2b-w2a8": ("bitnet-2b", "ternary", "i8", "dense", "dense"),
    "bitnet-2b-w2a8-head8": ("bitnet-2b", "ternary", "i8", "int8", "dense"),
    "bitnet-2b-w2a8-cache8": ("bitnet-2b", "ternary", "i8", "dense", "int8"),
    "smollm2-135m": ("smollm2-135m", "dense", "f16", "dense", "dense"),
    "smollm2-135m-head8": ("smollm2-135m", "dense", "f16", "int8", "dense"),
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
    ids = bench.ids(batch)
    for cache in caches:
        cache.make_room(min(model.geometry.positions, keys + 8))
        random_caches(cache, bench.gpu, np.random.default_rng(5))
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


def geometry_of(name):
    return dataclasses.replace(GEOMETRIES[MODELS[name][0]], cache=MODELS[name][4])


def compile_model(name, options):
    """The folder with the bundle of a model."""
    _, form, activations, head, _ = MODELS[name]
    folder = os.path.join(options.compile_only, name)
    os.makedirs(folder, exist_ok=True)
    write_random_model(folder, geometry_of(name), form, [options.target], activations,
                       head, tree.gpu_flags(options))
    return folder


class Ours:
    def __init__(self, folder, name, samples):
        _, form, _, head, _ = MODELS[name]
        weights = RandomWeights(geometry_of(name), form, head=head)
        self.bench = Bench(Model(os.path.join(folder, name), "cuda", weights=weights),
                           samples, STEPS, 1)

    def sampler(self, kind, *row):
        if kind == "prompt":
            graph = PromptGraph(self.bench.model, self.bench.ids(1, *row))
            return lambda: graph.milliseconds(2)
        batch, keys = row
        check_step(self.bench, batch, min(keys, 1024))
        cache = self.bench.model.cache(batch)
        cache.make_room(keys + STEPS + 1)
        random_caches(cache, self.bench.gpu, np.random.default_rng(1))
        step = None

        def sample():
            # Every sample stands at the same keys.
            cache.lengths = np.full(batch, keys - STEPS // 2, np.int32)
            step.restart()
            return step.milliseconds(STEPS)
        cache.lengths = np.full(batch, keys - STEPS // 2, np.int32)
        step = DecodeStep(self.bench.model, cache, self.bench.ids(batch))
        return sample


def peer_sampler(model, batch, tokens, keys, backend):
    from model.torch_model import milliseconds
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


def sizes_of(geometry):
    """(kind, batch, tokens, keys) of the geometry's rows."""
    decodes, prompts = ROWS[geometry]
    return [("decode", batch, 1, keys) for batch, keys in decodes] + \
        [("prompt", 1, tokens, tokens) for tokens in prompts]


def measure_model(name, peer, options, rows, sizes):
    """Appends a row for each size, and yields."""
    ours = Ours(options.run, name, options.rounds)
    for kind, batch, tokens, keys in sizes:
        began = time.time()
        row = (batch, keys) if kind == "decode" else (tokens,)
        theirs, labels = [], []
        if peer:
            peer.reserve(batch, keys + 1)
        for backend in ("flash", "cudnn") if peer else ():
            try:
                theirs.append(peer_sampler(peer, batch, tokens, keys, backend))
            except RuntimeError as error:
                print(f"  PyTorch with {backend}: {str(error).splitlines()[0]}")
                continue
            labels.append(f"torch {backend}")
        times = measure([ours.sampler(kind, *row)], theirs, options.rounds)
        found = dict(zip([name, *labels], times))
        rows.append({"geometry": MODELS[name][0], "kind": kind, "batch": batch,
                     "tokens": tokens, "keys": keys, "milliseconds": found,
                     "bytes": {name: ours.bench.gpu.weight_bytes(
                         ours.bench.model.step_weights())}})
        best = min((found[label]["median"] for label in labels), default=float("nan"))
        median = found[name]["median"]
        print(f"{name:18} {kind} {row}: {median:.3f} ms, PyTorch {best:.3f}, ratio "
              f"{best / median:.2f}   [{time.time() - began:.0f} s]", flush=True)
        theirs = None
        yield


def measure_geometry(geometry, names, options, results, late):
    """Appends the rows that are missing, and yields after each, until late(). One of our
    models is held at a time: several beside PyTorch do not fit in 80 GB."""
    have = {(name, row["kind"], row["batch"], row["tokens"], row["keys"])
            for row in results["rows"] for name in row["bytes"]}
    missing = {name: [size for size in sizes_of(geometry) if (name, *size) not in have]
               for name in names}
    peer = None
    for name, sizes in missing.items():
        if not sizes or late():
            continue
        if not peer and not options.no_peer:
            from model.torch_model import TorchModel
            peer = TorchModel(GEOMETRIES[geometry])
        for _ in measure_model(name, peer, options, results["rows"], sizes):
            yield
            if late():
                break
        # What holds device memory may be in cycles.
        gc.collect()


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench models", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    half = parser.add_mutually_exclusive_group(required=True)
    half.add_argument("--compile-only", metavar="OUT")
    half.add_argument("--run", metavar="OUT")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--models", default=",".join(MODELS),
                        help=f"of {', '.join(MODELS)}")
    parser.add_argument("--rounds", type=int, default=SAMPLES, help="samples of each")
    parser.add_argument("--no-peer", action="store_true", help="without PyTorch")
    parser.add_argument("--timeline", metavar="MODEL", help="also the kernels of a step")
    parser.add_argument("--llama-cpp", metavar="DIR", help="also llama.cpp, by the llama-bench "
                        "and llama-batched-bench in this folder, built with CUDA")
    parser.add_argument("--results", metavar="DIR",
                        help="where models.json goes (default: OUT)")
    tree.add_compiling(parser)
    parser.add_argument("--jobs", type=int, default=1, help="programs compiled at a time")
    parser.add_argument("--budget", type=float, default=float("inf"), metavar="SECONDS",
                        help="begin no row after so many; the next call goes on")
    options = parser.parse_args()
    began = time.time()
    names = options.models.split(",")
    if unknown := [name for name in names if name not in MODELS]:
        parser.error(f"--models: expected {', '.join(MODELS)}, found {unknown[0]}")
    if options.compile_only:
        with ThreadPoolExecutor(options.jobs) as pool:
            for folder in pool.map(lambda name: compile_model(name, options), names):
                print(f"{folder}: compiled", flush=True)
        with open(os.path.join(options.compile_only, "index.json"), "w",
                  encoding="utf-8") as file:
            json.dump({"commit": options.commit or tree.commit()}, file)
        return
    index = Path(options.run) / "index.json"
    commit = options.commit or (json.loads(index.read_text())["commit"] if index.exists()
                                else tree.commit())
    results = {"format": "sparseflow-models", "version": 1, "commit": commit,
               "target": options.target,
               "started": datetime.datetime.now().isoformat(timespec="seconds"),
               "machine": machine.describe(), "rounds": options.rounds, "calls": [],
               "rows": []}
    os.makedirs(options.results or options.run, exist_ok=True)
    path = os.path.join(options.results or options.run, "models.json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
        if known["commit"] == commit and "calls" in known:
            results = known
    results["calls"].append(datetime.datetime.now().isoformat(timespec="seconds"))

    def write():
        with open(path, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
            file.write("\n")
    if not options.no_peer:
        import torch
        results["machine"]["torch"] = torch.__version__
    if options.timeline and "timeline" not in results:
        from model.timeline import kernels_of_step
        results["timeline"] = {"model": options.timeline, **kernels_of_step(
            Ours(options.run, options.timeline, 1).bench, 1, 1024)}

    def late():
        return time.time() - began > options.budget
    if options.llama_cpp and "llama_cpp" not in results:
        results["llama_cpp"] = llama_cpp.measure(
            options.llama_cpp, {MODELS[name][0]: GEOMETRIES[MODELS[name][0]] for name in names},
            sizes_of, options.rounds, late)
        write()
    for geometry in ROWS:
        mine = [name for name in names if MODELS[name][0] == geometry]
        for _ in measure_geometry(geometry, mine, options, results, late):
            write()


if __name__ == "__main__":
    main()
