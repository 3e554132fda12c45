{#- Makes the tables of human judgments with a manifest of their own where no newer ingest has made
    them: as in ingest/raw_schema.sql. -#}
{% macro create_judgment_tables() -%}
    create table if not exists raw.judgment_tasks (
        corpus varchar not null,
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
        corpus varchar not null,
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
        corpus varchar not null,
        item varchar not null,
        source varchar,
        linked_corpus varchar,
        sentence_id integer
    );
    create table if not exists raw.judged_outputs (
        corpus varchar not null,
        item varchar not null,
        output_id integer not null,
        text varchar,
        is_source boolean not null
    );
    create table if not exists raw.output_systems (
        corpus varchar not null,
        item varchar not null,
        output_id integer not null,
        system varchar not null,
        is_reference boolean not null
    );
    create table if not exists raw.ratings (
        corpus varchar not null,
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
    create table if not exists raw.preference_pairs (
        corpus varchar not null,
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
    create table if not exists raw.edit_verdicts (
        corpus varchar not null,
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
        corpus varchar not null,
        path varchar not null,
        line integer not null,
        task varchar not null,
        item varchar not null,
        output_id integer not null,
        judge varchar,
        edited_id integer not null
    );
    create table if not exists raw.judgment_findings (
        corpus varchar not null,
        path varchar not null,
        line integer not null,
        task varchar not null,
        kind varchar not null,
        detail varchar not null
    );
{%- endmacro %}
