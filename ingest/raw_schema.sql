-- Tables that `maege ingest` writes. Every row that came from a file has the file (path relative to
-- the data root, as in the manifest) and, if it came from one line, the line number (from 1).
-- Text is the line as read, without its line end; white space is unchanged.
create schema if not exists raw;

-- absent is what the manifest says about an annotator without a line: no_error or not_asked.
create table if not exists raw.corpora (
    corpus varchar not null,
    title varchar not null,
    licence varchar not null,
    origin varchar not null,
    n_sentences integer not null,
    ingested_at timestamp not null,
    language varchar default 'en',
    absent varchar
);

-- manifest is the name of the manifest that added the file: the corpus, or the name of separate
-- rankings of the corpus. rows_sha256 is a hash of the content that was read from the file.
create table if not exists raw.files (
    corpus varchar not null,
    path varchar not null,
    format varchar not null,
    role varchar not null,
    name varchar not null,
    sha256 varchar not null,
    bytes bigint not null,
    lines bigint not null,
    origin varchar not null,
    ingested_at timestamp not null,
    manifest varchar,
    rows_sha256 varchar
);

create table if not exists raw.sentences (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    sentence_id integer not null,
    text varchar not null,
    tokens varchar[] not null
);

-- Labels of sentences: kind is documents or groups, as in the manifest. Sentences without a label
-- have no row.
create table if not exists raw.sentence_labels (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    kind varchar not null,
    sentence_id integer not null,
    label varchar not null
);

create table if not exists raw.annotators (
    corpus varchar not null,
    annotation_set varchar not null,
    annotator varchar not null,
    position bigint not null
);

-- The edits of annotators, from M2 or from the I-measure's XML. edit_index numbers one annotator's
-- edits of a sentence in file order, from 0; null for a no-op. kind says whether an edit is a
-- correction, a detection that corrects nothing, or none (a no-op). A deletion has the correction
-- ''; alternatives keep their '||'. error_group is the error's id in the XML, null in M2.
-- out_of_range is set for an edit whose span is outside its sentence: skipped (ignored) or kept (as
-- gold that nothing can match). A skipped edit has no edit_index.
create table if not exists raw.m2_edits (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    annotation_set varchar not null,
    sentence_id integer not null,
    annotator varchar not null,
    edit_index integer,
    start_token integer not null,
    end_token integer not null,
    error_type varchar not null,
    correction varchar not null,
    required varchar not null,
    comment varchar not null,
    error_group varchar,
    out_of_range varchar,
    kind varchar not null
);

-- Edits that a tool extracted from system outputs; edit_index numbers those of a sentence, from 0.
create table if not exists raw.system_edits (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    edit_set varchar not null,
    system varchar not null,
    sentence_id integer not null,
    edit_index integer not null,
    start_token integer not null,
    end_token integer not null,
    error_type varchar not null,
    correction varchar not null,
    required varchar not null,
    comment varchar not null,
    kind varchar not null
);

create table if not exists raw."references" (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    reference varchar not null,
    sentence_id integer not null,
    text varchar not null
);

create table if not exists raw.outputs (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    system varchar not null,
    sentence_id integer not null,
    text varchar not null
);

-- k-best outputs of a system: rank 1 is its first choice.
create table if not exists raw.k_best (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    system varchar not null,
    rank integer not null,
    sentence_id integer not null,
    text varchar not null
);

-- empty_references is how the manifest reads blank lines in reference texts: none (no reference)
-- or deletion (the reference deletes the sentence).
create table if not exists raw.reference_sets (
    corpus varchar not null,
    reference_set varchar not null,
    position integer not null,
    annotation_set varchar,
    has_texts boolean not null,
    edit_set varchar,
    empty_references varchar
);

create table if not exists raw.reference_set_members (
    corpus varchar not null,
    reference_set varchar not null,
    position integer not null,
    reference varchar not null
);

create table if not exists raw.lattices (
    corpus varchar not null,
    annotation_set varchar not null,
    reference_set varchar not null,
    lattices_from varchar not null,
    references_mode varchar not null,
    is_published_run boolean not null
);

-- Annotation sets that are extracted: edits from the source to each text of a reference set.
create table if not exists raw.extracted_sets (
    corpus varchar not null,
    annotation_set varchar not null,
    reference_set varchar not null
);

create table if not exists raw.sentence_scores (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    metric varchar not null,
    higher_is_better boolean not null,
    reference_set varchar,
    system varchar not null,
    sentence_id integer not null,
    score double not null
);

-- Human rankings; rank 1 is the best. item is the name in the file, with #2, #3 if the judge has
-- the same name again. item_position numbers the items of the file from 0. cell numbers the outputs
-- of an item from 0: systems in one cell have the same output, which the judge saw once.
create table if not exists raw.judgments (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    judgment_set varchar not null,
    judge varchar not null,
    item varchar not null,
    sentence_id integer not null,
    system varchar not null,
    rank integer not null,
    cell integer,
    item_position integer
);

-- loaded_from is the name of the manifest; n_items is the number of items in the file, including
-- those without a judgment.
create table if not exists raw.judgment_sets (
    corpus varchar not null,
    judgment_set varchar not null,
    loaded_from varchar not null,
    path varchar not null,
    format varchar not null,
    n_items integer not null,
    title varchar not null,
    licence varchar not null,
    origin varchar not null
);

create table if not exists raw.judgment_systems (
    corpus varchar not null,
    judgment_set varchar not null,
    system varchar not null,
    has_output boolean not null
);

