"""Which library computes which test: the page says it as the code has it."""

import importlib
import re
from pathlib import Path

import pytest

import hetsel

ROOT = Path(hetsel.__file__).parent
PAGE = ROOT.parent / "vignettes" / "site" / "methods.md"
NAMES = re.compile(r"^\| [^|`]+ \| `([\w.]+)` \| `((?:scipy|statsmodels)[\w.]+)` \|", re.M)
ROWS = NAMES.findall(PAGE.read_text(encoding="utf-8"))


def test_the_page_has_the_tests_of_both_libraries():
    assert {library.split(".")[0] for _, library in ROWS} == {"scipy", "statsmodels"}
    assert len(ROWS) >= 10


@pytest.mark.parametrize(("own", "library"), ROWS)
def test_the_file_of_a_test_calls_the_function_of_the_library(own, library):
    module, name = library.rsplit(".", 1)
    assert hasattr(importlib.import_module(module), name)
    defined = re.compile(rf"^(?:def|class) {own.split('.')[0]}\b", re.M)
    rooms = ("statistics", "judging", "selection")
    texts = [path.read_text("utf-8") for room in rooms for path in (ROOT / room).rglob("*.py")]
    homes = [text for text in texts if defined.search(text)]
    assert len(homes) == 1
    assert f"def {own.split('.')[-1]}(" in homes[0]
    assert re.search(rf"\b{name}(?:\.\w+)?\(", homes[0])
