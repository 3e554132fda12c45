"""The parts of a page for every output format, and the text templates that write them.

In a template, `# ` begins a part, `| ` a row of a table (the first one has the columns), and `> `
the caption of a pair of texts. Other lines are sentences, which end at an empty line; in a part
with a table or pairs, they are its note.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import Any, Literal

import jinja2

from maege.names import in_a_sentence
from maege.numbers import (
    estimate,
    format_change,
    format_number,
    format_share,
    format_signed,
    interval,
    p_equals,
)

Change = tuple[Literal["same", "deleted", "inserted"], str]


@dataclass(frozen=True)
class Table:
    """A table. A column whose name starts with a space has numbers and is right-aligned."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""

    @property
    def are_numbers(self) -> list[bool]:
        """Whether each column has numbers."""
        return [name.startswith(" ") for name in self.columns]


@dataclass(frozen=True)
class Lines:
    """A title with sentences below it."""

    title: str
    lines: list[str]


@dataclass(frozen=True)
class Differences:
    """Differences of pairs of texts, with deleted and inserted words and a caption for each."""

    title: str
    captions: list[str]
    texts: list[list[Change]]
    note: str


Part = Table | Lines | Differences


def read_parts(template: str, changes: Sequence[list[Change]] = (), **values: Any) -> list[Part]:  # noqa: ANN401
    """Return the parts that a template writes; `changes` are the pairs of texts."""
    text = render_text(template, **values)
    return [_part(part, [*changes]) for part in text.strip().removeprefix("# ").split("\n# ")]


def read_sentences(template: str, **values: Any) -> list[str]:  # noqa: ANN401 - of the template
    """Return the sentences that a template writes, with an empty line between them."""
    return _sentences(render_text(template, **values))


def render_text(template: str, **values: Any) -> str:  # noqa: ANN401 - of the template
    """Return the text of a template, which is named by its path in the package."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(  # noqa: S701 - text, which each output format escapes
        line_statement_prefix="%",
        line_comment_prefix="%#",
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(
            lambda name: (resources.files("maege") / name).read_text(encoding="utf-8")
        ),
    )
    environment.filters |= {
        "number": format_number,
        "count": "{:,}".format,
        "share": format_share,
        "change": format_change,
        "signed": format_signed,
        "listed": in_a_sentence,
        "p_equals": p_equals,
        "estimate": lambda row, value: estimate(row | {"value": value}),
        "change_interval": partial(interval, shown=format_change),
        "share_interval": partial(interval, shown=partial(format_share, decimals=1)),
    }
    return environment


def _part(text: str, changes: list[list[Change]]) -> Part:
    title, _, body = text.partition("\n")
    rows = [tuple(line[2:-2].split(" | ")) for line in re.findall(r"^\| .* \|$", body, re.M)]
    captions = re.findall(r"^> (.*)$", body, re.M)
    sentences = _sentences(re.sub(r"^[|>] .*$", "", body, flags=re.M))
    if captions:
        return Differences(title, captions, changes, " ".join(sentences))
    if rows:
        return Table(title, rows[0], rows[1:], " ".join(sentences))
    return Lines(title, sentences)


def _sentences(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]
