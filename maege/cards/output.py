"""A card on a terminal of 80 columns, or in Markdown."""

import re

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as TerminalTable
from rich.text import Text

from maege.cards.parts import Change, Differences, Lines, Part
from maege.page_texts import without_folders
from maege.tables import markdown_text as escaped
from maege.tables import table_lines
from maege.terminal import Terminal

WIDTH = 80
STYLES = {"same": "", "deleted": "red strike", "inserted": "green bold"}
# The marks of wdiff, which also work without colours.
TERMINAL_MARKS = {"same": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
MARKDOWN_MARKS = {"same": "{}", "deleted": "~~{}~~", "inserted": "**{}**"}
# The beginning of a line that Markdown would read as a list item.
_LIST = re.compile(r"^[-+]")


def show(parts: list[Part], console: Console | None = None) -> None:
    """Print the page, by default on the terminal."""
    if console is None:
        console = Terminal()
        console.width = min(console.width, WIDTH)
    with console.capture() as capture:
        for number, part in enumerate(parts):
            if number:
                console.print()
            console.print(Text(part.title, style="bold"))
            console.print(Padding(_for_terminal(part), (0, 0, 0, 2), expand=False))
    # Left-aligned cells are padded on the right.
    console.file.writelines(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def _for_terminal(part: Part) -> RenderableType:
    if isinstance(part, Lines):
        return Text("\n".join(part.lines))
    if isinstance(part, Differences):
        texts: list[RenderableType] = []
        for caption, changes in zip(part.captions, part.texts, strict=True):
            texts += [Text(caption), Padding(_marked(changes), (0, 0, 0, 3), expand=False)]
        return Group(*texts, Text(part.note, style="dim"))
    table = TerminalTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in part.columns:
        table.add_column(
            name.strip(),
            justify="right" if name.startswith(" ") else "left",
            no_wrap=name.startswith(" "),
        )
    for row in part.rows:
        table.add_row(*map(Text, row))
    return Group(table, Text(part.note, style="dim"))


def _marked(changes: list[Change]) -> Text:
    text = Text()
    for kind, words in changes:
        text.append(TERMINAL_MARKS[kind].format(words), STYLES[kind]).append(" ")
    return text


def markdown(parts: list[Part]) -> str:
    """Return the page for a paper's appendix or a README."""
    blocks = (f"## {_escaped(part.title)}\n\n{_in_markdown(part)}" for part in parts)
    return "\n\n".join(blocks).removeprefix("#") + "\n"


def _in_markdown(part: Part) -> str:
    if isinstance(part, Lines):
        return "\n\n".join(_escaped(without_folders(line)) for line in part.lines)
    if isinstance(part, Differences):
        pairs = zip(part.captions, part.texts, strict=True)
        shown = (f"{caption}  \n   {_marked_in_markdown(changes)}" for caption, changes in pairs)
        return "\n".join(shown) + f"\n\n{_escaped(part.note)}"
    rows = [tuple(map(_escaped, row)) for row in part.rows]
    lines = table_lines(part.columns, rows, part.are_numbers)
    return "\n".join([*lines, "", _escaped(part.note)])


def _marked_in_markdown(changes: list[Change]) -> str:
    return " ".join(MARKDOWN_MARKS[kind].format(_escaped(words)) for kind, words in changes)


def _escaped(text: str) -> str:
    return _LIST.sub(r"\\\g<0>", escaped(text))
