"""The page of a card, made from rows by hand."""

import io
from typing import Any

import pytest
from rich.console import Console

from maege.cards.facts import Card
from maege.cards.output import WIDTH, markdown, show
from maege.cards.page import page, shortened
from maege.cards.parts import Change, Lines, Table
from maege.cards.verdict import TIED
from maege.rows import Row

COLUMNS = """
    corpus measure condition reference_set value ci_low ci_high draws_low draws_high chance_low
    chance_high p_value q_value n rank n_ranked text
"""
NOTHING = dict.fromkeys(COLUMNS.split())


def fact(section: str, item: str, **values: Any) -> Row:
    """Return a row of mart metric_cards; what is not given is NULL."""
    return {**NOTHING, "metric": "mine", "section": section, "item": item, **values}


def ranked(references: str, method: str, value: float, **values: Any) -> Row:
    """Return a correlation with the judgments `judges`."""
    row = fact("system", "judges", reference_set=references, condition=method, value=value)
    return {**row, "n": 12, "rank": 3, "n_ranked": 9, **values}


def printed(card: Card) -> str:
    """Return the page on a terminal, its runs of white space squeezed to one space."""
    stream = io.StringIO()
    show(page(card), Console(file=stream, width=WIDTH, highlight=False, markup=False))
    return " ".join(stream.getvalue().split())


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # Before the first change, between two, and behind the last; six words stay on each side.
        ([("same", "a b c d e f g"), ("deleted", "x")], "... b c d e f g"),
        ([("inserted", "x"), ("same", "a b c d e f g")], "a b c d e f ..."),
        (
            [("deleted", "x"), ("same", "a b c d e f g h i j k l m"), ("deleted", "y")],
            "a b c d e f ... h i j k l m",
        ),
        ([("same", "a b c d e f"), ("deleted", "x")], "a b c d e f"),
    ],
)
def test_long_unchanged_stretches_are_shortened(changes: list[Change], expected: str) -> None:
    assert [text for kind, text in shortened(changes) if kind == "same"] == [expected]


def test_card_gives_rank_ties_and_verdict() -> None:
    # Of 16 pairs, 2 are concordant, 5 discordant and 9 tied: (2 - 5) / 16. It still has a rank.
    pair_facts = {"condition": "random_source", "n": 16}
    facts = [
        fact("sentence", "chains", measure=measure, value=value, **pair_facts, **details)
        for measure, value, details in (
            ("kendall_tau_a", -3 / 16, {"rank": 19, "n_ranked": 22}),
            ("chance_p_value", 0.0004, {"text": "worse than chance"}),
            ("strict_accuracy", 2 / 16, {}),
            ("tied_share", 9 / 16, {}),
        )
    ]

    text = printed(Card("mine", "c", facts, []))

    assert "sentences: tau −0.19 19 of 22 verdict worse than chance p < 0.001" in text
    assert "concordant 0.12 tied 0.56" in text


def at_level(level: str, metric: str, estimate: float, verdict: str, best: bool) -> Row:
    """Return a row of mart best_metrics with an interval of 0.1 on both sides."""
    return {
        "level": level,
        "corpus": "c",
        "judgment_set": None,
        "metric": metric,
        "estimate": estimate,
        "ci_low": estimate - 0.1,
        "ci_high": estimate + 0.1,
        "verdict": verdict,
        "best_share": 1.0 if best else 0.0,
        "in_best_set": best,
        "n": 50,
        "too_few": None,
    }


