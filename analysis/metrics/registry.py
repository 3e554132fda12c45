"""All metrics, and all families of statistics that they read, by name."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from maege.analysis.extraction.pipeline import Missing, pipeline_status
from maege.analysis.extraction.plain_alignment import current_extractor
from maege.analysis.metrics.bleu import BleuScore, IBleuScore
from maege.analysis.metrics.chrf import ChrfScore
from maege.analysis.metrics.cleme import (
    Cleme2IndependentScore,
    Cleme2Score,
    ClemeIndependentScore,
    ClemeLengthIndependentScore,
    ClemeLengthScore,
    ClemeScore,
)
from maege.analysis.metrics.distance import DistanceScore, MinDistanceScore
from maege.analysis.metrics.errant import ErrantNoErrorScore, ErrantScore
from maege.analysis.metrics.families import EditFamily, Family, StatisticsFamily
from maege.analysis.metrics.fluency import FluencyScore, ReferencelessScore
from maege.analysis.metrics.gleu import GleuScore
from maege.analysis.metrics.gotoscorer import GoToScore, UnweightedGoToScore
from maege.analysis.metrics.green import GreenScore
from maege.analysis.metrics.gug import GugModel, GugScore
from maege.analysis.metrics.imeasure import IMeasureMixScore, IMeasureScore
from maege.analysis.metrics.m2 import M2NoErrorScore, M2Score
from maege.analysis.metrics.meaning import (
    MeaningScore,
    MeteorScore,
    missing_meteor,
    missing_package,
)
from maege.analysis.metrics.sari import MaxSariScore, SariEasseScore, SariHfScore, SariScore
from maege.analysis.metrics.scores import Composite, Score


@dataclass(frozen=True)
class Metric:
    """A score with a name; the families add their own parameters to the signature.

    `missing` says why the metric cannot run on this machine.
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
        return tuple(family.name for family in self.score.families)

    @property
    def scored_elsewhere(self) -> tuple[str, ...]:
        return self.score.scored_elsewhere if isinstance(self.score, Composite) else ()

    @property
    def inputs(self) -> tuple[str, ...]:
        families = self.score.families
        is_read_by_name = {
            "source": any(family.reads_source or family.reads_edits for family in families),
            "hypothesis": True,
            "references": any(family.reads_references or family.reads_gold for family in families),
        }
        return tuple(name for name, is_read in is_read_by_name.items() if is_read)

    @property
    def languages(self) -> frozenset[str] | None:
        return self.score.languages

    @property
    def other_languages(self) -> str:
        advice = (family.other_languages for family in self.score.families)
        return next((text for text in advice if text), "")

    @property
    def reference_based(self) -> bool:
        return "references" in self.inputs

    def signature(self) -> str:
        """Return the settings behind a number, such as `ibleu|alpha:0.8|sign:plus|[...]|v:1`."""
        parameters = [f"{key}:{value}" for key, value in self.parameters]
        families = [f"[{family.signature()}]" for family in self.score.families]
        return "|".join([self.name, *parameters, *families, f"v:{self.version}"])


_NAPOLES = "Napoles et al. 2016"
_XU = "Xu et al. 2016"
_KOYAMA = "Koyama et al. 2024"
_MAEGE = "Choshen and Abend 2018"
_DAHLMEIER = "Dahlmeier and Ng 2012"
_BRYANT = "Bryant et al. 2017"
_FELICE = "Felice and Briscoe 2015"
_ASANO = "Asano et al. 2017"
_GOTOU = "Gotou et al. 2020"
_YE, _YE_2 = "Ye et al. 2023", "Ye et al. 2024"
_IBLEU = "Sun and Zhou 2012"

_NO_MODEL, _NO_WORDS = missing_package("pocketsphinx"), missing_package("spylls", "nltk")
_PIPELINE = pipeline_status()
_NO_ERRANT = _PIPELINE if isinstance(_PIPELINE, Missing) else None

# Signature parts of the edit extraction if no annotator made the edits.
_EXTRACTED = current_extractor().signature.replace("|", "+")
_GOLD = {"gold": f"annotated,else:{_EXTRACTED}"}
# For metrics that compare edits with edits: those of the hypotheses, too.
_EDITS = _GOLD | {"edits": f"ingested,else:{_EXTRACTED}"}
_FACTORS = {"factors": "corpus:.45/.35/.15/.05,sentence:.35/.25/.2/.2", "weights": "none"}
_BLEU = {"smooth": "nist_geometric", "order": "shortest_text"}
_GLEU = {"smooth": "zero_to_one", "ref": "mean"}
_UNTRAINED = Missing("it was not trained", "maege train grammaticality --gug DIR, then maege build")


