"""Results on lattices: sentences, corpora, error types, wrong edits, edit counts, worst pairs."""

from html import escape
from itertools import groupby

import altair as alt

from maege.cards.page import shortened, word_changes
from maege.cards.parts import Change
from maege.report.exhibits import Choice, Column, Exhibit, Row, Section, numbered, without
from maege.report.marts import Marts, sql
from maege.report.pictures import (
    DARK,
    DIVERGING,
    GREY,
    INK,
    PALE,
    PARTS,
    STEP,
    Chart,
    by_order,
    estimates,
    group_colour,
    metric_axis,
    named_axis,
    numbers,
    panel_name,
    rows,
    side_by_side,
    stacked_shares,
    vertical,
)

OUTCOMES = dict(zip(("concordant", "tied", "discordant"), PARTS, strict=True))


def sections(marts: Marts) -> list[Section]:
    """Return the sections; a section without data has the reason."""
    builders = (_sentences, _corpora, _error_types, _corrupted_edits, _error_counts)
    return [make(marts) for make in builders]


NO_LATTICE = (
    "No corpus has scored corrections: a manifest needs annotations and a lattice "
    "(docs/corpora.md)."
)


def _sentences(marts: Marts) -> Section:
    name, title = "sentence-level", "Does it order the corrections of a sentence?"
    records = numbered(marts.ask("sentence_level"))
    if not records:
        return without(name, title, NO_LATTICE)
    taus = estimates("kendall_tau_a", "ci_low", "ci_high", "Kendall's tau", faint=PALE)
    exhibit = Exhibit(
        name,
        "How often does a correction with more valid edits score higher?",
        "One line per metric: its tau as a dot with its interval, a dashed line at chance, and a "
        "bar with the shares of concordant, tied and discordant pairs.",
        sql("sentence_level"),
        (
            Column("metric", "metric"),
            Column("kendall_tau_a", "tau", "value", "ci_low", "ci_high"),
            Column("verdict", "verdict"),
            Column("tied_share", "tied pairs", "value"),
            Column("concordant_share", "strict accuracy", "value"),
            Column("pairwise_accuracy", "pairwise accuracy", "value"),
            Column("rank", "rank", "count"),
            Column("rank_low", "from", "count"),
            Column("rank_high", "to", "count"),
            Column("tau_macro", "mean of sentences", "value", "macro_ci_low", "macro_ci_high"),
            Column("n_concordant", "concordant", "count"),
            Column("n_tied", "tied", "count"),
            Column("n_discordant", "discordant", "count"),
            Column("pearson_r", "r over all sentences", "value"),
            Column("within_sentence_r", "r within sentences", "value"),
            Column("no_rank", "no rank: why"),
        ),
        records,
        side_by_side(taus, _outcomes()),
        note="Pairs are corrections of one sentence, of which one has all edits of the other and "
        "more. Tau is (concordant − discordant) / all pairs: a tie counts as half, and chance is "
        "0. Pale: no rank, because of few pairs or self-reference.",
    )
    return Section(name, title, exhibits=(exhibit,))


def _outcomes() -> Chart:
    shares = [f"{name}_share" for name in OUTCOMES]
    order = " : ".join(f"datum.outcome == '{name}' ? {n}" for n, name in enumerate(shares))
    base = (
        alt.Chart(rows())
        .transform_fold([*shares], as_=["outcome", "share"])
        .transform_calculate(place=f"{order} : 3", result="split(datum.outcome, '_')[0]")
        .encode(
            x=alt.X(
                "share:Q",
                title="share of pairs",
                axis=alt.Axis(format="%"),
                scale=alt.Scale(domain=[0, 1]),
            ),
            y=metric_axis(labels=False),
            tooltip=["metric:N", "result:N", alt.Tooltip("share:Q", format=".1%")],
        )
    )
    return stacked_shares(base, "result", OUTCOMES, order="place:O")