def test_card_begins_with_a_verdict() -> None:
    # Best at noticing wrong edits, below the best at sentences, no better than chance at corpora.
    better, chance = "better than chance", "not better than chance"
    tasks = [
        at_level("sentence", "mine", 0.2, better, best=False),
        at_level("sentence", "gleu", 0.5, better, best=True),
        at_level("corpus", "mine", 0.05, chance, best=False),
        at_level("corpus", "gleu", 0.75, better, best=True),
        at_level("edit", "mine", 0.9, better, best=True),
        at_level("edit", "gleu", 0.6, better, best=False),
    ]
    tied = fact("comparisons", "gleu", condition="random_source", value=-0.3, text=TIED)
    facts = [tied | {"ci_low": -0.6, "ci_high": -0.01}]

    first, table, *_ = page(Card("mine", "c", facts, [], tasks=tasks, against=["gleu"]))

    assert first == Lines(
        "mine on c",
        [
            "mine can be trusted for noticing wrong edits. No metric is significantly better at "
            "it.",
            "mine is better than chance at ordering corrections of one sentence, but "
            "significantly worse than the best metric.",
            "mine cannot be trusted for ranking corpora of known quality. It is not better than "
            "chance at it.",
            "At ordering corrections of one sentence, mine is statistically tied with gleu (tau "
            "difference −0.30, 95 % CI −0.60 to −0.01; not significant after correction for all "
            "pairs of metrics).",
        ],
    )
    assert isinstance(table, Table)
    assert [row[1:] for row in table.rows] == [
        ("[0.10, 0.30]", "0.20 ", "0.50*"),
        ("[−0.05, 0.15]", "0.05 ", "0.75*"),
        ("[80 %, 100 %]", "90 %*", "60 % "),
    ]


def test_self_referenced_metric_has_no_rank_and_one_sentence_that_says_why() -> None:
    own = {"rank": None, "n_ranked": None, "text": "self-referenced", "n": 16}
    sentences = {"condition": "random_source", "measure": "kendall_tau_a", "value": 0.99}
    facts = [
        fact("sentence", "chains", **sentences, **own),
        fact("edit", "all", value=1.0, **own),
        fact("comparisons", "gleu", condition="random_source", value=0.4, text="not judged"),
    ]

    text = printed(Card("mine", "c", facts, []))

    assert "sentences: tau 0.99 none" in text
    assert "100.0 % of 16 pairs , self-referenced; chance 50 %" in text
    assert text.count("Self-referenced, so without ranks") == 1
    assert "Is it better than others" not in text


def test_cards_without_lattices_show_inputs() -> None:
    card = Card("mine", None, [fact("coverage", "inputs", text="not installed. install it")], [])

    title, maege = page(card)

    assert title == Lines("mine", ["Scores: not installed. install it."])
    assert isinstance(maege, Lines)
    assert "No corpus" in maege.lines[0]


def test_best_and_worst_references_and_chance_are_shown() -> None:
    facts = [
        ranked("bn10", "trueskill", 0.625, ci_low=-0.25, ci_high=1.0),
        ranked("bn10", "expected_wins", 0.5),
        ranked("nucle", "trueskill", 0.75),
        ranked("nuclea", "trueskill", -0.5),
        {**ranked("nucle", "trueskill", 0.25), "metric": "chance_length", "rank": None},
        fact("error_types", "Nn", value=0.125, ci_low=0.0, ci_high=0.25, n=10),
        fact("error_types", "Vt", value=-12.5, ci_low=-25.0, ci_high=-1.0, q_value=0.01, n=1200),
        fact("error_types", "Prep", value=0.5, n=9),
    ]

    shown = printed(Card("mine", None, facts, []))

    assert "judges (12) nucle 0.75 3 of 9 nuclea −0.50 3 of 9 chance: length 0.25 In" in shown
    assert "bn10" not in shown
    # Error types with fewer than ten pairs are excluded.
    assert "Nn +0.125 [0.000, +0.250] 10 Vt −12.5 [−25.0, −1.000] 1,200" in shown
    assert "Prep" not in shown
    assert "Significantly punished types (q below 0.05): 1." in shown


def adversarial(name: str, references: str, value: float, n: int, rank: int) -> Row:
    """Return what an adversarial output scores among 13 real systems, of which it beats n."""
    row = fact("adversarial", name, reference_set=references, value=value, n=n, rank=rank)
    return {**row, "n_ranked": 13}


