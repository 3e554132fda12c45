"""Show control characters in a visible form, because a terminal would execute them.

Texts of corpora, names, titles and messages of user metrics can hold escape sequences that move
the cursor, hide text or set the title of the window, and marks that reverse the order of letters.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import TextIOWrapper
from typing import Any, TextIO, cast

# C0 without tab and line feed, DEL, C1, the separators of lines and paragraphs, and the embeddings,
# overrides and isolates of bidirectional text. Joiners and marks that languages need stay.
_CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_ON_A_LINE = str.maketrans({"\n": r"\n", "\t": r"\t"})


def code(character: str) -> str:
    r"""Return a character as JSON and Python write it: `\u001b`."""
    number = ord(character)
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def visible(text: str) -> str:
    r"""Return the text with control characters as `\u001b`; tabs and line feeds stay.

    JSON text stays JSON text of the same value.
    """
    return _CONTROL.sub(lambda match: code(match[0]), text)


def on_one_line(text: str) -> str:
    r"""Return a name or another text of one line with all control characters in a visible form.

    Tabs and line feeds become `\t` and `\n`.
    """
    return visible(text).translate(_ON_A_LINE)


class VisibleStream:
    """A text stream that writes control characters in a visible form."""

    # Click writes to the buffer below a stream in ASCII.
    encoding = "utf-8"

    def __init__(self, stream: TextIO) -> None:
        self.unfiltered = stream

    def write(self, text: str) -> int:
        """Write the text; return its length."""
        self.unfiltered.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write the lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what the stream has
        return getattr(self.unfiltered, name)


def unfiltered(stream: TextIO) -> TextIO:
    """Return the unfiltered stream for MAEGE's own control characters, such as colours."""
    return stream.unfiltered if isinstance(stream, VisibleStream) else stream


@contextmanager
def visible_output() -> Iterator[None]:
    """Write control characters to standard output and standard error in a visible form.

    Characters that the terminal does not have are written as numbers.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with (
        redirect_stdout(cast(TextIO, VisibleStream(unfiltered(sys.stdout)))),
        redirect_stderr(cast(TextIO, VisibleStream(unfiltered(sys.stderr)))),
    ):
        yield
