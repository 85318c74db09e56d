#!/usr/bin/env python3
"""The simulator's cases on a GPU. Behind `scripts/bench conformance`.

  scripts/bench conformance --compile-only OUT    bundles and an index (compiler, no GPU)
  scripts/bench conformance --run OUT             runs and checks them (GPU, no compiler)

The programs, sizes and arguments are those of matrix.json and attention-matrix.json, which
test/Simulator/matrix/*.test run on the simulator, each program for the targets that
its row names. Kernels for another family than the GPU's, sm_80 and sm_86, are taken
as PTX, which the driver translates. Every element is compared with float64, and the
launches of a case have to agree in every bit.

The second half needs Python 3.9, sparseflow-conformance and a driver.

Exit codes: 0 done and right, 1 a program did not compile or OUT is not one,
2 usage, 3 a program or the device is missing, 4 a wrong result.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import programs
from attn import cases as attention_cases
from common import machine, tree

TARGETS = ("sm_80", "sm_86", "sm_90", "sm_90a")
# What runs on compute capability 9.0 as machine code; others travel as PTX.
NATIVE = ("sm_90", "sm_90a")
MOST_RESTARTS = 20  # after errors of the device


def find(given, name):
    """A tool by path, from the build directories or PATH."""
    places = [given] if given else [tree.ROOT / f"build/{build}/bin/{name}"
                                    for build in ("release", "rt", "ci", "dev")] + [name]
    for place in places:
        if found := shutil.which(str(place)):
            return found
    print(f"error: {given or name} is missing: build it, or name it on the command line",
          file=sys.stderr)
    sys.exit(3)


def as_ptx(bundle, target):
    """Makes the bundle's image for `target` the PTX, which a GPU of 9.0 takes."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    for function in manifest["functions"]:
        for program in function["programs"]:
            image = bundle / program["image"]
            image.unlink(missing_ok=True)
            program["image"] = image.with_suffix(".ptx").name
            program["target"] = NATIVE[0]
    (bundle / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def compile_one(case, options, out):
    """Compiles a case of programs.matrix_cases(); returns the index's entry."""
    name, target = case["program"], case["target"]
    bundle = out / "bundles" / target / name
    entry = {key: case[key] for key in ("program", "target", "seed", "special", "tokens")}
    entry["bundle"] = f"bundles/{target}/{name}"
    bundle.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([options.sparseflow, "compile", str(out / "programs" / case["file"]),
                           "--target", target, "--emit", "bundle", "-o", str(bundle),
                           # Whether ptxas finds it slow is another question.
                           "--allow-slow-code", *tree.gpu_flags(options)],
                          capture_output=True, text=True, timeout=300)
    if done.returncode:
        entry["error"] = done.stderr.strip()[-2000:]
    elif target in NATIVE:
        for listing in bundle.glob("*.ptx"):
            listing.unlink()
    else:
        as_ptx(bundle, target)
    return entry


def compile_all(options):
    out = options.compile_only
    options.sparseflow = find(options.sparseflow, "sparseflow")
    shutil.rmtree(out / "bundles", ignore_errors=True)
    (out / "programs").mkdir(parents=True, exist_ok=True)
    cases = [case for case in [*programs.matrix_cases(), *attention_cases.cases()]
             if case["target"] in options.targets and options.only in case["program"]]
    for program, _ in programs.matrix():
        (out / "programs" / f"{program.name}.mlir").write_text(programs.text(program))
    attention_cases.write(out / "programs")
    start = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as pool:
        entries = list(pool.map(lambda case: compile_one(case, options, out), cases))
    shutil.rmtree(out / "programs")
    failed = [entry for entry in entries if "error" in entry]
    for entry in failed:
        print(f"{entry['target']} {entry['program']}: {entry['error']}")
    index = {"format": "sparseflow-conformance", "version": 1,
             "commit": options.commit or tree.commit(),
             "programs": [entry for entry in entries if "error" not in entry]}
    (out / "index.json").write_text(json.dumps(index, indent=1) + "\n")
    sizes = sum(len(entry["tokens"]) for entry in index["programs"])
    print(f"{len(entries) - len(failed)} of {len(entries)} programs compiled, "
          f"{sizes} cases, in {time.monotonic() - start:.0f} s")
    return 1 if failed or not entries else 0


def run_all(tool, out, repeat, budget):
    """The lines of every case; a process that an error of the device ended is started
    again behind it."""
    rows, first, end = [], 0, time.monotonic() + budget
    for _ in range(MOST_RESTARTS):
        process = subprocess.Popen([tool, str(out), "--first", str(first), "--repeat",
                                    str(repeat)], stdout=subprocess.PIPE, text=True)
        try:
            text, _ = process.communicate(timeout=max(1, end - time.monotonic()))
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            text, _ = process.communicate()
            code = None
        # The last line may be cut short.
        lines = [json.loads(line) for line in text.splitlines()
                 if line.startswith("{") and line.endswith("}")]
        rows += lines
        if code == 0:
            return rows, None
        if code is None:
            return rows, f"no end within {budget} s"
        if code in (1, 2) or (code == 3 and not lines):
            return rows, f"exit code {code}"
        first = lines[-1]["case"] + 1 if lines else first
        if code != 3:
            # A crash, in the case behind the last line.
            rows.append({"case": first, "ok": False, "error": f"ended with code {code}"})
            first += 1
    return rows, f"{MOST_RESTARTS} processes ended before the last case"


def table(results):
    """The results as Markdown."""
    of_attention = [str(row.get("program")).startswith("attention-") for row in results["cases"]]
    tables = ["[matrix.json](../gpu/matrix.json)"] if not all(of_attention) else []
    if any(of_attention):
        tables.append("[attention-matrix.json](../gpu/attention-matrix.json)")
    lines = ["# The simulator's cases on a GPU", "",
             "Written by `scripts/bench conformance`: the programs, sizes and arguments of "
             f"{' and '.join(tables)}, which the simulator runs on every change. "
             "Every element against float64; the launches of a case agree in every bit.", "",
             f"Commit {results['commit']}; {results['gpu'].get('name')}, driver "
             f"{results['gpu'].get('driver_version')}; {results['repeat']} launches a case; "
             f"{results['seconds']} s.", "",
             "| target | cases | right | bitwise equal | largest error | of plain arithmetic |",
             "| --- | --- | --- | --- | --- | --- |"]
    for target in TARGETS:
        rows = [row for row in results["cases"] if row.get("target") == target]
        if not rows:
            continue
        name = target if target in NATIVE else f"{target}, as PTX"
        lines.append(
            f"| {name} | {len(rows)} | {sum(row['ok'] for row in rows)} | "
            f"{sum(row.get('bitwise_equal', False) for row in rows)} | "
            f"{max(row.get('relative_error') or 0 for row in rows):.3g} | "
            f"{max(row.get('plain_relative_error') or 0 for row in rows):.3g} |")
    bad = [row for row in results["cases"] if not row["ok"]]
    lines += [""] + [f"* {row.get('target')} {row.get('program')}, T = {row.get('tokens')}: "
                     f"{row.get('error', 'launches differ')}" for row in bad]
    if results["problem"]:
        lines.append(f"* {results['problem']}")
    return "\n".join(lines).rstrip() + "\n"


def run(options):
    out = options.run
    if not (out / "index.json").is_file():
        print(f"error: {out} has no index.json; expected what --compile-only writes",
              file=sys.stderr)
        return 1
    index = json.loads((out / "index.json").read_text())
    expected = sum(len(entry["tokens"]) for entry in index["programs"])
    tool = find(options.tool, "sparseflow-conformance")
    start = time.monotonic()
    rows, problem = run_all(tool, out, options.repeat, options.budget)
    if not problem and len(rows) != expected:
        problem = f"{len(rows)} of {expected} cases were run"
    results = {"format": "sparseflow-conformance-results", "version": 1,
               "commit": index["commit"], "gpu": machine.describe()["gpu"] or {},
               "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
               "seconds": round(time.monotonic() - start, 1), "repeat": options.repeat,
               "problem": problem, "cases": rows}
    options.results.mkdir(parents=True, exist_ok=True)
    # A row a line.
    head = json.dumps({**results, "cases": []}, indent=1)[:-len("[]\n}")]
    (options.results / "conformance.json").write_text(
        head + "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]}\n")
    (options.results / "conformance.md").write_text(table(results))
    wrong = [row for row in rows if not row["ok"]]
    for row in wrong[:20]:
        print(f"{row.get('target')} {row.get('program')} T={row.get('tokens')}: "
              f"{row.get('error', 'launches differ')}")
    print(f"{len(rows) - len(wrong)} of {expected} cases right, in {results['seconds']} s"
          + (f"; {problem}" if problem else ""))
    return 4 if wrong else 3 if problem else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench conformance", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--compile-only", metavar="OUT", type=Path, help="compile into OUT")
    what.add_argument("--run", metavar="OUT", type=Path, help="run what OUT holds")
    half = parser.add_argument_group("with --compile-only")
    half.add_argument("--targets", type=lambda text: text.split(","), default=TARGETS,
                      metavar="LIST", help=f"default: {','.join(TARGETS)}")
    half.add_argument("--only", metavar="TEXT", default="",
                      help="programs with TEXT in their name")
    half.add_argument("--jobs", type=int, default=2, help="compilers at a time (2)")
    tree.add_compiling(half)
    half.add_argument("--sparseflow", metavar="PATH", help="the compiler")
    half = parser.add_argument_group("with --run")
    half.add_argument("--tool", metavar="PATH", help="sparseflow-conformance")
    half.add_argument("--repeat", type=int, default=50, help="launches of a case (50)")
    half.add_argument("--budget", type=float, default=170, metavar="SECONDS",
                      help="time for everything (170)")
    half.add_argument("--results", type=Path, default=tree.ROOT / "bench/results", metavar="DIR",
                      help="default: bench/results")
    options = parser.parse_args()
    return compile_all(options) if options.compile_only else run(options)


if __name__ == "__main__":
    sys.exit(main())
