"""signalled.py SIGNAL CODE COMMAND...: a command whose child gets a signal ends with CODE.

SIGNAL is a name such as KILL, sent once the child runs; PIPE is what a child gets that
writes where nobody reads.
"""

import glob
import os
import signal
import subprocess
import sys
import time

name, code, *command = sys.argv[1:]
if name == "PIPE":
    reader, writer = os.pipe()
    os.close(reader)
    parent = subprocess.Popen(command, stdout=writer)
else:
    parent = subprocess.Popen(command)


def started():
    """The child once it is the program that it is to be."""
    for path in glob.glob(f"/proc/{parent.pid}/task/*/children"):
        try:
            with open(path, encoding="ascii") as file:
                child = int(file.read().split()[0])
            with open(f"/proc/{child}/cmdline", "rb") as file:
                if b"--in-process" in file.read():
                    return child
        except (OSError, IndexError):
            pass
    return None


while name != "PIPE" and parent.poll() is None:
    if child := started():
        os.kill(child, getattr(signal, "SIG" + name))
        break
    time.sleep(0.02)
found = parent.wait()
if found != int(code):
    sys.exit(f"expected exit code {code}, found {found}")
