"""Pages of the repository that are pages of the site, too: README, contributing, the map."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from kept_steps import ROOT

PAGES = {
    "README.md": "generated/readme.md",
    ".github/CONTRIBUTING.md": "contributing.md",
    "hetsel/README.md": "map.md",
    "CHANGELOG.md": "changes.md",
}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def repository_pages() -> Iterator[tuple[str, str]]:
    """Names below the sources of the site, and Markdown."""
    for source, page in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        yield page, relinked(text, posixpath.dirname(source))


def relinked(text: str, folder: str) -> str:
    """The text of a page with its links to files of the repository as links to pages of the site.

    A link to a file that is no page becomes its text.

    Examples
    --------
    >>> relinked("[a](vignettes/site/rank.md#b) [c](vignettes/scale.md) [d](LICENSE)", "")
    '[a](rank.md#b) [c](documents/scale.md) d'
    >>> relinked("[Map](../hetsel/README.md)", ".github")
    '[Map](map.md)'
    """

    def link(match: re.Match[str]) -> str:
        picture, words, address = match.groups()
        path, mark, anchor = address.partition("#")
        if "://" in address or not path:
            return match[0]
        place = page_of(posixpath.normpath(posixpath.join(folder, path)))
        return f"{picture}[{words}]({place}{mark}{anchor})" if place else words

    return LINK.sub(link, text)


def page_of(path: str) -> str:
    """Where the site has a file of the repository; empty if it has not.

    Examples
    --------
    >>> page_of("vignettes/start-in-r.Rmd"), page_of("CHANGELOG.md"), page_of("Makefile")
    ('documents/start-in-r.md', 'changes.md', '')
    """
    if path in PAGES:
        return PAGES[path].replace("generated/readme.md", "index.md")
    if path.startswith("vignettes/site/"):
        return path.removeprefix("vignettes/site/")
    if re.fullmatch(r"vignettes/[\w-]+\.(md|Rmd)", path):
        return re.sub(r"^vignettes/(.*)\.\w+$", r"documents/\1.md", path)
    return ""
