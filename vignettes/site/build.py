"""Build the site: pages with the output and figures of their examples, documents, references.

    python vignettes/site/build.py .build/site

Needs the extra `site`, R with knitr, and the R packages of the documents. Results are cached in
.build by the content of code, examples and documents: a second build runs only what has changed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from catalogue_pages import catalogue
from executed_examples import executed
from gallery_page import gallery
from kept_steps import BUILD, HERE, LIBRARY, ROOT, code_files, digest, kept_side_by_side, run, write
from knit_documents import knit, toctree
from manual_pages import manual, manual_step
from plain_pages import plain_pages

SOURCE, DOCTREES = BUILD / "site-source", BUILD / "site-doctrees"


def contents() -> Iterator[tuple[str, Path | str]]:
    """Yield all sources of the site: name below the source folder, and file or text."""
    settings = (HERE / name for name in ("conf.py", "docstring_text.py", "mathml.py"))
    for path in (*HERE.glob("*/*.md"), *HERE.glob("_static/*"), *settings):
        yield str(path.relative_to(HERE)), path
    yield from plain_pages()
    code = digest(code_files())
    install(code)
    yield from executed(code)
    yield "generated/gallery.md", gallery()
    yield from catalogue()
    yield from manual()
    yield from knit(code)
    yield "generated/documents.md", toctree()


def install(code: str) -> None:
    """Install the R package of this clone into the library of examples and documents."""
    LIBRARY.mkdir(parents=True, exist_ok=True)
    package = [path for path in (ROOT / "r_bridge/hetsel").rglob("*") if path.is_file()]

    def make(folder: Path) -> None:
        command: list[str | Path] = ["R", "CMD", "INSTALL", "--no-docs", "-l", LIBRARY]
        run([*command, ROOT / "r_bridge/hetsel"], folder)

    if not (LIBRARY / "hetsel").is_dir():
        shutil.rmtree(BUILD / "site-kept/package", ignore_errors=True)
    # the manual pages are made beside it; the examples need the package
    kept_side_by_side([("package", f"{code} {digest(package)}", make), manual_step()])


def assemble(site: Path) -> None:
    """Write the sources, and remove what only an earlier build had."""
    wanted = {
        write(SOURCE / name, what.read_bytes() if isinstance(what, Path) else what)
        for name, what in contents()
    }
    for path in SOURCE.rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()
            (site / path.relative_to(SOURCE)).with_suffix(".html").unlink(missing_ok=True)


def main() -> None:
    """Assemble, build with warnings as errors, and check the links."""
    site, started = Path(sys.argv[1]), time.monotonic()
    assemble(site)
    put_together = time.monotonic()
    # -a: every page lists all others beside it
    sphinx = [sys.executable, "-m", "sphinx", "-a", "-W", "--keep-going", "-q", "-d", DOCTREES]
    check = [sys.executable, HERE / "link_check.py", site]
    for command in ([*sphinx, SOURCE, site], check):
        if status := subprocess.run(command, cwd=ROOT).returncode:
            shutil.rmtree(DOCTREES, ignore_errors=True)  # else the next build keeps the warnings
            sys.exit(status)
    ended = time.monotonic()
    executing, pages = put_together - started, ended - put_together
    print(
        f"{site}/index.html: {executing:.0f} s for examples and documents, {pages:.0f} s for pages"
    )


if __name__ == "__main__":
    main()
