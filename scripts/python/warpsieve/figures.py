"""The papers' figures, with matplotlib: normalised IPC as grouped bars; changes of IPC and of off-chip traffic as bars
around 0; a figure over the axis of a sweep.

Whiskers are 95 % confidence intervals, where there are several runs. Each function returns a matplotlib figure;
`figure.savefig("ipc.pdf")` writes it.
"""

from __future__ import annotations

import math
from typing import Any, Callable

from .results import Results, WarpsieveError
from .stats import Noise, geometric_mean, mean, over_axis, relative

#: Okabe and Ito's colours, which the colour-blind can tell apart.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
MARKERS = ("o", "s", "^", "D", "v", "P")


def _axes(groups: int) -> Any:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise WarpsieveError("figures need matplotlib (Debian: python3-matplotlib)") from error
    figure = Figure(figsize=(max(4.0, 1.5 + 0.6 * groups), 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _noise_of_mean(rows: dict[str, Noise], of: Callable[[list[float]], float]) -> Noise:
    return Noise(of([one.mean for one in rows.values()]), math.nan, 1)


def _bars(data: dict[str, dict[str, Noise]], means: dict[str, Callable[[list[float]], float]], label: str) -> Any:
    """A group of bars for each workload, then one for each of `means`."""
    order = list(dict.fromkeys(name for rows in data.values() for name in rows)) + list(means)
    figure, axes = _axes(len(order))
    width = 0.8 / len(data)
    for number, (scheme, rows) in enumerate(data.items()):
        bars = {**rows, **{name: _noise_of_mean(rows, of) for name, of in means.items()}}
        offset = (number - (len(data) - 1) / 2) * width
        places = {name: order.index(name) + offset for name in bars}
        axes.bar([places[name] for name in bars], [one.mean for one in bars.values()], width,
                 label=scheme, color=COLOURS[number % len(COLOURS)])
        known = {name: one for name, one in bars.items() if not math.isnan(one.half)}
        if known:
            axes.errorbar([places[name] for name in known], [one.mean for one in known.values()],
                          [one.half for one in known.values()], fmt="none", ecolor="black", capsize=2)
    axes.set_xticks(range(len(order)), order, rotation=45, ha="right")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_ylabel(label)
    axes.legend(ncols=min(4, len(data)), fontsize="small")
    return figure


def _changes(data: dict[str, dict[str, Noise]]) -> dict[str, dict[str, Noise]]:
    """Ratios as changes in percent."""
    return {scheme: {name: Noise(100 * (one.mean - 1), 100 * one.deviation, one.count) for name, one in rows.items()}
            for scheme, rows in data.items()}


def _geometric_change(changes: list[float]) -> float:
    """The geometric mean of the ratios behind changes in percent."""
    return 100 * (geometric_mean([1 + change / 100 for change in changes]) - 1)


def normalised_ipc(results: Results, baseline: str = "baseline") -> Any:
    """IPC over the baseline's: a group of bars for each workload, then mean and geometric mean."""
    data = relative(results, "ipc", baseline)
    if not data:
        raise WarpsieveError(f"normalised_ipc: expected runs of a scheme beside '{baseline}', found none")
    figure = _bars(data, {"mean": mean, "geomean": geometric_mean}, f"IPC / {baseline}")
    figure.axes[0].axhline(1, color="black", linewidth=0.8, linestyle="dotted")
    return figure


def ipc_change(results: Results, baseline: str = "baseline") -> Any:
    """Change of IPC against the baseline in percent, as bars around 0, then mean and geometric mean."""
    data = _changes(relative(results, "ipc", baseline))
    if not data:
        raise WarpsieveError(f"ipc_change: expected runs of a scheme beside '{baseline}', found none")
    return _bars(data, {"mean": mean, "geomean": _geometric_change}, f"IPC, % against {baseline}")


def off_chip_change(results: Results, baseline: str = "baseline") -> Any:
    """Change of off-chip requests against the baseline in percent, as bars around 0."""
    data = _changes(relative(results, "off_chip", baseline))
    if not data:
        raise WarpsieveError("off_chip_change: expected runs with off-chip requests beside the baseline, found none")
    return _bars(data, {"mean": mean}, f"off-chip requests, % against {baseline}")


def change_over_axis(results: Results, axis: str, what: str = "ipc", baseline: str = "baseline") -> Any:
    """Change of a figure against the baseline in percent over a sweep's axis, a line with markers for each scheme."""
    data = _changes(over_axis(results, axis, what, baseline))
    labels = list(dict.fromkeys(row.axes[axis] for row in results.rows))
    figure, axes = _axes(len(labels))
    for number, (scheme, points) in enumerate(data.items()):
        places = [label for label in labels if label in points]
        axes.errorbar([labels.index(label) for label in places], [points[label].mean for label in places],
                      [0 if math.isnan(points[label].half) else points[label].half for label in places], capsize=2,
                      marker=MARKERS[number % len(MARKERS)], color=COLOURS[number % len(COLOURS)], label=scheme)
    axes.set_xticks(range(len(labels)), labels)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xlabel(axis)
    axes.set_ylabel(f"{what}, % against {baseline}")
    axes.legend(fontsize="small")
    return figure
