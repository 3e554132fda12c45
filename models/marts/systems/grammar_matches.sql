-- LanguageTool's matches in each text: rule, position and category.
with

checks as (

    select
        check_key,
        text_id,
        unnest(rule_ids) as rule_id,
        unnest(categories) as category,
        unnest(offsets) as start_character,
        unnest(lengths) as length,
        unnest(range(len(rule_ids))) as match_index

    from {{ ref('grammar_checks') }}

),

-- All checked texts but those of adversarial outputs, which would have most of the matches.
shown_texts as (

    select hypothesis_text_id as text_id
    from {{ ref('scoring_pairs') }}
    where has_edit_metrics and not is_adversarial
    union
    select hypothesis_text_id as text_id
    from {{ ref('expert_inputs') }}

),

requests as (

    select requests.*
    from {{ ref('grammar_requests') }} as requests
    semi join shown_texts using (text_id)

),

texts as (

    select
        text_id,
        array_to_string(
            list_filter(string_split(text, ' '), lambda token: trim(token) <> ''), ' '
        ) as text

    from {{ ref('texts') }}

)

select
    requests.corpus,
    metrics.metric,
    requests.sentence_id,
    texts.text_id,
    texts.text,
    checks.match_index::integer as match_index,
    checks.rule_id,
    checks.category,
    checks.start_character,
    checks.length,
    substr(texts.text, checks.start_character + 1, checks.length) as matched,
    not list_contains(metrics.disabled_rules, checks.rule_id) as is_counted

from checks
inner join requests using (check_key, text_id)
inner join {{ ref('grammar_metrics') }} as metrics using (check_key)
inner join texts using (text_id)
