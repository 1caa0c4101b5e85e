"""Convert the manual pages of the R package to pages of the site."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from kept_steps import HERE, ROOT, digest, kept, run

MAN = ROOT / "r_bridge/hetsel/man"
RECIPE = HERE / "manual_pages.R"


def manual_step() -> tuple[str, str, Callable[[Path], None]]:
    """Return the step that converts the manual pages to HTML: name, key and function."""

    def make(folder: Path) -> None:
        run(["Rscript", RECIPE, MAN], folder)

    return "manual", digest([RECIPE, *MAN.glob("*.Rd")]), make


def manual() -> Iterator[tuple[str, str]]:
    """Yield each manual page: name below the sources of the site, Markdown."""
    folder = kept(*manual_step())
    for path in sorted(folder.glob("*.html")):
        yield f"r/{path.stem}.md", manual_page(path.read_text(encoding="utf-8"), path.stem)


def manual_page(text: str, name: str) -> str:
    """Convert the HTML of a manual page to Markdown with the name as title.

    Examples
    --------
    >>> print(manual_page("<h2>Draw</h2><h3>Usage</h3><pre>a &lt; b</pre><hr />", "f"))
    # f
    <BLANKLINE>
    **Draw**
    <BLANKLINE>
    ## Usage
    <BLANKLINE>
    ```r
    a < b
    ```
    """
    body = re.split(r"<hr\b|</div>\s*</body>", text)[0]  # the page after its frame
    title = re.search(r"<h2>(.*?)</h2>", body, re.DOTALL)
    assert title is not None, name
    lines = [f"# {name}", f"**{plain(title[1])}**"]
    for section in body.split("<h3>")[1:]:
        heading, content = section.split("</h3>", 1)
        lines += [f"## {plain(heading)}"] if heading != "Description" else []
        lines += parts(content)
    return "\n\n".join(lines)


def parts(content: str) -> Iterator[str]:
    """Yield code as fenced blocks, so that it is colored, and everything else unchanged."""
    for number, part in enumerate(re.split(r"<pre>(.*?)</pre>", content, flags=re.DOTALL)):
        if number % 2:
            yield f"```r\n{plain(part).strip(chr(10))}\n```"
        elif part.strip():
            known = re.sub(r'<a href="\.\./[^"]*">(.*?)</a>', r"\1", part, flags=re.DOTALL)
            known = re.sub(r"\n\s*\n", "\n", known.replace("<table>", '<table class="manual">'))
            yield f"```{{raw}} html\n{known.strip()}\n```"


def plain(markup: str) -> str:
    """Remove the markup of a text.

    Examples
    --------
    >>> plain("<code>a &lt; b</code>")
    'a < b'
    """
    return html.unescape(re.sub(r"<[^>]+>", "", markup))
