"""One table, one reading: each kind of column from each kind of frame and file."""

import datetime
import decimal
import shutil
import subprocess
import zipfile
from itertools import product
from xml.sax.saxutils import escape

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyreadstat
import pytest

from hetsel.files.reading import read_table
from hetsel.tables import Table

N, GAP = 12, 3
ROWS = range(N)
UTC = datetime.UTC
DAY, NOON = datetime.date(1970, 1, 1), datetime.datetime(1970, 1, 1, 12)

# kind -> cells, what they are, their values
KINDS = {
    "float": ([0.5 + 1.25 * i for i in ROWS], ("continuous", None), lambda i: 0.5 + 1.25 * i),
    "int": ([100 + 7 * i * i for i in ROWS], ("continuous", None), lambda i: 100 + 7 * i * i),
    "flag": ([i % 3 == 0 for i in ROWS], ("nominal", None), lambda i: i % 3 == 0),
    "text": (["abc"[i % 3] * 2 for i in ROWS], ("nominal", None), lambda i: i % 3),
    "category": (["abc"[i % 3] for i in ROWS], ("nominal", None), lambda i: i % 3),
    "ordered": ([f"{i % 3}-of-2" for i in ROWS], ("ordinal", None), lambda i: i % 3),
    "date": (
        [DAY + datetime.timedelta(days=37 * i) for i in ROWS],
        ("continuous", "date"),
        lambda i: 37 * i,
    ),
    "moment": (
        [NOON + datetime.timedelta(days=5 * i, hours=i) for i in ROWS],
        ("continuous", "date"),
        lambda i: 0.5 + 5 * i + i / 24,
    ),
    "zone": (
        [NOON.replace(tzinfo=UTC) + datetime.timedelta(days=5 * i, hours=i) for i in ROWS],
        ("continuous", "date"),
        lambda i: 0.5 + 5 * i + i / 24,
    ),
    "clock": (
        [datetime.time(i, 5 * i, 3 * i) for i in ROWS],
        ("continuous", "time of day"),
        lambda i: i + 5 * i / 60 + 3 * i / 3600,
    ),
    "duration": (
        [datetime.timedelta(days=i, hours=2 * i) for i in ROWS],
        ("continuous", "duration"),
        lambda i: i + i / 12,
    ),
    "decimal": ([decimal.Decimal(i) / 4 for i in ROWS], ("continuous", None), lambda i: i / 4),
}


def cells_of(kind, gap):
    cells = list(KINDS[kind][0])
    if gap:
        cells[GAP] = None
    return cells


def in_pandas(kind, gap):
    cells = cells_of(kind, gap)
    if kind in ("category", "ordered"):
        return pd.Series(pd.Categorical(cells, ordered=kind == "ordered"))
    if kind in ("moment", "zone"):
        return pd.Series(pd.to_datetime(cells))
    if kind == "duration":
        return pd.Series(pd.to_timedelta(cells))
    return pd.Series(cells, dtype=object if kind in ("date", "clock", "decimal") else None)


def pandas_frame(kind, gap, _=None):
    return pd.DataFrame({"x": in_pandas(kind, gap), "other": 1.5})


def polars_frame(kind, gap, _=None):
    dtypes = {"category": pl.Categorical(), "ordered": pl.Enum(sorted({*KINDS["ordered"][0]}))}
    dtype = {**dtypes, "decimal": pl.Decimal(10, 2)}.get(kind)
    return pl.DataFrame({"x": pl.Series(cells_of(kind, gap), dtype=dtype), "other": 1.5})


def arrow_table(kind, gap, _=None):
    return pa.table({"x": pa.Array.from_pandas(in_pandas(kind, gap)), "other": [1.5] * N})


def written(name, write, frame=pandas_frame):
    def make(kind, gap, folder):
        write(frame(kind, gap), folder / name)
        return read_table(folder / name)

    return make


def excel(frame, path):
    book = openpyxl.Workbook()
    book.active.append(list(frame.columns))
    zone = isinstance(frame["x"].dtype, pd.DatetimeTZDtype)
    cells = frame["x"].dt.tz_localize(None) if zone else frame["x"]
    for cell in cells.astype(object):
        for name in ("to_pydatetime", "to_pytimedelta"):
            cell = getattr(cell, name)() if hasattr(cell, name) and not pd.isna(cell) else cell
        book.active.append([None if pd.isna(cell) else cell, 1.5])
    book.save(path)


