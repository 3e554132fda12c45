"""How much systems, references and annotators change, over the sentences of a corpus."""

from typing import Any

from maege.analysis.stored.corrections import profile_rows
from maege.analysis.stored.rows import contract_schema, rows_of, rows_to_table

# Annotators are named after their annotation set. Sets whose references are texts are excluded,
# because the texts are in the table of references.
TEXTS = """
    with corrections as (
        select corpus, 'system' as corrector_kind, system as corrector, sentence_id, text
        from outputs
        union all
        select corpus, 'reference', reference, sentence_id, text from reference_texts
        union all
        select corpus, 'annotator', annotation_set || '/' || annotator, sentence_id, text
        from annotations
        semi join (from sets where not has_texts) as made_from_edits using (corpus, annotation_set)
    )
    select corpus, corrector_kind, corrector, array_to_string(tokens, ' '), corrections.text
    from corrections inner join sentences using (corpus, sentence_id)
    order by corpus, sentence_id, corrector_kind, corrector
"""


def model(dbt: Any, session: Any) -> Any:
    outputs = dbt.ref("usable_outputs")  # noqa: F841 (read by name in the query)
    reference_texts = dbt.ref("usable_references")  # noqa: F841
    annotations = dbt.ref("annotation_texts")  # noqa: F841
    sets = dbt.source("raw", "reference_sets")  # noqa: F841
    sentences = dbt.ref("usable_sentences")  # noqa: F841
    texts = rows_of(session.sql(TEXTS))
    profiles = profile_rows(texts, dbt.settings.confidence_level, dbt.settings.replication)
    return rows_to_table(profiles, contract_schema(dbt))
