"""CPU time of compiling a matmul for any number of tokens.

Usage: compile_time.py TARGET SECONDS FOLDER

The kinds of weights whose kernels take longest, at sizes for which the choice has most kernels:
from text to PTX each may take SECONDS of CPU time, user and system, whatever else the machine does.
One that takes longer is measured once more.
"""

import re
import resource
import subprocess
import sys
from pathlib import Path

from check_rows import KINDS
from products import product

CASES = (("ternary", 592, 2544, "f16"), ("ternary24", 6528, 1792, "f16"),
         ("ternary_i8", 232, 2000, "bf16"), ("dense", 4608, 2432, "bf16"))
MOST_KERNELS = 12


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compile_one(source, target):
    """CPU seconds, and the remarks."""
    before = children()
    result = subprocess.run(["sparseflow", "compile", source, "--target", target, "--emit", "ptx",
                             "--remarks", "-o", source.with_suffix(".ptx")],
                            capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{source}:\n{result.stderr}")
    return children() - before, result.stderr


def main():
    target, most, folder = sys.argv[1], float(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for weights, n, k, type in CASES:
        name, encoding = KINDS[weights]
        source = folder / f"{name}.mlir"
        source.write_text(product(name, n, k, type, f"tensor<{n}x{k}x{type}{encoding}>",
                                  weights.endswith("_i8")), encoding="utf-8")
        seconds, remarks = compile_one(source, target)
        if seconds > most:
            seconds = min(seconds, compile_one(source, target)[0])
        rows = set(re.findall(r"\[schedule\] (\S+) for .* tokens: ", remarks))
        print(f"{weights} {n} x {k}: {seconds:.2f} s, {len(rows)} schedules")
        if seconds > most or not 1 < len(rows) <= MOST_KERNELS:
            sys.exit(f"{target}, {source}: expected at most {most} s of CPU time and 2 to "
                     f"{MOST_KERNELS} schedules")
    print(f"{target}: {len(CASES)} matmuls, each below {most} s")


if __name__ == "__main__":
    main()
