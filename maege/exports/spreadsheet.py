"""A spreadsheet of one sheet (Office Open XML), which Excel and LibreOffice open."""

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import Any
from xml.sax.saxutils import escape

# Of a sheet, with the line of names.
MOST_ROWS = 1_048_576
LONGEST_TEXT = 32_767
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PARTS = (
    (
        "[Content_Types].xml",
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/>'
        "</Types>",
    ),
    (
        "_rels/.rels",
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    ),
    (
        "xl/workbook.xml",
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        '<sheet name="rows" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ),
    (
        "xl/_rels/workbook.xml.rels",
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
)
# What XML cannot hold.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def sheets(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[tuple[str, str]]:
    """Return the parts of the file: their names in the archive, and their text."""
    for name, text in _PARTS:
        yield name, _HEAD + text
    lines = "".join(_line(row) for row in (names, *rows))
    yield (
        "xl/worksheets/sheet1.xml",
        f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>'
        f"<sheetData>{lines}</sheetData></worksheet>",
    )


def _line(row: Sequence[Any]) -> str:
    return f"<row>{''.join(map(_cell, row))}</row>"


def _cell(value: object) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{value:d}</v></c>'
    if isinstance(value, int | float) and isfinite(value):
        return f"<c><v>{value!r}</v></c>"
    text = _FORBIDDEN.sub("", str(value))[:LONGEST_TEXT]
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'
