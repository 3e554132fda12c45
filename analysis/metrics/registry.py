"""All metrics, and all families of statistics that they read, by name."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from maege.analysis.extraction.pipeline import Missing, pipeline_status
from maege.analysis.extraction.plain_alignment import current_extractor
from maege.analysis.metrics.bleu import BleuScore, IBleuScore
from maege.analysis.metrics.chrf import ChrfScore
from maege.analysis.metrics.cleme.lengths import ClemeLengthIndependentScore, ClemeLengthScore
from maege.analysis.metrics.cleme.score import (
    Cleme2IndependentScore,
    Cleme2Score,
    ClemeIndependentScore,
    ClemeScore,
)
from maege.analysis.metrics.distance import DistanceScore, MinDistanceScore
from maege.analysis.metrics.errant import ErrantNoErrorScore, ErrantScore
from maege.analysis.metrics.families.base import EditFamily, Family, StatisticsFamily
from maege.analysis.metrics.gleu import GleuScore
from maege.analysis.metrics.gotoscorer import GoToScore, UnweightedGoToScore
from maege.analysis.metrics.green import GreenScore
from maege.analysis.metrics.gug.score import GugModel, GugScore
from maege.analysis.metrics.imeasure.score import IMeasureMixScore, IMeasureScore
from maege.analysis.metrics.m2.family import M2NoErrorScore, M2Score
from maege.analysis.metrics.referenceless.fluency import FluencyScore, ReferencelessScore
from maege.analysis.metrics.referenceless.meaning import MeaningScore, missing_package
from maege.analysis.metrics.referenceless.meteor import MeteorScore, missing_meteor
from maege.analysis.metrics.sari import MaxSariScore, SariEasseScore, SariHfScore, SariScore
from maege.analysis.metrics.scores.score import Composite, Score


@dataclass(frozen=True)
class Metric:
    """A score with a name.

    `parameters` are those of the score; the families add their own to the signature. `missing` says
    why the metric cannot run on this machine, None if it can.
    """

    name: str
    version: str
    score: Score
    parameters: tuple[tuple[str, str], ...]
    source: str
    higher_is_better: bool = True
    missing: Missing | None = None

    @property
    def families(self) -> tuple[str, ...]:
        """The names of the families whose statistics the score reads."""
        return tuple(family.name for family in self.score.families)

    @property
    def scored_elsewhere(self) -> tuple[str, ...]:
        """The metrics that it is computed from and that do not belong to a family of statistics."""
        return self.score.scored_elsewhere if isinstance(self.score, Composite) else ()

    @property
    def inputs(self) -> tuple[str, ...]:
        """Which of source, hypothesis and references the metric reads, in that order."""
        families = self.score.families
        is_read_by_name = {
            "source": any(family.reads_source or family.reads_edits for family in families),
            "hypothesis": True,
            "references": any(family.reads_references or family.reads_gold for family in families),
        }
        return tuple(name for name, is_read in is_read_by_name.items() if is_read)

    @property
    def languages(self) -> frozenset[str] | None:
        """BCP 47 tags of the languages that the metric can read, None for any."""
        return self.score.languages

    @property
    def other_languages(self) -> str:
        """Advice for a corpus in another language."""
        advice = (family.other_languages for family in self.score.families)
        return next((text for text in advice if text), "")

    @property
    def reference_based(self) -> bool:
        """Whether the metric compares with references."""
        return "references" in self.inputs

    def signature(self) -> str:
        """Return the settings behind a number, such as `ibleu|alpha:0.8|sign:plus|...|v:1`.

        The families' own signatures are in brackets.
        """
        parameters = [f"{key}:{value}" for key, value in self.parameters]
        families = [f"[{family.signature()}]" for family in self.score.families]
        return "|".join([self.name, *parameters, *families, f"v:{self.version}"])


_PAPINENI = "Papineni et al. 2002; smoothing method 3 of Chen and Cherry 2014"
_SUN = "Sun and Zhou 2012"
_NAPOLES = "Napoles et al. 2016"
_XU = "Xu et al. 2016"
_ALVA = "Alva-Manchego et al. 2019"
_KOYAMA = "Koyama et al. 2024"
_MAEGE = "Choshen and Abend 2018"

_DAHLMEIER = "Dahlmeier and Ng 2012"
_BRYANT = "Bryant et al. 2017"
_FELICE = "Felice and Briscoe 2015"
_ASANO = "Asano et al. 2017"
_HEILMAN = "Heilman et al. 2014"
_GOTOU = "Gotou et al. 2020"
_YE = "Ye et al. 2023"
_YE_2 = "Ye et al. 2024"

_NO_MODEL, _NO_WORDS = missing_package("pocketsphinx"), missing_package("spylls", "nltk")

# Signature parts of the edit extraction if no annotator made the edits.
_PIPELINE = pipeline_status()
_EXTRACTED = current_extractor().signature.replace("|", "+")
_GOLD = ("gold", f"annotated,else:{_EXTRACTED}")

# For metrics that compare edits with edits: those of the hypotheses.
_EDITS = ("edits", f"ingested,else:{_EXTRACTED}")
_CLEME_PARAMETERS = (("weights", "none"), _GOLD, _EDITS)
_CLEME2_PARAMETERS = (
    ("factors", "corpus:.45/.35/.15/.05,sentence:.35/.25/.2/.2"),
    *_CLEME_PARAMETERS,
)

_BLEU_PARAMETERS = (("smooth", "nist_geometric"), ("order", "shortest_text"))

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("bleu", "1", BleuScore(), _BLEU_PARAMETERS, _PAPINENI),
        Metric(
            "ibleu",
            "1",
            IBleuScore(),
            (("alpha", "0.8"), ("sign", "plus"), *_BLEU_PARAMETERS),
            f"{_SUN}, with the plus sign that the published numbers of {_MAEGE} need",
        ),
        Metric(
            "ibleu_minus",
            "1",
            IBleuScore(sign=-1),
            (("alpha", "0.8"), ("sign", "minus"), *_BLEU_PARAMETERS),
            f"{_SUN}, as printed in {_MAEGE}",
        ),
        Metric(
            "gleu",
            "1",
            GleuScore(),
            (("penalty", "absent"), ("smooth", "zero_to_one"), ("ref", "mean")),
            f"{_NAPOLES}, as their program computes it",
        ),
        Metric(
            "gleu_equation",
            "1",
            GleuScore("difference_penalty"),
            (("penalty", "difference"), ("smooth", "zero_to_one"), ("ref", "mean")),
            f"{_NAPOLES}, Equation 1 as printed",
        ),
        Metric("sari", "1", SariScore(), (("ref", "joint"),), _XU),
        Metric("max_sari", "1", MaxSariScore(), (("ref", "max"),), f"{_XU}; {_MAEGE}"),
        Metric("sari_easse", "1", SariEasseScore(), (("ref", "joint"),), _ALVA),
        Metric("sari_hf", "1", SariHfScore(), (("ref", "joint"),), f"{_XU}, by Hugging Face"),
        Metric(
            "min_ld",
            "1",
            MinDistanceScore(),
            (("length", "reference"), ("ref", "max")),
            f"Levenshtein 1966; {_MAEGE}",
        ),
        Metric(
            "ld",
            "1",
            DistanceScore(),
            (("length", "source"),),
            f"Levenshtein 1966; {_MAEGE}",
        ),
        Metric("chrf", "1", ChrfScore(), (("beta", "2"), ("ref", "max")), "Popović 2015"),
        Metric("green", "1", GreenScore(), (("beta", "2"), ("ref", "max")), _KOYAMA),
        Metric("green_f1", "1", GreenScore(1.0), (("beta", "1"), ("ref", "max")), _KOYAMA),
        *(
            Metric(name, "1", score, (("ref", "max"), _GOLD), _DAHLMEIER)
            for name, score in (("m2", M2Score()), ("m2_no_error", M2NoErrorScore()))
        ),
        *(
            Metric(
                name,
                "1",
                score,
                (("ref", "max"), ("edits", _EXTRACTED)),
                _BRYANT,
                missing=_PIPELINE if isinstance(_PIPELINE, Missing) else None,
            )
            for name, score in (
                ("errant", ErrantScore()),
                ("errant_no_error", ErrantNoErrorScore()),
            )
        ),
        Metric("cleme", "1", ClemeScore(), (("ref", "max"), *_CLEME_PARAMETERS), _YE),
        Metric("cleme_independent", "1", ClemeIndependentScore(), _CLEME_PARAMETERS, _YE),
        Metric("cleme2", "1", Cleme2Score(), (("ref", "max"), *_CLEME2_PARAMETERS), _YE_2),
        Metric("cleme2_independent", "1", Cleme2IndependentScore(), _CLEME2_PARAMETERS, _YE_2),
        *(
            Metric(name, "1", score, (("weights", weights), _GOLD, _EDITS), _YE)
            for name, score, weights in (
                ("cleme_length", ClemeLengthScore(), "length"),
                ("cleme_length_independent", ClemeLengthIndependentScore(), "length"),
                ("cleme_length_declared", ClemeLengthScore("declared"), "length_declared"),
                (
                    "cleme_length_independent_declared",
                    ClemeLengthIndependentScore("declared"),
                    "length_declared",
                ),
            )
        ),
        *(
            Metric(name, "1", score, (("ref", "max"), ("weights", weights), _GOLD, _EDITS), _GOTOU)
            for name, score, weights in (
                ("gotoscorer", GoToScore(), "systems"),
                ("gotoscorer_unweighted", UnweightedGoToScore(), "none"),
            )
        ),
        Metric("imeasure", "1", IMeasureScore(), (_GOLD,), _FELICE),
        Metric("imeasure_mix", "1", IMeasureMixScore(), (_GOLD,), _FELICE),
        Metric("fluency", "1", FluencyScore(), (("log", "10"),), _ASANO, missing=_NO_MODEL),
        Metric("meaning", "1", MeaningScore(), (("t", "0.85"),), _ASANO, missing=_NO_WORDS),
        Metric(
            "meaning_meteor",
            "1",
            MeteorScore(),
            (("t", "0.85"),),
            f"{_ASANO}; Denkowski and Lavie 2014",
            missing=missing_meteor(),
        ),
        Metric(
            "referenceless",
            "1",
            ReferencelessScore(),
            ReferencelessScore().parameters,
            _ASANO,
            missing=_NO_MODEL or _NO_WORDS,
        ),
        Metric(
            "grammaticality_gug",
            "1",
            GugScore(),
            GugScore().parameters,
            f"{_HEILMAN}; {_ASANO}",
            missing=Missing(
                "it was not trained", "maege train grammaticality --gug DIR, then maege build"
            ),
        ),
    )
}


def metrics_with(weights: Mapping[str, float], gug: GugModel | None = None) -> dict[str, Metric]:
    """Return all metrics, with these weights and trained models.

    Args:
        weights: weights of the parts of `referenceless`.
        gug: the trained model of `grammaticality_gug`; None if it is not trained.
    """
    score = ReferencelessScore(weights)
    changed = [replace(METRICS["referenceless"], score=score, parameters=score.parameters)]
    if gug is not None:
        trained = GugScore(gug)
        changed.append(
            replace(
                METRICS["grammaticality_gug"],
                score=trained,
                parameters=trained.parameters,
                missing=_NO_MODEL or _NO_WORDS,
            )
        )
    return METRICS | {metric.name: metric for metric in changed}


FAMILIES: dict[str, Family] = {
    family.name: family for metric in METRICS.values() for family in metric.score.families
}
TEXT_FAMILIES = {f.name: f for f in FAMILIES.values() if isinstance(f, StatisticsFamily)}
EDIT_FAMILIES = {f.name: f for f in FAMILIES.values() if isinstance(f, EditFamily)}
