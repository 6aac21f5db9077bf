# SPDX-License-Identifier: BSD-3-Clause
"""Overlaps of labels, all at once, are those of matplotlib's boxes."""

from itertools import product

import numpy as np
from matplotlib.transforms import Bbox

from osgap.drawing.labels import _overlaps

_ENDS = (0.0, 1.0, 2.0, 3.0)


def test_overlaps_are_those_of_each_box() -> None:
    boxes = [Bbox.from_extents(*ends) for ends in product(_ENDS, repeat=4)]
    places = np.array([box.extents for box in boxes])
    for box in boxes[::3]:
        assert _overlaps(box, places).tolist() == [box.overlaps(other) for other in boxes]
