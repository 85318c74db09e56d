#!/usr/bin/env python3
"""Products with ternary weights on a GPU beside cuBLASLt. Behind `scripts/bench ternary`.

  scripts/bench ternary --compile-only OUT    bundles and an index (compiler, no GPU)
  scripts/bench ternary --run OUT             checks and times them (GPU, no compiler)

The second half needs Python 3.9, a driver and nvcc with cuBLASLt. Rows are written as
they come and kept by the next call for the same commit and target.

Kernels of other projects take part where the first half is given clones of them
(--peer-source bitnet=DIR, llama=DIR, marlin=DIR).

Exit codes: 0 done and right, 1 a program did not compile or OUT is not one, 2 usage,
3 sparseflow is missing, 4 a wrong result.
"""

import argparse
import fnmatch
import json
import random
import sys
import time
from pathlib import Path

from common import tree
from common.kept_rows import KeptRows
from matmul import compiling, ternary_cases as cases, ternary_table
from matmul.running import call, why
from peers import build as peers_build

# Seconds that a row may take, and that have to be left to begin one.
ROW_LIMIT, ROW_LEAST = 60, 8


def compile_all(options):
    for source in options.peer_source:
        name, _, clone = source.partition("=")
        if name not in peers_build.LIBRARIES or not clone:
            raise ValueError(f"--peer-source {source}: expected NAME=DIR with a name of "
                             f"{', '.join(peers_build.LIBRARIES)}")
        print(peers_build.build_library(name, clone, options.target,
                                        options.compile_only / "peers"), flush=True)
    return compiling.compile_programs(options, [
        ({"name": program.name, "n": program.n, "k": program.k, "kind": program.kind},
         cases.text(program), cases.flags(program)) for program in cases.programs()
        if not options.only or options.only in program.name])


class Bench(KeptRows):
    kind, table = "ternary", ternary_table
    settings = ("samples", "settle")
    ROW_LEAST = ROW_LEAST

    def __init__(self, options):
        super().__init__(options, options.run.resolve())

    cases = staticmethod(cases.rows)

    @staticmethod
    def key(case):
        return case.key

    def plans(self, row, case):
        """The plans of a row's kernels, as words for the peer program."""
        words = []
        for program in case.programs():
            try:
                path, kernels = self.plan(program.name, {"T": case.t})
                words += ["--exact" if program.exact else "--close", program.title, path]
                row["kernels"] += [{"contender": program.title, **kernel}
                                   for kernel in kernels]
            except (OSError, ValueError, KeyError) as error:
                row["notes"].append(f"{program.title}: {error}")
        return words

    def libraries(self):
        """The libraries of other projects' kernels, as words for the peer program."""
        return [word for path in sorted((self.folder / "peers").glob("*.so"))
                for word in ("--library", path)]

    def compare(self, case):
        row = {"key": case.key, "t": case.t, "n": case.n, "k": case.k,
               "weights": case.weights, "kernels": [], "notes": []}
        begin = time.monotonic()
        seed = self.options.seed or random.randrange(1, 1 << 40)
        code, out, err = call(
            [self.peers, case.t, case.n, case.k, case.weights, self.options.samples,
             "--settle", self.options.settle, "--seed", seed, *self.plans(row, case),
             *self.libraries()],
            min(ROW_LIMIT, self.left()))
        try:
            answer = json.loads(out.strip().splitlines()[-1])
        except (ValueError, IndexError):
            answer = {"error": why(code, out, err)}
        row["seconds"] = round(time.monotonic() - begin, 1)
        if code != 0 or "error" in answer:
            row["error"] = answer.get("error", why(code, out, err))
        else:
            row["notes"] += answer["notes"]
            for name in ("seed", "copy_gbs", "sm_mhz", "limits", "rows"):
                row[name] = answer[name]
            for name in ("device", "multiprocessors", "l2_bytes", "driver_cuda",
                         "runtime_cuda", "cublaslt"):
                self.results["machine"].setdefault("libraries", {})[name] = answer[name]
        self.keep(row)

    def all_rows(self):
        words = [word.strip() for word in (self.options.rows or "*").split(",")]
        chosen = [case for case in cases.rows()
                  if any(fnmatch.fnmatchcase(case.key, word) for word in words)]
        if not chosen:
            raise ValueError(f"--rows {self.options.rows}: no row matches; expected T x N x "
                             f"K and weights such as {cases.rows()[0].key}, with * and ?")
        self.begin("ternary_peers")
        rows = self.take(chosen)
        wrong = [f"{row['key']} {r['name']}" for row in rows for r in row.get("rows", [])
                 if not ternary_table.right(r)]
        if wrong:
            print(f"wrong or not repeatable: {', '.join(wrong)}")
        return 4 if wrong else 1 if any("error" in row for row in rows) else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench ternary", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--compile-only", metavar="OUT", type=Path,
                      help="compile every program into OUT")
    what.add_argument("--run", metavar="OUT", type=Path, help="check and time what OUT holds")
    half = parser.add_argument_group("with --compile-only")
    half.add_argument("--target", default="sm_90a", help="default: sm_90a")
    half.add_argument("--jobs", type=int, default=2, help="compilers at a time (2)")
    half.add_argument("--only", metavar="TEXT", help="programs with TEXT in their name")
    tree.add_compiling(half)
    half.add_argument("--sparseflow", metavar="PATH", help="the compiler")
    half.add_argument("--schedule-file", metavar="FILE", help="another table of schedules")
    half.add_argument("--peer-source", metavar="NAME=DIR", action="append", default=[],
                      help="a clone of another project, whose kernel takes part: "
                      + ", ".join(peers_build.LIBRARIES))
    half = parser.add_argument_group("with --run")
    half.add_argument("--results", type=Path, default=tree.ROOT / "bench/results",
                      metavar="DIR", help="default: bench/results")
    half.add_argument("--rows", metavar="LIST",
                      help="rows by name, with * and ?, joined by commas")
    half.add_argument("--fresh", action="store_true", help="keep no rows of before")
    half.add_argument("--budget", type=float, default=240, metavar="SECONDS",
                      help="time for everything (240)")
    half.add_argument("--peers", metavar="PATH", type=Path,
                      help="a built peer program (default: nvcc builds it)")
    half.add_argument("--samples", type=int, default=24, help="rounds (24)")
    half.add_argument("--settle", type=float, default=3, metavar="MS",
                      help="load before each sample (3)")
    half.add_argument("--seed", type=int, help="of the numbers (default: another each time)")
    options = parser.parse_args()
    if options.compile_only:
        options.sparseflow = tree.compiler(options.sparseflow)
        if not options.sparseflow:
            print("error: sparseflow is missing: build it, or name it with --sparseflow",
                  file=sys.stderr)
            return 3
        try:
            return 1 if compile_all(options) else 0
        except (ValueError, RuntimeError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    if not (options.run / "index.json").is_file():
        print(f"error: {options.run} has no index.json; expected what --compile-only "
              "writes", file=sys.stderr)
        return 1
    options.cusparselt = None
    try:
        return Bench(options).run()
    except (ValueError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
