"""All families of statistics and all metrics, by name."""

from dataclasses import dataclass

from analysis.extraction.extractor import current_extractor
from analysis.extraction.pipeline import Missing, pipeline_status
from analysis.metrics.base import EditFamily, Family, StatisticsFamily
from analysis.metrics.bleu import Bleu, SourceBleu
from analysis.metrics.distance import ReferenceDistance, SourceDistance
from analysis.metrics.errant import Errant
from analysis.metrics.gleu import Gleu
from analysis.metrics.imeasure.measure import IMeasure, IMeasureMix
from analysis.metrics.m2.family import M2
from analysis.metrics.sari import Sari, SariSingle

TEXT_FAMILIES: dict[str, StatisticsFamily] = {
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
EDIT_FAMILIES: dict[str, EditFamily] = {
    family.name: family for family in (M2(), Errant(), IMeasure(), IMeasureMix())
}
FAMILIES: dict[str, Family] = {**TEXT_FAMILIES, **EDIT_FAMILIES}


@dataclass(frozen=True)
class Metric:
    """A sentence score computed from the statistics of one or more families.

    `parameters` are those of the score; the families add their own to the signature. `missing` says
    why the metric cannot run on this machine, where it cannot.
    """

    name: str
    version: str
    families: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    source: str
    higher_is_better: bool = True
    missing: Missing | None = None

    @property
    def inputs(self) -> tuple[str, ...]:
        """Which of source, hypothesis and references the metric reads, in that order."""
        families = [FAMILIES[name] for name in self.families]
        read = {
            "source": any(family.reads_source or family.reads_edits for family in families),
            "hypothesis": True,
            "references": any(family.reads_references or family.reads_gold for family in families),
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

_DAHLMEIER = "Dahlmeier and Ng 2012"
_BRYANT = "Bryant et al. 2017"
_FELICE = "Felice and Briscoe 2015"

# How edits come about where no annotator made them.
_PIPELINE = pipeline_status()
_EXTRACTED = current_extractor().signature.replace("|", "+")
_GOLD = ("gold", f"annotated,else:{_EXTRACTED}")

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
        Metric("m2", "1", ("m2",), (("ref", "max"), _GOLD), _DAHLMEIER),
        Metric(
            "errant",
            "1",
            ("errant",),
            (("ref", "max"), ("edits", _EXTRACTED)),
            _BRYANT,
            missing=_PIPELINE if isinstance(_PIPELINE, Missing) else None,
        ),
        Metric("imeasure", "1", ("imeasure",), (_GOLD,), _FELICE),
        Metric("imeasure_mix", "1", ("imeasure_mix",), (_GOLD,), _FELICE),
    )
}
