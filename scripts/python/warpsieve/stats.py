"""Mean, geometric mean and noise of repeated runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Iterable

from .results import Results, Row, WarpsieveError


def mean(values: Iterable[float]) -> float:
    """Arithmetic mean; WarpsieveError for no values."""
    all_values = list(values)
    if not all_values:
        raise WarpsieveError("mean: expected values, found none")
    return math.fsum(all_values) / len(all_values)


def geometric_mean(values: Iterable[float]) -> float:
    """Geometric mean of positive values; WarpsieveError for others."""
    all_values = list(values)
    for value in all_values:
        if not value > 0:
            raise WarpsieveError(f"geometric_mean: expected positive values, found {value}")
    return math.exp(mean(math.log(value) for value in all_values))


#: Two-sided 95 % quantiles of Student's t for 1, 2, ... degrees of freedom; beyond them the last is close enough.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
            2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086)


@dataclass(frozen=True)
class Noise:
    """Mean, standard deviation (of the sample) and count of repeated measurements."""

    mean: float
    deviation: float
    count: int

    @property
    def half(self) -> float:
        """Half of the 95 % confidence interval of the mean (Student's t); nan for a single measurement."""
        if self.count < 2:
            return math.nan
        return _STUDENT[min(self.count - 2, len(_STUDENT) - 1)] * self.deviation / math.sqrt(self.count)


def noise(values: Iterable[float]) -> Noise:
    """Noise of repeated measurements; the deviation of a single one is not known: nan."""
    all_values = list(values)
    middle = mean(all_values)
    if len(all_values) < 2:
        return Noise(middle, math.nan, 1)
    square = math.fsum((value - middle) ** 2 for value in all_values)
    return Noise(middle, math.sqrt(square / (len(all_values) - 1)), len(all_values))


def inside_noise(one: Noise, other: Noise, deviations: float = 2.0) -> bool | None:
    """Whether the means differ by at most `deviations` standard errors of their difference; None if not known."""
    if one.count < 2 or other.count < 2:
        return None
    error = math.sqrt(one.deviation**2 / one.count + other.deviation**2 / other.count)
    return abs(one.mean - other.mean) <= deviations * error


def relative(results: Results, what: str = "ipc", baseline: str = "baseline") -> dict[str, dict[str, Noise]]:
    """`what` over that of the baseline: scheme -> workload -> noise over repetitions, seeds and experiments.

    A run is compared with the baseline of the same workload, seed, experiment and axes, each repetition with the
    same of the baseline. A run without one, and one whose baseline has 0, is left out.
    """
    return {scheme: {name: noise(some) for name, some in rows.items()}
            for scheme, rows in _ratios(results, what, baseline, lambda row: row.workload).items()}


def over_axis(results: Results, axis: str, what: str = "ipc",
              baseline: str = "baseline") -> dict[str, dict[str, Noise]]:
    """As `relative`, over the labels of a sweep's axis instead of the workloads."""
    known = sorted({name for row in results.rows for name in row.axes})
    if axis not in known:
        raise WarpsieveError(f"no axis '{axis}' (there is: {', '.join(known) or 'none'})")
    return {scheme: {name: noise(some) for name, some in rows.items()}
            for scheme, rows in _ratios(results, what, baseline, lambda row: row.axes[axis]).items()}


def _ratios(results: Results, what: str, baseline: str,
            group: Callable[[Row], str]) -> dict[str, dict[str, list[float]]]:
    pairs: dict[tuple, list[float]] = {row.key(): row.repetitions(what) for row in results.rows
                                       if row.scheme == baseline}
    if not pairs:
        known = ", ".join(sorted({row.scheme for row in results.rows}))
        raise WarpsieveError(f"no runs of the baseline '{baseline}' (there is: {known})")
    values: dict[str, dict[str, list[float]]] = {}
    for row in results.rows:
        if row.scheme == baseline:
            continue
        for mine, under in zip(row.repetitions(what), pairs.get(row.key(), [])):
            if under:
                values.setdefault(row.scheme, {}).setdefault(group(row), []).append(mine / under)
    return values
