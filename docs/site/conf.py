"""How Sphinx makes the site of what build.py lays out; nothing in it asks another host."""

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
# Names of headings as GitHub makes them, which links of the pages use.
myst_heading_anchors = 4
myst_enable_extensions: list[str] = []
suppress_warnings = ["myst.header"]
autodoc_typehints = "description"
# Types of other libraries have their pages elsewhere.
nitpick_ignore_regex = [(r"py:.*", r".*")]
# Plain blocks are answers of programs.
highlight_language = "none"