def _corpora(marts: Marts) -> Section:
    name, title = "corpus-level", "Does it rank corpora of known quality?"
    records = numbered(marts.ask("corpus_level"))
    if not records:
        return without(name, title, NO_LATTICE)
    draws = {_key(row): row["draws"] for row in marts.ask("corpus_draws")}
    for row in records:
        row["draws"] = draws.get(_key(row), [row["rho_of_first_draw"]])
    most, models = max(row["n_draws"] for row in records), records[0]["n_models"]
    exhibit = Exhibit(
        name,
        "Does its score fall as the number of corrections that a corpus needs rises?",
        "One line per metric: the median of rho over the draws as a dot and the range of 95 % of "
        "the draws as a line; below, all draws as points and the first draw as a diamond.",
        f"{sql('corpus_level')};\n\n{sql('corpus_draws')}" if draws else sql("corpus_level"),
        (
            Column("metric", "metric"),
            Column("draws_median", "median, 95 % of draws", "value", "draws_low", "draws_high"),
            Column("draws_min", "lowest", "value"),
            Column("draws_max", "highest", "value"),
            Column("rho_of_first_draw", "first draw", "value"),
            Column("n_draws", "draws", "count"),
            Column("n_scored_draws", "scored", "count"),
        ),
        records,
        _draws(),
        note=f"{models} corpora a draw, up to {most} draws, each a point. Metrics that read edits "
        "score the first few; other draws recombine sentences of these. The diamond is the first "
        "draw. Papers print a single draw, which is imprecise. Bands: 95 % of random orders.",
    )
    return Section(name, title, exhibits=(exhibit,))


def _key(row: Row) -> tuple[str, str]:
    return row["corpus"], row["metric"]


def _draws() -> Chart:
    """Return the median and range of each metric, with the single draws below."""
    below = STEP / 3
    base = alt.Chart(rows()).encode(y=metric_axis())
    points = (
        base.transform_flatten(["draws"], as_=["rho"])
        .mark_point(shape="circle", size=14, strokeWidth=1, opacity=0.55, yOffset=below)
        .encode(x="rho:Q", color=group_colour(), tooltip=["metric:N", _precise("rho")])
    )
    single = base.mark_point(
        shape="diamond", size=60, color=INK, strokeWidth=1.4, opacity=1, yOffset=below
    ).encode(x="rho_of_first_draw:Q", tooltip=["metric:N", _precise("rho_of_first_draw")])
    ranges = estimates(
        "draws_median", "draws_low", "draws_high", "Spearman's rho",
        chance=("chance_low", "chance_high"),
    )  # fmt: skip
    return alt.layer(ranges, points, single).properties(height=alt.Step(STEP * 1.5))


def _precise(field: str) -> alt.Tooltip:
    return alt.Tooltip(f"{field}:Q", format=".3f")


def _error_types(marts: Marts) -> Section:
    name, title = "error-types", "Which valid corrections does it reward, which does it punish?"
    records = marts.ask("error_types")
    if not records:
        return without(name, title, NO_LATTICE)
    numbered(records)
    lines = sorted(
        {row["metric"] for row in records},
        key=lambda metric: (marts.group(metric) == "chance", metric),
    )
    for row in records:
        row["line"] = lines.index(row["metric"])
    columns = (
        Column("metric", "metric"),
        Column("error_type", "error type"),
        Column("mean_delta", "mean change", "change", "ci_low", "ci_high"),
        Column("n_pairs", "pairs", "count"),
    )
    heat = Exhibit(
        name,
        "How does the score change when one more edit of a type is made?",
        "A grid of metrics and error types: blue if a valid edit raises the score, orange if it "
        "lowers it, no colour if this is not significant. The most rewarded types come first.",
        sql("error_types"),
        columns,
        records,
        _heat_map(),
        note="Numbers: mean change in percent of the metric's largest change. No colour: q is not "
        "below 0.05. Types with 10 pairs or more.",
        across="error_type",
        column_width=22,
    )
    metrics = sorted({row["metric"] for row in records})
    chosen = marts.dwell(records) or records
    detail = Exhibit(
        "error-types-of-a-metric",
        "How sure is that, for one metric?",
        "One line per error type: the mean change of the score as a dot with its interval; grey "
        "if the interval contains 0.",
        sql("error_types"),
        columns,
        [dict(row) for row in chosen],
        _type_estimates(),
        (
            Choice(
                "metric",
                "Metric",
                tuple(name for name in metrics if any(row["metric"] == name for row in chosen)),
                marts.metric([row["metric"] for row in chosen]),
            ),
        ),
        labels="error_type",
        note="Sorted by the mean over all metrics, so that the order is the same for each metric.",
    )
    return Section(name, title, exhibits=(heat, detail))


