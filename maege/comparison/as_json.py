"""A comparison as JSON: maege-compare/1, which maege/comparison/schema.json describes.

Numbers are not rounded, missing values are null, and the same files give the same bytes except for
`seconds`.
"""

import json
from dataclasses import asdict
from typing import Any

from maege.analysis.compare.results import Comparison, Counts, Interval, Result, Score
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


def fields(row: object, names: str) -> dict[str, Any]:
    """Return attributes of a row for JSON or a data frame.

    `names` are separated by spaces. `ci.low:ci_low` is the attribute `low` of `ci` under the name
    `ci_low`; it is None if `ci` is None.
    """
    record = {}
    for name in names.split():
        path, _, key = name.partition(":")
        value: Any = row
        for attribute in path.split("."):
            value = None if value is None else getattr(value, attribute)
        if isinstance(value, Counts):
            value = _counts(value)
        record[key or attribute] = list(value) if isinstance(value, Interval) else value
    return record


def _counts(counts: Counts) -> dict[str, Any]:
    return fields(counts, "tp fp fn precision:p recall:r f_score:f")


def as_record(result: Result) -> dict[str, Any]:
    signature = asdict(result.signature)
    tier = {"tier": result.signature.tier}
    return {
        "schema": SCHEMA,
        "maege": signature.pop("maege"),
        "signature": signature,
        "gold": {
            **fields(result.gold, "path sha256 sentences"),
            "annotators": [dict(vars(annotator)) for annotator in result.gold.annotators],
            "edits": result.gold.edits,
            "types": result.gold.types or "none",
            "f_as_given": dict(result.f_as_given) or None,
        },
        "systems": [
            {
                **fields(system, "name path sha256 is_baseline:baseline"),
                "empty_lines": list(system.empty_lines),
                "metrics": {name: _score(score) for name, score in system.scores.items()},
            }
            for system in result.systems
        ],
        "comparisons": [_comparison(comparison) for comparison in result.comparisons],
        "verdict": verdict(result),
        "smallest_difference": result.smallest_difference,
        "types": [
            fields(row, "a b type")
            | tier
            | fields(
                row,
                "gold_a gold_b counts_a counts_b difference ci p_value:p q_value:q n_sentences "
                "is_tested:tested",
            )
            for row in result.types
        ],
        "type_sums": {name: _counts(counts) for name, counts in result.type_sums.items()},
        "edits": [dict(vars(change)) for change in result.changes],
        "edit_totals": [dict(vars(totals)) for totals in result.totals],
        "sentences": [
            {
                **fields(sentence, "id source"),
                "outputs": {
                    system.name: scored.output
                    for system, scored in zip(result.systems, sentence.systems, strict=True)
                },
                "better": dict(sentence.better),
            }
            for sentence in result.sentences
        ],
        "notes": [fields(note, "kind text is_warning:warning") for note in result.notes],
        **fields(result.signature, "resamples seed"),
        "seconds": dict(result.seconds),
    }


def _score(score: Score) -> dict[str, Any]:
    value = {"score": score.value} if score.counts is None else _counts(score.counts)
    return value | fields(
        score, "ci ranks.rank ranks.low:rank_low ranks.high:rank_high is_like_best:like_best"
    )


def _comparison(comparison: Comparison) -> dict[str, Any]:
    record = fields(
        comparison,
        "a b metric difference ci se p_randomisation p_bootstrap p_holm is_significant:significant "
        "mark",
    )
    record["by_annotator"] = [
        fields(by, "id n difference p_value:p") for by in comparison.by_annotator
    ]
    record["depends_on_annotator"] = comparison.depends_on_annotator
    if comparison.equivalence is not None:
        record["equivalence"] = fields(comparison.equivalence, "margin ci is_equivalent:equivalent")
    return record
