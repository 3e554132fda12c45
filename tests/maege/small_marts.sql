-- Marts by hand: two corpora, few metrics, one reason for each part of the report.

create table corpora as
select *
from (values ('one', 10, 2, 1, 2, 'annotators', 'The <first>', 'CC0', 'us', timestamp
    '2026-01-02 03:04:05'), ('two', 5, 1, 1, 0, 'references', 'The second', 'CC0', 'us', timestamp
    '2026-01-02 03:04:05')) c(corpus, n_sentences, n_annotators, n_references, n_systems,
    lattices_from, title, licence, origin, ingested_at);

create table lattice_nodes as
select
    'one' as corpus, range as sentence_id, 10 + range as node_id,
    ['a <b> cat', 'a <b> cats'][1 + range % 2] as text
from range(9)
union all
select 'two', 0, 20, 'it';

create table lattices as
select corpus, count(distinct sentence_id)::integer as n_sentences
from lattice_nodes
group by corpus;

create table publication as
select *
from (values ('marts_version', '2.0'), ('built_at', '2026-01-02 03:04:05'),
    ('published_at', '2026-01-02 03:05:00'),
    ('duckdb', '1.5.6'), ('variable seed', '1'), ('variable metrics', '["gleu", "m2"]'))
    p(fact, value);

create table human_scores as
select 'one' as corpus, 'judges' as judgment_set, method, 'base' as system_set, system, score,
    score - .2 as ci_low, score + .2 as ci_high, rank, rank as rank_low, rank as rank_high, rank
    as cluster, 10 as n_judgments, null::varchar as too_few
from (values ('good', .9, 1), ('fair', .1, 2), ('bad', -.8, 3)) s(system, score, rank), (values
    ('trueskill'), ('expected_wins')) m(method);

create table metrics as
select metric, true as is_selected, metric || '|v:1' as signature, '1' as version,
    'source, hypothesis' as inputs, true as higher_is_better, metric in ('gleu', 'm2') as reference_based, 'A paper' as
    source
from (values ('gleu', 0.6), ('m2', 0.4), ('fluency', 0.7), ('constant', 1.0)) m(metric, tau);

create table edit_metric_scores as
select 'm2' as metric;

create table adversarial_scores as
select 'one' as corpus, 'refs' as reference_set, metric, 'source' as system, .5 as corpus_score,
    2 as rank, 3 as n_systems, 1 as n_beaten
from (values ('gleu', 0.6), ('m2', 0.4), ('fluency', 0.7), ('constant', 1.0)) m(metric, tau);

create table sentence_correlations as
select corpus, 'random_source' as experiment, metric, tau as kendall_tau_a, tau - .1 as
    ci_low, tau + .1 as ci_high, .001 as chance_p_value, .002 as chance_q_value,
    if(tau > 0, 'better than chance', 'not better than chance') as verdict, tau as tau_macro, tau - .1 as macro_ci_low, tau + .1 as
    macro_ci_high, case when metric = 'constant' then 'few pairs' when corpus = 'two' and metric
    <> 'fluency' then 'self-referenced' end as no_rank, if(no_rank is null, rank() over (partition
    by corpus, no_rank order by tau desc), null) as rank, 1 as rank_low, 3 as rank_high, 3 as n_ranked,
    100 as n_pairs, 50 as n_sentences, 40.0 as n_effective, null::varchar as too_few,
    if(metric = 'constant', 0, 60) as n_concordant, if(metric = 'constant', 0, 30) as n_discordant,
    if(metric = 'constant', 100, 10) as n_tied, if(metric = 'constant', 1, .1) as tied_share,
    if(metric = 'constant', 0, .6) as strict_accuracy, .5 + tau / 2 as pairwise_accuracy,
    if(metric = 'constant', 1, .4) as kendall_tau_maege,
    .2 as pearson_r, .1 as pearson_ci_low,
    .3 as pearson_ci_high, .4 as within_sentence_r, .1 as partial_r
from (values ('gleu', 0.6), ('m2', 0.4), ('fluency', 0.7), ('constant', 1.0)) m(metric, tau),
    (values ('one'), ('two')) p(corpus);

create table corpus_correlations as
select corpus, 'random_source' as experiment, metric, 11 as n_models, 40 as n_draws, tau
    as draws_median, tau - .3 as draws_low, tau + .2 as draws_high, tau - .5 as draws_min, tau + .3
    as draws_max, 5 as n_scored_draws, 0.0 as chance_median, -.6 as chance_low, .6 as chance_high,
    .01 as chance_q_value, tau as spearman_rho
from (values ('gleu', 0.6), ('m2', 0.4), ('fluency', 0.7), ('constant', 1.0)) m(metric, tau),
    (values ('one'), ('two')) p(corpus)
where metric <> 'constant';

create table corpus_draws as
select corpus, experiment, metric, draw, 11 as n_models, spearman_rho - .1 * draw as
    spearman_rho
from corpus_correlations, range(3) d(draw);