def _heat_map() -> Chart:
    base = alt.Chart(rows()).encode(
        x=alt.X(
            "error_type:N",
            sort=by_order(),
            title="error type",
            axis=alt.Axis(labelAngle=-60, ticks=False, domain=False),
        ),
        y=named_axis("metric", "line"),
        tooltip=[
            "metric:N",
            "error_type:N",
            alt.Tooltip("mean_delta:Q", format="+.3f"),
            alt.Tooltip("ci_low:Q", format="+.3f"),
            alt.Tooltip("ci_high:Q", format="+.3f"),
        ],
    )
    sure = (
        base.transform_filter("!datum.may_be_chance")
        .mark_rect(stroke=None)
        .encode(
            color=alt.Color(
                "relative_delta:Q",
                scale=alt.Scale(domain=[-1, -0.5, 0, 0.5, 1], range=DIVERGING),
                title="change, % of the largest",
                legend=alt.Legend(orient="top", format=".0%", gradientLength=160),
            )
        )
    )
    ink = alt.when("datum.may_be_chance").then(alt.value(INK)).otherwise(alt.value(DARK))
    shown = (
        base.transform_calculate(percent="100 * datum.relative_delta")
        .mark_text(fontSize=9)
        .encode(text=alt.Text("percent:Q", format=".0f"), color=ink)
    )
    return alt.layer(sure, shown).properties(height=alt.Step(STEP))


def _type_estimates() -> Chart:
    y = alt.Y(
        "error_type:N",
        sort=by_order(),
        title=None,
        axis=alt.Axis(ticks=False, domain=False, labelLimit=220),
    )
    colour = alt.when("datum.may_be_chance").then(alt.value(GREY)).otherwise(alt.value("#2b7bba"))
    base = alt.Chart(rows()).encode(y=y, color=colour)
    between = base.mark_rule(strokeWidth=2).encode(
        # Few ticks: labels with three decimals are long, and the reader's font may be wide.
        x=alt.X("ci_low:Q", title="mean change of the score", axis=alt.Axis(tickCount=5)),
        x2="ci_high:Q",
    )
    dots = base.mark_point(filled=True, size=55).encode(
        x="mean_delta:Q",
        tooltip=["error_type:N", alt.Tooltip("mean_delta:Q", format="+.3f"), "n_pairs:Q"],
    )
    shown = numbers(base, "mean_delta", "+.3f")
    return alt.layer(vertical(0), between, dots, shown).properties(height=alt.Step(STEP))


def _corrupted_edits(marts: Marts) -> Section:
    name, title = "corrupted-edits", "Does it notice an edit that is wrong?"
    records = numbered(marts.ask("corrupted_edits"))
    if not records:
        return without(name, title, "No edit was applied wrongly: variable corrupted_edits.")
    likes_change = (
        alt.Chart(rows())
        .mark_tick(thickness=2, height=10, color=GREY)
        .encode(
            y=metric_axis(),
            x="change_agreement:Q",
            tooltip=["metric:N", alt.Tooltip("change_agreement:Q", format=".3f")],
        )
    )
    chart = alt.layer(
        estimates(
            "agreement",
            "ci_low",
            "ci_high",
            "share of pairs",
            chance=0.5,
        ),
        likes_change,
    ).properties(height=alt.Step(STEP))
    exhibit = Exhibit(
        name,
        "How often does the valid edit score above the same edit made in the wrong place?",
        "One line per metric: the share of pairs as a dot with its interval, a dashed line at "
        "chance, and a tick for a metric that always prefers the larger change.",
        sql("corrupted_edits"),
        (
            Column("metric", "metric"),
            Column("agreement", "valid above corrupted", "value", "ci_low", "ci_high"),
            Column("chance_q_value", "q against chance", "value"),
            Column("strict_agreement", "ties as failures", "value"),
            Column("change_agreement", "likes any change", "value"),
            Column("n_pairs", "pairs", "count"),
        ),
        records,
        chart,
        note="A tie counts as one half. Grey ticks: result of a metric that always prefers the "
        "text with the larger change.",
    )
    return Section(name, title, exhibits=(exhibit,))


