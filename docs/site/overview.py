"""The published results that the package contains, as a page of the site."""

from maege.cards.output import markdown
from maege.shipped.command import overview
from maege.shipped.read import results


def results_page() -> str:
    """Return the overview of `maege results` as Markdown."""
    with results() as connection:
        title, *parts = markdown(overview(connection)).partition("\n")
    return f"# Published results\n\n{title.removeprefix('# ')}\n{''.join(parts)}"
