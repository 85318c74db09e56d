"""check_ids_reference.py DIRECTORY: what Python's reference says of ids.bundle and its ids."""

import sys

import numpy as np
import sparseflow

folder = sys.argv[1]
bundle = sparseflow.Bundle(folder + "/ids.bundle")
for entry, ids, rows in (("embed", "last", 50257), ("wrapped", "wrapped", 50257), ("summed", "last", 6),
                         ("summed", "zeros", 0), ("masked", "last", 50257), ("clamped", "last", 50257)):
    shape = [rows if isinstance(size, str) else size
             for size in bundle.function(entry)["arguments"][1]["shape"]]
    table = np.zeros(shape, {"f16": np.float16, "f32": np.float32}[bundle.function(entry)["arguments"][1]["dtype"]])
    try:
        bundle.evaluate([np.load(f"{folder}/{ids}.npy"), table], entry)
        print(f"{entry}: ok")
    except sparseflow.Error as error:
        print(f"{entry}: {error}")
