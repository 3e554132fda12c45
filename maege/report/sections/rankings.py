"""Human rankings: correlation of metrics with judges, compared with chance."""

import altair as alt

from maege.report.exhibits import Choice, Column, Exhibit, Row, Section, numbered, without
from maege.report.marts import Marts, sql
from maege.report.pictures import (
    DARK,
    GREY,
    INK,
    STEP,
    by_order,
    estimates,
    group_colour,
    label_next_to_mark,
    metric_axis,
    named_axis,
    numbers,
    rows,
    vertical,
)


def sections(marts: Marts) -> list[Section]:
    """Return the sections on agreement with judges and its significance."""
    name, title = "human-rankings", "Does it rank systems as people do?"
    records = marts.ask("human_rankings")
    if not records:
        return [without(name, title, "No human rankings are ingested (docs/human-rankings.md).")]
    shown = _first_references(marts)
    exhibits = (
        _judges(marts),
        _correlations(numbered(records), shown),
        _ranks(marts),
        _windows(marts, shown),
        _clusters(marts, shown),
    )
    return [Section(name, title, exhibits=tuple(exhibit for exhibit in exhibits if exhibit))]


def _first_references(marts: Marts) -> dict[str, str]:
    shown = [row for row in marts.ask("verdict") if row["judgment_set"] is not None]
    first = next((row for row in shown if row["corpus"] == marts.scope.first), None)
    row = first or (shown[0] if shown else {})
    return {name: row.get(name) or "" for name in ("judgment_set", "reference_set")}


def _choice(records: list[Row], field: str, label: str, first: str) -> Choice:
    return Choice(field, label, tuple(dict.fromkeys(row[field] for row in records)), first)


def _sets(records: list[Row], shown: dict[str, str]) -> tuple[Choice, ...]:
    return (
        _choice(records, "judgment_set", "Judgments", shown["judgment_set"]),
        _choice(records, "reference_set", "References", shown["reference_set"]),
    )


def _with_first_references(records: list[Row], shown: dict[str, str]) -> list[Row]:
    """Return rows with one reference set per judgment set: that of the first screen, if possible.

    Nine reference sets would double the size of the page; the marts have all of them.
    """
    chosen: dict[tuple[str, str], str] = {}
    for row in records:
        key, name = (row["corpus"], row["judgment_set"]), row["reference_set"]
        if key not in chosen or name == shown["reference_set"]:
            chosen[key] = name
    return [
        row for row in records if row["reference_set"] == chosen[row["corpus"], row["judgment_set"]]
    ]


def _judges(marts: Marts) -> Exhibit | None:
    records = numbered(marts.ask("human_scores"))
    if not records:
        return None
    base = alt.Chart(rows()).encode(y=named_axis("system"))
    chart = alt.layer(
        base.mark_rule(strokeWidth=2).encode(
            x=alt.X("ci_low:Q", title="score by the judges", scale=alt.Scale(zero=False)),
            x2="ci_high:Q",
            color=alt.Color("cluster:N", legend=None, scale=_alternating()),
        ),
        base.mark_point(filled=True, size=55).encode(
            x="score:Q",
            color=alt.Color("cluster:N", legend=None, scale=_alternating()),
            tooltip=["system:N", "rank:Q", "rank_low:Q", "rank_high:Q", "cluster:Q"],
        ),
        base.mark_text(align="left", dx=6, fontSize=10).encode(x="ci_high:Q", text="cluster:N"),
        numbers(base, "score", ".2f"),
    ).properties(height=alt.Step(STEP))
    return Exhibit(
        "human-scores",
        "Which systems do judges prefer, and which are statistically tied?",
        "One line per system, the best first: its score by the judges as a dot with an interval, "
        "and the number of its cluster; systems of one cluster are statistically tied.",
        sql("human_scores"),
        (
            Column("system", "system"),
            Column("score", "score", "value", "ci_low", "ci_high"),
            Column("rank", "rank", "count"),
            Column("rank_low", "from", "count"),
            Column("rank_high", "to", "count"),
            Column("cluster", "cluster", "count"),
        ),
        records,
        chart,
        (
            _choice(records, "judgment_set", "Judgments", _first_references(marts)["judgment_set"]),
            _choice(records, "method", "Method", "trueskill"),
        ),
        labels="system",
        note="The number next to an interval, and its colour, is the cluster.",
    )


