"""How often judges approve of edits, by how many references make them."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from maege.analysis.judgments.verdicts import INVALID, OPTIONAL, VALID, edit_class
from maege.analysis.statistics.resampling import estimated_share, too_few


class SharedVerdict(NamedTuple):
    """A judged edit: its source, what its verdicts are worth, and how many references make it."""

    source: str
    values: Sequence[float]
    made_by: str


def validity_rows(edits: Sequence[SharedVerdict], level: float) -> Iterator[dict[str, Any]]:
    """Yield a row for each number of references that make an edit, and one for all (None).

    The share is of edits; edits of one source hang together, so that Wilson's interval is that of
    as many edits as there are sources.

    Args:
        edits: judged edits.
        level: the share of samples between the bounds.

    """
    for made_by in (*sorted({edit.made_by for edit in edits}), None):
        chosen = [edit for edit in edits if made_by in (None, edit.made_by)]
        kinds = [edit_class(edit.values) for edit in chosen]
        n_sources = len({edit.source for edit in chosen})
        validity = kinds.count(VALID) / len(kinds)
        missing = too_few(sentences=n_sources)
        row = {
            "made_by": made_by,
            "n_edits": len(chosen),
            "n_sources": n_sources,
            "n_valid": kinds.count(VALID),
            "n_optional": kinds.count(OPTIONAL),
            "n_invalid": kinds.count(INVALID),
            "validity": validity,
            "too_few": missing,
        }
        if missing is None:
            interval = estimated_share(validity * n_sources, n_sources, level)
            row |= {"ci_low": interval.low, "ci_high": interval.high}
        yield row
