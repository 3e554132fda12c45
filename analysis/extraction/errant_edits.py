"""Typed edits from one text to another, equal to those of ERRANT 3.0.2, from stored parses."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from string import punctuation
from typing import Any, NamedTuple

from rapidfuzz.distance import Indel

from maege.analysis.edits import Annotation, Edit
from maege.analysis.extraction.parses import Parse, Sentence, TokenKey

DELETION, INSERTION, SUBSTITUTION, MATCH, TRANSPOSITION = range(5)

_OPEN = frozenset({"ADJ", "ADV", "NOUN", "VERB"})


class Step(NamedTuple):
    operation: int
    start: int
    end: int
    other_start: int
    other_end: int


def align(source: Sentence, target: Sentence) -> list[Step]:
    """Return the steps of the alignment with the lowest cost, up to the equal tokens at the end."""
    words, lowers = source.words, source.lowers
    lemmas, classes, *_ = source.parse
    target_words, other_lowers = target.words, target.lowers
    other_lemmas, other_classes, *_ = target.parse
    n, m = len(words), len(target_words)
    # Equal tokens are aligned, regardless of the tokens before them.
    while n and m and words[n - 1] == target_words[m - 1]:
        n, m = n - 1, m - 1
    # Tokens that the other text contains only later take part in no transposition.
    first_in_source = {lower: i for i, lower in reversed([*enumerate(lowers[:n])])}
    first_in_target = {lower: j for j, lower in reversed([*enumerate(other_lowers[:m])])}
    partners = [first_in_source.get(lower, n) for lower in other_lowers[:m]]

    columns = [
        *zip(target_words[:m], other_lowers, other_lemmas, other_classes, partners, strict=False)
    ]
    costs = [[float(j) for j in range(m + 1)]]
    # From TRANSPOSITION on, the operation's code is TRANSPOSITION + k.
    operations = [[INSERTION] * (m + 1)]
    for i in range(n):
        word, lower, lemma, word_class = words[i], lowers[i], lemmas[i], classes[i]
        is_open = word_class in _OPEN
        first_partner = first_in_target.get(lower, m)
        above = costs[i]
        best = i + 1.0
        row, row_operations = [best], [DELETION]
        for j, (target_word, other_lower, other_lemma, other_class, partner) in enumerate(columns):
            diagonal = above[j]
            if word == target_word:
                best, operation = diagonal, MATCH
            else:
                if best <= above[j + 1]:
                    best, operation = best + 1, INSERTION
                else:
                    best, operation = above[j + 1] + 1, DELETION
                if diagonal <= best:
                    substitution = 0.0
                    if lower != other_lower:
                        if lemma != other_lemma:
                            substitution = 0.499
                        if word_class != other_class:
                            substitution += 0.25 if is_open and other_class in _OPEN else 0.5
                        # Skip the characters if the substitution is too expensive without them.
                        if diagonal + substitution <= best:
                            substitution += Indel.normalized_distance(word, target_word)
                    if diagonal + substitution <= best:
                        best, operation = diagonal + substitution, SUBSTITUTION
                if (
                    first_partner <= j
                    and partner <= i
                    and i
                    and j
                    and diagonal != costs[i - 1][j - 1]
                ):
                    size = _transposition(lowers, other_lowers, costs, i, j)
                    if size and costs[i - size][j - size] + size <= best:
                        best, operation = costs[i - size][j - size] + size, TRANSPOSITION + size
            row.append(best)
            row_operations.append(operation)
        costs.append(row)
        operations.append(row_operations)
    return _trace_back(operations)


def _transposition(
    lowers: Sequence[str],
    other_lowers: Sequence[str],
    costs: Sequence[Sequence[float]],
    i: int,
    j: int,
) -> int:
    """Return the smallest k such that the k + 1 tokens up to i and j are permutations, else 0."""
    # How much more often a token occurs in the source than in the target.
    surplus: dict[str, int] = {}
    for k in range(min(i, j) + 1):
        # The costs of row i + 1 are still unknown.
        if k and costs[i - k + 1][j - k + 1] == costs[i - k][j - k]:
            return 0
        for lower, more in ((lowers[i - k], 1), (other_lowers[j - k], -1)):
            surplus[lower] = surplus.get(lower, 0) + more
            if not surplus[lower]:
                del surplus[lower]
        if k and not surplus:
            return k
    return 0


def _trace_back(operations: Sequence[Sequence[int]]) -> list[Step]:
    i, j = len(operations) - 1, len(operations[0]) - 1
    steps = []
    while i or j:
        operation = operations[i][j]
        size = max(1, operation - TRANSPOSITION + 1)
        before = i if operation == INSERTION else i - size
        other_before = j if operation == DELETION else j - size
        steps.append(Step(min(operation, TRANSPOSITION), before, i, other_before, j))
        i, j = before, other_before
    return steps[::-1]


# --- ERRANT's rules for merging adjacent steps of an alignment into edits ---
#
# Felice, Bryant and Briscoe 2016, with the rules of ERRANT 3. In a run of insertions, deletions and
# substitutions, the rules are tried on the widest spans first, then from left to right. The parts
# left and right of the first matching span are searched in the same way, without the spans that
# were examined before, except at the beginning of a part, because some rules apply only there.

_CONTENT = frozenset({"ADJ", "ADV", "AUX", "NOUN", "VERB"})
_VERBAL = frozenset({"AUX", "PART", "VERB"})

# Tokens at the ends of a pair of steps are separate edits if their similarity exceeds this value.
_SIMILAR = 0.75


class EditSpan(NamedTuple):
    start: int
    end: int
    other_start: int
    other_end: int


# What to do with a span of steps: search it for a rule, merge it into one edit, or split it.
_SEARCH, _MERGE, _KEEP = range(3)


def edit_spans(source: Sentence, target: Sentence) -> list[EditSpan]:
    spans: list[EditSpan] = []
    for kind, group in groupby(align(source, target), lambda step: max(step[0], SUBSTITUTION)):
        steps = list(group)
        if kind == TRANSPOSITION or (len(steps) == 1 and kind != MATCH):
            spans += (EditSpan(*step[1:]) for step in steps)
        elif kind != MATCH:
            spans += _Run(steps, source, target).edits()
    return spans


class _Run:
    def __init__(self, steps: list[Step], source: Sentence, target: Sentence) -> None:
        self._steps, self._source, self._target = steps, source, target
        substitutions = (step.operation == SUBSTITUTION for step in steps)
        self._substitutions = list(accumulate(substitutions, initial=0))

    def edits(self) -> Iterator[EditSpan]:
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
        source, target = self._source, self._target
        begins, ends = self._steps[left], self._steps[right]
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
    return len(classes) == 1 or classes <= _VERBAL


def _is_punctuation(sentence: Sentence, token: int) -> bool:
    # As in ERRANT, a run of punctuation marks counts only if string.punctuation contains the same
    # run.
    return sentence.parse.pos[token] == "PUNCT" or sentence.words[token] in punctuation


def _are_similar(word: str, target_word: str) -> bool:
    return 1 - Indel.normalized_distance(word, target_word) > _SIMILAR


# --- Extraction of typed edits ---
#
# Bryant, Felice and Briscoe 2017, "Automatic Annotation and Evaluation of Error Types for
# Grammatical Error Correction", with the types of ERRANT's own classifier.

# Types of edits that mark an error without correcting it.
DETECTIONS = ("Um", "UNK")
# ERRANT stems the words of an edit each time, so types are cached: about 10 MB.
_REMEMBERED_TYPES = 1 << 14
_known_types: dict[tuple[TokenKey | None, ...], str] = {}


def extract(source: Sentence, target: Sentence) -> Annotation:
    if source.words == target.words:
        return ()
    return tuple(
        Edit(
            span.start,
            span.end,
            _type(source, target, span),
            (" ".join(target.words[span.other_start : span.other_end]),),
        )
        for span in edit_spans(source, target)
    )


def corrected_text(source: str, annotation: Iterable[Edit]) -> str:
    """Apply the first correction of each edit, unless the edit only detects an error."""
    return _apply(source.split(), annotation)[0]


def classify(
    source: str, annotation: Iterable[Edit], source_parse: Parse, target_parse: Parse
) -> Annotation:
    """Return an annotation's edits sorted by position, with ERRANT's types.

    Equal tokens at the ends of an edit are removed, as ERRANT does with gold edits, unless it only
    detects an error. `target_parse` is the parse of `corrected_text`.
    """
    source_words = source.split()
    target, placed = _apply(source_words, annotation)
    original = Sentence(source_words, source_parse)
    corrected = Sentence(target.split(), target_parse)
    typed = []
    for edit, start, end in placed:
        detects = edit.error_type in DETECTIONS
        span = EditSpan(edit.start, edit.end, start, end)
        typed_edit = _typed(original, corrected, span, minimise=not detects)
        tokens = [token.text for token in typed_edit.c_toks]
        correction = " ".join(edit.corrections[0].split() if detects else tokens)
        typed.append(Edit(typed_edit.o_start, typed_edit.o_end, typed_edit.type, (correction,)))
    return tuple(typed)


def _type(original: Sentence, corrected: Sentence, span: EditSpan) -> str:
    """Return the type of an edit, cached because corrections of a sentence share most edits.

    It depends on the tokens' attributes only, unless the classifier read the dependency tree.
    """
    start, end, other_start, other_end = span
    before, after = original.attributes[start:end], corrected.attributes[other_start:other_end]
    key = (*before, None, *after)
    edit_type = _known_types.get(key)
    if edit_type is None:
        original.tree_is_read = corrected.tree_is_read = False
        edit_type = str(_typed(original, corrected, span).type)
        if len(_known_types) == _REMEMBERED_TYPES:
            _known_types.clear()
        if not (original.tree_is_read or corrected.tree_is_read):
            _known_types[key] = edit_type
    return edit_type


def _typed(
    original: Sentence, corrected: Sentence, span: EditSpan, *, minimise: bool = False
) -> Any:  # noqa: ANN401 - ERRANT is untyped
    from errant.edit import Edit as ErrantEdit
    from errant.en.classifier import classify

    edit = ErrantEdit(original, corrected, list(span))
    return classify(edit.minimise() if minimise else edit)


def _apply(words: list[str], annotation: Iterable[Edit]) -> tuple[str, list[tuple[Edit, int, int]]]:
    """Return the corrected text, and the edits sorted by position with their spans in that text."""
    corrected = list(words)
    placed = []
    offset = 0
    for edit in sorted(annotation, key=lambda edit: (edit.start, edit.end)):
        detects = edit.error_type in DETECTIONS
        tokens = words[edit.start : edit.end] if detects else edit.corrections[0].split()
        start = edit.start + offset
        corrected[start : edit.end + offset] = tokens
        placed.append((edit, start, start + len(tokens)))
        offset += len(tokens) - (edit.end - edit.start)
    return " ".join(corrected), placed
