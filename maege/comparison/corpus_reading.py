"""Read the inputs of a comparison from a corpus of a warehouse: the same objects as from files.

Gold, outputs and their edits come from the raw tables that `maege ingest` fills; no build is
needed. As in the marts, metrics that read edits skip annotators without an annotation for the
sentence (docs/corpora.md, Silence). Sentences are excluded if their source is blank or no annotator
saw them.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import duckdb

from maege.analysis.compare.gold import GoldInput, Output
from maege.analysis.compare.results import Note
from maege.comparison.reading import (
    Read,
    annotations_of,
    gold_of,
    gold_of_texts,
    notes_on_edits,
    notes_on_empty,
    notes_on_empty_outputs,
)
from maege.ingest.findings import BadInputError, Findings, check_known, listing
from maege.ingest.formats.annotation_file import (
    AnnotationFile,
    EditLine,
    Sentence,
    annotator_order,
    stored_line,
)
from maege.ingest.text_checks import Texts
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build

_ANNOTATORS = """
    select annotator from raw.annotators where corpus = $corpus and annotation_set = $annotation_set
"""
# A skipped edit counts as an annotation without edits.
_EDITS = """
    select
        line, sentence_id, annotator, start_token, end_token, error_type, correction, error_group,
        required, comment, out_of_range, edit_index,
        if(out_of_range = 'skipped', 'none', kind),
        path
    from raw.m2_edits
    where corpus = $corpus and annotation_set = $annotation_set
"""
_FILES = """
    select path, any_value(sha256) from raw.files
    where corpus = $corpus and role = $role
        and (name = $name or starts_with(name, $name || '/') or $name is null)
    group by path
    order by path
"""
_OUTPUT = "select sentence_id, text from raw.outputs where corpus = $corpus and system = $system"
_OUTPUT_EDITS = """
    select
        line, sentence_id, system, start_token, end_token, error_type, correction, null,
        required, comment, null, edit_index, kind
    from raw.system_edits
    where corpus = $corpus and edit_set = $edit_set and system = $system
    order by sentence_id, edit_index
"""
# The number of a sentence takes the place of its line.
_SENTENCES = """
    select sentence_id, text, tokens from raw.sentences where corpus = $corpus order by sentence_id
"""
# In the order of the manifest. Extracted edits come from the texts of another reference set.
_SETS = """
    select
        sets.reference_set,
        if(extracted.corpus is null, sets.annotation_set, null),
        sets.edit_set,
        coalesce(extracted.reference_set, if(sets.has_texts, sets.reference_set, null))
    from raw.reference_sets as sets
    left join raw.extracted_sets as extracted
        on sets.corpus = extracted.corpus and sets.annotation_set = extracted.annotation_set
    where sets.corpus = $corpus
    order by sets.rowid
"""
# The manifest states whether a blank text counts as a missing reference.
_TEXTS = """
    select members.reference, texts.sentence_id, texts.text
    from raw.reference_set_members as members
    inner join raw.reference_sets as sets using (corpus, reference_set)
    inner join raw."references" as texts
        on members.corpus = texts.corpus and members.reference = texts.reference
    where members.corpus = $corpus and members.reference_set = $reference_set
        and (trim(texts.text) <> '' or sets.empty_references is distinct from 'none')
    order by members.position
