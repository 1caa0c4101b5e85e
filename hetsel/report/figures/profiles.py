"""Performance profiles: the proportion of data sets on which a method is close to the best."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from hetsel.ground import counted
from hetsel.report.figures import figure_style as style
from hetsel.report.figures.distinct_labels import distinct_labels

SIZE = (6.1, 2.9)  # inches: width, height


@style.draws_names
def plot_profiles(profiles: pd.DataFrame, lines: Mapping[str, style.Line], label: str) -> Figure:
    """Draw one step line per method.

    `profiles` has method, distance and share, the distances ascending from 0. `label` is that of
    the horizontal axis. Methods without a line of their own are gray.
    """
    figure = style.new_figure(SIZE[1], SIZE[0])
    ax = figure.subplots()
    style.plain_axes(ax, grid="both")
    end = 1.04 * float(profiles["distance"].max()) or 1.0
    handles = []
    for method, own in profiles.groupby("method", sort=False):
        line = lines[str(method)]
        x = np.append(own["distance"], end)
        y = np.append(own["share"], own["share"].iloc[-1])
        plain = line is style.OTHER
        look = {"color": line.color, "ls": line.dashes, "lw": 0.8 if plain else 1.5}
        ax.step(x, y, where="post", zorder=2 if plain else 3, **look)
        if not plain:
            handles.append((str(method), Line2D([], [], **look)))
    names = distinct_labels([name for name, _ in handles])
    keys = [key for _, key in handles]
    if gray := profiles["method"].nunique() - len(keys):
        names.append(counted(gray, "other"))
        keys.append(Line2D([], [], color=style.OTHER.color, lw=0.8))
    ax.set_xlim(-0.02 * end, end)
    ax.set_ylim(-0.03, 1.03)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    style.name_axes(ax, label, "data sets")
    look = {"frameon": False, "fontsize": 8, "labelcolor": style.INK, "handlelength": 3.4}
    figure.legend(keys, names, loc="outside right upper", **look)
    return figure
