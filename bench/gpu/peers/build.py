"""Builds the peer programs (peers.cu, ternary_peers.cu) and the libraries of other
projects' kernels (ternary_peer_*.cu) with nvcc."""

import shutil
from pathlib import Path

from common import machine

HERE = Path(__file__).resolve().parent

# What a clone of a project gives to ternary_peer_NAME.cu: folders to include from,
# sources to compile beside it, the project's own words for the compiler.
LIBRARIES = {
    "bitnet": (["gpu/bitnet_kernels"], [], []),
    "llama": (["ggml/include", "ggml/src", "ggml/src/ggml-cuda"],
              ["ggml/src/ggml-cuda/mmvq.cu", "ggml/src/ggml-cuda/quantize.cu",
               "ggml/src/ggml-cuda/template-instances/mmq-instance-q2_0.cu"],
              ["-DNDEBUG", "-use_fast_math", "-extended-lambda"]),
    "marlin": (["marlin"], [], ["--expt-relaxed-constexpr"]),
}


def _commands(nvcc, target, given, name):
    """(what it is, compiler's words) to try in turn, and what is missing."""
    base = [nvcc, "-std=c++17", "-O2", f"-arch=sm_{target.removeprefix('sm_')}",
            HERE / f"{name}.cu", "-lcublasLt", "-ldl"]
    toolkit = Path(nvcc).resolve().parent.parent
    for lib in ("lib64", "lib", "targets/x86_64-linux/lib"):
        if (toolkit / lib).is_dir():
            base += [f"-L{toolkit / lib}", "-Xlinker", f"-rpath,{toolkit / lib}"]
    tries = []
    found, reason = None, None
    if name == "peers":
        found, reason = machine.find_cusparselt(given)
    if found:
        include, library = found
        library = Path(library)
        # -l: takes names such as libcusparseLt.so.0, which nvcc does not know.
        tries.append(("with cuSPARSELt", base + [
            "-DHAVE_CUSPARSELT", f"-I{include}", f"-L{library.parent}",
            f"-l:{library.name}", "-Xlinker", f"-rpath,{library.parent}"]))
    tries.append(("without cuSPARSELt" if name == "peers" else "it", base))
    return tries, [f"cuSPARSELt: {reason}"] if reason else []


def build(target, folder, options, timeout, name="peers"):
    """Returns the program and a note; raises RuntimeError with what went wrong.

    Leaves it in `folder`, where the next call finds it."""
    # Here, for running.py imports this module.
    from matmul.running import call, why
    if options.peers:
        return options.peers, f"{Path(options.peers).name}, as given"
    built = Path(folder) / name
    sources = [*HERE.glob("*.cuh"), HERE / f"{name}.cu"]
    if built.is_file() and built.stat().st_mtime > max(s.stat().st_mtime for s in sources):
        return built, "as built before"
    nvcc = machine.find_tool("nvcc")
    if not nvcc:
        raise RuntimeError("nvcc was not found")
    tries, problems = _commands(nvcc, target, options.cusparselt, name)
    for what, command in tries:
        half = built.with_suffix(".part")
        code, out, err = call(command + ["-o", half], timeout)
        if code == 0:
            shutil.move(half, built)
            return built, "; ".join([f"built {what}"] + problems)
        problems.append(f"{what}: {why(code, out, err)}")
    raise RuntimeError("; ".join(problems))


def build_library(name, clone, target, folder):
    """folder/NAME.so, the kernels of a project's clone behind ternary_peer.h."""
    from matmul.running import call, why
    includes, sources, words = LIBRARIES[name]
    clone = Path(clone).resolve()
    missing = [part for part in (*includes, *sources) if not (clone / part).exists()]
    if missing:
        raise RuntimeError(f"{clone} has no {missing[0]}; expected a clone of the project "
                           f"that ternary_peer_{name}.cu names")
    nvcc = machine.find_tool("nvcc")
    if not nvcc:
        raise RuntimeError("nvcc was not found")
    folder.mkdir(parents=True, exist_ok=True)
    built = folder / f"{name}.so"
    half = built.with_suffix(".part")
    code, out, err = call(
        [nvcc, "-std=c++17", "-O3", f"-arch=sm_{target.removeprefix('sm_')}", "-shared",
         "-Xcompiler", "-fPIC", *words, f"-I{HERE}", *(f"-I{clone / part}" for part in includes),
         HERE / f"ternary_peer_{name}.cu", *(clone / part for part in sources), "-o", half],
        1800)
    if code:
        raise RuntimeError(f"{name}: {why(code, out, err)}")
    shutil.move(half, built)
    return built
