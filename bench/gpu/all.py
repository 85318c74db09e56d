#!/usr/bin/env python3
"""Every result of bench/results, by one command in two halves.

    scripts/bench all --compile-only OUT     compiles what all benchmarks run, into OUT
    scripts/bench all --run OUT              runs them on a GPU, then writes every page,
                                             plot and the leaderboard of bench/results

Both halves go on where a call before them stopped: what is compiled, or measured to its
end, at the same commit is not done again. A benchmark that keeps its rows is called until
a call adds none. A step that fails stops none of the others. Where there are several GPUs,
each has a benchmark at a time. Names of results begin with the card's, such as h100.

Exit codes: 0 all done, 1 a step failed, 2 usage, 4 a wrong result, 75 time is up: call
again.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from common import machine, tree
from layers import table

HERE = Path(__file__).resolve().parent
LEAST = 30  # Seconds that are worth a call.


@dataclass
class Step:
    """`results`: the file it writes in its folder; `page`: its name in bench/results, behind
    the card's. `bundles`: the step whose bundles it runs, if not its own. `parts`: what is
    measured apart, on several GPUs where there are, and put together: the options of each."""

    name: str
    program: str
    results: str
    page: str
    compiling: tuple = ()
    running: tuple = ()
    half: str = "--run"
    bundles: str = ""
    parts: tuple = ((),)


def layers(seed, page):
    """The sweep over layers of models with one seed's numbers of tokens."""
    return Step(f"sweep-{seed}" if seed > 1 else "sweep", "sweep.py", "sweep", page,
                () if seed > 1 else ("--kinds", KINDS),
                ("--kinds", KINDS, "--seed", str(seed)), bundles="sweep" if seed > 1 else "",
                parts=(("--part", "0/2"), ("--part", "1/2")))


KINDS = "sparse-f16,w2a8,w2a16,tern24-a8"
COMPARED = ("--set", "compare", "--target", "sm_90a")
# Parts, so that several GPUs share them.
MODELS = (("llama-3-8b-24", "--timeline", "llama-3-8b-24"), ("llama-3-8b-24-head8",),
          ("llama-3-8b-24-cache8",), ("llama-3-8b-w2a8",), ("llama-3-8b-w2a8-head8",),
          ("llama-3-8b-w2a8-cache8",), ("llama-3-8b-w2a8-cache4",),
          ("bitnet-2b-w2a8,bitnet-2b-w2a8-head8,bitnet-2b-w2a8-cache8,smollm2-135m,"
           "smollm2-135m-head8",))
# The longest first, so that GPUs end at about the same time.
STEPS = (
    Step("models", "models.py", "models", "models", ("--target", "sm_90a"),
         parts=tuple(("--models", *part) for part in MODELS)),
    Step("gemm-compare", "gemm.py", "gemm-compare", "gemm-compare", COMPARED,
         ("--shapes", "*-f16-*"), "--compare"),
    layers(1, "sweep-model"),
    layers(2, "sweep-model-2"),
    Step("gemm", "gemm.py", "gemm", "gemm", ("--target", "sm_90")),
    Step("gemm-sm90a", "gemm.py", "gemm", "gemm-sm90a", ("--target", "sm_90a")),
    Step("gemm-compare-bf16", "gemm.py", "gemm-compare", "gemm-compare-bf16", (),
         ("--shapes", "*-bf16-*"), "--compare", "gemm-compare"),
    Step("ternary", "ternary.py", "ternary", "ternary", ("--target", "sm_90a")),
    Step("attention", "attention.py", "attention-sm_90a", "attention", ("--target", "sm_90a")),
    Step("attention-sweep", "attention.py", "attention-sweep-sm_90a", "attention-sweep",
         ("--sweep", "--target", "sm_90a"), ("--sweep", "--no-checks")),
    Step("ternary-attention", "ternary_attention.py", "ternary-attention-sm_90a",
         "ternary-attention", ("--target", "sm_90a")),
    Step("conformance", "conformance.py", "conformance", "conformance"),
)


class State:
    """What is done, on disk after each step: {step: what became of it}."""

    def __init__(self, path, commit):
        self.path, self.commit, self.steps = path, commit, {}
        self.lock = threading.Lock()
        if path.exists():
            known = json.loads(path.read_text())
            if known["commit"] == commit:
                self.steps = known["steps"]

    def put(self, name, **what):
        with self.lock:
            self.steps[name] = what
            self.path.write_text(json.dumps({"commit": self.commit, "steps": self.steps},
                                            indent=1) + "\n")

    def done(self, name):
        return self.steps.get(name, {}).get("done", False)


