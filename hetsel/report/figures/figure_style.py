"""Shared style of all figures: colors, marks and sizes; and how a figure becomes a file."""

import functools
import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hetsel.ground import TableError, visible, write_files

P = ParamSpec("P")
T = TypeVar("T")
INK, FAINT = "#222222", "#8a8a8a"
WIDTH = 7.2  # inches, the width of two columns of a journal
QUIET = "#5f5f5f"  # secondary text, with a contrast of 4.5 : 1
SUFFIXES = (".svg", ".png", ".pdf")
TITLE = 90  # letters of a title
ABOVE: Any = ("data", "axes fraction")  # a place at a value of one axis
BESIDE: Any = ("axes fraction", "data")
UNIT = 1e300  # of an axis with larger numbers, whose range may be more than the largest double
NAMES: Any = {"text.parse_math": False, "text.usetex": False}  # `$\\frac$` is a name, not a formula
SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"


@dataclass(frozen=True)
class Line:
    """How a method or a kind of feature is drawn; each part alone identifies it."""

    color: str
    marker: str
    dashes: Any


# Okabe and Ito: distinct for every kind of color vision; markers distinguish them in gray
LOOK = {
    "continuous": Line("#0072B2", "o", "-"),
    "ordinal": Line("#009E73", "D", (0, (4, 1.5))),
    "nominal": Line("#D55E00", "s", (0, (1.2, 1.2))),
}
# Okabe and Ito, darkest first where two lines often cross; then black and gray
LINES = (
    Line("#0072B2", "o", "-"),
    Line("#D55E00", "s", (0, (5, 1.6))),
    Line("#009E73", "^", (0, (1.2, 1.2))),
    Line("#CC79A7", "D", (0, (6, 1.5, 1.2, 1.5))),
    Line("#E69F00", "v", (0, (9, 2))),
    Line("#56B4E9", "P", (0, (3, 1, 1, 1, 1, 1))),
    Line("#222222", "X", (0, (2.5, 1.2))),
    Line("#7a7a7a", "<", (0, (7, 1.2, 2, 1.2))),
)
OTHER = Line("#bdbdbd", "", "-")  # methods that a figure does not distinguish


def method_lines(methods: Sequence[str], told: Sequence[str] = ()) -> dict[str, Line]:
    """Assign a line to each distinguished method, by default the first eight; one to all others.

    Examples
    --------
    >>> method_lines(["rfe-mkl", "hfs-nb"])["hfs-nb"].marker
    's'
    >>> method_lines(["rfe-mkl", "hfs-nb"], ["hfs-nb"])["rfe-mkl"] is OTHER
    True
    """
    lines = dict(zip(told or methods, LINES, strict=False))
    return {method: lines.get(method, OTHER) for method in methods}


def new_figure(height: float, width: float = WIDTH, *, layout: Any = "constrained") -> Figure:
    """Return an empty figure that needs no display; sizes in inches."""
    figure = Figure(figsize=(width, height), layout=layout)
    FigureCanvasAgg(figure)
    return figure


def plain_axes(ax: Axes, *, grid: str = "y") -> None:
    """Style a pair of axes: two thin spines, faint grid lines, small type."""
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(FAINT)
        spine.set_linewidth(0.8)
    ax.tick_params(labelsize=8, color=FAINT, labelcolor=INK, length=3)
    ax.tick_params(which="minor", length=0)
    ax.grid(axis=grid, color="#e3e3e3", lw=0.6)  # type: ignore[arg-type]
    ax.set_axisbelow(True)


def placeable(ax: Axes, numbers: np.ndarray) -> np.ndarray:
    """Scale very large numbers to a unit that the horizontal axis names."""
    if np.abs(numbers).max(initial=0.0) <= UNIT:
        return numbers
    ax.set_xlabel(f"× {UNIT:g}", loc="right", fontsize=8, color=INK)
    return numbers / UNIT


def draws_names(plot: Callable[P, T]) -> Callable[P, T]:
    """Wrap a plotting function so that no text becomes a formula."""

    @functools.wraps(plot)
    def drawn(*arguments: P.args, **named: P.kwargs) -> T:
        with mpl.rc_context(NAMES):
            return plot(*arguments, **named)

    return drawn


