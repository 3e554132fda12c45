"""Post-edits: what a judge made of an output."""

from typing import NamedTuple

from maege.ingest.judged.table import Reading


class PostEdit(NamedTuple):
    """An output and the edited text, numbered as an output as well; equal where it was left."""

    line: int
    task: str
    item: str
    output_id: int
    judge: str | None
    edited_id: int


def read_post_edits(reading: Reading) -> list[PostEdit]:
    """Return the post-edits; each fault becomes a finding, and a blank is none."""
    edits: list[PostEdit] = []
    columns = reading.task.columns
    for row in reading.rows():
        text = row.text(columns.text)
        system, output = row.get(columns.system), row.output(columns.output)
        if text is None:
            reading.left_out.append((row.line, "blank", "no post-edit"))
        elif output is None and system is None:
            reading.fault(
                row.line,
                "a post-edit of no output",
                "a text or the name of a system",
                "Fill in what is missing, or name the column under columns.",
            )
        else:
            systems = [system] if system else []
            output_id = reading.texts.output(row.item, output, systems, reading.task.sources)
            edited_id = reading.texts.output(row.item, text, ())
            judge = row.get(columns.judge)
            edits.append(PostEdit(row.line, reading.name, row.item, output_id, judge, edited_id))
    return edits
