"""Configure Sphinx for the sources that build.py writes."""

import sys
from pathlib import Path

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
