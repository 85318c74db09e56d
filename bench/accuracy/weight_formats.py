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
from typing import Callable, NamedTuple

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import mixed_plan
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
# What a block may become, beside dense, where a plan leaves half of the bytes; and the
# rows of such plans: of the formats that a kernel reads, and of all.
MIXED = {
    "2:4": Case("2:4", "refit"), "int4": Case("int4", "gptq", 128, rotated=True),
    "int8": Case("int8", "gptq"), "6:8": Case("6:8", "refit"),
}
PLANS = {"plan of 2:4, rotated int4": ("2:4", "int4"),
         "plan of 2:4, rotated int4, int8, 6:8": tuple(MIXED)}
# Format of keys and values, and whether they are rotated.
CACHES = [("int8", False), ("e4m3", False), ("e4m3", True), ("int4", False), ("int4", True),
          ("ternary2", False), ("ternary2", True), ("ternary", True)]


def read_tokens(path, gguf):
    """Of a text, by the model's tokenizer, or of a JSON list of their numbers."""
    text = open(path, encoding="utf-8").read()
    return json.loads(text) if path.endswith(".json") else tokenizer(gguf).encode(text).ids


def windows(ids, count, length):
    return torch.tensor(ids[:count * length]).view(count, length)


class Compressor:
    """Applies cases by the command to files in a folder of its own."""

    def __init__(self, command, folder, threads):
        self.command, self.folder, self.threads = command, pathlib.Path(folder), threads

    def __call__(self, case, weights, inputs, outputs=None):
        """`weights`: name to matrix, all of which read `inputs` [tokens, k]. In place.

        `outputs`: name to the mean of y x^T, with y what the layer should give.
        """
        moments = inputs.T @ inputs / len(inputs)
        turn = rotation(len(moments)).to(moments) if case.rotated else None
        if turn is not None:
            # W x = (W Q^T) (Q x), and with it the means of x x^T and of y x^T.
            moments = turn @ moments @ turn.T
            outputs = outputs and {n: (t @ turn.T).contiguous() for n, t in outputs.items()}
            for weight in weights.values():
                weight.copy_(weight @ turn.T)
        moments = moments.cpu().contiguous()
        paths = [str(self.folder / name)
                 for name in ("in", "moments", "out", "report", "targets")]
        save_safetensors(paths[0], {n: w.cpu().numpy() for n, w in weights.items()})
        save_safetensors(paths[1], {n: moments.numpy() for n in weights})
        command = [self.command, "compress", paths[0], "-o", paths[2], "--include", ".",
                   "--format", case.format, "--method", case.method,
                   "--moments", paths[1], "--report", paths[3],
                   "--threads", str(self.threads)]
        if outputs:
            save_safetensors(paths[4], {n: t.cpu().numpy() for n, t in outputs.items()})
            command += ["--targets", paths[4]]
        if case.scale:
            command += ["--scale", str(case.scale)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        report = json.load(open(paths[3]))
        for name, (shape, begin, end) in _entries(paths[2]).items():
            raw = torch.frombuffer(bytearray(open(paths[2], "rb").read()[begin:end]),
                                   dtype=torch.float32)
            weight = raw.view(shape).to(weights[name])
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


def compress_model(model, stream, ids, compressor, cases):
    """All feed-forward weights, in order, by the case of each block, None: as they are.
    Returns the mean relative output errors of those that change.

    With targets, gate and up come near the outputs that they have in the dense model,
    of which `stream` is the dense_stream, and down near what brings the residual stream
    back to the dense one.
    """
    errors = {"gate_up": [], "down": []}
    x = model.embedding[ids]
    for block, case, (exact, y) in zip(model.blocks, cases, stream):
        x = model.attention(x, block)
        if case is None:
            x = model.feed_forward(x, block)
            continue
        targets = case.targets == "dense"
        h = model.rms_norm(x, block["ffn_norm"]).flatten(0, 1)
        first = {name: block[name] for name in ("ffn_gate", "ffn_up")}
        wished = None
        if targets:
            cross = exact.T @ h / len(h)
            wished = {name: (weight @ cross).contiguous() for name, weight in first.items()}
        errors["gate_up"] += compressor(case, first, h, wished)
        hidden = model.hidden(h, block)
        if targets:
            wished = {"ffn_down": ((y - x).flatten(0, 1).T @ hidden / len(h)).contiguous()}
        errors["down"] += compressor(case, {"ffn_down": block["ffn_down"]}, hidden,
                                     wished)
        x = x + (hidden @ block["ffn_down"].T).view_as(x)
    return {name: sum(values) / len(values) for name, values in errors.items()}


def write(output, result):
    output.write_text(json.dumps(result, indent=1) + "\n")
    output.with_suffix(".md").write_text(page(result))


def measure_caches(model, held_out, output, result):
    """The perplexity with keys and values of few bits, the weights as they are."""
    rows = result.setdefault("caches", [])
    done = {(row["format"], row["rotated"]) for row in rows}
    turn = rotation(model.head_size).to(model.head)
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


class Work(NamedTuple):
    """What the rows of weights are made from, and where they go."""
    dense: Callable
    stream: list
    calibration: torch.Tensor
    held_out: torch.Tensor
    compressor: Compressor
    output: pathlib.Path
    result: dict

    def has(self, case):
        return any(tuple(row[field] for field in Case._fields) == case
                   for row in self.result["rows"])

    def add_row(self, case, cases, more):
        """The row `case` of a model whose blocks become `cases`, unless it is there."""
        if self.has(case):
            return
        started, model = time.time(), self.dense()
        errors = compress_model(model, self.stream, self.calibration, self.compressor, cases)
        row = {**case._asdict(), **more, "perplexity": model.perplexity(self.held_out),
               "errors": errors, "seconds": time.time() - started}
        self.result["rows"].append(row)
        write(self.output, self.result)
        print(case, f"{row['perplexity']:.2f}", errors, flush=True)

    def add_plans(self):
        """The rows of plans that leave half of the bytes, measured on a window of the text
        that calibrates."""
        rows = {Case(name, "as chosen", rotated=False): forms
                for name, forms in PLANS.items()}
        if all(self.has(row) for row in rows):
            return
        units = mixed_plan.measure(self.dense(), self.stream, self.calibration[:2], MIXED,
                                   self.compressor)
        for row, forms in rows.items():
            allowed = [unit._replace(options=[o for o in unit.options
                                              if o.format in ("dense", *forms)])
                       for unit in units]
            chosen = mixed_plan.choices(allowed, 0.5)
            self.add_row(row, [MIXED.get(name) for name in chosen],
                         {"blocks": chosen, "bytes": mixed_plan.share(allowed, chosen)})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model")
    parser.add_argument("text")
    parser.add_argument("--sparseflow", default="build/release/bin/sparseflow")
    parser.add_argument("--calibration", type=int, default=32, help="windows of 512 tokens")
    parser.add_argument("--held-out", type=int, default=8, help="windows of 512 tokens")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="of torch, such as cuda")
    parser.add_argument("--only", help="one case, as FORMAT,METHOD,SCALE,TARGETS,ROTATED (0 or 1)")
    parser.add_argument("--plans", action="store_true", help="the rows of plans only")
    parser.add_argument("--no-plans", action="store_true", help="all rows but those")
    parser.add_argument("-o", "--output", default="weight-formats.json")
    arguments = parser.parse_args()
    torch.set_grad_enabled(False)
    torch.set_num_threads(arguments.threads)

    gguf = Gguf(arguments.model)
    ids = read_tokens(arguments.text, gguf)
    calibration = windows(ids, arguments.calibration, 512).to(arguments.device)
    held_out = windows(ids[-512 * arguments.held_out:], arguments.held_out, 512).to(
        arguments.device)
    if len(ids) < 512 * (arguments.calibration + arguments.held_out):
        sys.exit(f"error: expected at least {512 * (arguments.calibration + arguments.held_out)} "
                 f"tokens of text, found {len(ids)}")
    settings = {"model": gguf.metadata.get("general.name", ""),
                "calibration_tokens": calibration.numel(), "held_out_tokens": held_out.numel()}

    output = pathlib.Path(arguments.output)
    result = json.loads(output.read_text()) if output.exists() else {}
    if any(result.get(key) != value for key, value in settings.items()):
        result = {"format": "sparseflow-weight-formats", "version": 1, **settings, "rows": []}
    model = Llama(gguf, arguments.device)
    if "dense" not in result:
        result["dense"] = model.perplexity(held_out)
        print(f"dense: {result['dense']:.2f}", flush=True)
    measure_caches(Llama(gguf, arguments.device), held_out, output, result)
    cases = CASES
    if arguments.only:
        form, method, scale, targets, rotated = arguments.only.split(",")
        cases = [Case(form, method, int(scale), targets, rotated == "1")]
    elif arguments.plans:
        cases = []
    stream = dense_stream(Llama(gguf, arguments.device), calibration)
    with tempfile.TemporaryDirectory() as folder:
        compressor = Compressor(arguments.sparseflow, folder, arguments.threads)
        work = Work(lambda: Llama(gguf, arguments.device), stream, calibration, held_out,
                    compressor, output, result)
        for case in cases:
            work.add_row(case, [case] * len(stream), {})
        if not arguments.only and not arguments.no_plans:
            work.add_plans()
    print(table(result))


if __name__ == "__main__":
    main()
