"""Results of the program `warpsieve` in Python: run points, read results, mean and noise, figures.

Standard library only. `Results.frame` needs pandas, `figures` needs matplotlib.
"""

from .results import Results, Row, WarpsieveError, open_results
from .runs import program, run
from .stats import Noise, geometric_mean, inside_noise, mean, noise, over_axis, relative

__all__ = ["Noise", "Results", "Row", "WarpsieveError", "geometric_mean", "inside_noise", "mean", "noise",
           "open_results", "over_axis", "program", "relative", "run"]
