# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from typing import Iterator

from ..errors import Error


@contextlib.contextmanager
def new_folder(output: str, kept: str = "") -> Iterator[str]:
    """A folder to fill, which becomes `output` at the end of the `with`, unless that
    fails. `kept`: what an error of writing says in the end."""
    output = output.rstrip("/")
    if not output:
        raise Error("expected a folder to make, found none")
    if os.path.lexists(output):
        raise Error(f"{output}: expected a folder that is not there yet; remove it or "
                    "name another one")
    parent = os.path.dirname(os.path.abspath(output))
    try:
        os.makedirs(parent, exist_ok=True)
        folder = tempfile.mkdtemp(dir=parent, prefix="." + os.path.basename(output))
    except OSError as error:
        raise Error(f"{output}: not written: {error}{kept}") from None
    try:
        yield folder
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(folder, 0o777 & ~mask)
        os.rename(folder, output)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise Error(f"{output}: not written: {error}{kept}") from None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
