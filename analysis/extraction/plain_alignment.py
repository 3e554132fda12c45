"""Alignments of words without a pipeline: edits, changed words, and edits that references share."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np
import scipy
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from maege.analysis.edits import Annotation, Edit
from maege.analysis.extraction.pipeline import ENGLISH, Missing, pipeline_status

NO_WORD = -1


class AlignedPair(NamedTuple):
    """Positions of a source word and of its partner; NO_WORD if there is none."""

    source: int
    target: int


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, including empty ones."""
    return re.split(r"\W", text.lower().strip())


def align_words(source: list[str], target: list[str]) -> list[AlignedPair]:
    """Return all words of both texts in pairs, in the order of the source."""
    size = max(len(source), len(target))
    costs = np.zeros((size, size))
    moved = np.abs(np.arange(len(source))[:, None] - np.arange(len(target))[None, :]) / size
    costs[: len(source), : len(target)] = (
        cdist(source, target, scorer=Levenshtein.distance, dtype=np.int32) + moved
    )
    rows, columns = scipy.optimize.linear_sum_assignment(costs)
    rows[rows >= len(source)] = NO_WORD
    columns[columns >= len(target)] = NO_WORD
    return list(map(AlignedPair, rows.tolist(), columns.tolist()))


def changed_places(source: str, correction: str) -> tuple[int, ...]:
    """Return the positions of the changed source words, the signature of an exact index match.

    The n-th inserted word gets the n-th position after the last source word.
    """
    before, after = split_words(source), split_words(correction)
    pairs = align_words(before, after)
    changed = [
        pair.source
        for pair in pairs
        if pair.source != NO_WORD
        and (pair.target == NO_WORD or before[pair.source] != after[pair.target])
    ]
    n_inserted = len(pairs) - len(before)
    return (*sorted(changed), *range(len(before), len(before) + n_inserted))


# --- Edits without a spaCy pipeline ---
#
# Tokens are aligned with Levenshtein 1966 (insertion, deletion, substitution at cost 1, case
# counts). Adjacent changes form one edit. The error type is only ERRANT's operation: M for a
# missing, U for an unnecessary, R for a replaced span.

SIGNATURE = "levenshtein-tokens|merge:adjacent|v:1"


def extract_plain(source: str, target: str) -> Annotation:
    source_words, target_words = source.split(), target.split()
    edits = []
    opcodes = Levenshtein.opcodes(source_words, target_words)
    for is_equal, run in groupby(opcodes, key=lambda change: change.tag == "equal"):
        if is_equal:
            continue
        adjacent = list(run)
        first, last = adjacent[0], adjacent[-1]
        start, end = first.src_start, last.src_end
        correction = target_words[first.dest_start : last.dest_end]
        kind = "M" if start == end else "R" if correction else "U"
        edits.append(Edit(start, end, kind, (" ".join(correction),)))
    return tuple(edits)


# --- How much a correction changes: words, their order, and sentence boundaries ---
#
# Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", section 3.2. Words are
# aligned one to one; WORDCHANGE counts the pairs of different words and the words without a
# partner, ignoring everything that is not alphanumeric.

# WordNet's rules for the plural of nouns, without its lexicon: singular words with endings in -s
# are unchanged, and of the other rules the first matching one is used.
PLURALS = (
    (re.compile(r"(?<=..)ies$"), "y"),
    (re.compile(r"(?<=ss|ch|sh)es$|(?<=[xz])es$"), ""),
    (re.compile(r"(?<=.)men$"), "man"),
    (re.compile(r"(?<=..)(?<![sui])s$"), ""),
)
# Marks that end a sentence if a letter or digit follows.
SENTENCE_END = re.compile(r"""[.!?]["')\]]*(?=\s+\S*\w)""")


class Changes(NamedTuple):
    """The changes of a correction to a source.

    `words` counts as the paper defines it; `unlike_words` as its program did, which treats words as
    equal if their singulars differ by at most two characters, or one if either has four or fewer.
    `order` is Spearman's rho between the positions of words that have a partner, None with fewer
    than two of them; `sentences` is the number of added sentences.
    """

    words: int
    unlike_words: int
    order: float | None
    sentences: int


