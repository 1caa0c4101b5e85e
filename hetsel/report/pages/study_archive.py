"""One file with all of a study: plan, results, tables, report and figures; and its check."""

import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hetsel import __version__
from hetsel.evaluation.by_key import code_of_modules
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.ground import PlanError, StoreError, TableError, listed, write_files
from hetsel.report.formats.document_files import document_files
from hetsel.report.pages.exported_tables import export_tables
from hetsel.report.pages.study_page import study_document, write_figures
from hetsel.study.comparison.failed_cells import Fallback
from hetsel.study.comparison.summary_of_kinds import COMPARED
from hetsel.study.plan.stored_plan import files_of, plan_text, tables_of_python
from hetsel.study.results import Results
from hetsel.study.run import Study
from hetsel.study.store import sqlite_store, stored_cells

PLAN, STORE, REPORT, MANIFEST, READ = (
    "plan.toml",
    "study.sqlite",
    "report.html",
    "manifest.json",
    "README.txt",
)
DATE = (1980, 1, 1, 0, 0, 0)  # of each file, so that the same study gives the same archive
NOT_OF_STORE = "comparison_effect_curves"  # final models need the tables of the study
SAME = 1e-9  # relative difference of numbers that are computed again on another machine


def archive_study(
    results: Results,
    file: str | Path,
    *,
    with_tables: bool = False,
    score: str | None = None,
    classifier: str | None = None,
    reference: str | None = None,
    fallback: Fallback | None = None,
) -> Path:
    """Write a zip archive of a study, which :func:`verify_archive` checks on any machine.

    The archive has the plan (plan.toml), the store (study.sqlite), all exported tables as CSV
    files, the report, its figures as PDF files, the versions of the software, the modules of your
    own methods and judges, and a README with the command that repeats the study. A manifest has the
    SHA-256 of each file and the digest of the results. The same store gives the same archive.

    Parameters
    ----------
    results : hetsel.Results
        Results of a study with at least one finished cell.
    file : str or Path
        Archive to write, a .zip file.
    with_tables : bool
        Whether to include the files with the tables of the study. Data sets that hetsel loads by
        name are not included. Default: False, since not every table may be passed on.
    score : str, optional
        Score of report and tables, as in :func:`hetsel.compare_methods`.
    classifier : str, optional
        Judge of report and tables, as in :func:`hetsel.compare_methods`.
    reference : str, optional
        Reference method of report and tables, as in :func:`hetsel.compare_methods`.

    Returns
    -------
    Path
        The written file.

    Raises
    ------
    TableError
        If no cell of the study is finished, if the file is no .zip file, or if a table is requested
        but cannot be found or is not the one of the study.
    StoreError
        If a run is using the store, or if the store is damaged.

    See Also
    --------
    hetsel.write_study_report : Write only the report.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from hetsel import Study, archive_study, verify_archive
    >>> study = Study(datasets=["heart"], methods=["hsic", "cmim"], resamplings=2, sizes=[1, 2])
    >>> with TemporaryDirectory() as folder:
    ...     results = study.run(f"{folder}/study.sqlite", n_jobs=0, progress=False)
    ...     path = archive_study(results, f"{folder}/paper.zip")
    ...     [check.passed for check in verify_archive(path)]
    [True, True, True, True, True]
    """
    if Path(file).suffix.lower() != ".zip":
        raise TableError(f"file must be a .zip file. Got {str(file)!r}")
    with sqlite_store.Store(results.path) as store:
        store.refuse_writer()
    contents: dict[str, bytes] = {
        PLAN: plan_text(results.plan, results.asked_judges).encode(),
        STORE: results.path.read_bytes(),
        "versions.json": _json(results.versions()),
    }
    compared: Any = dict(zip(COMPARED, (score, classifier, reference, fallback), strict=True))
    with tempfile.TemporaryDirectory() as folder:
        document = study_document(results, **compared)
        write_files(document_files(document, Path(folder) / REPORT))
        write_figures(document, Path(folder) / "figures", ".pdf")
        export_tables(results, Path(folder) / "tables", **compared)
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                contents[path.relative_to(folder).as_posix()] = path.read_bytes()
    data = (_tables_of(results) if with_tables else {}) | _code_of(results)
    if taken := sorted(data.keys() & contents.keys()):
        raise TableError(f"the file {taken[0]} has the name of a file of the archive. Rename it")
    contents |= data
    contents[READ] = _readme(results, data).encode()
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    about = {"hetsel": __version__, "digest": results.digest(), **compared, "files": sums}
    contents[MANIFEST] = _json(about)
    return write_files({file: _zipped(contents)})[0]


