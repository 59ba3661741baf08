"""Results as rows: the JSON of `warpsieve run`, the folder of a sweep, or its database."""

from __future__ import annotations

import json
import sqlite3
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import digest


class WarpsieveError(Exception):
    """A file, an argument or a run that is not as expected, in one line."""


@dataclass(frozen=True)
class Row:
    """One run. `axes` has the label on each axis of the sweep; `run` is the JSON of the run."""

    workload: str
    scheme: str
    seed: int
    experiment: str
    axes: dict[str, str]
    run: dict[str, Any] = field(repr=False)

    def key(self) -> tuple:
        """What a run and its baseline have in common."""
        return (self.workload, self.seed, self.experiment, tuple(sorted(self.axes.items())))

    def number(self, name: str) -> float:
        """A figure by name: `ipc`, `cycles`, `off_chip` (all requests), `off_chip.write`, or a counter."""
        if name == "off_chip":
            name = "off_chip.total"
        if name.startswith("off_chip.") and name[9:] in self.run["off_chip_requests"]:
            return self.run["off_chip_requests"][name[9:]]
        if name in self.run["counters"]:
            return self.run["counters"][name]
        value = self.run.get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return value
        raise WarpsieveError(f"{self.workload} under {self.scheme}: no figure '{name}'")

    def repetitions(self, name: str) -> list[float]:
        """A figure of each repetition of `run --repeat`; of a single run, and of other figures than these two,
        one value: `ipc`, `off_chip`."""
        kept = {"ipc": "ipc", "off_chip": "off_chip_requests", "off_chip.total": "off_chip_requests"}.get(name)
        if kept and "repeats" in self.run:
            return list(self.run["repeats"][kept]["values"])
        return [self.number(name)]

    def flat(self) -> dict[str, Any]:
        """All figures as one flat dictionary, for tables."""
        flat: dict[str, Any] = {"workload": self.workload, "scheme": self.scheme, "seed": self.seed,
                                "experiment": self.experiment, **self.axes}
        flat.update((name, value) for name, value in self.run.items() if isinstance(value, (int, float)))
        flat.update(("off_chip." + name, value) for name, value in self.run["off_chip_requests"].items())
        flat.update(self.run["counters"])
        return flat


@dataclass(frozen=True)
class Results:
    """Rows of one source; `missing` points of a sweep have no result, `failed` ones have an error."""

    name: str
    rows: list[Row]
    failed: dict[str, str] = field(default_factory=dict)
    missing: int = 0

    def frame(self) -> Any:
        """A pandas data frame with one row for each run and one column for each figure."""
        try:
            import pandas
        except ImportError as error:
            raise WarpsieveError("data frames need pandas (Debian: python3-pandas)") from error
        return pandas.DataFrame([row.flat() for row in self.rows])


def _load(path: Path, what: str) -> Any:
    """The JSON of a file, whose digest is right if it has one."""
    try:
        text = path.read_text(encoding="utf-8")
        wrong = digest.changed(text)
        if wrong:
            raise WarpsieveError(f"{path}: changed since it was written: {wrong}")
        return json.loads(text)
    except OSError as error:
        raise WarpsieveError(f"{path}: cannot read: {error.strerror}") from error
    except ValueError as error:
        raise WarpsieveError(f"{path}: expected {what}, found: {error}") from error


def _checked(run: Any, where: str) -> dict[str, Any]:
    for name in ("workload", "scheme", "ipc", "cycles", "off_chip_requests", "counters"):
        if not isinstance(run, dict) or name not in run:
            raise WarpsieveError(f"{where}: expected a run with '{name}', found none")
    return run


def _of_json(path: Path) -> Results:
    whole = _load(path, "JSON of `warpsieve run`")
    if not isinstance(whole, dict) or whole.get("format") != "warpsieve-run-1":
        raise WarpsieveError(f"{path}: expected format warpsieve-run-1")
    if whole.get("complete", True) is not True:
        warnings.warn(f"{path}: incomplete: its command was interrupted or failed", stacklevel=3)
    rows = []
    for number, run in enumerate(whole.get("runs", [])):
        _checked(run, f"{path}: run {number}")
        rows.append(Row(run["workload"], run["scheme"], whole["seed"], str(run.get("experiment", "")), {}, run))
    return Results(path.name, rows)


