"""The rows of a CSV file with their lines."""

import csv
from collections.abc import Iterator, Sequence

from ingest.findings import Findings, quote


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
    sign = {",": "commas", "\t": "tabs"}[separator]
    reader = csv.reader((line + "\n" for line in lines), delimiter=separator, strict=True)
    try:
        header = next(reader, None)
        named = header or []
        fits = named == list(columns) if only else all(named.count(name) == 1 for name in columns)
        if header is None or not fits:
            found = f"the header {quote(separator.join(header))}" if header else "an empty file"
            findings.add(
                shown,
                1,
                found,
                f"the header {separator.join(columns)}"
                if only
                else f"columns {', '.join(columns)}",
                f"Write the header as the first line and separate the columns by {sign}.",
            )
            return
        place = [header.index(column) for column in columns]
        for values in reader:
            if len(values) == len(header):
                yield reader.line_num, [values[i] for i in place]
            elif values:
                findings.add(
                    shown,
                    reader.line_num,
                    f"{len(values)} columns: {quote(separator.join(values))}",
                    f"{len(header)} columns: {', '.join(header)}",
                    f"Write all columns of the header, separated by {sign}.",
                )
    except csv.Error as error:
        findings.add(
            shown,
            reader.line_num,
            f"a line that is not CSV: {error}",
            f"values separated by {sign}; a value with one of them stands in double quotes",
            "Correct the quotation marks.",
        )
