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
angles, find = llama.angles_of, importer.find_family


@contextlib.contextmanager
def left(output, *more):
    del more
    os.makedirs(output)
    yield output


def broken(checkpoint):
    return find(checkpoint) if os.path.basename(checkpoint.path) == "source" else None + 1


def fast(*arguments):
    found = angles(*arguments)
    return found._replace(frequencies=1.5 * found.frequencies)


if defect == "angles":
    llama.angles_of = fast
elif defect == "error":
    importer.find_family = broken
else:
    importer.new_folder = left
    importer.write_program = lambda *arguments: (_ for _ in ()).throw(importer.Error("full"))
sys.exit(search.main(__doc__))
