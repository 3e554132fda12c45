"""Train `char_lm` on the texts of an ingested corpus; the texts are stored in the warehouse.

Earlier trainings are kept, and the last one of each language is used. The metric's signature
includes a hash of the training texts, which separates the scores of different trainings.
"""

from dataclasses import dataclass
from typing import NoReturn

import duckdb
import pyarrow as pa

from maege.analysis.compare.gold import GoldInput
from maege.analysis.edits import within
from maege.analysis.lattices.full_lattice import node_text, without_overlaps
from maege.analysis.metrics.referenceless.char_lm import CharLm, Part, Training
from maege.comparison.corpus_reading import FromCorpus, read_corpus
from maege.ingest.findings import BadInputError, Findings, check_known
from maege.ingest.formats.annotation_file import edit_kind
from maege.ingest.raw_tables.tables import add_missing_tables, corpus_names, record_change
from maege.ingest.warehouse import Warehouse, open_build, refuse_second_writer, transaction

TABLE = "char_lm_trainings"
_SOURCES = (
    "select tokens from raw.sentences where corpus = $1 and len(tokens) > 0 order by sentence_id"
)
# Every second document in the order of a hash (or source, for sentences without a document).
# Sentences with the same source are in the same half.
_HALF = """
    with sentences as (
        select array_to_string(tokens, ' ') as source, coalesce(label, source) as unit
        from raw.sentences left join (
            select corpus, sentence_id, max(label) as label from raw.sentence_labels
            where kind = 'documents' group by all
        ) using (corpus, sentence_id)
        where corpus = $1
    ),
    places as (select source, dense_rank() over (order by md5(unit)) as place from sentences)
    select source, bool_or(place % 2 = 1) from places group by source order by source
"""
_LANGUAGE = "select any_value(coalesce(language, 'en')) from raw.corpora where corpus = $1"
_IS_LAST = f"""
    select trained_on = $1 and part = $2 and language = $3 and sha256 = $4
        and half_sources is not distinct from $5
    from raw.{TABLE} where split_part(language, '-', 1) = split_part($3, '-', 1)
    order by number desc limit 1
"""  # noqa: S608 - a name of our own
_SCHEMA = pa.schema(
    {
        "trained_on": pa.string(),
        "part": pa.string(),
        "language": pa.string(),
        "sha256": pa.string(),
        "texts": pa.list_(pa.string()),
        "sources": pa.list_(pa.string()),
        "half_sources": pa.list_(pa.string()),
    }
)


@dataclass(frozen=True)
class Trained:
    """Size of the training data; `is_new` is false if the same training was stored before."""

    corpus: str
    part: Part
    is_half: bool
    language: str
    texts: int
    characters: int
    symbols: int
    sha256: str
    signature: str
    is_new: bool


