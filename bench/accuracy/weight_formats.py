#!/usr/bin/env python3
# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the formats of weights cost a language model: perplexity by format and method.

Usage: weight_formats.py MODEL.gguf TEXT --sparseflow build/release/bin/sparseflow

The feed-forward weights of a llama are compressed by `sparseflow compress`, block after
block, so that each block is calibrated on the outputs of the compressed ones before it;
everything else stays as it is, in float32. Then keys and
values are, alone, as caches of few bits hold them. The first part of the text calibrates, the
last part is held out for the perplexity. Needs torch and tokenizers; no GPU.
Writes JSON and a table; goes on where an earlier run of the same settings ended.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from cache_formats import FORMATS
from gguf_file import Gguf
from llama_model import Llama, tokenizer
from rotation import rotation
from sparseflow.safetensors import save_safetensors
from weight_table import page, table


class Case(NamedTuple):
    """`scale`: columns that share one, 0: the row. `targets`: what outputs should come
    near: those of the layer itself (own), or of the dense model (dense). `rotated`: what
    a layer reads is rotated, and its weights with it."""
    format: str
    method: str
    scale: int = 0
    targets: str = "dense"
    rotated: bool = False


CASES = [
    Case("2:4", "magnitude", targets="own"), Case("2:4", "wanda", targets="own"),
    Case("2:4", "sparsegpt", targets="own"), Case("2:4", "refit"),
    Case("6:8", "magnitude", targets="own"), Case("6:8", "refit"),
    Case("int8", "magnitude", targets="own"), Case("int4", "gptq", 128, rotated=True),
    Case("int4", "gptq", 128), Case("ternary2", "gptq", 32), Case("ternary", "gptq", 32),
    Case("2:4+ternary", "gptq", 32), Case("4:8", "refit"),
]
# Format of keys and values, and whether they are rotated.
CACHES = [("int4", False), ("int4", True), ("ternary2", False), ("ternary2", True),
          ("ternary", True)]


def windows(ids, count, length):
    return torch.tensor(ids[:count * length]).view(count, length)


