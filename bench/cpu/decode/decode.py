# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prompts and greedy steps of a model on the CPU, beside llama.cpp in F16.

    scripts/bench decode cpu FILE.gguf [--threads 1,2] [--output bench/results/NAME]

Both sides get the same weights (the file's, dequantized and rounded to f16 once), the same
cores and the same prompt, in processes of their own that take turns; the one that waits
sleeps. Tokens are compared before times count. llama.cpp is Python's package llama-cpp-python
(built for this machine: `pip install --no-binary :all: llama-cpp-python`); without it ours is
timed alone. On a machine that others use, CPU time says more than wall time.
"""

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "python"), str(Path(__file__).resolve().parent)]

from decode_page import page  # noqa: E402
from f16_gguf import write_f16  # noqa: E402
from sparseflow.errors import Error  # noqa: E402
from sparseflow.model import import_model  # noqa: E402
from sparseflow.model.gguf import GgufFile  # noqa: E402


class Side:
    """A worker that answers one request at a time."""

    def __init__(self, name, path, threads, room):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(
            [str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])}
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py")), name, path,
             str(threads), str(room)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=environment)
        self._read()

    def _read(self):
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"error: the worker of {self.name} ended; its output is above")
        return line

    def ask(self, prompt, count):
        print(json.dumps({"prompt": prompt, "count": count}), file=self._process.stdin,
              flush=True)
        return json.loads(self._read())

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def statistics(values):
    ordered = sorted(values)
    return {"min": ordered[0], "median": ordered[len(ordered) // 2],
            "p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]}


def measure(sides, threads, prompt, count, rounds):
    """A row for each side: milliseconds of a step and of the prompt, and their ratios."""
    answers = {side.name: [] for side in sides}
    for index in range(rounds + 1):
        # Whoever begins has the caches of the other one behind it.
        for side in sides if index % 2 else reversed(sides):
            answers[side.name].append(side.ask(prompt, count))
    rows = {}
    texts = {name: given[0]["tokens"] for name, given in answers.items()}
    for name, given in answers.items():
        if any(answer["tokens"] != texts[name] for answer in given):
            raise SystemExit(f"error: {name} chose other tokens in another round")
        row = {"side": name, "threads": threads, "prompt_tokens": len(prompt),
               "steps": count}
        for what, number in (("steps", count), ("prompt", 1)):
            for kind, place in (("wall", 0), ("cpu", 1)):
                # The first round warms up.
                row[f"{what}_{kind}_ms"] = statistics(
                    [1e3 * answer[what][place] / number for answer in given[1:]])
        rows[name] = row
    if len(sides) == 2:
        ours, peer = (answers[side.name] for side in sides)
        same = [x == y for x, y in zip(texts[sides[0].name], texts[sides[1].name])]
        rows["sparseflow"]["equal_tokens"] = (same + [False]).index(False)
        if not all(same[:1]):
            raise SystemExit("error: the two sides choose another first token")
        for what in ("steps", "prompt"):
            for kind, place in (("wall", 0), ("cpu", 1)):
                rows["sparseflow"][f"{what}_{kind}_ratio"] = statistics(
                    [y[what][place] / max(x[what][place], 1e-9)
                     for x, y in zip(ours[1:], peer[1:])])
    return list(rows.values())


def machine():
    model = platform.processor()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    git = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty",
                          "--abbrev=8"], capture_output=True, text=True, check=False)
    version = subprocess.run(["sparseflow", "--version"], capture_output=True, text=True,
                             check=True).stdout.splitlines()[0]
    return {"cpu": model, "cores": os.cpu_count(), "load": os.getloadavg()[0],
            "commit": git.stdout.strip(), "sparseflow": version}


def numbers(text):
    return [int(item) for item in text.split(",")]


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench decode cpu",
                                     description="Steps of a model on the CPU.")
    parser.add_argument("file", help="a GGUF file of a llama, in any type that is read")
    parser.add_argument("--threads", type=numbers, default=[1], metavar="N,...")
    parser.add_argument("--prompts", type=numbers, default=[16, 256], metavar="N,...",
                        help="tokens of the prompts (default: 16,256)")
    parser.add_argument("--count", type=int, default=48, help="steps of a round")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--output", metavar="NAME",
                        help="writes NAME.json and NAME.md")
    options = parser.parse_args()
    found = importlib.util.find_spec("llama_cpp") is not None
    if not found:
        print("llama.cpp is not there (Python package llama-cpp-python): SparseFlow is "
              "timed alone", file=sys.stderr)
    info = machine()
    info["llama_cpp"] = None
    if found:
        info["llama_cpp"] = subprocess.run(
            [sys.executable, "-c", "import llama_cpp; print(llama_cpp.__version__)"],
            capture_output=True, text=True, check=True).stdout.strip()
    name = GgufFile(options.file).metadata.get("general.name", Path(options.file).stem)
    rows = []
    with tempfile.TemporaryDirectory(prefix="sparseflow-decode-") as folder:
        model, f16 = os.path.join(folder, "model"), os.path.join(folder, "f16.gguf")
        geometry = import_model(options.file, model, "f16")
        if found:
            write_f16(options.file, f16)
        room = max(options.prompts) + options.count + 1
        for threads in options.threads:
            sides = [Side("sparseflow", model, threads, room)]
            if found:
                sides.append(Side("llama.cpp", f16, threads, room))
            for size in options.prompts:
                # Any tokens: what is computed does not depend on them.
                prompt = [(7 * i + 100) % geometry.vocabulary for i in range(size)]
                rows += measure(sides, threads, prompt, options.count, options.rounds)
            for side in sides:
                side.close()
    report = {"format": "sparseflow-cpu-decode",
              "title": f"{name} in f16 on a CPU, beside llama.cpp", "machine": info,
              "rounds": options.rounds, "rows": rows}
    print(page(report))
    if options.output:
        with open(options.output + ".json", "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
            file.write("\n")
        Path(options.output + ".md").write_text(page(report), encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except Error as error:
        raise SystemExit(f"error: {error}") from None