create table type_deltas as
select corpus, 'adjacent' as pair_rule, metric, error_type, 20 as n_pairs, delta as
    mean_delta, delta - .02 as ci_low, delta + .02 as ci_high,
    if(abs(delta) > .02, .01, .5) as q_value
from (values ('gleu', 0.6), ('m2', 0.4), ('fluency', 0.7), ('constant', 1.0)) m(metric, tau),
    (values ('one'), ('two')) p(corpus),
    (values ('Nn', .05), ('Prep', -.04), ('Mec', .01)) t(error_type, delta);

create table corrupted_edit_agreement as
select corpus, metric, cast(null as varchar) as error_type, 50 as n_pairs, tau as
    agreement, tau - .1 as ci_low, tau + .1 as ci_high, .01 as chance_q_value, .5 as strict_agreement, .4 as
    change_agreement
from (values ('gleu', 0.6), ('m2', 0.4), ('fluency', 0.7), ('constant', 1.0)) m(metric, tau),
    (values ('one'), ('two')) p(corpus);

create table scores_by_error_count as
select corpus, 'random_source' as experiment, metric, range as n_errors, 5 as n_chains, 1
    - range / 10 as mean_score
from (values ('gleu', 0.6), ('m2', 0.4), ('fluency', 0.7), ('constant', 1.0)) m(metric, tau),
    (values ('one'), ('two')) p(corpus),
    range(1, 5);

create table system_scores as
select 'one' as corpus, 'refs' as reference_set, metric, system, tau / rank as corpus_score, tau
    / rank - .1 as ci_low, tau / rank + .1 as ci_high, rank, 1 as rank_low, 3 as rank_high
from (values ('gleu', 0.6), ('m2', 0.4), ('fluency', 0.7), ('constant', 1.0)) m(metric, tau),
    (values ('good', 1), ('fair', 2), ('bad', 3)) s(system, rank);

create table human_correlations as
select 'one' as corpus, 'judges' as judgment_set, method, 'refs' as reference_set, 'judged' as
    sentence_set, system_set, metric, 3 as n_systems, r as pearson_r, r - .2 as pearson_ci_low,
    r + .1 as pearson_ci_high, .1 as pearson_q_value, r as spearman_rho, r - .3 as
    spearman_ci_low, r + .2 as spearman_ci_high, 'both' as resampled, .9 as ceiling, 0 as
    chance_median, -.5 as chance_low, .5 as chance_high, null::varchar as too_few
from (values ('gleu', .8), ('m2', .7), ('chance_length', .65)) m(metric, r), (values
    ('trueskill'), ('expected_wins')) j(method), (values ('base'), ('base_window_0_3'),
    ('base_window_1_4')) s(system_set);

create table sentence_agreement as
select 'one' as corpus, 'judges' as judgment_set, 'judges' as task, null::varchar as aspect,
    'outputs' as unit, 'ties_half' as tie_rule, 'refs' as reference_set, 'base' as system_set,
    metric, 30 as n_pairs, share as accuracy, share - .1 as ci_low, share + .1 as ci_high,
    .8 as ceiling, null::varchar as too_few
from (values ('gleu', .7), ('m2', .4), ('chance_length', .5)) m(metric, share);

create table rating_correlations as
select 'rated' as judgment_set, 'learners' as task, aspect, level, null::varchar as corpus,
    null::varchar as reference_set, metric, 100 as n, if(level = 'pooled', r, null) as pearson_r,
    if(level = 'pooled', null, share) as accuracy, if(level = 'pooled', r, share) - .04 as ci_low,
    if(level = 'pooled', r, share) + .04 as ci_high, .9 as ceiling, null::varchar as too_few
from (values ('meaning', 'gleu', .1, .7), ('meaning', 'm2', .5, .6), ('meaning', 'fluency', .4, .5),
    ('meaning', 'chance_small_edit', .3, .8), ('fluency', 'chance_small_edit', .3, .4))
    m(aspect, metric, r, share), (values ('pooled'), ('within_item')) l(level);

insert into rating_correlations by name
select 'rated' as judgment_set, 'articles' as task, 'meaning' as aspect, 'within_item' as level,
    metric, 100 as n, share as accuracy, share - .04 as ci_low, share + .04 as ci_high
from (values ('gleu', .5), ('m2', .7)) m(metric, share);

create table verdict_agreement as
select 'edits' as judgment_set, 'edits' as task, 'one' as corpus, verdict_set, 'refs' as
    reference_set, 'gleu' as metric, n as n_edits, .9 as auc, null::double as ci_low,
    null::double as ci_high, .7 as ceiling, 'sentences' as too_few
from (values ('all', 9), ('without_gold', 5)) v(verdict_set, n);

create table reference_sets as
select 'one' as corpus, 'refs' as reference_set, true as is_default;

create table best_metrics as
select level, corpus, judgment_set, metric, tau as estimate, tau - .1 as ci_low, tau + .1 as ci_high,
    if(tau > .5, 'better than chance', 'worse than chance') as verdict, share as best_share, tau > .5 as in_best_set, 50 as n, if(share > .5, null, 400) as n_needed,
    null::varchar as too_few
