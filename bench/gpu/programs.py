#!/usr/bin/env python3
"""Writes matmul programs of any shape, type and epilogue.

    programs.py OUTDIR [--set conformance|matrix|attention|speed|all]   one .mlir file a program
    programs.py --list [--set ...]                            names and token counts

Every program is a function `mm` that computes y[T, N] = epilogue(x[T, K] w[N, K]^T),
or, without weights, y[T, N] = tanh(x[T, N]) + b[N].

The set `matrix` is the table matrix.json: what the simulator runs on every change
and a GPU in its conformance run. For the simulator OUTDIR/matrix.json says what is
run for which target, and how. The set `attention` is the same of attention-matrix.json.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from attn import cases as attention_cases

TYPES = ("f16", "bf16")
WEIGHTS = ("2:4", "dense")
MATRIX = Path(__file__).resolve().parent / "matrix.json"
EPILOGUES = ("none", "bias", "relu", "relu2", "gelu_erf", "gelu_tanh", "silu",
             "token_scale", "scalar", "residual", "silu_gate")
# One token, less than a tile of the smallest schedule, whole tiles, and one more.
TOKENS = (1, 7, 16, 64, 129, 513)
# N x K beside the cubes: odd features need single stores, odd K single copies.
ODD_SHAPES = ((97, 100), (97, 516), (1001, 100), (1001, 516))
LARGE_SHAPES = ((2048, 2048), (4096, 4096), (4096, 11008))
# T x N x K
SPEED_SHAPES = ((1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096),
                (4096, 4096, 11008))


@dataclass(frozen=True)
class Program:
    """One function; `result` is the element type of y."""
    n: int
    k: int
    weights: str = "2:4"
    type: str = "f16"
    epilogue: str = "none"
    result: str = ""

    @property
    def result_type(self):
        return self.result or self.type

    @property
    def name(self):
        parts = [{"2:4": "sparse", "dense": "dense", "none": "map"}[self.weights],
                 self.type, self.epilogue, f"n{self.n}", f"k{self.k}"]
        if self.result_type != self.type:
            parts.append(self.result_type)
        return "-".join(parts)


class _Epilogue:
    """Collects an epilogue's operands and the lines of its region."""

    def __init__(self):
        self.operands = []  # name, tensor type, broadcast
        self.block = ["%acc: f32"]
        self.lines = []
        self.count = 0

    def operand(self, name, tensor, element, broadcast):
        """The value of an operand, widened to f32."""
        self.operands.append((f"%{name}", tensor, broadcast))
        self.block.append(f"%{name}_in: {element}")
        if element == "f32":
            return f"%{name}_in"
        return self.op(f"arith.extf %{name}_in : {element} to f32")

    def op(self, text):
        value = f"%{self.count}"
        self.count += 1
        self.lines.append(f"{value} = {text}")
        return value

    def constant(self, number):
        value = f"%c{len(self.lines)}"
        self.lines.append(f"{value} = arith.constant {number!r} : f32")
        return value

    def binary(self, name, a, b):
        return self.op(f"arith.{name} {a}, {b} : f32")

    def unary(self, name, a):
        return self.op(f"{name} {a} : f32")

    def silu(self, a):
        e = self.unary("math.exp", self.unary("arith.negf", a))
        return self.binary("divf", a, self.binary("addf", e, self.constant(1.0)))

    def gelu(self, a, inner, scaled):
        """a / 2 * (1 + inner(scaled))."""
        one = self.binary("addf", self.unary(inner, scaled), self.constant(1.0))
        return self.binary("mulf", self.binary("mulf", a, self.constant(0.5)), one)