create table if not exists raw.judgment_system_sets (
    corpus varchar not null,
    judgment_set varchar not null,
    system_set varchar not null,
    position integer not null,
    system varchar not null
);

-- Rows of a file of rankings that are not judgments: kind is skipped (an item without ranks),
-- judge_left_out (excluded by the manifest), item_twice (only the first counts), repetition (one
-- rank twice in an item: counts once), contradiction (two ranks of a system in an item: none
-- counts) or unranked (a system that was shown but has no rank).
create table if not exists raw.judgment_conflicts (
    corpus varchar not null,
    judgment_set varchar not null,
    path varchar not null,
    line integer not null,
    judge varchar not null,
    item varchar not null,
    sentence_id integer not null,
    kind varchar not null,
    detail varchar not null
);

-- Human judgments with their own manifest. An item is what was judged at a time. linked_corpus and
-- sentence_id identify its sentence if the manifest numbers the sentences.
create table if not exists raw.judgment_tasks (
    judgment_set varchar not null,
    task varchar not null,
    position integer not null,
    kind varchar not null,
    asked_of varchar not null,
    unit varchar not null,
    judges varchar not null,
    language varchar not null,
    tokens varchar not null,
    link varchar not null,
    provenance varchar not null,
    protocol varchar,
    path varchar not null,
    title varchar not null,
    licence varchar not null,
    may_be_shared boolean not null,
    origin varchar not null
);

create table if not exists raw.task_aspects (
    judgment_set varchar not null,
    task varchar not null,
    position integer not null,
    aspect varchar not null,
    low double,
    high double,
    step double,
    higher_is_better boolean not null,
    neutral double
);

create table if not exists raw.judged_items (
    judgment_set varchar not null,
    item varchar not null,
    source varchar,
    linked_corpus varchar,
    sentence_id integer
);

-- An output is a text of an item, by a system or a human; text is null if it is unknown.
create table if not exists raw.judged_outputs (
    judgment_set varchar not null,
    item varchar not null,
    output_id integer not null,
    text varchar,
    is_source boolean not null
);

-- is_reference says that the manifest declares the system as a reference.
create table if not exists raw.output_systems (
    judgment_set varchar not null,
    item varchar not null,
    output_id integer not null,
    system varchar not null,
    is_reference boolean not null
);

-- presented numbers the presentations of an item: ratings with the same number are about the same
-- presentation. slot numbers the ratings by anonymous judges, from 1.
create table if not exists raw.ratings (
    judgment_set varchar not null,
    path varchar not null,
    line integer not null,
    task varchar not null,
    item varchar not null,
    output_id integer not null,
    presented integer not null,
    systems varchar not null,
    judge varchar,
    slot integer,
    aspect varchar not null,
    value double not null,
    published_z double
);

-- preference is 1 if output_a was preferred, -1 for output_b, 0 for neither; label is the file's
-- word.
create table if not exists raw.preference_pairs (
    judgment_set varchar not null,
    path varchar not null,
    line integer not null,
    task varchar not null,
    item varchar not null,
    judge varchar,
    aspect varchar not null,
    output_a integer not null,
    output_b integer not null,
    preference integer not null,
    label varchar not null
);

-- edited is the source with this edit alone, null if the position of the edit is unknown.
create table if not exists raw.edit_verdicts (
    judgment_set varchar not null,
    path varchar not null,
    line integer not null,
    task varchar not null,
    item varchar not null,
    edit integer not null,
    start_char integer,
    end_char integer,
    original varchar not null,
    correction varchar not null,
    edited varchar,
    judge varchar,
    slot integer,
    verdict varchar not null,
    value double not null
);

create table if not exists raw.post_edits (
    judgment_set varchar not null,
    path varchar not null,
    line integer not null,
    task varchar not null,
    item varchar not null,
    output_id integer not null,
    judge varchar,
    edited_id integer not null
);

-- Rows of a file of judgments that are not judgments: kind is repetition, no_edit, not_placed or
-- blank.
create table if not exists raw.judgment_findings (
    judgment_set varchar not null,
    path varchar not null,
    line integer not null,
    task varchar not null,
    kind varchar not null,
    detail varchar not null
);

-- Other unused content of a file, and why; manifest is the manifest that named the file.
create table if not exists raw.ingest_findings (
    corpus varchar not null,
    manifest varchar not null,
    path varchar not null,
    line integer not null,
    kind varchar not null,
    detail varchar not null
);

-- Answers of a crowd. `compared` is the normalised answer for comparisons. sentence_id is null if
-- the answer is not accepted; left_out is then rejected, other_batch or empty. Workers are
-- pseudonyms.
create table if not exists raw.corrections (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    sentence_id integer,
    sentence varchar not null,
    compared varchar not null,
    correction varchar not null,
    worker varchar not null,
    status varchar not null,
    left_out varchar
);

-- Judges' verdicts on the crowd's corrections, which are normalised as in raw.corrections.
create table if not exists raw.validity_judgements (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    sentence_id integer not null,
    sentence varchar not null,
    compared varchar not null,
    correction varchar not null,
    worker varchar not null,
    is_valid boolean not null
);

-- Released estimates of the distribution of corrections; name is the file's name in the manifest.
create table if not exists raw.frequency_estimates (
    corpus varchar not null,
    path varchar not null,
    line integer not null,
    measure varchar not null,
    name varchar not null,
    frequency double not null,
    variants double not null
);

-- Time of the last change of the raw tables (UTC), in one row: marts of an older build are
-- outdated.
create table if not exists raw.last_change as select max(ingested_at) as changed_at from raw.files;