def _alternating() -> alt.Scale:
    return alt.Scale(domain=list(range(1, 17)), range=["#2b7bba", "#c4570f"] * 8)


def _correlations(records: list[Row], shown: dict[str, str]) -> Exhibit:
    r = estimates("pearson_r", "pearson_ci_low", "pearson_ci_high", "Pearson's r")
    return Exhibit(
        "human-rankings",
        "How do metrics correlate with judges, compared with chance?",
        "One line per metric, the best first: Pearson's r with its interval. Grey crosses are "
        "baselines: random scores, and the length of the output.",
        sql("human_rankings"),
        (
            Column("metric", "metric"),
            Column("pearson_r", "r", "value", "pearson_ci_low", "pearson_ci_high"),
            Column("spearman_rho", "rho", "value", "spearman_ci_low", "spearman_ci_high"),
            Column("chance_low", "chance from", "value"),
            Column("chance_high", "chance to", "value"),
            Column("pearson_q_value", "q", "value"),
            Column("ceiling", "ceiling", "value"),
            Column("n_systems", "systems", "count"),
            Column("reference_set", "references"),
        ),
        records,
        r,
        (*_sets(records, shown), _choice(records, "method", "Method", "trueskill")),
        note="Intervals: judgments, sentences and systems are resampled together; without an "
        "interval there are too few systems or sentences. Chance: range of 95 % of the results of "
        "random scores. Ceiling: agreement of one half of the judges with the other half.",
    )


def _ranks(marts: Marts) -> Exhibit | None:
    records = numbered(marts.ask("ranks"))
    if not records:
        return None
    highlight = alt.selection_point(
        "followed", fields=["system"], on="pointerover", clear="pointerout"
    )
    strong = alt.when(highlight).then(alt.value(1)).otherwise(alt.value(0.18))
    x = alt.X(
        "metric:N",
        sort=by_order("distance"),
        title="judges, then metrics, the most similar first",
        axis=alt.Axis(labelAngle=-60, labelLimit=220, ticks=False, domain=False, offset=10),
    )
    y = alt.Y("rank:Q", scale=alt.Scale(reverse=True, zero=False), axis=None)
    colour = alt.Color(
        "human_rank:Q",
        title="rank by judges",
        scale=alt.Scale(range=["#1f5f99", "#6b6b6b", "#a8480a"]),
        legend=None,
    )
    base = alt.Chart(rows()).encode(x=x, y=y, color=colour, detail="system:N")
    names = (
        alt.Chart(rows())
        .transform_filter("datum.metric == 'judges'")
        .mark_text(align="right", dx=-10, fontSize=10)
        .encode(x=x, y=y, text="system:N")
    )
    chart = alt.layer(
        base.mark_line(strokeWidth=2).encode(opacity=strong),
        base.mark_circle(size=150, opacity=1).encode(
            opacity=strong, tooltip=["system:N", "metric:N", "rank:Q", "human_rank:Q"]
        ).add_params(highlight),
        base.mark_text(fontSize=8).encode(text="rank:Q", color=alt.value("white")),
        names,
    ).properties(height=260)  # fmt: skip
    return Exhibit(
        "ranks",
        "How do metrics rank the systems that judges prefer?",
        "Lines from each system's rank by the judges, at the left, to its rank by each metric. "
        "Metrics with the smallest mean distance come first. Blue: best systems by the judges, "
        "orange: worst.",
        sql("ranks"),
        (
            Column("system", "system"),
            Column("metric", "ranked by"),
            Column("rank", "rank", "count"),
            Column("human_rank", "rank by judges", "count"),
        ),
        records,
        chart,
        (
            _choice(records, "judgment_set", "Judgments",
                    _first_references(marts)["judgment_set"]),
        ),
        labels="system",
        across="metric",
        column_width=16,
        note="Point at a system to follow it. Blue: first by the judges, orange: last.",
    )  # fmt: skip