def _of_folder(path: Path) -> Results:
    sweep = _load(path / "sweep.json", "a sweep")
    if not isinstance(sweep, dict) or sweep.get("format") != "warpsieve-sweep-1":
        raise WarpsieveError(f"{path / 'sweep.json'}: expected format warpsieve-sweep-1")
    rows, missing, failed = [], set(), {}
    for row in sweep["rows"]:
        point = sweep["points"][row["point"]]["id"]
        file, error = path / "results" / f"{point}.json", path / "failed" / f"{point}.json"
        if not file.exists():
            if error.exists():
                failed[point] = str(_load(error, "an error").get("error", ""))
            else:
                missing.add(point)
            continue
        run = _checked(_load(file, "a point").get("run"), str(file))
        axes = {axis["name"]: str(axis["values"][value]["label"])
                for axis, value in zip(sweep["axes"], row["values"])}
        rows.append(Row(row["workload"], row["scheme"], row["seed"], str(row.get("experiment", 1)), axes, run))
    return Results(sweep["name"], rows, failed, len(missing))


def _check_point(path: Path, point: str, run: dict[str, Any], columns: dict[str, float]) -> None:
    """A database holds each figure twice, in the run and in a column: a changed digit makes them differ."""
    flat = {"ipc": run["ipc"], "cycles": run["cycles"], "thread_ipc": run.get("thread_ipc"), **run["counters"]}
    flat.update(("off_chip." + name, value) for name, value in run["off_chip_requests"].items())
    for name, value in columns.items():
        if flat.get(name) != value:
            raise WarpsieveError(f"{path}: changed since it was written: point {point}: {name} is {flat.get(name)} in "
                                 f"the run and {value} in the tables")


def _of_database(path: Path) -> Results:
    try:
        with sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if database.execute("PRAGMA application_id").fetchone()[0] != 0x57534956 or version != 2:
                raise WarpsieveError(f"{path}: expected a database of `warpsieve sweep merge` with schema 2")
            meta = dict(database.execute("SELECT key, value FROM meta"))
            axes: dict[int, dict[str, str]] = {}
            for number, name, label in database.execute(
                    "SELECT c.combination, a.name, a.label FROM coordinate c"
                    " JOIN axis a ON a.axis = c.axis AND a.value = c.value"):
                axes.setdefault(number, {})[name] = label
            columns: dict[str, dict[str, float]] = {}
            for point, cycles, ipc, total in database.execute(
                    "SELECT id, cycles, ipc, off_chip FROM point WHERE state = 'done'"):
                columns[point] = {"cycles": cycles, "ipc": ipc, "off_chip.total": total}
            for point, name, value in database.execute("SELECT point, name, value FROM statistic"):
                if columns.setdefault(point, {}).setdefault(name, value) != value:
                    raise WarpsieveError(f"{path}: changed since it was written: point {point}: {name} is "
                                         f"{columns[point][name]} in one table and {value} in another")
            rows, missing, failed = [], set(), {}
            for number, point, workload, scheme, seed, experiment, state, error, run in database.execute(
                    "SELECT c.number, c.point, c.workload, c.scheme, c.seed, c.experiment, p.state, p.error, p.run"
                    " FROM combination c LEFT JOIN point p ON p.id = c.point ORDER BY c.number"):
                if state is None:
                    missing.add(point)
                elif state == "failed":
                    failed[point] = error
                else:
                    known = _checked(json.loads(run), f"{path}: point {point}")
                    _check_point(path, point, known, columns.pop(point, {}))
                    rows.append(Row(workload, scheme, seed, str(experiment), axes.get(number, {}), known))
    except (sqlite3.Error, ValueError) as error:
        raise WarpsieveError(f"{path}: expected a database of `warpsieve sweep merge`, found: {error}") from error
    return Results(meta.get("name", path.name), rows, failed, len(missing))


def open_results(path: str | Path) -> Results:
    """Reads the JSON of `warpsieve run --json`, the folder of a sweep, or the database of `sweep merge`.

    Warns where the command did not end. WarpsieveError names a file that was changed since it was written.
    """
    path = Path(path)
    if path.is_dir():
        return _of_folder(path)
    try:
        with path.open("rb") as file:
            start = file.read(16)
    except OSError as error:
        raise WarpsieveError(f"{path}: cannot read: {error.strerror}") from error
    return _of_database(path) if start.startswith(b"SQLite format 3") else _of_json(path)
