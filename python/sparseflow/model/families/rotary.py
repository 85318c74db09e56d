# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary positions as configs describe them: the angle of each pair of features."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, NamedTuple, Optional, Union

import numpy as np

from ...errors import Error

_ORIGINAL = "original_max_position_embeddings"
# Members of config.json's rotary parameters that are numbers.
_NUMBERS = ("rope_theta", "factor", "low_freq_factor", "high_freq_factor", _ORIGINAL,
            "attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim")


class Rotary(NamedTuple):
    """The angle of each pair of features at position 1, float64, and what cosines and sines of
    all angles, or of each, are multiplied by."""
    frequencies: np.ndarray
    factor: Union[float, np.ndarray] = 1.0

    def padded(self, pairs: int) -> "Rotary":
        """With pairs behind these that do not turn."""
        more = pairs - len(self.frequencies)
        factors = np.broadcast_to(self.factor, self.frequencies.shape)
        return Rotary(np.pad(self.frequencies, (0, more)),
                      np.pad(factors, (0, more), constant_values=1.0))


def check_scaling(scaling: Any, where: str, partly: bool) -> None:
    """An error where rotary positions are not equal in all layers, or their numbers are none,
    or, unless they may turn some features `partly`, not of all features."""
    if not isinstance(scaling, dict) or any(isinstance(v, dict) for v in scaling.values()):
        raise Error(f"{where}: config: expected rotary parameters for all layers, one object, "
                    f"found {scaling!r}")
    share = scaling.get("partial_rotary_factor")
    if share not in (None, 1, 1.0) and not (partly and _is_above_zero(share) and share < 1):
        expected = "a number above 0, at most 1" if partly else "1"
        raise Error(f"{where}: config: 'partial_rotary_factor': expected {expected}, found "
                    f"{share!r}")
    for name in _NUMBERS:
        if (value := scaling.get(name)) is not None and not _is_above_zero(value):
            raise Error(f"{where}: config: rotary parameters: '{name}': expected a number "
                        f"above 0, found {value!r}")


