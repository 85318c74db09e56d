#!/usr/bin/env python3
"""Every result of bench/results, by one command in two halves.

    scripts/bench all --compile-only OUT     compiles what all benchmarks run, into OUT
    scripts/bench all --run OUT              runs them on a GPU, then writes every page,
                                             plot and the leaderboard of bench/results

Both halves go on where a call before them stopped: what is compiled, or measured to its
end, at the same commit is not done again. A benchmark that keeps its rows is called until
a call adds none. A step that fails stops none of the others.

Exit codes: 0 all done, 1 a step failed, 2 usage, 4 a wrong result, 75 time is up: call
again.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from common import tree

HERE = Path(__file__).resolve().parent
LEAST = 30  # Seconds that are worth a call.


@dataclass
class Step:
    """`results`: the file it writes in its folder, and `page`, its name in bench/results.
    `bundles`: the step whose bundles it runs, if not its own."""

    name: str
    program: str
    results: str
    page: str
    compiling: tuple = ()
    running: tuple = ()
    half: str = "--run"
    bundles: str = ""


COMPARED = ("--set", "compare", "--target", "sm_90a")
STEPS = (
    Step("conformance", "conformance.py", "h200-conformance", "h200-conformance"),
    Step("gemm", "gemm.py", "h200-gemm", "h200-gemm", ("--target", "sm_90")),
    Step("gemm-sm90a", "gemm.py", "h200-gemm", "h200-gemm-sm90a", ("--target", "sm_90a")),
    Step("gemm-compare", "gemm.py", "h200-gemm-compare", "h200-gemm-compare", COMPARED,
         ("--shapes", "*-f16-*"), "--compare"),
    Step("gemm-compare-bf16", "gemm.py", "h200-gemm-compare", "h200-gemm-compare-bf16", (),
         ("--shapes", "*-bf16-*"), "--compare", "gemm-compare"),
    Step("ternary", "ternary.py", "h200-ternary", "h200-ternary", ("--target", "sm_90a")),
    Step("attention", "attention.py", "attention-sm_90a", "h200-attention",
         ("--target", "sm_90a")),
    Step("attention-sweep", "attention.py", "attention-sweep-sm_90a", "h200-attention-sweep",
         ("--sweep", "--target", "sm_90a"), ("--sweep", "--no-checks")),
    Step("models", "models.py", "h200-models", "h200-models", ("--target", "sm_90a"),
         ("--timeline", "llama-3-8b-24")),
    Step("ternary-attention", "ternary_attention.py", "ternary-attention-sm_90a",
         "h200-ternary-attention", ("--target", "sm_90a")),
    Step("sweep", "sweep.py", "h200-sweep", "h200-sweep-model",
         ("--kinds", "sparse-f16,w2a8,w2a16,tern24-a8"),
         ("--kinds", "sparse-f16,w2a8,w2a16,tern24-a8")),
)


class State:
    """What is done, on disk after each step: {step: what became of it}."""

    def __init__(self, path, commit):
        self.path, self.commit, self.steps = path, commit, {}
        if path.exists():
            known = json.loads(path.read_text())
            if known["commit"] == commit:
                self.steps = known["steps"]

    def put(self, step, **what):
        self.steps[step.name] = what
        self.path.write_text(json.dumps({"commit": self.commit, "steps": self.steps},
                                        indent=1) + "\n")

    def done(self, step):
        return self.steps.get(step.name, {}).get("done", False)


def call(options, step, arguments, limit=None):
    """The exit code of a benchmark; 124 where it ran past `limit` seconds."""
    command = [sys.executable, str(options.programs / step.program), *arguments]
    print(f"== {step.name}: {' '.join(command[1:])}", flush=True)
    try:
        return subprocess.run(command, check=False, timeout=limit,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}).returncode
    except subprocess.TimeoutExpired:
        return 124


def compile_all(options, steps):
    commit = options.commit or tree.commit()
    if commit.endswith("+changes") and not options.changes:
        print("error: expected a tree without changes, so that the results are a commit's; "
              "commit them, or allow them with --changes", file=sys.stderr)
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    state, failed = State(options.out / "compiled.json", commit), 0
    for step in steps:
        if step.bundles or state.done(step):
            continue
        code = call(options, step, ["--compile-only", str(options.out / step.name),
                                    "--commit", commit, "--jobs", str(options.jobs),
                                    *step.compiling])
        state.put(step, done=code == 0, code=code)
        failed |= code != 0
    return int(failed)


def rows(path):
    """How many rows a result of one that keeps them has; None where it keeps none."""
    results = json.loads(path.read_text()) if path.exists() else {"calls": []}
    return len(results.get("rows", [])) if "calls" in results else None


def run_step(options, step, state, deadline):
    """Calls a benchmark until it adds nothing: its last exit code, None out of time."""
    folder = options.out / "results" / step.name
    path = folder / f"{step.results}.json"
    while True:
        left = deadline - time.monotonic()
        if left < LEAST:
            return None
        before = rows(path)
        code = call(options, step, [step.half, str(options.out / (step.bundles or step.name)),
                                    "--results", str(folder),
                                    "--budget", str(int(min(left, 540))), *step.running],
                    left)
        if code == 124:
            return None
        after = rows(path)
        if code not in (0, 4) or after is None or after == before:
            state.put(step, done=code in (0, 4) and path.exists(), code=code)
            return code


def run_all(options, steps):
    compiled = options.out / "compiled.json"
    if not compiled.exists():
        print(f"error: {compiled}: expected what scripts/bench all --compile-only writes, "
              "found no file", file=sys.stderr)
        return 1
    commit = json.loads(compiled.read_text())["commit"]
    state = State(options.out / "run.json", commit)
    deadline = time.monotonic() + options.budget
    for step in steps:
        if not state.done(step) and run_step(options, step, state, deadline) is None:
            print(f"time is up in {step.name}; the next call goes on", flush=True)
            return 75
    for step in steps:
        path = options.out / "results" / step.name / f"{step.results}.json"
        if state.done(step):
            options.results.mkdir(parents=True, exist_ok=True)
            (options.results / f"{step.page}.json").write_text(path.read_text())
    codes = [state.steps[step.name]["code"] for step in steps]
    pages = [subprocess.run([sys.executable, str(HERE / program), "--results",
                             str(options.results), *more], check=False).returncode
             for program, more in (("leaderboard.py", ()),
                                   ("tables.py", ("--readme", str(options.readme))))]
    for step, code in zip(steps, codes):
        print(f"{step.name}: {'ok' if code == 0 else f'exit code {code}'}")
    return 4 if 4 in codes else 1 if any(codes) or any(pages) else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench all", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--compile-only", metavar="OUT", type=Path)
    what.add_argument("--run", metavar="OUT", type=Path)
    parser.add_argument("--only", metavar="NAME,...", help="of: "
                        + ", ".join(step.name for step in STEPS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--commit", help="the commit to record (default: git's)")
    parser.add_argument("--changes", action="store_true",
                        help="measure a tree with changes; the results say so")
    parser.add_argument("--budget", type=float, default=86400, metavar="SECONDS",
                        help="of a call of --run (a day)")
    parser.add_argument("--results", type=Path, default=tree.ROOT / "bench/results",
                        metavar="DIR")
    parser.add_argument("--readme", type=Path, default=tree.ROOT / "README.md", metavar="FILE")
    parser.add_argument("--programs", type=Path, default=HERE, metavar="DIR",
                        help="where the benchmarks are (bench/gpu)")
    options = parser.parse_args()
    options.out = options.compile_only or options.run
    named = options.only.split(",") if options.only else [step.name for step in STEPS]
    for name in named:
        if name not in [step.name for step in STEPS]:
            parser.error(f"--only: expected some of {', '.join(s.name for s in STEPS)}, "
                         f"found {name}")
    steps = [step for step in STEPS if step.name in named]
    return (compile_all if options.compile_only else run_all)(options, steps)


if __name__ == "__main__":
    sys.exit(main())
