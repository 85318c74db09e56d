# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs from torch modules and ONNX files, through the torch-mlir wheel.

Neither torch nor torch-mlir is imported before one of these functions is called.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np

from .arrays import Path
from .cli import Compiled, _call, compile as compile_program, run as run_program
from .errors import Error, checked

_INSTALL = "pip install torch torch-mlir"
_TO_BACKEND = ("builtin.module(func.func(torch-match-quantized-custom-ops),"
               "torchdynamo-export-to-torch-backend-pipeline{backend-legal-ops="
               "aten.flatten.using_ints,aten.unflatten.int})")
_TO_LINALG = ("builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline"
              "{allow-non-finites=true})")


class Program:
    """A program as MLIR text, and what its weights are.

    `text`: linalg on tensors; `weights`: name of an argument to the tensor (of torch)
    that the module has there, in the order of the arguments; `inputs`: the names of
    the other arguments, in the order of the call; `sparse`: patterns by argument.
    """

    def __init__(self, text: str, weights: Mapping[str, Any], inputs: Sequence[str],
                 sparse: Optional[Mapping[str, str]] = None) -> None:
        self.text, self.weights = text, dict(weights)
        self.inputs, self.sparse = list(inputs), dict(sparse or {})

    def __repr__(self) -> str:
        return (f"Program({len(self.text)} bytes, {len(self.weights)} weights, "
                f"inputs {', '.join(self.inputs)})")

    @checked
    def save(self, path: Path) -> None:
        """Writes the text to a file, for the `sparseflow` command."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    @checked
    def save_weights(self, path: Path) -> None:
        """Writes the weights to a safetensors file, by their names."""
        from .safetensors import save_safetensors
        save_safetensors(path, self.weights)

    @checked
    def compile(self, output: Path, **options: Any) -> Compiled:
        """sparseflow.compile of the program, with its sparse patterns."""
        options.setdefault("sparse", self.sparse)
        return compile_program(self.text, output, **options)

    @checked
    def run(self, *inputs: Any, **options: Any) -> Any:
        """sparseflow.run on `inputs` (and the weights of the module)."""
        if len(inputs) != len(self.inputs):
            raise Error(f"expected {len(self.inputs)} inputs "
                        f"({', '.join(self.inputs)}), found {len(inputs)}")
        arguments = {**self.weights, **dict(zip(self.inputs, inputs))}
        options.setdefault("sparse", self.sparse)
        return run_program(self.text, arguments, **options)


def _need(name: str) -> Any:
    import importlib
    try:
        return importlib.import_module(name)
    except ImportError as error:
        wheel = name.partition(".")[0].replace("_", "-")
        raise Error(f"this needs {wheel}, which cannot be imported ({error}): "
                    f"{_INSTALL}") from None


def _flags_by_bits(text: str) -> str:
    """Constants of i1 in hexadecimal: a byte an element for newer LLVM, which prints
    them, a bit for LLVM 22, which reads them here."""
    def pack(match: "re.Match[str]") -> str:
        flags = bytes.fromhex(match.group(1))
        packed = bytearray((len(flags) + 7) // 8)
        for index, flag in enumerate(flags):
            packed[index // 8] |= (flag != 0) << index % 8
        return f'dense<"0x{packed.hex().upper()}"> : tensor<{match.group(2)}xi1>'
    return re.sub(r'dense<"0x([0-9A-Fa-f]+)"> : tensor<([0-9x]+)xi1>', pack, text)


def _read_weights(path: str) -> Dict[str, np.ndarray]:
    """The tensors of a safetensors file that `sparseflow extract` wrote."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    types = {"F16": np.float16, "BF16": np.uint16, "F32": np.float32}
    return {name: np.frombuffer(data[slice(*entry["data_offsets"])],
                                types[entry["dtype"]]).reshape(entry["shape"])
            for name, entry in header.items() if name != "__metadata__"}


