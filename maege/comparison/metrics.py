"""Which metrics a comparison has."""

from collections.abc import Sequence

COUNTED = ("errant", "m2")


class NoMetricError(LookupError):
    """There is no such metric of texts; the message lists what there is."""


def chosen_metrics(
    asked: Sequence[str] | None, *, has_references: bool, language: str
) -> tuple[str, ...]:
    """Return the metrics that are asked for, ERRANT first; by default those that count edits.

    And GLEU, where there are reference texts. Raises NoMetricError.
    """
    if asked is None:
        return (*COUNTED, "gleu") if has_references else COUNTED
    others = [metric for metric in asked if metric not in COUNTED]
    if others:
        # Imported here: of all metrics it knows, which takes a quarter of a second.
        from maege.analysis.compare.inference.text_metrics import text_metrics

        known = text_metrics(language)
        for metric in others:
            if metric not in known:
                raise NoMetricError(
                    f"no metric {metric} of texts; there are {', '.join((*COUNTED, *known))}"
                )
    return tuple(dict.fromkeys((COUNTED[0], *asked)))
