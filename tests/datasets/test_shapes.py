"""The loaders against the original files: the shapes of Table 1, every count, every cell."""

import csv
import gzip
import re

import numpy as np
import pandas as pd
import pytest

import hetsel
from hetsel import datasets
from hetsel.datasets import sources
from hetsel.datasets.readers import arrhythmia_names
from hetsel.datasets.sources import SOURCES, required_data_folder
from hetsel.ground.errors import TableError

# continuous, categorical, class counts: Table 1 of Paul et al. but for the probes of van 't Veer,
# and the documentation of the others; of survival times rows without and with an event
PAPER = {
    "arrhythmia": (198, 64, 245, 185),
    "bands": (20, 14, 312, 228),
    "heart": (6, 7, 164, 139),
    "hepatitis": (6, 13, 32, 123),
    "housing": (15, 2, 215, 291),
    "van-t-veer": (4953, 2, 44, 33),
    "credit-approval": (6, 9, 383, 307),
    "german-credit": (7, 13, 700, 300),
    "gse7390": (78, 2, 154, 35),
    "gse7390-survival": (78, 2, 147, 51),
    "heart-failure": (6, 5, 203, 96),
    "ionosphere": (34, 0, 126, 225),
    "lymphoma": (4026, 0, 42, 9, 11),
    "lymphoma-discrete": (0, 4026, 46, 10, 9, 11, 6, 6, 4, 2, 2),
    "musk": (166, 0, 269, 207),
    "pima": (8, 0, 500, 268),
    "spambase": (57, 0, 2788, 1813),
    "usps": (256, 0, 1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821),
    "usps-binarized": (256, 0, 5427, 3871),
    "van-t-veer-survival": (4953, 2, 44, 33),
}
# missing cells, and those of some columns; none in the sets that are not named
MISSING = {
    "arrhythmia": (386, {"T angle": 7, "P angle": 19, "QRST angle": 1, "J angle": 358}),
    "bands": (999, {"paper mill location": 156, "grain screened": 49, "timestamp": 0}),
    "heart": (6, {"major vessels colored": 4, "thal": 2}),
    "hepatitis": (167, {"protime": 67, "alk phosphate": 29, "albumin": 16, "histology": 0}),
    "van-t-veer": (4, {"age": 0}),
    "van-t-veer-survival": (4, {"age": 0}),
    "gse7390": (2, {"grade": 2}),
    "gse7390-survival": (2, {"grade": 2}),
    "heart-failure": (11, {"platelets": 6, "creatinine_phosphokinase": 5}),
    "credit-approval": (67, {"A1": 12, "A2": 12, "A4": 6, "A6": 9, "A14": 13}),
}


def paths_of(name):
    """The places of a data set's originals."""
    return [original.path for original in SOURCES[name].originals]


@pytest.fixture(scope="module")
def loaded():
    return {}


# heart is bundled, and scikit-survival carries GSE7390
NAMES = [
    pytest.param(
        name,
        marks=() if name in ("heart", "gse7390", "gse7390-survival") else pytest.mark.originals,
    )
    for name in datasets.NAMES
]


@pytest.fixture
def get(loaded, monkeypatch, tmp_path):
    """A data set by name, read once."""
    monkeypatch.setenv("HETSEL_CACHE", str(tmp_path))

    def load(name):
        if any(path.endswith(".RData") for path in paths_of(name)):
            pytest.importorskip("rdata")
        if name not in loaded:
            loaded[name] = datasets.load(name)
        return loaded[name]

    return load


def original(path):
    """The file of an original."""
    return required_data_folder() / path


def rows_of(path, separator=","):
    """Cells of an original, read another way than the loaders do."""
    content = original(path).read_bytes()
    text = (gzip.decompress(content) if path.endswith(".gz") else content).decode()
    lines = [line for line in text.split("\n") if line.strip()]
    return [[c.strip().strip('"') for c in line.split(separator)] for line in lines]


