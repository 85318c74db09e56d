"""Random programs on a GPU: bundles, in chunks that one process of
sparseflow-conformance runs, every element against float64, two launches equal."""

import json
import multiprocessing
import random
import shutil
import subprocess
import time
from pathlib import Path

import generate
from oracles import answer, Failure, Refused
from record import Record

# A process of chunks makes the device's context anew: programs enough to be worth it.
CHUNK = 50
TARGETS = ("sm_90a", "sm_90a", "sm_90")


def target_of(options, seed):
    """The one that is asked for, or one that follows from the seed."""
    return options.target or random.Random(f"sparseflow targets 1: {seed}").choice(TARGETS)


def compile_program(options, seed, folder, binary):
    """The index's entry of a program, compiled to `folder`."""
    target = target_of(options, seed)
    program = generate.make(seed, target, options.kind)
    folder.mkdir(parents=True)
    source = folder / "program.mlir"
    source.write_text(program.text(), encoding="utf-8")
    bundle = folder / "bundle"
    answer("compile", [str(binary / "sparseflow"), "compile", str(source), "--target",
                       target, "--emit", "bundle", "-o", str(bundle), "--allow-slow-code",
                       *program.options], program, False)
    for listing in bundle.glob("*.ptx"):
        listing.unlink()
    function = json.loads((bundle / "manifest.json").read_text())["functions"][0]
    sizes = {}
    for spec, argument in zip(function["arguments"], program.arguments):
        for symbol, size in zip(spec["shape"], program.of(argument.shape)):
            if isinstance(symbol, str):
                sizes[symbol] = size
    return {"program": seed, "kind": program.kind, "target": target,
            "bundle": f"{folder.name}/bundle", "tokens": [0], "special": [],
            "seed": random.Random(f"{seed}").randrange(1 << 30),
            "sizes": sorted(sizes.items())}


def over(work):
    options, _, start, _, _ = work
    return options.seconds and time.monotonic() - start > options.seconds


def compile_chunk(work):
    """Compiles a chunk and writes its index. The rows of what did not compile."""
    options, binary, _, folder, seeds = work
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    entries, rows = [], []
    for index, seed in enumerate(seeds):
        if over(work):
            break
        row = {"seed": seed, "target": target_of(options, seed)}
        try:
            entries.append(compile_program(options, seed, folder / str(index), binary))
        except Refused as refused:
            rows.append({**row, "outcome": "refused", "text": str(refused)})
        except Failure as failure:
            rows.append({**row, "outcome": "failed", "step": "compile",
                         "text": failure.text})
        except Exception as error:  # The generator or the package broke.
            rows.append({**row, "outcome": "failed", "step": "harness",
                         "text": f"{type(error).__name__}: {error}"})
    (folder / "index.json").write_text(json.dumps({
        "format": "sparseflow-conformance", "version": 1, "programs": entries}))
    return rows


def run_chunk(binary, folder):
    """The rows of a compiled chunk. A device error ends the process, which goes on
    behind the program that it names."""
    index = json.loads((folder / "index.json").read_text())["programs"]
    rows, first = [], 0
    while first < len(index):
        error = ""
        try:
            done = subprocess.run(
                [str(binary / "sparseflow-conformance"), str(folder), "--first",
                 str(first), "--repeat", "2"], capture_output=True, text=True,
                errors="replace", timeout=120, check=False)
            output, code, error = done.stdout, done.returncode, done.stderr
        except subprocess.TimeoutExpired as expired:
            output, code = (expired.stdout or b"").decode(errors="replace"), "no answer"
        found = [json.loads(line) for line in output.splitlines()
                 if line.startswith("{") and line.endswith("}")]
        for entry, line in zip(index[first:], found):
            if line.get("error", "").startswith("no NVIDIA driver"):
                return rows, line["error"]
            right = line["ok"] and line.get("bitwise_equal", True)
            rows.append({**about(entry), "outcome": "agree" if right else "failed",
                         "elements": line.get("elements", 0)})
            if not right:
                rows[-1].update(step="gpu", text=line.get("error", "launches differ"))
        first += len(found)
        if first >= len(index) or code == 0:
            break
        if code == 3 and not found:
            # No device, or none that answers: the programs behind have no answer.
            return rows, error.strip()[-300:] or "no answer"
        if code != 3:
            rows.append({**about(index[first]), "outcome": "failed", "step": "gpu",
                         "text": f"the process ended with {code}: {error.strip()[-300:]}"})
            first += 1
    return rows, ""


def about(entry):
    return {"seed": entry["program"], "kind": entry["kind"], "target": entry["target"]}


def chunk(work):
    """Compiles, runs and forgets a chunk. Its rows, and why the device is not there."""
    options, binary, _, folder, seeds = work
    if over(work):
        return [], ""
    if options.run_bundles:
        return run_chunk(binary, folder)
    rows = compile_chunk(work)
    if options.bundles:
        return rows, ""
    found, trouble = run_chunk(binary, folder)
    shutil.rmtree(folder)
    return rows + found, trouble


def run(options, binary):
    start, record, troubles = time.monotonic(), Record(options.record), []
    work = []
    if options.run_bundles:
        work = [(options, binary, start, folder, None) for folder in
                sorted(Path(options.run_bundles).glob("chunk-*"))]
    else:
        seeds = record.left(options.replay or [
            f"{options.seed}/{n}" for n in
            range(options.first, options.first + options.count)])
        if options.bundles:
            shutil.rmtree(options.bundles, ignore_errors=True)
        place = Path(options.bundles or options.gpu)
        # Small chunks where there are few programs: every job has some.
        size = max(1, min(CHUNK, -(-len(seeds) // options.jobs)))
        work = [(options, binary, start, place / f"chunk-{n // size}", seeds[n:n + size])
                for n in range(0, len(seeds), size)]
    with multiprocessing.Pool(options.jobs) as pool:
        for rows, trouble in pool.imap_unordered(chunk, work):
            record.add(rows)
            for row in rows:
                if row["outcome"] == "failed":
                    print(f"FAILED {row['step']}, seed {row['seed']}, {row['target']}: "
                          f"{row['text']}", flush=True)
            if trouble:
                troubles.append(trouble)
    return summary(options, record, troubles, time.monotonic() - start)


def summary(options, record, troubles, seconds):
    failed, refused = record.of("failed"), len(record.of("refused"))
    if options.bundles:
        made = sum(len(json.loads(index.read_text())["programs"]) for index in
                   Path(options.bundles).glob("chunk-*/index.json"))
        print(f"{made} programs compiled, {len(failed)} failed, in {seconds:.0f} s")
        return 4 if failed else 0
    right = record.of("agree")
    print(f"{len(right)} programs right on the GPU, {sum(r['elements'] for r in right)} "
          f"elements, two launches each equal in every bit; {len(failed)} failed, "
          f"{refused} refused, in {seconds:.0f} s, seed {options.seed}")
    if troubles:
        print(f"error: {len(troubles)} chunks got no answer of the device: {troubles[0]}")
        return 3
    if failed:
        print("Again: scripts/fuzz-programs --gpu DIR --replay "
              + " ".join(row["seed"] for row in failed))
        return 4
    return 0
