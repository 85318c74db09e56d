"""What the searches share: the checkout, its commit, and the tools that were built of it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def need_numpy():
    """Runs the script again by a Python that has NumPy, if this one has not."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        # The one of the distribution has it where another Python comes first on PATH.
        if sys.executable == "/usr/bin/python3" or not os.path.exists("/usr/bin/python3"):
            sys.exit("error: NumPy is missing (Debian package python3-numpy)")
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])


def commit():
    """The commit that is checked out, which seeds the search."""
    try:
        done = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"],
                              capture_output=True, text=True, check=False)
    except OSError:
        return "0"
    return done.stdout.strip() or "0"


def tools(given):
    """The folder of the tools, and the library of the Python package."""
    for place in [given] if given else [ROOT / f"build/{name}/bin" for name in
                                        ("release", "ci", "dev")]:
        if (Path(place) / "sparseflow").exists():
            library = Path(place).parent / "lib/libsparseflow_rt.so.0"
            if library.exists():
                os.environ.setdefault("SPARSEFLOW_RT", str(library))
            return Path(place)
    print("error: sparseflow is missing: build it, or name its folder with --tools",
          file=sys.stderr)
    sys.exit(3)