OFFICE = "urn:oasis:names:tc:opendocument:xmlns"


def office_cell(cell):
    if cell is None or pd.isna(cell):
        return "<table:table-cell/>"
    if isinstance(cell, bool | np.bool_):
        kind, value = "boolean", f'office:boolean-value="{str(bool(cell)).lower()}"'
    elif isinstance(cell, int | float | decimal.Decimal):
        kind, value = "float", f'office:value="{cell}"'
    elif isinstance(cell, datetime.date):
        kind, value = "date", f'office:date-value="{cell.isoformat()}"'
    elif isinstance(cell, datetime.time):
        kind, value = "time", f'office:time-value="{cell:PT%HH%MM%SS}"'
    else:
        kind, value = "string", ""
    return (
        f'<table:table-cell office:value-type="{kind}" {value}>'
        f"<text:p>{escape(str(cell))}</text:p></table:table-cell>"
    )


def open_document(frame, path):
    """A sheet as LibreOffice writes it, by the standard of its format."""
    if isinstance(frame["x"].dtype, pd.DatetimeTZDtype):
        frame = frame.assign(x=frame["x"].dt.tz_localize(None))
    rows = [list(frame.columns), *frame.astype(object).to_numpy().tolist()]
    body = "".join(
        f"<table:table-row>{''.join(map(office_cell, row))}</table:table-row>" for row in rows
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "META-INF/manifest.xml", f'<manifest:manifest xmlns:manifest="{OFFICE}:manifest:1.0"/>'
        )
        archive.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{OFFICE}:office:1.0" '
            f'xmlns:table="{OFFICE}:table:1.0" xmlns:text="{OFFICE}:text:1.0"><office:body>'
            f'<office:spreadsheet><table:table table:name="one">{body}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )


R = {
    "float": "0.5 + 1.25 * i",
    "int": "as.integer(100 + 7 * i * i)",
    "flag": "i %% 3 == 0",
    "text": "strrep(c('a', 'b', 'c')[i %% 3 + 1], 2)",
    "category": "factor(c('a', 'b', 'c')[i %% 3 + 1])",
    "ordered": "factor(paste0(i %% 3, '-of-2'), ordered = TRUE)",
    "date": "as.Date('1970-01-01') + 37 * i",
    "moment": "as.POSIXct('1970-01-01 12:00', tz = 'UTC') + 86400 * 5 * i + 3600 * i",
    "zone": "as.POSIXct('1970-01-01 13:00', tz = 'Europe/Rome') + 86400 * 5 * i + 3600 * i",
    "duration": "as.difftime(24 * i + 2 * i, units = 'hours')",
}


@pytest.fixture(scope="module")
def of_r(tmp_path_factory):
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    folder = tmp_path_factory.mktemp("r")
    lines = [f"i <- 0:{N - 1}"]
    for kind, cells in R.items():
        lines += [
            f"x <- {cells}; d <- data.frame(x = x, other = 1.5)",
            f"saveRDS(d, '{folder}/{kind}-False.rds'); d$x[{GAP + 1}] <- NA",
            f"saveRDS(d, '{folder}/{kind}-True.rds')",
        ]
    (folder / "write.R").write_text("\n".join(lines))
    subprocess.run(["Rscript", "--vanilla", folder / "write.R"], check=True, capture_output=True)
    return folder


def records(frame, path, **options):
    frame.to_json(path, orient="records", date_format="iso", default_handler=str, **options)


