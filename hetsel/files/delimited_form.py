"""Find the table in delimited text: its first line, its separator and the width of its rows."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from hetsel.ground import Fix, TableError, counted, listed
from hetsel.ground.spreadsheet_apostrophes import without_apostrophe
from hetsel.tables.column import Note, refuse_column_twice

SEPARATORS = {",": "','", ";": "';'", "\t": "'\\t'", "|": "'|'", " ": "' '"}
LONGEST = 131_072  # characters of a value
# digits of other scripts are text, as in pandas
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
CODE = re.compile("0[0-9]+")
_MAYBE_CODES = re.compile(r"(?:^|[^\d.])0\d", re.MULTILINE)
_SAMPLE = 40  # lines that determine the form of a table
_SAYS_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\n')  # a first line that Excel writes


@dataclass(frozen=True)
class Layout:
    """Hold the options of reading a text; see :func:`hetsel.files.reading.read_table`."""

    separator: str | None = None
    header: bool | None = None
    skip: int = 0
    decimal: str = "."
    thousands: str | None = None
    missing_marks: tuple[str, ...] = ("",)


@dataclass(frozen=True)
class Form:
    """Describe the table in a text."""

    rows: str  # lines of the rows
    file: str  # name of the file, for errors
    layout: Layout  # with the separator
    names: tuple[str, ...]  # of all columns; a column with an empty name is left out
    body: int = 0  # lines before the first row
    names_rows: bool = False  # rows begin with a name for which the header has no column
    notes: tuple[Note, ...] = ()  # on guesses
    n_rows: int = 0  # as check_rows counts them
    codes: frozenset[str] = frozenset()  # columns with whole numbers such as 007


def checked_form(text: str, file: str, layout: Layout) -> Form:
    """Find the form of a text and check each row; `file` is the file name for errors."""
    return check_rows(find_form(text.replace("\r\n", "\n").replace("\r", "\n"), file, layout))


def find_form(text: str, file: str, layout: Layout) -> Form:
    """Find the table in the beginning of a text."""
    text, layout = _after_skipped(text, file, layout)
    notes: tuple[Note, ...] = ()
    if layout.separator is None:
        separator = _fitting_separator(text, file, layout.skip)
        notes = (Note((f"values are separated by {SEPARATORS[separator]}",)),)
        layout = replace(layout, separator=separator)
    if layout.separator == " ":
        text = one_blank(text)
    form = _form(text, file, layout)
    return replace(form, notes=(*form.notes, *notes))


def one_blank(text: str) -> str:
    """Replace runs of blanks by one blank, and remove blanks at the ends of lines."""
    return "\n".join([" ".join(line.split()) for line in text.split("\n")])


def shows_form(text: str, name: str, layout: Layout) -> bool:
    """Return whether a text has enough lines for :func:`find_form`."""
    lines = text.split("\n", layout.skip + 1)  # one more, if it names the separator
    if len(lines) <= layout.skip + 1:
        return False
    separators = SEPARATORS if layout.separator is None else (layout.separator,)
    return all(len(_sample(lines[-1], one, name)) == _SAMPLE for one in separators)


def _after_skipped(text: str, name: str, layout: Layout) -> tuple[str, Layout]:
    """Remove the lines to skip; a first line such as `sep=;` names the separator."""
    said = _SAYS_SEPARATOR.match(text)
    if said and not layout.skip:
        layout = replace(layout, separator=said[1], skip=1)
    if not layout.skip:
        return text, layout
    lines = text.split("\n", layout.skip)
    if len(lines) <= layout.skip or not lines[-1].strip():
        raise TableError(
            f"{name} has no table after {counted(layout.skip, 'skipped line')}. Skip fewer lines"
        )
    return lines[-1], layout


def cells_of_lines(text: str, separator: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and values of each line that is not blank."""
    before = csv.field_size_limit(LONGEST)  # some packages change it for the whole process
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    try:
        for cells in reader:
            if len(cells) > 1 or (cells and cells[0].strip()):
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as reason:
        if "field limit" in str(reason):
            raise TableError(
                f"a value of {name} in or before line {reader.line_num} has more than {LONGEST:,} "
                "characters. Close an open quotation mark there, or remove this column from the "
                "file"
            ) from None
        raise TableError(f"{name} cannot be read: {reason}") from None
    finally:
        csv.field_size_limit(before)


