"""What is asked of a program: the compiler's reading of it, the CPU device, the kernels
on the simulator."""

import json
import os
import random
import re
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np

import schedules

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import sparseflow as sf  # noqa: E402
from sparseflow.dtypes import round_to  # noqa: E402

CPU_SECONDS, WALL_SECONDS = 100, 900
# What the compiler may answer instead of a program: limits that the pages name. With
# moved schedules also that a kernel does not fit.
LIMITS = (r"found an argument; leave it out", r"a constant, or a value that folds to one")
SCHEDULE_LIMITS = (r"shared memory", r"registers", r"expected .* stages", r"threads",
                   r"no schedule", r"split", r"expected a row of the schedule table")


class Failure(Exception):
    """`step`: the oracle; `command`: what shows it again; `text`: what it said."""

    def __init__(self, step, text, command=None, code=None):
        super().__init__(f"{step}: {text}")
        self.step, self.text, self.command, self.code = step, text, command, code


class Refused(Exception):
    pass


def _limits():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def call(command):
    """(exit status, all output); a status below 0 is a signal, None no answer."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=WALL_SECONDS,
                              preexec_fn=_limits, check=False)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {WALL_SECONDS} s"
    return done.returncode, done.stdout.decode(errors="replace")


def signature(code, text):
    """What two runs that fail alike have in common."""
    lines = [line for line in text.splitlines()
             if re.search(r"error|WRONG|race|failed|abort|Assert", line)]
    head = lines[0] if lines else ""
    return code, re.sub(r"[-+]?\d[\d.e+-]*|'[^']*'|/\S+", "#", head)[:120]


def answer(step, command, program, moved):
    """Runs a command that has to succeed; an answer that names a limit is Refused."""
    code, text = call(command)
    if code == 0:
        return text
    allowed = LIMITS + (SCHEDULE_LIMITS if moved else ())
    if code == 1 and any(re.search(limit, text) for limit in allowed):
        raise Refused(text.strip().splitlines()[0].split("error: ")[-1][:160])
    raise Failure(step, text.strip()[-1500:], command, code)


class Case:
    """A program on disk and how it is run. The choices follow from its seed."""

    def __init__(self, program, folder, binary):
        self.program, self.folder, self.binary = program, Path(folder), Path(binary)
        self.rng = random.Random(f"sparseflow runs 1: {program.seed}")
        self.path = self.folder / "program.mlir"
        self.path.write_text(program.text(), encoding="utf-8")
        self.compiling = list(program.options)
        self.moved = program.wants_schedules
        if self.moved:
            table = self.folder / "schedules.json"
            table.write_text(json.dumps(schedules.vary(self.rng, program.target)),
                             encoding="utf-8")
            self.scheduled = ["--schedule-file", str(table)]
        else:
            self.scheduled = []
        self.seed = self.rng.randrange(1 << 30)

    # -- The compiler's reading --------------------------------------------------

    def manifest(self):
        path = self.folder / "manifest.json"
        answer("compile", [str(self.binary / "sparseflow"), "compile", str(self.path),
                           "--target", self.program.target, "--emit", "manifest", "-o",
                           str(path), *self.compiling, *self.scheduled],
               self.program, self.moved)
        return sf.Bundle(self.folder)

    def values(self, rng):
        """Random arguments, as the package takes them and in float64."""
        given, exact = [], {}
        for argument in self.program.arguments:
            shape, dtype = self.program.of(argument.shape), argument.dtype
            value, plain = random_argument(rng, shape, dtype, argument.encoding, self.program,
                                           argument)
            given.append(value)
            exact[argument.name] = plain
        return given, exact

    def meaning(self, bundle):
        """The manifest's reference computes what the program says, in float64."""
        if any(tensor.make is None for tensor in self.program.results):
            return
        given, exact = self.values(np.random.default_rng(self.seed))
        expected = self.program.evaluate(exact)
        function = bundle.function()
        found = bundle.evaluate(given, exact=True)
        found = list(found) if isinstance(found, tuple) else [found]
        tolerance = 2.0 ** -6 if self.program.folds else 1e-9
        for index, (left, right) in enumerate(zip(found, expected)):
            left = np.asarray(left, np.float64)
            if left.shape != right.shape:
                raise Failure("meaning", f"result {index}: the manifest says shape "
                              f"{left.shape}, the program {right.shape}")
            same = (left == right) | (np.isnan(left) & np.isnan(right))
            with np.errstate(invalid="ignore"):
                close = np.abs(left - right) <= tolerance * (
                    1 + np.abs(np.where(np.isfinite(right), right, 0)).max(initial=0))
            if not (same | close).all():
                place = tuple(np.argwhere(~(same | close))[0])
                raise Failure("meaning", f"result {index} at {place}: the manifest's "
                              f"reference gives {left[place]}, the program means "
                              f"{right[place]}")
        return function

    # -- Devices -------------------------------------------------------------------

    def dims(self, function):
        """--dim of every symbol of the manifest."""
        sizes = {}
        for spec, argument in zip(function["arguments"], self.program.arguments):
            for symbol, size in zip(spec["shape"], self.program.of(argument.shape)):
                if isinstance(symbol, str):
                    sizes[symbol] = size
        return [word for name, size in sizes.items()
                for word in ("--dim", f"{name}={size}")]

    def run(self, step, function, *words, moved=False):
        command = [str(self.binary / "sparseflow"), "run", str(self.path), "--seed",
                   str(self.seed), "--check", *self.dims(function), *self.compiling,
                   *self.special, *words]
        return answer(step, command, self.program, moved)

    def check(self):
        """Every oracle; raises Failure or Refused."""
        bundle = self.manifest()
        function = bundle.function()
        self.meaning(bundle)
        self.special = []
        first = self.program.arguments[0]
        if self.rng.random() < 0.12 and first.dtype in ("f16", "bf16", "f32") and \
                self.program.kind in ("matmul", "elementwise"):
            self.special = ["--arg", f"0=special:{self.seed}"]
        self.run("cpu", function, "--device", "cpu")
        words = ["--device", "sim", "--target", self.program.target, "--schedule-seed",
                 str(self.rng.randrange(1000))]
        words += [word for word, share in (("--races", 0.6), ("--unaligned", 0.2),
                                           ("--early-copies", 0.15), ("--unoptimized", 0.1))
                  if self.rng.random() < share]
        self.run("sim", function, *words, *self.scheduled, moved=self.moved)


