# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is read and written of ONNX models: nodes, attributes and tensors.

The numbers of fields are those of onnx.proto, which never change.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Union

import numpy as np

from ..errors import Error
from .wire import Message

FLOAT, UINT8, INT64, FLOAT16 = 1, 2, 7, 10
_TYPES: Dict[int, Any] = {FLOAT: np.float32, UINT8: np.uint8, 3: np.int8, 6: np.int32,
                          INT64: np.int64, 9: np.bool_, FLOAT16: np.float16, 11: np.float64}
_NUMBERS = {np.dtype(dtype): number for number, dtype in _TYPES.items()}
# Of AttributeProto: what kind of value it has.
_FLOAT, _INT, _STRING, _INTS = 1, 2, 3, 7
# A protocol buffer has at most so many bytes.
_LARGEST = (1 << 31) - 1


class Node:
    """A node of a graph; `message` is as the file has it."""

    def __init__(self, message: Message) -> None:
        self.message = message
        self.inputs, self.outputs = message.texts(1), message.texts(2)
        self.name, self.op, self.domain = (message.text(n) for n in (3, 4, 7))

    def attribute(self, name: str, default: Any) -> Any:
        """A number or text, as `default` is, or `default`."""
        for data in self.message.all(5):
            found = Message(data)
            if found.text(1) != name:
                continue
            if isinstance(default, float):
                return found.float32(2, default)
            if isinstance(default, int):
                return found.integers(3)[0]
            return found.text(4)
        return default

    def tensor(self, name: str) -> Optional[Message]:
        """An attribute that is a tensor."""
        for data in self.message.all(5):
            found = Message(data)
            if found.text(1) == name and found.last(5) is not None:
                return Message(found.last(5))
        return None

    def outer_names(self) -> Set[str]:
        """Names that graphs in the node's attributes read."""
        names: Set[str] = set()
        for data in self.message.all(5):
            attribute = Message(data)
            for graph in [*attribute.all(6), *attribute.all(11)]:
                graph = Message(graph)
                names.update(Message(output).text(1) for output in graph.all(12))
                for inner in map(Message, graph.all(1)):
                    names.update(inner.texts(1))
                    names |= Node(inner).outer_names()
        return names


def node(op: str, inputs: Sequence[str], outputs: Sequence[str], name: str = "",
         domain: str = "", **attributes: Union[int, float, str, Sequence[int]]) -> Message:
    """A NodeProto."""
    made = Message()
    for number, names in ((1, inputs), (2, outputs)):
        for text in names:
            made.add(number, text)
    made.add(3, name or outputs[0]).add(4, op)
    for key, value in attributes.items():
        attribute = Message().add(1, key)
        if isinstance(value, float):
            attribute.add(2, value).add(20, _FLOAT)
        elif isinstance(value, int):
            attribute.add(3, value).add(20, _INT)
        elif isinstance(value, str):
            attribute.add(4, value).add(20, _STRING)
        else:
            for item in value:
                attribute.add(8, item)
            attribute.add(20, _INTS)
        made.add(5, attribute)
    if domain:
        made.add(7, domain)
    return made


def tensor(name: str, array: np.ndarray) -> Message:
    """A TensorProto."""
    made = Message()
    for size in array.shape:
        made.add(1, size)
    return made.add(2, _NUMBERS[array.dtype]).add(8, name).add(
        9, np.ascontiguousarray(array).tobytes())


def value(name: str, dtype: Any, shape: Sequence[Union[int, str]]) -> Message:
    """A ValueInfoProto of a tensor; sizes that are texts are dynamic."""
    sizes = Message()
    for size in shape:
        sizes.add(1, Message().add(2 if isinstance(size, str) else 1, size))
    kind = Message().add(1, _NUMBERS[np.dtype(dtype)]).add(2, sizes)
    return Message().add(1, name).add(2, Message().add(1, kind))


def model(graph: Message, opsets: Mapping[str, int]) -> Message:
    """A ModelProto."""
    made = Message().add(1, 8).add(7, graph)
    for domain, version in opsets.items():
        made.add(8, Message().add(1, domain).add(2, version))
    return made


def graph(name: str, nodes: Sequence[Message], inputs: Sequence[Message],
          outputs: Sequence[Message], tensors: Sequence[Message]) -> Message:
    """A GraphProto."""
    made = Message()
    for number, messages in ((1, nodes), (5, tensors), (11, inputs), (12, outputs)):
        for message in messages:
            made.add(number, message)
    return made.add(2, name)