def _epilogue(program):
    """Returns the collected epilogue and its last f32 value."""
    e, kind = _Epilogue(), program.epilogue
    t, n, acc = program.type, program.n, "%acc"
    if kind == "bias":
        b = e.operand("b", f"tensor<{n}x{t}>", t, "per_feature")
        return e, e.binary("addf", acc, b)
    if kind in ("relu", "relu2"):
        r = e.binary("maximumf", acc, e.constant(0.0))
        return e, r if kind == "relu" else e.binary("mulf", r, r)
    if kind == "gelu_erf":
        scaled = e.binary("mulf", acc, e.constant(0.70710678118654757))
        return e, e.gelu(acc, "math.erf", scaled)
    if kind in ("gelu_tanh", "bias_gelu"):
        v = acc
        if kind == "bias_gelu":
            v = e.binary("addf", acc, e.operand("b", f"tensor<{n}x{t}>", t, "per_feature"))
        cubic = e.binary("mulf", e.binary("mulf", v, v), e.constant(0.044715))
        inner = e.binary("mulf", e.binary("addf", cubic, e.constant(1.0)), v)
        scaled = e.binary("mulf", inner, e.constant(0.79788456080286541))
        return e, e.gelu(v, "math.tanh", scaled)
    if kind == "silu":
        return e, e.silu(acc)
    if kind == "token_scale":
        s = e.operand("s", "tensor<?xf32>", "f32", "per_token")
        return e, e.binary("mulf", acc, s)
    if kind == "scalar":
        s = e.operand("s", "tensor<f32>", "f32", "scalar")
        return e, e.binary("mulf", acc, s)
    if kind == "residual":
        r = e.operand("r", f"tensor<?x{n}x{t}>", t, "full")
        return e, e.binary("addf", acc, r)
    if kind == "silu_gate":
        g = e.operand("g", f"tensor<?x{n}x{t}>", t, "full")
        return e, e.binary("mulf", acc, e.silu(g))
    if kind == "none":
        return e, acc
    raise ValueError(f"epilogue '{kind}': expected one of {', '.join(EPILOGUES)}")


def _map_text(n, t):
    """A program without a product."""
    return f"""\
#full = affine_map<(t, n) -> (t, n)>
#feature = affine_map<(t, n) -> (n)>
func.func @mm(%x: tensor<?x{n}x{t}>, %b: tensor<{n}x{t}>) -> tensor<?x{n}x{t}> {{
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x{n}x{t}>
  %empty = tensor.empty(%tokens) : tensor<?x{n}x{t}>
  %y = linalg.generic {{indexing_maps = [#full, #feature, #full],
      iterator_types = ["parallel", "parallel"]}}
      ins(%x, %b : tensor<?x{n}x{t}>, tensor<{n}x{t}>)
      outs(%empty : tensor<?x{n}x{t}>) {{
  ^bb0(%x_: {t}, %b_: {t}, %y_: {t}):
    %0 = arith.extf %x_ : {t} to f32
    %1 = arith.extf %b_ : {t} to f32
    %2 = math.tanh %0 : f32
    %3 = arith.addf %2, %1 : f32
    %4 = arith.truncf %3 : f32 to {t}
    linalg.yield %4 : {t}
  }} -> tensor<?x{n}x{t}>
  return %y : tensor<?x{n}x{t}>
}}
"""


def text(program):
    """The program as MLIR."""
    t, y = program.type, program.result_type
    if program.weights == "none":
        return _map_text(program.n, t)
    encoding = ", #sparseflow.nm<2:4>" if program.weights == "2:4" else ""
    x_type = f"tensor<?x{program.k}x{t}>"
    w_type = f"tensor<{program.n}x{program.k}x{t}{encoding}>"
    y_type = f"tensor<?x{program.n}x{y}>"
    e, value = _epilogue(program)
    if y != "f32":
        value = e.op(f"arith.truncf {value} : f32 to {y}")
    arguments = [f"%x: {x_type}", f"%w: {w_type}"]
    arguments += [f"{name}: {tensor}" for name, tensor, _ in e.operands]
    clause = ""
    if e.operands:
        names, tensors, broadcasts = zip(*e.operands)
        clause = (f"\n      epilogue({', '.join(names)} : {', '.join(tensors)})"
                  f" as [{', '.join(broadcasts)}]")
    body = "".join(f"    {line}\n" for line in e.lines)
    return (f"func.func @mm({', '.join(arguments)}) -> {y_type} {{\n"
            f"  %y = sparseflow.matmul %x, %w{clause} {{\n"
            f"  ^bb0({', '.join(e.block)}):\n"
            f"{body}"
            f"    sparseflow.yield {value} : {y}\n"
            f"  }} : {x_type}, {w_type} -> {y_type}\n"
            f"  return %y : {y_type}\n"
            f"}}\n")