def random_argument(rng, shape, dtype, encoding, program, argument):
    """An argument for the package, and the float64 values that it stands for."""
    if dtype in ("i32", "i64"):
        # By default lengths of as many keys as there are.
        least, most = argument.whole or (-2, max(program.sizes.get("L", 64), 1) + 2)
        values = rng.integers(least, most + 1, shape)
        if argument.cumulative:
            values = np.sort(values)
            values[:1] = 0
        return values.astype({"i32": np.int32, "i64": np.int64}[dtype]), \
            values.astype(np.float64)
    values = rng.normal(0, 1, shape)
    is_weight = len(shape) == 2 and argument is not program.arguments[0] and \
        not any(isinstance(s, str) for s in argument.shape)
    if is_weight:
        values /= np.sqrt(max(shape[1], 1))
    if encoding and ("ternary" in encoding or "quantized" in encoding):
        return whole(rng, shape, dtype, encoding)
    packed = {"f16": np.float16, "f32": np.float32}.get(dtype)
    stored = sf.float32_to_bf16(values) if dtype == "bf16" else values.astype(packed)
    if encoding or ("--sparse" in program.options and f"{program.arguments.index(argument)}"
                    "=2:4" in program.options):
        stored = sf.prune(stored, dtype) if stored.size else stored
    plain = sf.bf16_to_float32(stored) if dtype == "bf16" else stored
    return stored, plain.astype(np.float64)


# Whole numbers of a storage, the smallest and the largest.
NUMBERS = {"int8": (-127, 127), "int4": (-8, 7), "key_int8": (-128, 127),
           "value_int8": (-128, 127), "key_int4": (-8, 7), "value_int4": (-8, 7),
           "key_e4m3": (-128, 127), "value_e4m3": (-128, 127)}


def whole(rng, shape, dtype, encoding):
    """Weights or a cache of small whole numbers times scales."""
    kind, scale, scale_type = re.match(
        r"#sparseflow\.\w+<(\w+), scale = ([\w ]+) : (\w+)", encoding).groups()
    planes = 2 if "planes = 2" in encoding else 1
    scale = int(scale) if scale.isdigit() else scale
    least, most = NUMBERS.get(kind, (-1, 1))
    trits = rng.integers(least, most + 1, (planes, *shape)).astype(np.int8)
    if kind.endswith("e4m3"):  # bits of floats, all but those of NaN
        trits = np.where(np.isin(trits, (127, -1)), np.int8(0), trits).view(np.uint8)
        most = 448

    def scales_of(count, divisor):
        return (rng.integers(1, 64, count) / (32 * most * divisor)).astype(np.float32)
    if kind.startswith(("key", "value")):
        trits, (b, g, s, d) = trits[0], shape
        groups = -(-d // int(str(scale).split()[-1])) if str(scale)[-1].isdigit() else 1
        count = {"head": (b, g), "token": (b, g, s)}.get(
            scale, (b, g, groups) if isinstance(scale, int) else (b, g, s, groups))
        cache = sf.TernaryCache.pack(trits, round_to(scales_of(count, 1), scale_type), kind,
                                     scale, scale_type)
        return cache, cache.values(np.float64)
    n, k = shape
    if kind.startswith("two_four"):
        kept = rng.random((n, k // 4, 4)).argsort(-1) < 2
        trits = np.where(kept.reshape(1, n, k), trits | 1 if kind == "two_four" else trits,
                         0).astype(np.int8)
    count = {"tensor": (planes, 1), "row": (planes, n)}.get(
        scale, (planes, -(-k // scale) if isinstance(scale, int) else 1, n))
    scales = round_to(scales_of(count, 2.0 ** np.ceil(np.log2(max(k, 1)) / 2)), scale_type)
    layout = {"codes": "tern.v1", "two_four": "tern24.v1",
              "two_four_zero": "tern24z.v1"}.get(kind, f"{kind}.v1")
    matrix = sf.TernaryMatrix.pack(trits, scales, dtype, layout, scale, scale_type)
    return matrix, matrix.values(np.float64)
