"""The papers that a methods section cites, from `references.bib`, by author and year."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

FILE = Path(__file__).with_name("references.bib")
_ENTRY = re.compile(r"^@(\w+)\{([^,]+),\n(.*?)^\}", re.M | re.S)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.M)
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
# papers that the catalog of methods names by a word
_BY_WORD = {"slides": ("brown2012",), "none": ()}


@dataclass(frozen=True)
class Paper:
    """A paper, a book or a program."""

    key: str  # surname of the first author and year: paul2015
    bibtex: str  # its entry
    fields: dict[str, str]

    def cited(self) -> str:
        """Write authors and year, as a sentence cites them.

        Examples
        --------
        >>> papers()["zou2008"].cited(), papers()["paul2015"].cited(), papers()["kish1965"].cited()
        ('Zou and Donner 2008', 'Paul et al. 2015', 'Kish 1965')
        """
        names = [author.partition(",")[0] for author in self._authors()]
        authors = names[0] if len(names) == 1 else " and ".join(names)
        if len(names) > 2:
            authors = f"{names[0]} et al."
        return f"{authors} {self.fields.get('year', '')}".strip()

    def described(self) -> str:
        """Write the entry of a list of references.

        Examples
        --------
        >>> papers()["kish1965"].described()
        'Kish L (1965). Survey Sampling. Wiley.'
        >>> papers()["ross2014"].described()[-66:]
        'PLoS ONE 9(2):e87357. https://doi.org/10.1371/journal.pone.0087357'
        """
        one = self.fields
        names = [_initials(author) for author in self._authors()]
        authors = ", ".join(names).replace(", others", ", et al.")
        where = next((one[name] for name in _PLACES if name in one), "")
        volume = one.get("volume", "") + (f"({one['number']})" if "number" in one else "")
        pages = one.get("pages", "").replace("--", "–")
        numbers = ":".join(part for part in (volume.replace("--", "–"), pages) if part)
        place = (
            f"{where} {numbers}".strip()
            if "journal" in one
            else ", ".join(part for part in (where, pages) if part)
        )
        title = one["title"].strip("{}")
        year = f" ({one['year']})" if "year" in one else ""
        end = "" if title.endswith(("?", "!")) else "."
        return f"{authors}{year}. {title}{end} {place}. {self.link()}".strip()

    def link(self) -> str:
        """Return the link of its DOI; empty if none is known."""
        doi = self.fields.get("doi", "")
        return f"https://doi.org/{quote(doi, safe='/:;()')}" if doi else ""

    def _authors(self) -> list[str]:
        return self.fields["author"].strip("{}").split(" and ")


_PLACES = ("journal", "booktitle", "publisher", "school", "note")


def _initials(author: str) -> str:
    """Write a surname with initials.

    Examples
    --------
    >>> _initials("Van de Peer, Yves"), _initials("Zhao, Ming-Jie"), _initials("others")
    ('Van de Peer Y', 'Zhao MJ', 'others')
    """
    surname, _, given = author.partition(", ")
    initials = "".join(part[0] for part in re.split(r"[ -]", given) if part)
    return f"{surname} {initials}".strip()


@cache
def papers() -> dict[str, Paper]:
    """Read all papers, by their keys."""
    text = FILE.read_text(encoding="utf-8")
    return {
        found[2]: Paper(found[2], found[0], dict(_FIELD.findall(found[3])))
        for found in _ENTRY.finditer(text)
    }


def program(version: str) -> Paper:
    """Return hetsel itself as a reference."""
    fields = {
        "author": "{hetsel authors}",
        "title": "{hetsel: feature selection for tables that mix continuous and categorical "
        "columns}",
        "note": f"Version {version}",
    }
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return Paper("hetsel", f"@misc{{hetsel,\n{lines}\n}}", fields)


def papers_named(words: str) -> tuple[str, ...]:
    """Find the keys of the papers that `About.paper` names; unknown ones are left out.

    Examples
    --------
    >>> papers_named("Tibshirani 1996, 1997; Yuan and Lin 2006")
    ('tibshirani1996', 'tibshirani1997', 'yuan2006')
    >>> papers_named("paul2015, section 6; Robnik-Sikonja and Kononenko 2003")
    ('paul2015', 'robniksikonja2003')
    >>> papers_named("a talk")
    ()
    """
    if words in _BY_WORD:
        return _BY_WORD[words]
    found: list[str] = []
    for part in words.split(";"):
        name = re.match(r"\s*([^\W\d]+(?:-[^\W\d]+)?)", part)
        years = re.findall(r"(?:1[89]|20)\d\d", part)
        if name:
            plain = unicodedata.normalize("NFKD", name[1]).encode("ascii", "ignore").decode()
            found += [plain.lower().replace("-", "") + year for year in years]
    return tuple(key for key in dict.fromkeys(found) if key in papers())


def cited(*keys: str) -> str:
    """Write citations in parentheses: (Kish 1965; Wilson 1927)."""
    return f"({'; '.join(papers()[key].cited() for key in keys)})" if keys else ""


def references(keys: Iterable[str], version: str) -> list[Paper]:
    """List the papers of these keys by author and year, hetsel itself last."""
    known = {key: papers()[key] for key in keys}
    return [*(known[key] for key in sorted(known)), program(version)]
