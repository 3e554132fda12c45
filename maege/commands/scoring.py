"""`maege score`: score files of texts with a metric, without a warehouse."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from maege.commands.outcome import AsJson, argument, failures, option, print_json, refuse
from maege.ingest.findings import BadInputError, Findings

if TYPE_CHECKING:
    from maege.analysis.direct.texts import AnnotatedGold
    from maege.ingest.text_checks import Suspicion, Texts


def score(
    metric: Annotated[str, argument("Name of a metric, such as gleu, m2 or chrf.", "METRIC")],
    outputs: Annotated[list[Path], argument("One file per system.", "OUTPUT...")],
    *,
    gold: Annotated[
        Path | None,
        option(
            "M2 file with the sources and the annotators' edits, in place of --source and --refs.",
            "GOLD.m2",
        ),
    ] = None,
    source: Annotated[Path | None, option("The original sentences.", "FILE")] = None,
    refs: Annotated[
        list[Path] | None, option("Reference text. Repeat it for each reference.", "FILE")
    ] = None,
    level: Annotated[
        Literal["corpus", "sentence"], option("One score per output, or one per sentence.")
    ] = "corpus",
    language: Annotated[
        str | None, option("Language of all texts. Default: English.", "TAG")
    ] = None,
    force: Annotated[bool, option("Score texts that look wrong.", None, "--force")] = False,
    as_json: AsJson = False,
) -> None:
    """Score system outputs with a metric; no warehouse is needed.

    Files have one tokenised sentence per line. The scores are equal to those in the marts. They are
    printed in tab-separated columns; corpus scores have the signature of the metric. With --gold,
    metrics that compare edits read the annotators' edits, other metrics the sources with these
    edits applied. Outputs may then be M2 files, too. Exit code 2 if the input cannot be scored.

    \b
    Examples:
      maege score m2 base.txt ours.txt --gold gold.m2
      maege score gleu base.txt ours.txt --source source.txt --refs ref0.txt --refs ref1.txt
      maege score m2 ours.txt --source source.txt --refs ref0.txt --level sentence --json
    """  # noqa: D301 - click reads the \b
    from maege.ingest.languages import canonical_tag

    try:
        named_language = None if language is None else canonical_tag(language)
    except ValueError as error:
        raise typer.BadParameter(f"language: found {language!r}; expected {error}") from None
    if gold is not None and (source is not None or refs):
        raise typer.BadParameter("choose one of --gold and --source with --refs")
    annotated: AnnotatedGold | None = None
    with failures(as_json, "Nothing was scored."):
        if gold is None:
            texts, sources, references = _read(outputs, source, refs or [], named_language, force)
        else:
            texts, annotated = _read_with_gold(outputs, gold, named_language, force)
            sources, references = annotated.sources, annotated.references
    # Imported late: the metrics take a while to load.
    from maege.analysis.direct import scores as direct

    tag = named_language or "en"
    try:
        # A single output needs no name, as in Python.
        scorer = direct.metric_of_texts(metric, len(texts) > 1, tag)
        if level == "corpus":
            scored = direct.corpus_scores(scorer, texts, sources, references, "py2", tag, annotated)
            score_rows = scored[:, None]
        else:
            score_rows = direct.sentence_scores(scorer, texts, sources, references, tag, annotated)
    except direct.TextsError as error:
        refuse(str(error))
    rows = ([None if math.isnan(score) else float(score) for score in row] for row in score_rows)
    scores = dict(zip(texts, rows, strict=True))
    signature = scorer.signature()
    if as_json:
        listed = {name: row[0] if level == "corpus" else row for name, row in scores.items()}
        answer = {"metric": metric, "signature": signature, "level": level, "scores": listed}
        print_json(answer)
    elif level == "corpus":
        typer.echo("system\tscore\tsignature")
        for name, (value,) in scores.items():
            typer.echo(f"{name}\t{_shown(value)}\t{signature}")
    else:
        typer.echo("system\tsentence_id\tscore")
        for name, row in scores.items():
            for place, value in enumerate(row):
                typer.echo(f"{name}\t{place}\t{_shown(value)}")


def _read_with_gold(
    outputs: list[Path], gold: Path, language: str | None, force: bool
) -> tuple[dict[str, list[str]], "AnnotatedGold"]:
    """Return texts by system, and the gold. Raises BadInputError as `_read`."""
    from maege.analysis.direct.texts import AnnotatedGold
    from maege.analysis.edits import format_annotation
    from maege.comparison.reading import read_files, suspicions_of

    read = read_files(outputs, gold)
    _warn(suspicions_of(read, language), force, [note.text for note in read.notes])
    edits = {
        output.name: [format_annotation(annotation) for annotation in output.annotations]
        for output in read.outputs
        if output.annotations is not None
    }
    texts = {
        output.name: [" ".join(text.split()) for text in output.texts] for output in read.outputs
    }
    return texts, AnnotatedGold(read.gold.gold, language or "en", edits)


def _read(
    outputs: list[Path],
    source: Path | None,
    refs: list[Path],
    language: str | None,
    force: bool,
) -> tuple[dict[str, list[str]], list[str] | None, Sequence[Sequence[str]] | None]:
    """Return texts by system, sources, and the references of each sentence.

    Raises BadInputError if a file cannot be read, has another number of lines than the first, or
    looks wrong. With `force`, texts that look wrong only cause a warning.
    """
    from maege.comparison.reading import (
        check_length,
        distinct_names,
        notes_on_empty,
        refuse_repeated_files,
    )
    from maege.ingest.reading import read_text
    from maege.ingest.text_checks import Texts, check_scored

    findings = Findings()
    refuse_repeated_files(outputs, findings)
    paths = [*([] if source is None else [source]), *refs, *outputs]
    columns: list[Texts] = []
    for path in paths:
        read = read_text(path, findings)
        columns.append(Texts(str(path), [] if read is None else read.lines))
        first = [text or "" for text in columns[0].texts]
        if read is not None and first:
            check_length(read, str(paths[0]), first, findings)
    if len(findings):
        raise BadInputError(findings)
    n_before = len(paths) - len(outputs)
    references, hypotheses = columns[n_before - len(refs) : n_before], columns[n_before:]
    sources = None if source is None else columns[0]
    notes: list[str] = []
    for texts in references:
        notes += [note.text for note in notes_on_empty(texts.shown, _squeezed(texts))]
    for texts in hypotheses:
        listed = notes_on_empty(texts.shown, _squeezed(texts), is_output=True)
        notes += [note.text for note in listed]
    _warn(check_scored(sources, references, hypotheses, language), force, notes)
    by_reference = [_squeezed(texts) for texts in references]
    return (
        dict(zip(distinct_names(outputs), map(_squeezed, hypotheses), strict=True)),
        None if sources is None else _squeezed(sources),
        [list(row) for row in zip(*by_reference, strict=True)] if refs else None,
    )


def _warn(suspicions: "list[Suspicion]", force: bool, notes: list[str]) -> None:
    """Print the warnings. Raises BadInputError if texts look wrong, unless `force`."""
    from maege.ingest.text_checks import COMMAND, add_suspicions

    findings = Findings()
    add_suspicions(suspicions, COMMAND, findings)
    if len(findings) and not force:
        raise BadInputError(findings)
    for note in (*(f"{finding.place}: {finding.found}" for finding in findings), *notes):
        typer.echo(f"Warning: {note}", err=True)


def _squeezed(texts: "Texts") -> list[str]:
    return [" ".join((text or "").split()) for text in texts.texts]


def _shown(score: float | None) -> str:
    return "" if score is None else f"{score:.6g}"
