# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of bundles on a GPU, on arrays and streams of the caller."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import (TYPE_CHECKING, Any, Callable, List, Mapping, Optional, Sequence, Tuple,
                    Union)

from .. import native
from ..arrays import Array
from .device_arrays import DeviceArray, device_array
from ..dtypes import NUMBERS
from ..errors import Error, checked_methods
from ..packing import PackedMatrix
from ..ternary import TernaryMatrix

if TYPE_CHECKING:
    from ..bundle import Bundle

# Layouts of quantized caches.
_CACHES = ("ternk.v1", "ternv.v1", "int8k.v1", "int8v.v1", "int4k.v1", "int4v.v1",
           "e4m3k.v1", "e4m3v.v1")


@checked_methods
class Context:
    """A device. `Context(0)` retains its primary context, the one that torch and
    the CUDA runtime use; `Context(None)` takes the thread's current one."""

    def __init__(self, ordinal: Optional[int] = 0) -> None:
        self._library = native.library()
        self._handle = ctypes.c_void_p()
        if ordinal is None:
            self._library.sf_context_adopt_current(self._handle)
        else:
            self._library.sf_context_create(ordinal, self._handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.sf_context_destroy(self._handle)

    @property
    def capability(self) -> Tuple[int, int]:
        """The compute capability, (9, 0) for sm_90."""
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._library.sf_context_capability(self._handle, major, minor)
        return major.value, minor.value

    @property
    def name(self) -> str:
        """The name that the driver gives the device."""
        text = ctypes.create_string_buffer(256)
        self._library.sf_context_device_name(self._handle, text, 256)
        return text.value.decode(errors="replace")

    def check_pointers(self, enabled: bool = True) -> None:
        """Refuse addresses that the driver does not know; for debugging."""
        self._library.sf_context_check_pointers(self._handle, int(enabled))


def _torch_of(arrays: Sequence[Any]) -> Any:
    """The torch module, if the arrays are its tensors; it is never imported here."""
    torch = sys.modules.get("torch")
    if torch and any(isinstance(array, torch.Tensor) for array in arrays):
        return torch
    return None


@checked_methods
class Function:
    """A function of a bundle on a device. Made by Bundle.on_gpu.

    Calls put kernels on a stream and return at once. Any number of threads may
    call one Function.
    """

    def __init__(self, bundle: Bundle, spec: Mapping[str, Any],
                 context: Optional[Context] = None) -> None:
        self._library = native.library()
        self.bundle, self.spec = bundle, spec
        self.context = context or Context()
        self._handle, self._function = ctypes.c_void_p(), ctypes.c_void_p()
        self._library.sf_bundle_load(self.context._handle,
                                     os.fsencode(bundle.directory), self._handle)
        self._library.sf_bundle_function(self._handle, spec["name"].encode(),
                                         self._function)
        self._library.sf_function_prepare(self._function)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.sf_bundle_destroy(self._handle)

    @property
    def target(self) -> str:
        """The code that was chosen for the device, such as "sm_90a"."""
        text = ctypes.c_char_p()
        self._library.sf_function_target(self._function, text)
        return (text.value or b"").decode()

    def _symbols(self, sizes: Mapping[str, int]) -> Any:
        names = self.spec.get("symbols", [])
        return (ctypes.c_int64 * max(len(names), 1))(*(sizes[n] for n in names))

    def workspace_size(self, sizes: Mapping[str, int]) -> int:
        """Bytes of workspace for the values of the symbols, such as {"T": 64}."""
        count, size = len(self.spec.get("symbols", [])), ctypes.c_uint64()
        self._library.sf_function_workspace_size(
            self._function, self._symbols(sizes), count, size)
        return size.value

    def shape(self, spec: Mapping[str, Any], sizes: Mapping[str, int]) -> Tuple[int, ...]:
        """The shape of an argument or result of the manifest, for these symbols."""
        return tuple(sizes[s] if isinstance(s, str) else s for s in spec["shape"])

    def logical_shapes(self, arrays: Sequence[Any]) -> List[Any]:
        """Shapes of the arguments; None for a blob, which has none of its own.

        The pages of a quantized cache say how many positions there are: 64 each.
        """
        return [(*array.shape[:2], 64 * array.shape[2], spec["shape"][3])
                if spec.get("layout") in _CACHES and len(array.shape) == 4 else
                None if spec.get("layout") else array.shape
                for spec, array in zip(self.spec["arguments"], arrays)]

    def _tensors(self, specs: Sequence[Mapping[str, Any]],
                 arrays: Sequence[DeviceArray], sizes: Mapping[str, int],
                 what: str) -> Tuple[Any, List[Any]]:
        if len(specs) != len(arrays):
            raise Error(f"'{self.spec['name']}' has {len(specs)} {what}s, "
                        f"{len(arrays)} were given")
        tensors, keep = (native.Tensor * max(len(specs), 1))(), []
        for index, (spec, array) in enumerate(zip(specs, arrays)):
            name = f"{what} {spec.get('name', index)}"
            shape = self.shape(spec, sizes)
            if spec.get("layout"):
                if array.dtype != "u8":
                    raise Error(f"{name}: expected the bytes of a packed matrix "
                                f"({spec['layout']}), found {array.dtype}; copy "
                                "PackedMatrix.blob to the device")
            elif array.dtype != spec["dtype"] or array.shape != shape:
                raise Error(f"{name}: expected {spec['dtype']} {list(shape)}, found "
                            f"{array.dtype} {list(array.shape)}")
            dims = (ctypes.c_int64 * max(len(shape), 1))(*shape)
            keep.append(dims)
            tensors[index] = native.Tensor(
                array.data or 0, ctypes.cast(dims, native.c_int64_p), len(shape),
                NUMBERS[spec["dtype"]], array.nbytes)
        return tensors, keep

    def _argument(self, key: Union[str, int]) -> int:
        specs = self.spec["arguments"]
        names = [spec.get("name", "") for spec in specs]
        if isinstance(key, str) and key in names:
            return names.index(key)
        if isinstance(key, int) and 0 <= key < len(specs):
            return key
        raise Error(f"function '{self.spec['name']}' has no argument {key!r}; expected "
                    + ", ".join(name or str(i) for i, name in enumerate(names)))

    def dense_source(self, argument: Union[str, int]) -> str:
        """Where kernels have the dense form of a packed weight from: "none" (no kernel
        reads it), "weights" (set_dense_weight) or "rebuild" (rebuild_dense_weights);
        either call works for both."""
        return ("none", "weights", "rebuild")[self._library.sf_function_dense_source(
            self._function, self._argument(argument))]

    def set_dense_weight(self, argument: Union[str, int], packed: Array,
                         dense: Optional[Array]) -> None:
        """From now on launches of this Function may read `dense`, an array of the
        argument's type and shape in GPU memory, in place of the weight whose blob is
        `packed`: the same numbers, of a quantized weight with one scale for each row or
        for all those without it. Both are the caller's to keep. None forgets the form
        of either kind: say it before another weight comes to lie at that address."""
        index = self._argument(argument)
        spec, where = self.spec["arguments"][index], device_array(packed, "packed").data
        if dense is None:
            self._library.sf_function_set_dense_weight(self._function, index, where or 0,
                                                       0, 0)
            return
        form = device_array(dense, "dense")
        if form.dtype != spec["dtype"] or list(form.shape) != list(spec["shape"]):
            raise Error(f"dense form of argument {argument}: expected {spec['dtype']} "
                        f"{spec['shape']}, found {form.dtype} {list(form.shape)}")
        self._library.sf_function_set_dense_weight(self._function, index, where or 0,
                                                   form.data or 0, form.nbytes)

    def rebuild_dense_weights(self, weights: Mapping[Union[str, int], Array],
                              stream: Any = 0) -> int:
        """Unpacks every weight whose dense form some kernel reads into GPU memory that
        this Function owns, and returns the bytes of all such memory.

        `weights`: their blobs in GPU memory, by name or index. Waits for `stream`; must
        not be called while it is captured. A weight that is changed needs another call.
        """
        specs = self.spec["arguments"]
        tensors, keep = (native.Tensor * max(len(specs), 1))(), []
        for key, given in weights.items():
            index, array = self._argument(key), device_array(given, f"argument {key}")
            dims = (ctypes.c_int64 * 2)(*specs[index]["shape"][:2])
            keep.append(dims)
            tensors[index] = native.Tensor(
                array.data or 0, ctypes.cast(dims, native.c_int64_p), 2,
                NUMBERS[specs[index]["dtype"]], array.nbytes)
        stream = getattr(stream, "cuda_stream", getattr(stream, "ptr", stream))
        self._library.sf_function_rebuild_dense_weights(self._function, tensors,
                                                        len(specs), stream or None)
        del keep
        owned = ctypes.c_uint64()
        self._library.sf_function_dense_bytes(self._function, None, owned)
        return owned.value

    def launch(self, arguments: Sequence[Array], results: Sequence[Array],
               workspace: Union[Array, Tuple[int, int]] = (0, 0),
               stream: Any = 0) -> None:
        """Launches on arrays in GPU memory; allocates nothing, waits for nothing.

        `arguments`, `results`: torch tensors, or arrays that device_array takes, in
        the manifest's order; a packed argument is the 1-D bytes of its blob, a
        quantized cache the bytes of its pages, [B, G, pages, bytes of a page]. A
        result that "updates" an argument is that argument's array.
        `workspace`: an array, or (address, bytes), of at least
        workspace_size(sizes), at a multiple of 256. `stream`: a CUstream as an
        integer, or an object with `cuda_stream` (torch) or `ptr` (CuPy).
        """
        call, keep = self._call(arguments, results, workspace)
        self._library.sf_function_launch(self._function, *call, _stream(stream))
        del keep

    def check(self, arguments: Sequence[Array], results: Sequence[Array],
              verdict: Callable[[], Optional[str]],
              workspace: Union[Array, Tuple[int, int]] = (0, 0),
              stream: Any = 0) -> Optional[str]:
        """Launches as `launch` does, waits, and asks `verdict()` why the results are wrong:
        a text, or None (or "") where they are right.

        Where they are wrong, the call runs again with the other variants of its kernels.
        If one is right, the wrong kernels are quarantined on this GPU, for all processes
        of the user, and what was wrong is returned; the results are right then. None:
        they were right at once. An Error where no variant is right, where the function
        updates an argument in place, or where `verdict` raises one. Not while a stream
        is captured. For a check when a function is loaded, or of every so many calls.
        """
        call, keep = self._call(arguments, results, workspace)
        said: List[str] = []
        raised: List[BaseException] = []

        def ask(_user: Any, error: int, size: int) -> None:
            # What is raised here must not reach the library.
            try:
                said.append("" if raised else verdict() or "")
            except BaseException as problem:  # pylint: disable=broad-except
                raised.append(problem)
            text = "the verdict raised an exception" if raised else said[-1]
            held = text.encode(errors="replace")[:size - 1] + b"\0"
            ctypes.memmove(error, held, len(held))

        try:
            self._library.sf_function_check(self._function, *call, _stream(stream),
                                            native.Verdict(ask), None)
        except Error:
            if not raised:
                raise
        del keep
        if raised:
            raise raised[0]
        return said[0] or None if said else None

    def tune(self, arguments: Sequence[Array], results: Sequence[Array],
             workspace: Union[Array, Tuple[int, int]] = (0, 0), stream: Any = 0,
             replays: int = 5, others: Sequence[Sequence[Array]] = ()) -> None:
        """Measures the variants of a call of these sizes, dense forms among them; later
        launches of these sizes take the fastest, in every process that shares the store.

        The arguments are launch's. `others`: arguments of more calls of these sizes, which
        take turns with the first one, with its results and workspace: weights of other
        layers, or copies, that are together larger than the L2 cache, so that they are read
        from memory as a model reads them. Waits for `stream`; results and workspace are
        written. Not while a stream is captured.
        """
        made = [self._call(given, results, workspace) for given in (arguments, *others)]
        calls = (native.Call * len(made))(*(
            native.Call(a, r, *rest) for (a, _, r, _, *rest), _ in made))
        (_, arguments_, _, results_, *_), _ = made[0]
        self._library.sf_function_tune_calls(self._function, calls, len(made), arguments_,
                                             results_, _stream(stream), replays)
        del made

    def graph(self, arguments: Sequence[Array], results: Sequence[Array],
              workspace: Union[Array, Tuple[int, int]] = (0, 0)) -> "Graph":
        """A call of launch as a CUDA graph; nothing is launched."""
        return Graph(self, arguments, results, workspace)

    def _call(self, arguments: Sequence[Array], results: Sequence[Array],
              workspace: Union[Array, Tuple[int, int]]) -> Tuple[Tuple[Any, ...], Any]:
        """What the library takes of a call, and what must live until it has."""
        arguments = [device_array(a, f"argument {i}")
                     for i, a in enumerate(arguments)]
        results = [device_array(a, f"result {i}") for i, a in enumerate(results)]
        specs = self.spec["arguments"]
        sizes = self.bundle.sizes(self.spec, self.logical_shapes(arguments))
        if not isinstance(workspace, tuple):
            workspace = device_array(workspace, "workspace")
            workspace = (workspace.data, workspace.nbytes)
        given, keep = self._tensors(specs, arguments, sizes, "argument")
        taken, also = self._tensors(self.spec["results"], results, sizes, "result")
        return ((given, len(arguments), taken, len(results), workspace[0] or 0,
                 workspace[1]), (keep, also))

    def __call__(self, *arguments: Array, out: Optional[Sequence[Array]] = None,
                 workspace: Optional[Array] = None, stream: Any = None) -> Any:
        """Launches on torch tensors and returns the result (or a tuple).

        Results and workspace are allocated by torch unless `out` (a list) and
        `workspace` are given; the stream is torch's current one unless `stream` is.
        A result that updates an argument in place is that argument.
        A PackedMatrix is copied to the device by each call: keep a copy of its
        blob there instead (`torch.from_numpy(packed.blob).cuda()`).
        """
        torch = _torch_of(arguments)
        if not torch:
            raise Error("a call allocates results as torch tensors, and no argument "
                        "is one; use launch with your own arrays")
        device = next(a for a in arguments
                      if isinstance(a, torch.Tensor)).device
        for index, tensor in enumerate(arguments):
            if isinstance(tensor, torch.Tensor) and tensor.device.type != "cuda":
                raise Error(f"argument {index}: expected a tensor in GPU memory, "
                            f"found one on {tensor.device}; move it with .cuda()")
        given: List[Any] = [torch.from_numpy(a.blob).to(device)
                            if isinstance(a, (PackedMatrix, TernaryMatrix)) else a
                            for a in arguments]
        specs = self.spec["arguments"]
        sizes = self.bundle.sizes(self.spec, self.logical_shapes(given))
        types = {"f16": torch.float16, "bf16": torch.bfloat16,
                 "f32": torch.float32, "i1": torch.bool, "i8": torch.int8,
                 "i32": torch.int32, "i64": torch.int64}
        if out is None:
            out = [given[spec["updates"]] if "updates" in spec else
                   torch.empty(self.shape(spec, sizes), dtype=types[spec["dtype"]],
                               device=device) for spec in self.spec["results"]]
        if workspace is None:
            workspace = torch.empty(self.workspace_size(sizes), dtype=torch.uint8,
                                    device=device)
        if stream is None:
            stream = torch.cuda.current_stream(device)
        self.launch(given, out, workspace, stream)
        # torch's allocator may hand memory of this call to another stream.
        if stream.cuda_stream != torch.cuda.current_stream(device).cuda_stream:
            for tensor in (*given, *out, workspace):
                tensor.record_stream(stream)
        return out[0] if len(out) == 1 else tuple(out)


@checked_methods
class Graph:
    """A call of a function as a CUDA graph. Made by Function.graph.

    It keeps the function, and the arrays of its last call. Those of a call before an
    update must live until the launches with them have run, and the graph until all have.
    Any number of threads may use one; torch must not be capturing in the thread that
    makes or updates it.
    """

    def __init__(self, function: Function, arguments: Sequence[Array],
                 results: Sequence[Array],
                 workspace: Union[Array, Tuple[int, int]] = (0, 0)) -> None:
        self._library, self.function = function._library, function
        self._handle = ctypes.c_void_p()
        call, keep = function._call(arguments, results, workspace)
        self._library.sf_function_graph(function._function, *call, self._handle)
        self._held = (list(arguments), list(results), workspace)
        del keep

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.sf_graph_destroy(self._handle)

    def update(self, arguments: Sequence[Array], results: Sequence[Array],
               workspace: Union[Array, Tuple[int, int]] = (0, 0)) -> None:
        """Makes later launches those of this call. An error where it takes other
        kernels than the graph's: make another graph then."""
        call, keep = self.function._call(arguments, results, workspace)
        self._library.sf_graph_update(self._handle, *call)
        self._held = (list(arguments), list(results), workspace)
        del keep

    def launch(self, stream: Any = 0) -> None:
        """Puts the call on a stream, as Function.launch; waits for nothing."""
        self._library.sf_graph_launch(self._handle, _stream(stream))


def _stream(stream: Any) -> Any:
    """A CUstream, of an integer or an object that has one."""
    return getattr(stream, "cuda_stream", getattr(stream, "ptr", stream)) or None
