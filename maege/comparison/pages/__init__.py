"""A comparison as pages and tables for papers: HTML, LaTeX and Markdown."""
