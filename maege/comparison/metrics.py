"""Choose the metrics of a comparison."""

from collections.abc import Sequence

from maege.names import did_you_mean

COUNTED = ("errant", "m2")


class NoMetricError(LookupError):
    """A metric is unknown or needs more than texts; the message lists the available ones."""


def chosen_metrics(
    asked: Sequence[str] | None, *, has_references: bool, language: str
) -> tuple[str, ...]:
    """Return the requested metrics, ERRANT first. Raises NoMetricError.

    Default: those that count edits, and GLEU if there are reference texts.
    """
    if asked is None:
        return (*COUNTED, "gleu") if has_references else COUNTED
    # A string is iterable, but means one name.
    asked = [asked] if isinstance(asked, str) else asked
    others = [metric for metric in asked if metric not in COUNTED]
    if others:
        # Imported late: loading all metrics takes 0.25 s.
        from maege.analysis.compare.inference import text_metrics

        known = text_metrics(language)
        names = (*COUNTED, *known)
        for metric in others:
            if metric not in known:
                near = did_you_mean(metric, names)
                if isinstance(metric, str) and "," in metric:
                    near = "Write a list with one name in each entry."
                shown = metric if str(metric).strip() else repr(metric)
                listed = ", ".join(names)
                raise NoMetricError(
                    f"there is no metric {shown} of texts; known: {listed}. {near}".rstrip()
                )
    return tuple(dict.fromkeys((COUNTED[0], *asked)))