def test_outputs_that_beat_systems_are_named_with_the_references_that_help_them_most() -> None:
    facts = [
        adversarial("source", "bn10", 0.75, 4, 10),
        adversarial("source", "nucle", 0.5, 1, 13),
        adversarial("empty", "bn10", 0.0, 0, 14),
        adversarial("injected_prompt", "nucle", 0.45, 0, 14),
        adversarial("injected_prompt", "bn10", 0.65, 2, 12),
        adversarial("own_reference", "bn10", 1.0, 13, 1),
        adversarial("own_reference", "nucle", 0.25, 12, 2),
    ]

    shown = printed(Card("mine", None, facts, []))

    for sentence in (
        "Beaten by: the source copied, 0.75, above 4 of 13 systems (references bn10).",
        "A prompt that asks for 5 points, appended to the copied source, changes its score from "
        "0.75 to 0.65 (references bn10).",
        "A perfect output, one of the references, has 0.25 and would only have rank 2 among 13 "
        "systems (references nucle).",
    ):
        assert sentence in shown
    assert "nothing at all" not in shown


def test_other_metrics_and_error_types_are_grouped_by_verdict() -> None:
    # The standard error of gleu is 0.05, so its margin of equivalence is 0.05 + 1.645 x 0.05.
    ends = {"ci_low": -0.05 - 0.098, "ci_high": -0.05 + 0.098}
    facts = [
        fact("comparisons", name, condition="random_source", value=value, text=text, **more)
        for name, value, text, more in (
            ("bleu", 0.25, "better", {}),
            ("gleu", -0.05, TIED, ends),
            ("m2", -0.001, TIED, {}),
            ("lt", -1.25, "worse", {}),
        )
    ]
    facts += [
        fact("type_comparisons", other, condition=error_type, q_value=q_value, text=text)
        for other, error_type, q_value, text in (
            ("bleu", "Vt", 0.03, "better"),
            ("bleu", "Nn", 0.01, "better"),
            ("bleu", "Prep", 0.02, "worse"),
            ("gleu", "Nn", 0.5, TIED),
        )
    ]

    shown = printed(Card("mine", None, facts, []))

    assert "better than: bleu +0.25. Statistically tied with: gleu −0.05 (0.13), m2 0.00" in shown
    assert "worse than: lt −1.25." in shown
    # The smallest q first; gleu, which does not differ, has no row.
    assert "bleu Nn, Vt Prep 3 error types are in enough sentences to be tested." in shown


def test_markdown_shows_texts_as_they_are() -> None:
    pair = {
        "rank": 1, "sentence_id": 7, "error_type": None, "n_edits_between": 2, "lower_score": 0.5,
        "upper_score": 0.25, "experiment": "random_source",
        "lower_text": "a * b | c", "upper_text": "a * b_1",
    }  # fmt: skip

    text = markdown(page(Card("my_metric", None, [], [pair])))

    assert text.startswith("# my\\_metric\n")
    assert "1. sentence 7, 2 edits: 0.500 to 0.250  \n   a \\* ~~b \\| c~~ **b\\_1**\n" in text


def test_card_estimates_the_references_that_are_needed() -> None:
    """A crowd's estimate is preferred to one without a crowd; `few` cannot reach 95 %."""
    of = {"reference_set": "texts", "n": 4, "measure": "adjustment"}
    needed = {"measure": "references_needed"}
    facts = [
        fact("references", "crowd_index", value=0.123, **of),
        fact("references", "jackknife", value=0.2, **of),
        fact("references", "pairs", reference_set="texts", value=1.0, **needed),
        fact("references", "pairs", reference_set="few", **needed),
    ]
    text = printed(Card("mine", None, facts, []))
    assert "instead of 4, would add 0.12 to a system's score (texts; crowd_index)." in text
    assert "jackknife" not in text
    assert "as other annotators would: 1 (texts)." in text
    assert "as other annotators would: more than half of the available ones (few)." in text


def test_cards_mention_extracted_lattices_and_agreement() -> None:
    facts = [fact("sentence", "chains", measure="kendall_tau_a", value=0.5, n=16)]
    note = "This corpus has no annotated edits"
    assert note in printed(Card("mine", "c", facts, [], "references"))
    assert note not in printed(Card("mine", "c", facts, [], "annotators"))

    preferred = {"corpus": "c", "agreement": 0.625, "ci_low": 0.5, "ci_high": 0.75}
    counts = {"n_pairs": 1200, "n_sentences": 40, "position_bias": 0.1}
    text = printed(Card("mine", None, [], [], None, [preferred | counts]))
    assert "c 0.62 [0.50, 0.75] 1,200 40 0.10" in text