def _json(content: Any) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def _zipped(contents: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            info = zipfile.ZipInfo(name, DATE)
            info.external_attr, info.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, contents[name])
    return buffer.getvalue()


def _code_of(results: Results) -> dict[str, bytes]:
    """Return the modules of external methods and judges by their names, if they can be imported.

    Packages are not among them, as they can be installed.
    """
    plan, found = results.plan, dict[str, bytes]()
    if not any("code" in entry for entry in (*plan["methods"], *plan["classifiers"])):
        return found
    try:
        study = (results.study or Study.load(results.path)).imported()
    except PlanError:
        return found
    for spec in (*study.methods, *study.classifiers):
        for owner in spec.code.facts:
            path = code_of_modules.file_of(owner.name) if owner.kind == "module" else None
            if path is not None:
                place = owner.name.replace(".", "/")
                place += "/__init__.py" if path.stem == "__init__" else path.suffix
                found[place] = path.read_bytes()
    return found


def _tables_of(results: Results) -> dict[str, bytes]:
    """Return the files with tables by their names; each must be the table of the study."""
    study = results.study
    if study is None and files_of(results.plan):
        study = Study.load(results.path)
    found = {}
    for spec in study.datasets if study is not None else ():
        if spec.file is None:
            continue
        known = results.datasets[spec.name]["fingerprint"]
        if prepare(spec).fingerprint != known:
            raise TableError(
                f"the file {spec.file} of data set {spec.name!r} is not the table of the study. "
                "Use the file of the study, or write the archive without tables"
            )
        found[Path(spec.file).name] = Path(spec.file).read_bytes()
    return found


def _readme(results: Results, data: Mapping[str, bytes]) -> str:
    """Say what the archive holds and how to repeat the study."""
    lacking = [name for name in files_of(results.plan) if name not in data]
    lines = [
        f"Study {results.plan['name']!r}, compared with hetsel {__version__}.",
        f"Digest of the results: {results.digest()}",
        "",
        "report.html   findings, figures and tables",
        "figures       the figures of the report as PDF files",
        "tables        all numbers of the report, and scores and rankings, as CSV files",
        "plan.toml     data sets, methods, resamplings and judges",
        "study.sqlite  all results; `hetsel study report study.sqlite --out report.html`",
        "versions.json software that computed the results",
        "manifest.json SHA-256 of each file",
        "",
        "Check the archive: hetsel study verify ARCHIVE.zip",
        "Repeat the study:  hetsel study run plan.toml --store repeated.sqlite",
        "Compare both:      hetsel study verify ARCHIVE.zip --repeated repeated.sqlite",
    ]
    if code := [name for name in data if name.endswith(".py")]:
        lines += ["", f"The code of methods and judges: {', '.join(sorted(code))}"]
    if lacking:
        lines += ["", f"To repeat it, copy these tables beside plan.toml: {', '.join(lacking)}"]
    if unnamed := tables_of_python(results.plan):
        lines += ["", f"These tables were given in Python: {', '.join(unnamed)}"]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class ArchiveCheck:
    """A check of an archive."""

    what: str
    passed: bool
    found: str