def _is_above_zero(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and \
        0 < value < math.inf


def _linear(plain: np.ndarray, scaling: Dict[str, Any], positions: int) -> Rotary:
    return Rotary(plain / float(scaling["factor"]))


def _llama3(plain: np.ndarray, scaling: Dict[str, Any], positions: int) -> Rotary:
    factor = float(scaling["factor"])
    low, high = (float(scaling[f"{name}_freq_factor"]) for name in ("low", "high"))
    if not low < high:
        raise Error(f"expected a low_freq_factor below high_freq_factor, found {low:g} and "
                    f"{high:g}")
    turns = float(scaling[_ORIGINAL]) * plain / (2 * math.pi)
    # Between the two lengths of a wave, from stretched to unchanged.
    share = np.clip((turns - low) / (high - low), 0, 1)
    return Rotary(plain * (share + (1 - share) / factor))


def _yarn(plain: np.ndarray, scaling: Dict[str, Any], positions: int) -> Rotary:
    factor, base = float(scaling["factor"]), float(scaling["rope_theta"])
    if base == 1:
        raise Error("expected a rope_theta other than 1, whose pairs all turn alike")

    def growth(scale: float) -> float:
        return 1 + 0.1 * scale * math.log(factor) if factor > 1 else 1.0

    def place(name: str, turns: float) -> float:
        """The pair that turns so often within the original positions."""
        waves = math.log(scaling[_ORIGINAL]) - math.log(scaling.get(name, turns)) \
            - math.log(2 * math.pi)
        return len(plain) * waves / math.log(base)
    first, last = place("beta_fast", 32), place("beta_slow", 1)
    if scaling.get("truncate", True):
        first, last = math.floor(first), math.ceil(last)
    # Cut where features end, not pairs, as what trains such models does.
    first, last = max(first, 0), min(last, 2 * len(plain) - 1)
    if first == last:
        last += 0.001
    # From unchanged to stretched.
    share = np.clip((np.arange(len(plain)) - first) / (last - first), 0, 1)
    scales = [float(scaling.get(name, 0)) for name in ("mscale", "mscale_all_dim")]
    attention = growth(scales[0]) / growth(scales[1]) if all(scales) else growth(1)
    return Rotary(plain * (1 - share + share / factor),
                  float(scaling.get("attention_factor", attention)))


def _longrope(plain: np.ndarray, scaling: Dict[str, Any], positions: int) -> Rotary:
    """There are factors for texts within the original positions, and others for longer ones."""
    original = float(scaling[_ORIGINAL])
    name = "long_factor" if positions > original else "short_factor"
    factors = scaling[name]
    if not isinstance(factors, list) or len(factors) != len(plain) or \
            not all(map(_is_above_zero, factors)):
        raise Error(f"'{name}': expected {len(plain)} numbers above 0, found {factors!r}")
    factor = float(scaling["factor"])
    grown = math.sqrt(1 + math.log(factor) / math.log(original)) \
        if factor > 1 and original > 1 else 1.0
    return Rotary(plain / np.array(factors, np.float64),
                  float(scaling.get("attention_factor", grown)))


# Kinds of scaling for longer contexts, by what config.json calls them. What depends on how long a
# text is at the moment ("dynamic") is none.
_KINDS: Dict[str, Callable[[np.ndarray, Dict[str, Any], int], Rotary]] = {
    "linear": _linear, "llama3": _llama3, "yarn": _yarn, "longrope": _longrope}


def kind_of(scaling: Dict[str, Any]) -> str:
    """What parameters call their kind. Older files have other names for longrope."""
    kind = str(scaling.get("rope_type") or scaling.get("type") or "default")
    return "longrope" if kind in ("su", "yarn") and "long_factor" in scaling else kind


def complete(scaling: Dict[str, Any], positions: int, original: Optional[int]
             ) -> Dict[str, Any]:
    """Checked parameters with what the rest of a config says: its `positions`, and how many a
    model had before it was stretched, if it says that. What is None is left out."""
    scaling = {name: value for name, value in scaling.items() if value is not None}
    kind = kind_of(scaling)
    if original is not None and kind in ("llama3", "yarn", "longrope"):
        scaling[_ORIGINAL] = original
    if kind in ("yarn", "longrope"):
        scaling.setdefault(_ORIGINAL, positions)
    if kind == "longrope":
        scaling.setdefault("factor", positions / scaling[_ORIGINAL])
    return scaling


def longest(scaling: Dict[str, Any], positions: int) -> int:
    """The longest text of a model with `positions` by its config, whose complete parameters may
    stretch more: yarn is often added to a config that is otherwise as it was."""
    if kind_of(scaling) != "yarn" or "factor" not in scaling:
        return positions
    return max(positions, int(min(scaling["factor"] * scaling[_ORIGINAL], 2.0 ** 31)))


def pairs_in_front(values: np.ndarray, size: int, turned: int) -> np.ndarray:
    """Rows of heads of `size` features, of which the first `turned` are in pairs (i, i +
    turned / 2), in the order in which all are in pairs (i, i + size / 2), those that turn first.
    Scores of queries and keys in one order are what they are in another."""
    half, left = turned // 2, (size - turned) // 2
    first, second = np.arange(half), np.arange(turned, turned + left)
    order = np.concatenate([first, second, first + half, second + left])
    return values.reshape(-1, size, *values.shape[1:])[:, order].reshape(values.shape)


def angles_of(base: float, features: int, scaling: Dict[str, Any], positions: int,
              where: str) -> Rotary:
    """The angles of `features` with complete parameters, for texts of up to `positions`."""
    plain = base ** (-np.arange(0, features, 2, dtype=np.float64) / features)
    kind = kind_of(scaling)
    if kind == "default":
        return Rotary(plain)
    if kind not in _KINDS:
        raise Error(f"{where}: rope_scaling: expected {', '.join(_KINDS)} or default, found "
                    f"'{kind}'")
    try:
        with np.errstate(over="ignore"):
            found = _KINDS[kind](plain, {**scaling, "rope_theta": base}, positions)
        if not np.isfinite(np.append(found.frequencies, found.factor)).all():
            raise Error("expected finite angles, which these numbers do not give")
        return found
    except KeyError as error:
        raise Error(f"{where}: rope_scaling of type {kind} has no {error}") from None
    except Error as error:
        raise Error(f"{where}: rope_scaling: {error}") from None
