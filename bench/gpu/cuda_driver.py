"""The few functions of the CUDA driver that timing kernels takes, by ctypes."""

import ctypes


class CudaError(RuntimeError):
    pass


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

    def launch(self, function, grid, threads, shared, values):
        """`values` are the 8-byte arguments."""
        boxes = [ctypes.c_uint64(value & (1 << 64) - 1) for value in values]
        pointers = (ctypes.c_void_p * len(boxes))(
            *(ctypes.addressof(box) for box in boxes))
        self.call("cuLaunchKernel", function, grid, 1, 1, threads, 1, 1, shared,
                  self.stream, pointers, None)

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
