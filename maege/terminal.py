"""The Rich console of all commands."""

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from maege.visible import unfiltered, visible


class Terminal(Console):
    """A console that shows texts as they are, with control characters in a visible form."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        super().__init__(
            file=unfiltered(sys.stderr if stderr else sys.stdout),
            width=width,
            highlight=False,
            markup=False,
        )

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 - Rich's own
        """Return the text in the form in which it is shown, so that its width is right."""
        return super().render_str(visible(text), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments to show; Rich's own control sequences are separate segments."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)
