"""The languages that metrics can read: BCP 47 tags, or None for all languages."""

from collections.abc import Iterable

ENGLISH = frozenset({"en"})


def common(languages: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    """Return the languages that all parts of a metric can read."""
    known = [of_part for of_part in languages if of_part is not None]
    return frozenset.intersection(*known) if known else None


def is_among(language: str, languages: frozenset[str] | None) -> bool:
    """Return whether a language, such as `en-GB`, is one of the languages.

    A macro does the same in SQL.
    """
    return languages is None or any(
        language == known or language.startswith(f"{known}-") for known in languages
    )