def _error_counts(marts: Marts) -> Section:
    name, title = "number-of-edits", "Does it compare different sentences sensibly?"
    records = numbered(marts.ask("error_counts"))
    if not records:
        return without(name, title, NO_LATTICE)
    for _, group in groupby(records, _key):
        points = list(group)
        for row in points:
            row["end"] = "last" if row is points[-1] else "first" if row is points[0] else None
    line = (
        alt.Chart()
        .mark_line(point=alt.OverlayMarkDef(size=14), strokeWidth=1.5)
        .encode(
            x=alt.X("n_errors:Q", title="edits", axis=alt.Axis(tickMinStep=1, tickCount=4)),
            y=alt.Y("mean_score:Q", title=None, axis=alt.Axis(tickCount=3),
                    scale=alt.Scale(zero=False)),
            color=group_colour(),
            tooltip=[
                "metric:N", "n_errors:Q", alt.Tooltip("mean_score:Q", format=".3f"), "n_chains:Q"
            ],
        )
    )  # fmt: skip
    value = alt.Chart().encode(text=alt.Text("mean_score:Q", format=".3~g"))
    ends = (
        value.transform_filter("datum.end == 'first'")
        .mark_text(align="left", dy=-5, fontSize=9)
        .encode(x="n_errors:Q", y=alt.value(0)),
        value.transform_filter("datum.end == 'last'")
        .mark_text(align="left", dx=4, fontSize=9)
        .encode(x=alt.value("width"), y="mean_score:Q"),
    )
    panel = alt.layer(line, *ends, panel_name("metric"), data=rows()).properties(
        width=118, height=70
    )
    chart = panel.facet(
        facet=alt.Facet("metric:N", title=None, header=alt.Header(labelExpr="''")),
        columns=4,
        bounds="flush",
        spacing={"row": 40, "column": 76},
    ).resolve_scale(y="independent")
    exhibit = Exhibit(
        name,
        "Does the score of an uncorrected sentence fall with its number of errors?",
        "A small panel per metric: the mean score of uncorrected sentences by the number of edits "
        "that an annotator made in them. The line should fall.",
        sql("error_counts"),
        (
            Column("metric", "metric"),
            Column("n_errors", "edits", "count"),
            Column("mean_score", "mean score", "score"),
            Column("n_chains", "chains", "count"),
        ),
        records,
        chart,
        note="Numbers: the first and the last mean score. Figure 5 of the MAEGE paper. Vertical "
        "axes differ: scores of metrics have no common scale.",
        panel=170,
    )
    return Section(name, title, exhibits=(exhibit,))


WORST_PAIRS = "worst-pairs"
TAGS = {"same": "{}", "deleted": "<del>{}</del>", "inserted": "<ins>{}</ins>"}


def worst_pairs(marts: Marts) -> list[Section]:
    """Return the worst pairs of every metric; the page shows one metric at a time."""
    name, title = "pairs", "Where exactly is it most wrong?"
    records = numbered(marts.dwell(marts.ask("worst_pairs")))
    if not records:
        return [without(name, title, NO_LATTICE)]
    metrics = tuple(sorted({row["metric"] for row in records}))
    for row in records:
        changes = word_changes(row["lower_text"], row["upper_text"])
        row["edits"] = html_of(shortened(changes))
        row["about"] = row["error_type"] or f"{row['n_edits_between']} edits"
    exhibit = Exhibit(
        WORST_PAIRS,
        "Which valid corrections lower the score most?",
        "A list of pairs with the words that the correction deletes and inserts.",
        sql("worst_pairs"),
        (
            Column("edits", "correction", "marked"),
            Column("lower_score", "score before", "score"),
            Column("upper_score", "after", "score"),
            Column("about", "error type"),
            Column("sentence_id", "sentence", "count"),
            Column("metric", "metric"),
        ),
        records,
        is_open=True,
        choices=(Choice("metric", "Metric", metrics, marts.metric(list(metrics))),),
        note="Each pair differs by one or more edits of an annotator, and the metric scores the "
        "text with the edits lower. Mart discordant_pairs has more, ordered by badness_rank.",
    )
    return [Section(name, title, exhibits=(exhibit,))]


def html_of(changes: list[Change]) -> str:
    """Return unchanged, deleted and inserted words as HTML."""
    return " ".join(TAGS[kind].format(escape(words)) for kind, words in changes)
