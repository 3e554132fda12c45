"""A comparison as JSON: maege-compare/1, which maege/comparison/schema.json describes.

Numbers are not rounded, missing values are null, and the same files give the same bytes except for
`seconds`.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from maege.analysis.compare.results import (
    Comparison,
    Counts,
    EditChange,
    Interval,
    Note,
    Result,
    Score,
    Sentence,
    System,
    TypeRow,
)
from maege.comparison.verdict import verdict
from maege.visible import visible

SCHEMA = "maege-compare/1"


def as_json(result: Result) -> str:
    """Return the whole comparison as JSON with one line per part, or per row of a part."""
    parts = [f"{json.dumps(name)}: {_lines(part)}" for name, part in as_record(result).items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(part: Any) -> str:  # noqa: ANN401 (any JSON value)
    # Writing with json's own indentation is ten times slower.
    if isinstance(part, list) and part:
        return "[\n" + ",\n".join(map(_line, part)) + "\n]"
    return _line(part)


def _line(value: Any) -> str:  # noqa: ANN401
    return visible(json.dumps(value, ensure_ascii=False, allow_nan=False))


def as_record(result: Result) -> dict[str, Any]:
    """Return the comparison as dictionaries and lists for JSON."""
    signature = asdict(result.signature)
    return {
        "schema": SCHEMA,
        "maege": signature.pop("maege"),
        "signature": signature,
        "gold": {
            "path": result.gold.path,
            "sha256": result.gold.sha256,
            "sentences": result.gold.sentences,
            "annotators": [dict(vars(annotator)) for annotator in result.gold.annotators],
            "edits": result.gold.edits,
            "types": result.gold.types or "none",
            "f_as_given": dict(result.f_as_given) or None,
        },
        "systems": [_system(system) for system in result.systems],
        "comparisons": [_comparison(comparison) for comparison in result.comparisons],
        "verdict": verdict(result),
        "smallest_difference": result.smallest_difference,
        "types": [_type(row, result.signature.tier) for row in result.types],
        "type_sums": {name: _counts(counts) for name, counts in result.type_sums.items()},
        "edits": [_edit(change) for change in result.changes],
        "edit_totals": [dict(vars(totals)) for totals in result.totals],
        "sentences": [_sentence(sentence, result) for sentence in result.sentences],
        "notes": [_note(note) for note in result.notes],
        "resamples": result.signature.resamples,
        "seed": result.signature.seed,
        "seconds": dict(result.seconds),
    }


def _system(system: System) -> dict[str, Any]:
    return {
        "name": system.name,
        "path": system.path,
        "sha256": system.sha256,
        "baseline": system.is_baseline,
        "empty_lines": list(system.empty_lines),
        "metrics": {name: _score(score) for name, score in system.scores.items()},
    }


def _score(score: Score) -> dict[str, Any]:
    value = {"score": score.value} if score.counts is None else _counts(score.counts)
    return {
        **value,
        "ci": _interval(score.ci),
        "rank": score.ranks and score.ranks.rank,
        "rank_low": score.ranks and score.ranks.low,
        "rank_high": score.ranks and score.ranks.high,
        "like_best": score.is_like_best,
    }


def _counts(counts: Counts) -> dict[str, Any]:
    return {
        "tp": counts.tp,
        "fp": counts.fp,
        "fn": counts.fn,
        "p": counts.precision,
        "r": counts.recall,
        "f": counts.f_score,
    }


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _comparison(comparison: Comparison) -> dict[str, Any]:
    record: dict[str, Any] = {
        "a": comparison.a,
        "b": comparison.b,
        "metric": comparison.metric,
        "difference": comparison.difference,
        "ci": _interval(comparison.ci),
        "se": comparison.se,
        "p_randomisation": comparison.p_randomisation,
        "p_bootstrap": comparison.p_bootstrap,
        "p_holm": comparison.p_holm,
        "significant": comparison.is_significant,
        "mark": comparison.mark,
        "by_annotator": [
            {"id": by.id, "n": by.n, "difference": by.difference, "p": by.p_value}
            for by in comparison.by_annotator
        ],
        "depends_on_annotator": comparison.depends_on_annotator,
    }
    if comparison.equivalence is not None:
        record["equivalence"] = {
            "margin": comparison.equivalence.margin,
            "ci": _interval(comparison.equivalence.ci),
            "equivalent": comparison.equivalence.is_equivalent,
        }
    return record


def _type(row: TypeRow, tier: int) -> dict[str, Any]:
    return {
        "a": row.a,
        "b": row.b,
        "type": row.type,
        "tier": tier,
        "gold_a": row.gold_a,
        "gold_b": row.gold_b,
        "counts_a": _counts(row.counts_a),
        "counts_b": _counts(row.counts_b),
        "difference": row.difference,
        "ci": _interval(row.ci),
        "p": row.p_value,
        "q": row.q_value,
        "n_sentences": row.n_sentences,
        "tested": row.is_tested,
    }


def _edit(change: EditChange) -> dict[str, Any]:
    return dict(vars(change))


def _sentence(sentence: Sentence, result: Result) -> dict[str, Any]:
    outputs: Mapping[str, str] = {
        system.name: sentence_of_system.output
        for system, sentence_of_system in zip(result.systems, sentence.systems, strict=True)
    }
    return {
        "id": sentence.id,
        "source": sentence.source,
        "outputs": outputs,
        "better": dict(sentence.better),
    }


def _note(note: Note) -> dict[str, Any]:
    return {"kind": note.kind, "text": note.text, "warning": note.is_warning}
