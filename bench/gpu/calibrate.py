#!/usr/bin/env python3
"""How long candidates of schedules take over a spread of shapes: what the compiler's cost
model is fitted to. Behind `scripts/bench calibrate`.

  sparseflow tune --calibrate --compile-only OUT --target sm_90a
                                            candidates and their bundles (compiler, no GPU)
  scripts/bench calibrate --run OUT         checks and times them (GPU, no compiler)
  sparseflow tune --fit OUT/tuned.json -o lib/Schedule/calibration.json
                                            the constants of the model

The second step needs Python 3.9 with PyTorch, libsparseflow_rt.so and a driver. At each
point (form of weights, N, K, T) all candidates that are sensible there are checked against
float64 and timed in CUDA graphs in turn with torch.mm; weights rotate over more than the L2
cache holds. OUT/tuned.json is written after every shape, and the next call goes on with
those that are missing.

Exit codes: 0 done and right, 1 OUT holds no candidates, 2 usage, 3 PyTorch is missing, 4 a
wrong result.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import sweep
from common import machine, tree
from layers import cases

TOKENS = (1, 8, 16, 32, 48, 96, 128, 192, 256, 384, 480, 768, 1024, 1920, 3840)
ROUNDS = 5

# Forms of `sparseflow tune` and what the sweep calls them.
FORMS = {"2:4": "sparse", "dense": "dense", "ternary_i8": "w2a8", "ternary": "w2a16",
         "ternary24_i8": "tern24-a8", "ternary24": "tern24-a16",
         "ternary_groups_i8.g128": "w2a8-g128", "ternary_groups_i8.g32": "w2a8-g32",
         "ternary_groups.g128": "w2a16-g128", "ternary_groups_i8.row.p2": "w2a8-p2"}


def kind_of(form, type_):
    """The sweep's kind of a form, or None where it has none."""
    name = FORMS.get(form)
    name = f"{name}-{type_}" if name in ("sparse", "dense") else name
    known = {**cases.KINDS, **cases.DENSE}
    return name if name in known and known[name].type == type_ else None


def is_sensible(row, t):
    """Whether somebody might take a row for T tokens."""
    most, tile = row.get("max_tokens", 0), row["block"][1]
    if most:
        return t <= most
    if row["pipeline"]["kind"] == "multistage" and tile <= 32:
        return t <= 4 * tile
    return tile < max(17, 2 * t) and (t <= 24 * tile or tile >= 160)


