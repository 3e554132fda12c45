"""One check of texts for all commands: tokenised sentences, line by line in one language.

`check_texts` looks for six faults, in this order, and reports the first of each file:

    structured   JSON lines, XML, columns, numbered or labelled lines, or subword units
    quoted       sentences in quotation marks that the sources lack
    untokenised  punctuation marks attached to words
    shifted      sentences next to the sentences of other lines
    empty_lines  more than half of the lines without text
    language     another language than the one that was named
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import Literal, NamedTuple, get_args

from maege.ingest.findings import Findings, quote
from maege.ingest.formats.common import other_kind
from maege.ingest.languages import fault_of_language

Check = Literal["structured", "quoted", "untokenised", "shifted", "empty_lines", "language"]
CHECKS: tuple[Check, ...] = get_args(Check)

# A fault in a single line may be part of the text.
LEAST_LINES = 2
MOST_UNTOKENISED = 0.2
MOST_QUOTED = 0.2
LEAST_EMPTY, MOST_EMPTY = 3, 0.5
# If all files agree, the minimum share and number of lines are larger.
NEARLY_ALL = 0.8
LEAST_LINES_ALONE = 5

MARKS = frozenset(".?!。？！؟।")
QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", "`": "`'"}
QUOTES |= {"「": "」", "『": "』", "《": "》", "＂": "＂", "‚": "‘", "”": "”", "’": "’"}

# Minimum run of lines with text for a report of unrelated texts, and the number of lines that are
# examined together.
LEAST_LINES_UNRELATED, WINDOW = 4, 10
LEAST_LIKENESS = 0.3
# A line with at least this similarity to its source is not shifted.
FITS = 0.7
# Maximum shift in lines: searched in all texts, and in texts that look unrelated.
MOST_SHIFTED_BY, MOST_UNRELATED_SHIFTED_BY = 5, 50
# How much more similar shifted lines are to another source, on average and in total.
LEAST_MEAN_GAIN, LEAST_GAIN = 0.3, 1.5
# Missing lines are searched if there are few, and reported if the rest then matches this much
# better.
MOST_MISSING = 50
CLEARLY_BETTER = 0.3

# Lines in JSON, or as Python prints a list, a dictionary or a tuple; printed lists have a comma
# after each item.
JSON_LINE = re.compile(r"""\s*(?:\{.*["'].*\}|\[.*["'].*\]|\(["'].*["'],?\)),?\s*""")
XML_LINE = re.compile(r"\s*<([A-Za-z_][\w:.-]*)(?:\s[^<>]*)?>.*</\1>\s*")
SIGN = re.compile(r"[^\w\s]")
BARS = re.compile(r"\|\|\|")
BAR = re.compile(r"(?<!\|)\|(?!\|)")
# Subword marks of subword-nmt, SentencePiece and WordPiece.
SUBWORD = re.compile(r"\w@@(?:\s|$)|▁|(?:^|\s)##\w")


class Texts(NamedTuple):
    """The sentences of a file or an argument; `lines` are their lines, by default from 1."""

    shown: str
    texts: Sequence[str | None]
    lines: Sequence[int] | None = None

    def line(self, place: int) -> int:
        return place + 1 if self.lines is None else self.lines[place]


# What is expected of texts that pass a check, and the fix.
FIXES: dict[Check, tuple[str, str]] = {
    "structured": ("one sentence in each line and nothing else", "Write the sentences alone."),
    "quoted": ("sentences without added quotation marks", "Remove the marks at both ends."),
    "untokenised": ("tokens separated by spaces", "Tokenise all files alike (spaCy, UDPipe)."),
    "shifted": ("a version of its source in each line", "Correct the file from the line on."),
    "empty_lines": ("a sentence in each line", "Write the missing sentences."),
    "language": ("texts in the named language, or English", "Name the language: {language}."),
}


class Suspicion(NamedTuple):
    check: Check
    shown: str
    line: int
    found: str


class Shift(NamedTuple):
    """Lines from `first` to `last`, counted from 0, that match the sources `offset` lines later.

    If `offset` is None, they match no source. `likeness` is their similarity to their own sources.
    """

    first: int
    last: int
    offset: int | None
    likeness: float


class Caller(NamedTuple):
    """How the user of a command sets the language, and continues despite a suspicion."""

    language: str
    proceed: str


COMMAND = Caller("--language TAG, such as --language cs", "add --force to continue")
PYTHON = Caller("language=TAG, such as language='cs'", "pass force=True to continue")
MANIFEST = Caller(
    "language: TAG in the manifest, such as language: cs",
    "write accept: [{check}] in the manifest, or add --force, to continue",
)


def check_texts(
    sources: Texts,
    other_files: Sequence[Texts],
    language: str | None,
    *,
    allowed: Iterable[str] = (),
    is_aligned: bool = True,
    checks_language: bool = True,
) -> list[Suspicion]:
    """Return what looks wrong with texts, at most one suspicion for each file.

    `sources` are the first references if there are no sources. `language` is the tag that the user
    gave. `allowed` are checks to skip. `is_aligned`: the texts are in the order of a file, so that
    lines may be shifted. `checks_language`: the texts should all be of one language.
    """
    skipped = {*allowed} if is_aligned else {*allowed, "shifted"}
    checks = [check for check in CHECKS if check not in skipped]
    source_suspicion = next(_source_suspicions(sources, other_files, checks), None)
    if source_suspicion is None and checks_language and "language" in checks:
        found = fault_of_language([text or "" for text in sources.texts], language)
        if found is not None:
            source_suspicion = Suspicion("language", sources.shown, 0, found)
    others = (next(_file_suspicions(sources, texts, checks), None) for texts in other_files)
    return [suspicion for suspicion in (source_suspicion, *others) if suspicion is not None]


def check_scored(
    sources: Texts | None,
    references: Sequence[Texts],
    outputs: Sequence[Texts],
    language: str | None,
    *,
    is_aligned: bool = True,
    checks_language: bool = True,
) -> list[Suspicion]:
    """Return what looks wrong with texts to score; metrics may not need the sources."""
    columns = [*references, *outputs] if sources is None else [sources, *references, *outputs]
    return check_texts(
        columns[0], columns[1:], language, is_aligned=is_aligned, checks_language=checks_language
    )


def add_suspicions(suspicions: Sequence[Suspicion], caller: Caller, findings: Findings) -> None:
    for check in CHECKS:
        same_check = [suspicion for suspicion in suspicions if suspicion.check == check]
        if not same_check:
            continue
        first, *repeated = same_check
        expected, remedy = FIXES[check]
        names = ", ".join(suspicion.shown for suspicion in repeated[:5])
        n_more = len(repeated) - 5
        findings.add(
            first.shown,
            first.line,
            first.found
            + (f"; the same fault in {names}" if names else "")
            + (f" and {n_more} more files" if n_more > 0 else ""),
            expected,
            f"{remedy.format(language=caller.language)} Or {caller.proceed.format(check=check)}.",
        )


def _likeness(source: str, text: str) -> float:
    """Return F of the tokens that two texts share, in any order."""
    words, other_words = source.split(), text.split()
    if words == other_words:
        return 1.0
    shared = sum((Counter(words) & Counter(other_words)).values())
    return 2 * shared / (len(words) + len(other_words))


def is_tokenised_differently(text: str, other_texts: Sequence[str]) -> bool:
    """Return whether a text differs from one of the others in blanks or an attached end mark."""
    tokens = text.split()
    has_mark = bool(other_texts and other_texts[0].split()) and other_texts[0].split()[-1] in MARKS
    if has_mark and _has_attached_mark(text):
        return True
    letters = "".join(tokens)
    return any(
        tokens != other.split() and letters == "".join(other.split()) for other in other_texts
    )


def missing_line(sources: Sequence[str], lines: Sequence[str]) -> int | None:
    """Return the line, from 1, where lines are missing or added: all later ones are shifted."""
    shift = len(sources) - len(lines)
    if not 0 < abs(shift) <= MOST_MISSING:
        return None
    n = min(len(sources), len(lines))
    straight = [_likeness(*pair) for pair in zip(sources, lines, strict=False)]
    pairs = zip(sources[max(shift, 0) :], lines[max(-shift, 0) :], strict=True)
    shifted = [_likeness(*pair) for pair in pairs]
    before = [0.0, *accumulate(straight)]
    after = [0.0, *accumulate(shifted)]
    # The first `place` lines are not shifted, all others are.
    scores = [before[place] + after[n] - after[place] for place in range(n + 1)]
    best = max(range(n + 1), key=scores.__getitem__)
    n_shifted = n - best
    is_clear = n_shifted == 0 or scores[best] - before[n] > CLEARLY_BETTER * n_shifted
    return best + 1 if is_clear and scores[best] > CLEARLY_BETTER * n else None


def explain_missing_line(line: int | None, *, is_missing: bool) -> str:
    if line is None:
        return ""
    problem, neighbour = ("missing", "after") if is_missing else ("one too many", "before")
    return (
        f"A line seems to be {problem} at {line:,}: from there on lines resemble the source of the "
        f"line {neighbour}."
    )


def shifted_lines(sources: Sequence[str], texts: Sequence[str]) -> Shift | None:
    """Return the lines that match other lines' sources, or no source; None if there are none.

    They are the run of lines with the largest sum of gains. The gain of a line is how much more
    similar it is to the source some lines later or earlier than to its own source.
    """
    own_scores = [_likeness(*pair) for pair in zip(sources, texts, strict=True)]
    unrelated = _unrelated_lines(texts, own_scores)
    max_offset = MOST_SHIFTED_BY if unrelated is None else MOST_UNRELATED_SHIFTED_BY
    doubtful = [
        place for place, text in enumerate(texts) if text.split() and own_scores[place] < FITS
    ]
    end = max((place for place, text in enumerate(texts) if text.split()), default=0)
    best: tuple[float, Shift] | None = None
    for offset in sorted(range(-max_offset, max_offset + 1), key=abs)[1:]:
        gains = [0.0 if not text.split() else -CLEARLY_BETTER for text in texts]
        for place in doubtful:
            source_place = place + offset
            if 0 <= source_place < len(sources):
                gains[place] = _likeness(sources[source_place], texts[place]) - own_scores[place]
        gain, first, last = _largest_run(gains)
        n_lines = last + 1 - first
        # A few lines in the middle may be an error of a system, such as NTHU's in CoNLL-2014.
        is_long = n_lines >= min(WINDOW, len(texts) / 2) or last >= end
        is_clear = gain >= max(LEAST_GAIN, LEAST_MEAN_GAIN * n_lines)
        if is_long and is_clear and (best is None or gain > best[0]):
            best = gain, Shift(first, last, offset, sum(own_scores[first : last + 1]) / n_lines)
    return best[1] if best else unrelated


def _source_suspicions(
    sources: Texts, other_files: Sequence[Texts], checks: Sequence[Check]
) -> Iterator[Suspicion]:
    if "structured" in checks:
        yield from _structure(sources, None)
    lines = [text for text in sources.texts if text and text.split()]
    if "quoted" in checks:
        quoted = [_is_quoted(text or "") for text in sources.texts]
        if _is_suspicious(quoted, len(lines), _is_quoted, other_files):
            yield _quoted(sources, len(lines), quoted)
    if "untokenised" in checks:
        attached = [_has_attached_mark(text or "") for text in sources.texts]
        n_ends = sum(attached) + sum(text.split()[-1] in MARKS for text in lines)
        if _is_suspicious(attached, n_ends, _has_attached_mark, other_files, LEAST_LINES):
            yield _untokenised(sources, n_ends, attached)


def _is_suspicious(
    marked: Sequence[bool],
    n_texts: int,
    has_fault: Callable[[str], bool],
    other_files: Sequence[Texts],
    least_alone: int = LEAST_LINES_ALONE,
) -> bool:
    n_marked = sum(marked)
    agree = all(
        2 * sum(has_fault(text or "") for text in texts.texts) > n_marked for texts in other_files
    )
    share, number = (NEARLY_ALL, least_alone) if agree else (0.5, LEAST_LINES)
    return n_marked >= number and n_marked > share * n_texts


def _file_suspicions(sources: Texts, other: Texts, checks: Sequence[Check]) -> Iterator[Suspicion]:
    if "structured" in checks:
        yield from _structure(other, sources)
    pairs = [
        (source or "", text or "") for source, text in zip(sources.texts, other.texts, strict=False)
    ]
    with_text = [pair for pair in pairs if pair[0].split() and pair[1].split()]
    if "quoted" in checks:
        added = [_is_quoted(text) and not _is_quoted(source) for source, text in pairs]
        if sum(added) >= LEAST_LINES and sum(added) > MOST_QUOTED * len(with_text):
            yield _quoted(other, len(with_text), added)
    with_end_mark = [source for source, text in with_text if source.split()[-1] in MARKS]
    attached = [
        bool(source.split()) and source.split()[-1] in MARKS and _has_attached_mark(text)
        for source, text in pairs
    ]
    if sum(attached) >= LEAST_LINES and sum(attached) > MOST_UNTOKENISED * len(with_end_mark):
        if "untokenised" in checks:
            yield _untokenised(other, len(with_end_mark), attached)
        # Accepted, because lines are compared without regard to tokenisation.
        pairs = [
            (SIGN.sub(r" \g<0> ", source), SIGN.sub(r" \g<0> ", text)) for source, text in pairs
        ]
    if "shifted" in checks and len(sources.texts) == len(other.texts):
        yield from _shift(other, pairs)
    if "empty_lines" in checks:
        blank = [
            text is not None and not text.split() and bool((source or "").split())
            for source, text in zip(sources.texts, other.texts, strict=False)
        ]
        if sum(blank) >= LEAST_EMPTY and sum(blank) > MOST_EMPTY * len(pairs):
            found = f"{sum(blank):,} of {len(pairs):,} texts are empty"
            yield _suspicion("empty_lines", other, blank, found)


def _suspicion(check: Check, texts: Texts, marked: Sequence[bool], found: str) -> Suspicion:
    return Suspicion(check, texts.shown, texts.line(marked.index(True)), found)


def _structure(texts: Texts, sources: Texts | None) -> Iterator[Suspicion]:
    lines = [text or "" for text in texts.texts]
    name = other_kind(lines) or _structure_of(lines, sources)
    if name is not None:
        place = next((place for place, line in enumerate(lines) if line.strip()), 0)
        found = f"{name}: {_quoted_text(lines[place])}"
        yield Suspicion("structured", texts.shown, texts.line(place), found)


def _structure_of(lines: Sequence[str], sources: Texts | None) -> str | None:
    numbered = [(place, line) for place, line in enumerate(lines) if line.strip()]
    source_texts = [] if sources is None else [text or "" for text in sources.texts]
    for name, fits in (*_STRUCTURES.items(), *_labels(numbered, source_texts)):
        matches = [place for place, line in numbered if fits(place, line)]
        in_sources = [place for place in matches if place < len(source_texts)]
        n_shared = sum(fits(place, source_texts[place]) for place in in_sources)
        n_new = len(matches) - n_shared
        if n_new >= LEAST_LINES and 2 * n_new > len(numbered):
            return name
    return None


def _is_json(_: int, line: str) -> bool:
    if not JSON_LINE.fullmatch(line):
        return False
    try:
        return isinstance(json.loads(line.strip().removesuffix(",")), dict | list)
    except (ValueError, RecursionError):
        # As Python prints it.
        return re.search(r"[\"']\s*[:,\])]", line) is not None


def _is_numbered(place: int, line: str) -> bool:
    start = re.match(r"\W{0,2}([0-9]{1,9})\s?[\s.:)\],;|\t-]\s?\S", line)
    return start is not None and int(start[1]) in (place, place + 1)


def _labels(
    numbered: Sequence[tuple[int, str]], source_texts: Sequence[str]
) -> Iterator[tuple[str, Callable[[int, str], bool]]]:
    if not source_texts:
        return
    yield "columns separated by |", lambda _, line: BAR.search(line) is not None
    lines = [line for _, line in numbered if not _is_quoted(line)]
    for name, part in (("a label", _first_word), ("the same end", _end)):
        first = part(lines[0]) if lines else ""
        number = sum(part(line) == first for line in lines)
        n_sources = sum(part(text) == first for text in source_texts)
        least = max(LEAST_LINES_ALONE, NEARLY_ALL * len(lines))
        if first and number >= least > 2 * n_sources:
            yield f"lines with {name}", partial(_has_part, part, first)


def _has_part(part: Callable[[str], str], first: str, _: int, line: str) -> bool:
    return part(line) == first


def _first_word(text: str) -> str:
    return re.sub("[0-9]+", "0", next(iter(text.split()), ""))


def _end(text: str) -> str:
    end = re.search(r"(?:[^\w\s.?!]{2,}|\\\w|<[^<>\s]+>)$", text.strip())
    return end[0] if end else ""


_STRUCTURES: dict[str, Callable[[int, str], bool]] = {
    "JSON with a value in each line": _is_json,
    "XML with an element in each line": lambda _, line: XML_LINE.fullmatch(line) is not None,
    "columns separated by |||": lambda _, line: BARS.search(line) is not None,
    "columns separated by tabs": lambda _, line: "\t" in line.strip(),
    "numbered lines": _is_numbered,
    "subword units": lambda _, line: SUBWORD.search(line) is not None,
}


def _is_quoted(text: str) -> bool:
    # Printed lists have a comma after each text.
    stripped = text.strip().removesuffix(",")
    return len(stripped) > 1 and stripped[-1] in QUOTES.get(stripped[0], "")


def _quoted(texts: Texts, n_lines: int, marked: Sequence[bool]) -> Suspicion:
    example = _quoted_text(texts.texts[marked.index(True)])
    found = f"{sum(marked):,} of {n_lines:,} sentences are in quotation marks: {example}"
    return _suspicion("quoted", texts, marked, found)


def _has_attached_mark(text: str) -> bool:
    last = text.split()[-1:]
    return bool(last) and len(last[0]) > 1 and last[0][-1] in MARKS and last[0][-2].isalnum()


def _untokenised(texts: Texts, n_texts: int, marked: Sequence[bool]) -> Suspicion:
    return _suspicion(
        "untokenised",
        texts,
        marked,
        f"untokenised text: {sum(marked) / n_texts:.0%} of the sentences with an end mark have it "
        f"attached to the last word: {_quoted_text(texts.texts[marked.index(True)])}",
    )


def _shift(other: Texts, pairs: Sequence[tuple[str, str]]) -> Iterator[Suspicion]:
    shift = shifted_lines([source for source, _ in pairs], [text for _, text in pairs])
    if shift is None:
        return
    first, last = other.line(shift.first), other.line(shift.last)
    place = f"lines {first:,} to {last:,}"
    found = f"{place} have few words of their sources (F {shift.likeness:.2f})"
    if shift.offset is not None:
        number = "one line" if abs(shift.offset) == 1 else f"{abs(shift.offset)} lines"
        direction = "later" if shift.offset > 0 else "earlier"
        found = f"a line shift: {found}, and fit the sources {number} {direction}"
    yield Suspicion("shifted", other.shown, first, found)


def _largest_run(gains: Sequence[float]) -> tuple[float, int, int]:
    best = (0.0, 0, 0)
    total, first = 0.0, 0
    for place, gain in enumerate(gains):
        if total <= 0:
            total, first = 0.0, place
        total += gain
        if total > best[0]:
            best = total, first, place
    return best


def _unrelated_lines(texts: Sequence[str], own_scores: Sequence[float]) -> Shift | None:
    lines = [place for place, text in enumerate(texts) if text.split()]
    width = min(WINDOW, len(lines))
    if width < LEAST_LINES_UNRELATED:
        return None
    sums = [0.0, *accumulate(own_scores[place] for place in lines)]
    means = [(sums[end] - sums[end - width]) / width for end in range(width, len(sums))]
    if min(means) >= LEAST_LIKENESS:
        return None
    _, start, end = _largest_run([FITS - own_scores[place] - LEAST_MEAN_GAIN for place in lines])
    run = lines[start : end + 1]
    return Shift(run[0], run[-1], None, sum(own_scores[place] for place in run) / len(run))


def _quoted_text(text: str | None) -> str:
    return quote(" ".join((text or "").split()))
