# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of one decode step, by CUPTI: timeline.py FOLDERS NAME [BATCH KEYS] -o FILE.

Prints each kernel of one layer with its time and the gap in front of it, and sums over
the step; writes all of them as JSON, which tables.py draws.
"""

import argparse
import json
import os
import sys
import tempfile

import numpy as np
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare import Ours  # noqa: E402
from sparseflow.bench import _random_caches  # noqa: E402
from sparseflow.model.step import DecodeStep  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders")
    parser.add_argument("name")
    parser.add_argument("batch", type=int, nargs="?", default=1)
    parser.add_argument("keys", type=int, nargs="?", default=1024)
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    torch.zeros(1, device="cuda")
    bench = Ours(options.folders, options.name, 1).bench
    cache = bench.model.cache(options.batch)
    cache.make_room(options.keys + 40)
    _random_caches(cache, bench.gpu, np.random.default_rng(1))
    cache.lengths = np.full(options.batch, options.keys, np.int32)
    step = DecodeStep(bench.model, cache, bench._ids(options.batch))
    print("ms a step:", step.milliseconds(8), step.milliseconds(8))
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as prof:
        step.milliseconds(4)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        prof.export_chrome_trace(file.name)
        with open(file.name, encoding="utf-8") as trace:
            events = json.load(trace)["traceEvents"]
    kernels = sorted(((e["ts"], e["dur"], e["name"], e["args"].get("grid", [0])[0])
                      for e in events if e.get("cat") in ("kernel", "gpu_memcpy")))
    count = len(kernels) // 4
    kernels = kernels[2 * count:3 * count]
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(kernels, file)
    whole = kernels[-1][0] + kernels[-1][1] - kernels[0][0]
    busy = sum(k[1] for k in kernels)
    print(f"{count} kernels, {whole:.1f} us, {busy:.1f} us in kernels")
    per = (count - 5) // bench.model.geometry.layers
    end = None
    for at, dur, name, grid in kernels[per:2 * per + 3]:
        print(f"  {dur:7.2f} us  gap {at - end if end else 0:6.2f}  grid {grid:5} {name}")
        end = at + dur
    sums = {}
    for _, dur, name, _ in kernels:
        total, number = sums.get(name, (0, 0))
        sums[name] = total + dur, number + 1
    for name, (total, number) in sorted(sums.items(), key=lambda item: -item[1][0]):
        print(f"  {total:9.1f} us in {number:4} of {name}")


if __name__ == "__main__":
    main()
