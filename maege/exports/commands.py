"""The commands `maege export`: marts, annotations and rankings for other programs."""

from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from maege.commands.outcome import fail, failures, print_exactly, refuse
from maege.exports.answers import SUFFIXES, Kind, TooLargeError, write_answer
from maege.ingest.findings import UnknownNameError
from maege.ingest.warehouse import WarehouseError, find_warehouse, open_marts
from maege.unknown import unknown
from maege.whole_files import write_whole

STANDARD_OUTPUT = Path("-")
Corpus = Annotated[str, typer.Argument(metavar="CORPUS", help="A corpus that was ingested.")]
AnnotationSet = Annotated[
    str, typer.Argument(metavar="ANNOTATION_SET", help="One of its annotation sets.")
]
Out = Annotated[Path, typer.Option(metavar="FILE", help="Where to write it; - is standard output.")]

export = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Write marts, annotations and rankings for other programs.",
)


@export.command()
def table(
    name: Annotated[str, typer.Argument(metavar="MART", help="Name of a published mart.")],
    form: Annotated[
        Kind | None, typer.Option("--format", help="Format. Default: the suffix of FILE, or csv.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File to write. Default: MART.FORMAT in this folder."),
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
        try:
            connection = open_marts(find_warehouse())
        except WarehouseError as error:
            refuse(str(error))
        marts = [
            mart for (mart,) in connection.execute("select name from (show tables)").fetchall()
        ]
        if name not in marts:
            raise typer.BadParameter(unknown("mart", name, marts))
        path = out or Path(f"{name}.{SUFFIXES.get(form, form)}")
        try:
            count = write_answer(connection, f'from "{name}"', form, path)
        except TooLargeError as error:
            refuse(f"{error}.")
    typer.echo(f"{path}: {count:,} rows")


def _form_of(out: Path | None) -> Kind:
    """Return the format whose suffix the file has; CSV without a file."""
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
    """Write an annotation set as the I-measure's XML gold.

    Overlapping corrections of M2 become alternatives of one error, as the I-measure's own
    converter has it; of the alternatives of one edit the first counts. A set that came from XML
    keeps its errors. The edits of an extracted set are there after a build.

    \b
    Examples:
      maege export imeasure sample sample --out sample.ieval.xml
      maege export imeasure conll14 nucle | head
    """  # noqa: D301 - click reads the \b
    from maege.exports.annotations import export_imeasure
    from maege.ingest.formats.annotation_file import UnwritableError

    with failures(as_json=False, reassurance="Nothing was written."):
        try:
            text = export_imeasure(find_warehouse(), corpus, annotation_set)
        except UnknownNameError as error:
            raise typer.BadParameter(str(error)) from None
        except UnwritableError as error:
            fail(f"{error}. Nothing was written.", as_json=False)
        _write(text, out)


@export.command()
def m2(
    corpus: Corpus,
    annotation_set: AnnotationSet,
    out: Out = STANDARD_OUTPUT,
) -> None:
    """Write an annotation set as M2: one file, wherever its edits come from.

    Annotators whose names are no numbers are numbered in order; who is who is said on standard
    error. The edits of an extracted set are there after a build. What M2 would read as something
    else is refused: texts and XML may have || or -NONE- in a correction, which only
    maege export imeasure can write.

    \b
    Examples:
      maege export m2 sample sample --out sample.m2
      maege export m2 jfleg_dev rewritings --out jfleg.m2
    """  # noqa: D301 - click reads the \b
    from maege.exports.annotations import export_m2
    from maege.ingest.formats.annotation_file import UnwritableError

    with failures(as_json=False, reassurance="Nothing was written."):
        try:
            text, names = export_m2(find_warehouse(), corpus, annotation_set)
        except UnknownNameError as error:
            raise typer.BadParameter(str(error)) from None
        except UnwritableError as error:
            fail(f"{error}. Nothing was written.", as_json=False)
        _write(text, out)
    if any(number != name for number, name in names.items()):
        typer.echo(", ".join(f"{number} is {name}" for number, name in names.items()), err=True)


@export.command()
def judgments(
    corpus: Annotated[str, typer.Option(metavar="CORPUS", help="A corpus that was ingested.")],
    judgment_set: Annotated[
        str, typer.Option("--set", metavar="JUDGMENT_SET", help="One of its judgment sets.")
    ],
    out: Out = STANDARD_OUTPUT,
) -> None:
    """Write human rankings as CSV: judge, item, sentence_id, system, rank.

    Sentences count from 0. Systems with the same output stand in one row, separated by spaces. A
    manifest takes the file as it is.

    \b
    Examples:
      maege export judgments --corpus sample --set sample_judges
      maege export judgments --corpus conll14 --set gjg15 --out gjg15.csv
    """  # noqa: D301 - click reads the \b
    from maege.exports.preferences import export_judgments

    with failures(as_json=False, reassurance="Nothing was written."):
        try:
            text = export_judgments(find_warehouse(), corpus, judgment_set)
        except UnknownNameError as error:
            raise typer.BadParameter(str(error)) from None
        _write(text, out)


@export.command()
def preferences(
    judgment_set: Annotated[
        str, typer.Option("--set", metavar="JUDGMENT_SET", help="A set of human judgments.")
    ],
    out: Annotated[Path, typer.Option(metavar="PATH", help="The file to write, or the folder.")],
    form: Annotated[
        Literal["jsonl", "mt-metrics-eval"],
        typer.Option("--format", help="Lines for reward models, or a folder for mt-metrics-eval."),
    ] = "jsonl",
) -> None:
    """Write what people preferred, for reward models or mt-metrics-eval.

    Judgments of all kinds are pairs in jsonl: prompt (the source), chosen and rejected, with set,
    task, aspect, judge and item beside them; ties and pairs without a text are left out and
    counted. Draw items, never pairs, and never put aspects together. The folder has mean ratings
    of systems, a test set a task.

    \b
    Examples:
      maege export preferences --set sample_judges --out pairs.jsonl
      maege export preferences --set llm_gec_2023_ratings --format mt-metrics-eval --out llm_gec
    """  # noqa: D301 - click reads the \b
    from maege.exports.preferences import licence_of, write_pairs, write_segments

    form = form or _form_of(out)
    with failures(as_json=False, reassurance="Nothing was written."):
        try:
            connection = open_marts(find_warehouse())
        except WarehouseError as error:
            refuse(str(error))
        write = write_pairs if form == "jsonl" else write_segments
        try:
            written = write(connection, judgment_set, out)
        except UnknownNameError as error:
            raise typer.BadParameter(str(error)) from None
        licence, may_be_shared = licence_of(connection, judgment_set)
    typer.echo(f"{out}: {written.what}")
    for why, count in written.left_out.items():
        if count:
            typer.echo(f"  {count:,} {why} left out")
    if not may_be_shared:
        typer.echo(f"  not to be passed on unless its licence allows it: {licence}", err=True)


def _write(text: str, out: Path) -> None:
    if out == STANDARD_OUTPUT:
        print_exactly(text)
    else:
        write_whole(text, out)
