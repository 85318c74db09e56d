"""Runs the commands of a document: run_document.py DOCUMENT DIRECTORY.

In blocks marked ```console, a line that starts with "$ " is a command, and the
lines up to the next are what it prints, both streams. `...` stands for any text
within a line, or, alone, for any lines. "[exit code N]" at the end is expected
when a command fails. Commands run in DIRECTORY.
"""

import re
import subprocess
import sys
from pathlib import Path

document, directory = Path(sys.argv[1]), Path(sys.argv[2])
blocks = re.findall(r"^```console\n(.*?)^```$", document.read_text(),
                    re.MULTILINE | re.DOTALL)
commands = []
for block in blocks:
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        else:
            commands[-1][1].append(line)
if not commands:
    sys.exit(f"{document}: expected blocks of commands, found none")

failures = 0
for command, expected in commands:
    done = subprocess.run(command, shell=True, cwd=directory, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = done.stdout
    if done.returncode:
        printed += f"[exit code {done.returncode}]\n"
    pattern = "".join("(?:.*\n)*" if line == "..." else
                      ".*".join(map(re.escape, line.split("..."))) + "\n"
                      for line in expected)
    if not re.fullmatch(pattern, printed):
        failures += 1
        print(f"FAILED $ {command}\n--- expected\n" + "\n".join(expected) +
              f"\n--- printed\n{printed}")
print(f"{len(commands)} commands, {failures} failures")
sys.exit(failures != 0)
