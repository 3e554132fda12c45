"""A crowd's corrections as rows: of sentences of the corpus, or of those that they bring."""

from maege.ingest.corpora.parallel import Source
from maege.ingest.findings import Findings, quote
from maege.ingest.formats.crowd.corrections import (
    Answer,
    Columns,
    Normalisation,
    normalised,
    parse_corrections,
)
from maege.ingest.formats.crowd.validity import ValidityColumns, parse_validity
from maege.ingest.manifests.manifest_schema import Corrections, Validity
from maege.ingest.reading import TextFile

Row = tuple[object, ...]


def read_answers(entry: Corrections, file: TextFile, findings: Findings) -> list[Answer]:
    """Return the answers of the file, those that do not count included."""
    names = entry.columns
    columns = Columns(names.sentence, names.correction, names.worker, names.status, names.batch)
    return parse_corrections(
        file.lines, file.shown, columns, entry.compare, entry.rejected, entry.batches, findings
    )


def sentences_of(answers: list[Answer], shown: str) -> Source:
    """Return the sentences of the answers that count, each as it first stands in the file."""
    first: dict[str, Answer] = {}
    for answer in answers:
        if answer.left_out is None:
            first.setdefault(answer.key, answer)
    kept = list(first.values())
    return Source(
        shown,
        [answer.line for answer in kept],
        [answer.sentence for answer in kept],
        [answer.sentence.split() for answer in kept],
    )


def answer_rows(
    answers: list[Answer], entry: Corrections, shown: str, source: Source, findings: Findings
) -> list[Row]:
    """Return the answers with their sentences; None stands for that of one that does not count.

    An answer that counts, to a sentence that is not in the corpus, is a finding. Of equal sentences
    of the corpus the first has the answers.
    """
    places = _places(source, entry.compare)
    rows: list[Row] = []
    for answer in answers:
        sentence_id = places.get(answer.key) if answer.left_out is None else None
        if sentence_id is None and answer.left_out is None:
            findings.add(
                shown,
                answer.line,
                f"an answer to the sentence {quote(answer.sentence)}",
                f"a sentence of {source.shown}",
                "Correct the sentence, remove the row, or give the crowd a corpus of its own.",
            )
        _, _, *stored = answer
        rows.append((answer.line, sentence_id, *stored))
    return rows


def judgment_rows(
    entry: Validity, compare: Normalisation, file: TextFile, source: Source, findings: Findings
) -> list[Row]:
    """Return what judges say of corrections, with the sentences; another sentence is a finding."""
    names = entry.columns
    columns = ValidityColumns(names.sentence, names.correction, names.worker, names.valid)
    places = _places(source, compare)
    rows: list[Row] = []
    for judgment in parse_validity(file.lines, file.shown, columns, compare, findings):
        if judgment.key not in places:
            findings.add(
                file.shown,
                judgment.line,
                f"a judgment of the sentence {quote(judgment.sentence)}",
                f"a sentence of {source.shown}",
                "Correct the sentence, or remove the row.",
            )
            continue
        line, key, *stored = judgment
        rows.append((line, places[key], *stored))
    return rows


def _places(source: Source, compare: Normalisation) -> dict[str, int]:
    """Return by sentence, as it is compared, where it stands first."""
    places: dict[str, int] = {}
    for position, text in enumerate(source.texts):
        places.setdefault(normalised(text, compare), position)
    return places
