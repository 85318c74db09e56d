"""Takes kernels of the schedule table's families through ptxas.

Usage: check_families.py TABLE.json TARGET FOLDER SEED

Layers at random sizes, which SEED makes, of each kind of weights that has families: the
compiler runs ptxas and refuses spills, local memory, advisories, warnings and missing
tensor instructions. The kernels must be of the families.
"""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

from check_rows import KINDS
from products import product


def main():
    table, target, folder, seed = sys.argv[1:5]
    rng = random.Random(f"families 1: {seed}")
    families = [family for family in json.loads(Path(table).read_text())["families"]
                if target in family["targets"]]
    kinds = sorted({kind for family in families for kind in family["weights"]})
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    kernels = 0
    for weights in kinds:
        name, encoding = KINDS[weights]
        n, k = (8 * int(2 ** rng.uniform(low, high)) for low, high in ((3, 11), (1, 10)))
        type = rng.choice(["f16", "bf16"])
        source = folder / f"{name}.mlir"
        source.write_text(product(name, n, k, type, f"tensor<{n}x{k}x{type}{encoding}>",
                                  weights.endswith("_i8")), encoding="utf-8")
        result = subprocess.run(
            ["sparseflow", "compile", source, "--target", target, "--schedule-file", table,
             "--emit", "bundle", "--remarks", "-o", folder / name],
            capture_output=True, text=True, check=False)
        # Kernels of no row would be compiled again.
        if result.returncode or "[fallback]" in result.stderr:
            sys.exit(f"{source}, seed {seed}:\n{result.stderr}")
        names = [family["name"] for family in families if weights in family["weights"]]
        found = [row for row in re.findall(r"\[schedule\] (\S+)", result.stderr)
                 if any(row.startswith(name) for name in names)]
        if not found:
            sys.exit(f"{source}, seed {seed}: expected kernels of families, found "
                     f"{result.stderr}")
        kernels += len(found)
    print(f"{target}: {len(kinds)} kinds, {kernels} intervals of families")


if __name__ == "__main__":
    main()
