"""Jinja templates of the report: sentences in `page/sections.yml`, and files of HTML."""

from functools import cache
from html import escape
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup

from maege.names import in_a_sentence
from maege.numbers import format_number
from maege.page_texts import without_folders

TAGS = {"same": "{}", "deleted": "<del>{}</del>", "inserted": "<ins>{}</ins>"}


def page_file(name: str) -> str:
    """Return the text of a file in `page/`."""
    return (resources.files("maege.report") / "page" / name).read_text(encoding="utf-8")


def marked_changes(changes: list[tuple[Any, str]]) -> str:
    """Return unchanged, deleted and inserted words as HTML."""
    texts = (TAGS[kind].format(escape(words)) for kind, words in changes)
    return Markup(" ".join(texts))  # noqa: S704 - escaped above


@cache
def _environment(*, is_html: bool) -> jinja2.Environment:
    environment = jinja2.Environment(
        autoescape=is_html,  # noqa: S701 - the page escapes sentences
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(page_file),
    )
    environment.filters |= {
        "number": format_number,
        "listed": in_a_sentence,
        "marked": marked_changes,
        "without_folders": without_folders,
    }
    return environment


@cache
def _sentence(template: str) -> jinja2.Template:
    return _environment(is_html=False).from_string(template)


def sentence(template: str, **values: Any) -> str:  # noqa: ANN401 - values of the template
    """Return the text of a template, with single spaces."""
    return " ".join(_sentence(template).render(values).split()) if "{" in template else template


def html(name: str, **values: Any) -> str:  # noqa: ANN401 - values of the template
    """Return the HTML of a template in `page/`."""
    return _environment(is_html=True).get_template(name).render(values)