def _name_joins(graph: Any, aten: Any) -> None:
    """Views that join dynamic dimensions, or split one, say which: flatten, unflatten.

    torch-mlir takes view([B, S, 384], [B * S, 384]) for one that drops a dimension of
    size 1 where B and S are dynamic, and its program is right for S = 1 only.
    """
    views = (aten.view.default, aten._unsafe_view.default, aten.reshape.default)
    for node in list(graph.nodes):
        if node.op != "call_function" or node.target not in views:
            continue
        before = [str(size) for size in node.args[0].meta["val"].shape]
        after = [str(size) for size in node.meta["val"].shape]
        most = min(len(before), len(after))
        first = 0
        while first < most and before[first] == after[first]:
            first += 1
        last = 0
        while last < most - first and before[-1 - last] == after[-1 - last]:
            last += 1
        joined = before[first:len(before) - last]
        split = after[first:len(after) - last]
        if all(size.isdigit() for size in joined + split):
            continue
        if len(joined) > 1 and len(split) == 1:
            target = aten.flatten.using_ints
            arguments = (node.args[0], first, first + len(joined) - 1)
        elif len(joined) == 1 and len(split) > 1:
            target = aten.unflatten.int
            sizes = node.args[1][first:len(after) - last]
            arguments = (node.args[0], first, list(sizes))
        else:
            continue
        with graph.inserting_before(node):
            named = graph.call_function(target, arguments)
        named.meta = dict(node.meta)
        node.replace_all_uses_with(named)
        graph.erase_node(node)


def _say_equal(ir: Any, function: Any, placeholders: Sequence[Any]) -> None:
    """Asserts that dimensions are equal where torch.export has one symbol for them:
    torch-mlir has a size of its own for every dynamic dimension of every argument."""
    block = function.regions[0].blocks[0]
    first: Dict[str, Any] = {}

    def make(name: str, kind: Any, operands: Sequence[Any] = (), **attributes: Any) -> Any:
        return ir.Operation.create(name, [kind] if kind else [], list(operands),
                                   attributes).results

    with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown():
        index = ir.IndexType.get()
        for argument, node in zip(block.arguments, placeholders):
            for dim, size in enumerate(node.meta["val"].shape):
                if str(size).isdigit():
                    continue
                place = make("arith.constant", index,
                             value=ir.IntegerAttr.get(index, dim))[0]
                found = make("tensor.dim", index, [argument, place])[0]
                known = first.setdefault(str(size), found)
                if known is found:
                    continue
                equal = make("arith.cmpi", ir.IntegerType.get_signless(1),
                             [known, found], predicate=ir.IntegerAttr.get(
                                 ir.IntegerType.get_signless(64), 0))[0]
                make("cf.assert", None, [equal], msg=ir.StringAttr.get(
                    f"dimension {dim} of '{node.name}' is of another size"))


def _lower(ir: Any, passes: Any, module: Any, pipeline: str) -> None:
    with module.context:
        try:
            passes.PassManager.parse(pipeline).run(module.operation)
        except Exception as error:  # MLIRError, of any version
            raise Error(f"torch-mlir cannot lower the program: {error}") from None


