"""Texts of judged outputs that stand in other files than the judgments."""

from maege.ingest.judged.manifest import TextFiles
from maege.ingest.judged.table import Reading, table_rows


def read_texts(reading: Reading, texts: TextFiles) -> None:
    """Note sources and what systems made of them, for judgments that name systems alone."""
    if texts.file is not None:
        _read_table(reading, texts, texts.file)
    else:
        _read_lines(reading, texts)


def _read_table(reading: Reading, texts: TextFiles, path: str) -> None:
    file = reading.files[path]
    if file is None:
        return
    item_of = reading.item_of({}, texts.columns)
    extra = list(texts.systems.values())
    for row in table_rows(file, texts.columns, extra, item_of, reading.findings):
        reading.texts.item(row.item, row.text(texts.columns.source))
        system, text = row.get(texts.columns.system), row.output(texts.columns.output)
        if system is not None and text is not None:
            reading.texts.knows(row.item, system, text)
        for name, column in texts.systems.items():
            reading.texts.knows(row.item, name, row.values[column])


def _read_lines(reading: Reading, texts: TextFiles) -> None:
    source = reading.files[str(texts.source_lines)]
    if source is None:
        return
    item_of = reading.item_of({}, texts.columns)
    first = {"": ""}
    names = [item_of(number, first) for number in range(2, len(source.lines) + 2)]
    for item, text in zip(names, source.lines, strict=True):
        reading.texts.item(item, text)
    for system, path in texts.lines.items():
        file = reading.files[path]
        if file is None:
            continue
        if len(file.lines) != len(source.lines):
            reading.findings.add(
                file.shown,
                len(file.lines),
                f"{len(file.lines)} lines",
                f"{len(source.lines)}, as {source.shown} has",
                "Name files of one text for each item, in one order.",
            )
            continue
        for item, text in zip(names, file.lines, strict=True):
            reading.texts.knows(item, system, text)
