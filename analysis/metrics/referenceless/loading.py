"""Load the resources for matching words: a stemmer and a dictionary."""

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec

from maege.analysis.extraction.pipeline import Missing

# A fixed dictionary, because the package's newest one may differ between machines.
EXTRAS = {"pocketsphinx": "'maege[fluency]'"}


def missing_package(*names: str) -> Missing | None:
    """Return the first of the packages that is not installed, None if all are."""
    for name in names:
        if find_spec(name) is None:
            return Missing(
                f"the package {name} is not installed", f"pip install {EXTRAS.get(name, name)}"
            )
    return None


def load_stemmer() -> Callable[[str], str]:
    """Return NLTK's Snowball stemmer of English."""
    # Imported here, because it takes a second.
    from nltk.stem.snowball import SnowballStemmer

    stem: Callable[[str], str] = SnowballStemmer("english").stem
    return stem


@cache
def load_dictionary() -> Callable[[str], bool]:
    """Return a function that looks a word up in spylls' American dictionary, case-sensitively."""
    from spylls.hunspell import Dictionary

    lookup: Callable[[str], bool] = Dictionary.from_files("en_US").lookup
    return lookup


def is_known(word: str, is_word: Callable[[str], bool]) -> bool:
    """Return whether a dictionary has the word as it is, in lower case, or capitalised."""
    return any(map(is_word, (word, word.lower(), word.capitalize())))