@checked
def from_torch(module: Any, args: Sequence[Any], dynamic: Any = None,
               sparse: Optional[Mapping[str, str]] = None,
               kwargs: Optional[Mapping[str, Any]] = None,
               entry: str = "main", strict: bool = False) -> Program:
    """The Program of a torch module (or of a torch.export.ExportedProgram).

    `args`, `kwargs`: example inputs; `dynamic`: dynamic_shapes of torch.export;
    `sparse`: patterns of weights by their names in the state dict, {"fc1.weight":
    "2:4"}. Parameters and buffers become arguments with these names. Convert the
    module to half or bfloat16 before.
    """
    torch = _need("torch")
    ir, passes = _need("torch_mlir.ir"), _need("torch_mlir.passmanager")
    dialect = _need("torch_mlir.dialects.torch")
    importer = _need("torch_mlir.extras.fx_importer")
    table = _need("torch_mlir.extras.fx_decomp_util").get_decomposition_table()
    program = module
    if not isinstance(program, torch.export.ExportedProgram):
        program = torch.export.export(module, tuple(args), dict(kwargs or {}),
                                      dynamic_shapes=dynamic, strict=strict)
    program = program.run_decompositions(table)
    _name_joins(program.graph, torch.ops.aten)
    context = ir.Context()
    dialect.register_dialect(context)
    made = importer.FxImporter(context=context)
    made.import_stateless_graph(program.graph, func_name=entry)
    _lower(ir, passes, made.module, _TO_BACKEND)
    _lower(ir, passes, made.module, _TO_LINALG)

    signature = program.graph_signature
    held = {**signature.inputs_to_parameters, **signature.inputs_to_buffers}
    tensors = {**program.state_dict, **program.constants}
    held.update(getattr(signature, "inputs_to_lifted_tensor_constants", {}))
    weights: Dict[str, Any] = {}
    inputs: List[str] = []
    names: List[str] = []
    placeholders = []
    for node in program.graph.nodes:
        if node.op != "placeholder":
            continue
        placeholders.append(node)
        name = held.get(node.name)
        names.append(name or node.name)
        if name:
            weights[name] = tensors[name].detach()
        else:
            inputs.append(node.name)
    with made.module.context:
        function = made.module.body.operations[0]
        count = len(function.type.inputs)
        if count != len(names):
            raise Error(f"expected a program of {len(names)} arguments, found {count}; "
                        "inputs have to be tensors")
        function.arg_attrs = ir.ArrayAttr.get([
            ir.DictAttr.get({"sparseflow.name": ir.StringAttr.get(name)})
            for name in names])
        _say_equal(ir, function, placeholders)
    for name in sparse or {}:
        if name not in weights:
            raise Error(f"sparse names '{name}', which is no weight of the module; "
                        f"expected one of {', '.join(weights)}")
    return Program(_flags_by_bits(str(made.module)), weights, inputs, sparse)


@checked
def from_onnx(path: Path, sparse: Optional[Mapping[str, str]] = None) -> Program:
    """The Program of an ONNX file, with its constants as arguments.

    `sparse`: patterns by the names that `sparseflow extract` gives.
    """
    _need("torch_mlir.ir")
    try:
        _need("onnx")
    except Error:
        raise Error("this needs onnx: pip install onnx torch-mlir") from None
    ir, passes = _need("torch_mlir.ir"), _need("torch_mlir.passmanager")
    dialect = _need("torch_mlir.dialects.torch")
    with tempfile.TemporaryDirectory(prefix="sparseflow-") as folder:
        imported = os.path.join(folder, "torch.mlir")
        result = subprocess.run(
            [sys.executable, "-m", "torch_mlir.tools.import_onnx", os.fspath(path),
             "-o", imported], capture_output=True, check=False)
        if result.returncode:
            raise Error(f"torch-mlir-import-onnx cannot read '{os.fspath(path)}': "
                        + result.stderr.decode(errors="replace").strip()[-800:])
        context = ir.Context()
        dialect.register_dialect(context)
        with open(imported, encoding="utf-8") as file:
            module = ir.Module.parse(file.read(), context)
        _lower(ir, passes, module,
               "builtin.module(torch-onnx-to-torch-backend-pipeline)")
        _lower(ir, passes, module, _TO_LINALG)
        whole = os.path.join(folder, "whole.mlir")
        with open(whole, "w", encoding="utf-8") as file:
            file.write(_flags_by_bits(str(module)))
        program = os.path.join(folder, "program.mlir")
        weights = os.path.join(folder, "weights.safetensors")
        _call(["extract", whole, "-o", program, "--weights", weights])
        with open(program, encoding="utf-8") as file:
            text = file.read()
        held = _read_weights(weights) if os.path.exists(weights) else {}
    # The program's own arguments come first, and have no names.
    arguments = re.search(r"func\.func @\w+\((.*?)\) ->", text, re.S)
    count = len(re.findall(r"%\w+: ", arguments.group(1))) if arguments else 0
    return Program(text, held, [f"arg{i}" for i in range(count - len(held))], sparse)
