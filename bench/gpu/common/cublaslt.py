"""cuBLASLt's matmul by ctypes, for torch tensors: what its heuristic takes first, and
the fastest of all that it proposes."""

import ctypes
import glob
import os
import site
import sys

# Of cublasLt.h and library_types.h.
_COMPUTE_32F, _R_32F, _TYPES = 68, 0, {"f16": 2, "bf16": 14}
_TRANSA, _OP_T, _MAX_WORKSPACE = 3, 1, 1
WORKSPACE = 64 << 20


class _Heuristic(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t."""
    _fields_ = [("algorithm", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t),
                ("state", ctypes.c_int), ("waves", ctypes.c_float),
                ("reserved", ctypes.c_int * 4)]


def _library():
    places = [*site.getsitepackages(), *sys.path]
    names = [name for place in places if place
             for name in sorted(glob.glob(os.path.join(
                 place, "nvidia", "*", "lib", "libcublasLt.so*")))]
    for name in (*names, "libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise OSError("libcublasLt.so was not found; it comes with PyTorch and CUDA")


class CublasLt:
    """One handle; not for several threads."""

    def __init__(self, torch):
        self.library = _library()
        self.handle = ctypes.c_void_p()
        self._call("cublasLtCreate", ctypes.byref(self.handle))
        self.workspace = torch.empty(WORKSPACE, dtype=torch.uint8, device="cuda")
        self.one, self.zero = ctypes.c_float(1), ctypes.c_float(0)
        self.library.cublasLtGetVersion.restype = ctypes.c_size_t
        self.version = self.library.cublasLtGetVersion()

    def _call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise RuntimeError(f"{name}: status {status}")

    def plan(self, t, n, k, type_, most=12):
        """The candidates for y[T, N] = x[T, K] w[N, K]^T, the heuristic's choice first."""
        return Plan(self, t, n, k, type_, most)


class Plan:
    def __init__(self, lt, t, n, k, type_, most):
        self.lt = lt
        number, call = _TYPES[type_], lt._call
        self.matmul = ctypes.c_void_p()
        call("cublasLtMatmulDescCreate", ctypes.byref(self.matmul), _COMPUTE_32F, _R_32F)
        transposed = ctypes.c_int(_OP_T)
        call("cublasLtMatmulDescSetAttribute", self.matmul, _TRANSA,
             ctypes.byref(transposed), ctypes.c_size_t(4))
        self.layouts = []
        # Column by column: w is K x N, x K x T, y N x T.
        for rows, columns in ((k, n), (k, t), (n, t)):
            layout = ctypes.c_void_p()
            call("cublasLtMatrixLayoutCreate", ctypes.byref(layout), number,
                 ctypes.c_uint64(rows), ctypes.c_uint64(columns), ctypes.c_int64(rows))
            self.layouts.append(layout)
        preference, limit = ctypes.c_void_p(), ctypes.c_size_t(WORKSPACE)
        call("cublasLtMatmulPreferenceCreate", ctypes.byref(preference))
        call("cublasLtMatmulPreferenceSetAttribute", preference, _MAX_WORKSPACE,
             ctypes.byref(limit), ctypes.c_size_t(8))
        found, count = (_Heuristic * most)(), ctypes.c_int()
        w, x, y = self.layouts
        call("cublasLtMatmulAlgoGetHeuristic", lt.handle, self.matmul, w, x, y, y,
             preference, most, found, ctypes.byref(count))
        lt.library.cublasLtMatmulPreferenceDestroy(preference)
        self.candidates = [found[i] for i in range(count.value) if not found[i].state]

    def run(self, number, x, w, y, stream):
        """Launches candidate `number` on torch tensors."""
        lt, algorithm = self.lt, self.candidates[number].algorithm
        wl, xl, yl = self.layouts
        lt._call("cublasLtMatmul", lt.handle, self.matmul, ctypes.byref(lt.one),
                 ctypes.c_void_p(w.data_ptr()), wl, ctypes.c_void_p(x.data_ptr()), xl,
                 ctypes.byref(lt.zero), ctypes.c_void_p(y.data_ptr()), yl,
                 ctypes.c_void_p(y.data_ptr()), yl, ctypes.byref(algorithm),
                 ctypes.c_void_p(lt.workspace.data_ptr()), ctypes.c_size_t(WORKSPACE),
                 ctypes.c_void_p(stream))

    def close(self):
        for layout in self.layouts:
            self.lt.library.cublasLtMatrixLayoutDestroy(layout)
        self.lt.library.cublasLtMatmulDescDestroy(self.matmul)
