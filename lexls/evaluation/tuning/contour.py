"""A picture of how the objective depends on two parameters at a time."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lexls.evaluation.figure_plots import check_format, save_figure

SHOWN = 4
"""So many parameters are drawn against each other; more would be too small to read."""


def plot_study(path: Path, study: Any, parameters: Sequence[str], objective: str) -> None:
    """Draw Optuna's contour plot of a study into ``path``: for each pair of ``parameters`` (the first four)
    the objective over them; of a single parameter its slice. Raises ``PlotError``, ``ExtraMissing``."""
    check_format(path)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from optuna.visualization import matplotlib as pictures

    chosen = list(parameters[:SHOWN])
    with warnings.catch_warnings():
        # Optuna calls its matplotlib plots experimental, and matplotlib warns of levels that are flat.
        warnings.simplefilter("ignore")
        draw = pictures.plot_contour if len(chosen) > 1 else pictures.plot_slice
        axes = draw(study, params=chosen, target_name=objective)
        figure = axes.flat[0].figure if hasattr(axes, "flat") else axes.figure
        try:
            figure.suptitle(f"{objective} over {', '.join(chosen)}", fontsize=11, y=0.93)
            if len(chosen) > 2:
                figure.set_size_inches(4 * len(chosen), 3.5 * len(chosen))
            save_figure(path, figure)
        finally:
            pyplot.close(figure)
