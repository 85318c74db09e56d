"""The few functions of the CUDA driver that timing kernels takes, by ctypes."""

import ctypes


class CudaError(RuntimeError):
    pass


class _Attribute(ctypes.Structure):
    """CUlaunchAttribute with an integer value."""
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int),
                ("value", ctypes.c_int * 16)]


class _Config(ctypes.Structure):
    """CUlaunchConfig."""
    _fields_ = [("sizes", ctypes.c_uint * 7), ("stream", ctypes.c_void_p),
                ("attributes", ctypes.POINTER(_Attribute)), ("count", ctypes.c_uint)]


# CUtensorMapDataType and CUtensorMapSwizzle.
_MAP_TYPES = {"f16": 6, "f32": 7, "bf16": 9}
_MAP_PROMOTIONS = {64: 1, 128: 2, 256: 3}
_MAP_SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
_PROGRAMMATIC = 6  # CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION


class Driver:
    """The first GPU's primary context, which libraries in this process share."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.stream = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(self.stream), 1)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self.library.cuGetErrorString(code, ctypes.byref(text))
            raise CudaError(f"{name}: {(text.value or b'?').decode()} ({code})")

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)))
        return pointer.value

    def free(self, pointer):
        self.call("cuMemFree_v2", ctypes.c_uint64(pointer))

    def upload(self, pointer, data):
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(pointer), data,
                  ctypes.c_size_t(len(data)))

    def load(self, path):
        with open(path, "rb") as file:
            data = file.read()
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), data)
        return module

    def function(self, module, name, shared):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        self.call("cuFuncSetAttribute", function, 8, shared)
        return function

    def tensor_map(self, pointer, dtype, sizes, strides, box, swizzle, promotion=256):
        """The 128 bytes that describe a tensor to TMA, as the runtime
        encodes them; sizes and box innermost first."""
        rank = len(sizes)
        memory = (ctypes.c_uint8 * 192)()
        start = -ctypes.addressof(memory) % 64
        self.call("cuTensorMapEncodeTiled", ctypes.byref(memory, start),
                  _MAP_TYPES[dtype], rank, ctypes.c_uint64(pointer),
                  (ctypes.c_uint64 * rank)(*sizes),
                  (ctypes.c_uint64 * max(rank - 1, 1))(*strides),
                  (ctypes.c_uint32 * rank)(*box), (ctypes.c_uint32 * rank)(*[1] * rank),
                  0, _MAP_SWIZZLES[swizzle], _MAP_PROMOTIONS[promotion], 0)
        return bytes(memory)[start:start + 128]

    def launch(self, function, grid, threads, shared, values, programmatic=False):
        """`values` are 8-byte integers and the bytes of tensor maps."""
        boxes, pointers = [], (ctypes.c_void_p * len(values))()
        for number, value in enumerate(values):
            if isinstance(value, bytes):
                box, start = (ctypes.c_uint8 * 192)(), 0
                start = -ctypes.addressof(box) % 64
                ctypes.memmove(ctypes.addressof(box) + start, value, len(value))
            else:
                box, start = ctypes.c_uint64(value & (1 << 64) - 1), 0
            boxes.append(box)
            pointers[number] = ctypes.addressof(box) + start
        attribute = _Attribute(id=_PROGRAMMATIC)
        attribute.value[0] = 1
        config = _Config(stream=self.stream, attributes=ctypes.pointer(attribute),
                         count=1 if programmatic else 0)
        config.sizes[:] = [grid, 1, 1, threads, 1, 1, shared]
        self.call("cuLaunchKernelEx", ctypes.byref(config), function, pointers, None)

    def synchronize(self):
        self.call("cuStreamSynchronize", self.stream)

    def graph(self, body):
        """An executable graph of what `body` launches."""
        self.call("cuStreamBeginCapture_v2", self.stream, 1)
        body()
        graph, ready = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuStreamEndCapture", self.stream, ctypes.byref(graph))
        self.call("cuGraphInstantiateWithFlags", ctypes.byref(ready), graph,
                  ctypes.c_ulonglong(0))
        self.call("cuGraphDestroy", graph)
        return ready

    def replay_time(self, graph):
        """Milliseconds of one replay."""
        events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in events:
            self.call("cuEventCreate", ctypes.byref(event), 0)
        self.call("cuEventRecord", events[0], self.stream)
        self.call("cuGraphLaunch", graph, self.stream)
        self.call("cuEventRecord", events[1], self.stream)
        self.call("cuEventSynchronize", events[1])
        time = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(time), *events)
        for event in events:
            self.call("cuEventDestroy_v2", event)
        return time.value
