# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m sparseflow.bench M`: how fast a model is on a GPU, or on the CPU.

On a GPU a step of decoding is one graph, from the tokens to the next ones; a prompt is one
graph, from its tokens to the logits of the last. Times are the device's, between events
around steps back to back; what a step reads is the matrices of all layers, the head, and the
keys and values of all texts. On the CPU steps end with logits, and times are a clock's.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
import tempfile
import time
from typing import Any, Callable, Dict, List, Optional, Sequence

import numpy as np

from .errors import Error
from .model.cache import Cache, empty_cache, token_bytes
from .model.command import run_command
from .model.geometry import CACHES
from .model.gpu import GpuProgram
from .model.gpu.choice import choose_device, remark
from .model.model import Model, check_decoder
from .model.random_weights import FORMATS, GEOMETRIES, HEADS, write_random_model
from .model.gpu.step import DecodeStep, PromptGraph


def _numbers(text: str) -> List[int]:
    try:
        values = [int(item) for item in text.split(",") if item]
    except ValueError:
        values = [0]
    if not all(value > 0 for value in values):
        raise Error(f"expected numbers above 0 with commas between them, found '{text}'")
    return values


def _statistics(times: Sequence[float]) -> Dict[str, float]:
    ordered = sorted(times)
    return {"min": ordered[0], "median": float(np.median(ordered)),
            "p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]}


def random_caches(cache: Cache, gpu: GpuProgram, random: np.random.Generator) -> None:
    """Numbers in place of the keys and values that a prompt would leave."""
    g = cache.geometry
    for layer in range(g.layers):
        for part, array in zip(("key", "value"), cache.of_layer(layer)):
            if g.cached:
                tokens = random.standard_normal((4, g.kv_heads, 256, g.head_dim), np.float32)
                pages = empty_cache(g, part, 4, 256).append(tokens, [0] * 4).pages
                gpu.fill(array, pages.reshape(-1))
                continue
            block = random.standard_normal(min(array.nbytes // 2, 1 << 20), np.float32)
            bits = block.astype(np.float16) if array.dtype == "f16" else \
                (block.view(np.uint32) >> 16).astype(np.uint16)
            gpu.fill(array, bits)


class Bench:
    """Measures one model, which stays loaded."""

    def __init__(self, model: Model, samples: int, steps: int, seed: int) -> None:
        self.model, self.samples, self.steps = model, samples, steps
        self.gpu = model.gpu
        self._random = np.random.default_rng(seed)

    def ids(self, *shape: int) -> np.ndarray:
        return self._random.integers(0, self.model.geometry.vocabulary, shape, np.int32)

    def decode(self, batch: int, keys: int) -> Dict[str, Any]:
        """Steps of `batch` texts, the middle one of which reads `keys` tokens each."""
        g, total = self.model.geometry, self.steps * (self.samples + 1)
        cache = self.model.cache(batch)
        cache.size = 0
        cache.make_room(min(g.positions, keys + total))
        random_caches(cache, self.gpu, self._random)
        start = max(0, min(keys - total // 2, cache.size - total - 1))
        cache.lengths = np.full(batch, start, np.int32)
        step = DecodeStep(self.model, cache, self.ids(batch))
        step.milliseconds(self.steps)
        times = [step.milliseconds(self.steps) for _ in range(self.samples)]
        result = {"kind": "decode", "batch": batch, "keys": start + total // 2,
                  "milliseconds": _statistics(times)}
        median = result["milliseconds"]["median"]
        read = self.gpu.weight_bytes(self.model.step_weights()) + \
            g.layers * batch * result["keys"] * token_bytes(g)
        result["bytes"] = read
        result["tokens_per_second"] = 1000 * batch / median
        peak = self.gpu.driver.bandwidth()
        result["bandwidth_share"] = read / (median * 1e-3) / peak if peak else None
        return result

    def prompt(self, tokens: int) -> Dict[str, Any]:
        """A prompt of one text, to the logits of its last token."""
        graph = PromptGraph(self.model, self.ids(1, tokens))
        graph.milliseconds(1)
        times = [graph.milliseconds(1) for _ in range(self.samples)]
        result = {"kind": "prompt", "batch": 1, "tokens": tokens,
                  "milliseconds": _statistics(times)}
        result["tokens_per_second"] = 1000 * tokens / result["milliseconds"]["median"]
        return result


class CpuBench:
    """Measures one model on the CPU, over caches that hold zeros."""

    def __init__(self, model: Model, samples: int, steps: int, seed: int) -> None:
        self.model, self.samples, self.steps = model, samples, steps
        self._random = np.random.default_rng(seed)

    def _milliseconds(self, call: Callable[[], Any], times: int) -> float:
        begin = time.perf_counter()
        for _ in range(times):
            call()
        return 1e3 * (time.perf_counter() - begin) / times

    def _ids(self, *shape: int) -> np.ndarray:
        return self._random.integers(0, self.model.geometry.vocabulary, shape, np.int32)

    def decode(self, batch: int, keys: int) -> Dict[str, Any]:
        """As Bench.decode."""
        g, total = self.model.geometry, self.steps * (self.samples + 1)
        cache, ids = self.model.cache(batch), self._ids(batch, 1)
        cache.make_room(min(g.positions, keys + total))
        start = max(0, min(keys - total // 2, cache.size - total))
        cache.lengths = np.full(batch, start, np.int32)
        call = lambda: self.model.forward(ids, cache)
        self._milliseconds(call, self.steps)
        times = [self._milliseconds(call, self.steps) for _ in range(self.samples)]
        median = _statistics(times)["median"]
        return {"kind": "decode", "batch": batch, "keys": start + total // 2,
                "milliseconds": _statistics(times), "tokens_per_second": 1e3 * batch / median}

    def prompt(self, tokens: int) -> Dict[str, Any]:
        """As Bench.prompt."""
        ids = self._ids(1, tokens)
        call = lambda: self.model.forward(ids, self.model.cache())
        self._milliseconds(call, 1)
        times = _statistics([self._milliseconds(call, 1) for _ in range(self.samples)])
        return {"kind": "prompt", "batch": 1, "tokens": tokens, "milliseconds": times,
                "tokens_per_second": 1e3 * tokens / times["median"]}


def _line(result: Dict[str, Any]) -> str:
    times = result["milliseconds"]
    what = f"decode, {result['batch']} texts, {result['keys']} keys" \
        if result["kind"] == "decode" else f"prompt, {result['tokens']} tokens"
    share = result.get("bandwidth_share")
    return (f"{what:36} {times['median']:8.3f} ms  (min {times['min']:.3f}, p95 "
            f"{times['p95']:.3f})  {result['tokens_per_second']:10.1f} tokens/s"
            + (f"  {100 * share:5.1f} % of the memory's bandwidth" if share else ""))


def _bench(options: argparse.Namespace) -> None:
    if (options.model is None) == (options.geometry is None):
        raise Error("expected the folder of a model, or --geometry NAME, found "
                    + ("neither" if options.model is None else "both"))
    with tempfile.TemporaryDirectory(prefix="sparseflow-bench-") as folder:
        if options.geometry is None:
            device = options.device
            if device == "auto":
                device, why = choose_device(options.model)
                remark(f"device {device}: {why}")
            model = Model(options.model, device, options.threads)
            check_decoder(options.model, model.geometry)
        else:
            if options.geometry not in GEOMETRIES:
                raise Error(f"--geometry: expected one of {', '.join(GEOMETRIES)}, found "
                            f"{options.geometry}")
            geometry = dataclasses.replace(GEOMETRIES[options.geometry],
                                           cache=options.cache)
            weights = write_random_model(folder, geometry, options.format,
                                         options.target.split(","),
                                         options.activations, options.head)
            model = Model(folder, "cuda", weights=weights)
        on_cpu = options.geometry is None and device == "cpu"
        bench = (CpuBench if on_cpu else Bench)(model, options.samples, options.steps,
                                                options.seed)
        results = []
        for batch in _numbers(options.batch):
            for keys in _numbers(options.keys):
                results.append(bench.decode(batch, keys))
                print(_line(results[-1]), flush=True)
        for tokens in _numbers(options.prompt) if options.prompt else []:
            results.append(bench.prompt(tokens))
            print(_line(results[-1]), flush=True)
    if options.json:
        report = {"model": options.geometry or os.path.basename(
                      os.path.abspath(options.model)),
                  "format": options.format if options.geometry else None,
                  "activations": options.activations if options.geometry else None,
                  "cache": model.geometry.cache,
                  "device": "cpu" if on_cpu else model.gpu.driver.name(), "results": results}
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
            file.write("\n")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(prog="python -m sparseflow.bench",
                                     description="Measure a model on a GPU, or the CPU.")
    parser.add_argument("model", metavar="M", nargs="?", help="the folder of a model")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto",
                        help="cuda, cpu, or auto: cuda where there are a GPU and kernels of "
                        "`sparseflow model compile` for it, else cpu, and a remark says why "
                        "(default; random weights are for cuda)")
    parser.add_argument("--threads", type=int, default=0,
                        help="threads of the CPU (default: one a core)")
    parser.add_argument("--geometry", metavar="NAME", help="a model of random weights "
                        f"instead: {', '.join(GEOMETRIES)}")
    parser.add_argument("--format", choices=FORMATS, default="dense",
                        help="of its layers' matrices (default: dense)")
    parser.add_argument("--head", choices=HEADS, default="dense",
                        help="its head's format (default: dense)")
    parser.add_argument("--activations", choices=("f16", "i8"), default="f16",
                        help="what its ternary weights multiply (default: f16)")
    parser.add_argument("--cache", choices=CACHES, default="dense",
                        help="what its keys and values are kept as (default: dense)")
    parser.add_argument("--target", metavar="T", default="native",
                        help="what it is compiled for (default: native)")
    parser.add_argument("--batch", metavar="N,N...", default="1",
                        help="texts that are continued at once (default: 1)")
    parser.add_argument("--keys", metavar="N,N...", default="1024",
                        help="tokens that each text has already (default: 1024)")
    parser.add_argument("--prompt", metavar="N,N...", default="",
                        help="tokens of prompts to measure (default: none)")
    parser.add_argument("--steps", type=int, default=16, metavar="N",
                        help="steps of a sample (default: 16)")
    parser.add_argument("--samples", type=int, default=9, metavar="N",
                        help="samples, of which the median is shown (default: 9)")
    parser.add_argument("--seed", type=int, default=1, help="of tokens and caches")
    parser.add_argument("--json", metavar="FILE", help="write the results")
    options = parser.parse_args(arguments)
    if options.steps < 1 or options.samples < 1:
        parser.error("--steps and --samples: expected 1 or more")
    return run_command(lambda: _bench(options), options)


if __name__ == "__main__":
    sys.exit(main())
