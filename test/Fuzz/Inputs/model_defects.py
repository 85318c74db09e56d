"""A search for models over a package with a defect, which it must find.

Usage: model_defects.py DEFECT ARGUMENTS...
"""

import contextlib
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / name) for name in ("fuzz/models", "fuzz", "python")]

import search  # noqa: E402
from sparseflow.model import importer  # noqa: E402
from sparseflow.model.families import llama  # noqa: E402

defect = sys.argv.pop(1)
frequencies, find = llama.rotary_frequencies, importer.find_family


@contextlib.contextmanager
def left(output, *more):
    del more
    os.makedirs(output)
    yield output


def broken(checkpoint):
    return find(checkpoint) if os.path.basename(checkpoint.path) == "source" else None + 1


if defect == "angles":
    llama.rotary_frequencies = lambda base, features: 1.5 * frequencies(base, features)
elif defect == "error":
    importer.find_family = broken
else:
    importer.new_folder = left
    importer.write_program = lambda *arguments: (_ for _ in ()).throw(importer.Error("full"))
sys.exit(search.main(__doc__))
