"""Tables of LaTeX, with the rules of booktabs."""

from collections.abc import Iterable, Sequence

_WRITTEN = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def tabular(names: Sequence[str], are_numbers: Sequence[bool], rows: Iterable[list[str]]) -> str:
    """Return the environment with a line a row; names and cells are LaTeX already."""
    return "".join(
        f"{line}\n"
        for line in (
            rf"\begin{{tabular}}{{{''.join('r' if number else 'l' for number in are_numbers)}}}",
            r"\toprule",
            " & ".join(names) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
        )
    )


def escaped(text: str) -> str:
    """Return the text as LaTeX that shows it."""
    return "".join(_WRITTEN.get(character, character) for character in text)
