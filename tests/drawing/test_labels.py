# SPDX-License-Identifier: BSD-3-Clause
"""Labels of points lie beside each other, and their overlaps are those of matplotlib's boxes."""

from itertools import product

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from osgap.drawing.labels import _overlaps, _text_boxes, label_ends, place_labels

_ENDS = (0.0, 1.0, 2.0, 3.0)


def test_overlaps_are_those_of_each_box() -> None:
    boxes = [Bbox.from_extents(*ends) for ends in product(_ENDS, repeat=4)]
    places = np.array([box.extents for box in boxes])
    for box in boxes[::3]:
        assert _overlaps(box, places).tolist() == [box.overlaps(other) for other in boxes]


def test_labels_and_leaders_keep_off_line_ends_and_other_labels() -> None:
    figure = Figure(figsize=(7.5, 4.9))
    axes = figure.add_subplot()
    axes.set(xlim=(0, 22), ylim=(0, 1.2))
    axes.plot([1, 16], [1, 0.4])
    label_ends(axes, [(16.0, 0.4, "clock only: 0.40", "black")])
    points = [(16.2, 0.47, "DECstation 3100"), (19.5, 0.45, "DECstation 5000")]
    place_labels(axes, [*points, (21.0, 0.44, "MIPS M/2000")])
    texts = [text for text in axes.texts if text.get_text()]
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    boxes = [Text.get_window_extent(text, renderer) for text in texts]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])
    leader = [box for _, box in _text_boxes(texts[0], renderer)[1:]]
    assert len(leader) > 10
    assert not any(box.overlaps(part) for box in boxes[1:] for part in leader)