"""


class _ReferenceSet(NamedTuple):
    """A reference set; `annotation_set` is None if it has no annotated edits.

    `edit_set` has edits of outputs, and `texts` is the reference set whose texts are read.
    """

    name: str
    annotation_set: str | None
    edit_set: str | None
    texts: str | None


def read_corpus(
    warehouse: Warehouse, corpus: str, systems: Sequence[str], reference_set: str | None
) -> Read:
    """Return gold and outputs of a corpus; default: with the first reference set with edits.

    Raises UnknownError, WarehouseError if there is no warehouse, and BadInputError if the
    reference set cannot be used.
    """
    with open_build(warehouse, read_only=True) as connection:
        return _Reader(connection, corpus).read(systems, reference_set)


class _Reader:
    def __init__(self, connection: duckdb.DuckDBPyConnection, corpus: str) -> None:
        self._connection = connection
        self._corpus = corpus
        self._notes: list[Note] = []
        self._references: list[Texts] = []

    def read(self, systems: Sequence[str], reference_set: str | None) -> Read:
        try:
            described = self._connection.execute(
                "select corpus, (coalesce(language, 'en'), absent) from raw.corpora order by corpus"
            ).fetchall()
        except duckdb.CatalogException:
            raise WarehouseError("Nothing is ingested yet. Run: maege ingest CORPUS") from None
        corpora = dict(described)
        check_known(f"corpus {self._corpus}", self._corpus, corpora)
        language, absent = corpora[self._corpus]
        references = self._reference_set(reference_set)
        query = "select distinct system from raw.outputs where corpus = $corpus order by system"
        system_names = [name for (name,) in self._rows(query)]
        for system in systems:
            check_known(f"system {system} in {self._corpus}", system, system_names)
        edits = self._gold_edits(references.annotation_set)
        only_annotated = references.annotation_set is not None and absent == "not_asked"
        sentences = self._select_sentences(edits, only_annotated)
        gold = self._gold(references, sentences, edits)
        outputs = tuple(self._output(system, references, sentences) for system in systems)
        notes = (*self._notes, *notes_on_empty_outputs(outputs))
        kinds = self._rows("select distinct kind from raw.ingest_findings where corpus = $corpus")
        accepted = tuple(kind for (kind,) in kinds)
        return Read(gold, outputs, notes, tuple(self._references), language, accepted)

    def _rows(self, query: str, **key: str | None) -> list[Any]:
        return self._connection.execute(query, {"corpus": self._corpus, **key}).fetchall()

    def _reference_set(self, name: str | None) -> _ReferenceSet:
        sets = {row[0]: _ReferenceSet(*row) for row in self._rows(_SETS)}
        if not sets:
            raise self._unusable("no reference set", "Give it references in its manifest.")
        if name is None:
            with_edits = [each.name for each in sets.values() if each.annotation_set is not None]
            name = [*with_edits, *sets][0]
            if len(sets) > 1:
                text = f"references {name}; {self._corpus} has {listing([*sets])}"
                self._notes.append(Note("reference_set", text))
        check_known(f"reference set {name} in {self._corpus}", name, sets)
        return sets[name]

    def _gold_edits(self, annotation_set: str | None) -> list[EditLine]:
        """Return edits in file order; annotators with separate files in their order."""
        rows = self._rows(_EDITS, annotation_set=annotation_set)
        is_one_file = len({path for *_, path in rows}) < 2
        return sorted(
            (stored_line(*fields) for *fields, _ in rows),
            key=lambda edit: (
                edit.sentence_id,
                () if is_one_file else annotator_order(edit.annotator),
                edit.line,
                -1 if edit.edit_index is None else edit.edit_index,
            ),
        )

    def _select_sentences(self, edits: Sequence[EditLine], only_annotated: bool) -> list[Sentence]:
        sentences = [Sentence(*row) for row in self._rows(_SENTENCES)]
        annotated = {edit.sentence_id for edit in edits}
        selected = [
            sentence
            for sentence in sentences
            if sentence.tokens and (sentence.line in annotated or not only_annotated)
        ]
        if not selected:
            raise self._unusable("no sentence that an annotator saw", "Name another set.")
        if n_excluded := len(sentences) - len(selected):
            text = (
                f"{n_excluded:,} of {len(sentences):,} sentences are excluded, because they are "
                "blank or no annotator saw them; sentence numbers count the remaining ones"
            )
            self._notes.append(Note("left_out", text, is_warning=True))
        return selected

    def _gold(
        self, references: _ReferenceSet, sentences: Sequence[Sentence], edits: Sequence[EditLine]
    ) -> GoldInput:
        texts = None if references.texts is None else self._texts(references.texts, sentences)
        if references.annotation_set is not None:
            rows = self._rows(_ANNOTATORS, annotation_set=references.annotation_set)
            path, sha256 = self._file("annotations", references.annotation_set)
            self._notes += notes_on_edits(edits, path)
            gold = gold_of(_annotated(sentences, edits), [annotator for (annotator,) in rows])
            return GoldInput(path, sha256, gold, texts=texts)
        if texts is None:
            raise self._unusable(
                f"references {references.name}, which lack a text of some sentence",
                "Name another reference set: --references SET.",
            )
        gold = gold_of_texts([sentence.text for sentence in sentences], len(texts[0]))
        return GoldInput(*self._file("source", None), gold, texts)

    def _texts(
        self, reference_set: str, sentences: Sequence[Sentence]
    ) -> list[tuple[str, ...]] | None:
        by_reference: dict[str, dict[int, str]] = {}
        for reference, sentence, text in self._rows(_TEXTS, reference_set=reference_set):
            by_reference.setdefault(reference, {})[sentence] = text
        complete = []
        for reference, text_of in by_reference.items():
            if any(sentence.line not in text_of for sentence in sentences):
                return None
            texts = [text_of[sentence.line] for sentence in sentences]
            self._notes += notes_on_empty(f"reference {reference}", texts)
            self._references.append(Texts(f"reference {reference}", texts))
            complete.append(texts)
        return [*zip(*complete, strict=True)]

    def _output(
        self, system: str, references: _ReferenceSet, sentences: Sequence[Sentence]
    ) -> Output:
        text_of = dict(self._rows(_OUTPUT, system=system))
        texts = tuple(text_of[sentence.line] for sentence in sentences)
        path, sha256 = self._file("system", system)
        annotations = None
        edit_set = references.edit_set
        if edit_set and self._rows(_FILES, role="system_edits", name=f"{edit_set}/{system}"):
            rows = self._rows(_OUTPUT_EDITS, edit_set=edit_set, system=system)
            annotated = _annotated(sentences, [stored_line(*row) for row in rows])
            annotations = tuple(each.get(system, ()) for each in annotations_of(annotated))
        return Output(system, path, sha256, texts, annotations)

    def _file(self, role: str, name: str | None) -> tuple[str, str]:
        files = self._rows(_FILES, role=role, name=name)
        paths, hashes = [path for path, _ in files], [sha256 for _, sha256 in files]
        if len(files) == 1:
            return paths[0], hashes[0]
        return listing(paths), hashlib.sha256("\n".join(hashes).encode()).hexdigest()

    def _unusable(self, problem: str, remedy: str) -> BadInputError:
        findings = Findings()
        findings.add(self._corpus, 0, problem, "sentences with gold to compare with", remedy)
        return BadInputError(findings)


def _annotated(sentences: Sequence[Sentence], edits: Sequence[EditLine]) -> AnnotationFile:
    places = {sentence.line: place for place, sentence in enumerate(sentences)}
    lines = (
        edit._replace(sentence_id=places[edit.sentence_id])
        for edit in edits
        if edit.sentence_id in places
    )
    return AnnotationFile([*sentences], [*lines])
