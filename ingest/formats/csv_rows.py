"""The rows of a CSV file with their lines."""

import csv
from collections.abc import Callable, Iterator, Sequence

from maege.ingest.findings import Findings, listing, quote
from maege.ingest.formats.dialects import dialect_of, refuse_dialect

SIGNS = {",": "commas", "\t": "tabs", ";": "semicolons"}


def csv_rows(
    lines: Sequence[str],
    columns: Sequence[str],
    shown: str,
    findings: Findings,
    *,
    only: bool,
    separator: str = ",",
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the values of `columns` of every row.

    `only` says that the header must be these columns; else it has each once and may hold others.
    A quoted value may hold line ends; the row then has the line of its last. Each fault becomes a
    finding and its row is left out; without the columns there are no rows.
    """

    def places(header: list[str]) -> list[int] | None:
        fits = header == list(columns) if only else all(header.count(name) == 1 for name in columns)
        if fits:
            return [header.index(name) for name in columns]
        _refuse_header(header, columns, shown, findings, only=only, separator=separator)
        return None

    return chosen_rows(lines, places, shown, findings, separator=separator)


def chosen_rows(
    lines: Sequence[str],
    places: Callable[[list[str]], list[int] | None],
    shown: str,
    findings: Findings,
    *,
    separator: str = ",",
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the values of every row at the places that its header gives.

    `places` gets the header's names; it adds the finding where it returns None.
    """
    expected = f"rows of values, separated by {SIGNS[separator]}"
    if refuse_dialect(dialect_of(lines), shown, expected, findings):
        return
    reader = csv.reader((line + "\n" for line in lines), delimiter=separator, strict=True)
    try:
        header = next(reader, None)
        if header is None:
            findings.add(shown, 1, "an empty file", expected, "Name the file that has the rows.")
            return
        place = places([name.strip() for name in header])
        if place is None:
            return
        for values in reader:
            if len(values) == len(header):
                yield reader.line_num, [values[i] for i in place]
            elif any(value.strip() for value in values):
                findings.add(
                    shown,
                    reader.line_num,
                    f"{len(values)} columns: {quote(separator.join(values))}",
                    f"{len(header)} columns: {', '.join(header)}",
                    f"Write all columns of the header, separated by {SIGNS[separator]}.",
                )
    except csv.Error as error:
        findings.add(
            shown,
            reader.line_num,
            f"a line that is not CSV: {error}",
            f"values separated by {SIGNS[separator]}; a value with one of them stands in double "
            "quotes",
            "Correct the quotation marks.",
        )


def refuse_columns(
    header: Sequence[str],
    missing: Sequence[str],
    expected: str,
    shown: str,
    findings: Findings,
    separator: str = ",",
) -> None:
    """Add the finding that names the columns that are not in the header."""
    sign = SIGNS[separator]
    other = next((s for s in SIGNS if len(header) == 1 and s in header[0] and s != separator), None)
    if other is not None:
        found = f"values separated by {SIGNS[other]}: {quote(header[0])}"
    elif missing:
        lowered = [name.lower() for name in header]
        twice = [name for name in missing if lowered.count(name.lower()) > 1]
        what = f"twice the column {listing(twice)}" if twice else f"no column {listing([*missing])}"
        found = f"{what} in {quote(separator.join(header))}"
    else:
        found = f"the header {quote(separator.join(header))}"
    findings.add(
        shown,
        1,
        found,
        expected,
        f"Write the header as the first line and separate the columns by {sign}.",
    )


def _refuse_header(
    header: list[str],
    columns: Sequence[str],
    shown: str,
    findings: Findings,
    *,
    only: bool,
    separator: str,
) -> None:
    names = separator.join(columns) if only else ", ".join(columns)
    expected = f"the header {names}" if only else f"columns {names}"
    missing = [name for name in columns if name not in header]
    twice = [name for name in columns if header.count(name) > 1]
    if twice and not missing and not only:
        expected = f"the columns {listing(twice)} once"
    refuse_columns(header, missing, expected, shown, findings, separator)
