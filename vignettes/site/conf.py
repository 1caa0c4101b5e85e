"""Configure Sphinx for the sources that build.py writes."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from hetsel import __version__

project, author = "hetsel", "hetsel authors"
release = __version__
extensions = [
    *("myst_parser", "sphinx_design", "sphinx.ext.autodoc", "sphinx.ext.napoleon"),
    *("docstring_text", "mathml"),
]
exclude_patterns = ["generated", "examples"]
source_suffix = {".md": "markdown"}

myst_enable_extensions = ["colon_fence", "dollarmath", "attrs_inline"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]  # a knitted document may start at any heading level

autodoc_typehints = "none"  # docstrings state types in words
autodoc_member_order = "bysource"
smartquotes = False  # docstrings quote values: "balanced"
default_role = "code"
# several names of one line stay together, and types are words: none of them is a link
napoleon_use_param = napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]
python_maximum_signature_line_length = 90
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "hetsel"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_theme_options = {"top_of_page_buttons": []}

# what axe finds missing in the pages of the theme
ACCESSIBLE = {
    ' role="heading">': ' role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="pages">',
    '<aside class="toc-drawer': '<aside aria-label="on this page" class="toc-drawer',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    "<pre>": '<pre tabindex="0">',
    '<div id="search-results">': '<h1>Search</h1><div id="search-results">',
}


def make_accessible(app: Any, failed: Exception | None) -> None:
    """Name the landmarks, and let the keyboard reach what scrolls."""
    for page in () if failed else Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for there, better in ACCESSIBLE.items():
            text = text.replace(there, better)
        page.write_text(text, encoding="utf-8")


def setup(app: Any) -> None:
    """Connect what is done with the written pages."""
    app.connect("build-finished", make_accessible)
