-- The columns of the marts that recommendations read, without rows.
create table corpora (corpus varchar, language varchar);
create table judgment_sets (
    judgment_set varchar, corpus varchar, task varchar, language varchar, title varchar
);
create table judgment_tasks (
    judgment_set varchar, task varchar, language varchar, asked_of varchar
);
create table reference_sets (corpus varchar, reference_set varchar, is_default boolean);
create table metrics (
    metric varchar, is_selected boolean, inputs varchar, reference_based boolean,
    needs_model boolean
);
create table metric_availability (
    metric varchar, corpus varchar, is_available boolean, reason_code varchar, reason varchar
);
create table best_metrics (
    level varchar, corpus varchar, judgment_set varchar, metric varchar, estimate double,
    ci_low double, ci_high double, verdict varchar, in_best_set boolean, n bigint, n_needed bigint,
    too_few varchar
);
create table metric_comparisons (
    level varchar, corpus varchar, judgment_set varchar, method varchar, reference_set varchar,
    system_set varchar, experiment varchar, error_type varchar, resampled varchar,
    metric_a varchar, metric_b varchar, difference double, ci_low double, ci_high double,
    q_value double, too_few varchar
);
create table rating_correlations (
    judgment_set varchar, task varchar, aspect varchar, level varchar, corpus varchar,
    reference_set varchar, metric varchar, n bigint, pearson_r double, accuracy double,
    ci_low double, ci_high double, q_value double, too_few varchar
);
create table sentence_agreement (
    judgment_set varchar, task varchar, aspect varchar, corpus varchar, metric varchar,
    is_headline boolean, n_sentences bigint, accuracy double, ci_low double, ci_high double,
    chance_q_value double, too_few varchar
);
create table verdict_agreement (
    judgment_set varchar, task varchar, corpus varchar, verdict_set varchar, reference_set varchar,
    metric varchar, n_edits bigint, auc double, ci_low double, ci_high double, q_value double,
    too_few varchar
);
create table corpus_comparisons (
    corpus varchar, references_mode varchar, metric varchar, language varchar, label varchar,
    n_sentences bigint, tau double, tau_ci_low double, tau_ci_high double, over_corrupted double,
    over_corrupted_ci_low double, over_corrupted_ci_high double
);
insert into metrics values
    ('errant', true, 'source, hypothesis, references', true, false),
    ('gleu', true, 'source, hypothesis, references', true, false),
    ('max_sari', true, 'source, hypothesis, references', true, false),
    ('ld', true, 'source, hypothesis', false, false),
    ('fluency', true, 'hypothesis', false, true),
    ('meaning', true, 'source, hypothesis', false, false),
    ('uploaded', true, 'ingested', false, false);
insert into corpora values ('essays', 'en'), ('eseje', 'cs'), ('uppsatser', 'sv');
insert into metric_availability values
    ('fluency', 'eseje', false, 'other_language', 'reads en; the corpus is in cs');
