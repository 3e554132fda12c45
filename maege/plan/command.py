"""The commands `maege plan`, which estimate sample sizes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from maege.commands.outcome import AsJson, argument, failures, option, print_json, refuse
from maege.ingest.warehouse import WarehouseError, find_warehouse, open_marts

if TYPE_CHECKING:
    import duckdb

    from maege.plan.estimates import Estimate, Kind

Corpus = Annotated[
    str | None, option("Corpus. Default: the largest with the needed data.", "CORPUS", "--corpus")
]
Difference = Annotated[
    float | None, option("Difference to detect. Default: the observed one.", "D")
]
Margin = Annotated[
    float | None, option("Margin of equivalence. Default: the difference to detect.", "D")
]

plan = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Estimate how many sentences, systems, judges or annotators a study needs.\n\n"
    "The estimates start from the confidence intervals in the published marts.",
)


@plan.command()
def metrics(
    a: Annotated[str, argument("Name of a published metric.", "METRIC")],
    b: Annotated[str, argument("Another one.", "METRIC")],
    at: Annotated[
        Literal["sentences", "judges"],
        option("Task: ordering corrections, or ranking systems as judges do.", None, "--at"),
    ] = "sentences",
    corpus: Corpus = None,
    judgment_set: Annotated[
        str | None, option("Judgment set for --at judges. Default: the largest.", "SET")
    ] = None,
    difference: Difference = None,
    margin: Margin = None,
    as_json: AsJson = False,
) -> None:
    """Estimate what it takes to find a significant difference between two metrics, or equivalence.

    \b
    Examples:
      maege plan metrics errant gleu
      maege plan metrics errant gleu --at judges --judgment-set gjg15
      maege plan metrics errant m2 --difference .02 --margin .05 --json
    """  # noqa: D301 - click reads the \b
    chosen = {"corpus": corpus}
    if at == "judges":
        chosen["judgment_set"] = judgment_set
    elif judgment_set is not None:
        raise typer.BadParameter("--judgment-set goes with --at judges")
    _show_plan(at, a, b, chosen, difference, margin, as_json=as_json)


@plan.command()
def systems(
    a: Annotated[str, argument("Name of a published system.", "SYSTEM")],
    b: Annotated[str, argument("Another one.", "SYSTEM")],
    metric: Annotated[str, option("Metric that scores the systems.", "METRIC")] = "errant",
    corpus: Corpus = None,
    difference: Difference = None,
    margin: Margin = None,
    as_json: AsJson = False,
) -> None:
    """Estimate how many sentences show a significant difference of two systems, or equivalence.

    For systems that are not in the marts yet, name two published ones that differ about as much.

    \b
    Examples:
      maege plan systems AMU CAMB --metric errant --difference .01
      maege plan systems AMU CAMB --metric gleu --margin .005
    """  # noqa: D301 - click reads the \b
    if a == b:
        raise typer.BadParameter("name two systems: one does not differ from itself")
    chosen = {"metric": metric, "corpus": corpus}
    _show_plan("systems", a, b, chosen, difference, margin, as_json=as_json)


@plan.command()
def judges(
    judgment_set: Annotated[str, argument("Name of a published judgment set.", "JUDGMENT_SET")],
    ceiling: Annotated[
        float, option("Ceiling to reach: the highest correlation that a metric could have.", "R")
    ] = 0.95,
    as_json: AsJson = False,
) -> None:
    """Estimate how many judges are needed to evaluate metrics reliably.

    \b
    Examples:
      maege plan judges gjg15
      maege plan judges gjg15 --ceiling .9 --json
    """  # noqa: D301 - click reads the \b
    from maege.plan.estimates import judges as estimate

    if not 0 < ceiling < 1:
        raise typer.BadParameter(f"--ceiling is a correlation between 0 and 1, not {ceiling:g}")
    _show(lambda marts: estimate(marts, judgment_set, ceiling), as_json=as_json)


@plan.command()
def annotators(
    metric: Annotated[
        str | None,
        argument(
            "Metric that ranks systems. Without it, the coverage of corrections is estimated.",
            "METRIC",
        ),
    ] = None,
    share: Annotated[
        float | None,
        option(
            "Share of pairs of systems in the same order (default .95), or of corrections to "
            "cover (.5).",
            "S",
        ),
    ] = None,
    corpus: Corpus = None,
    as_json: AsJson = False,
) -> None:
    """Estimate how many annotators give a stable ranking of systems, or cover valid corrections.

    \b
    Examples:
      maege plan annotators gleu
      maege plan annotators errant --share .99 --corpus conll14
      maege plan annotators --share .5 --json
    """  # noqa: D301 - click reads the \b
    # By default 95 % of the pairs of systems, or half of the valid corrections.
    wanted = share if share is not None else 0.5 if metric is None else 0.95
    if not 0 < wanted < 1:
        raise typer.BadParameter(f"--share lies between 0 and 1, such as .9, not {wanted:g}")

    def estimate(marts: "duckdb.DuckDBPyConnection") -> "Estimate":
        from maege.plan.estimates import annotators_for_corrections, annotators_for_orders

        if metric is None:
            return annotators_for_corrections(marts, wanted, corpus)
        return annotators_for_orders(marts, metric, wanted, corpus)

    _show(estimate, as_json=as_json)


def _show_plan(
    kind: "Kind",
    a: str,
    b: str,
    chosen: dict[str, str | None],
    difference: float | None,
    margin: float | None,
    *,
    as_json: bool,
) -> None:
    for name, value in (("--difference", difference), ("--margin", margin)):
        if value is not None and not 0 < value < float("inf"):
            raise typer.BadParameter(f"{name} is a size above 0, such as .01, not {value:g}")
    from maege.plan.estimates import observe
    from maege.plan.estimates import plan as estimate

    _show(
        lambda marts: estimate(observe(marts, kind, a, b, **chosen), difference, margin),
        as_json=as_json,
    )


def _show(estimate: "Callable[[duckdb.DuckDBPyConnection], Estimate]", *, as_json: bool) -> None:
    from maege.plan.estimates import PlanError

    with failures(as_json, "Nothing was changed."):
        try:
            with open_marts(find_warehouse()) as marts:
                record, text = estimate(marts)
        except WarehouseError as error:
            refuse(str(error))
        except PlanError as error:
            raise typer.BadParameter(str(error)) from None
    if as_json:
        print_json(record)
    else:
        typer.echo(text)
