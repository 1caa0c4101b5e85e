"""Read pages that are plain Markdown in the repository, and complete them for the site.

README, glossary, the map and the pages on questions can also be read in a clone. The site adds
the output of their examples, figures and generated tables. Links to files of the repository become
links to pages of the site.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from kept_steps import HERE, ROOT

PAGES = {
    "README.md": "generated/readme.md",
    ".github/CONTRIBUTING.md": "contributing.md",
    "hetsel/README.md": "map.md",
    "CHANGELOG.md": "changes.md",
    "vignettes/glossary.md": "glossary.md",
}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
EXAMPLE = re.compile(r"### (Python|R|Shell)\n\n```(python|r|bash)\n(.*?)```\n\n?", re.DOTALL)
SUFFIXES = {"python": ".py", "r": ".R", "bash": ".sh"}


def plain_pages() -> Iterator[tuple[str, str]]:
    """Yield the name of each page below the sources of the site, and its Markdown."""
    for source, page in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        yield page, relinked(text, posixpath.dirname(source))
    for path in HERE.glob("*.md"):
        text = relinked(path.read_text(encoding="utf-8"), "vignettes/site")
        yield path.name, with_additions(with_outputs(text, path.stem))


def page_examples() -> Iterator[tuple[str, str]]:
    """Yield the programs of the pages on questions: file name and code."""
    for path in sorted(HERE.glob("*.md")):
        for match in EXAMPLE.finditer(path.read_text(encoding="utf-8")):
            yield example_name(path.stem, match[2]), match[3]


def example_name(page: str, language: str) -> str:
    """Name the program of a page in a language.

    Examples
    --------
    >>> example_name("search-subsets", "r")
    'search_heart.R'
    """
    return f"{page.split('-')[0]}_heart{SUFFIXES[language]}"


def with_outputs(text: str, page: str) -> str:
    """Show the programs of a page as synchronized tabs, each with its output and figures."""
    found = list(EXAMPLE.finditer(text))
    if not found:
        return text
    tabs = [":::::{tab-set}\n:sync-group: language\n"]
    for match in found:
        name = example_name(page, match[2])
        picture = f"examples/{name}.figures/plot-1.png"
        tabs.append(
            f"::::{{tab-item}} {match[1]}\n:sync: {match[2]}\n\n```{match[2]}\n{match[3]}```\n"
        )
        tabs.append(f"Output:\n\n```{{literalinclude}} examples/{name}.txt\n:language: text\n```\n")
        if match[2] == "r" and "plot(" in match[3] and picture not in text:
            tabs.append(f"Figure:\n\n```{{image}} {picture}\n:alt: drawn by R\n```\n")
        tabs.append("::::\n")
    tabs.append(":::::\n\n")
    return text[: found[0].start()] + "\n".join(tabs) + text[found[-1].end() :]


def with_additions(text: str) -> str:
    """Insert the figures and tables that the comments of a page name.

    Examples
    --------
    >>> print(with_additions("<!-- figure: a.png\\nBars. -->"))
    ```{figure} a.png
    :alt: Bars.
    :width: 75%
    <BLANKLINE>
    Bars.
    ```
    """
    figure = re.compile(r"<!-- figure: (\S+)\n(.*?) -->", re.DOTALL)

    def drawn(match: re.Match[str]) -> str:
        caption = " ".join(match[2].split())
        return f"```{{figure}} {match[1]}\n:alt: {caption}\n:width: 75%\n\n{caption}\n```"

    return re.sub(r"<!-- include: (\S+) -->", r"```{include} \1\n```", figure.sub(drawn, text))


def relinked(text: str, folder: str) -> str:
    """Turn links to files of the repository into links to pages of the site.

    A link to a file without a page becomes plain text.

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
    """Find the page of a file of the repository; empty if there is none.

    Examples
    --------
    >>> page_of("vignettes/start-in-r.Rmd"), page_of("CHANGELOG.md"), page_of("Makefile")
    ('documents/start-in-r.md', 'changes.md', '')
    >>> page_of("r_bridge/hetsel/man/hetsel_rank.Rd")
    'r/hetsel_rank.md'
    """
    if path in PAGES:
        return PAGES[path].replace("generated/readme.md", "index.md")
    if path.startswith("vignettes/site/"):
        return path.removeprefix("vignettes/site/")
    if re.fullmatch(r"vignettes/[\w-]+\.(md|Rmd)", path):
        return re.sub(r"^vignettes/(.*)\.\w+$", r"documents/\1.md", path)
    if manual := re.fullmatch(r"r_bridge/hetsel/man/(.+)\.Rd", path):
        return f"r/{manual[1]}.md"
    return ""
