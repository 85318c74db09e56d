#!/usr/bin/env python3
"""Bundles with a dense form beside the packed one: is what runs as fast as the better of
the two? Behind `scripts/bench fallback`.

  scripts/bench fallback --compile-only OUT    bundles and an index (compiler, no GPU)
  scripts/bench fallback --run OUT             checks and times them (GPU, no compiler)

For each layer and kind of weights there are three bundles: packed weights alone, the same
weights dense, and packed ones with --dense-fallback. The third is called as its
predictions say, and again behind sf_function_tune_calls, as `sparseflow-exec --tune-dispatch`
measures. All are checked against float64 and timed in CUDA graphs, in another order in each
round; weights rotate over more than the L2 cache holds. What counts is the time of the better of packed and dense alone, by that
of the bundle with both: 1 is none lost, the bar is 0.97. cuBLASLt's fastest candidate is
there for comparison.

Exit codes: 0 done and right, 1 a program did not compile or OUT is not one, 2 usage,
3 the compiler or PyTorch is missing, 4 a wrong result.
"""

import argparse
import ctypes
import json
import os
import random
import sys
import time
from pathlib import Path

from common import machine, tree
from layers import cases
from matmul import compiling
from sweep import COPIES, ROTATED, Contender

ROUNDS = 15
TUNED = 64             # weights that take turns in tuning, at most
KINDS = ("sparse-f16", "w2a16")
# Small and large, square and not; edges of tiles, and few tokens to many.
SHAPES = ((4096, 4096), (4096, 14336), (28672, 4096), (576, 1536), (1000, 2052))
TOKENS = (1, 16, 65, 257, 700, 2049, 8192)
BAR = 0.97


def names(kind, n, k):
    """The three bundles: packed, dense, both."""
    return (f"{kind}-n{n}-k{k}", f"dense-n{n}-k{k}", f"{kind}-n{n}-k{k}-fallback")


def programs(options):
    """(name, text, flags) of what is compiled, each once."""
    found = {}
    for n, k in options.shapes:
        for kind in options.kinds:
            packed, dense, both = names(kind, n, k)
            text = cases.text(cases.Program(kind, n, k))
            encoding = f", {cases.KINDS[kind].encoding}>"
            found[packed] = text, ()
            found[dense] = text.replace(encoding, ">"), ()
            found[both] = text, ("--dense-fallback", "weights",
                                 *(("--calibration", options.calibration)
                                   if options.calibration else ()))
    return [(name, *made) for name, made in found.items()]


def compile_all(options):
    return compiling.compile_programs(
        options, [({"name": name}, text, flags) for name, text, flags in programs(options)])


def in_any_order(contenders, order):
    """Times every contender in each round, in an order of its own: what ran before decides
    about clocks and caches, and in turns it would always be the same one."""
    for contender in contenders:
        contender.capture()
        contender.replay(keep=False)
    for _ in range(ROUNDS):
        order.shuffle(contenders)
        for contender in contenders:
            contender.replay()


