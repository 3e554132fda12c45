"""The commands `maege export`: marts, annotations and rankings for other programs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from maege.commands.outcome import argument, fail, failures, option, print_exactly, refuse
from maege.ingest.warehouse import Warehouse, WarehouseError, find_warehouse, open_marts
from maege.names import unknown
from maege.tables import SUFFIXES, Kind, TooLargeError, write_rows
from maege.whole_files import write_whole, written_whole

if TYPE_CHECKING:
    import duckdb

STANDARD_OUTPUT = Path("-")
Corpus = Annotated[str, argument("A corpus that was ingested.", "CORPUS")]
AnnotationSet = Annotated[str, argument("One of its annotation sets.", "ANNOTATION_SET")]
Out = Annotated[Path, option("Where to write it; - is standard output.", "FILE")]

export = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Write marts, annotations and rankings for other programs.",
)


@export.command()
def table(
    name: Annotated[str, argument("Name of a published mart.", "MART")],
    form: Annotated[
        Kind | None, option("Format. Default: the suffix of FILE, or csv.", None, "--format")
    ] = None,
    out: Annotated[
        Path | None, option("File to write. Default: MART.FORMAT in this folder.", "FILE")
    ] = None,
) -> None:
    """Write a mart to a file, for a spreadsheet or another program.

    \b
    Examples:
      maege export table sentence_correlations --format xlsx
      maege export table type_deltas --format parquet --out deltas.parquet
    """  # noqa: D301 - click reads the \b
    form = form or _form_of(out)
    with failures(as_json=False, reassurance="Nothing was written."):
        connection = _marts()
        marts = [
            mart for (mart,) in connection.execute("select name from (show tables)").fetchall()
        ]
        if name not in marts:
            raise typer.BadParameter(unknown("mart", name, marts))
        path = out or Path(f"{name}.{SUFFIXES.get(form, form)}")
        try:
            with written_whole(path) as copy:
                count = write_rows(connection, f'from "{name}"', form, copy)
        except TooLargeError as error:
            refuse(f"{error}.")
    typer.echo(f"{path}: {count:,} rows")


def _form_of(out: Path | None) -> Kind:
    if out is None:
        return "csv"
    forms: tuple[Kind, ...] = get_args(Kind)
    by_suffix = {f".{SUFFIXES.get(form, form)}": form for form in forms}
    if out.suffix not in by_suffix:
        raise typer.BadParameter(
            f"found a name that ends in {out.suffix or out.name}, expected one of "
            f"{', '.join(by_suffix)}; or name the format with --format",
            param_hint="--out",
        )
    return by_suffix[out.suffix]


@export.command()
def imeasure(
    corpus: Corpus,
    annotation_set: AnnotationSet,
    out: Out = STANDARD_OUTPUT,
) -> None:
    """Write an annotation set as gold XML for the I-measure.

    Overlapping corrections of M2 become alternatives of one error, as in the I-measure's own
    converter. If an edit has several corrections, only the first is used. Sets read from XML keep
    their errors. Edits extracted from references are available after a build.

    \b
    Examples:
      maege export imeasure sample sample --out sample.ieval.xml
      maege export imeasure conll14 nucle | head
    """  # noqa: D301 - click reads the \b
    from maege.exports.annotations import export_imeasure

    _export(export_imeasure, corpus, annotation_set, out)


@export.command()
def m2(
    corpus: Corpus,
    annotation_set: AnnotationSet,
    out: Out = STANDARD_OUTPUT,
) -> None:
    """Write an annotation set as one M2 file, whatever format its edits come from.

    If the names of annotators are not numbers, the annotators are numbered in order, and the
    numbers are printed on standard error. Edits extracted from references are available after a
    build. Corrections with || or -NONE-, which have a special meaning in M2, are an error (exit
    code 2); maege export imeasure can write them.

    \b
    Examples:
      maege export m2 sample sample --out sample.m2
      maege export m2 jfleg_dev rewritings --out jfleg.m2
    """  # noqa: D301 - click reads the \b
    from maege.exports.annotations import export_m2

    names: dict[str, str] = {}
    _export(partial(export_m2, names=names), corpus, annotation_set, out)
    if any(number != name for number, name in names.items()):
        typer.echo(", ".join(f"{number} is {name}" for number, name in names.items()), err=True)


@export.command()
def judgments(
    corpus: Annotated[str, option("A corpus that was ingested.", "CORPUS")],
    judgment_set: Annotated[str, option("One of its judgment sets.", "JUDGMENT_SET", "--set")],
    out: Out = STANDARD_OUTPUT,
) -> None:
    """Write human rankings as CSV: judge, item, sentence_id, system, rank.

    Sentences are numbered from 0. Systems with the same output share a row and are separated by
    spaces. A manifest of a corpus can name the file without changes.

    \b
    Examples:
      maege export judgments --corpus sample --set sample_judges
      maege export judgments --corpus conll14 --set gjg15 --out gjg15.csv
    """  # noqa: D301 - click reads the \b
    from maege.exports.preferences import export_judgments

    _export(export_judgments, corpus, judgment_set, out)


@export.command()
def preferences(
    judgment_set: Annotated[
        str, option("Name of a set of human judgments.", "JUDGMENT_SET", "--set")
    ],
    out: Annotated[Path, option("File to write, or folder for mt-metrics-eval.", "PATH")],
    form: Annotated[
        Literal["jsonl", "mt-metrics-eval"],
        option("Format: jsonl for reward models, or mt-metrics-eval.", None, "--format"),
    ] = "jsonl",
) -> None:
    """Write human preferences for training reward models, or ratings for mt-metrics-eval.

    jsonl has one line per pair of outputs, for rankings and ratings alike: prompt (the source),
    chosen and rejected, with set, task, aspect, judge and item. Ties and pairs without a text are
    excluded and counted. To split or sample the data, use items rather than pairs, and keep aspects
    apart. The folder for mt-metrics-eval has mean ratings of systems, with one test set per task.

    \b
    Examples:
      maege export preferences --set sample_judges --out pairs.jsonl
      maege export preferences --set llm_gec_2023_ratings --format mt-metrics-eval --out llm_gec
    """  # noqa: D301 - click reads the \b
    from maege.exports.preferences import licence_of, write_pairs, write_segments

    with failures(as_json=False, reassurance="Nothing was written."):
        connection = _marts()
        write = write_pairs if form == "jsonl" else write_segments
        written = write(connection, judgment_set, out)
        licence, may_be_shared = licence_of(connection, judgment_set)
    typer.echo(f"{out}: {written.summary}")
    for reason, count in written.left_out.items():
        if count:
            typer.echo(f"  {count:,} {reason} excluded")
    if not may_be_shared:
        typer.echo(
            f"  Do not redistribute the texts unless the licence allows it: {licence}", err=True
        )


def _marts() -> "duckdb.DuckDBPyConnection":
    try:
        return open_marts(find_warehouse())
    except WarehouseError as error:
        refuse(str(error))


def _export(
    export: Callable[[Warehouse, str, str], str], corpus: str, name: str, out: Path
) -> None:
    from maege.ingest.formats.annotation_file import UnwritableError

    with failures(as_json=False, reassurance="Nothing was written."):
        try:
            text = export(find_warehouse(), corpus, name)
        except UnwritableError as error:
            fail(f"{error}. Nothing was written.", as_json=False)
        if out == STANDARD_OUTPUT:
            print_exactly(text)
        else:
            write_whole(text, out)
