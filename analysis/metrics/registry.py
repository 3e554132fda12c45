"""All families of statistics and all metrics, by name."""

from dataclasses import dataclass

from analysis.metrics.base import StatisticsFamily
from analysis.metrics.bleu import Bleu, SourceBleu
from analysis.metrics.distance import ReferenceDistance, SourceDistance
from analysis.metrics.gleu import Gleu
from analysis.metrics.sari import Sari, SariSingle

FAMILIES: dict[str, StatisticsFamily] = {
    family.name: family
    for family in (
        Bleu(),
        SourceBleu(),
        Gleu(),
        Sari(),
        SariSingle(),
        SourceDistance(),
        ReferenceDistance(),
    )
}


@dataclass(frozen=True)
class Metric:
    """A sentence score computed from the statistics of one or more families.

    `parameters` are those of the score; the families add their own to the signature.
    """

    name: str
    version: str
    families: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    source: str
    higher_is_better: bool = True

    @property
    def inputs(self) -> tuple[str, ...]:
        """Which of source, hypothesis and references the metric reads, in that order."""
        families = [FAMILIES[name] for name in self.families]
        read = {
            "source": any(family.reads_source for family in families),
            "hypothesis": True,
            "references": any(family.reads_references for family in families),
        }
        return tuple(name for name, is_read in read.items() if is_read)

    @property
    def reference_based(self) -> bool:
        """Whether the metric compares with references."""
        return "references" in self.inputs

    def signature(self) -> str:
        """Return what a number was computed with, such as `ibleu|alpha:0.8|sign:plus|...|v:1`.

        The families' own signatures stand in brackets.
        """
        parameters = [f"{key}:{value}" for key, value in self.parameters]
        families = [f"[{FAMILIES[name].signature()}]" for name in self.families]
        return "|".join([self.name, *parameters, *families, f"v:{self.version}"])


_PAPINENI = "Papineni et al. 2002; smoothing method 3 of Chen and Cherry 2014"
_SUN = "Sun and Zhou 2012"
_NAPOLES = "Napoles et al. 2016"
_XU = "Xu et al. 2016"
_MAEGE = "Choshen and Abend 2018"

_BLEU_PARAMETERS = (("smooth", "nist_geometric"), ("order", "shortest_text"))

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("bleu", "1", ("bleu",), _BLEU_PARAMETERS, _PAPINENI),
        Metric(
            "ibleu",
            "1",
            ("bleu", "source_bleu"),
            (("alpha", "0.8"), ("sign", "plus"), *_BLEU_PARAMETERS),
            f"{_SUN}, with the plus sign that the published numbers of {_MAEGE} need",
        ),
        Metric(
            "ibleu_minus",
            "1",
            ("bleu", "source_bleu"),
            (("alpha", "0.8"), ("sign", "minus"), *_BLEU_PARAMETERS),
            f"{_SUN}, as printed in {_MAEGE}",
        ),
        Metric(
            "gleu",
            "1",
            ("gleu",),
            (("penalty", "absent"), ("smooth", "zero_to_one"), ("ref", "mean")),
            f"{_NAPOLES}, as their program computes it",
        ),
        Metric(
            "gleu_equation",
            "1",
            ("gleu",),
            (("penalty", "difference"), ("smooth", "zero_to_one"), ("ref", "mean")),
            f"{_NAPOLES}, Equation 1 as printed",
        ),
        Metric("sari", "1", ("sari",), (("ref", "joint"),), _XU),
        Metric("max_sari", "1", ("sari_single",), (("ref", "max"),), f"{_XU}; {_MAEGE}"),
        Metric(
            "min_ld",
            "1",
            ("reference_distance",),
            (("length", "reference"), ("ref", "max")),
            f"Levenshtein 1966; {_MAEGE}",
        ),
        Metric(
            "ld",
            "1",
            ("source_distance",),
            (("length", "source"),),
            f"Levenshtein 1966; {_MAEGE}",
        ),
    )
}
