"""Takes kernels of the schedule table's families through ptxas.

Usage: check_families.py TABLE.json TARGET FOLDER SEED

Layers at random sizes, which SEED makes, of each kind of weights that has families, for any
number of tokens or three for some: the compiler runs ptxas and refuses spills, local memory,
advisories, warnings and missing tensor instructions. Kernels for any number must be of the
families.
"""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

from check_rows import KINDS
from products import product


def size(rng, low, high):
    """A multiple of 8 between them, or of 128, as the sizes of models are."""
    step = rng.choice((8, 128))
    return max(step, int(2 ** rng.uniform(low, high)) // step * step)


def main():
    table, target, folder, seed = sys.argv[1:5]
    rng = random.Random(f"families 2: {seed}")
    families = [family for family in json.loads(Path(table).read_text())["families"]
                if target in family["targets"]]
    kinds = sorted({kind for family in families for kind in family["weights"]})
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    intervals = layers = 0
    first = rng.randrange(2)
    for number, weights in enumerate(kinds):
        name, encoding = KINDS[weights]
        names = [family["name"] for family in families if weights in family["weights"]]
        # Of every other kind a layer for any number of tokens, whose kernels take long, of
        # the rest layers for some.
        any_number = number % 2 == first
        for tokens in ["?"] if any_number else [int(2 ** rng.uniform(0, 13)) for _ in range(3)]:
            # Groups are of 64 columns: fewer are one.
            n, k = size(rng, 6, 14), size(rng, 7 if "_groups" in weights else 4, 13)
            type = rng.choice(["f16", "bf16"])
            source = folder / f"{name}.mlir"
            source.write_text(product(
                name, n, k, type, f"tensor<{n}x{k}x{type}{encoding}>",
                weights.endswith("_i8")).replace("?x", f"{tokens}x"), encoding="utf-8")
            result = subprocess.run(
                ["sparseflow", "compile", source, "--target", target, "--schedule-file", table,
                 "--emit", "bundle", "--remarks", "-o", folder / name],
                capture_output=True, text=True, check=False)
            # Kernels of no row would be compiled again.
            if result.returncode or "[fallback]" in result.stderr:
                sys.exit(f"{source}, seed {seed}:\n{result.stderr}")
            found = [row for row in re.findall(r"\[schedule\] (\S+)", result.stderr)
                     if any(row.startswith(name) for name in names)]
            if any_number and not found:
                sys.exit(f"{source}, seed {seed}: expected kernels of families, found "
                         f"{result.stderr}")
            intervals += len(found)
            layers += 1
    print(f"{target}: {len(kinds)} kinds, {intervals} intervals of families, {layers} layers")


if __name__ == "__main__":
    main()
