# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Protocol buffers as bytes: just enough to change an ONNX file and keep the rest.

A Message is the list of its fields in the order of the file. What is not looked at, also
fields that this package has never heard of, is written again as it was read.
"""

from __future__ import annotations

import struct
from typing import Any, Iterable, Iterator, List, Tuple, Union

from ..errors import Error

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
Bytes = Union[bytes, memoryview]


def _varint(data: memoryview, at: int) -> Tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Error("expected a protocol buffer, found one that ends in a number")
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _written(value: int) -> bytes:
    value &= (1 << 64) - 1
    parts = bytearray()
    while value > 0x7f:
        parts.append(value & 0x7f | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def signed(value: int) -> int:
    """An int64 as the format has it."""
    return value - (1 << 64) if value >> 63 else value


class Message:
    """Fields of a message: (number, kind, value), where a value is a number (VARINT),
    or bytes: 8, 4, or any number of them (a text, or a message)."""

    def __init__(self, data: Bytes = b"") -> None:
        self.fields: List[Tuple[int, int, Any]] = []
        view, at = memoryview(data), 0
        while at < len(view):
            key, at = _varint(view, at)
            number, kind = key >> 3, key & 7
            if kind == VARINT:
                value, at = _varint(view, at)
                self.fields.append((number, kind, value))
                continue
            size = {FIXED64: 8, FIXED32: 4}.get(kind)
            if kind == BYTES:
                size, at = _varint(view, at)
            if size is None or not number or at + size > len(view):
                raise Error("expected a protocol buffer, found a field of kind "
                            f"{kind} that does not fit")
            self.fields.append((number, kind, view[at:at + size]))
            at += size

    def all(self, number: int) -> Iterator[Any]:
        """The values of a field that may be repeated."""
        return (value for field, _, value in self.fields if field == number)

    def last(self, number: int, default: Any = None) -> Any:
        """The value of a field that is there once, or `default`."""
        found = default
        for found in self.all(number):
            pass
        return found

    def text(self, number: int) -> str:
        """A text, "" where it is not there."""
        return bytes(self.last(number, b"")).decode()

    def texts(self, number: int) -> List[str]:
        """The texts of a repeated field."""
        return [bytes(value).decode() for value in self.all(number)]

    def integers(self, number: int) -> List[int]:
        """Repeated int64, each apart or packed."""
        found: List[int] = []
        for field, kind, value in self.fields:
            if field != number:
                continue
            if kind == VARINT:
                found.append(signed(value))
                continue
            at = 0
            while at < len(value):
                number_, at = _varint(value, at)
                found.append(signed(number_))
        return found

    def float32(self, number: int, default: float) -> float:
        """A float, or `default`."""
        value = self.last(number)
        return default if value is None else struct.unpack("<f", value)[0]

    def add(self, number: int, value: Union[int, float, str, Bytes, "Message"]) -> "Message":
        """Adds a field behind the others; returns this message."""
        if isinstance(value, Message):
            value = bytes(value)
        if isinstance(value, str):
            value = value.encode()
        if isinstance(value, float):
            self.fields.append((number, FIXED32, struct.pack("<f", value)))
        elif isinstance(value, int):
            self.fields.append((number, VARINT, value))
        else:
            self.fields.append((number, BYTES, value))
        return self

    def replace(self, number: int, values: Iterable[Union[Bytes, "Message"]]) -> None:
        """Puts `values` where the first of the field's was, and drops the others."""
        at = next((i for i, field in enumerate(self.fields) if field[0] == number),
                  len(self.fields))
        kept = [field for field in self.fields if field[0] != number]
        made = [(number, BYTES, bytes(v) if isinstance(v, Message) else v) for v in values]
        self.fields = kept[:at] + made + kept[at:]

    def __bytes__(self) -> bytes:
        parts: List[Bytes] = []
        for number, kind, value in self.fields:
            parts.append(_written(number << 3 | kind))
            if kind == VARINT:
                parts.append(_written(value))
                continue
            if kind == BYTES:
                parts.append(_written(len(value)))
            parts.append(value)
        return b"".join(parts)
