"""Compiles the programs to bundles: the half that needs the compiler, no GPU."""

import json
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import programs
from common import tree
from matmul import compare_cases


def _kernels(report, target):
    """What ptxas said of each kernel, by name."""
    for entry in report.get("targets", []):
        if entry.get("target", target) == target:
            return {kernel["name"]: {
                "registers": kernel.get("registers"),
                "shared_bytes": kernel.get("dynamic_shared_bytes", 0) +
                                kernel.get("static_shared_bytes", 0),
                "spill_bytes": kernel.get("spill_store_bytes", 0) +
                               kernel.get("spill_load_bytes", 0),
                "schedule": kernel.get("schedule", ""),
                "instructions": {name: count for name, count
                                 in kernel.get("instructions", {}).items()
                                 if "mma" in name or name in ("ldmatrix", "stmatrix",
                                                              "cp.async")},
            } for kernel in entry.get("kernels", [])}
    return {}


_INTERVAL = re.compile(
    r"\[schedule\] (\S+) for (?:up to (\d+) tokens|any number of tokens): "
    r"block (\d+)x(\d+), .*, split-K (\d+)")


def intervals(report):
    """Which schedule is for up to how many tokens (None: any number), in their order, as the
    remarks say: a kernel that serves several intervals is in the report once."""
    found = []
    for remark in report.get("remarks", []):
        match = _INTERVAL.match(remark["text"])
        if match:
            name, most, features, tokens, split = match.groups()
            found.append({"max_tokens": int(most) if most else None, "name": name,
                          "block": [int(features), int(tokens)], "split_k": int(split)})
    return found


def _compile(described, text, flags, options, out):
    """Compiles `text`; what is known of it beside its bundle, for the index."""
    name = described["name"]
    source = out / "programs" / f"{name}.mlir"
    source.write_text(text)
    bundle = out / "bundles" / name
    report = out / f"{name}.report.json"
    entry = {**described, "bundle": f"bundles/{name}"}
    command = [options.sparseflow, "compile", str(source), "--target", options.target,
               "--emit", "bundle", "-o", str(bundle), "--report", str(report), *flags,
               *tree.gpu_flags(options)]
    if options.schedule_file:
        command += ["--schedule-file", options.schedule_file]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode == 1 and "--allow-slow-code" in done.stderr:
            # A finding, and yet the kernel should be right.
            entry["slow"] = done.stderr.strip().splitlines()[0].replace(
                str(source), source.name)
            done = subprocess.run(command + ["--allow-slow-code"], capture_output=True,
                                  text=True, timeout=300)
        if done.returncode:
            entry["error"] = (f"the compiler's exit code is {done.returncode}: "
                              f"{done.stderr.strip()[-2000:]}".replace(
                                  str(source), source.name))
        else:
            said = json.loads(report.read_text())
            entry["kernels"] = _kernels(said, options.target)
            entry["intervals"] = intervals(said)
            # For people, and as large as everything else together.
            for listing in bundle.glob("*.ptx"):
                listing.unlink()
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        entry["error"] = f"{type(error).__name__}: {error}"
    finally:
        report.unlink(missing_ok=True)
    return entry


def _version(sparseflow):
    try:
        done = subprocess.run([sparseflow, "--version"], capture_output=True, text=True,
                              timeout=60)
        return " ".join(done.stdout.split())
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"unknown: {error}"


def _cases(which):
    return compare_cases.cases() if which == "compare" else programs.cases(which)


def compile_all(options):
    """Compiles the programs of --set; returns the number of failures."""
    return compile_programs(options, [
        ({"name": program.name, "n": program.n, "k": program.k,
          "weights": program.weights, "type": program.type,
          "result": program.result_type, "epilogue": program.epilogue,
          "tokens": tokens}, programs.text(program), ())
        for program, tokens in _cases(options.set)
        if not options.only or options.only in program.name])


def compile_programs(options, listed):
    """Compiles (index members, text, flags) to OUT/bundles, which is emptied first, and
    writes OUT/index.json; returns the number of failures."""
    out = options.compile_only
    for name in ("programs", "bundles"):
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)
    start = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as pool:
        entries = list(pool.map(lambda program: _compile(*program, options, out), listed))
    return _write_index(options, out, entries, start)


def _write_index(options, out, entries, start):
    """Writes OUT/index.json and says what failed; returns the number of failures."""
    failed = [entry for entry in entries if "error" in entry]
    index = {"format": "sparseflow-bench-index", "version": 1,
             "commit": options.commit or tree.commit(), "target": options.target,
             "compiler": _version(options.sparseflow), "programs": entries}
    (out / "index.json").write_text(json.dumps(index, indent=1) + "\n")
    for entry in entries:
        for finding in ("error", "slow"):
            if finding in entry:
                print(f"{entry['name']}: {entry[finding]}")
    print(f"{len(entries) - len(failed)} of {len(entries)} programs compiled for "
          f"{options.target} in {time.monotonic() - start:.0f} s")
    return len(failed)
