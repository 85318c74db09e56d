"""bounded.py FOLDER CORPUS SEED COUNT: whatever a file's header claims, `inspect --verify`,
`unpack` and `pack` answer in time and memory that its size bounds.

Files are those of the readers' corpus with numbers of their headers replaced by large ones.
A command may take 2 seconds of CPU time and 48 MiB more than `sparseflow --version`, which
is far above what files of a few kilobytes need and far below what a claim would cost."""

import os
import random
import re
import resource
import struct
import sys
from pathlib import Path

SECONDS, BYTES = 2, 48 << 20
LARGE = [1 << 16, 1 << 20, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40,
         (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
KINDS = {"safetensors": ".safetensors", "sfpk": ".sfpk", "gguf": ".gguf"}


def run(command):
    """(status, seconds, bytes of memory) of a command; -9 where it was stopped."""
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 1, SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    return (os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * 1024)


def mutate(rng, data, kind):
    """`data` with one to three numbers of its header replaced by large ones."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 3])):
        large = rng.choice(LARGE)
        numbers = [m for m in re.finditer(rb"\d+", data)
                   if m.end() <= 2000] if kind != "gguf" else []
        if numbers and rng.random() < 0.6:
            # Text keeps its length where it can, so that the header still reads.
            match = rng.choice(numbers)
            text = str(large).encode()
            data[match.start():match.end()] = text
            if kind == "safetensors" and len(data) >= 8:
                length, = struct.unpack_from("<Q", data)
                grown = length + len(text) - (match.end() - match.start())
                if match.start() >= 8 and 0 <= grown < 1 << 64:
                    struct.pack_into("<Q", data, 0, grown)
        elif len(data) >= 8:
            size, form = rng.choice([(8, "<Q"), (4, "<I")])
            place = rng.randrange(min(len(data) - size, 600) + 1)
            struct.pack_into(form, data, place, large % (1 << (8 * size)))
    return bytes(data)


def main():
    folder, corpus, seed, count = Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:5]
    rng = random.Random(f"bounded {seed}")
    usual = max(run(["sparseflow", "--version"])[2] for _ in range(3))
    failures, answers = 0, {}
    for number in range(int(count)):
        kind = rng.choice(sorted(KINDS))
        source = rng.choice(sorted(p for p in (corpus / kind).iterdir()
                                   if p.is_file() and p.stat().st_size < 1 << 16))
        path = folder / f"{number}{KINDS[kind]}"
        path.write_bytes(mutate(rng, source.read_bytes(), kind))
        out = str(folder / "out")
        commands = [["inspect", "--verify", str(path)],
                    ["pack", str(path), "--include", ".", "--format", "ternary", "--scale",
                     "32", "-o", out]]
        if kind == "sfpk":
            commands.append(["unpack", str(path), "-o", out])
        for command in commands:
            status, seconds, memory = run(["sparseflow", *command])
            answers[status] = answers.get(status, 0) + 1
            room = BYTES + 64 * path.stat().st_size
            if status not in (0, 1, 2, 3) or seconds > SECONDS or memory > usual + room:
                failures += 1
                print(f"{source.name}, file {number} of seed {seed}: {command[0]} ended with "
                      f"{status} after {seconds:.1f} s and {memory >> 20} MiB, "
                      f"--version takes {usual >> 20}")
        if not failures:
            path.unlink()
    print(f"{count} files, statuses {dict(sorted(answers.items()))}, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