def _metric(
    name: str, score: Score, source: str, missing: Missing | None = None, /, **parameters: str
) -> Metric:
    return Metric(name, "1", score, tuple(parameters.items()), source, missing=missing)


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        _metric(
            "bleu",
            BleuScore(),
            "Papineni et al. 2002; smoothing method 3 of Chen and Cherry 2014",
            **_BLEU,
        ),
        _metric(
            "ibleu",
            IBleuScore(),
            f"{_IBLEU}, with the plus sign that the published numbers of {_MAEGE} need",
            alpha="0.8",
            sign="plus",
            **_BLEU,
        ),
        _metric(
            "ibleu_minus",
            IBleuScore(sign=-1),
            f"{_IBLEU}, as printed in {_MAEGE}",
            alpha="0.8",
            sign="minus",
            **_BLEU,
        ),
        _metric(
            "gleu",
            GleuScore(),
            f"{_NAPOLES}, as their program computes it",
            penalty="absent",
            **_GLEU,
        ),
        _metric(
            "gleu_equation",
            GleuScore("difference_penalty"),
            f"{_NAPOLES}, Equation 1 as printed",
            penalty="difference",
            **_GLEU,
        ),
        _metric("sari", SariScore(), _XU, ref="joint"),
        _metric("max_sari", MaxSariScore(), f"{_XU}; {_MAEGE}", ref="max"),
        _metric("sari_easse", SariEasseScore(), "Alva-Manchego et al. 2019", ref="joint"),
        _metric("sari_hf", SariHfScore(), f"{_XU}, by Hugging Face", ref="joint"),
        _metric(
            "min_ld",
            MinDistanceScore(),
            f"Levenshtein 1966; {_MAEGE}",
            length="reference",
            ref="max",
        ),
        _metric("ld", DistanceScore(), f"Levenshtein 1966; {_MAEGE}", length="source"),
        _metric("chrf", ChrfScore(), "Popović 2015", beta="2", ref="max"),
        _metric("green", GreenScore(), _KOYAMA, beta="2", ref="max"),
        _metric("green_f1", GreenScore(1.0), _KOYAMA, beta="1", ref="max"),
        _metric("m2", M2Score(), _DAHLMEIER, ref="max", **_GOLD),
        _metric("m2_no_error", M2NoErrorScore(), _DAHLMEIER, ref="max", **_GOLD),
        _metric("errant", ErrantScore(), _BRYANT, _NO_ERRANT, ref="max", edits=_EXTRACTED),
        _metric(
            "errant_no_error",
            ErrantNoErrorScore(),
            _BRYANT,
            _NO_ERRANT,
            ref="max",
            edits=_EXTRACTED,
        ),
        _metric("cleme", ClemeScore(), _YE, ref="max", weights="none", **_EDITS),
        _metric("cleme_independent", ClemeIndependentScore(), _YE, weights="none", **_EDITS),
        _metric("cleme2", Cleme2Score(), _YE_2, ref="max", **_FACTORS, **_EDITS),
        _metric("cleme2_independent", Cleme2IndependentScore(), _YE_2, **_FACTORS, **_EDITS),
        *(
            _metric(name, score, _YE, weights=weights, **_EDITS)
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
        _metric("gotoscorer", GoToScore(), _GOTOU, ref="max", weights="systems", **_EDITS),
        _metric(
            "gotoscorer_unweighted",
            UnweightedGoToScore(),
            _GOTOU,
            ref="max",
            weights="none",
            **_EDITS,
        ),
        _metric("imeasure", IMeasureScore(), _FELICE, **_GOLD),
        _metric("imeasure_mix", IMeasureMixScore(), _FELICE, **_GOLD),
        _metric("fluency", FluencyScore(), _ASANO, _NO_MODEL, log="10"),
        _metric("meaning", MeaningScore(), _ASANO, _NO_WORDS, t="0.85"),
        _metric(
            "meaning_meteor",
            MeteorScore(),
            f"{_ASANO}; Denkowski and Lavie 2014",
            missing_meteor(),
            t="0.85",
        ),
        _metric(
            "referenceless",
            ReferencelessScore(),
            _ASANO,
            _NO_MODEL or _NO_WORDS,
            **dict(ReferencelessScore().parameters),
        ),
        _metric(
            "grammaticality_gug",
            GugScore(),
            f"Heilman et al. 2014; {_ASANO}",
            _UNTRAINED,
            **dict(GugScore().parameters),
        ),
    )
}


def metrics_with(weights: Mapping[str, float], gug: GugModel | None = None) -> dict[str, Metric]:
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