def _windows(marts: Marts, shown: dict[str, str]) -> Exhibit | None:
    records = numbered(_with_first_references(marts.ask("windows"), shown))
    if not records:
        return None
    base = alt.Chart(rows()).encode(y=metric_axis())
    # There is space for the numbers at both ends.
    scale = alt.Scale(padding=32)
    lowest, highest = (
        base.encode(x=f"{end}:Q", text=alt.Text(f"{end}:Q", format=".2f"), color=alt.value(INK))
        for end in ("min(pearson_r)", "max(pearson_r)")
    )
    chart = alt.layer(
        vertical(0),
        base.mark_rule(color=GREY).encode(
            x=alt.X("min(pearson_r):Q", title="Pearson's r of four neighbours", scale=scale),
            x2="max(pearson_r):Q",
        ),
        label_next_to_mark(lowest, "left"),
        label_next_to_mark(highest, "right"),
        base.mark_tick(thickness=2, height=10).encode(
            x="pearson_r:Q",
            color=group_colour(),
            tooltip=["metric:N", "first_system:Q", "last_system:Q",
                     alt.Tooltip("pearson_r:Q", format=".3f")],
        ),
    ).properties(height=alt.Step(STEP))  # fmt: skip
    return Exhibit(
        "windows",
        "Does it still agree with judges about systems that are close to each other?",
        "One line per metric, with a tick for every four neighbouring systems in the judges' "
        "order: Pearson's r among these four.",
        sql("windows"),
        (
            Column("metric", "metric"),
            Column("first_system", "from rank", "count"),
            Column("last_system", "to rank", "count"),
            Column("pearson_r", "r", "value"),
            Column("reference_set", "references"),
        ),
        records,
        chart,
        _sets(records, shown)[:1],
        note="If ticks are far apart or below 0, the correlation over all systems comes from large "
        "differences between systems. For one reference set; the mart has all.",
    )


def _clusters(marts: Marts, shown: dict[str, str]) -> Exhibit | None:
    records = _with_first_references(marts.ask("clusters"), shown)
    if not records:
        return None
    numbered(records)
    base = alt.Chart(rows()).encode(
        x=alt.X(
            "metric_b:N",
            sort=by_order(),
            title=None,
            axis=alt.Axis(labelAngle=-60, labelLimit=220),
        ),
        y=alt.Y("metric_a:N", sort=by_order(), title=None, axis=alt.Axis(labelLimit=220)),
        tooltip=["metric_a:N", "metric_b:N", alt.Tooltip("difference:Q", format="+.2f"),
                 alt.Tooltip("q_value:Q", format=".3f")],
    )  # fmt: skip
    tied = alt.when("datum.q_value >= 0.05")
    chart = alt.layer(
        base.mark_rect().encode(
            color=tied.then(alt.value("#c8c8c8")).otherwise(alt.value("#2b7bba"))
        ),
        base.mark_text(fontSize=9).encode(
            text=alt.Text("difference:Q", format=".2f"),
            color=tied.then(alt.value(DARK)).otherwise(alt.value("white")),
        ),
    ).properties(height=alt.Step(STEP))
    return Exhibit(
        "clusters",
        "Which metrics do not differ significantly in agreement with judges?",
        "A grid of pairs of metrics with the difference of their correlations with the judges: "
        "blue where the metric at the left correlates significantly more, else grey.",
        sql("clusters"),
        (
            Column("metric_a", "metric"),
            Column("metric_b", "other metric"),
            Column("estimate_a", "r", "value"),
            Column("estimate_b", "r of the other", "value"),
            Column("p_value", "p", "value"),
            Column("q_value", "q", "value"),
            Column("reference_set", "references"),
        ),
        records,
        chart,
        _sets(records, shown)[:1],
        labels="metric_a",
        across="metric_b",
        column_width=24,
        note="Numbers: Pearson's r of the metric at the left minus that of the metric below. Blue: "
        "q < 0.05; grey: statistically tied (PERM-BOTH; Benjamini and Hochberg over all pairs). "
        "For one reference set; the mart has all.",
    )
