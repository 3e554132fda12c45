"""Code blocks, commands and links of README and docs/."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from maege.cli import app

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = (
    *sorted(REPOSITORY.glob("*.md")),
    *sorted((REPOSITORY / "docs").rglob("*.md")),
    # Names that `maege new` puts into a project.
    REPOSITORY / "maege" / "building" / "new" / "README.md",
)
# How a shell joins commands on one line, and redirects their output.
JOINS = {"&&", "||", ";", "|", "&", ">"}


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: the number of its first line, its language and its text."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(REPOSITORY)}:{self.line}"


@dataclass(frozen=True)
class Shown:
    place: str
    words: tuple[str, ...]


@cache
def tokens(page: Path) -> tuple[Token, ...]:
    return tuple(MarkdownIt("gfm-like", {"linkify": False}).parse(page.read_text()))


def blocks(language: str) -> list[Block]:
    return [
        Block(page, token.map[0] + 2, language, token.content)
        for page in PAGES
        for token in tokens(page)
        if token.type == "fence" and token.info == language and token.map is not None
    ]


def commands() -> list[Shown]:
    shown = [
        Shown(block.place, words)
        for block in blocks("console")
        for line in typed_lines(block.text)
        for words in calls(line)
    ]
    for name, command in all_commands():
        examples = (command.help or "").partition("Examples:")[2]
        lines = examples.replace("\\\n", " ").splitlines()
        shown += [Shown(f"maege {name} --help", words) for line in lines for words in calls(line)]
    return shown


def typed_lines(text: str) -> Iterator[str]:
    """Yield the typed lines of a console block: if it has prompts, without the output."""
    lines = text.replace("\\\n", " ")
    if "$ " in lines:
        yield from (each[2:] for each in lines.splitlines() if each.startswith("$ "))
    else:
        # A quoted text continues in the next line.
        yield from re.findall(r'(?:"[^"]*"|\'[^\']*\'|[^\n"\'])+', lines)


def calls(line: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each call of `maege` in a line of a shell, without operators."""
    words: list[str] = []
    for word in [*shlex.split(line, comments=True), ";"]:
        if word not in JOINS:
            words.append(word)
        else:
            if words and words[0].rpartition("/")[2] == "maege":
                yield tuple(words[1:])
            words = []


def all_commands() -> Iterator[tuple[str, TyperCommand]]:
    waiting: list[tuple[str, Any]] = [("", get_command(app))]
    while waiting:
        name, command = waiting.pop(0)
        if isinstance(command, TyperGroup):
            waiting += [(f"{name} {word}", each) for word, each in command.commands.items()]
        else:
            yield name.strip(), command


def links(page: Path) -> Iterator[str]:
    for token in tokens(page):
        for child in token.children or ():
            address = child.attrGet("href") or child.attrGet("src")
            if address is not None:
                yield str(address)


def anchors(page: Path) -> set[str]:
    """Return the names by which links reach the page's headings, as GitHub makes them."""
    names: set[str] = set()
    for heading, content in zip(tokens(page), tokens(page)[1:], strict=False):
        if heading.type == "heading_open":
            letters = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", content.content).lower())
            name, n = letters.strip().replace(" ", "-"), 0
            while (numbered := f"{name}-{n}" if n else name) in names:
                n += 1
            names.add(numbered)
    return names
