"""How often judges approve of edits, by the number of references that make them.

Edits of sentences outside of corpora have no references and are excluded. Edits of system outputs
are excluded as well, because the references correct the original sentence.
"""

from typing import Any

from maege.analysis.extraction.plain_alignment import shared_edits
from maege.analysis.judgments.verdicts import SharedVerdict, split_text, validity_rows
from maege.analysis.stored.judgments import judged_edits, linked_items, parts, references_of_items
from maege.analysis.stored.rows import contract_schema, rows_to_table


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    level = dbt.settings.confidence_level
    tokens = dict(
        dbt.source("raw", "judgment_tasks")
        .aggregate("judgment_set, min(tokens)", "judgment_set")
        .fetchall()
    )
    texts = {
        (name, item, output_id): split_text(text, tokens[name])
        for name, item, output_id, text in dbt.ref("judged_outputs")
        .filter("text is not null")
        .select("judgment_set, item, output_id, text")
        .fetchall()
    }
    links = dbt.ref("judged_links").filter("linked_by <> 'output'")
    linked = linked_items(links)
    references = references_of_items(links, dbt.ref("listed_references"))
    rows: list[dict[str, Any]] = []
    for (name, task), edits in judged_edits(dbt.ref("edit_verdicts")).items():
        for corpus, verdict_set, part in parts(edits, linked[name]):
            for (reference_corpus, reference_set), item_references in references[name].items():
                shared = [
                    SharedVerdict(edit.item, edit.values, shared_edit.made_by)
                    for edit in part
                    if reference_corpus == corpus and edit.item in item_references
                    for shared_edit in shared_edits(
                        texts[name, edit.item, edit.source_id],
                        [texts[name, edit.item, edit.edited_id]],
                        [split_text(text, tokens[name]) for text in item_references[edit.item]],
                    )
                ]
                names = ("judgment_set", "task", "corpus", "verdict_set", "reference_set")
                values = (name, task, corpus, verdict_set, reference_set)
                key = dict(zip(names, values, strict=True))
                if shared:
                    rows += [key | row for row in validity_rows(shared, level)]
    return rows_to_table(rows, contract_schema(dbt))
