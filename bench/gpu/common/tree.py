"""The repository that a benchmark stands in: its commit and the programs built in it."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_COMPILERS = ("build/release/bin/sparseflow", "build/ci/bin/sparseflow",
              "build/dev/bin/sparseflow")
_EXECS = ("build/rt/bin/sparseflow-exec", "build/release/bin/sparseflow-exec",
          "build/ci/bin/sparseflow-exec")


def tool(given, names):
    """A program by path or from the build directories; None if there is none."""
    if given:
        return shutil.which(given)
    for name in names:
        if (ROOT / name).exists():
            return str(ROOT / name)
    return shutil.which(Path(names[0]).name)


def add_compiling(parser):
    """What every half that compiles takes."""
    parser.add_argument("--commit", help="the commit to record (default: git's)")
    parser.add_argument("--gpu", metavar="NAME",
                        help="whose calibration chooses schedules, as its driver calls it "
                        "(sparseflow compile --gpu)")


def gpu_flags(options):
    """Of `sparseflow compile`."""
    return ["--gpu", options.gpu] if options.gpu else []


def compiler(given):
    return tool(given, _COMPILERS)


def executor(given):
    return tool(given, _EXECS)


def commit():
    """The commit of the tree, with a mark if files differ from it."""
    def git(*arguments):
        return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True,
                              capture_output=True, text=True, timeout=60).stdout.strip()
    try:
        changed = git("status", "--porcelain", "--untracked-files=no")
        return git("rev-parse", "HEAD") + ("+changes" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return "unknown"
