"""The judgment sets of a manifest: their files as rows for the raw tables."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from maege.ingest.findings import Findings, listing, quote
from maege.ingest.formats.human_rankings.appraise_xml import parse_appraise_xml
from maege.ingest.formats.human_rankings.cells_table import is_cells_header, parse_cells
from maege.ingest.formats.human_rankings.judgments import parse_judgments
from maege.ingest.formats.human_rankings.pairwise_csv import is_pairwise_header, parse_pairwise
from maege.ingest.formats.human_rankings.rankings import Rankings, Scope
from maege.ingest.manifests.manifest_schema import JudgmentSet, RankingFormat
from maege.ingest.reading import TextFile

PARSERS: dict[RankingFormat, Callable[[Sequence[str], Scope, str, Findings], Rankings]] = {
    "csv": parse_judgments,
    "appraise": parse_appraise_xml,
    "pairwise": parse_pairwise,
    "cells": parse_cells,
}


@dataclass(frozen=True)
class JudgedCorpus:
    """The corpus whose outputs were ranked: its systems, and the number of its sentences.

    `rows` gives the sentences by their rows in the file that the corpus chooses them from.
    """

    systems: Collection[str]
    sentences: int
    rows: Mapping[int, int] | None = None


@dataclass(frozen=True)
class RankedSet:
    """A judgment set as read; `systems` are those that were ranked."""

    name: str
    entry: JudgmentSet
    format: RankingFormat
    rankings: Rankings
    systems: list[str]


def read_judgment_sets(
    entries: Mapping[str, JudgmentSet],
    texts: Mapping[str, TextFile | None],
    corpus: JudgedCorpus,
    findings: Findings,
) -> list[tuple[RankedSet, TextFile]]:
    """Return every set with its file, those left out that cannot be read; add what is wrong."""
    sets: list[tuple[RankedSet, TextFile]] = []
    for name, entry in entries.items():
        file = texts[entry.file]
        if file is None:
            continue
        before = len(findings)
        scope = Scope(
            corpus.systems,
            corpus.sentences,
            entry.first_sentence_id,
            entry.names,
            entry.without_outputs,
            entry.without_judges,
            entry.documents,
            corpus.rows,
        )
        form = entry.format or _format(file.lines)
        rankings = PARSERS[form](file.lines, scope, file.shown, findings)
        systems = sorted({judgment.system for judgment in rankings.judgments})
        ranked = RankedSet(name, entry, form, rankings, systems)
        # What was left out because of a fault would only be missed again.
        if len(findings) == before:
            _check_manifest_fits(ranked, corpus, file.shown, findings)
        sets.append((ranked, file))
    return sets


def _format(lines: Sequence[str]) -> RankingFormat:
    """Return the format that the content shows; the plain CSV where it shows none."""
    first = next((line for line in lines if line.strip()), "").lstrip("\ufeff \t")
    if first.startswith("<"):
        return "appraise"
    if is_cells_header(first):
        return "cells"
    return "pairwise" if is_pairwise_header(first) else "csv"


def _check_manifest_fits(
    ranked: RankedSet, corpus: JudgedCorpus, shown: str, findings: Findings
) -> None:
    """Add a finding where the manifest speaks of systems or judges that the file has not."""
    entry, systems = ranked.entry, ranked.systems
    named = [
        *(("names", system) for system in entry.names.values()),
        *(("without_outputs", system) for system in entry.without_outputs),
        *((f"system_sets.{key}", s) for key, chosen in entry.system_sets.items() for s in chosen),
    ]
    for where, system in named:
        if system not in systems:
            findings.add(
                shown,
                0,
                f"no rank of {quote(system)}, which the manifest has under "
                f"judgments.{ranked.name}.{where}",
                f"one of the ranked systems: {listing(systems) or 'there is none'}",
                "Correct the name in the manifest, or remove it there.",
            )
    for system in entry.without_outputs:
        if system in corpus.systems:
            findings.add(
                shown,
                0,
                f"ranks of {quote(system)}, which the manifest has under "
                f"judgments.{ranked.name}.without_outputs",
                "a system without an output; the corpus has one of this system",
                "Remove it from without_outputs.",
            )
    read = {*ranked.rankings.other_documents}
    for document in entry.documents:
        if not ranked.rankings.judgments and read:
            findings.add(
                shown,
                0,
                f"no ranking of the document {quote(document)}",
                f"one of the documents {listing(sorted(read))}",
                f"Correct judgments.{ranked.name}.documents in the manifest.",
            )
    judges = {conflict.judge for conflict in ranked.rankings.conflicts}
    for judge in entry.without_judges:
        if judge not in judges:
            findings.add(
                shown,
                0,
                f"no item of {quote(judge)}, whom the manifest leaves out of {ranked.name}",
                "a judge of the file",
                "Correct the name under without_judges, or remove it there.",
            )
