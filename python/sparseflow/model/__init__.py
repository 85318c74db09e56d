# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models: from a checkpoint to text.

    from sparseflow.model import Model, import_model
    import_model("SmolLM2.gguf", "smollm2")
    model = Model("smollm2")
    for token in model.generate(model.tokenizer.encode("The capital of"), 16): ...
"""

# Each registers its family.
from .families import bert, bitnet, gpt2, llama, mpnet, phi3, scaled  # noqa: F401
from .families.family import Family, register
from .geometry import Geometry
from .importer import import_model
from .model import Cache, Model
from .program import build_program
from .sampling import Sampler
from .tokenizer import Tokenizer

__all__ = ["Cache", "Family", "Geometry", "Model", "Sampler", "Tokenizer",
           "build_program", "import_model", "register"]