def _sample(text: str, separator: str, name: str) -> list[tuple[int, list[str]]]:
    """Return line number and values of the first lines."""
    if separator == " ":
        text = one_blank("\n".join(text.split("\n", _SAMPLE)[:_SAMPLE]))
    return list(islice(cells_of_lines(text, separator, name), _SAMPLE))


def _fitting_separator(text: str, name: str, skipped: int) -> str:
    """Return the only separator by which the first lines have the same width, above 1.

    If there is none, take the separator by which the header alone has one value less, as in files
    of R with row names.
    """
    records = {separator: _sample(text, separator, name) for separator in SEPARATORS}
    fitting = [s for s, several in records.items() if _fits(several)]
    if not fitting:
        short = {s: len(several[0][1]) for s, several in records.items() if _fits(several[1:])}
        fitting = [s for s, width in short.items() if 1 < width == len(records[s][1][1]) - 1]
    if len(fitting) > 1 and fitting[-1] == " ":
        fitting.pop()  # blanks within values
    if len(fitting) == 1:
        return fitting[0]
    which = "no separator fits" if not fitting else "several fit: " + listed(_shown(fitting))
    starts = {s: _lines_before(several) for s, several in records.items()}
    fixes = [
        Fix("skip", before + skipped, "to skip the lines before the table")
        for separator, before in starts.items()
        if before and not fitting and separator != " "
    ]
    raise TableError(
        f"hetsel cannot find the separator of {name} ({which})",
        *fixes[:1],
        Fix("separator", then=f"to name it: one of {listed(_shown(SEPARATORS))}"),
    )


def _shown(separators: Iterable[str]) -> list[str]:
    return [SEPARATORS[separator] for separator in separators]


