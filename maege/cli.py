"""The command `maege`. Exit codes: 0 done, 1 something failed, 2 bad input or usage.

Each command imports only what it needs: importing everything takes 0.4 s, and `make build` runs
four commands.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maege.commands.corpus_commands import ingest, new, remove
from maege.commands.outcome import (
    FAILED,
    AsJson,
    Commands,
    GroupedOptions,
    argument,
    failures,
    option,
    print_json,
    version_of,
)
from maege.commands.scoring import score
from maege.comparison.command import compare
from maege.explore.command import explore
from maege.exports.commands import export
from maege.ingest.warehouse import find_warehouse
from maege.languagetool import languagetool
from maege.metric.command import metric
from maege.plan.command import plan
from maege.recommend.command import recommend
from maege.report.command import report
from maege.shipped.command import results
from maege.sql import sql
from maege.train import train

if TYPE_CHECKING:
    from maege.building.publish import Published

app = typer.Typer(
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    # `color`: otherwise Click removes colour codes from output that is not a terminal.
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 80,
        "color": True,
    },
    help="Evaluate metrics of grammatical error correction, and compare systems.\n\n"
    "compare, score, metric try and results need no warehouse. The others use the warehouse in "
    "the folder MAEGE_WAREHOUSE, by default ./warehouse.",
)
app.add_typer(export, name="export")
app.add_typer(languagetool, name="languagetool")
app.add_typer(train, name="train")
app.add_typer(plan, name="plan")
app.add_typer(metric, name="metric")
app.command()(recommend)
app.command()(report)
app.command()(explore)
app.command()(new)
app.command()(sql)
app.command()(results)
app.command(cls=GroupedOptions)(compare)
app.command()(score)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        engines = ("duckdb", "dbt-core", "dbt-duckdb")
        listed = ", ".join(f"{name} {version_of(name) or 'not installed'}" for name in engines)
        typer.echo(f"maege {version_of('maege')} ({listed})")
        raise typer.Exit


@app.callback()
def maege(
    *,
    show_version: Annotated[
        bool,
        option(
            "Print the version, and those of what it builds with.",
            None,
            "--version",
            callback=_show_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Handle the options before the command name."""


app.command()(ingest)
app.command()(remove)


@app.command()
def build(as_json: AsJson = False) -> None:
    """Build what has changed since the last publication, and publish the marts.

    If the corpora, the code, the variables and the installed packages are unchanged, the command
    ends at once. Otherwise dbt builds without unit tests in the project folder. If every node
    passes, the marts are published; otherwise the exit code is 1. If LanguageTool is installed but
    not enabled, the command estimates how long its metrics would take.

    \b
    Examples:
      maege ingest corpora/sample && maege build
      maege build --json
    """  # noqa: D301 - click reads the \b
    from maege.building.run import build as build_marts

    with failures(as_json, "The published marts are as before."):
        published = build_marts(find_warehouse())
    if published is not None:
        # Imported late: these imports take longer than a build without changes.
        from maege.languagetool import describe_offer, find_offer

        with failures(as_json, "The marts are published."):
            offer = find_offer(find_warehouse())
        _show_publication(published, as_json, {"available": offer} if offer else {})
        if offer is not None and not as_json:
            typer.echo(f"\n{describe_offer(offer)}")
    elif as_json:
        print_json({"status": "unchanged", "path": str(find_warehouse().marts)})
    else:
        typer.echo(
            f"Nothing has changed since {find_warehouse().marts} was published. "
            "To check every table anyway, run `dbt build`."
        )


