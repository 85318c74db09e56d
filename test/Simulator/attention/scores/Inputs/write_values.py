"""Values [1, 2, 300, 64] as .npy files: write_values.py DIR. In "none" those from key 128 on are NaN,
in "numbers" the same are zero."""

import os
import sys

import numpy as np

values = np.random.default_rng(3).standard_normal((1, 2, 300, 64)).astype(np.float16)
for name, other in (("numbers", 0), ("none", np.nan)):
    values[:, :, 128:] = other
    np.save(os.path.join(sys.argv[1], name + ".npy"), values)
