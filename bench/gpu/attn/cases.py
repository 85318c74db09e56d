"""The attention of the conformance run: programs of attention-matrix.json, which the simulator
runs, too. One size of each is of the call."""

import json
from pathlib import Path

MATRIX = Path(__file__).resolve().parents[1] / "attention-matrix.json"
LISTS = ("tokens", "races", "early", "unaligned", "schedules")
# An operand that is added, one that is a slope for each head, and one that leaves keys out.
_ADDED = """  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: {type}):
{widened}    %r = arith.addf %s, %x : f32
    sparseflow.yield %r : f32
"""
_SLOPE = """  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: {type}):
{widened}    %away = arith.subi %j, %i : i32
    %far = arith.sitofp %away : i32 to f32
    %hundredth = arith.constant 0.01 : f32
    %0 = arith.mulf %far, %hundredth : f32
    %1 = arith.mulf %0, %x : f32
    %r = arith.addf %s, %1 : f32
    sparseflow.yield %r : f32
"""
_MASK = """  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f16):
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0xFF800000 : f32
    %seen = arith.cmpf ogt, %in, %zero : f16
    %r = arith.select %seen, %s, %none : f32
    sparseflow.yield %r : f32
"""


def _region(row):
    """The clause of a score operand."""
    sizes, type_ = row["operand"].rsplit("x", 1)
    if row.get("mask"):
        body = _MASK
    else:
        widened = ("    %x = arith.extf %in : f16 to f32\n" if type_ == "f16" else
                   "    %one = arith.constant 1.0 : f32\n    %x = arith.mulf %in, %one : f32\n")
        body = (_SLOPE if row["as"] == "h" else _ADDED).format(type=type_, widened=widened)
    return (f" operands(%x_in : tensor<{sizes}x{type_}>) as [\"{row['as']}\"] score {{\n"
            f"{body}  }}")


def text(row):
    """The program of a row as MLIR."""
    element = row.get("type", "f16")
    q = row["q"].split("x")
    heads_at = 2 if "bshd" in row.get("fields", "") else 1
    batch, heads = q[0], q[heads_at]
    width = str(row.get("v", q[3]))
    q_type = f"tensor<{row['q']}x{element}>"
    k_sizes = row["k"].split("x")
    if "d" in row:  # Values have other features than keys.
        k_sizes[3] = str(row["d"])
    v_sizes = [*k_sizes[:3], k_sizes[3] if row.get("shared") else str(row.get("v", k_sizes[3]))]

    def cache(sizes, side):
        form = (f", #sparseflow.quantized<{side}_{row['cache']}, scale = {row['scale']}>"
                if "cache" in row else "")
        return f"tensor<{'x'.join(sizes)}x{element}{form}>"

    k_type, v_type = cache(k_sizes, "key"), cache(v_sizes, "value")
    o_type = f"tensor<{'x'.join([*q[:3], width])}x{element}>"
    arguments, clauses = [f"%q: {q_type}", f"%k: {k_type}"], ""
    fields = [row["fields"]] if "fields" in row else []
    if row.get("shared"):
        fields.append(f"value_features = {width} : i64")
    else:
        arguments.append(f"%v: {v_type}")
    if row.get("lengths"):
        arguments.append(f"%n: tensor<{batch}xi32>")
        clauses += f" lengths(%n : tensor<{batch}xi32>)"
    if "columns" in row:
        table = f"tensor<{batch}x{row['columns']}xi32>"
        arguments.append(f"%t: {table}")
        clauses += f" pages(%t : {table})"
    if "sequences" in row:
        bounds = f"tensor<{row['sequences'] + 1}xi32>"
        arguments.append(f"%cu: {bounds}")
        of_keys = "%cu"
        if row.get("own_keys"):
            of_keys = "%ck"
            arguments.append(f"%ck: {bounds}")
        clauses += f" cu_seqlens(%cu, {of_keys} : {bounds}, {bounds})"
    if row.get("sinks"):
        arguments.append(f"%sinks: tensor<{heads}xf32>")
        clauses += f" sink_logits(%sinks : tensor<{heads}xf32>)"
    if "operand" in row:
        arguments.append(f"%x_in: tensor<{row['operand']}>")
        clauses += _region(row)
    results, names = [o_type], ["%o"]
    if row.get("lse"):
        positions = q[3 - heads_at]
        results.append(f"tensor<{batch}x{heads}x{positions}xf32>")
        names.append("%l")
    v = "%k" if row.get("shared") else "%v"
    kind = ", ".join(results)
    return (f"func.func @f({', '.join(arguments)}) -> ({kind}) {{\n"
            f"  {', '.join(names)} = sparseflow.attention %q, %k, {v}{clauses} "
            f"{{{', '.join(fields)}}}\n    : {q_type}, {k_type}, {v_type} -> {kind}\n"
            f"  return {', '.join(names)} : {kind}\n}}\n")


def rows():
    return json.loads(MATRIX.read_text())


def cases():
    """What sparseflow-sim-matrix reads: a row a program and target, with its program as
    `text`."""
    return [{"program": f"attention-{row['name']}", "file": f"attention-{row['name']}.mlir",
             "target": target, "seed": number + 1, "special": [],
             **{name: row.get(name, []) for name in LISTS}}
            for number, row in enumerate(rows()) for target in row["targets"]]


def write(folder):
    """Each program as a file."""
    for row in rows():
        (folder / f"attention-{row['name']}.mlir").write_text(text(row))
