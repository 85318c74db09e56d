#!/usr/bin/env python3
# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rounding down projections, or what they read, costs a model, rotated and not.

Usage: down_projections.py MODEL TOKENS.json --folder DIR [--case CASE]...

MODEL is the folder of a llama, TOKENS.json a list of numbers of tokens. A case is a model and
what is rounded: `plain`, `folded` (sparseflow model rotate) or `activations` (the same with
--activations), then w4 or a8: weights with a scale for 128 columns of least squared error, or
activations with a scale for a token, to so many bits. Prints the perplexity of each on the CPU
device. Needs NumPy, the compiler and its libraries; no torch, no GPU.
"""

import argparse
import json
import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from sparseflow.dtypes import as_dtype
from sparseflow.model import Model
from sparseflow.model.compression.rotator import rotate_model
from sparseflow.model.description import read_geometry
from sparseflow.model.function import ModelFunction
from sparseflow.model.program import build_program
from sparseflow.model.weights import SafetensorsFile, write_weights

CASES = ["plain:none", "activations:none", "plain:w4", "folded:w4", "activations:w4",
         "plain:a8", "activations:a8", "plain:a4", "activations:a4"]
GROUP, WINDOW = 128, 512


def round_weights(values, bits):
    """With a scale for each group of columns, of nine the one of least squared error."""
    most = 2 ** (bits - 1) - 1
    groups = values.reshape(-1, GROUP)
    best, least = np.zeros_like(groups), np.full((len(groups), 1), np.inf)
    for part in np.linspace(0.6, 1, 9):
        step = np.abs(groups).max(axis=1, keepdims=True) * np.float32(part / most)
        step = step.astype(np.float16).astype(np.float32)
        step[step == 0] = 1
        rounded = np.clip(np.rint(groups / step), -most, most) * step
        error = ((rounded - groups) ** 2).sum(axis=1, keepdims=True)
        best, least = np.where(error < least, rounded, best), np.minimum(error, least)
    return best.reshape(values.shape)


def rounding_program(geometry, bits):
    """The model's program, whose down projections read activations of so many bits."""
    most = 2.0 ** (bits - 1) - 1
    matmul, d = ModelFunction.matmul, geometry.dtype

    def rounded(f, x, k, weight, *rest, **named):
        if "ffn_down" not in weight:
            return matmul(f, x, k, weight, *rest, **named)
        data, sums = f.tensor(k), f.tensor(dtype="f32")
        largest = f.generic(
            ["#x", "#token"], True, [(x, data)], (f.empty(sums, True), sums),
            f"%in: {d}, %m: f32",
            f"    %v = arith.extf %in : {d} to f32\n    %a = math.absf %v : f32\n"
            "    %s = arith.maximumf %m, %a : f32\n    linalg.yield %s : f32")
        x = f.generic(
            ["#x", "#token", "#x"], False, [(x, data), (largest, sums)],
            (f.empty(data), data), f"%in: {d}, %m: f32, %o: {d}",
            f"    %v = arith.extf %in : {d} to f32\n"
            "    %least = arith.constant 1.0e-5 : f32\n"
            "    %safe = arith.maximumf %m, %least : f32\n"
            f"    %most = arith.constant {most:.1f} : f32\n"
            "    %inverse = arith.divf %most, %safe : f32\n"
            "    %p = arith.mulf %v, %inverse : f32\n    %r = math.roundeven %p : f32\n"
            "    %y32 = arith.divf %r, %inverse : f32\n"
            f"    %y = arith.truncf %y32 : f32 to {d}\n    linalg.yield %y : {d}")
        return matmul(f, x, k, weight, *rest, **named)
    ModelFunction.matmul = rounded
    try:
        return build_program(geometry)
    finally:
        ModelFunction.matmul = matmul


def make(source, folder, what):
    """The model in `source`, rounded."""
    folder.mkdir()
    geometry = read_geometry(str(source))[0]
    file = SafetensorsFile(str(source / "weights.safetensors"))

    def tensor(name):
        if what[0] != "w" or not name.endswith("ffn_down.weight"):
            return file.bits(name)
        return as_dtype(round_weights(file.read(name).astype(np.float32), int(what[1:])),
                        geometry.dtype)
    write_weights(str(folder / "weights.safetensors"), geometry.tensors(), tensor)
    os.symlink((source / "model.json").resolve(), folder / "model.json")
    text = rounding_program(geometry, int(what[1:])) if what[0] == "a" else \
        build_program(geometry)
    (folder / "program.mlir").write_text(text)


def perplexity_of(folder, tokens):
    model, loss, count = Model(str(folder)), 0.0, 0
    for first in range(0, len(tokens) - 1, WINDOW):
        part = tokens[first:first + WINDOW + 1]
        logits = model.forward([part[:-1]], model.cache(), last=False)[0].astype(np.float64)
        logits -= logits.max(axis=-1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        loss -= logs[np.arange(len(part) - 1), part[1:]].sum()
        count += len(part) - 1
    return float(np.exp(loss / count)), count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("tokens", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, required=True,
                        help="where the models go")
    parser.add_argument("--case", action="append", help="these only")
    options = parser.parse_args()
    tokens = json.loads(options.tokens.read_text())
    options.folder.mkdir(parents=True, exist_ok=True)
    for case in options.case or CASES:
        kind, what = case.split(":")
        source = options.model if kind == "plain" else options.folder / kind
        if not source.exists():
            rotate_model(str(options.model), str(source), activations=kind == "activations")
        folder = options.folder / f"{kind}-{what}"
        if what == "none":
            folder = source
        elif not folder.exists():
            make(source, folder, what)
        value, count = perplexity_of(folder, tokens)
        print(f"{kind}, {what}: perplexity {value:.2f} of {count} tokens", flush=True)


if __name__ == "__main__":
    main()
