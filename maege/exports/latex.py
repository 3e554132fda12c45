"""LaTeX tables with booktabs."""

import re
from collections.abc import Iterable, Sequence

from maege.page_texts import with_minus
from maege.visible import visible

MINUS = "$-$"
_WRITTEN = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "−": MINUS, "\n": " ",
})  # fmt: skip
# LaTeX joins two of these characters to a dash, a quotation mark or an inverted mark.
_LIGATURE = re.compile(r"([-`',])(?=\1)|[?!](?=`)")
# At the start of a line, \\ and the rules of booktabs in the line before take this as an argument.
_READ_BY_LINE_BEFORE = re.compile(r"^(\s*)([\[*])")


def tabular(names: Sequence[str], are_numbers: Sequence[bool], rows: Iterable[list[str]]) -> str:
    """Return the tabular environment with one line per row; names and cells are LaTeX code."""
    return "".join(
        f"{line}\n"
        for line in (
            rf"\begin{{tabular}}{{{''.join('r' if number else 'l' for number in are_numbers)}}}",
            r"\toprule",
            line_of(names),
            r"\midrule",
            *map(line_of, rows),
            r"\bottomrule",
            r"\end{tabular}",
        )
    )


def line_of(cells: Iterable[str]) -> str:
    r"""Return a row of LaTeX cells as a line; `[` and `*` at its start become `{[}` and `{*}`."""
    return _READ_BY_LINE_BEFORE.sub(r"\1{\2}", " & ".join(cells)) + r" \\"


def escaped(text: str) -> str:
    """Return the text with special characters escaped for LaTeX."""
    return _LIGATURE.sub(r"\g<0>{}", visible(text).translate(_WRITTEN))


def number(text: str) -> str:
    """Return a number, or an interval, as LaTeX with minus signs."""
    return escaped(with_minus(text))
