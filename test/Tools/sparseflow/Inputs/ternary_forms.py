"""Compiles every form of ternary matmul that docs/formats/ternary.md lists.

Usage: ternary_forms.py ternary.md FOLDER

The table under "Matmuls" says, for weights, scales, planes and activations, which
instructions multiply on a target, or that it has no kernel. Each cell must be true:
what has a kernel compiles to just these instructions, what has none is refused with
an error that names what has. Every form must be in one row, and the CPU device
multiplies all of them: one of each row and activation is run and checked.
"""

import itertools
import os
import re
import subprocess
import sys

from products import product

STORAGES = ("codes", "two_four", "two_four_zero", "bit_planes", "base3")
SCALES = ("tensor", "row", "32", "64", "128", "256")
# All forms, or every third where another target has the same rows of schedules.
TARGETS = {"sm_80": 1, "sm_86": 3, "sm_90": 3, "sm_90a": 1}
# The atoms that kernels name.
PATTERNS = {"mma": r"#sftile\.mma_(int8_)?sync", "mma.sp": r"#sftile\.mma_sp_sync",
            "wgmma": r"#sftile\.wgmma<\w+>", "wgmma.sp": r"#sftile\.wgmma<\w+, sparse>"}
N, K = 128, 2048


def words(cell):
    return [word.strip(" `") for word in cell.split(",")]


def table(path):
    """Rows as [storages], [scales], [planes], [activations], {target: cell}."""
    text = open(path, encoding="utf-8").read().split("\n## Matmuls\n")[1]
    lines = [[c.strip() for c in line.strip("|").split("|")]
             for line in text.split("\n## ")[0].splitlines() if line.startswith("|")]
    heads = [head.strip("` ") for head in lines[0]]
    rows = []
    for cells in lines[2:]:
        rows.append((*map(words, cells[:4]), {}))
        for head, cell in zip(heads[4:], cells[4:]):
            for target in words(head):
                rows[-1][4][target] = set(words(cell))
    return rows


def forms(row):
    return itertools.product(*row[:4])


def check_complete(rows):
    wanted = {form for form in itertools.product(
        STORAGES, SCALES, ("1", "2"), ("f16", "bf16", "int8"))
        if not (form[0].startswith("two_four") and form[2] == "2")}
    listed = [form for row in rows for form in forms(row)]
    for form in sorted(wanted.symmetric_difference(listed)):
        sys.exit(f"{form}: " + ("not in the table" if form in wanted
                                else "no such form of weights"))
    if len(listed) != len(wanted):
        sys.exit("a form is in two rows of the table")


def program(form):
    storage, scale, planes, activations = form
    type = "f16" if activations == "int8" else activations
    float = {"row": "f32", "64": "bf16"}.get(scale, "f16")
    name = "_".join(form)
    weight = (f"tensor<{N}x{K}x{type}, #sparseflow.ternary<{storage}, "
              f"scale = {scale} : {float}"
              + (", planes = 2" if planes == "2" else "") + ">>")
    return name, product(name, N, K, type, weight, quantized=activations == "int8")


def call(*command):
    done = subprocess.run(["sparseflow", *command], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def kernels_of(name, text):
    """The text of the kernels of a function, whose names begin with its own."""
    return "".join(part for part in re.split(r"(?=gpu\.func @)", text)
                   if re.match(rf"gpu\.func @{name}_\d+_", part))


def check_target(row, target, expected, folder):
    path = os.path.join(folder, "program.mlir")
    all_forms = list(forms(row))[::TARGETS[target]]
    if expected == {"none"}:
        # One of each is enough to see that it is refused.
        for form in {f[0]: f for f in all_forms}.values():
            name, text = program(form)
            open(path, "w", encoding="utf-8").write(text)
            code, said = call("compile", path, "--target", target, "--emit", "sftile",
                              "-o", path + ".out")
            if not code or "which has no GPU kernel: expected codes" not in said:
                sys.exit(f"{target} {form}: expected an error that says what has a "
                         f"kernel, found {code}: {said}")
        return 0
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(program(form)[1] for form in all_forms)
    code, said = call("compile", path, "--target", target, "--emit", "sftile", "-o",
                      path + ".out")
    if code:
        sys.exit(f"{target}: expected {expected}, found an error: {said}")
    text = open(path + ".out", encoding="utf-8").read()
    for form in all_forms:
        kernels = kernels_of("_".join(form), text)
        found = {name for name, pattern in PATTERNS.items()
                 if re.search(pattern, kernels)}
        if found != expected:
            sys.exit(f"{target} {form}: the table says {sorted(expected)}, the kernels "
                     f"have {sorted(found)}")
    return len(all_forms)


def main():
    page, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    rows = table(page)
    check_complete(rows)
    # For a test of remarks.
    with open(os.path.join(folder, "room.mlir"), "w", encoding="utf-8") as file:
        file.write(program(("codes", "32", "2", "int8"))[1])
    compiled = checked = 0
    for row in rows:
        for target in TARGETS:
            compiled += check_target(row, target, row[4][target], folder)
        path = os.path.join(folder, "cpu.mlir")
        *_, form = forms(row)
        with open(path, "w", encoding="utf-8") as file:
            file.write(program(form)[1])
        code, said = call("run", path, "--device", "cpu", "--dim", "T=2", "--check")
        if code or row[4]["cpu"] != {"all"}:
            sys.exit(f"cpu {form}: {said}")
        checked += 1
    print(f"{len(rows)} rows, {compiled} programs compiled, {checked} run on the CPU")


main()
