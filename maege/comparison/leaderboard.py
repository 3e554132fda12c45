"""The page of a shared task: the ranking of the systems of a corpus, from the published marts."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, groupby
from operator import itemgetter
from typing import Any

import duckdb

from maege.analysis.metrics.errant import BETA
from maege.comparison.numbers import SIGNS, format_f, metric_name
from maege.comparison.pages.page import (
    Mark,
    PageSection,
    outcome,
    page,
    score_figure,
    table_html,
)
from maege.comparison.pages.tables import (
    CORRECTED,
    Cell,
    Emphasis,
    Table,
    excludes_zero,
    rank_range,
    table,
)
from maege.names import UnknownError, in_a_sentence, unknown
from maege.numbers import format_change, format_number, format_p, format_score, interval
from maege.rows import Row, records

ALPHA = 0.05
PREFERRED = ("errant", "m2", "gleu")
SOURCE = "INPUT"
_CHOICES = """
    select distinct scores.metric, scores.reference_set, coalesce(sets.is_default, false)
    from system_scores as scores
    left join reference_sets as sets using (corpus, reference_set)
    where scores.corpus = $corpus
    order by 3 desc, 2, 1
"""
_RANKING = """
    select scores.*, metrics.higher_is_better
    from system_scores as scores
    left join metrics using (metric)
    where scores.corpus = $corpus and scores.reference_set = $reference_set
        and scores.metric = $metric
        and scores.system not in (
            select system from systems where corpus = $corpus and kind = 'adversarial'
        )
    order by rank, if(metrics.higher_is_better, -corpus_score, corpus_score), system
"""
# Each pair in both orders, with the difference of the first system to the second.
_PAIRS = """
    select system_a as system, system_b as other, difference, ci_low, ci_high, p_value, p_holm,
        n_resamples
    from system_comparisons
    where corpus = $corpus and reference_set = $reference_set and metric = $metric
    union all
    select system_b, system_a, -difference, -ci_high, -ci_low, p_value, p_holm,
        n_resamples
    from system_comparisons
    where corpus = $corpus and reference_set = $reference_set and metric = $metric
"""
_COUNTS = """
    select system, tp, fp, fn, precision, recall, f_score from edit_metric_scores
    where corpus = $corpus and reference_set = $reference_set and metric = $edit_metric
        and aspect = 'correction'
"""
_TYPES = """
    select system, error_type, tp, fp, fn, f_score, n_sentences, too_few from type_scores
    where corpus = $corpus and reference_set = $reference_set
"""
# M2 stores the numbers of proposed and of gold edits, ERRANT false positives and negatives.
_ANNOTATORS = """
    with sums as (
        select
            reference,
            system,
            sum(value) filter (where statistic = 'tp') as tp,
            sum(value) filter (where statistic in ('proposed', 'fp')) as proposed_or_fp,
            sum(value) filter (where statistic in ('gold', 'fn')) as gold_or_fn,
            if($edit_metric = 'errant', tp, 0) as more
        from system_statistics
        where corpus = $corpus and reference_set = $reference_set and metric = $edit_metric
            and reference is not null
        group by reference, system
    )
    select
        reference,
        system,
        coalesce(
            1.25 * tp / nullif(proposed_or_fp + more + 0.25 * (gold_or_fn + more), 0), 1
        ) as f_score
    from sums
    order by reference, system
"""
_SENTENCES = """
    select sentence_id, source_text from sentences where corpus = $corpus order by sentence_id
"""
_EDITS = """
    select sentence_id, system, start_token, end_token, correction, error_type, n_references
    from system_edits
    where corpus = $corpus and reference_set = $reference_set
    order by sentence_id, system, edit_index
"""
_GOLD = """
    select sentence_id, start_token, end_token, correction, error_type, annotator
    from gold_edits
    inner join reference_sets using (corpus, annotation_set)
    where corpus = $corpus and reference_set = $reference_set
    order by sentence_id, start_token, end_token, correction, error_type, annotator
