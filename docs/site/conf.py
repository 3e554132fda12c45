"""Configuration of Sphinx for the pages that build.py prepares; the site contacts no other host."""

from importlib import metadata

project = "MAEGE"
author = "MAEGE's authors"
release = metadata.version("maege")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
html_theme = "furo"
html_title = f"MAEGE {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sourcelink = False
html_copy_source = False
html_last_updated_fmt = ""
# Anchors of headings as on GitHub, because links in the pages use them.
myst_heading_anchors = 4
myst_enable_extensions: list[str] = []
suppress_warnings = ["myst.header"]
autodoc_typehints = "description"
# Types of other libraries are documented elsewhere.
nitpick_ignore_regex = [(r"py:.*", r".*")]
# Code blocks without a language are outputs of programs.
highlight_language = "none"
