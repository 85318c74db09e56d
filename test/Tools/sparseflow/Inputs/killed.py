"""Kills a command at every change of the file system that it makes.

usage: killed.py LIBRARY OLD NEW OUTPUT COMMAND...

OLD and NEW are files, or directories, with what OUTPUT holds before COMMAND and
after it. For n = 1, 2, ... OUTPUT is set to OLD and COMMAND is killed just before
its n-th change (LIBRARY, test/Tools/kill_at); then OUTPUT must equal OLD or NEW,
to the byte. Ends when COMMAND finishes alive. That the kills fell on both sides
of the replacement is checked too: otherwise this would have tested nothing.
"""

import os
import shutil
import signal
import subprocess
import sys


def contents(path):
    """Every file below `path` with its bytes."""
    if not os.path.isdir(path):
        with open(path, "rb") as file:
            return {"": file.read()}
    result = {}
    for name in sorted(os.listdir(path)):
        with open(os.path.join(path, name), "rb") as file:
            result[name] = file.read()
    return result


def place(source, target):
    if os.path.isdir(target):
        shutil.rmtree(target)
    elif os.path.exists(target):
        os.remove(target)
    if os.path.isdir(source):
        shutil.copytree(source, target)
    else:
        shutil.copyfile(source, target)


library, old, new, output, *command = sys.argv[1:]
before, after = contents(old), contents(new)
if before == after:
    sys.exit("the old and the new output are the same")
folder = os.path.dirname(output)
left = {"old": 0, "new": 0}
for n in range(1, 500):
    place(old, output)
    result = subprocess.run(command, capture_output=True, env=dict(
        os.environ, LD_PRELOAD=library, KILL_AT=str(n),
        KILL_PROGRAM=os.path.basename(command[0])))
    # A kill leaves nobody who could remove the temporary files.
    for name in os.listdir(folder):
        if name != os.path.basename(output):
            path = os.path.join(folder, name)
            if ".tmp" not in name:
                sys.exit(f"kill {n} left {name}, which does not look temporary")
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    found = contents(output)
    if result.returncode == 0:
        if found != after:
            sys.exit("the command succeeded and its output is not the new one")
        break
    if result.returncode != -signal.SIGKILL:
        sys.exit(f"kill {n}: status {result.returncode}\n"
                 + result.stderr.decode(errors="replace"))
    if found not in (before, after):
        sys.exit(f"kill {n}: the output is neither the old one nor the new one")
    left["old" if found == before else "new"] += 1
else:
    sys.exit("the command was killed 499 times and would have gone on")
if not left["old"]:
    sys.exit("no kill came before the replacement")
print(f"{n - 1} kills: {left['old']} left the old output, {left['new']} the new")
