"""Items and judged outputs of a set: an output is a text of an item, whoever wrote it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field


@dataclass
class JudgedTexts:
    """The items and outputs of a set, in the order in which they were met.

    Equal texts of an item are one output: two would tie where nobody judged a tie. Where the text
    is not known, the systems stand for it.
    """

    sources: dict[str, str | None] = field(default_factory=dict)
    texts: dict[str, dict[str | tuple[str, ...], int]] = field(default_factory=dict)
    systems: dict[tuple[str, int], dict[str, None]] = field(default_factory=dict)
    links: dict[str, tuple[str, int]] = field(default_factory=dict)
    _of_system: dict[tuple[str, str], str] = field(default_factory=dict)

    def item(self, item: str, source: str | None) -> str | None:
        """Note the item; return the source it had before, where that is another."""
        known = self.sources.get(item)
        self.sources[item] = source if known is None else known
        return known if None not in (known, source) and known != source else None

    def knows(self, item: str, system: str, text: str) -> None:
        """Note what a system made of an item, for judgments that name the system alone."""
        self._of_system.setdefault((item, system), text)

    def output(
        self,
        item: str,
        text: str | None,
        systems: Sequence[str],
        source_systems: Iterable[str] = (),
    ) -> int:
        """Return the number of the output within its item, from 0.

        An empty text is an output, unless texts elsewhere have one of the systems.
        """
        if not text:
            known = (self._of_system.get((item, system)) for system in systems)
            text = next((one for one in known if one is not None), text)
        if not text and set(systems) & set(source_systems):
            text = self.sources.get(item)
        outputs = self.texts.setdefault(item, {})
        number = outputs.setdefault(tuple(systems) if text is None else text, len(outputs))
        self.systems.setdefault((item, number), {}).update(dict.fromkeys(systems))
        return number

    def rows(self, references: Collection[str] = ()) -> dict[str, list[tuple[object, ...]]]:
        """Return the rows of items, outputs and their systems, by raw table.

        `references` are the systems that stand for references.
        """
        return {
            "judged_items": [
                (item, source, *self.links.get(item, (None, None)))
                for item, source in self.sources.items()
            ],
            "judged_outputs": [
                (item, number, _text(key), _text(key) is not None and key == self.sources[item])
                for item, outputs in self.texts.items()
                for key, number in outputs.items()
            ],
            "output_systems": [
                (item, number, system, system in references)
                for (item, number), systems in self.systems.items()
                for system in systems
            ],
        }


def _text(key: str | tuple[str, ...]) -> str | None:
    return key if isinstance(key, str) else None