def same(column, cells, mark="?"):
    """Cells of a column equal the text of the original, as numbers or as levels."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        assert [mark if pd.isna(cell) else cell for cell in column] == list(cells), column.name
    else:
        wanted = np.array([float("nan" if cell == mark else cell) for cell in cells])
        np.testing.assert_array_equal(column.to_numpy(), wanted, err_msg=column.name)


def counts_of(data):
    """Rows by class, or without and with an event."""
    survival = data.target == ("time", "event")
    return pd.Series(data.y["event"] if survival else data.y).value_counts().sort_index()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_kinds_classes_and_missing_cells(name, get):
    data = get(name)
    assert data.name == name
    kinds = [column.kind for column in hetsel.Schema.infer(data.X).columns]
    n_continuous = kinds.count("continuous")
    found = n_continuous, len(kinds) - n_continuous, *counts_of(data).tolist()
    assert PAPER.get(name) == found, f'PAPER must say what its origin says. Got "{name}": {found},'
    assert ("ordinal" in kinds) == (name == "lymphoma-discrete")
    assert data.n_training == (7291 if name.startswith("usps") else None)
    assert data.relevant is None
    total, some = MISSING.get(name, (0, {}))
    gaps = data.X.isna().sum()
    assert gaps.sum() == total
    assert {column: gaps[column] for column in some} == some
    assert data.X.columns.is_unique
    assert not set(data.target) & set(data.X.columns)
    assert list(data.frame) == [*data.X, *data.target]
    assert len(data.y) == len(data.X)
    assert getattr(data.y, "index", data.X.index).equals(data.X.index)
    assert data.X.index.equals(pd.RangeIndex(len(data.X)))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_data_set_says_what_it_is(name, get):
    data = get(name)
    assert f"{len(data.X)} rows" in data.description
    kinds = [column.kind for column in hetsel.Schema.infer(data.X).columns]
    assert f"{kinds.count('continuous')} continuous" in data.description
    for label, count in counts_of(data).items():
        said = {True: f"{count} rows with an event", False: f"{count} right-censored"}
        classes = data.target != ("time", "event")
        assert (f"lass {label} ({count} rows)" if classes else said[label]) in data.description
    assert data.citation
    assert data.license
    assert repr(data).startswith(f"{name}: ")


@pytest.mark.originals
def test_arrhythmia_cell_by_cell(get):
    data = get("arrhythmia")
    rows = [row for row in rows_of("arrhythmia/arrhythmia.data") if row[-1] != "16"]
    cells = dict(zip(arrhythmia_names(), zip(*rows, strict=True), strict=False))
    assert len(cells) == 279
    places = {name: place for place, name in enumerate(arrhythmia_names(), start=1)}
    left_out = sorted(places[name] for name in set(cells) - set(data.X.columns))
    constant = [20, 68, 70, 84, 132, 133, 140, 142, 144, 146, 152, 157, 158, 165, 205, 265, 275]
    assert left_out == constant
    for name, column in data.X.drop(columns="sex").items():
        same(column, cells[name])
    same(data.X["sex"].cat.rename_categories({"male": "0", "female": "1"}), cells["sex"])
    assert data.y.tolist() == [int(row[-1] != "1") for row in rows]
    documented = {2} | {16 + 12 * k + j for k in range(12) for j in range(6, 12)}
    nominal = {name for name in data.X if isinstance(data.X[name].dtype, pd.CategoricalDtype)}
    assert {places[name] for name in nominal} == documented - set(constant)


def test_arrhythmia_names_stand_where_the_documentation_has_them():
    names = arrhythmia_names()
    assert len(set(names)) == 279
    documented = {
        1: "age", 5: "QRS duration", 9: "P interval", 10: "QRS angle", 14: "J angle",
        15: "heart rate", 16: "DI Q width", 19: "DI R' width", 21: "DI intrinsic deflections",
        22: "DI ragged R", 23: "DI diphasic R", 24: "DI ragged P", 27: "DI diphasic T",
        28: "DII Q width", 52: "AVR Q width", 88: "V1 Q width", 159: "V6 diphasic T",
        160: "DI JJ amplitude", 165: "DI S' amplitude", 166: "DI P amplitude", 168: "DI QRSA",
        169: "DI QRSTA", 170: "DII JJ amplitude", 220: "V1 JJ amplitude", 279: "V6 QRSTA",
    }  # fmt: skip
    assert {place: names[place - 1] for place in documented} == documented


@pytest.mark.originals
def test_bands_cell_by_cell(get):
    data = get("bands")
    *columns, bands = zip(*rows_of("cylinder_bands/bands.data"), strict=True)
    kept = [place for place in range(1, 40) if place not in (2, 3, 4, 6, 9)]
    for place, (_, column) in zip(kept, data.X.items(), strict=True):
        same(column, [cell.lower() for cell in columns[place - 1]])
    assert data.y.tolist() == [int(cell == "band") for cell in bands]
    for place in (6, 9):
        assert len({cell.lower() for cell in columns[place - 1]}) == 1
    X = data.X
    assert X["direct steam"].value_counts().to_dict() == {"no": 513, "yes": 2}
    assert X["blade mfg"].value_counts().to_dict() == {"benton": 479, "uddeholm": 1}
    assert X["paper mill location"].value_counts()["canadian"] == 159
    assert X["unit number"].cat.categories.tolist() == ["1", "2", "5", "6", "7", "9", "10"]
    assert X.loc[0, ["timestamp", "press type", "chrome content"]].tolist() == [
        19910108.0,
        "motter94",
        100.0,
    ]


@pytest.mark.originals
def test_hepatitis_cell_by_cell(get):
    data = get("hepatitis")
    died, *columns = zip(*rows_of("hepatitis/hepatitis.data"), strict=True)
    for (_, column), cells in zip(data.X.items(), columns, strict=True):
        same(column, cells)
    assert data.y.tolist() == [int(cell == "2") for cell in died]
    first = data.X.loc[0, ["age", "sex", "bilirubin", "albumin", "histology"]]
    assert first.tolist() == [30.0, "2", 1.0, 4.0, "1"]


@pytest.mark.originals
def test_housing_cell_by_cell(get):
    data = get("housing")
    path = original("boston_corrected/boston_corrected.csv")
    header, *rows = csv.reader(path.read_text().splitlines())
    cells = dict(zip(header, zip(*rows, strict=True), strict=True))
    assert list(data.X) == [name for name in header if name not in ("medv", "cmedv")]
    for name, column in data.X.items():
        same(column, cells[name])
    assert data.y.tolist() == [int(float(cell) > 20) for cell in cells["cmedv"]]
    assert len(data.X["town"].cat.categories) == 92
    assert data.X["chas"].value_counts().to_dict() == {"0": 471, "1": 35}


@pytest.mark.originals
def test_van_t_veer_cell_by_cell(get):
    data = get("van-t-veer")
    header, *rows = rows_of("vant_veer/veer_expression_4948.csv.gz")
    rows = [row for row in rows if row[0] != "54"]
    assert list(data.X)[7:] == header[2:]
    values = [[float("nan" if cell == "NA" else cell) for cell in row[2:]] for row in rows]
    np.testing.assert_array_equal(data.X.iloc[:, 7:].to_numpy(), np.array(values))
    clinical = pd.read_csv(original("vant_veer/veer_clinical.csv")).set_index("sample")
    clinical = clinical.loc[[int(row[0]) for row in rows]]
    assert data.y.tolist() == clinical["metastases"].astype(int).tolist()
    assert data.y.tolist() == [int(row[1] == "DM") for row in rows]
    columns = ["age", "diameter_mm", "grade", "er_percent", "pr_percent", "angioinvasion"]
    columns.append("lymphocytic_infiltrate")
    names = ["age", "diameter", "grade", "ER", "PR", "angioinvasion", "lymphocytic infiltrate"]
    assert list(data.X)[:7] == names
    for name, column in zip(names, columns, strict=True):
        same(data.X[name], clinical[column].astype(str))
    assert "4353" in data.description


@pytest.mark.originals
def test_van_t_veer_is_one_block_of_numbers(get):
    values = get("van-t-veer").X.iloc[:, 7:].to_numpy()
    assert values.base is not None  # a view, not a copy of 4948 columns
    assert values.dtype == np.float64


@pytest.mark.originals
@pytest.mark.parametrize(
    ("name", "path", "separator", "positive"),
    [
        ("credit-approval", "credit_approval/crx.data", ",", "+"),
        ("german-credit", "german_credit/german.data", " ", "2"),
    ],
)
def test_credit_cell_by_cell(name, path, separator, positive, get):
    data = get(name)
    *columns, codes = zip(*rows_of(path, separator), strict=True)
    for (_, column), cells in zip(data.X.items(), columns, strict=True):
        same(column, cells)
    assert data.y.tolist() == [int(code == positive) for code in codes]


@pytest.mark.originals
@pytest.mark.parametrize("name", ["ionosphere", "musk", "pima", "spambase"])
def test_continuous_tables_cell_by_cell(name, get):
    data = get(name)
    rows = rows_of(paths_of(name)[0])
    if name == "spambase":
        rows = rows[[row[0].lower() for row in rows].index("@data") + 1 :]
    *columns, codes = zip(*rows, strict=True)
    if name == "musk":  # names of molecule and conformation
        columns = columns[2:]
    for (_, column), cells in zip(data.X.items(), columns, strict=True):
        same(column, cells)
    assert data.y.tolist() == [int(code in ("g", "1.", "1")) for code in codes]


@pytest.mark.originals
def test_zeros_of_pima_are_kept(get):
    zeros = (get("pima").X == 0).sum()
    impossible = ["glucose", "blood pressure", "triceps", "insulin", "body mass"]
    assert zeros[impossible].tolist() == [5, 35, 227, 374, 11]
    assert zeros[["pedigree", "age"]].tolist() == [0, 0]


@pytest.mark.originals
def test_the_constant_column_of_ionosphere_is_kept(get):
    X = get("ionosphere").X
    assert X["imaginary 1"].unique().tolist() == [0.0]
    assert sorted(X["real 1"].unique()) == [0.0, 1.0]


@pytest.mark.originals
def test_two_loads_share_nothing(get):
    first = get("hepatitis")
    again = datasets.load("hepatitis")
    assert not np.shares_memory(first.X["age"].to_numpy(), again.X["age"].to_numpy())


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(
        TableError, match="one of arrhythmia, bands, .*Got 'hart'. Did you mean 'heart'"
    ):
        datasets.load("hart")
    assert set(datasets.PAUL2015) <= set(datasets.NAMES)


def test_each_name_has_a_loader_and_all_are_public_names():
    for name in datasets.NAMES:
        assert callable(getattr(datasets, f"load_{name.replace('-', '_')}"))
    assert set(datasets.__all__) <= set(dir(datasets))


@pytest.mark.parametrize("name", [name for name in datasets.NAMES if paths_of(name)])
def test_a_file_that_cannot_be_had_is_named(name, tmp_path, monkeypatch):
    def unreachable(*_, **__):
        raise OSError("the network is unreachable")

    monkeypatch.setattr(sources.urllib.request, "urlopen", unreachable)
    monkeypatch.setattr(sources.importlib.util, "find_spec", lambda package: None)
    monkeypatch.setenv("HETSEL_CACHE", str(tmp_path))
    with pytest.raises(
        TableError, match=f"{paths_of(name)[0]} is not available.*HETSEL_DATA.*sha256"
    ):
        datasets.load(name)


def test_uci_files_have_the_archive_s_address():
    base = "https://archive.ics.uci.edu/ml/machine-learning-databases"
    known = {
        "arrhythmia": "arrhythmia/arrhythmia.data",
        "bands": "cylinder-bands/bands.data",
        "hepatitis": "hepatitis/hepatitis.data",
        "ionosphere": "ionosphere/ionosphere.data",
    }
    for name, path in known.items():
        assert [original.url for original in SOURCES[name].originals] == [f"{base}/{path}"]


def test_copies_on_github_have_an_address_that_names_their_commit():
    names = ("heart-failure", "lymphoma", "lymphoma-discrete", "musk", "pima", "spambase", "usps")
    copies = [original for name in names for original in SOURCES[name].originals]
    assert len(copies) == 8
    for copy in copies:
        owner_and_name, commit = r"[\w-]+/[\w-]+", r"[0-9a-f]{40}"
        address = rf"https://raw\.githubusercontent\.com/{owner_and_name}/{commit}/[\w./-]+"
        assert re.fullmatch(address, copy.url)


def test_the_classes_of_gse7390_are_those_of_five_years(get):
    """By scikit-survival's own loader: what is early, what is late, what is not known."""
    from sksurv.datasets import load_breast_cancer

    X, outcome = load_breast_cancer()
    early = outcome["e.tdm"] & (outcome["t.tdm"] <= 5 * 365.25)
    kept = early | (outcome["t.tdm"] > 5 * 365.25)
    data = get("gse7390")
    assert data.y.tolist() == early[kept].astype(int).tolist()
    theirs = X[kept].reset_index(drop=True)
    assert set(theirs.columns) == set(data.X.columns)
    for name in data.X.columns:
        if name == "grade":
            assert data.X[name].astype(object).fillna("unkown").tolist() == theirs[name].tolist()
        else:
            assert data.X[name].tolist() == theirs[name].tolist()