def conformance():
    """Programs with the token counts to run them at, most telling first."""
    cases = []
    for type_ in TYPES:
        for weights in WEIGHTS:
            for epilogue in EPILOGUES:
                tokens = TOKENS + ((0, 1024) if epilogue == "none" else ())
                cases.append((Program(1024, 1024, weights, type_, epilogue), tokens))
    for type_ in TYPES:
        for weights in WEIGHTS:
            for n, k in ODD_SHAPES:
                for epilogue in ("none", "residual"):
                    cases.append((Program(n, k, weights, type_, epilogue), TOKENS))
            cases.append((Program(1024, 1024, weights, type_, "none", "f32"), TOKENS))
            cases.append((Program(97, 516, weights, type_, "bias", "f32"), TOKENS))
    for type_ in TYPES:
        for weights in WEIGHTS:
            for n, k in LARGE_SHAPES:
                square = 2048 if n == 2048 else 4096
                cases.append((Program(n, k, weights, type_), TOKENS + (square,)))
    return cases + [(program, row["tokens"]) for program, row in matrix()]


def matrix():
    """The programs of matrix.json, each with its row."""
    return [(Program(row["n"], row["k"], row["weights"], row["type"], row["epilogue"],
                     row.get("result", "")), row)
            for row in json.loads(MATRIX.read_text())]


def matrix_arguments(program):
    """Seed, and the arguments that hold special values, of a program of the matrix."""
    full = ("residual", "silu_gate")
    return program.n + 1000 * program.k, [0, 2] if program.epilogue in full else [0]


def run_options(program):
    """What a run of a conformance program is given besides its token count."""
    if all(program != other for other, _ in matrix()):
        return []
    seed, special = matrix_arguments(program)
    return ["--seed", str(seed)] + [f"--arg={index}=special:{seed}" for index in special]


def matrix_cases():
    """What sparseflow-sim-matrix reads: a row a program and target."""
    cases = []
    for program, row in matrix():
        seed, special = matrix_arguments(program)
        for target in row["targets"]:
            case = {"program": program.name, "file": f"{program.name}.mlir",
                    "target": target, "seed": seed, "special": special}
            for name in ("tokens", "races", "early", "unaligned", "schedules"):
                case[name] = row.get(name, [])
            cases.append(case)
    return cases


def speed(types=TYPES):
    """Programs with the token count to time them at."""
    return [(Program(n, k, weights, type_), (tokens,))
            for type_ in types for tokens, n, k in SPEED_SHAPES
            for weights in WEIGHTS]


def cases(which="all"):
    """The programs of a set, each once, with all its token counts."""
    merged = {}
    table = [(program, row["tokens"]) for program, row in matrix()]
    chosen = {"conformance": conformance(), "speed": speed(), "matrix": table,
              "all": conformance() + speed()}[which]
    for program, tokens in chosen:
        known = merged.setdefault(program, [])
        known += [count for count in tokens if count not in known]
    return list(merged.items())


def _write_table(folder, table):
    rows = [json.dumps(case) for case in table]
    (folder / "matrix.json").write_text("[\n" + ",\n".join(rows) + "\n]\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", nargs="?", type=Path, help="directory to write to")
    parser.add_argument("--set", choices=("conformance", "matrix", "attention", "speed", "all"),
                        default="all")
    parser.add_argument("--list", action="store_true", help="print names only")
    options = parser.parse_args()
    if options.list and options.set == "attention":
        for row in attention_cases.rows():
            print(f"attention-{row['name']}", *row["tokens"])
        return 0
    if options.list:
        for program, tokens in cases(options.set):
            print(program.name, *tokens)
        return 0
    if not options.out:
        parser.error("expected a directory to write to, or --list")
    options.out.mkdir(parents=True, exist_ok=True)
    if options.set == "attention":
        attention_cases.write(options.out)
        _write_table(options.out, attention_cases.cases())
        return 0
    for program, _ in cases(options.set):
        (options.out / f"{program.name}.mlir").write_text(text(program))
    if options.set == "matrix":
        _write_table(options.out, matrix_cases())
    return 0


if __name__ == "__main__":
    sys.exit(main())