from (values ('gleu', 0.6, .3), ('m2', 0.4, .0), ('fluency', 0.7, .7)) m(metric, tau, share),
    (values ('sentence', 'one', null), ('edit', 'one', null),
    ('sentence', 'two', null::varchar)) t(level, corpus, judgment_set);

insert into best_metrics by name
select 'system' as level, 'one' as corpus, 'judges' as judgment_set, metric, r as estimate,
    3 as n, 'systems' as too_few
from (values ('gleu', .8), ('m2', .7)) m(metric, r);

insert into best_metrics by name
select 'corpus' as level, 'one' as corpus, metric, tau as estimate, share as best_share,
    metric = 'fluency' as in_best_set, 50 as n
from (values ('gleu', 0.6, .1), ('m2', 0.4, .0), ('fluency', 0.7, .9)) m(metric, tau, share);

create table metric_comparisons as
select 'one' as corpus, 'judges' as judgment_set, 'trueskill' as method, 'refs' as
    reference_set, 'gleu' as metric_a, 'm2' as metric_b, 3 as n, .8 as estimate_a, .7 as
    estimate_b, .1 as difference, .3 as p_value, .4 as q_value, 'system' as level, 'perm_both' as
    test, null::varchar as experiment, null::varchar as error_type, null::varchar as measure,
    null::double as ci_low, null::double as ci_high, 'systems' as too_few;

insert into metric_comparisons by name
select 'sentence' as level, corpus, 'random_source' as experiment, 'kendall_tau_a' as
    measure, 'fluency' as metric_a, metric as metric_b, if(metric = 'gleu', .4, .001) as q_value,
    .1 as difference, .1 - .0784 as ci_low, .1 + .0784 as ci_high, 100 as n
from (values ('gleu', 0.6), ('m2', 0.4), ('constant', 1.0)) m(metric, tau),
    (values ('one'), ('two')) p(corpus);

create table replication as
select *
from (values ('paper', 'table_1', 'gleu', 'rho', .81, '.810', .81, .8, 'exact', ''), ('paper',
    'table_1', 'm2', 'rho', .3, '.30', .5, .5, 'differs', 'Another <draw>.'), ('paper',
    'table_1', 'lt', 'rho', .3, '.30', null, null, 'not_reproducible', 'No Java.')) r(paper,
    exhibit, row_label, column_label, published, published_text, reproduced, corrected, status,
    note);

create table discordant_pairs as
select 'one' as corpus, 'random_source' as experiment, metric, 1 as badness_rank, 3 as
    sentence_id, 7 as chain_id, 0 as lower_position, 1 as upper_position, 10 as lower_node_id, 11 as
    upper_node_id, 'Nn' as error_type, 1 as n_edits_between, .9 as lower_score, .2 as upper_score, -.7
    as delta
from (values ('gleu', 0.6), ('m2', 0.4), ('fluency', 0.7), ('constant', 1.0)) m(metric, tau);

create table node_scores as
select corpus, experiment, metric, chain_id, 1 as position, 'a <b> cat' as source_text
from discordant_pairs;

create table metric_availability as
select 'lt' as metric, null::varchar as corpus, false as is_available, 'not_runnable' as reason_code, 'LanguageTool is not installed' as reason, 'maege
    languagetool install' as remedy;

create table corpus_files as
select 'one' as corpus, 'one.m2' as path, 'm2' as format, 'source' as role, 10 as n_lines,
    repeat('0', 64) as sha256, 'us' as origin;

-- Scores that are no metric: one score for everything ties everywhere, and changes by nothing.
insert into sentence_correlations by name
select
    * replace ('chance_constant' as metric, 'chance' as no_rank)
from sentence_correlations
where metric = 'constant';

insert into type_deltas by name
select
    * replace ('chance_constant' as metric, 0 as mean_delta, 0 as ci_low, 0 as ci_high, null as q_value)
from type_deltas
where metric = 'gleu';

create table corpus_comparisons as
select
    corpus, references_mode, metric, language, 150 as n_sentences, 200 as n_lattices, 400 as n_edits,
    tau, tau - .1 as tau_ci_low, tau + .1 as tau_ci_high, tau / 2 as standardised_tau,
    tau / 2 - .1 as standardised_tau_ci_low, tau / 2 + .1 as standardised_tau_ci_high,
    .5 + tau / 4 as over_corrupted, .4 + tau / 4 as over_corrupted_ci_low,
    .6 + tau / 4 as over_corrupted_ci_high, .9 as endorsed_tau, tau as touched_tau,
    -.8 as untouched_tau, .5 as endorsed_share, .3 as touched_share, .2 as untouched_share,
    .05 as identical_share
from (values ('one', 'en'), ('two', 'cs')) c(corpus, language),
    (values ('gleu', 0.6), ('m2', 0.4), ('ld', -0.9), ('chance_random', 0.0)) m(metric, tau),
    (values ('own'), ('one_other')) r(references_mode);
