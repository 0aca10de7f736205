"""The site: guides and reference from these pages, the library from its docstrings. ``make docs`` builds it.

Nothing is fetched, and no kernel is needed: modules are imported with the extension mocked.
"""

import sys
from pathlib import Path

from mineproof.version import VERSION

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "mineproof"
version = release = VERSION
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc", "commands", "essays", "live", "rooms"]
exclude_patterns = ["_ext"]

myst_heading_anchors = 3  # links such as formats.md#json, as a repository browser has them
default_role = "py:obj"  # `name` in a docstring links where it can, and is plain where it cannot

autodoc_mock_imports = ["mineproof.engine._kernel"]
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_type_aliases = {"npt.ArrayLike": "numpy.typing.ArrayLike"}
add_module_names = False
python_display_short_literal_types = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"mineproof {VERSION}"
html_show_sourcelink = html_copy_source = False
html_show_copyright = False
html_static_path = ["_static", "../site/live.js"]
html_css_files = ["site.css"]
html_favicon = "../src/mineproof/web/static/icon.svg"