def test_the_times_of_gse7390_are_those_of_scikit_survival(get):
    from sksurv.datasets import load_breast_cancer

    theirs, outcome = load_breast_cancer()
    data = get("gse7390-survival")
    assert data.y["time"].tolist() == outcome["t.tdm"].tolist()
    assert data.y["event"].tolist() == outcome["e.tdm"].tolist()
    assert data.X["age"].tolist() == theirs["age"].tolist()


@pytest.mark.originals
def test_the_times_of_van_t_veer_end_where_its_classes_part(get):
    data, classes = get("van-t-veer-survival"), get("van-t-veer")
    pd.testing.assert_frame_equal(data.X, classes.X)
    assert data.y["event"].tolist() == (classes.y == 1).tolist()
    assert ((data.y["time"] < 5) == data.y["event"]).all()
    times = pd.read_csv(original("vant_veer/veer_clinical.csv")).set_index("sample")
    rows = [int(row[0]) for row in rows_of("vant_veer/veer_expression_4948.csv.gz")[1:]]
    wanted = times.loc[[row for row in rows if row != 54], "followup_years"]
    assert data.y["time"].tolist() == wanted.tolist()


@pytest.mark.originals
def test_heart_failure_cell_by_cell(get):
    data = get("heart-failure")
    wanted = pd.read_csv(original(paths_of("heart-failure")[0]))
    assert data.y["time"].tolist() == wanted.pop("time").tolist()
    assert data.y["event"].tolist() == (wanted.pop("DEATH_EVENT") == 1).tolist()
    assert list(data.X) == list(wanted)
    for name, column in data.X.items():
        np.testing.assert_array_equal(column.astype(float), wanted[name])
