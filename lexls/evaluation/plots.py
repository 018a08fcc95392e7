"""Plot runs with the interval of each mean, and plot the tuning objective over two parameters at a time."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from lexls.evaluation import TABLES, require_packages
from lexls.evaluation.runs import Run
from lexls.evaluation.statistics import find_intervals

FORMATS = (".png", ".svg", ".pdf")
MAIN: Sequence[str] = TABLES["main"]
"""The measures plotted if there is not enough room for all of them; for spans, all are plotted."""
_PANELS_A_ROW = 4


class PlotError(Exception):
    """Raised if a plot cannot be drawn or written. The message gives the reason."""


def choose_measures(measures: Iterable[str]) -> list[str]:
    """Return the measures to plot: those in ``MAIN`` and all that are not ranking measures, such as coverage
    of spans. If there are none, return the first 12.
    """
    listed = list(measures)
    ranked = ("map", "mrr", "ndcg", "bpref", "p@", "recall@", "hit@", "f1@")
    return [name for name in listed if name in MAIN or not name.startswith(ranked)] or listed[:12]


def plot_runs(path: Path, runs: Sequence[tuple[str, Run]], title: str) -> None:
    """Plot the named runs and write the plot to the file ``path`` (PNG, SVG or PDF by its suffix).

    A single run gets a row for each measure. Several runs get a panel for each main measure, with a row for
    each run. A point is the mean over the questions, and its bar is the 95% bootstrap interval. Raises
    ``PlotError``, ``ExtraMissing``.
    """
    figure = _one(*runs[0]) if len(runs) == 1 else _several(runs)
    figure.suptitle(title, fontsize=11)
    save_figure(path, figure)


def check_format(path: Path) -> None:
    """Raise ``PlotError`` if a file of this name cannot contain a plot, and ``ExtraMissing`` if a package is
    missing.
    """
    require_packages("matplotlib")
    if path.suffix.lower() not in FORMATS:
        raise PlotError(f"{path}: a picture's name ends in {', '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise PlotError(f"{path.parent}: there is no such folder")


def save_figure(path: Path, figure: Any) -> None:
    """Write a matplotlib figure to a file. Raises ``PlotError``."""
    check_format(path)
    # Omit the date, so that the same run always gives the same file.
    dated = {".svg": "Date", ".pdf": "CreationDate"}.get(path.suffix.lower())
    try:
        figure.savefig(path, dpi=150, bbox_inches="tight", metadata={dated: None} if dated else {})
    except OSError as error:
        raise PlotError(f"{path}: cannot be written: {error.strerror or error}") from None


def make_figure(width: float, height: float) -> Any:
    """Return an empty figure that is not shown in a window."""
    require_packages("matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _one(name: str, run: Run) -> Any:
    found = find_intervals(run)
    figure = make_figure(7, 1 + 0.3 * len(found))
    axes = figure.add_subplot()
    _points(axes, list(found), list(found.values()))
    axes.set_xlabel(f"{name}: mean over {len(run.answers)} queries, 95% interval")
    return figure


def _several(runs: Sequence[tuple[str, Run]]) -> Any:
    shared = [name for name in runs[0][1].measures if all(name in run.measures for _, run in runs)]
    if not shared:
        raise PlotError("the runs have no measure in common")
    found = [(name, find_intervals(run)) for name, run in runs]
    panels = choose_measures(shared)
    columns = min(_PANELS_A_ROW, len(panels))
    rows = math.ceil(len(panels) / columns)
    figure = make_figure(1.5 + 2.6 * columns, rows * (0.9 + 0.25 * len(runs)))
    grid = figure.subplots(rows, columns, sharey=True, squeeze=False)
    for axes, measure in zip(grid.flat, panels, strict=False):
        _points(axes, [name for name, _ in found], [each[measure] for _, each in found])
        axes.set_title(measure, fontsize=9)
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_visible(False)
    return figure


def _points(axes: Any, names: Sequence[str], found: Sequence[Any]) -> None:
    places = range(len(names))
    means = [each.mean for each in found]
    # Due to rounding, the mean of equal values may be just outside its interval.
    below = [max(0.0, each.mean - each.low) for each in found]
    above = [max(0.0, each.high - each.mean) for each in found]
    axes.errorbar(means, list(places), xerr=[below, above], fmt="o", markersize=4, capsize=3)
    axes.set_yticks(list(places), names, fontsize=8)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.grid(axis="x", alpha=0.3)
    axes.tick_params(axis="x", labelsize=8)


SHOWN = 4
"""Maximum number of parameters plotted against each other; with more, the plot would be too small to read."""


def plot_study(path: Path, study: Any, parameters: Sequence[str], objective: str) -> None:
    """Write Optuna's plot of a study to ``path``: the objective over each pair of ``parameters`` (the first
    four) as contours, or a slice plot for a single parameter. Raises ``PlotError``, ``ExtraMissing``.
    """
    check_format(path)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from optuna.visualization import matplotlib as pictures

    chosen = list(parameters[:SHOWN])
    with warnings.catch_warnings():
        # Optuna warns that its matplotlib plots are experimental, and matplotlib warns of flat contours.
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
