#!/usr/bin/env python3
"""Matmuls on a GPU: right, repeatable, fast. Behind `scripts/bench gemm`.

Two halves, for the machine with the compiler is seldom the one with the GPU:

  scripts/bench gemm --compile-only OUT    bundles and an index (compiler, no GPU)
  scripts/bench gemm --run OUT             checks and times them (GPU, no compiler)

The speed beside the libraries, shape by shape, is a set of its own; rows that are
there already are kept, so that it may take several calls:

  scripts/bench gemm --compile-only OUT --set compare --target sm_90a
  scripts/bench gemm --compare OUT [--shapes 2048x2048x2048,...]

and `scripts/bench gemm` alone does both where compiler and GPU are on one machine.

The second half needs Python 3.9, sparseflow-exec and a driver; with nvcc it times
cuBLASLt (and cuSPARSELt, where it is found) beside, with ncu and compute-sanitizer it
reads counters and looks for races. What is missing is recorded, not fatal.

Exit codes: 0 done and right, 1 a program did not compile or OUT is not one,
2 usage, 3 sparseflow or sparseflow-exec is missing, 4 a wrong result.
"""

import argparse
import os
import sys
from pathlib import Path

from common import tree
from matmul import compare, compiling, running


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench gemm", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--compile-only", metavar="OUT", type=Path,
                      help="compile every program into OUT")
    what.add_argument("--run", metavar="OUT", type=Path, help="run what OUT holds")
    what.add_argument("--compare", metavar="OUT", type=Path,
                      help="time what OUT holds beside the libraries")
    half = parser.add_argument_group("with --compile-only")
    half.add_argument("--set", choices=("all", "conformance", "matrix", "speed", "compare"),
                      default="all", help="which programs (all: for --run)")
    half.add_argument("--target", default="sm_90", help="default: sm_90")
    half.add_argument("--jobs", type=int, default=2, help="compilers at a time (2)")
    half.add_argument("--only", metavar="TEXT", help="programs with TEXT in their name")
    tree.add_compiling(half)
    half.add_argument("--sparseflow", metavar="PATH", help="the compiler")
    half.add_argument("--schedule-file", metavar="FILE", help="another table of schedules")
    half = parser.add_argument_group("with --run")
    half.add_argument("--results", type=Path, default=tree.ROOT / "bench/results",
                      metavar="DIR", help="default: bench/results")
    half.add_argument("--quick", action="store_true", help="a sample, in about a minute")
    half.add_argument("--budget", "--budget-seconds", type=float, default=450,
                      metavar="SECONDS", help="time for everything (450)")
    half.add_argument("--repeat", type=int, help="launches of each check (50; quick: 10)")
    half.add_argument("--workers", type=int,
                      default=max(1, min(8, (os.cpu_count() or 2) // 2)),
                      help="checks at a time (half the cores, at most 8)")
    half.add_argument("--threads", type=int, default=2, help="threads of each check (2)")
    half.add_argument("--exec", metavar="PATH", help="sparseflow-exec")
    half.add_argument("--peers", metavar="PATH", type=Path,
                      help="a built peer program (default: nvcc builds it)")
    half.add_argument("--cusparselt", metavar="DIR", type=Path,
                      help="cuSPARSELt's directory, with include and lib")
    half = parser.add_argument_group("with --compare (also: --results, --budget, --peers, "
                                     "--cusparselt)")
    half.add_argument("--shapes", metavar="LIST",
                      help="rows by T x N x K or name, with * and ?, joined by commas")
    half.add_argument("--fresh", action="store_true", help="keep no rows of before")
    half.add_argument("--check-algorithms", action="store_true",
                      help="only print the error of each of cuSPARSELt's algorithms")
    half.add_argument("--samples", type=int, default=24, help="rounds (24)")
    half.add_argument("--settle", type=float, default=8, metavar="MS",
                      help="load before each sample (8)")
    half.add_argument("--burst", type=int, default=9, help="samples after idle (9)")
    half.add_argument("--groups", type=int, default=20,
                      help="groups of replays of each alone (20)")
    options = parser.parse_args()
    both = not (options.compile_only or options.run or options.compare)
    if both:
        options.compile_only = options.compare = tree.ROOT / "build/bench-gemm"
        options.set, options.target = "compare", "sm_90a"

    if options.compile_only:
        options.sparseflow = tree.compiler(options.sparseflow)
        if not options.sparseflow:
            print("error: sparseflow is missing: build it, or name it with --sparseflow",
                  file=sys.stderr)
            return 3
        failed = compiling.compile_all(options)
        if not both:
            return 1 if failed else 0

    folder = options.compare or options.run
    if not (folder / "index.json").is_file():
        print(f"error: {folder} has no index.json; expected what --compile-only "
              f"writes", file=sys.stderr)
        return 1
    if options.compare:
        options.compare = folder.resolve()
        try:
            return compare.Compare(options).run()
        except (ValueError, RuntimeError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    options.exec = tree.executor(options.exec)
    if not options.exec:
        print("error: sparseflow-exec is missing: build it, or name it with --exec",
              file=sys.stderr)
        return 3
    options.repeat = options.repeat or (10 if options.quick else 50)
    options.run = options.run.resolve()
    return running.Bench(options).run()


if __name__ == "__main__":
    sys.exit(main())
