-- LanguageTool's number of errors and its denominator for each text: a filter over stored matches,
-- so that other rules can be excluded without new checks.
with

words as (

    select
        text_id,
        len(list_filter(string_split(text, ' '), lambda token: trim(token) <> '')) as tokens,
        -- The MAEGE run's normalisation: punctuation is removed, single letters are joined.
        list_filter(
            string_split(regexp_replace(lower(text), '[^\pL\pN_]+', ' ', 'g'), ' '),
            lambda word: word <> ''
        ) as normalised

    from {{ ref('texts') }}

),

counted as (

    select
        text_id,
        tokens,
        greatest(
            len(normalised) - 1
            - len(list_filter(
                range(1, len(normalised)),
                lambda place:
                length(normalised[place]) = 1 and length(normalised[place + 1]) = 1
            )),
            0
        ) as normalised_spaces

    from words

),

errors as (

    select
        metrics.metric,
        requests.text_id,
        metrics.least,
        checks.error,
        len(checks.rule_ids) - len(list_filter(
            checks.rule_ids,
            lambda rule: list_contains(metrics.disabled_rules, rule)  -- noqa: RF02
        )) as errors,
        if(metrics.counts = 'tokens', counted.tokens, counted.normalised_spaces) as tokens

    from {{ ref('grammar_requests') }} as requests
    inner join {{ ref('grammar_metrics') }} as metrics using (check_key)
    inner join {{ ref('grammar_checks') }} as checks using (check_key, text_id)
    inner join counted using (text_id)

)

select
    metric,
    text_id,
    error,
    errors,
    tokens,
    case
        when error is not null then null
        -- The MAEGE run's rule; an empty text has no errors either.
        when tokens = 0 then 1
        else greatest(1 - errors / tokens, least)
    end as score

from errors
