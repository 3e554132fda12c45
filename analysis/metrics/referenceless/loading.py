"""What matching words needs besides the texts: a stemmer and a dictionary, loaded fast.

A worker loads both anew. 50,000 objects of the dictionary are made without the garbage collector
looking through them, and NLTK is kept from importing scipy.stats, which it does for a test of
collocations: together 1.5 s of 2.5.
"""

import gc
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import Protocol

from analysis.extraction.pipeline import Missing

_UNUSED = "scipy.stats"


def missing_package(*names: str) -> Missing | None:
    """Return the first of the packages that is not installed, None if all are."""
    for name in names:
        if find_spec(name) is None:
            return Missing(f"the package {name} is not installed", f"pip install {name}")
    return None


def load_stemmer() -> Callable[[str], str]:
    """Return NLTK's Snowball stemmer of English."""
    with _quickly():
        from nltk.stem.snowball import SnowballStemmer
    stem: Callable[[str], str] = SnowballStemmer("english").stem
    return stem


class Speller(Protocol):
    """A dictionary that knows words as they are written, and what a misspelt one may mean."""

    def lookup(self, word: str) -> bool:
        """Return whether it has the word."""

    def suggest(self, word: str) -> Iterator[str]:
        """Yield what it suggests for the word, best first."""


@cache
def load_speller() -> Speller:
    """Return the American dictionary of spylls."""
    with _quickly():
        from spylls.hunspell import Dictionary

        speller: Speller = Dictionary.from_files("en_US")
    return speller


def load_dictionary() -> Callable[[str], bool]:
    """Return whether the American dictionary of spylls has a word as it is written."""
    return load_speller().lookup


def is_known(word: str, is_word: Callable[[str], bool]) -> bool:
    """Return whether a dictionary has the word as it is, in lower case, or capitalised."""
    return any(map(is_word, (word, word.lower(), word.capitalize())))


@contextmanager
def _quickly() -> Iterator[None]:
    """Import without the garbage collector; without _UNUSED in a worker, which has one thread."""
    collects = gc.isenabled()
    hides = multiprocessing.parent_process() is not None and _UNUSED not in sys.modules
    gc.disable()
    if hides:
        # Makes its import fail, for which NLTK is prepared.
        sys.modules[_UNUSED] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if hides:
            del sys.modules[_UNUSED]
        if collects:
            gc.enable()
