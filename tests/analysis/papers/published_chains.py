"""The chains of the published MAEGE run, reconstructed from its release and the annotations."""

import json
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

Edit = tuple[int, int, str]


def published_chains(shared: Path) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield each chain as it was released with the types of its edits, and its texts."""
    annotations = shared / "data/conll14/alt/official-2014.combined-withalt.m2"
    blocks = annotations.read_text(encoding="utf-8").strip().split("\n\n")
    chains = (shared / "golden/maege/chains.jsonl").read_text(encoding="utf-8").splitlines()
    for chain in map(json.loads, chains):
        source, *edit_lines = blocks[chain["sid"]].split("\n")
        types, edits = edits_of(edit_lines, str(chain["annotator"]))
        chain["error_types"] = [types[i] for i in chain["perm"]]
        prefixes = accumulate(([edits[i]] for i in chain["perm"]), initial=[])
        yield chain, [applied(source[2:].split(), prefix) for prefix in prefixes]


def edits_of(edit_lines: list[str], annotator: str) -> tuple[list[str], list[Edit]]:
    types, edits = [], []
    for line in edit_lines:
        span, error_type, correction, *_, edit_annotator = line[2:].split("|||")
        if edit_annotator == annotator:
            start, end = map(int, span.split())
            types.append(error_type)
            edits.append((start, end, correction))
    return types, edits


def applied(tokens: list[str], edits: list[Edit]) -> str:
    """Return the text with the edits; a deletion leaves two spaces, as in the run."""
    parts, position = [], 0
    for start, end, correction in sorted(edits, key=lambda edit: edit[:2]):
        parts += [*tokens[position:start], correction]
        position = end
    return " ".join([*parts, *tokens[position:]])
