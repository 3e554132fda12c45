"""Findings about the input: collected over all files of a run, then shown together."""

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial

from maege.names import UnknownError, did_you_mean
from maege.visible import code, on_one_line

SHOWN_PER_KIND = 5
WIDTH = 80
LONGEST_QUOTE = 60
# Adds a fault of one file: line, found, expected and remedy.
Add = Callable[[int, str, str, str], None]


@dataclass(frozen=True, order=True)
class Finding:
    """One fault of one file; `line` counts from 1 and is 0 if the fault concerns the whole file."""

    file: str
    line: int
    found: str
    expected: str
    remedy: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


class Findings:
    def __init__(self) -> None:
        self._findings: dict[Finding, None] = {}

    def add(self, file: str, line: int, found: str, expected: str, remedy: str) -> None:
        """Add a fault once; several parts of a file may report the same fault."""
        self._findings[Finding(file, line, found, expected, remedy)] = None

    def about(self, file: str) -> Add:
        return partial(self.add, file)

    def __iter__(self) -> Iterator[Finding]:
        return iter(sorted(self._findings))

    def __len__(self) -> int:
        return len(self._findings)

    def as_records(self) -> list[dict[str, str | int]]:
        return [asdict(finding) for finding in self]

    def as_text(self) -> str:
        """Return the findings; of those with one remedy in a file, the first 5 and a number."""
        blocks: list[str] = []
        kinds = Counter((finding.file, finding.remedy) for finding in self)
        shown: Counter[tuple[str, str]] = Counter()
        for finding in self:
            kind = finding.file, finding.remedy
            shown[kind] += 1
            if shown[kind] <= SHOWN_PER_KIND:
                blocks.append(_as_block(finding))
            n_more = kinds[kind] - SHOWN_PER_KIND
            if shown[kind] == SHOWN_PER_KIND and n_more:
                place = on_one_line(finding.file)
                blocks.append(f"{place}: {n_more} more like it; --json lists all.")
        return "\n".join(blocks)


class FaultError(Exception):
    def __init__(self, found: str, expected: str, remedy: str, line: int = 0) -> None:
        super().__init__(found)
        self.line = line
        self.fault = (found, expected, remedy)


class BadInputError(Exception):
    """The input has findings; nothing was loaded."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(f"{len(findings)} findings")
        self.findings = findings


def quote(text: str) -> str:
    """Return the text in quotation marks on one line, truncated if it is long."""
    start = text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 3] + "..."
    return '"' + "".join(c if c.isprintable() else code(c) for c in on_one_line(start)) + '"'


def check_known(label: str, name: str, names: Iterable[str]) -> None:
    names = list(names)
    if name not in names:
        near = did_you_mean(name, names)
        raise UnknownError(
            f"no {label}; there is {listing(names) or 'none'}" + (f". {near}" if near else "")
        )


def listing(names: list[str]) -> str:
    text = ", ".join(names[:10])
    return text + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def _as_block(finding: Finding) -> str:
    lines = [on_one_line(finding.place)]
    about = {"found": finding.found, "expected": finding.expected, "do": finding.remedy}
    for label, text in about.items():
        first, rest = f"  {label:<9}", " " * 11
        lines += textwrap.wrap(
            text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
        )
    return "\n".join(lines)