@app.command()
def publish(
    parquet: Annotated[
        Path | None, option("Folder for a copy of the marts as Parquet files.", "FOLDER")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Publish the marts after a `dbt build`; `maege build` builds and publishes.

    Nothing is published unless every node of the last build passed and no mart is older than its
    inputs (otherwise exit code 1). The file is replaced in one step: readers see the old marts or
    the new ones. A write-ahead log that another program left next to it is removed. An existing
    report gets a note that it is older than the marts.

    \b
    Examples:
      dbt build && maege publish
      maege publish --parquet /srv/marts
      maege publish --json
    """  # noqa: D301 - click reads the \b
    from maege.building.parquet import write_parquet
    from maege.building.publish import publish as publish_marts

    with failures(as_json, "The published marts are as before."):
        published = publish_marts(find_warehouse())
        if parquet is not None:
            write_parquet(find_warehouse(), parquet)
    more = {"parquet": str(parquet)} if parquet else {}
    _show_publication(published, as_json, more)
    if parquet is not None and not as_json:
        typer.echo(f"As Parquet, with a manifest, in {parquet}.")


@app.command()
def examples() -> None:
    """Show three example queries on the published marts and their results.

    \b
    Examples:
      maege examples
    """  # noqa: D301 - click reads the \b
    from maege.sql import show_examples
    from maege.terminal import Terminal

    with failures(as_json=False, reassurance="Nothing was changed."):
        show_examples(find_warehouse(), Terminal())


@app.command()
def card(
    metric: Annotated[str, argument("Name of a published metric.", "METRIC")],
    corpus: Annotated[
        str | None, option("Corpus. Default: the largest that the metric scored.", "CORPUS")
    ] = None,
    against: Annotated[
        str | None,
        option("Metrics to compare with. Default: the best one, and the most used one.", "A,B"),
    ] = None,
    as_markdown: Annotated[
        bool, option("Print Markdown, for a paper's appendix.", None, "--markdown")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print one page about a metric: what it can be trusted for, and where it fails.

    The page begins with a verdict and a comparison with other metrics. Without published marts, it
    describes the results that the package contains, and says so. The same results in SQL: marts
    best_metrics, metric_cards and discordant_pairs.

    \b
    Examples:
      maege card gleu
      maege card mymetric --against gleu,errant
      maege card gleu --corpus conll14 --markdown > gleu.md
      maege card mymetric --json
    """  # noqa: D301 - click reads the \b
    from maege.cards.facts import read_card
    from maege.cards.output import markdown
    from maege.cards.output import show as show_card
    from maege.cards.page import page
    from maege.cards.verdict import verdict

    if as_json and as_markdown:
        raise typer.BadParameter("choose one of --json and --markdown")
    with failures(as_json, "Nothing was changed."):
        compared = tuple(name.strip() for name in against.split(",")) if against else ()
        metric_card = read_card(find_warehouse(), metric, corpus, compared)
    if as_json:
        print_json({"verdict": verdict(metric_card), **metric_card.as_record()})
    elif as_markdown:
        typer.echo(markdown(page(metric_card)), nl=False)
    else:
        show_card(page(metric_card))


@app.command()
def leaderboard(
    corpus: Annotated[str, argument("A corpus of the warehouse.", "CORPUS")],
    metric: Annotated[
        str | None, option("Metric of the ranking. Default: errant, if scored.", "METRIC")
    ] = None,
    references: Annotated[
        str | None, option("Reference set. Default: the corpus's default set.", "SET")
    ] = None,
    out: Annotated[
        Path | None,
        option("Folder for index.html. Default: `leaderboard` next to the marts.", "FOLDER"),
    ] = None,
) -> None:
    """Write the ranking of the systems of a corpus as one HTML page to publish.

    The page has the ranking with confidence intervals and rank ranges, statistically tied systems,
    the tests of all pairs, error types, results by annotator, and the edits of the systems. It
    loads nothing from the network. The same marts give the same bytes.

    \b
    Examples:
      maege leaderboard ours --out page
      maege leaderboard conll14 --metric m2 --references bn10
    """  # noqa: D301 - click reads the \b
    from maege.comparison.leaderboard import leaderboard_page, read_leaderboard
    from maege.ingest.warehouse import open_marts
    from maege.whole_files import write_whole

    warehouse = find_warehouse()
    path = (out or warehouse.folder / "leaderboard") / "index.html"
    with failures(as_json=False, reassurance="Nothing was written."):
        with open_marts(warehouse) as marts:
            board = read_leaderboard(marts, corpus, metric, references)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(leaderboard_page(board), path)
    for sentence in board.verdict:
        typer.echo(sentence)
    typer.echo(path)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Check what is installed, what is missing, and the state of the warehouse.

    Also the cluster that MAEGE_SCHEDULER names. Exit code 1 when something required
    is missing or broken.

    \b
    Examples:
      maege doctor
      maege doctor --json
    """  # noqa: D301 - click reads the \b
    from maege.commands.doctor import diagnose, show
    from maege.terminal import Terminal

    with failures(as_json, "Nothing was changed."):
        diagnosis = diagnose(find_warehouse())
    if as_json:
        print_json(diagnosis)
    else:
        show(diagnosis, Terminal())
    if not diagnosis["healthy"]:
        raise typer.Exit(FAILED)


def main() -> None:
    """Run the command line."""
    app(prog_name="maege")


def _show_publication(published: "Published", as_json: bool, more: dict[str, Any]) -> None:
    if as_json:
        about = {"path": str(published.path), "bytes": published.size, "marts": published.marts}
        print_json({"status": "published", **about, **more})
        return
    from rich.table import Table

    from maege.terminal import Terminal

    table = Table(box=None, pad_edge=False)
    table.add_column("mart")
    table.add_column("rows", justify="right")
    for mart, rows in published.marts.items():
        if rows != 0:
            table.add_row(mart, "a view" if rows is None else f"{rows:,}")
    Terminal().print(table)
    if n_empty := list(published.marts.values()).count(0):
        typer.echo(f"\n{n_empty} marts are empty, because the corpora have no data for them.")
    typer.echo(f"\nPublished to {published.path} ({published.size / 1e6:.1f} MB).")
    if published.older_page is not None:
        typer.echo(
            f"The report is older than these marts: {published.older_page}. Next: maege report"
        )
