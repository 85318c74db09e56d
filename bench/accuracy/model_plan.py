#!/usr/bin/env python3
# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `sparseflow model` plan, compress and unpack make of a model, by its perplexity.

Usage: model_plan.py MODEL.gguf TOKENS.json --folder DIR -o bench/results/weight-formats.json

A llama is imported, rotated, planned so that half of its feed-forward bytes are left,
compressed, and unpacked again, by the commands and on the CPU device. TOKENS.json is a list
of numbers of tokens: the first calibrate, the last are held out, as for weight_formats.py.
What the unpacked model says has to equal what the compressed one does. Adds a row to
the result, and goes on in the folder where an earlier run ended. Needs NumPy, the
compiler and its libraries; no torch, no GPU.
"""

import argparse
import collections
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from sparseflow.model import Model
from sparseflow.model.__main__ import main as command
from sparseflow.model.model import read_geometry
from sparseflow.perplexity import perplexity
from weight_table import page


def run(output, *arguments):
    """A command that makes `output`, unless it is there. Returns its seconds."""
    if output.exists():
        return 0.0
    begin = time.monotonic()
    arguments = [str(a) for a in (*arguments, "-o", output)]
    print("sparseflow model", *(a if len(a) < 80 else "..." for a in arguments), flush=True)
    if command(arguments):
        sys.exit(f"error: sparseflow model {arguments[0]} failed")
    return time.monotonic() - begin


def summary(report, budget, rotated, seconds):
    """The row: of a report's matrices those of feed-forward layers."""
    lines = [line for line in report["matrices"] if ".ffn_" in line["name"]]
    total = {key: sum(line[key] for line in lines)
             for key in ("bytes", "stored_bytes", "dense_bytes")}
    return {"budget": budget, "rotated": rotated, **report["perplexity"], **total,
            "formats": dict(collections.Counter(line["format"] for line in lines)),
            "seconds": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("model")
    parser.add_argument("tokens")
    parser.add_argument("--folder", required=True, help="where the models go")
    parser.add_argument("--budget", default="bytes=50%", help="of feed-forward layers")
    parser.add_argument("--formats", default="6:8,int8,int4,2:4")
    parser.add_argument("--no-rotation", action="store_true")
    parser.add_argument("--window", type=int, default=512)
    parser.add_argument("--calibration", type=int, default=32, help="windows")
    parser.add_argument("--held-out", type=int, default=8, help="windows")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    window, folder = arguments.window, pathlib.Path(arguments.folder)
    ids = json.loads(pathlib.Path(arguments.tokens).read_text())
    if len(ids) < window * (arguments.calibration + arguments.held_out):
        sys.exit(f"error: {arguments.tokens}: expected at least "
                 f"{window * (arguments.calibration + arguments.held_out)} tokens, "
                 f"found {len(ids)}")
    text = lambda tokens: ",".join(map(str, tokens))
    held_out = ids[-window * arguments.held_out:]
    threads = ["--threads", arguments.threads]
    calibration = ["--tokens", text(ids[:window * arguments.calibration]),
                   "--window", window, "--windows", arguments.calibration, *threads]
    folder.mkdir(parents=True, exist_ok=True)
    model, plan, packed, dense = (folder / name for name in
                                  ("model", "plan.json", "packed", "dense"))
    run(model, "import", arguments.model)
    if not arguments.no_rotation:
        rotated = folder / "rotated"
        run(rotated, "rotate", model, *threads)
        model = rotated
    seconds = run(plan, "plan", model, "--budget", arguments.budget, "--layers", "ffn",
                  "--formats", arguments.formats, "--resume", folder / "losses.json",
                  *calibration)
    seconds += run(packed, "compress", model, "--plan", plan, "--resume", folder / "layers",
                   "--text-tokens", text(held_out), *calibration)
    run(dense, "unpack", packed)

    report = json.loads((packed / "report.json").read_text())
    # Of the file: the report's is from before packing, which rounds scales.
    stored, again = (perplexity(Model(str(path), threads=arguments.threads), held_out,
                                window)[0] for path in (packed, dense))
    if stored != again:
        sys.exit(f"error: expected a perplexity of {stored} of the model that was "
                 f"unpacked, found {again}")
    report["perplexity"]["after"] = stored
    row = summary(report, arguments.budget, not arguments.no_rotation, seconds)
    print(row, flush=True)
    output = pathlib.Path(arguments.output)
    result = json.loads(output.read_text())
    key = lambda r: (r["budget"], r["rotated"])
    result["models"] = [r for r in result.get("models", []) if key(r) != key(row)] + [row]
    result["models_of"] = f"{read_geometry(str(model))[0].dtype} on the CPU device"
    output.write_text(json.dumps(result, indent=1) + "\n")
    output.with_suffix(".md").write_text(page(result))


if __name__ == "__main__":
    main()