@contextmanager
def house_style() -> Iterator[None]:
    """Use the defaults of matplotlib, whatever a `matplotlibrc` of the working directory sets."""
    with mpl.rc_context():
        mpl.rcdefaults()
        yield


def note(ax: Axes, text: str, at: tuple[Any, Any], move: tuple[float, float], **look: Any) -> None:
    """Write text beside a place of the axes, moved by so many points."""
    drawn: Any = {"textcoords": "offset points", "fontsize": 8, "color": INK} | look
    ax.annotate(text, at, xytext=move, **drawn)


def legend_above(ax: Axes, columns: int, handles: Sequence[Any], **look: Any) -> None:
    drawn: Any = {"frameon": False, "fontsize": 8, "borderaxespad": 0.2} | look
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns, **drawn)


def name_axes(ax: Axes, across: str = "", up: str = "") -> None:
    for text, name in ((across, ax.set_xlabel), (up, ax.set_ylabel)):
        if text:
            name(text, fontsize=8.5, color=INK)


def save_figure(figure: Figure | Axes, path: str | Path) -> None:
    """Write a figure as .svg, .pdf or .png, completely or not at all."""
    write_files({path: figure_file(figure, Path(path).suffix)})


def figure_file(figure: Figure | Axes, suffix: str) -> bytes:
    """Return the content of a .svg, .pdf or .png file; the same figure gives the same bytes."""
    kind = check_suffix(suffix)
    root = figure.get_figure(root=True)
    if root is None:
        raise TableError("the axes were removed from their figure. Draw on axes of a figure")
    return _rendered(root, kind, salt="hetsel", background="white")


def check_suffix(suffix: str) -> str:
    """Return the suffix in lower case, or refuse an illegal one."""
    if suffix.lower() not in SUFFIXES:
        raise TableError(f"suffix must be one of {', '.join(SUFFIXES)}. Got {suffix!r}")
    return suffix.lower()


def _rendered(figure: Figure, kind: str, *, salt: str, background: str) -> bytes:
    """Render a figure to bytes without a date; in memory, as matplotlib hides why a file fails."""
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(kind)
    buffer = io.BytesIO()
    as_text: Any = {"svg.hashsalt": salt, "svg.fonttype": "none", "pdf.fonttype": 42}
    with mpl.rc_context({**as_text, **NAMES}), one_warning_of_glyphs(kind):
        form = kind.lstrip(".")
        figure.savefig(buffer, format=form, dpi=200, facecolor=background, metadata=metadata)
    return buffer.getvalue()


@contextmanager
def one_warning_of_glyphs(kind: str) -> Iterator[None]:
    """Warn once of all characters that the font lacks; not for an SVG, whose text is text."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    lacking = []
    for warning in caught:
        found = re.match(r"Glyph (\d+) .* missing from", str(warning.message))
        if found is None:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
        else:
            lacking.append(chr(int(found[1])))
    if lacking and kind != ".svg":
        signs = "".join(dict.fromkeys(lacking))[:20]
        warnings.warn(
            f"the font lacks {signs}, so boxes are drawn. An .svg file shows them", stacklevel=4
        )


def inline_svg(figure: Figure, prefix: str, title: str) -> str:
    """Return the figure as an <svg> element for a page, without header and style.

    Its identifiers begin with the prefix, so that two figures of a page never share one. A screen
    reader reads the title instead of the figure.
    """
    root = ElementTree.fromstring(_rendered(figure, ".svg", salt=prefix, background="none"))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    _own_identifiers(root, prefix)
    width = root.get("viewBox", "0 0 1 1").split()[2]
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("role", "img")
    root.set("aria-label", visible(title))
    root.set("data-width", width)
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    return ElementTree.tostring(root, encoding="unicode")


def _own_identifiers(root: ElementTree.Element, prefix: str) -> None:
    """Keep the identifiers that are referenced, with the prefix, and drop the others."""
    text = ElementTree.tostring(root, encoding="unicode")
    used = set(re.findall(r'href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
    for element in root.iter():
        identifier = element.attrib.pop("id", None)
        if identifier in used:
            element.set("id", f"{prefix}-{identifier}")
        for name, value in list(element.attrib.items()):
            if name == f"{{{XLINK}}}href" and value.startswith("#"):
                element.set(name, f"#{prefix}-{value[1:]}")
            elif "url(#" in value:
                element.set(name, value.replace("url(#", f"url(#{prefix}-"))