def train_char_lm(
    warehouse: Warehouse, corpus: str, part: Part, *, is_half: bool = False
) -> Trained:
    """Store the texts of a corpus as the training data of `char_lm` for its language.

    Args:
        warehouse: the warehouse with the corpus; it keeps the texts of earlier trainings, too.
        corpus: an ingested corpus; it need not be built.
        part: `gold` for the corrections by the first annotator of the first reference set with
            edits, or the first reference text; or `sources`. Sentences that the annotator did not
            see, and blank texts, are excluded. With the gold, the sources are stored, too, for
            `char_lm_ratio`.
        is_half: whether to train on half of the documents (or sentences, without documents), so
            that the other half can be scored. Sentences with the same source are in the same half.

    Raises:
        UnknownNameError: no corpus has that name.
        BadInputError: the corpus lacks such texts, or its other half is empty.
        WarehouseError: the warehouse cannot be read or written.

    """
    refuse_second_writer(warehouse)
    with open_build(warehouse, read_only=True) as connection:
        check_known(f"corpus {corpus}", corpus, corpus_names(connection))
        ((language,),) = connection.execute(_LANGUAGE, [corpus]).fetchall()
        sources = connection.execute(_SOURCES, [corpus]).fetchall()
    pairs = [(" ".join(tokens),) * 2 for (tokens,) in sources]
    if part == "gold":
        pairs = _first_texts(read_corpus(FromCorpus(warehouse, corpus, ())).gold)
    half = _half(warehouse, corpus) if is_half else None
    drawn = {source for _, source in pairs} if half is None else set(half)
    pairs = [(text, source) for text, source in pairs if text and source in drawn]
    texts = [text for text, _ in pairs]
    if not texts:
        _refuse(corpus, f"no text in {'half of ' * is_half}its {part}", "texts to train on")
    training = Training.on(
        texts, [source for _, source in pairs], corpus, part, language, is_half=is_half
    )
    with open_build(warehouse, read_only=False) as connection:
        is_new = _store(connection, training, language, half)
    joined = "".join(texts)
    return Trained(
        corpus,
        part,
        is_half,
        training.language,
        texts=len(texts),
        characters=len(joined),
        symbols=len(set(joined)),
        sha256=training.sha256,
        signature=CharLm(training).signature(),
        is_new=is_new,
    )


def _half(warehouse: Warehouse, corpus: str) -> list[str]:
    """Return the distinct sources of the training half; all others can be scored."""
    add_missing_tables(warehouse)
    with open_build(warehouse, read_only=True) as connection:
        halves = connection.execute(_HALF, [corpus]).fetchall()
    drawn = [source for source, is_drawn in halves if is_drawn]
    if len(drawn) == len(halves):
        _refuse(corpus, "no sentences in the other half of the corpus", "two documents or more")
    return drawn


def _refuse(corpus: str, found: str, expected: str) -> NoReturn:
    findings = Findings()
    findings.add(corpus, 0, found, expected, "Name another one.")
    raise BadInputError(findings)


def _first_texts(gold: GoldInput) -> list[tuple[str, str]]:
    """Return (source, gold) per sentence, by the first annotator or the first reference."""
    if gold.references is not None:
        firsts = [" ".join(texts[0].split()) for texts in gold.references]
        return list(zip(firsts, gold.gold.sources, strict=True))
    first = gold.gold.annotators[0]
    corrects = gold.gold.unknown_corrects
    texts = []
    for source, annotations in zip(gold.gold.sources, gold.gold.annotations, strict=True):
        if first in annotations:
            tokens = source.split()
            edits = [
                edit
                for edit in within(annotations[first], source)
                if edit_kind(edit, tokens, unknown_corrects=corrects) == "correction"
            ]
            texts.append((node_text(tokens, without_overlaps(edits)).strip(), source))
    return texts


def _store(
    connection: duckdb.DuckDBPyConnection,
    training: Training,
    language: str,
    half: list[str] | None,
) -> bool:
    """Store the training unless it is the last one of its language; return if it was stored."""
    about = [training.corpus, training.part, language, training.sha256]
    columns = [*about, training.texts(), training.sources(), half]
    rows = pa.table([pa.array([value]) for value in columns], schema=_SCHEMA)
    connection.register("trained", rows)
    with transaction(connection):
        connection.execute("create schema if not exists raw")
        connection.execute(
            f"create table if not exists raw.{TABLE} as "  # noqa: S608 - a name of our own
            "select 0::bigint as number, * from trained limit 0"
        )
        # Warehouses of older versions, which trained on whole corpora only, lack this column.
        connection.execute(
            f"alter table raw.{TABLE} add column if not exists half_sources varchar[]"
        )
        if connection.execute(_IS_LAST, [*about, half]).fetchone() == (True,):
            return False
        connection.execute(
            f"insert into raw.{TABLE} by name select "  # noqa: S608 - a name of our own
            f"(select coalesce(max(number), 0) + 1 from raw.{TABLE}) as number, * from trained"
        )
        record_change(connection)
    return True