"""
_TEXTS = """
    select sentence_id, reference, text
    from reference_texts
    inner join reference_sets using (corpus, reference_set)
    where corpus = $corpus and reference_set = $reference_set and annotation_set is null
    order by sentence_id, reference
"""
_ASKED = """
    select sentence_id, list(distinct reference order by reference) as annotators
    from system_statistics
    where corpus = $corpus and reference_set = $reference_set and metric in ('errant', 'm2')
        and reference is not null
    group by sentence_id
"""


@dataclass(frozen=True)
class Leaderboard:
    """The systems of a corpus by one metric with one reference set.

    `ranking` are rows of `system_scores`, the best system first; `groups` are lists of system
    names between which every system is significantly better than every system of a later list.
    """

    title: str
    metric: str
    verdict: list[str]
    lead: str
    ranking: list[Row]
    groups: list[list[str]]
    colophon: str
    tables: dict[str, Table]
    edits: dict[str, Any] | None

    @property
    def systems(self) -> list[str]:
        return [row["system"] for row in self.ranking]


def read_leaderboard(
    connection: duckdb.DuckDBPyConnection,
    corpus: str,
    metric: str | None = None,
    reference_set: str | None = None,
) -> Leaderboard:
    """Return the leaderboard; default: ERRANT, default references. UnknownError without scores."""
    titles = dict(connection.execute("select corpus, title from corpora").fetchall())
    if corpus not in titles:
        raise UnknownError(unknown("corpus", corpus, list(titles)))
    metric, reference_set = _choice(connection, corpus, metric, reference_set)
    edit_metric = "m2" if metric == "m2" else "errant"
    values = {
        "corpus": corpus,
        "metric": metric,
        "reference_set": reference_set,
        "edit_metric": edit_metric,
    }

    def rows(query: str) -> list[Row]:
        used = {name: value for name, value in values.items() if f"${name}" in query}
        return records(connection.execute(query, used))

    ranking = rows(_RANKING)
    name, edit_name = metric_name(metric, BETA), metric_name(edit_metric, BETA)
    pairs = {(row["system"], row["other"]): row for row in rows(_PAIRS)}
    groups = _groups(ranking)
    systems = [row["system"] for row in ranking]
    edits = _edits(rows, systems)
    annotators = [row for row in rows(_ANNOTATORS) if row["system"] in systems]
    higher_is_better = ranking[0]["higher_is_better"] is not False
    tables = {
        "ranking": _ranking_table(ranking, groups, name),
        "pairs": _matrix(systems, pairs, name, higher_is_better=higher_is_better),
        "tests": _tests(systems, pairs),
        "types": _types(systems, rows(_TYPES), has_edits=edits is not None),
        "counts": _counts(systems, rows(_COUNTS), edit_name),
        "annotators": _by_annotator(systems, annotators, edit_name),
    }
    facts = dict(connection.execute("select fact, value from publication").fetchall())
    return Leaderboard(
        titles[corpus] or corpus,
        metric,
        [
            *_verdict(ranking, name),
            *_few_resamples(pairs),
            *_best_by_annotator(annotators, edit_name),
        ],
        _lead(ranking, name, reference_set),
        ranking,
        groups,
        f"Made with maege {facts['maege']} from results of {facts['built_at']} UTC.",
        {key: table for key, table in tables.items() if table.rows},
        edits,
    )


def _choice(
    connection: duckdb.DuckDBPyConnection,
    corpus: str,
    metric: str | None,
    reference_set: str | None,
) -> tuple[str, str]:
    choices = connection.execute(_CHOICES, {"corpus": corpus}).fetchall()
    if not choices:
        raise UnknownError(f"{corpus} has no scores of systems: add systems to its manifest")
    metrics = list(dict.fromkeys(scorer for scorer, *_ in choices))
    if metric is None:
        metric = next((name for name in PREFERRED if name in metrics), metrics[0])
    if metric not in metrics:
        raise UnknownError(unknown("metric", metric, metrics))
    sets = list(dict.fromkeys(name for scorer, name, _ in choices if scorer == metric))
    if reference_set is not None and reference_set not in sets:
        raise UnknownError(unknown(f"reference set with scores by {metric}", reference_set, sets))
    return metric, reference_set or sets[0]


def _groups(ranking: Sequence[Row]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    last = 0
    for place, row in enumerate(ranking):
        if place and last <= place:
            groups.append([])
        groups[-1].append(row["system"])
        # Without tests nothing separates the systems.
        last = max(last, row["rank_high"] or len(ranking))
    return groups


def _verdict(ranking: Sequence[Row], name: str) -> Iterator[str]:
    best = ranking[0]
    if len(ranking) == 1:
        yield f"{best['system']} has {name} {_score(best['corpus_score'])}."
        return
    leads = f"By {name}, {best['system']} is best ({_score(best['corpus_score'])})."
    if best["rank"] is None:
        yield f"{leads} The differences were not tested: there are too few sentences."
        return
    tied = [row["system"] for row in ranking[1:] if row["rank_low"] == 1]
    if tied:
        verb = "are" if len(tied) > 1 else "is"
        yield f"{leads} {in_a_sentence(tied)} {verb} statistically tied with it."
    else:
        yield f"{leads} It is significantly better than all other systems."


def _few_resamples(pairs: dict[tuple[str, str], Row]) -> Iterator[str]:
    """Yield that no test can be significant, if the smallest possible p-value is too large."""
    n_pairs = sum(row["p_value"] is not None for row in pairs.values()) // 2
    if not n_pairs:
        return
    n_resamples = next(iter(pairs.values()))["n_resamples"]
    # The smallest p-value of a test is 1 / (resamples + 1), and Holm's correction multiplies it.
    if n_pairs / (n_resamples + 1) >= ALPHA:
        yield (
            f"No difference can be significant: {n_resamples:,} resamples are too few for "
            f"{n_pairs:,} pairs of systems. Build with the variable test_resamples of at least "
            f"{round(n_pairs / ALPHA):,}."
        )


def _best_by_annotator(rows: Sequence[Row], name: str) -> Iterator[str]:
    """Yield which systems are best with each annotator alone, if that depends on the annotator."""
    best: dict[str, list[str]] = {}
    for annotator, scored in groupby(rows, itemgetter("reference")):
        best.setdefault(max(scored, key=itemgetter("f_score"))["system"], []).append(annotator)
    if len(best) > 1:
        parts = (
            f"{system} with annotator{'s' if len(names) > 1 else ''} {in_a_sentence(names)}"
            for system, names in best.items()
        )
        yield f"The best system by {name} depends on the annotator: {'; '.join(parts)}."


def _lead(ranking: Sequence[Row], name: str, reference_set: str) -> str:
    n_sentences = max(row["n_sentences"] for row in ranking)
    n_systems = sum(row["system"] != SOURCE for row in ranking)
    source = "" if n_systems == len(ranking) else f" {SOURCE} is the unchanged source."
    return (
        f"{n_systems} system{'' if n_systems == 1 else 's'}, {n_sentences:,} sentences, "
        f"reference set {reference_set}. "
        f"The ranking is by {name} with 95 % bootstrap confidence intervals.{source}"
    )


def _score(value: float) -> str:
    return format_score(value, 4)


def _ranking_table(ranking: Sequence[Row], groups: Sequence[Sequence[str]], name: str) -> Table:
    has_tests = all(row["rank"] is not None for row in ranking)
    group_of = {system: number for number, group in enumerate(groups, 1) for system in group}
    columns = ["system", "rank", "rank range", name, "95 % CI", "group"]
    rows = []
    for place, row in enumerate(ranking):
        emphasis: Emphasis = (
            "best" if place == 0 else "like_best" if row["rank_low"] == 1 else "none"
        )
        score = Cell(_score(row["corpus_score"]), emphasis)
        cells = [row["system"], score, interval(row, lambda value: format_score(value, 3))]
        if has_tests:
            cells[1:1] = [f"{row['rank']}", rank_range(row["rank_low"], row["rank_high"])]
            cells.append(f"{group_of[row['system']]}")
        rows.append(cells)
    caption = (
        "Rank range: the ranks that the paired tests against all other systems allow (approximate "
        "randomisation, Holm's correction). Every system of a group is significantly better than "
        "every system of a later group; two systems of a group may still differ significantly."
    )
    if not has_tests:
        caption, columns = "", ["system", name, "95 % CI"]
    return table(caption, columns, rows, breaks=accumulate(map(len, groups[:-1])))


def _matrix(
    systems: Sequence[str],
    pairs: dict[tuple[str, str], Row],
    name: str,
    *,
    higher_is_better: bool,
) -> Table:
    """Return a row and a column for each system: by how much the row's system scores higher."""
    caption = (
        f"{name} of the system in the row minus that of the system in the column. "
        "▲ significantly better, ▼ significantly worse, = statistically tied (p < 0.05 after "
        "Holm's correction for all pairs)."
    )
    rows = (
        [system, *(_pair_cell(pairs.get((system, other)), higher_is_better) for other in systems)]
        for system in systems
        if any((system, other) in pairs for other in systems)
    )
    return table(caption, ["system", *systems], rows)


