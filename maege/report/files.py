"""Write one picture or table of the report as a file for a paper."""

import csv
import io
import re

from maege.names import UnknownError, unknown
from maege.report.build import Report
from maege.report.exhibits import Column, Exhibit, Row
from maege.report.specs import picture
from maege.tables import latex_text as escaped
from maege.tables import tabular


def picture_file(report: Report, name: str, kind: str) -> bytes:
    """Return the picture; raise UnknownError if no picture has the name."""
    pictures = {
        key: exhibit
        for key, exhibit in report.exhibits.items()
        if exhibit.chart is not None and exhibit.shown(report.defaults)
    }
    exhibit = _find_exhibit(pictures, name, "picture")
    return picture(exhibit, exhibit.shown(report.defaults), kind)


def table_file(report: Report, name: str, kind: str) -> str:
    """Return the table: LaTeX with booktabs, or CSV with a column for each end of an interval.

    If the page shows one metric at a time, the table has all requested metrics.
    """
    exhibit = _find_exhibit(report.exhibits, name, "table")
    rows = exhibit.rows_of_metrics(report.defaults, report.scope.metrics)
    return _latex(exhibit, rows) if kind == "latex" else _csv(exhibit, rows)


def _find_exhibit(exhibits: dict[str, Exhibit], name: str, kind: str) -> Exhibit:
    if name not in exhibits:
        raise UnknownError(unknown(kind, name, list(exhibits)))
    return exhibits[name]


def _latex(exhibit: Exhibit, rows: list[Row]) -> str:
    columns = [column for column in exhibit.columns if any(column.cell(row) for row in rows)]
    return f"% {exhibit.title} Needs \\usepackage{{booktabs}}.\n" + tabular(
        [escaped(column.label) for column in columns],
        [column.is_number for column in columns],
        ([_cell(column, row) for column in columns] for row in rows),
    )


def _cell(column: Column, row: Row) -> str:
    text = re.sub(r"<[^>]+>", "", column.cell(row)) if column.kind == "marked" else column.cell(row)
    return escaped(text)


def _csv(exhibit: Exhibit, rows: list[Row]) -> str:
    fields = [
        name
        for column in exhibit.columns
        for name in (column.field, column.low, column.high)
        if name
    ]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(fields)
    writer.writerows([row[name] for name in fields] for row in rows)
    return stream.getvalue()
