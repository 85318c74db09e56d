"""Random programs on a GPU: bundles, in chunks that one process of
sparseflow-conformance runs, every element against float64, two launches equal."""

import json
import random
import shutil
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import generate
from oracles import answer, Failure, Refused

CHUNK = 25
TARGETS = ("sm_90a", "sm_90a", "sm_90")


def compile_program(seed, folder, binary, target):
    """The index's entry of a program, compiled to `folder`/NUMBER."""
    program = generate.make(seed, target)
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
    return {"program": f"{program.kind} {seed}", "target": target,
            "bundle": f"{folder.name}/bundle", "tokens": [0], "special": [],
            "seed": random.Random(f"{seed}").randrange(1 << 30),
            "sizes": sorted(sizes.items())}


class Batch:
    def __init__(self, options, binary):
        self.options, self.binary = options, binary
        self.lock, self.start = threading.Lock(), time.monotonic()
        self.right, self.elements, self.failures, self.refused = 0, 0, [], 0

    def expired(self):
        return self.options.seconds and \
            time.monotonic() - self.start > self.options.seconds

    def fail(self, text):
        with self.lock:
            self.failures.append(text)
            print(f"FAILED {text}", flush=True)

    def compile(self, number, folder):
        """Chunk `number`, with its index."""
        entries, first = [], number * CHUNK
        for index in range(first, first + CHUNK):
            if self.expired():
                break
            seed = f"{self.options.seed}/{index}"
            target = self.options.target or TARGETS[index % len(TARGETS)]
            try:
                entries.append(compile_program(seed, folder / str(index - first),
                                               self.binary, target))
            except Refused:
                with self.lock:
                    self.refused += 1
            except Failure as failure:
                self.fail(f"compile, seed {seed}, {target}: {failure.text}")
        (folder / "index.json").write_text(json.dumps({
            "format": "sparseflow-conformance", "version": 1, "programs": entries}))
        return len(entries)

    def run(self, folder):
        index = json.loads((folder / "index.json").read_text())["programs"]
        first = 0
        while first < len(index):
            try:
                done = subprocess.run(
                    [str(self.binary / "sparseflow-conformance"), str(folder), "--first",
                     str(first), "--repeat", "2"], capture_output=True, text=True,
                    errors="replace", timeout=120, check=False)
                output, code = done.stdout, done.returncode
            except subprocess.TimeoutExpired as error:
                output, code = (error.stdout or b"").decode(errors="replace"), "no answer"
            rows = [json.loads(line) for line in output.splitlines()
                    if line.startswith("{") and line.endswith("}")]
            for row in rows:
                if row["ok"] and row.get("bitwise_equal", True):
                    with self.lock:
                        self.right += 1
                        self.elements += row.get("elements", 0)
                else:
                    self.fail(f"gpu, {row['target']}, {row['program']}: "
                              f"{row.get('error', 'launches differ')}")
            first += len(rows)
            if code == 0:
                break
            if first < len(index) and code != 3:
                self.fail(f"gpu, {index[first]['program']}: the process ended with {code}")
                first += 1
            elif not rows:
                self.fail(f"gpu: {done.stderr.strip()[-300:]}")
                break

    def chunk(self, number):
        """Compiles, runs and forgets a chunk; keeps what fails."""
        if self.expired():
            return
        folder = Path(self.options.gpu) / f"chunk-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if self.compile(number, folder):
            self.run(folder)
        shutil.rmtree(folder)

    def all(self):
        options = self.options
        if options.run_bundles:
            work = [(self.run, folder) for folder in
                    sorted(Path(options.run_bundles).glob("chunk-*"))]
        elif options.bundles:
            shutil.rmtree(options.bundles, ignore_errors=True)
            work = []
            for number in range(-(-options.count // CHUNK)):
                folder = Path(options.bundles) / f"chunk-{number}"
                folder.mkdir(parents=True)
                work.append((lambda folder, n=number: self.compile(n, folder), folder))
        else:
            work = [(self.chunk, n) for n in range(-(-options.count // CHUNK))]
        with ThreadPoolExecutor(options.jobs) as pool:
            made = list(pool.map(lambda item: item[0](item[1]), work))
        seconds = time.monotonic() - self.start
        if options.bundles:
            print(f"{sum(made)} programs compiled, {len(self.failures)} failed, in "
                  f"{seconds:.0f} s")
        else:
            print(f"{self.right} programs right on the GPU, {self.elements} elements, two "
                  f"launches each equal in every bit; {len(self.failures)} failed, "
                  f"{self.refused} refused, in {seconds:.0f} s, seed {options.seed}")
        return 4 if self.failures else 0