def _pair_cell(row: Row | None, higher_is_better: bool) -> Cell:
    if row is None:
        return Cell("")
    shown = format_change(row["difference"])
    if row["p_holm"] is None:
        return Cell(shown, "quiet")
    if row["p_holm"] >= ALPHA:
        return Cell(shown, "quiet", SIGNS["equal"])
    is_better = (row["difference"] > 0) == higher_is_better
    return Cell(shown, mark=SIGNS["better" if is_better else "worse"])


def _tests(systems: Sequence[str], pairs: dict[tuple[str, str], Row]) -> Table:
    listed = [row for pair in combinations(systems, 2) if (row := pairs.get(pair))]
    shown = [row for row in listed if row["p_holm"] is not None]
    caption = "Paired tests (approximate randomisation over sentences)."
    tied = [row for row in shown if row["p_holm"] >= ALPHA]
    if any(excludes_zero(row["ci_low"], row["ci_high"]) for row in tied):
        caption += f" {CORRECTED}"
    columns = ("system", "compared with", "difference", "95 % CI", "p", "p Holm", "result")
    rows = (
        [
            *(row["system"], row["other"], format_change(row["difference"])),
            *(interval(row, format_change), format_p(row["p_value"]), format_p(row["p_holm"])),
            "different" if row["p_holm"] < ALPHA else "tied",
        ]
        for row in shown
    )
    return table(caption, columns, rows, n_words=2)