def call(options, step, arguments, limit=None, gpu=None):
    """The exit code of a benchmark, which sees the GPU of that number alone; 124 where it ran
    past `limit` seconds."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    if gpu is not None:
        environment["CUDA_VISIBLE_DEVICES"] = str(gpu)
    command = [sys.executable, str(options.programs / step.program), *arguments]
    print(f"== {step.name}: {' '.join(command[1:])}", flush=True)
    try:
        return subprocess.run(command, check=False, timeout=limit,
                              env=environment).returncode
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
        if step.bundles or state.done(step.name):
            continue
        code = call(options, step, ["--compile-only", str(options.out / step.name),
                                    "--commit", commit, "--jobs", str(options.jobs),
                                    *tree.gpu_flags(options),
                                    *step.compiling])
        state.put(step.name, done=code == 0, code=code)
        failed |= code != 0
    return int(failed)


def rows(path):
    """How many rows a result of one that keeps them has; None where it keeps none."""
    results = json.loads(path.read_text()) if path.exists() else {"calls": []}
    return len(results.get("rows", [])) if "calls" in results else None


def part_name(step, part):
    return step.name if len(step.parts) == 1 else f"{step.name}.{part}"


def results_of(options, step, part):
    return options.out / "results" / part_name(step, part) / f"{step.results}.json"


def run_part(options, step, part, state, deadline, gpu):
    """Calls a benchmark until it adds nothing; false where it is out of time."""
    path = results_of(options, step, part)
    while True:
        left = deadline - time.monotonic()
        if left < LEAST:
            return False
        before = rows(path)
        code = call(options, step, [step.half, str(options.out / (step.bundles or step.name)),
                                    "--results", str(path.parent),
                                    "--budget", str(int(min(left, 540))), *step.running,
                                    *step.parts[part]], left, gpu)
        if code == 124:
            return False
        after = rows(path)
        if code not in (0, 4) or after is None or after == before:
            state.put(part_name(step, part), done=code in (0, 4) and path.exists(), code=code)
            return True


def merged(texts):
    """The results of a step, from those of its parts."""
    whole, *others = map(json.loads, texts)
    for other in others:
        for name in ("rows", "calls"):
            whole[name] = whole.get(name, []) + other.get(name, [])
    return table.dump(whole) if others else texts[0]


def run_parts(options, waiting, state, deadline):
    """Runs (step, part) of `waiting`, one after the other on each GPU; names of those that
    there was no time for."""
    late, lock = [], threading.Lock()

    def work(gpu):
        while True:
            with lock:
                if not waiting:
                    return
                step, part = waiting.pop(0)
            if not run_part(options, step, part, state, deadline, gpu):
                with lock:
                    late.append(part_name(step, part))
    count = options.gpus or max(1, machine.gpus())
    threads = [threading.Thread(target=work, args=(gpu if count > 1 else None,))
               for gpu in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return late


def run_all(options, steps):
    compiled = options.out / "compiled.json"
    if not compiled.exists():
        print(f"error: {compiled}: expected what scripts/bench all --compile-only writes, "
              "found no file", file=sys.stderr)
        return 1
    commit = json.loads(compiled.read_text())["commit"]
    state = State(options.out / "run.json", commit)
    parts = [(step, part) for step in steps for part in range(len(step.parts))]
    late = run_parts(options, [work for work in parts if not state.done(part_name(*work))],
                     state, time.monotonic() + options.budget)
    if late:
        print(f"time is up in {', '.join(sorted(late))}; the next call goes on", flush=True)
        return 75
    options.results.mkdir(parents=True, exist_ok=True)
    codes, card = {}, machine.card()
    for step in steps:
        names = [part_name(step, part) for part in range(len(step.parts))]
        codes[step.name] = max(state.steps[name]["code"] for name in names)
        if all(map(state.done, names)):
            (options.results / f"{card}-{step.page}.json").write_text(merged(
                [results_of(options, step, part).read_text() for part in range(len(names))]))
    pages = [subprocess.run([sys.executable, str(HERE / program), "--results",
                             str(options.results), *more], check=False).returncode
             for program, more in (("leaderboard.py", ()),
                                   ("tables.py", ("--readme", str(options.readme))))]
    for name, code in codes.items():
        print(f"{name}: {'ok' if code == 0 else f'exit code {code}'}")
    return 4 if 4 in codes.values() else 1 if any(codes.values()) or any(pages) else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench all", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--compile-only", metavar="OUT", type=Path)
    what.add_argument("--run", metavar="OUT", type=Path)
    parser.add_argument("--only", metavar="NAME,...", help="of: "
                        + ", ".join(step.name for step in STEPS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    tree.add_compiling(parser)
    parser.add_argument("--gpus", type=int, metavar="N",
                        help="GPUs of --run, each with a benchmark at a time (all)")
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
