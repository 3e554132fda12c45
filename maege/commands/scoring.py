"""`maege score`: files of texts, scored by a metric, without a warehouse."""

import math
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from maege.commands.outcome import failures, print_json, refuse
from maege.ingest.findings import BadInputError, Findings


class Level(StrEnum):
    """What has a score."""

    corpus = "corpus"
    sentence = "sentence"


def score(
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="Such as gleu, m2 or chrf.")],
    outputs: Annotated[
        list[Path], typer.Argument(metavar="OUTPUT...", help="A file for each system.")
    ],
    *,
    source: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The original sentences.")
    ] = None,
    refs: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A reference; may be said several times."),
    ] = None,
    level: Annotated[Level, typer.Option(help="Of whole outputs or of each sentence.")] = (
        Level.corpus
    ),
    language: Annotated[str, typer.Option(metavar="TAG", help="Of all texts.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Score outputs by a metric, as the marts score them; no warehouse is needed.

    Files have one tokenised sentence a line. The scores are printed as columns between tabs; those
    of a corpus with the signature of the metric.

    \b
    Examples:
      maege score gleu base.txt ours.txt --source source.txt --refs ref0.txt --refs ref1.txt
      maege score m2 ours.txt --source source.txt --refs ref0.txt --level sentence --json
    """  # noqa: D301 - click reads the \b
    with failures(as_json, "Nothing was scored."):
        texts, sources, references = _read(outputs, source, refs or [])
    # Only now: what scores takes a while to load.
    from maege.analysis.direct.scores import (
        TextsError,
        corpus_scores,
        metric_of_texts,
        sentence_scores,
    )
    from maege.ingest.manifests.language_tags import canonical_tag

    try:
        tag = canonical_tag(language)
    except ValueError as error:
        raise typer.BadParameter(f"language: found {language!r}; expected {error}") from None
    try:
        # One output stands for itself, as in Python.
        known = metric_of_texts(metric, len(texts) > 1, tag)
        if level is Level.corpus:
            found = corpus_scores(known, texts, sources, references, "py2", tag)[:, None]
        else:
            found = sentence_scores(known, texts, sources, references, tag)
    except TextsError as error:
        refuse(str(error))
    scores = dict(zip(texts, ([_number(score) for score in row] for row in found), strict=True))
    signature = known.signature()
    if as_json:
        listed = {name: row[0] if level is Level.corpus else row for name, row in scores.items()}
        answer = {"metric": metric, "signature": signature, "level": level, "scores": listed}
        print_json(answer)
    elif level is Level.corpus:
        typer.echo("system\tscore\tsignature")
        for name, (value,) in scores.items():
            typer.echo(f"{name}\t{_shown(value)}\t{signature}")
    else:
        typer.echo("system\tsentence_id\tscore")
        for name, row in scores.items():
            for place, value in enumerate(row):
                typer.echo(f"{name}\t{place}\t{_shown(value)}")


def _read(
    outputs: list[Path], source: Path | None, refs: list[Path]
) -> tuple[dict[str, list[str]], list[str] | None, list[list[str]] | None]:
    """Return texts by system, sources, and the references of each sentence.

    Raises BadInputError where a file cannot be read or has another number of lines than the first.
    """
    from maege.comparison.reading import distinct_names
    from maege.ingest.reading import read_text

    findings = Findings()
    paths = [*([] if source is None else [source]), *refs, *outputs]
    lines: list[list[str]] = []
    for path in paths:
        read = read_text(path, findings)
        lines.append([] if read is None else [" ".join(line.split()) for line in read.lines])
        if read is not None and lines[0] and len(lines[-1]) != len(lines[0]):
            findings.add(
                read.shown,
                0,
                f"{len(lines[-1]):,} lines",
                f"{len(lines[0]):,}, as {paths[0]} has",
                "Give files with one line for each sentence, in the same order.",
            )
    if len(findings):
        raise BadInputError(findings)
    sources = None if source is None else lines.pop(0)
    references = [list(row) for row in zip(*lines[: len(refs)], strict=True)] if refs else None
    return dict(zip(distinct_names(outputs), lines[len(refs) :], strict=True)), sources, references


def _number(score: float) -> float | None:
    return None if math.isnan(score) else float(score)


def _shown(score: float | None) -> str:
    return "" if score is None else f"{score:.6g}"
