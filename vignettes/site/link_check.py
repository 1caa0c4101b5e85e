"""Check that the links and pictures of a site exist and that it loads nothing from elsewhere.

python vignettes/site/link_check.py .build/site
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("source", "src"), ("iframe", "src")}


class Page(HTMLParser):
    """Collect the identifiers of a page and its links: tag, attribute, address."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[tuple[str, str, str]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the identifiers and links of a tag."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.links.append((tag, name, value))


def broken(site: Path) -> Iterator[str]:
    """Yield each broken link as a sentence, by page.

    Parameters
    ----------
    site : Path
        Folder of the built pages.
    """
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        for tag, attribute, address in page.links:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if (tag, attribute) in LOADED and parts.scheme != "data":
                    yield f"{name}: {tag} loads {address} from elsewhere"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{name}: {address} leads to no file"
            elif parts.fragment and target in pages:
                place = unquote(parts.fragment)
                if place not in pages[target].places and place != "top":
                    yield f"{name}: {address} leads to no place of {target.name}"


def main() -> None:
    """Print broken links; the exit code is 1 if there are any."""
    site = Path(sys.argv[1])
    found = list(broken(site))
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(list(site.rglob('*.html')))} pages, {len(found)} broken links")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
