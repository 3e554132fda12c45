"""Edits from one text to another without any linguistics, for machines without a spaCy pipeline.

Tokens are aligned with Levenshtein 1966 (insertion, deletion, substitution at cost 1, case counts).
Adjacent changes form one edit. The error type is only ERRANT's operation: M for a missing, U for an
unnecessary, R for a replaced span.
"""

from rapidfuzz.distance import Levenshtein

from maege.analysis.edits import Annotation, Edit

SIGNATURE = "levenshtein-tokens|merge:adjacent|v:1"


def extract_plain(source: str, target: str) -> Annotation:
    """Return the edits from source to target, from left to right."""
    source_words, target_words = source.split(), target.split()
    spans: list[list[int]] = []
    for change in Levenshtein.opcodes(source_words, target_words):
        if change.tag == "equal":
            continue
        span = [change.src_start, change.src_end, change.dest_start, change.dest_end]
        if spans and spans[-1][1] == span[0] and spans[-1][3] == span[2]:
            spans[-1][1], spans[-1][3] = span[1], span[3]
        else:
            spans.append(span)
    return tuple(
        Edit(
            start,
            end,
            "M" if start == end else "U" if target_start == target_end else "R",
            (" ".join(target_words[target_start:target_end]),),
        )
        for start, end, target_start, target_end in spans
    )