class Shape:
    """All candidates of one form, N and K."""

    def __init__(self, bench, form, type_, n, k, candidates):
        torch, self.bench = bench.torch, bench
        self.form, self.type, self.n, self.k = form, type_, n, k
        self.candidates = candidates
        program = cases.Program(kind_of(form, type_), n, k)
        seed = bench.options.seed * 100 + len(form)
        generator = torch.Generator("cuda").manual_seed(seed)
        dtype = bench.weights.torch_type(torch, type_)
        most = max(bench.options.tokens)
        self.x = torch.randn((most, k), device="cuda", generator=generator).to(dtype)
        self.y = torch.empty((most, n), device="cuda", dtype=dtype)
        copies = min(sweep.COPIES, sweep.ROTATED // (2 * n * k) + 1)
        first = torch.randn((n, k), device="cuda", generator=generator).to(dtype)
        self.dense = [first.clone() for _ in range(copies)]
        made = bench.weights.Weights(torch, bench.sf, program, seed)
        self.expected = bench.weights.Expected(torch, program, made, self.x)
        copies = min(sweep.COPIES, sweep.ROTATED // made.blob.nbytes + 1)
        self.blobs = [made.blob.clone() for _ in range(copies)]
        self.functions = {}
        for candidate in candidates:
            bundle = bench.sf.Bundle(bench.folder / candidate["bundle"])
            self.functions[candidate["row"]["name"]] = bundle.on_gpu(bench.context)

    def point(self, t):
        """The entry of T tokens in tuned.json."""
        torch, x = self.bench.torch, self.x[:t]
        stream = lambda: torch.cuda.current_stream().cuda_stream
        launch = lambda copy, y=self.y[:t]: torch.mm(x, self.dense[copy].t(), out=y)
        contenders = {"": sweep.Contender(torch, launch, len(self.dense))}
        entries, wrong = [], 0
        for candidate in self.candidates:
            row = candidate["row"]
            if not is_sensible(row, t):
                continue
            entry = {"name": row["name"], "row": row}
            entries.append(entry)
            function = self.functions[row["name"]]
            y = torch.full((t, self.n), float("nan"), dtype=x.dtype, device="cuda")
            size = function.workspace_size({"T": t})
            space = torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")
            launch = lambda copy, f=function, y=y, w=space: f.launch(
                [x, self.blobs[copy]], [y], (w.data_ptr(), w.numel()), stream())
            launch(0)
            torch.cuda.synchronize()
            right, entry["relative_error"] = self.expected.check(y)
            if right:
                contenders[row["name"]] = sweep.Contender(torch, launch, len(self.blobs))
            else:
                entry["problem"] = "the result is wrong"
                wrong += 1
        sweep.in_turns(contenders.values(), ROUNDS)
        for entry in entries:
            if entry["name"] in contenders:
                result = contenders[entry["name"]].result()
                entry["us"] = result["median"]
                entry["min_us"] = result["min"]
        entries.sort(key=lambda entry: entry.get("us", float("inf")))
        return {"t": t, "n": self.n, "k": self.k, "weights": self.form,
                "type": self.type, "dense_us": contenders[""].result()["median"],
                "candidates": entries}, wrong


class Bench:
    def __init__(self, options):
        import torch
        sys.path.insert(0, str(tree.ROOT / "python"))
        import sparseflow
        from layers import weights as sweep_weights
        self.torch, self.sf, self.weights = torch, sparseflow, sweep_weights
        self.options, self.folder, self.start = options, options.run, time.monotonic()
        self.context = sparseflow.Context()
        self.path = options.results or options.run / "tuned.json"
        index = json.loads((self.folder / "tune.json").read_text())
        self.shapes = {}
        for shape in index["shapes"]:
            if kind_of(shape["weights"], shape["type"]):
                key = (shape["weights"], shape["type"], shape["n"], shape["k"])
                found = self.shapes.setdefault(key, {})
                for candidate in shape["candidates"]:
                    found[candidate["row"]["name"]] = candidate
        self.tuned = {"format": "sparseflow-tuned", "version": 1,
                      "target": index["target"], "machine": {}, "shapes": []}
        if self.path.is_file() and not options.fresh:
            self.tuned = json.loads(self.path.read_text())

    def save(self):
        part = self.path.with_suffix(".part")
        shapes = ",\n".join("  " + json.dumps(shape) for shape in self.tuned["shapes"])
        head = {name: value for name, value in self.tuned.items() if name != "shapes"}
        part.write_text(json.dumps(head, indent=1)[:-2] + ',\n "shapes": [\n' + shapes +
                        "\n ]\n}\n")
        os.replace(part, self.path)

    def run(self):
        self.tuned["machine"] = machine.describe()
        done = {(shape["weights"], shape["type"], shape["n"], shape["k"], shape["t"])
                for shape in self.tuned["shapes"]}
        late = wrong = measured = 0
        with machine.Clocks() as clocks:
            for key, candidates in self.shapes.items():
                left = self.options.budget - (time.monotonic() - self.start)
                waiting = [t for t in self.options.tokens if (*key, t) not in done]
                if self.options.only not in "-".join(map(str, key)) or not waiting:
                    continue
                if left < 15:
                    late += len(waiting)
                    continue
                shape = Shape(self, *key, list(candidates.values()))
                for t in waiting:
                    entry, bad = shape.point(t)
                    self.tuned["shapes"].append(entry)
                    wrong += bad
                    measured += len(entry["candidates"])
                del shape
                self.torch.cuda.empty_cache()
                self.save()
                print(f"[{time.monotonic() - self.start:4.0f} s] {' '.join(map(str, key))}: "
                      f"{len(candidates)} candidates", flush=True)
        self.tuned["clocks"] = clocks.summary
        self.save()
        print(f"{measured} times measured, {late} points left for another call, {wrong} "
              f"wrong results, {time.monotonic() - self.start:.0f} s")
        return 4 if wrong else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench calibrate", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", metavar="OUT", type=Path, required=True)
    parser.add_argument("--results", metavar="FILE", type=Path,
                        help="instead of OUT/tuned.json")
    parser.add_argument("--only", metavar="TEXT", default="",
                        help="shapes with TEXT, such as ternary_i8-f16-4096-4096")
    parser.add_argument("--tokens", type=lambda text: [int(t) for t in text.split(",")],
                        default=list(TOKENS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=480, help="seconds (default: 480)")
    parser.add_argument("--fresh", action="store_true", help="keep no earlier points")
    options = parser.parse_args()
    if not (options.run / "tune.json").is_file():
        print(f"error: expected {options.run}/tune.json, which sparseflow tune --calibrate "
              "--compile-only writes", file=sys.stderr)
        return 1
    try:
        bench = Bench(options)
    except ImportError as error:
        print(f"error: {error}; calibrating launches on PyTorch's tensors", file=sys.stderr)
        return 3
    return bench.run()


if __name__ == "__main__":
    sys.exit(main())
