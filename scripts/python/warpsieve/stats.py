"""Mean, geometric mean and noise of repeated runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterable

from .results import Results, WarpsieveError


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


@dataclass(frozen=True)
class Noise:
    """Mean, standard deviation (of the sample) and count of repeated measurements."""

    mean: float
    deviation: float
    count: int


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
    """`what` over that of the baseline: scheme -> workload -> noise over seeds and experiments.

    A run is compared with the baseline of the same workload, seed, experiment and axes. A run without one, and one
    whose baseline has 0, is left out.
    """
    pairs: dict[tuple, float] = {row.key(): row.number(what) for row in results.rows if row.scheme == baseline}
    if not pairs:
        known = ", ".join(sorted({row.scheme for row in results.rows}))
        raise WarpsieveError(f"no runs of the baseline '{baseline}' (there is: {known})")
    values: dict[str, dict[str, list[float]]] = {}
    for row in results.rows:
        under = pairs.get(row.key())
        if row.scheme != baseline and under:
            values.setdefault(row.scheme, {}).setdefault(row.workload, []).append(row.number(what) / under)
    return {scheme: {name: noise(some) for name, some in rows.items()} for scheme, rows in values.items()}