def changes(source: str, target: str) -> Changes:
    before, after = split_words(source), split_words(target)
    if before == after:
        return Changes(0, 0, None if len(before) < 2 else 1.0, _added_sentences(source, target))
    pairs = align_words(before, after)
    words = unlike = 0
    for pair in pairs:
        old = before[pair.source] if pair.source != NO_WORD else None
        new = after[pair.target] if pair.target != NO_WORD else None
        # Most words are equal; an empty one without a partner does not count.
        if old == new or not (old or new):
            continue
        words += 1
        if old is None or new is None:
            unlike += 1
        else:
            old, new = singular(old), singular(new)
            limit = 2 if min(len(old), len(new)) > 4 else 1
            unlike += Levenshtein.distance(old, new) > limit
    targets = [
        pair.target
        for pair in sorted(pairs)
        if NO_WORD not in pair and before[pair.source] and after[pair.target]
    ]
    return Changes(words, unlike, _word_order(targets), _added_sentences(source, target))


def _word_order(targets: Sequence[int]) -> float | None:
    """Return 1 - 6 sum d^2 / (n (n^2 - 1)), from the new positions of words in their old order."""
    n = len(targets)
    if n < 2:
        return None
    places = {target: place for place, target in enumerate(sorted(targets))}
    squares = sum((places[target] - place) ** 2 for place, target in enumerate(targets))
    return 1 - 6 * squares / (n * (n * n - 1))


# Corrections of a sentence share most of their words.
@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    for ending, replacement in PLURALS:
        if ending.search(word):
            return ending.sub(replacement, word)
    return word


def _added_sentences(source: str, target: str) -> int:
    return len(SENTENCE_END.findall(target)) - len(SENTENCE_END.findall(source))


# --- How many references make an edit, determined from texts only ---
#
# A reference makes an edit if one of its changes, applied alone to the source, gives the source
# with that edit. Changes are maximal runs of changed tokens. A reference with a larger change does
# not make an edit that is only a part of the change: it changes those tokens differently.


class Shared(NamedTuple):
    """Number of references that make an edit, and that change its place differently."""

    n_references: int
    n_making: int
    n_otherwise: int

    @property
    def made_by(self) -> str:
        if not self.n_making:
            return "otherwise" if self.n_otherwise else "untouched"
        return "1" if self.n_making == 1 else "2-3" if self.n_making < 4 else "4+"


def shared_edits(source: str, edited: Iterable[str], references: Sequence[str]) -> list[Shared]:
    changes = [_changes(source, reference) for reference in references]
    shared = []
    for text in edited:
        places = [(edit.start, edit.end) for edit in extract_plain(source, text)]
        words = tuple(text.split())
        making = [places != [] and words in reference_changes for reference_changes in changes]
        otherwise = [
            not is_made
            and any(
                # An insertion has no tokens, so it overlaps a change that it is adjacent to.
                max(start, other_start) <= min(end, other_end)
                for start, end in places
                for other_start, other_end in reference_changes.values()
            )
            for reference_changes, is_made in zip(changes, making, strict=True)
        ]
        shared.append(Shared(len(references), sum(making), sum(otherwise)))
    return shared


def _changes(source: str, reference: str) -> dict[tuple[str, ...], tuple[int, int]]:
    """Return the position of each change of a reference, by the sentence with only that change."""
    tokens = source.split()
    return {
        (*tokens[: edit.start], *edit.corrections[0].split(), *tokens[edit.end :]): (
            edit.start,
            edit.end,
        )
        for edit in extract_plain(source, reference)
    }


# --- The edit extractor that is available on this machine ---


class Extractor(NamedTuple):
    """`signature` identifies all that edits depend on; `pipeline` is None without parses."""

    signature: str
    pipeline: str | None


@cache
def current_extractor(language: str = ENGLISH) -> Extractor:
    status = pipeline_status(language)
    if isinstance(status, Missing):
        return Extractor(SIGNATURE, None)
    return Extractor(status.signature, status.pipeline)
