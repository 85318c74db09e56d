"""The kernels of one decode step, by CUPTI."""

import json
import tempfile

import numpy as np
import torch

from sparseflow.bench import random_caches
from sparseflow.model.gpu.step import DecodeStep

_STEPS = 4


def kernels_of_step(bench, batch, keys):
    """Of a step of the model of `bench`: its milliseconds without a profiler, and with
    one (begin in us, duration in us, name, blocks) of each kernel."""
    torch.zeros(1, device="cuda")
    cache = bench.model.cache(batch)
    cache.make_room(keys + 64)
    random_caches(cache, bench.gpu, np.random.default_rng(1))
    cache.lengths = np.full(batch, keys, np.int32)
    step = DecodeStep(bench.model, cache, bench.ids(batch))
    step.milliseconds(8)
    alone = step.milliseconds(8)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as prof:
        step.milliseconds(_STEPS)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        prof.export_chrome_trace(file.name)
        with open(file.name, encoding="utf-8") as trace:
            events = json.load(trace)["traceEvents"]
    kernels = sorted((e["ts"], e["dur"], e["name"], e["args"]["grid"][0])
                     for e in events if e.get("cat") == "kernel")
    count = len(kernels) // _STEPS
    step_kernels = kernels[2 * count:3 * count]
    first = step_kernels[0][0]
    return {"milliseconds": alone,
            "kernels": [[round(at - first, 2), round(dur, 2), name, grid]
                        for at, dur, name, grid in step_kernels]}