FORMATS = {
    "frame of pandas": pandas_frame,
    "frame of polars": polars_frame,
    "table of Arrow": arrow_table,
    "table of Arrow, by polars": lambda *of: polars_frame(*of).to_arrow(),
    ".csv": written("a.csv", lambda f, path: f.to_csv(path, index=False)),
    ".csv by polars": written("a.csv", pl.DataFrame.write_csv, polars_frame),
    ".tsv": written("a.tsv", lambda f, path: f.to_csv(path, index=False, sep="\t")),
    ".jsonl": written("a.jsonl", lambda f, path: records(f, path, lines=True)),
    ".jsonl by polars": written("a.jsonl", pl.DataFrame.write_ndjson, polars_frame),
    ".json": written("a.json", records),
    ".parquet": written("a.parquet", pd.DataFrame.to_parquet),
    ".parquet by polars": written("a.parquet", pl.DataFrame.write_parquet, polars_frame),
    ".feather": written("a.feather", pd.DataFrame.to_feather),
    ".feather by polars": written("a.feather", pl.DataFrame.write_ipc, polars_frame),
    ".xlsx": written("a.xlsx", excel),
    ".ods": written("a.ods", open_document),
    ".sav": written("a.sav", lambda f, path: pyreadstat.write_sav(f, str(path))),
    ".dta": written("a.dta", lambda f, path: pyreadstat.write_dta(f, str(path))),
}
TEXT = {".csv", ".csv by polars", ".tsv", ".jsonl", ".jsonl by polars", ".json", ".xlsx", ".ods"}
BY_POLARS = {name for name in FORMATS if "polars" in name}
# what a format cannot hold, or its writer does not write: what is read then
LESS = {
    # text has no order, neither has what is written without one
    **{("ordered", name): ("nominal", None) for name in TEXT | BY_POLARS | {".sav", ".dta"}},
    # these two have flags as 0 and 1 only
    **{("flag", name): ("continuous", None) for name in (".sav", ".dta")},
    # JSON has no decimal numbers and pyreadstat writes none: they are written as text
    **{
        ("decimal", name): ("nominal", None)
        for name in (".jsonl", ".jsonl by polars", ".json", ".sav", ".dta")
    },
}
# polars writes no durations into CSV, pyreadstat no whole numbers of 64 bits for Stata
NOT_WRITTEN = {("duration", ".csv by polars"), ("float", ".dta"), ("int", ".dta")}


def check(data, kind, gap, expected):
    table = Table.read(data)
    column = table.schema.columns[0]
    assert (column.kind, column.time) == expected
    values = np.array([float(KINDS[kind][2](i)) for i in ROWS])
    if (kind, expected[0]) != ("decimal", "nominal"):
        if gap:
            values[GAP] = np.nan
        np.testing.assert_allclose(table.values[:, 0], values, rtol=1e-11, atol=1e-9)
    assert np.isnan(table.values[:, 0]).sum() == gap


@pytest.mark.seconds
@pytest.mark.parametrize("gap", [False, True], ids=["complete", "with a gap"])
@pytest.mark.parametrize(
    ("kind", "name"), [pair for pair in product(KINDS, FORMATS) if pair not in NOT_WRITTEN]
)
def test_a_column_is_the_same_from_each_format(tmp_path, name, kind, gap):
    data = FORMATS[name](kind, gap, tmp_path)
    check(data, kind, gap, LESS.get((kind, name), KINDS[kind][1]))


@pytest.mark.parametrize("gap", [False, True], ids=["complete", "with a gap"])
@pytest.mark.parametrize("kind", R)
def test_a_column_is_the_same_from_a_file_of_r(of_r, kind, gap):
    check(read_table(of_r / f"{kind}-{gap}.rds"), kind, gap, KINDS[kind][1])


DECLARED = {  # of ARFF
    "float": "numeric",
    "int": "integer",
    "text": "string",
    "category": "{a,b,c}",
    "date": "date yyyy-MM-dd",
    "moment": "date 'yyyy-MM-dd HH:mm:ss'",
    "clock": "string",
}


@pytest.mark.parametrize("gap", [False, True], ids=["complete", "with a gap"])
@pytest.mark.parametrize("kind", DECLARED)
def test_a_column_is_the_same_from_arff(tmp_path, kind, gap):
    cells = "\n".join("?" if cell is None else f"'{cell}'" for cell in cells_of(kind, gap))
    path = tmp_path / "a.arff"
    path.write_text(f"@relation r\n@attribute x {DECLARED[kind]}\n@data\n{cells}\n")
    check(read_table(path), kind, gap, KINDS[kind][1])
