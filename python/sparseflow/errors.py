# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one exception of the package, and what makes every failure one."""

from __future__ import annotations

import functools
from typing import Any, Callable, TypeVar, cast


class Error(Exception):
    """What was expected, what was found, what to do.

    `code` is the sf_status of the library (sparseflow/status.h), the exit code of
    the command with `kind` "command", or 0 where neither was involved.
    """

    def __init__(self, text: str, code: int = 0, kind: str = "python") -> None:
        super().__init__(text)
        self.code = code
        self.kind = kind


class MissingTensor(Error, KeyError):
    """A mapping of tensors has none of that name; a KeyError too, as mappings owe."""

    __str__ = Exception.__str__


_F = TypeVar("_F", bound=Callable[..., Any])
_C = TypeVar("_C", bound=type)


def checked(function: _F) -> _F:
    """Makes every failure of a public function an Error, with its cause kept.

    A call with other arguments than the function has stays the TypeError it is.
    """
    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except Error:
            raise
        except Exception as error:
            # Nothing below this frame: the call itself did not fit.
            trace = error.__traceback__
            if trace is None or trace.tb_next is None:
                raise
            name = function.__qualname__.replace(".__init__", "")
            raise Error(f"{name}: {type(error).__name__}: {error}") from error
    return cast(_F, call)


def checked_methods(kind: _C) -> _C:
    """`checked` for the public methods of a class."""
    for name, member in list(vars(kind).items()):
        if name.startswith("_") and name not in ("__init__", "__call__",
                                                 "__getitem__"):
            continue
        if isinstance(member, classmethod):
            setattr(kind, name, classmethod(checked(member.__func__)))
        elif callable(member) and not isinstance(member, type):
            setattr(kind, name, checked(member))
    return kind
