"""Follows a tutorial as a reader would.

usage: run_tutorial.py [--sh] PAGE DIRECTORY [NAME=VALUE | FILE]...

Everything happens in DIRECTORY, which is made anew and into which FILEs are copied, in
the order of the page:

* a block behind a line with nothing but a path in backquotes and a colon is that
  file;
* in a block of `console`, a line that begins with "$ " is a command (a backslash at
  its end continues it), and the lines up to the next are what it prints, both
  streams. `...` stands for any text within a line or, alone, for any lines.
  "[exit code N]" at the end is expected where a command fails.

Blocks of other languages show things and are not run. With --sh those of `sh`, commands
without output, are run instead of all of that, as one script, and what they print, both
streams, is printed. NAME=VALUE: variables of the
commands' environment. Lines of the driver whose kernels do nothing (fake_cuda) are
counted and left out. Prints "F files, C commands, L launches".
"""

import os
import re
import shutil
import subprocess
import sys

only_sh = sys.argv[1] == "--sh"
page, directory, *given = sys.argv[1 + only_sh:]
environment = dict(os.environ, **dict(item.split("=", 1) for item in given if "=" in item))
# The reader's python3 is the one that has NumPy.
environment["PATH"] = os.pathsep.join([os.path.dirname(sys.executable),
                                       environment["PATH"]])
shutil.rmtree(directory, ignore_errors=True)
os.makedirs(directory)
for item in given:
    if "=" not in item:
        shutil.copy(item, directory)

with open(page, encoding="utf-8") as file:
    lines = file.read().split("\n")


def steps():
    """(line, kind, name, text) of every block, in order."""
    name, i = None, 0
    while i < len(lines):
        fence = re.match(r"^```([\w+-]*)$", lines[i])
        if not fence:
            title = re.match(r"^`([\w./-]+)`:$", lines[i])
            name = title.group(1) if title else name if not lines[i].strip() else None
            i += 1
            continue
        end = lines.index("```", i + 1)
        yield i + 1, fence.group(1), name, lines[i + 1:end]
        name, i = None, end + 1


def commands(block):
    """(command, expected lines) of a block of `console`."""
    result, open_command = [], False
    for line in block:
        if open_command:
            result[-1][0] += "\n" + line
        elif line.startswith("$ "):
            result.append([line[2:], []])
        else:
            result[-1][1].append(line)
            continue
        open_command = line.endswith("\\")
    return result


files = ran = launches = 0
if only_sh:
    script = [line for _, kind, _, block in steps() if kind == "sh" for line in block]
    done = subprocess.run(["bash", "-ec", "\n".join(script)], cwd=directory, env=environment,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL)
    print(done.stdout, end="")
    print(f"0 files, {len(script)} commands, 0 launches")
    sys.exit(done.returncode)
for line, kind, name, block in steps():
    if name:
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(block) + "\n")
        files += 1
        continue
    if kind != "console":
        continue
    for command, expected in commands(block):
        done = subprocess.run(["bash", "-c", command], cwd=directory, text=True,
                              env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        printed, found = re.subn(r"^fake launch: .*\n", "", done.stdout,
                                 flags=re.MULTILINE)
        launches += found
        if done.returncode:
            printed += f"[exit code {done.returncode}]\n"
        pattern = "".join("(?:.*\n)*" if text == "..." else
                          ".*".join(map(re.escape, text.split("..."))) + "\n"
                          for text in expected)
        if not re.fullmatch(pattern, printed):
            sys.exit(f"{page}:{line}: $ {command}\n--- expected\n"
                     + "\n".join(expected) + f"\n--- printed\n{printed}")
        ran += 1
print(f"{files} files, {ran} commands, {launches} launches")
