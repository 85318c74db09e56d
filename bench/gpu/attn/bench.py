"""What the benchmarks of attention share: compiling programs, checking them, timing
variants in turn, and the command line."""

import argparse
import json
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

from common import machine, timing, tree


def compile_one(options, out, name, text):
    source = out / "programs" / f"{name}.mlir"
    source.write_text(text)
    bundle = out / "bundles" / name
    command = [options.sparseflow, "compile", str(source), "--target", options.target,
               "--emit", "bundle", "-o", str(bundle), "--remarks",
               *tree.gpu_flags(options)]
    if options.schedule_file:
        command += ["--schedule-file", options.schedule_file]
    entry = {"name": name, "bundle": f"bundles/{name}"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode == 1 and "--allow-slow-code" in done.stderr:
        entry["slow"] = True
        done = subprocess.run(command + ["--allow-slow-code"], capture_output=True,
                              text=True, timeout=600)
    if done.returncode:
        entry["error"] = done.stderr.strip()[-800:]
        return entry
    entry["ptxas"] = [line.split("ptxas] ")[-1] for line in
                      (done.stdout + done.stderr).splitlines() if "ptxas]" in line]
    for listing in bundle.glob("*.ptx"):
        listing.unlink()
    return entry


def compile_jobs(options, kind, jobs):
    """Compiles (kind, name, text) each, and writes the index; 1 where one failed that
    is no candidate of a schedule."""
    out = options.compile_only
    for name in ("programs", "bundles"):
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        entries = list(pool.map(
            lambda job: {"kind": job[0], **compile_one(options, out, *job[1:])}, jobs))
    (out / "index.json").write_text(json.dumps({
        "format": f"sparseflow-{kind}-index", "version": 1,
        "commit": options.commit or tree.commit(), "target": options.target,
        "programs": entries}, indent=1) + "\n")
    failed = [entry for entry in entries if "error" in entry]
    for entry in failed:
        print(f"{entry['name']}: {entry['error']}")
    for entry in entries:
        if entry.get("slow"):
            print(f"{entry['name']}: spills or is serialised: {entry.get('ptxas')}")
    print(f"{len(entries) - len(failed)} of {len(entries)} programs compiled")
    return 1 if [entry for entry in failed if entry["kind"] != "tune"] else 0


def check(options, entry, queries, keys, batch, sampled, results):
    """One program at one pair of lengths, against float64; 1 where it is wrong."""
    command = [options.exec, str(options.run / entry["bundle"]), "--dim", f"T={batch}",
               "--dim", f"T1={queries}", "--dim", f"T2={keys}", "--repeat", "10",
               "--check" + ("=sampled:96" if sampled else "")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    good = done.returncode == 0
    results["checks"].append({"name": entry["name"], "queries": queries, "keys": keys,
                              "ok": good})
    if not good:
        print(f"WRONG {' '.join(command)}\n{done.stdout}{done.stderr}", flush=True)
    return int(not good)


def check_all(options, index, results, lengths):
    """Every checked program at every pair of lengths; how many are wrong."""
    wrong = 0
    for entry in index["programs"]:
        if entry["kind"] != "check" or "error" in entry:
            continue
        for queries, keys in lengths:
            if options.left() < 20:
                results["check_note"] = "cut at the time budget"
                return wrong
            wrong += check(options, entry, queries, keys, 3, queries * keys > 1 << 18,
                           results)
    return wrong


def torch_timer(torch, graph):
    """Milliseconds of a replay of a PyTorch graph."""
    def timed():
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        return start.elapsed_time(end)
    return timed


def time_in_turns(runs, rounds, replays, launches):
    """Microseconds of a launch of each of `runs`, which replay `launches` and return
    milliseconds: what timing.summary keeps of all rounds, every second one in
    reverse; `us` is the median."""
    times = {name: [] for name in runs}
    for number in range(rounds):
        order = list(runs)
        for name in order if number % 2 == 0 else reversed(order):
            runs[name]()
            times[name] += [runs[name]() * 1000 / launches for _ in range(replays)]
    found = {name: timing.summary(values) for name, values in times.items()}
    return {name: {"us": kept.pop("median"), **kept} for name, kept in found.items()}


def time_all(options, index, results, shapes, names_of, time_shape, report):
    """Times the programs `names_of(shape, known)` of each shape, and hands what was
    found to `report(shape, names, times, known)`, which returns the row."""
    from common.cuda_driver import Driver
    driver = Driver()
    known = {entry["name"]: entry for entry in index["programs"] if "error" not in entry}
    for shape in shapes:
        names = names_of(shape, known)
        if not names or options.left() < 20:
            continue
        try:
            times = time_shape(driver, options, index, shape, names)
        except Exception as error:  # One shape must not stop the others.
            results["errors"].append(f"{shape.name}: {type(error).__name__}: {error}")
            print(results["errors"][-1], flush=True)
            continue
        results["speed"].append(report(shape, names, times, known))


def parser_of(name, text, budget):
    parser = argparse.ArgumentParser(prog=f"scripts/bench {name}", description=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--compile-only", metavar="OUT", type=Path)
    what.add_argument("--run", metavar="OUT", type=Path)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", metavar="TEXT", default="",
                        help="programs with TEXT in their name")
    tree.add_compiling(parser)
    parser.add_argument("--sparseflow", metavar="PATH")
    parser.add_argument("--schedule-file", metavar="FILE")
    parser.add_argument("--exec", metavar="PATH")
    parser.add_argument("--results", type=Path, default=tree.ROOT / "bench/results")
    parser.add_argument("--budget", type=float, default=budget, metavar="SECONDS")
    parser.add_argument("--no-checks", action="store_true")
    return parser


def missing(name, option):
    print(f"error: {name} is missing: build it, or name it with {option}",
          file=sys.stderr)
    return 3


def run(options, name, compile_all, measure):
    """Compiles, runs, or, where neither is asked for alone, both, in
    build/bench/NAME. `measure(options, index, results)` fills the results and returns
    the number of wrong checks."""
    if not options.run:
        both = not options.compile_only
        options.compile_only = options.compile_only or tree.ROOT / "build/bench" / name
        options.sparseflow = tree.compiler(options.sparseflow)
        if not options.sparseflow:
            return missing("sparseflow", "--sparseflow")
        code = compile_all(options)
        if code or not both:
            return code
        options.run = options.compile_only
    if not (options.run / "index.json").is_file():
        print(f"error: {options.run} has no index.json; expected what --compile-only "
              "writes", file=sys.stderr)
        return 1
    options.exec = tree.executor(options.exec)
    if not options.exec and not options.no_checks:
        return missing("sparseflow-exec", "--exec")
    start = time.monotonic()
    options.left = lambda: options.budget - (time.monotonic() - start)
    options.run = options.run.resolve()
    index = json.loads((options.run / "index.json").read_text())
    results = {"format": f"sparseflow-{name}", "version": 1, "commit": index["commit"],
               "target": index["target"],
               "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
               "machine": machine.describe(), "checks": [],
               "speed": [], "errors": []}
    wrong = measure(options, index, results)
    print(f"{len(results['checks'])} checks, {wrong} wrong; {len(results['speed'])} "
          f"shapes timed; {time.monotonic() - start:.0f} s")
    return 4 if wrong else 0
