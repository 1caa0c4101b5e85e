"""Tables in LaTeX with booktabs, and a document that compiles them."""

import re
from collections.abc import Sequence

from hetsel.ground import visible
from hetsel.report.elements import blocks

PACKAGES = (r"\usepackage{booktabs}", r"\usepackage{graphicx}")
FONTS = r"\usepackage[T1]{fontenc}"
OF_FONTS = frozenset("«»ÐÞðþĄąĐđĘęĮįŊŋŲų")  # signs that need these fonts
LACKING = frozenset("ĦħĸĿŀŉŦŧſ")  # letters that both fonts lack
# characters with a meaning in LaTeX, or that fonts lack or join to others
SIGNS = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "−": "$-$",
    "–": "--",
    "\u00a0": "~",
}
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
POWER = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")


def escaped_for_latex(text: str) -> str:
    r"""Escape text for LaTeX; letters that are not Latin are named by their number.

    Examples
    --------
    >>> print(escaped_for_latex("a_b & 50%"), escaped_for_latex(r"\foo{x}"))
    a\_b \& 50\% \textbackslash{}foo\{x\}
    >>> print(escaped_for_latex("é 中"), escaped_for_latex("4.0 × 10⁻⁵"))
    é {[}U+4E2D{]} 4.0 $\times$ 10$^{-5}$
    """
    line = " ".join(visible(str(text), "\n").split("\n"))
    parts = []
    for run in re.split(f"({POWER.pattern})", line):
        if POWER.fullmatch(run):
            parts.append(f"$^{{{run.translate(POWERS)}}}$")
        else:
            parts += map(_sign, run, f" {run}")
    return "".join(parts)


def _sign(sign: str, before: str) -> str:
    if sign == before and sign in "-,'":  # two are joined to a dash or a quotation mark
        return f"{{}}{sign}"
    if sign in SIGNS:
        return SIGNS[sign]
    latin = "\u00c0" <= sign <= "\u017f" and sign not in LACKING
    return sign if sign.isascii() or latin or sign in OF_FONTS else f"{{[}}U+{ord(sign):04X}{{]}}"


def latex_table(table: blocks.PrintedTable) -> str:
    """Return a table as a float that is at most as wide as the text."""
    columns = "l" + "r" * (len(table.head) - 1)
    cut = len(table.rows) - table.below
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped_for_latex(f'{table.caption} {table.note}'.strip())}}}",
        r"\smallskip",
        rf"\label{{tab:{table.key}}}",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(table.head),
    ]
    for group in filter(None, (table.rows[:cut], table.rows[cut:])):
        lines += [r"\midrule", *map(_row, group)]
    lines += [r"\bottomrule", r"\end{tabular}}", r"\end{table}"]
    text = "\n".join(lines) + "\n"
    return f"% needs {' '.join(_packages(text))}\n{text}"


def _packages(text: str) -> list[str]:
    return [*PACKAGES, *([FONTS] if OF_FONTS & set(text) else [])]


def _row(row: Sequence[str]) -> str:
    return " & ".join(map(_cell, row)) + r" \\"


def _cell(cell: str) -> str:
    text = escaped_for_latex(cell)
    if isinstance(cell, blocks.Bold):
        return rf"\textbf{{{text}}}"
    return rf"\textit{{{text}}}" if isinstance(cell, blocks.Italic) else text


def latex_files(tables: Sequence[blocks.PrintedTable]) -> dict[str, str]:
    """Return the content of a file for each table, of `tables.tex` with all, and of an example."""
    each = {f"{table.key}.tex": latex_table(table) for table in tables}
    whole = "\n".join(each.values())
    first = [r"\documentclass{article}", *_packages(whole), r"\begin{document}"]
    example = "\n".join([*first, r"\input{tables.tex}", r"\end{document}", ""])
    return {**each, "tables.tex": whole, "tables-example.tex": example}
