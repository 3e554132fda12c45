"""The verdict of a comparison, from results with chosen numbers."""

from dataclasses import replace

import pytest

from maege.analysis.compare.comparison import compare_systems
from maege.analysis.compare.gold import Cache, Gold, GoldInput, Inputs, Output, Settings
from maege.analysis.compare.results import ByAnnotator, Interval, Mark, Result
from maege.comparison.verdict import verdict


def untested(*names: str) -> Result:
    """A comparison of equal outputs of one sentence, whose numbers a test replaces."""
    inputs = Inputs(
        GoldInput("gold.m2", "", Gold(("Fine .",), ("0",), ({"0": ()},))),
        tuple(Output(name, f"{name}.txt", "", ("Fine .",)) for name in names),
        Settings(language="xx", resamples=0, metrics=("errant",)),
        "0",
    )
    return compare_systems(inputs, Cache())


def two(difference: float, mark: Mark, by_annotator: tuple[float, ...] = ()) -> Result:
    result = untested("base", "ours")
    (comparison,) = result.comparisons
    changed = replace(
        comparison,
        difference=difference,
        ci=Interval(difference - 0.01, difference + 0.02),
        p_holm=0.04,
        mark=mark,
        by_annotator=tuple(
            ByAnnotator(f"{n}", 30, value, None) for n, value in enumerate(by_annotator)
        ),
    )
    return replace(result, comparisons=(changed,))


def test_the_difference_is_that_of_the_better_system() -> None:
    assert verdict(two(0.05, "better")) == [
        "By ERRANT F0.5 ours is better than base (+0.050, 95 % CI +0.040 to +0.070, p = 0.040)."
    ]
    # -.05 with bounds -.06 and -.03 is +.05 with bounds +.03 and +.06 for the other one.
    assert verdict(two(-0.05, "worse")) == [
        "By ERRANT F0.5 base is better than ours (+0.050, 95 % CI +0.030 to +0.060, p = 0.040)."
    ]


def test_systems_without_a_significant_difference_are_tied() -> None:
    (first, second) = verdict(two(0.005, "equal", (0.01, -0.02)))
    assert first == (
        "By ERRANT F0.5 ours and base are statistically tied (+0.005, 95 % CI −0.005 to +0.025, "
        "p = 0.040)."
    )
    assert second == (
        "Which system is better depends on the annotator (+0.010 by annotator 0, −0.020 by "
        "annotator 1)."
    )


def test_equal_outputs_have_no_difference_and_one_system_has_no_verdict() -> None:
    assert verdict(untested("base")) == []
    assert verdict(untested("base", "ours")) == [
        "By ERRANT F0.5 there is no difference: base and ours have the same outputs."
    ]


@pytest.mark.parametrize(
    ("difference", "mark", "disagree"), [(-0.02, "worse", True), (0.02, "better", False)]
)
def test_metrics_that_disagree_are_named(difference: float, mark: Mark, disagree: bool) -> None:
    result = two(0.05, "better")
    (errant,) = result.comparisons
    m2 = replace(errant, metric="m2", difference=difference, ci=None, mark=mark)
    systems = tuple(
        replace(system, scores=dict.fromkeys(("errant", "m2"), system.scores["errant"]))
        for system in result.systems
    )
    sentences = verdict(replace(result, systems=systems, comparisons=(errant, m2)))
    sentence = "The metrics disagree: ours is better by ERRANT F0.5, base by M2."
    assert (sentence in sentences) == disagree


def with_best(best: dict[str, str], tied: str) -> Result:
    """Three systems, of which each metric has its best ones and those tied with them."""
    result = untested("a", "b", "c")
    values = {"a": 0.3, "b": 0.1, "c": 0.2}
    return replace(
        result,
        systems=tuple(
            replace(
                system,
                scores={
                    metric: replace(
                        system.scores["errant"],
                        value=0.3 if system.name in names else values[system.name],
                        is_best=system.name in names,
                        is_like_best=system.name in names + tied,
                    )
                    for metric, names in best.items()
                },
            )
            for system in result.systems
        ),
    )


@pytest.mark.parametrize(
    ("best", "tied", "sentence"),
    [
        (
            {"errant": "a", "m2": "b"},
            "",
            "The metrics disagree: no system is best or tied for best by all of them.",
        ),
        (
            {"errant": "a"},
            "bc",
            "By ERRANT F0.5 a is best (0.3000); c and b are statistically tied with it.",
        ),
        (
            {"errant": "ab"},
            "",
            "By ERRANT F0.5 a and b are best (0.3000), better than all others.",
        ),
    ],
)
def test_many_systems_have_a_best_set(best: dict[str, str], tied: str, sentence: str) -> None:
    assert verdict(with_best(best, tied))[-1] == sentence
