"""Lengths of two texts, as .npy files, and the pages of 16 positions that hold them:
write_lengths.py DIR. Three of seven pages each; in "wrong" a number that no page has, in
"same" one page for both."""

import os
import sys

import numpy as np

os.makedirs(sys.argv[1], exist_ok=True)
for name, numbers in (("low", [3, -2]), ("high", [33, 36]), ("taken", [40, 17]),
                      ("all", [41, 18]), ("table", [[5, 0, 3], [6, 2, 1]]),
                      ("wrong", [[7, 0, 3], [6, -1, 1]]), ("same", [[5, 0, 3], [0, 2, 1]])):
    np.save(os.path.join(sys.argv[1], name + ".npy"), np.array(numbers, np.int32))
