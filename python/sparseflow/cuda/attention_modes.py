# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One launch for all modes of an attention."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .. import native
from ..arrays import Array, Path
from ..cache import MODES, mode_case
from ..errors import Error, checked_methods
from .function import Context, Function, _stream

if TYPE_CHECKING:
    from ..bundle import Bundle


@checked_methods
class AttentionModes:
    """The functions NAME.full_precision, NAME.int8 and so on of a bundle, as far as it has
    them, loaded for a GPU: `launch` chooses among them by a policy.

    Any number of threads may call one AttentionModes.
    """

    functions: Dict[str, Function]
    """By mode, one of `sparseflow.cache.MODES`."""

    def __init__(self, bundle: Bundle, name: str, context: Optional[Context] = None) -> None:
        names = {mode: f"{name}.{mode}" for mode in MODES}
        found = {mode: entry for mode, entry in names.items() if entry in bundle.functions}
        if not found:
            raise Error(f"expected one of the functions {', '.join(names.values())} in "
                        f"'{bundle.directory}', found {', '.join(bundle.functions)}")
        context = context or Context()
        self.functions = {mode: Function(bundle, bundle.function(entry), context)
                          for mode, entry in found.items()}

    def launch(self, policy: Union[Path, Mapping[str, Any]],
               operands: Mapping[str, Tuple[Sequence[Array], Sequence[Array]]],
               workspace: Union[Array, Tuple[int, int]] = (0, 0), stream: Any = 0,
               **sizes: Any) -> str:
        """Launches the function of the mode that `policy` chooses for a call of `sizes`,
        choose_mode's other arguments, and returns that mode.

        `operands`: for each mode that the caller has keys and values in, the arguments and
        the results of its function, as Function.launch takes them; other modes are not
        chosen. `workspace`: for the mode that needs most. A graph that captures the call
        holds the mode of the capture.
        """
        functions = (ctypes.c_void_p * len(MODES))()
        given = (native.AttentionOperands * len(MODES))()
        keep: List[Any] = []
        space: Tuple[int, int] = (0, 0)
        for mode, (arguments, results) in operands.items():
            if mode not in self.functions:
                raise Error(f"expected operands of modes among {', '.join(self.functions)}, "
                            f"found {mode}")
            function, number = self.functions[mode], MODES.index(mode)
            (a, a_count, r, r_count, *space), kept = function._call(arguments, results,
                                                                   workspace)
            keep += [a, r, kept]
            functions[number] = function._function
            given[number] = native.AttentionOperands(a, a_count, r, r_count)
        call = mode_case(policy, modes=tuple(operands), **sizes)
        chosen = ctypes.c_int()
        native.library().sf_attention_launch(functions, ctypes.byref(call), given, *space,
                                             _stream(stream), chosen)
        del keep
        return MODES[chosen.value]