def array_of(message: Message, folder: str) -> np.ndarray:
    """The numbers of a TensorProto; `folder`, of the model's file, is where data that lie
    beside it are."""
    name, number = message.text(8), message.last(2, 0)
    if number not in _TYPES:
        raise Error(f"{name}: expected a tensor of a type that NumPy has, found type "
                    f"{number} of ONNX")
    dtype, shape = np.dtype(_TYPES[number]), message.integers(1)
    raw = message.last(9)
    if message.last(14, 0) == 1:
        entries = {entry.text(1): entry.text(2) for entry in map(Message, message.all(13))}
        path = os.path.join(folder, entries.get("location", ""))
        try:
            with open(path, "rb") as file:
                file.seek(int(entries.get("offset", 0)))
                raw = file.read(int(entries.get("length", -1)))
        except (OSError, ValueError) as error:
            raise Error(f"{name}: cannot read the data beside the model: {error}") from None
    if raw is None:
        # Lists of numbers: floats, and integers of 32 bits for all that are smaller.
        if number == FLOAT:
            raw = b"".join(message.all(4))
        elif number == INT64:
            raw = np.array(message.integers(7), np.int64).tobytes()
        else:
            raw = np.array(message.integers(5)).astype(
                np.uint16 if number == FLOAT16 else dtype).tobytes()
    if len(raw) != dtype.itemsize * int(np.prod(shape, dtype=np.int64)):
        raise Error(f"{name}: expected {shape} of {dtype}, found {len(raw)} bytes")
    return np.frombuffer(raw, dtype).reshape(shape)


class Model:
    """A model's file: its nodes, and its constants by name."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.folder = os.path.dirname(os.path.abspath(path))
        with open(path, "rb") as file:
            self.message = Message(file.read())
        if self.message.last(7) is None:
            raise Error(f"{os.fspath(path)}: expected an ONNX model, found no graph")
        self.graph = Message(self.message.last(7))
        self.nodes = [Node(Message(data)) for data in self.graph.all(1)]
        self._tensors: Dict[str, Message] = {}
        for data in self.graph.all(5):
            found = Message(data)
            self._tensors[found.text(8)] = found
        for inner in self.nodes:
            constant = inner.tensor("value") if inner.op == "Constant" else None
            if constant is not None:
                self._tensors[inner.outputs[0]] = constant
        # Whose inputs have a default are no constants.
        self._given = {Message(data).text(1) for data in self.graph.all(11)}

    def shape(self, name: str) -> Optional[Tuple[int, ...]]:
        """The sizes of a constant; None for what is none."""
        if name in self._given or name not in self._tensors:
            return None
        return tuple(self._tensors[name].integers(1))

    def type(self, name: str) -> int:
        """The type of a constant."""
        return int(self._tensors[name].last(2, 0))

    def constant(self, name: str) -> np.ndarray:
        """The numbers of a constant."""
        return array_of(self._tensors[name], self.folder)

    def scalar(self, name: str) -> Optional[float]:
        """A constant that is one number."""
        shape = self.shape(name)
        if shape is None or int(np.prod(shape)) != 1:
            return None
        return float(self.constant(name).reshape(-1)[0])

    def pinned(self) -> Set[str]:
        """Names that a graph gives away or that inner graphs read."""
        names = {Message(data).text(1) for data in self.graph.all(12)}
        return names.union(*(inner.outer_names() for inner in self.nodes))

    def _tensors_in_use(self, nodes: Sequence[Message],
                        added: Sequence[Message]) -> Iterator[Message]:
        """The initializers that are still read, and the new ones."""
        used = self.pinned()
        for message in nodes:
            used.update(message.texts(1))
        for data in self.graph.all(5):
            message = Message(data)
            if message.text(8) not in used and message.text(8) not in self._given:
                continue
            if message.last(14, 0) == 1:
                yield tensor(message.text(8), array_of(message, self.folder))
            else:
                yield message
        yield from added

    def write(self, path: Union[str, "os.PathLike[str]"], nodes: Sequence[Message],
              tensors: Sequence[Message], domain: str) -> None:
        """Writes the model with other nodes and more initializers; data that lay beside
        the file go into it. Whole, or not at all."""
        graph_ = Message()
        graph_.fields = list(self.graph.fields)
        graph_.replace(5, self._tensors_in_use(nodes, tensors))
        graph_.replace(1, nodes)
        made = Message()
        made.fields = list(self.message.fields)
        made.replace(7, [graph_])
        if domain not in [Message(data).text(1) for data in made.all(8)]:
            made.add(8, Message().add(1, domain).add(2, 1))
        data = bytes(made)
        if len(data) > _LARGEST:
            raise Error(f"{os.fspath(path)}: expected at most 2 GiB, what an ONNX file can "
                        f"hold, found {len(data)} bytes; convert more of the weights")
        part = f"{os.fspath(path)}.part"
        try:
            with open(part, "wb") as file:
                file.write(data)
            os.replace(part, path)
        finally:
            if os.path.exists(part):
                os.remove(part)


def names(values: Sequence[Node]) -> List[str]:
    """What errors and reports call nodes."""
    return [n.name or n.outputs[0] for n in values]