class Layer:
    """The contenders of one kind and (N, K)."""

    def __init__(self, run, kind, n, k):
        torch = run.torch
        self.run, self.torch, self.kind, self.n, self.k = run, torch, kind, n, k
        self.weights = run.weights.Weights(torch, run.sf, cases.Program(kind, n, k), 7)
        generator = torch.Generator("cuda").manual_seed(run.options.seed)
        self.x = torch.randn((max(run.options.tokens), k), device="cuda",
                             generator=generator).half()
        self.expected = run.weights.Expected(torch, cases.Program(kind, n, k), self.weights,
                                             self.x)
        values = self.weights.values.half()
        # Of one scale for each row the dense form is the trits.
        form = self.weights.values.sign().half() if cases.KINDS[kind].storage else values
        copies = min(COPIES, ROTATED // self.weights.blob.nbytes + 1)
        self.blobs = [self.weights.blob.clone() for _ in range(copies)]
        self.forms = [form.clone() for _ in range(copies)]
        self.dense = [values.clone()
                      for _ in range(min(COPIES, ROTATED // values.nbytes + 1))]
        packed, dense, both = (run.load(name) for name in names(kind, n, k))
        self.functions = {"packed": packed, "dense": dense, "predicted": both,
                          "tuned": run.load(names(kind, n, k)[2])}
        for name in ("predicted", "tuned"):
            for blob, dense_form in zip(self.blobs, self.forms):
                self.functions[name].set_dense_weight(1, blob, dense_form)

    def point(self, t):
        torch, run, x = self.torch, self.run, self.x[:t]
        contenders, right, ran = {}, {}, {}
        stream = lambda: torch.cuda.current_stream().cuda_stream
        for name, function in self.functions.items():
            weights = self.dense if name == "dense" else self.blobs
            y = torch.full((t, self.n), float("nan"), dtype=x.dtype, device="cuda")
            size = max(function.workspace_size({"T": t}), 1)
            workspace = torch.empty(size, dtype=torch.uint8, device="cuda")
            launch = lambda copy, f=function, y=y, w=workspace, weights=weights: (
                f.launch([x, weights[copy]], [y], (w.data_ptr(), w.numel()), stream()))
            if name == "tuned":
                others = [[x, weight] for weight in weights[1:TUNED]]
                function.tune([x, weights[0]], [y], (workspace.data_ptr(), size), stream(),
                              run.options.replays, others)
                y.fill_(float("nan"))
            with run.reasons() as reasons:
                launch(0)
            torch.cuda.synchronize()
            ran[name] = {"form": reasons[-1]["ran"].get("form"),
                         "kernels": reasons[-1]["ran"]["kernels"],
                         "because": reasons[-1]["because"]}
            right[name], _ = self.expected.check(y)
            contenders[name] = Contender(torch, launch, len(weights))
        contenders["cublaslt"] = self._cublaslt(t, x, stream)
        in_any_order(list(contenders.values()), random.Random(f"{self.n} {self.k} {t}"))
        us = {name: contender.result()["median"] for name, contender in contenders.items()}
        return {"kind": self.kind, "n": self.n, "k": self.k, "t": t, "us": us, "right": right,
                "ran": ran}

    def _cublaslt(self, t, x, stream):
        torch, y = self.torch, self.torch.empty((t, self.n), dtype=x.dtype, device="cuda")
        plan = self.run.lt.plan(t, self.n, self.k, "f16")
        made = []
        for number in range(len(plan.candidates)):
            one = Contender(torch, lambda copy, number=number: plan.run(
                number, x, self.dense[copy], y, stream()), len(self.dense))
            try:
                one.once_us()
                made.append((min(one.once_us() for _ in range(3)), number, one))
            except RuntimeError:
                continue
        return min(made)[2]


class Run:
    def __init__(self, options):
        # What is measured here is no other process's business.
        os.environ["SPARSEFLOW_DISPATCH_STORE"] = ""
        sys.path.insert(0, str(tree.ROOT / "python"))
        import torch
        from common import cublaslt
        import sparseflow
        from layers import weights
        self.torch, self.sf, self.weights, self.options = torch, sparseflow, weights, options
        index = json.loads((options.run / "index.json").read_text())
        self.entries = {entry["name"]: entry for entry in index["programs"]}
        self.index = {name: index[name] for name in ("commit", "compiler", "target")}
        self.lt, self.context = cublaslt.CublasLt(torch), sparseflow.Context()
        self.library = sparseflow.native.library()

    def load(self, name):
        """A bundle of its own, so that what is measured for one is not another's."""
        return self.sf.Bundle(self.options.run / self.entries[name]["bundle"]).on_gpu(
            self.context)

    def reasons(self):
        return Reasons(self.library)

    def rows(self):
        options, start = self.options, time.monotonic()
        for n, k in options.shapes:
            for kind in options.kinds:
                if time.monotonic() - start > options.budget:
                    print(f"{kind} {n} x {k}: no time left")
                    continue
                layer = Layer(self, kind, n, k)
                for t in options.tokens:
                    row = layer.point(t)
                    print(line(row), flush=True)
                    yield row
                del layer
                self.torch.cuda.empty_cache()


class Reasons(list):
    """The decisions of the launches inside of a with."""

    def __init__(self, library):
        super().__init__()
        self.library = library
        kind = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
        self.callback = kind(lambda text, _: self.append(json.loads(text)))

    def __enter__(self):
        self.library.sf_dispatch_set_callback(self.callback, None)
        return self

    def __exit__(self, *_):
        self.library.sf_dispatch_set_callback(None, None)


def share(row, name):
    """The time of the better of packed and dense by that of `name`."""
    return min(row["us"]["packed"], row["us"]["dense"]) / row["us"][name]


def line(row):
    us = row["us"]
    return (f"| {row['kind']} | {row['n']} x {row['k']} | {row['t']} | {us['packed']:.2f} | "
            f"{us['dense']:.2f} | {us['cublaslt']:.2f} | {us['predicted']:.2f} | "
            f"{us['tuned']:.2f} | {share(row, 'predicted'):.3f} | {share(row, 'tuned'):.3f} | "
            f"{row['ran']['tuned']['form']} |{'' if all(row['right'].values()) else ' WRONG'}")


def summary(rows):
    """The table's last lines."""
    for name in ("predicted", "tuned"):
        found = sorted(share(row, name) for row in rows)
        late = sum(value < BAR for value in found)
        yield (f"{name}: {len(found)} points, worst {found[0]:.3f}, median "
               f"{found[len(found) // 2]:.3f}, {late} below {BAR}")


def run(options):
    runner = Run(options)
    print("| weights | N x K | tokens | packed us | dense us | cuBLASLt us | predicted us | "
          "tuned us | predicted | tuned | form |\n|" + "---|" * 11)
    rows = list(runner.rows())
    results = {"format": "sparseflow-fallback", "version": 1, **runner.index,
               "machine": machine.describe(), "rows": rows}
    options.results.parent.mkdir(parents=True, exist_ok=True)
    options.results.write_text(json.dumps(results, indent=1) + "\n")
    print("\n".join(summary(rows)))
    wrong = [row for row in rows if not all(row["right"].values())]
    return 4 if wrong else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench fallback", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--compile-only", metavar="OUT", type=Path)
    what.add_argument("--run", metavar="OUT", type=Path)
    pair = lambda text: tuple(map(int, text.split("x")))
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--kinds", default=",".join(KINDS),
                        help=f"of the sweep's, with dense forms (default: {','.join(KINDS)})")
    parser.add_argument("--shapes", type=lambda text: [pair(t) for t in text.split(",")],
                        default=SHAPES, help="N x K, such as 4096x4096,576x1536")
    parser.add_argument("--tokens", type=lambda text: [int(t) for t in text.split(",")],
                        default=TOKENS, help="such as 1,64,4096")
    parser.add_argument("--calibration", metavar="FILE",
                        help="what predicts dense kernels (sparseflow compile --calibration)")
    parser.add_argument("--replays", type=int, default=3, help="of tuning (default: 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=300, help="seconds (default: 300)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    tree.add_compiling(parser)
    parser.add_argument("--sparseflow", metavar="PATH")
    parser.add_argument("--schedule-file", metavar="FILE")
    parser.add_argument("--results", type=Path, metavar="FILE",
                        help="(default: OUT/fallback.json)")
    options = parser.parse_args()
    options.kinds = tuple(options.kinds.split(","))
    if unknown := [kind for kind in options.kinds
                   if kind not in cases.KINDS or cases.KINDS[kind].int8]:
        parser.error("--kinds: expected kinds whose activations are not rounded, found "
                     f"{unknown[0]}")
    if options.compile_only:
        options.sparseflow = tree.compiler(options.sparseflow)
        if not options.sparseflow:
            print("error: the compiler is missing: run scripts/quickstart, or name it with "
                  "--sparseflow", file=sys.stderr)
            return 3
        return 1 if compile_all(options) else 0
    options.results = options.results or options.run / "fallback.json"
    if not (options.run / "index.json").is_file():
        print(f"error: expected {options.run}/index.json, which --compile-only writes",
              file=sys.stderr)
        return 1
    try:
        return run(options)
    except ImportError as error:
        print(f"error: {error}; the layers are PyTorch's tensors", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
