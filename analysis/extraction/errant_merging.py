"""ERRANT's rules for merging adjacent steps of an alignment into edits.

Felice, Bryant and Briscoe 2016, with the rules of ERRANT 3. In a run of insertions, deletions and
substitutions, the rules are tried on the widest spans first, then from left to right. The parts
left and right of the first matching span are searched in the same way. ERRANT examines every span
of each part again. This module skips spans that the search of the whole run has already examined,
except those at the beginning of a part, because some rules apply only there.
"""

from collections.abc import Iterator
from itertools import accumulate, groupby
from string import punctuation
from typing import NamedTuple

from rapidfuzz.distance import Indel

from maege.analysis.extraction.errant_alignment import (
    DELETION,
    INSERTION,
    MATCH,
    SUBSTITUTION,
    TRANSPOSITION,
    Step,
    align,
)
from maege.analysis.extraction.tokens import Sentence

_CONTENT = frozenset({"ADJ", "ADV", "AUX", "NOUN", "VERB"})
_VERBAL = frozenset({"AUX", "PART", "VERB"})

# Tokens at the ends of a pair of steps are separate edits if their similarity exceeds this value.
_SIMILAR = 0.75


class EditSpan(NamedTuple):
    """Source tokens from `start` to `end` (exclusive), and the target tokens in their place."""

    start: int
    end: int
    other_start: int
    other_end: int


# What to do with a span of steps: search it for a rule, merge it into one edit, or split it.
_SEARCH, _MERGE, _KEEP = range(3)


def edit_spans(source: Sentence, target: Sentence) -> list[EditSpan]:
    """Return the edits from source to target, from left to right."""
    spans: list[EditSpan] = []
    for kind, group in groupby(align(source, target), lambda step: max(step[0], SUBSTITUTION)):
        steps = list(group)
        if kind == TRANSPOSITION or (len(steps) == 1 and kind != MATCH):
            spans += (EditSpan(*step[1:]) for step in steps)
        elif kind != MATCH:
            spans += _Run(steps, source, target).edits()
    return spans


class _Run:
    """Adjacent insertions, deletions and substitutions of an alignment."""

    def __init__(self, steps: list[Step], source: Sentence, target: Sentence) -> None:
        self._steps, self._source, self._target = steps, source, target
        substitutions = (step.operation == SUBSTITUTION for step in steps)
        self._substitutions = list(accumulate(substitutions, initial=0))

    def edits(self) -> Iterator[EditSpan]:
        """Yield the edits of the run."""
        steps = self._steps
        # Iterative, because a thousand steps may be split off one by one.
        tasks = [(_SEARCH, 0, len(steps), len(steps))]
        while tasks:
            task, first, stop, widest = tasks.pop()
            if task == _MERGE:
                begins, ends = steps[first], steps[stop - 1]
                yield EditSpan(begins.start, ends.end, begins.other_start, ends.other_end)
            elif task == _KEEP or stop - first < 2:
                yield from (EditSpan(*step[1:]) for step in steps[first:stop])
            else:
                task, start, end, width = self._search(first, stop, widest)
                # Wider spans than that of the matching rule have already been examined without a
                # match.
                width = min(width, widest)
                tasks.append((_SEARCH, end, stop, width))
                if start < end:
                    tasks.append((task, start, end, width))
                tasks.append((_SEARCH, first, start, width))

    def _search(self, first: int, stop: int, widest: int) -> tuple[int, int, int, int]:
        """Return the span of the first rule that applies, what to do with its steps, and its width.

        Spans of more than `widest` + 1 steps are examined at the beginning only.
        """
        n_substitutions = self._substitutions[stop] - self._substitutions[first]
        if not n_substitutions and len({step[0] for step in self._steps[first:stop]}) == 1:
            return _MERGE, first, stop, 0
        for width in range(stop - first - 1, 0, -1):
            for left in range(first, stop - width if width <= widest else first + 1):
                right = left + width
                if self._substitutions[right + 1] > self._substitutions[left]:
                    plan = self._rule(first, left, right, stop)
                    if plan is not None:
                        return *plan, width
        start, last = self._steps[first], self._steps[stop - 1]
        classes = {
            *self._source.parse.pos[start.start : last.end],
            *self._target.parse.pos[start.other_start : last.other_end],
        }
        has_content = n_substitutions and not classes.isdisjoint(_CONTENT)
        return _MERGE if has_content else _KEEP, first, stop, 0

    def _rule(self, first: int, left: int, right: int, stop: int) -> tuple[int, int, int] | None:
        """Return what a rule does with steps `left` to `right` of the steps before `stop`."""
        source, target, begins, ends = (
            self._source,
            self._target,
            self._steps[left],
            self._steps[right],
        )
        o, o_stop, c, c_stop = begins.start, ends.end, begins.other_start, ends.other_end
        n_o, n_c, o_last, c_last = o_stop - o, c_stop - c, o_stop - 1, c_stop - 1
        o_tags, c_tags = source.parse.tag, target.parse.tag
        # A possessive suffix is an edit at the beginning; elsewhere it joins the preceding token.
        if left == first and "POS" in (o_tags[o], c_tags[c]):
            return _KEEP, first, first + 1
        if "POS" in (o_tags[o_last], c_tags[c_last]):
            return _MERGE, right - 1, right + 1
        if source.lowers[o_last] == target.lowers[c_last]:
            # Cat -> The big cat
            if left == first and (
                (n_o == 1 and target.words[c][0].isupper())
                or (n_c == 1 and source.words[o][0].isupper())
            ):
                return _MERGE, left, right + 1
            # , we -> . We
            if (n_o > 1 and _is_punctuation(source, o_last - 1)) or (
                n_c > 1 and _is_punctuation(target, c_last - 1)
            ):
                return _MERGE, right - 1, right + 1
        # sub - way -> subway
        if source.letters(o, o_stop) == target.letters(c, c_stop):
            return _MERGE, left, right + 1
        # to eat -> eating, watch -> look at
        o_classes, c_classes = source.parse.pos, target.parse.pos
        if (
            n_o != n_c
            # The classes at the ends exclude most spans before all classes are examined.
            and _is_one_verb({o_classes[o], o_classes[o_last], c_classes[c], c_classes[c_last]})
            and _is_one_verb({*o_classes[o:o_stop], *c_classes[c:c_stop]})
        ):
            return _MERGE, left, right + 1
        if right - left > 1:
            return None
        if n_o == n_c == 2:
            return _KEEP, right, right
        if (
            begins.operation == SUBSTITUTION and _are_similar(source.words[o], target.words[c])
        ) or (
            ends.operation == SUBSTITUTION
            and _are_similar(source.words[o_last], target.words[c_last])
        ):
            return _KEEP, right, right
        if right == stop - 1 and (
            (ends.operation != INSERTION and o_classes[o_last] == "DET")
            or (ends.operation != DELETION and c_classes[c_last] == "DET")
        ):
            return _KEEP, right, stop
        return None


def _is_one_verb(classes: set[str]) -> bool:
    """Return whether the parts of speech may belong to one verb, or are all the same."""
    return len(classes) == 1 or classes <= _VERBAL


def _is_punctuation(sentence: Sentence, token: int) -> bool:
    # As in ERRANT, a run of punctuation marks counts only if string.punctuation contains the same
    # run.
    return sentence.parse.pos[token] == "PUNCT" or sentence.words[token] in punctuation


def _are_similar(word: str, other: str) -> bool:
    return 1 - Indel.normalized_distance(word, other) > _SIMILAR