def verify_archive(file: str | Path, *, repeated: str | Path | None = None) -> list[ArchiveCheck]:
    """Check an archive of a study.

    Parameters
    ----------
    file : str or Path
        Archive of :func:`archive_study`.
    repeated : str or Path, optional
        Store of a repetition, whose digest must be that of the archive.

    Returns
    -------
    list of ArchiveCheck
        Files (each has the SHA-256 of the manifest), store (no result is damaged), digest (of the
        results in the store), plan (the one of the store) and tables (computed again from the
        store; numbers may differ by rounding on another machine). With `repeated` also the digest
        of the repetition.

    Raises
    ------
    TableError
        If the file is not an archive of a study.

    See Also
    --------
    archive_study : Write an archive, with an example.
    """
    contents = _contents(file)
    try:
        about = json.loads(contents[MANIFEST])
        sums, digest = dict(about["files"]), str(about["digest"])
        compared: Any = {name: about[name] for name in COMPARED}
    except (KeyError, ValueError, TypeError):
        raise TableError(f"{file} is not an archive of a study: it has no {MANIFEST}") from None
    checks = [_files_checked(contents, sums)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / STORE
        write_files({path: contents.get(STORE, b"")})
        try:
            results = _sound_results(path)
        except StoreError as reason:
            return [*checks, ArchiveCheck("store", False, reason.sentence)]
        count = f"{results.status()['finished']} finished cells"
        checks.append(ArchiveCheck("store", True, f"{count}, none is damaged"))
        checks.append(_same_digest("digest", results.digest(), digest))
        same = contents.get(PLAN) == plan_text(results.plan, results.asked_judges).encode()
        said = "the plan of the store" if same else "differs from the plan of the store"
        checks.append(ArchiveCheck("plan", same, said))
        checks.append(_tables_checked(contents, results, Path(folder) / "tables", compared))
    if repeated is not None:
        checks.append(_same_digest("repetition", Results(repeated).digest(), digest))
    return checks


def _contents(file: str | Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(file) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except FileNotFoundError:
        raise TableError(f"no such file: {file}") from None
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as reason:
        raise TableError(f"{file} is not an archive of a study: {reason!s:.200}") from None


def _files_checked(contents: Mapping[str, bytes], sums: Mapping[str, str]) -> ArchiveCheck:
    wrong = [
        f"{name} is missing" if name not in contents else f"{name} has changed"
        for name, digest in sorted(sums.items())
        if hashlib.sha256(contents.get(name, b"")).hexdigest() != digest or name not in contents
    ]
    wrong += [f"{name} is not in the manifest" for name in contents.keys() - {*sums, MANIFEST}]
    said = listed(wrong) if wrong else f"{len(sums)} files as in the manifest"
    return ArchiveCheck("files", not wrong, said)


def _sound_results(path: Path) -> Results:
    """Return the results of a store after checking each of its rows."""
    with sqlite_store.Store(path) as store:
        for table in stored_cells.CONTENTS:
            for _ in store.kept(table, store.keys(table)):
                pass
    return Results(path)


def _same_digest(what: str, found: str, wanted: str) -> ArchiveCheck:
    same = found == wanted
    said = f"{found[:16]}" if same else f"{found[:16]} instead of {wanted[:16]}"
    return ArchiveCheck(what, same, said)


def _tables_checked(
    contents: Mapping[str, bytes], results: Results, folder: Path, compared: Mapping[str, Any]
) -> ArchiveCheck:
    """Compute the tables again from the store and compare them with those of the archive."""
    written = export_tables(results, folder, **compared)
    differ = []
    computed = [path for path in written if not path.name.startswith(NOT_OF_STORE)]
    for path in computed:
        kept = contents.get(f"tables/{path.name}")
        if kept is None or not _alike(kept, path.read_bytes()):
            differ.append(path.name)
    said = f"{listed(differ)} differ" if differ else f"{len(computed)} tables as computed again"
    return ArchiveCheck("tables", not differ, said)


def _alike(one: bytes, other: bytes) -> bool:
    """Return whether two CSV files are equal but for rounding of numbers."""
    if one == other:
        return True
    try:
        frames = [pd.read_csv(io.BytesIO(content)) for content in (one, other)]
    except (ValueError, pd.errors.ParserError):
        return False
    if list(frames[0]) != list(frames[1]) or len(frames[0]) != len(frames[1]):
        return False
    for name in frames[0]:
        here, there = (frame[name] for frame in frames)
        if here.dtype.kind in "iuf" and there.dtype.kind in "iuf":
            if not np.allclose(here, there, rtol=SAME, atol=SAME, equal_nan=True):
                return False
        elif not here.astype(str).equals(there.astype(str)):
            return False
    return True
