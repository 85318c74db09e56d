# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of random weights of every family beside NumPy, for model_check.py.

The networks and their references are those of the tests, python/tests/model/networks.py.
"""

import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python/tests/model"), str(ROOT / "python/tests"),
                str(ROOT / "python")]
import networks  # noqa: E402
import tiny_models as tiny  # noqa: E402
from sparseflow.errors import Error  # noqa: E402
from sparseflow.model import Model  # noqa: E402
from sparseflow.model.packed import compile_model  # noqa: E402

# One more than a tile of any kernel and no multiple of anything.
TOKENS = 37


def chosen(layers, words):
    """The networks whose names begin with one of `words`, all without any."""
    networks.resize(layers)
    every = networks.networks(layers)
    for word in words:
        if not any(name.startswith(word) for name in every):
            raise Error(f"--families: expected the begin of a name of {', '.join(every)}, "
                        f"found {word}")
    return {name: network for name, network in every.items()
            if not words or any(map(name.startswith, words))}


def compile_bundles(folder, words):
    """Bundles of all networks for this machine's GPU, below `folder`, by name: a program
    does not say how many layers a model has."""
    jobs = []
    for number, (name, network) in enumerate(chosen(1, words).items()):
        made = os.path.join(folder, str(number))
        os.mkdir(made)
        network.load(made, os.path.join(made, "m"))
        jobs.append((name, os.path.join(made, "m")))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        compiled = pool.map(lambda job: compile_model(job[1], ["native"]), jobs)
        return {name: path for (name, _), path in zip(jobs, compiled)}


def check_families(layer_counts, words, device, repeat, progress=None):
    """One result a network and number of layers: errors by what they may be, and how many of
    `repeat` runs differ from the first one."""
    results = []
    with tempfile.TemporaryDirectory(prefix="sparseflow-families-") as temporary:
        bundles = compile_bundles(temporary, words) if device == "cuda" else {}
        for layers in layer_counts:
            every = chosen(layers, words)
            texts = np.random.default_rng(layers).integers(
                0, tiny.WORDS, (2, TOKENS)).astype(np.int32)
            for name, network in every.items():
                with tempfile.TemporaryDirectory(dir=temporary) as folder:
                    made = os.path.join(folder, "m")
                    network.load(folder, made)
                    if name in bundles:
                        shutil.copytree(bundles[name], os.path.join(made, "program.bundle"))
                    found = networks.errors(Model(made, device), network, texts, repeat)
                results.append({"family": name, "layers": layers, **found,
                                "right": networks.is_right(found)})
                if progress:
                    progress(f"{name}, {layers} layers",
                             len(results) / (len(layer_counts) * len(every)))
    return {"kind": "families", "name": "random weights of every family", "repeat": repeat,
            "tokens": TOKENS, "features": tiny.HIDDEN, "networks": results,
            "right": all(result["right"] for result in results)}
