"""Properties of every corpus, whatever its content, as queries on a built warehouse.

Each property yields a line for each violation, with the corpus' name, from which the corpus can be
generated again.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
from random_corpora import RandomCorpus

from maege.analysis.metrics.registry import METRICS

# Identifies an output sentence: system, sentence.
Cell = tuple[str, int]
# Metrics that use the best reference: an output that equals any reference has their maximum. The
# others combine or average references.
BEST_REFERENCE = (
    *("chrf", "cleme", "cleme2", "errant", "gotoscorer", "gotoscorer_unweighted", "green"),
    *("green_f1", "imeasure", "imeasure_mix", "m2", "min_ld"),
)
# Metrics that compare edits with edits.
COMPARE_EDITS = (
    *("cleme", "cleme_independent", "cleme2", "cleme2_independent", "cleme_length", "errant"),
    *("cleme_length_declared", "cleme_length_independent", "cleme_length_independent_declared"),
    *("gotoscorer", "gotoscorer_unweighted"),
)
# Metrics with a special value for an output if there is nothing to correct.
NEED_CORRECTIONS = (*COMPARE_EDITS, "imeasure", "imeasure_mix")
# Metrics that reward or punish similarity to the source in addition to that to references.
SOURCE_COUNTS = ("ibleu", "ibleu_minus")


class Built:
    def __init__(self, warehouse: Path, corpora: Sequence[RandomCorpus]) -> None:
        self.corpora = corpora
        self.connection = duckdb.connect(warehouse / "build.duckdb", read_only=True)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(sql).fetchall()

    @cached_property
    def unusable(self) -> set[tuple[str, int]]:
        """Sentences that are excluded from everything."""
        rows = self.rows(
            "select corpus, sentence_id from marts.sentence_exclusions where stage = 'corpus'"
        )
        return {(corpus, sentence) for corpus, sentence in rows}

    @cached_property
    def scores(self) -> dict[str, dict[str, dict[Cell, float]]]:
        scores: dict[str, dict[str, dict[Cell, float]]] = defaultdict(lambda: defaultdict(dict))
        for corpus, metric, system, sentence, score in self.rows(
            "select corpus, metric, system, sentence_id, score from marts.system_sentence_scores"
        ):
            scores[corpus][metric][system, sentence] = score
        return scores

    def usable(self, corpus: RandomCorpus) -> list[int]:
        return [n for n in range(len(corpus.sources)) if (corpus.name, n) not in self.unusable]

    def metrics_of(self, corpus: RandomCorpus) -> list[str]:
        unread = {
            (metric, name)
            for metric, name in self.rows(
                "select metric, corpus from marts.metric_availability where not is_available"
            )
        }
        return [name for name in METRICS if not {(name, None), (name, corpus.name)} & unread]


def every_sentence_is_used_or_says_why(built: Built) -> Iterator[str]:
    """Every output has scores and every annotation has nodes, or a row with the reason."""
    left_out: dict[tuple[str, int, str], set[tuple[str, str]]] = defaultdict(set)
    for name, sentence, annotator, system, metric, stage in built.rows(
        "select corpus, sentence_id, annotator, system, metric, stage "
        "from marts.sentence_exclusions"
    ):
        key = (system, metric) if stage == "scores" else (annotator, "")
        left_out[name, sentence, stage].add(key)
    with_nodes = {
        tuple(row)
        for row in built.rows(
            "select distinct corpus, sentence_id, annotator from marts.lattice_nodes"
        )
    }
    for corpus in built.corpora:
        metrics = built.metrics_of(corpus)
        for number in range(len(corpus.sources)):
            place = f"{corpus.name} sentence {number}"
            is_left_out = (corpus.name, number) in built.unusable
            unscored = {metric for _, metric in left_out[corpus.name, number, "scores"]}
            if not is_left_out and corpus.systems and corpus.references:
                has_none = all(texts[number] is None for texts in corpus.references.values())
                if has_none != (None in unscored):
                    yield f"{place}: has no reference: {has_none}, reported: {None in unscored}"
            for metric in set(metrics) - unscored if None not in unscored else ():
                scores = built.scores[corpus.name][metric]
                for system in corpus.systems:
                    if ((system, number) in scores) == is_left_out:
                        yield f"{place}: {metric} of {system}, left out: {is_left_out}"
            if "lattice" not in corpus.manifest or is_left_out:
                continue
            reasons = left_out[corpus.name, number, "lattices"]
            annotators = [a for a, texts in corpus.references.items() if texts[number] is not None]
            for annotator in annotators:
                has_nodes = (corpus.name, number, annotator) in with_nodes
                says_why = bool({(None, ""), (annotator, "")} & reasons)
                if has_nodes == says_why:
                    yield f"{place}: nodes of {annotator} {has_nodes}, why {says_why}"


def texts_are_what_annotations_give(built: Built) -> Iterator[str]:
    stored_texts = {
        (corpus, reference, sentence): text
        for corpus, reference, sentence, text in built.rows(
            "select corpus, reference, sentence_id, text from marts.reference_texts"
        )
    }
    for corpus in built.corpora:
        for name, texts in corpus.references.items():
            for number in built.usable(corpus):
                if (name, number) in corpus.unclear:
                    continue
                expected, text = texts[number], stored_texts.get((corpus.name, name, number))
                if (text is None) != (expected is None) or (text or "").split() != (
                    expected or ""
                ).split():
                    yield f"{corpus.name} sentence {number}: {name} has {text!r}, not {expected!r}"


def edits_and_texts_are_the_same_corrections(built: Built) -> Iterator[str]:
    """An annotation has gold edits if and only if its text differs from the source."""
    texts = {
        (corpus, reference, sentence): text.split() != source.split()
        for corpus, reference, sentence, text, source in built.rows(
            "select corpus, reference, sentence_id, references_.text, sentences.text "
            "from marts.reference_texts as references_ "
            "inner join raw.sentences as sentences using (corpus, sentence_id)"
        )
    }
    unclear = {(c.name, name, number) for c in built.corpora for name, number in c.unclear}
    # The original ignores NUCLE's type for edits that could not be typed.
    unsure = {
        (corpus.name, name, number)
        for corpus in built.corpora
        for name, annotations in corpus.annotations.items()
        for number, annotation in enumerate(annotations)
        if any(edit.error_type == "Um" for edit in annotation or ())
    }
    for metric, count in (("m2", "gold"), ("errant", "fn + tp"), ("cleme", "tp + fn + fp_ne")):
        for corpus, reference, sentence, n_gold in built.rows(
            f"select distinct corpus, reference, sentence_id, {count} from (pivot "
            "(select corpus, system, reference, sentence_id, statistic, value "
            # Listed explicitly, so that they are columns for a corpus without outputs as well.
            f"from marts.system_statistics where metric = '{metric}') "
            "on statistic in ('gold', 'tp', 'fn', 'fp_ne') using any_value(value))"
        ):
            key = (corpus, reference, sentence)
            if metric == "errant" and (corpus, reference, sentence) in unsure:
                continue
            if n_gold is None or key in unclear:
                continue
            if texts.get(key, False) != (n_gold > 0):
                yield (
                    f"{corpus} sentence {sentence}: {n_gold:.0f} gold edits of {reference} in "
                    f"{metric}; its text is another than the source: {texts.get(key)}"
                )


def nothing_beats_a_perfect_output(built: Built) -> Iterator[str]:
    """If all references are clear; with several, this holds for metrics that use the best one."""
    for corpus in built.corpora:
        if "perfect" not in corpus.systems:
            continue
        numbers = [n for n in built.usable(corpus) if corpus.has_only_right(n)]
        for metric, scores in built.scores[corpus.name].items():
            for number in numbers:
                if metric not in METRICS or not _has_maximum(metric, corpus, number):
                    continue
                perfect = scores.get(("perfect", number), math.nan)
                output_scores = {name: scores.get((name, number)) for name in corpus.systems}
                better = {
                    name: score
                    for name, score in output_scores.items()
                    if score is not None and not score <= perfect + 1e-12
                }
                if better or (metric in BEST_REFERENCE and not math.isclose(perfect, 1)):
                    place = f"{corpus.name} sentence {number}"
                    yield f"{place}: {metric} of perfect {perfect}, {better}"


def _has_maximum(metric: str, corpus: RandomCorpus, number: int) -> bool:
    texts = corpus.right_texts(number)
    if not METRICS[metric].reference_based or metric in SOURCE_COUNTS:
        return False
    if len({tuple(text.split()) for text in texts}) > 1 and metric not in BEST_REFERENCE:
        return False
    if corpus.edits_from == "file" and metric in COMPARE_EDITS:
        # Edits that are extracted from outputs have other spans than annotators' edits, and ERRANT
        # ignores `Um` of NUCLE.
        is_extracted = metric == "errant" and corpus.scheme != "errant"
        if not is_extracted or corpus.has_type(number, "Um"):
            return False
    if metric.startswith("imeasure") and not all(texts):
        return False  # of an empty text the program has numbers of its own
    if metric.startswith("cleme") and not all(texts) and any(texts):
        return False  # a reference that deletes everything is ignored if there is another one
    is_unchanged = any(text.split() == corpus.tokens[number] for text in texts)
    if is_unchanged and metric in NEED_CORRECTIONS:
        return False
    if metric.startswith("green"):
        return not is_unchanged and all(len(text.split()) >= 4 for text in texts)
    if metric == "gotoscorer" and "copy" not in corpus.systems:
        return False  # what every system corrects has no weight
    if metric in ("m2", "errant") and not corpus.is_first_text_heard(number):
        return False
    return metric != "m2" or corpus.is_in_order(number)


def the_source_copied_corrects_nothing(built: Built) -> Iterator[str]:
    """It has no true and no false positive, and no score with references that change the source."""
    copied: dict[str, dict[tuple[str, int], float]] = defaultdict(dict)
    for corpus, metric, sentence, positives in built.rows(
        "select corpus, metric, sentence_id, sum(value) from marts.system_statistics "
        "where system = 'copy' and (metric, statistic) in (('m2', 'tp'), ('m2', 'proposed'), "
        "('errant', 'tp'), ('errant', 'fp'), ('cleme', 'tp'), ('cleme', 'fp_ne'), "
        "('cleme', 'fp_un')) group by all"
    ):
        copied[corpus][metric, sentence] = positives
    for corpus in built.corpora:
        for (metric, sentence), positives in copied[corpus.name].items():
            if positives:
                yield f"{corpus.name} sentence {sentence}: {metric} finds that a copy corrects"
        if "copy" not in corpus.systems:
            continue
        for number in filter(corpus.has_only_right, built.usable(corpus)):
            if any(
                text.split() in ([], corpus.tokens[number]) for text in corpus.right_texts(number)
            ):
                continue
            has_um = corpus.has_type(number, "Um")
            for metric in ("m2", "errant", "imeasure", "gotoscorer", "cleme"):
                if has_um and metric == "errant":
                    continue
                score = built.scores[corpus.name][metric].get(("copy", number), 0)
                if score:
                    yield f"{corpus.name} sentence {number}: {metric} of a copy is {score}"


PROPERTIES: tuple[Callable[[Built], Iterable[str]], ...] = (
    every_sentence_is_used_or_says_why,
    texts_are_what_annotations_give,
    edits_and_texts_are_the_same_corrections,
    nothing_beats_a_perfect_output,
    the_source_copied_corrects_nothing,
)
