"""Precision, recall and F.5 of the systems of CoNLL-2014 by the scorer of the paper on coverage."""

from itertools import groupby
from operator import itemgetter
from typing import Any

from maege.analysis.edits import parse_annotation
from maege.analysis.stored.perfect_corrector import DrawnSentence, corpus_shares
from maege.analysis.stored.rows import rows_to_table, table_schema

SCHEMA = table_schema("system varchar, precision double, recall double, f double")


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    sentences = dbt.ref("usable_sentences").set_alias("sentences")
    gold = dbt.ref("annotated_gold").filter("annotation_set = 'nucle'").set_alias("gold")
    annotated = (
        sentences.filter("corpus = 'conll14'")
        .join(gold, "sentences.corpus = gold.corpus and sentences.sentence_id = gold.sentence_id")
        .select("sentences.sentence_id, array_to_string(tokens, ' '), annotations")
        .fetchall()
    )
    sentence_gold = {
        sentence_id: (source, tuple(parse_annotation(text) for text in texts if text is not None))
        for sentence_id, source, texts in annotated
    }
    outputs = (
        dbt.ref("usable_outputs")
        .filter("corpus = 'conll14'")
        .order("system, sentence_id")
        .select("system, sentence_id, text")
        .fetchall()
    )
    rows = []
    for system, group in groupby(outputs, key=itemgetter(0)):
        texts = [(sentence_id, text) for _, sentence_id, text in group]
        if not {place for place, _ in texts} <= sentence_gold.keys():
            continue
        outputs_and_gold = [DrawnSentence(*sentence_gold[place], text) for place, text in texts]
        rows.append((system, *corpus_shares(outputs_and_gold)))
    return rows_to_table(rows, SCHEMA)