class Compressor:
    """One case, applied by the command to files in a folder of its own."""

    def __init__(self, command, folder, case, threads):
        self.command, self.folder, self.threads = command, pathlib.Path(folder), threads
        self.case = case

    def __call__(self, weights, inputs, outputs=None):
        """`weights`: name to matrix, all of which read `inputs` [tokens, k]. In place.

        `outputs`: name to the mean of y x^T, with y what the layer should give.
        """
        moments = inputs.T @ inputs / len(inputs)
        turn = rotation(len(moments)) if self.case.rotated else None
        if turn is not None:
            # W x = (W Q^T) (Q x), and with it the means of x x^T and of y x^T.
            moments = turn @ moments @ turn.T
            outputs = outputs and {n: (t @ turn.T).contiguous() for n, t in outputs.items()}
            for weight in weights.values():
                weight.copy_(weight @ turn.T)
        moments = moments.contiguous()
        paths = [str(self.folder / name)
                 for name in ("in", "moments", "out", "report", "targets")]
        save_safetensors(paths[0], {n: w.numpy() for n, w in weights.items()})
        save_safetensors(paths[1], {n: moments.numpy() for n in weights})
        command = [self.command, "compress", paths[0], "-o", paths[2], "--include", ".",
                   "--format", self.case.format, "--method", self.case.method,
                   "--moments", paths[1], "--report", paths[3],
                   "--threads", str(self.threads)]
        if outputs:
            save_safetensors(paths[4], {n: t.numpy() for n, t in outputs.items()})
            command += ["--targets", paths[4]]
        if self.case.scale:
            command += ["--scale", str(self.case.scale)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        report = json.load(open(paths[3]))
        for name, (shape, begin, end) in _entries(paths[2]).items():
            raw = torch.frombuffer(bytearray(open(paths[2], "rb").read()[begin:end]),
                                   dtype=torch.float32)
            weight = raw.view(shape)
            weights[name].copy_(weight if turn is None else weight @ turn)
        return [line["output_error"] for line in report["tensors"]]


def _entries(path):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
    start = 8 + size
    return {name: (entry["shape"], start + entry["data_offsets"][0],
                   start + entry["data_offsets"][1])
            for name, entry in header.items() if name != "__metadata__"}


def dense_stream(model, ids):
    """By block: the inputs of gate and up, and the residual stream behind the block."""
    y, result = model.embedding[ids], []
    for block in model.blocks:
        y = model.attention(y, block)
        h = model.rms_norm(y, block["ffn_norm"]).flatten(0, 1)
        y = y + (model.hidden(h, block) @ block["ffn_down"].T).view_as(y)
        result.append((h, y))
    return result


def compress_model(model, stream, ids, compressor):
    """All feed-forward weights, in order; returns the mean relative output errors.

    With targets, gate and up come near the outputs that they have in the dense model,
    of which `stream` is the dense_stream, and down near what brings the residual stream
    back to the dense one.
    """
    errors = {"gate_up": [], "down": []}
    x = model.embedding[ids]
    targets = compressor.case.targets == "dense"
    for block, (exact, y) in zip(model.blocks, stream):
        x = model.attention(x, block)
        h = model.rms_norm(x, block["ffn_norm"]).flatten(0, 1)
        first = {name: block[name] for name in ("ffn_gate", "ffn_up")}
        wished = None
        if targets:
            cross = exact.T @ h / len(h)
            wished = {name: (weight @ cross).contiguous() for name, weight in first.items()}
        errors["gate_up"] += compressor(first, h, wished)
        hidden = model.hidden(h, block)
        if targets:
            wished = {"ffn_down": ((y - x).flatten(0, 1).T @ hidden / len(h)).contiguous()}
        errors["down"] += compressor({"ffn_down": block["ffn_down"]}, hidden, wished)
        x = x + (hidden @ block["ffn_down"].T).view_as(x)
    return {name: sum(values) / len(values) for name, values in errors.items()}


def write(output, result):
    output.write_text(json.dumps(result, indent=1) + "\n")
    output.with_suffix(".md").write_text(page(result))


def measure_caches(model, held_out, output, result):
    """The perplexity with keys and values of few bits, the weights as they are."""
    rows = result.setdefault("caches", [])
    done = {(row["format"], row["rotated"]) for row in rows}
    turn = rotation(model.head_size)
    for form, rotated in CACHES:
        if (form, rotated) in done:
            continue
        bits, quantize = FORMATS[form]
        # Queries are rotated like keys, outputs back: as if keys and values were.
        model.cached = (lambda x: quantize(x @ turn.T) @ turn) if rotated else quantize
        rows.append({"format": form, "rotated": rotated, "bits": bits,
                     "perplexity": model.perplexity(held_out)})
        write(output, result)
        print(rows[-1], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model")
    parser.add_argument("text")
    parser.add_argument("--sparseflow", default="build/release/bin/sparseflow")
    parser.add_argument("--calibration", type=int, default=32, help="windows of 512 tokens")
    parser.add_argument("--held-out", type=int, default=8, help="windows of 512 tokens")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", help="one case, as FORMAT,METHOD,SCALE,TARGETS,ROTATED (0 or 1)")
    parser.add_argument("-o", "--output", default="weight-formats.json")
    arguments = parser.parse_args()
    torch.set_grad_enabled(False)
    torch.set_num_threads(arguments.threads)

    gguf = Gguf(arguments.model)
    ids = tokenizer(gguf).encode(open(arguments.text, encoding="utf-8").read()).ids
    calibration = windows(ids, arguments.calibration, 512)
    held_out = windows(ids[-512 * arguments.held_out:], arguments.held_out, 512)
    if len(ids) < 512 * (arguments.calibration + arguments.held_out):
        sys.exit(f"error: expected at least {512 * (arguments.calibration + arguments.held_out)} "
                 f"tokens of text, found {len(ids)}")
    settings = {"model": gguf.metadata.get("general.name", ""),
                "calibration_tokens": calibration.numel(), "held_out_tokens": held_out.numel()}

    output = pathlib.Path(arguments.output)
    result = json.loads(output.read_text()) if output.exists() else {}
    if any(result.get(key) != value for key, value in settings.items()):
        result = {"format": "sparseflow-weight-formats", "version": 1, **settings, "rows": []}
    model = Llama(gguf)
    if "dense" not in result:
        result["dense"] = model.perplexity(held_out)
        print(f"dense: {result['dense']:.2f}", flush=True)
    measure_caches(Llama(gguf), held_out, output, result)
    cases = CASES
    if arguments.only:
        form, method, scale, targets, rotated = arguments.only.split(",")
        cases = [Case(form, method, int(scale), targets, rotated == "1")]
    done = {tuple(row[field] for field in Case._fields) for row in result["rows"]}
    stream = dense_stream(Llama(gguf), calibration)
    for case in cases:
        if case in done:
            continue
        started = time.time()
        model = Llama(gguf)
        with tempfile.TemporaryDirectory() as folder:
            compressor = Compressor(arguments.sparseflow, folder, case, arguments.threads)
            errors = compress_model(model, stream, calibration, compressor)
        row = {**case._asdict(), "perplexity": model.perplexity(held_out),
               "errors": errors, "seconds": time.time() - started}
        result["rows"].append(row)
        write(output, result)
        print(case, f"{row['perplexity']:.2f}", errors, flush=True)
    print(table(result))


if __name__ == "__main__":
    main()
