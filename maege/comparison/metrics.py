"""Which metrics a comparison has."""

from collections.abc import Sequence

from maege.names import did_you_mean

COUNTED = ("errant", "m2")


class NoMetricError(LookupError):
    """There is no such metric of texts; the message lists what there is."""


def chosen_metrics(
    asked: Sequence[str] | None, *, has_references: bool, language: str
) -> tuple[str, ...]:
    """Return the requested metrics, ERRANT first; by default those that count edits.

    And GLEU, where there are reference texts. Raises NoMetricError.
    """
    if asked is None:
        return (*COUNTED, "gleu") if has_references else COUNTED
    # A text is one name, not a list of letters.
    asked = [asked] if isinstance(asked, str) else asked
    others = [metric for metric in asked if metric not in COUNTED]
    if others:
        # Imported here: of all metrics it knows, which takes a quarter of a second.
        from maege.analysis.compare.inference import text_metrics

        known = text_metrics(language)
        names = (*COUNTED, *known)
        for metric in others:
            if metric not in known:
                near = did_you_mean(metric, names)
                if isinstance(metric, str) and "," in metric:
                    near = "Write a list with one name in each entry."
                shown = metric if str(metric).strip() else repr(metric)
                raise NoMetricError(
                    f"no metric {shown} of texts; there are {', '.join(names)}. {near}".rstrip()
                )
    return tuple(dict.fromkeys((COUNTED[0], *asked)))