def _lines_before(records: Sequence[tuple[int, list[str]]]) -> int:
    """Count the lines before the first that is about as wide as most lines."""
    widths = [len(cells) for _, cells in records]
    usual = Counter(width for width in widths if width > 1).most_common(1)
    if not usual or usual[0][1] < max(2, len(records) // 2):
        return 0
    near = [abs(width - usual[0][0]) <= 1 and width > 1 for width in widths]
    first = near.index(True)
    return records[first - 1][0] if first else 0


def _form(text: str, name: str, layout: Layout) -> Form:
    """Find the names of the columns and the first row."""
    separator = layout.separator or ","
    records = _sample(text, separator, name)
    line, cells = records[0]
    if len(cells) == 1:
        fitting = [s for s in SEPARATORS if _fits(_sample(text, s, name))]
        _refuse_other_separator(text, name, separator, fitting)
    if before := _lines_before(records):
        what = "line of" if before == 1 else f"{before} lines of"
        raise TableError(
            f"the first {what} {name} {'is' if before == 1 else 'are'} not part of its table",
            Fix("skip", before + layout.skip, "to skip them" if before > 1 else "to skip it"),
        )
    if len(cells) == 1:
        _refuse_other_separator(text, name, separator, SEPARATORS)
    if layout.header is False:
        names = [f"x{j}" for j in range(len(cells))]
        note = Note((f"without a header, the columns are named {listed(names)}",))
        return Form(text, name, layout, tuple(names), notes=(note,))
    _refuse_values_as_names(cells, name, layout)
    rows = [row for _, row in records[1:]]
    names, notes = _all_names(cells, rows), []
    if names[0] == "" and len(names) > 1:
        what = "the first column has no name: it is read as row names and left out"
        notes.append(Note((what,)))
    for place, given in enumerate(names[1:], start=2):
        filled = any(row[place - 1 : place] not in ([], [""]) for row in rows)
        if given == "" and (filled or any(names[place:])):
            raise _no_name(place, name, line + layout.skip, rows)
    named = [given for given in names if given]
    if not named:
        raise _no_name(1, name, line + layout.skip, rows)
    refuse_column_twice(named, name)
    names = [without_apostrophe(given) for given in names]
    names_rows = len(names) > len(cells) and names[0] == ""
    body = "".join(text.split("\n", line)[line:])
    return Form(body, name, layout, tuple(names), line, names_rows, tuple(notes))


def _all_names(header: list[str], rows: list[list[str]]) -> list[str]:
    """Return a name per value of a row; empty for row names and for empty ends of lines."""
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        return header
    width = widths.pop()
    if width == len(header) + 1:
        if not any(row[-1] for row in rows):
            return [*header, ""]
        return ["", *header]
    if width < len(header) and not any(header[width:]):
        return header[:width]
    return header


def _refuse_values_as_names(cells: list[str], name: str, layout: Layout) -> None:
    odd = [
        cell for cell in cells if NUMBER.fullmatch(cell) or (cell and cell in layout.missing_marks)
    ]
    if layout.header is None and odd:
        raise TableError(
            f"the first line of {name} does not look like column names: it has {listed(odd)}",
            Fix("header", False, "if the file has no column names"),
            Fix("header", True, "if these are column names"),
        )


def _no_name(place: int, name: str, line: int, rows: Sequence[list[str]]) -> TableError:
    """Return the error of a column without a name; the line below may be the header."""
    fixes = []
    if rows and all(cell and not NUMBER.fullmatch(cell) for cell in rows[0]):
        fixes = [Fix("skip", line, "if the names are in the line below")]
    return TableError(f"column {place} of {name} has no name in line {line}. Name it", *fixes)


def _fits(records: Sequence[tuple[int, list[str]]]) -> bool:
    """Return whether the first lines have the same width, above 1."""
    widths = {len(cells) for _, cells in records}
    return len(widths) == 1 and widths != {1}


def _refuse_other_separator(text: str, name: str, separator: str, among: Iterable[str]) -> None:
    """Raise an error for a single column whose first line has another separator of `among`."""
    first = text.lstrip("\n").split("\n", 1)[0]
    others = [s for s in among if s not in (separator, " ") and s in first]
    if not others and " " in first.strip() and separator != " ":
        widths = {len(line.split()) for line in text.split("\n")[:20] if line.strip()}
        others = [" "] if len(widths) == 1 else []
    if others:
        found = max(others, key=first.count)
        raise TableError(
            f"{name} has only one column with the separator {SEPARATORS[separator]}, but its first "
            f"line contains {SEPARATORS[found]}",
            Fix("separator", found),
        )


def check_rows(form: Form) -> Form:
    """Check the width of each row; add the number of rows and the columns of codes."""
    codes: set[str] = set()
    row_names: set[str] = set()
    file, layout, names = form.file, form.layout, form.names
    width, n_rows = len(names), 0
    begin = form.body + layout.skip
    unnamed = [j for j, name in enumerate(names) if j and not name]
    maybe_codes = _MAYBE_CODES.search(form.rows) is not None
    for line, cells in cells_of_lines(form.rows, layout.separator or ",", file):
        n_rows += 1
        if len(cells) != width:
            raise _wrong_width(cells, line + begin, file, width)
        if (
            len(cells) > 1
            and form.body
            and cells[-1] == names[-1]
            and all(cell == name for cell, name in zip(cells, names, strict=True) if name)
        ):
            raise TableError(
                f"line {line + begin} of {file} repeats the column names, as when files are "
                "concatenated. Remove the line"
            )
        if form.names_rows:
            row_names.add(cells[0])
            if len(row_names) < n_rows:
                raise TableError(
                    f"the rows of {file} have {width} values, but its first line has {width - 1}. "
                    f"The first values are not row names, since {cells[0]!r} occurs twice. Name "
                    "each column"
                )
        for j in unnamed:
            if cells[j] not in ("", *layout.missing_marks):
                raise _no_name(j + 1, file, begin, [])
        if maybe_codes:
            zeros = [j for j, cell in enumerate(cells) if cell[:1] == "0"]
            codes.update(names[j] for j in zeros if CODE.fullmatch(cells[j]))
    if n_rows == 0:
        raise TableError(f"{file} has column names but no rows")
    return replace(form, n_rows=n_rows, codes=frozenset(codes))


def _wrong_width(cells: list[str], line: int, name: str, width: int) -> TableError:
    hint = ""
    if any("\n" in cell for cell in cells):
        hint = ". Check for an open quotation mark"
    elif cells[0].startswith("#"):
        hint = ". Remove the line if it is a comment"
    number = counted(len(cells), "value")
    return TableError(
        f"line {line} of {name} must have {width} values, as the first line. Got {number}{hint}"
    )
