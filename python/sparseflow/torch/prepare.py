# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bundles of a model before its first call: for this machine's GPU, or to ship."""

from .. import bundle_cache
from ..errors import Error
from .launch import gpu_of, launcher


def _programs(model, attention):
    """{key: function that makes the program} of a model's layers and of attention."""
    found = {}
    for module in model.modules():
        for key, program in getattr(module, "programs", lambda: ())():
            found[key] = program
    for form in attention:
        found[form] = form.program
    return found


def prepare(model, targets=(), folder=None, attention=()):
    """Compiles the programs that a converted model calls; returns the bundles' paths.

    Without `targets`, for the GPUs that the model's layers are on, and loads them: no
    call compiles or loads anything then, and streams may be captured at once. With
    `targets`, such as ["sm_80", "sm_90a"], for machines that may have no compiler: into
    `folder`, which they name in SPARSEFLOW_BUNDLES, or into this user's cache.
    `attention`: an AttentionForm, or a CacheAttentionForm of caches of few bits, for each
    attention that is to be there, too.
    """
    paths = []
    if targets:
        for key, program in _programs(model, attention).items():
            made = program()
            paths += [bundle_cache.compile_into(folder, made, target,
                                                bundle_cache.choice_options()) if folder else
                      bundle_cache.find(made, target, gpu_of(target)) for target in targets]
        return paths
    if folder:
        raise Error("expected targets for a folder of bundles, such as [\"sm_90a\"], found "
                    "none")
    for module in model.modules():
        if not hasattr(module, "programs"):
            continue
        device = next(module.buffers()).device
        if device.type == "cuda":
            for key, program in module.programs():
                paths.append(launcher(key, program, device).function.bundle.directory)
    return paths