def _types(systems: Sequence[str], rows: Sequence[Row], *, has_edits: bool) -> Table:
    by_type: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        if row["system"] in systems:
            by_type[row["error_type"]][row["system"]] = row
    cells = []
    for name, scores in by_type.items():
        n_sentences = max(row["n_sentences"] for row in scores.values())
        shown = (
            Cell(format_number(score["f_score"], 3), "quiet" if score["too_few"] else "none")
            if (score := scores.get(system))
            else Cell("")
            for system in systems
        )
        link = Cell(name, type=name if has_edits else "")
        cells.append((-n_sentences, name, [link, f"{n_sentences:,}", *shown]))
    caption = (
        "F0.5 of each system by ERRANT's error type. Sentences: the largest number of sentences in "
        "which a system or its annotator has an edit of the type. Grey: fewer than 20 sentences, "
        "so chance is large."
    )
    return table(caption, ("type", "sentences", *systems), (row for *_, row in sorted(cells)))


def _counts(systems: Sequence[str], scored_rows: Sequence[Row], name: str) -> Table:
    by_system = {row["system"]: row for row in scored_rows}
    rows = (
        [
            system,
            *(f"{by_system[system][count]:,}" for count in ("tp", "fp", "fn")),
            *(format_f(by_system[system][of]) for of in ("precision", "recall", "f_score")),
        ]
        for system in systems
        if system in by_system
    )
    caption = (
        f"True positives, false positives, false negatives, precision, recall and {name}, with the "
        "annotator chosen for each sentence."
    )
    return table(caption, ("system", "TP", "FP", "FN", "precision", "recall", "F0.5"), rows)


