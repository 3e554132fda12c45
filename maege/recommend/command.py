"""The command `maege recommend`."""

from itertools import chain
from typing import Annotated, Literal

import typer

from maege.commands.outcome import failures, option, print_json
from maege.recommend.evidence import USES, References, UseName


def recommend(
    task: Annotated[
        UseName | None,
        option(
            "Rank systems, rank outputs of one sentence, notice wrong edits, or compare "
            "corpora. Default: a table of all tasks."
        ),
    ] = None,
    language: Annotated[str, option("Language of the texts, such as de.", "TAG")] = "en",
    references: Annotated[
        References | None,
        option(
            "References at hand: none, plain texts, or annotations in M2. Default: m2; in the "
            "table of all tasks, m2 and none."
        ),
    ] = None,
    form: Annotated[Literal["text", "json"], option("Output format.", None, "--format")] = "text",
) -> None:
    """Recommend a metric for a task, with the evidence, ties and limits.

    The recommended metric is best, or statistically tied for best, on most data sets. Human
    judgments decide if there are any. The answer comes from the published results of public corpora
    (maege results) and needs no warehouse.

    \b
    Examples:
      maege recommend
      maege recommend --task systems
      maege recommend --task outputs --references none
      maege recommend --task edits --language cs --format json
    """  # noqa: D301 - click reads the \b
    from maege.cards.output import show
    from maege.ingest.languages import canonical_tag
    from maege.recommend.choice import recommend as choose
    from maege.recommend.evidence import read_results
    from maege.recommend.page import overview, page, record
    from maege.shipped.read import results as open_results

    try:
        tag = canonical_tag(language)
    except ValueError as error:
        message = f"found {language}, expected {error}"
        raise typer.BadParameter(message, param_hint="--language") from None
    with failures(form == "json", "Nothing was changed."), open_results() as connection:
        results = read_results(connection)
    tasks = list(USES) if task is None else [task]
    at_hand: list[References] = [references or "m2"]
    if task is None and references is None:
        at_hand.append("none")
    recommendations = [
        [choose(results, name, tag, available) for available in at_hand] for name in tasks
    ]
    if form == "json":
        print_json({"recommendations": [record(each) for each in chain(*recommendations)]})
        return
    show(overview(recommendations) if task is None else page(recommendations[0][0]))
