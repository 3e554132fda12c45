"""Edits between texts, each pair found once: in a store, else by ERRANT, else by alignment.

spaCy is imported where a pair is in no store. Pairs of texts that are equal have
no edits, and nobody parses them.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from maege.analysis.edits import Annotation, format_annotation, parse_annotation
from maege.analysis.extraction.extractor import current_extractor

Pair = tuple[str, str]
# What a program was given: a pair of texts, or more.
Given = tuple[str, ...]


class Store(Protocol):
    """Where texts made by a program are kept: by its signature and what it was given."""

    def known(self, signature: str, given: Sequence[Given]) -> dict[Given, str]:
        """Return those that are there."""

    def keep(self, signature: str, made: Mapping[Given, str]) -> None:
        """Keep what was made."""


class NoStore:
    """Keeps nothing."""

    def known(self, signature: str, given: Sequence[Given]) -> dict[Given, str]:
        """Return nothing."""
        del signature, given
        return {}

    def keep(self, signature: str, made: Mapping[Given, str]) -> None:
        """Forget it."""
        del signature, made


class Extraction:
    """Edits of pairs of texts in one language; 0 `processes` parse in this one."""

    def __init__(self, language: str, store: Store, processes: int = 0) -> None:
        extractor = current_extractor(language)
        self.signature = extractor.signature
        self.has_types = extractor.pipeline is not None
        self._of_parses = f"{extractor.signature}|parse"
        self._store = store
        self._processes = processes

    def edits(self, pairs: Sequence[Pair]) -> dict[Pair, Annotation]:
        """Return the edits from the first text of each pair to the second."""
        plain = {pair: (_plain(pair[0]), _plain(pair[1])) for pair in pairs}
        wanted = list(dict.fromkeys(pair for pair in plain.values() if pair[0] != pair[1]))
        found = self._store.known(self.signature, wanted)
        missing = [pair for pair in wanted if pair not in found]
        if missing:
            from maege.analysis.compare.edits.parsing import extract_pairs

            made, parses = extract_pairs(
                missing, self.has_types, self._processes, self._parses_of(missing)
            )
            self._store.keep(self._of_parses, {(text,): parse for text, parse in parses.items()})
            found |= self._kept(self.signature, made)
        return {pair: parse_annotation(found.get(tokens, "")) for pair, tokens in plain.items()}

    def classified(
        self, annotated: Sequence[tuple[str, Annotation]]
    ) -> dict[tuple[str, Annotation], Annotation]:
        """Return annotations of sources with ERRANT's types, minimised."""
        signature = f"{self.signature}|typed"
        texts = {
            (source, edits): (_plain(source), format_annotation(edits))
            for source, edits in annotated
        }
        wanted = list(dict.fromkeys(texts.values()))
        found = self._store.known(signature, wanted)
        missing = [pair for pair in wanted if pair not in found]
        if missing:
            from maege.analysis.compare.edits.parsing import classify_pairs

            made = classify_pairs(missing, self._processes)
            found |= self._kept(signature, made)
        return {pair: parse_annotation(found[text]) for pair, text in texts.items()}

    def _parses_of(self, pairs: Sequence[Pair]) -> dict[str, str]:
        """Return the parses of first texts that the store has: an earlier system's."""
        if not self.has_types:
            return {}
        sources = dict.fromkeys((source,) for source, _ in pairs)
        known = self._store.known(self._of_parses, [*sources])
        return {text: parse for (text,), parse in known.items()}

    def _kept(self, signature: str, made: Mapping[Pair, str]) -> dict[Given, str]:
        """Return what was made, which the store has from now on."""
        found: dict[Given, str] = dict(made.items())
        self._store.keep(signature, found)
        return found


def _plain(text: str) -> str:
    """Return the tokens with one blank between."""
    return " ".join(text.split())
