# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bundles of programs on disk: shipped, compiled before, or compiled now.

A bundle is looked for in this order:

1. `bundles` beside this package, where a wheel can carry them, and the folders of
   SPARSEFLOW_BUNDLES: TARGET/NAME-DIGEST, as `prepare(..., folder=)` writes them. The
   digest is of the program and its options, so these need no compiler.
2. The cache: SPARSEFLOW_CACHE, or `sparseflow` in the user's cache folder:
   VERSION/FOR/TARGET/NAME-DIGEST, where VERSION is of the command that compiled it, and
   FOR is the GPU by whose calibration schedules were chosen, or use_calibration's.
3. The `sparseflow` command, whose bundle goes into the cache.

Many processes may share a cache: one compiles while the others wait at a lock, and
a bundle appears whole, by a rename.
"""

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from typing import Optional

from .arrays import Path
from .bundle import Bundle
from .cli import compile as compile_program
from .cli import find_command
from .errors import Error

# (capability, target); a GPU takes the last row that is not beyond its own.
_TARGETS = (((8, 0), "sm_80"), ((8, 6), "sm_86"), ((8, 9), "sm_89"), ((9, 0), "sm_90a"),
            ((10, 0), "sm_100"), ((12, 0), "sm_120"))


# What use_calibration named.
_calibration = None


def use_calibration(calibration: Optional[Path]) -> None:
    """Schedules of what this process compiles for layers, graphs and attention are
    chosen by `calibration`, h200, h100 or a file's path, from now on; None: by that of
    the GPU, or the nearest. Programs that are loaded stay as they are.
    """
    global _calibration
    _calibration = None if calibration is None else os.fspath(calibration)


def choice_options(gpu=""):
    """Options of `sparseflow compile` that say what schedules are chosen by: the
    calibration that was asked for, or else `gpu`, as its driver calls it."""
    if _calibration is not None:
        return ["--calibration", _calibration]
    return ["--gpu", gpu] if gpu else []


def _chosen_by(options):
    """The name of choice_options' folder; a file counts by what is in it."""
    if not options:
        return ""
    name, mark = os.path.basename(options[1]), ""
    if options[0] == "--calibration" and os.path.isfile(options[1]):
        with open(options[1], "rb") as file:
            mark = "-" + hashlib.sha256(file.read()).hexdigest()[:16]
    return re.sub("[^A-Za-z0-9.]+", "-", name) + mark


def target_of(capability):
    """The target that is compiled for a GPU of this compute capability."""
    found = [target for least, target in _TARGETS
             if least[0] == capability[0] and least <= tuple(capability)]
    if not found:
        raise Error(f"expected a GPU of compute capability "
                    f"{', '.join('%d.%d' % least for least, _ in _TARGETS)}, found "
                    f"{'%d.%d' % tuple(capability)}")
    return found[-1]


def digest(program):
    """What identifies a program: its text and options."""
    text = json.dumps([program.text, program.options])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def entry(program, target):
    """Where a program's bundle lies in a folder of bundles."""
    return os.path.join(target, f"{program.name}-{digest(program)}")


@functools.lru_cache(maxsize=None)
def _version(command, size, changed):
    """A short name of a command's version; a new file is asked again."""
    text = subprocess.run([command, "--version"], capture_output=True, check=False,
                          stdin=subprocess.DEVNULL).stdout
    return hashlib.sha256(b"%b %d %d" % (text, size, changed)).hexdigest()[:16]


def command_version():
    """What identifies the compiler, or Error where the command is not there."""
    command = find_command()
    command = shutil.which(command) or command
    try:
        about = os.stat(command)
        return _version(command, about.st_size, about.st_mtime_ns)
    except OSError as error:
        raise Error(f"cannot run {command}: {error}; put the folder of the sparseflow "
                    "command on PATH, or name it in SPARSEFLOW_COMMAND") from None


def shipped_folders():
    """Folders of bundles that came without a compiler."""
    named = os.environ.get("SPARSEFLOW_BUNDLES", "").split(os.pathsep)
    here = os.path.dirname(os.path.abspath(__file__))
    return [os.path.join(here, "bundles"), *filter(None, named)]


def cache_folder():
    """The folder that compiled bundles are kept in."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("SPARSEFLOW_CACHE") or os.path.join(home, "sparseflow")


@contextlib.contextmanager
def _locked(path):
    """Holds the lock of a file among processes and threads; ends with its holder."""
    with open(path, "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _readable(path):
    """The bundle's path, or None where there is none or it is damaged."""
    if os.path.isdir(path):
        with contextlib.suppress(Error):
            return Bundle(path).directory
    return None


def compile_into(folder, program, target, options=()):
    """Compiles into `folder`, unless it is there, and returns the bundle's path."""
    path = os.path.join(folder, entry(program, target))
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with _locked(path + ".lock"):
            if _readable(path):
                return path
            work = tempfile.mkdtemp(dir=os.path.dirname(path), prefix=".compiling-")
            try:
                made = os.path.join(work, "bundle")
                compile_program(program.text, made, [target],
                                options=[*program.options, *options])
                if os.path.exists(path):
                    os.rename(path, os.path.join(work, "damaged"))
                os.rename(made, path)
            finally:
                shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        raise Error(f"cannot keep the bundle {path}: {error}; name a folder that can be "
                    "written in SPARSEFLOW_CACHE") from None
    return path


def find(program, target, gpu=""):
    """The path of a program's bundle for a target; compiles it where it has to, for the
    GPU that the driver calls `gpu`."""
    looked = shipped_folders()
    for folder in looked:
        if found := _readable(os.path.join(folder, entry(program, target))):
            return found
    try:
        version = command_version()
    except Error as error:
        raise Error(f"no bundle of {program.name} for {target}: none is in "
                    f"{', '.join(looked)}, and {error}. Bundles are made where the "
                    "command is by sparseflow.torch.prepare(model, targets, folder=...)"
                    ) from None
    options = choice_options(gpu)
    folder = os.path.join(cache_folder(), version, _chosen_by(options))
    return compile_into(folder, program, target, options)


def find_for(program, context):
    """The path of a program's bundle for the GPU of a Context."""
    return find(program, target_of(context.capability), context.name)
