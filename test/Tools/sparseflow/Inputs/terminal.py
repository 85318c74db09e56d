"""Runs a command on a pseudo-terminal: prints each state of its last line, what
is left on it, and the exit status."""

import os
import pty
import re
import sys

output = bytearray()


def read(fd):
    data = os.read(fd, 4096)
    output.extend(data)
    return data


# What the module copies to the standard output is printed below instead.
saved = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
status = pty.spawn(sys.argv[1:], read)
os.dup2(saved, 1)
states = output.decode().split("\r\x1b[K")
for state in states[1:-1]:
    print(state)
print("left:", re.sub(r"\s+", "", states[-1]) or "nothing")
print("done:", os.waitstatus_to_exitcode(status))
