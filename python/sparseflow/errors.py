# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one exception of the package."""


class Error(Exception):
    """What was expected, what was found, what to do.

    `code` is the sf_status of the library (sparseflow/status.h), the exit code of
    the command with `kind` "command", or 0 where neither was involved.
    """

    def __init__(self, text, code=0, kind="python"):
        super().__init__(text)
        self.code = code
        self.kind = kind
