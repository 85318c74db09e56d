"""Makes a failing run small: options first, then the program with sparseflow-reduce."""

import shlex
import subprocess
import sys
from pathlib import Path

from oracles import call, signature

DROPPABLE = ("--races", "--unaligned", "--early-copies", "--unoptimized")
PAIRS = ("--schedule-file", "--schedule-seed", "--arg")


def without(command):
    """Commands with one option less."""
    for index, word in enumerate(command):
        if word in DROPPABLE:
            yield command[:index] + command[index + 1:]
        elif word in PAIRS:
            yield command[:index] + command[index + 2:]


def shrink(command, folder, binary):
    """The command that still fails in the same way on the smallest program found,
    which is beside the original as reduced.mlir."""
    wanted = signature(*call(command))
    if wanted[0] == 0:
        return command
    again = True
    while again:
        again = False
        for fewer in without(command):
            if signature(*call(fewer)) == wanted:
                command, again = fewer, True
                break
    program = next(word for word in command if word.endswith("program.mlir"))
    script = Path(folder) / "still-fails"
    words = " ".join(shlex.quote(word) if word != program else '"$1"' for word in command)
    script.write_text(
        "#!/bin/sh\n# Exits with 1 while $1 fails as the program did.\n"
        f"exec {shlex.quote(sys.executable)} -B {shlex.quote(str(Path(__file__)))} "
        f"{shlex.quote(repr(wanted))} {words}\n", encoding="utf-8")
    script.chmod(0o755)
    reduced = Path(folder) / "reduced.mlir"
    try:
        subprocess.run([str(binary / "sparseflow-reduce"), program, "-o", str(reduced),
                        f"-reduction-tree=traversal-mode=0 test={script}"],
                       capture_output=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        pass
    smaller = [str(reduced) if word == program else word for word in command]
    if reduced.exists() and signature(*call(smaller)) == wanted:
        return smaller
    return command


if __name__ == "__main__":
    sys.exit(1 if repr(signature(*call(sys.argv[2:]))) == sys.argv[1] else 0)