def _by_annotator(systems: Sequence[str], rows: Sequence[Row], name: str) -> Table:
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        scores[row["reference"]][row["system"]] = row["f_score"]
    shown = (
        [
            system,
            *(
                Cell(
                    format_f(of_systems[system]),
                    "best" if of_systems[system] == max(of_systems.values()) else "none",
                )
                for of_systems in scores.values()
            ),
        ]
        for system in systems
        if len(scores) > 1 and all(system in of_systems for of_systems in scores.values())
    )
    caption = f"{name} of each system with one annotator alone. Bold: the best system."
    return table(caption, ("system", *(f"annotator {annotator}" for annotator in scores)), shown)


def _edits(rows: Callable[[str], list[Row]], systems: Sequence[str]) -> dict[str, Any] | None:
    place = {system: number for number, system in enumerate(systems)}
    annotators = {row["sentence_id"]: row["annotators"] for row in rows(_ASKED)}
    edits = [row for row in rows(_EDITS) if row["system"] in place]
    if not edits or not annotators:
        return None
    by_sentence: dict[int, list[list[list[Any]]]] = defaultdict(lambda: [[] for _ in systems])
    for row in edits:
        have, of = row["n_references"], len(annotators.get(row["sentence_id"], ()))
        edit = [*_span(row), have, of, outcome(have, of), 1]
        by_sentence[row["sentence_id"]][place[row["system"]]].append(edit)
    gold: dict[int, dict[tuple[Any, ...], list[str]]] = defaultdict(dict)
    for row in rows(_GOLD):
        gold[row["sentence_id"]].setdefault(_span(row), []).append(row["annotator"])
    texts: dict[int, list[list[str]]] = defaultdict(list)
    for row in rows(_TEXTS):
        texts[row["sentence_id"]].append([row["reference"], row["text"]])
    sentences = [
        {
            "i": number,
            "s": row["source_text"],
            "a": [] if number in texts else annotators.get(number, []),
            "t": texts.get(number, []),
            "g": [[*span, names] for span, names in gold.get(number, {}).items()],
            "o": by_sentence[number],
        }
        for row in rows(_SENTENCES)
        for number in [row["sentence_id"]]
    ]
    names = sorted({name for sentence in sentences for name in sentence["a"]})
    return {"systems": [*systems], "annotators": names, "sentences": sentences}


def _span(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("start_token", "end_token", "correction", "error_type"))


def leaderboard_page(board: Leaderboard) -> str:
    html = defaultdict(str, {key: table_html(rows, key) for key, rows in board.tables.items()})
    if html["tests"]:
        html["pairs"] += f"<details><summary>All tests</summary>\n{html['tests']}</details>\n"
    sections = (
        PageSection("ranking", "Ranking", "Ranking", _chart(board) + html["ranking"]),
        PageSection("pairs", "Pairwise significance", "Pairs", html["pairs"]),
        PageSection("counts", "Precision and recall", "Counts", html["counts"]),
        PageSection("types", "Error types", "Types", html["types"]),
        PageSection("annotators", "By annotator", "Annotators", html["annotators"]),
    )
    return page(board.title, board.verdict, board.lead, sections, board.edits, board.colophon)


def _chart(board: Leaderboard) -> str:
    marks = [
        Mark(
            row["system"],
            row["corpus_score"],
            row["ci_low"],
            row["ci_high"],
            _score(row["corpus_score"]),
            {"system": row["system"]} if board.edits else {},
        )
        for row in board.ranking
    ]
    caption = "Bars are scores, lines are 95 % confidence intervals."
    return score_figure(marks, metric_name(board.metric, BETA), caption)
