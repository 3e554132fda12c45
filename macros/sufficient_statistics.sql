{#- Where a family keeps each statistic (analysis/metrics holds the same names in the same order;
    tests/test_macros.py compares them). -#}
{% macro statistic_names(family) -%}
    {%- set imeasure = [
        'correction_tp', 'correction_tn', 'correction_fp', 'correction_fn', 'correction_fpn',
        'base_correction_tp', 'base_correction_tn', 'base_correction_fp', 'base_correction_fn',
        'base_correction_fpn', 'detection_tp', 'detection_tn', 'detection_fp', 'detection_fn',
        'detection_fpn', 'base_detection_tp', 'base_detection_tn', 'base_detection_fp',
        'base_detection_fn', 'base_detection_fpn', 'n_references', 'approximated',
    ] -%}
    {{ return({
        'bleu': [
            'hypothesis_length', 'closest_reference_length', 'order',
            'match_1', 'match_2', 'match_3', 'match_4',
        ],
        'source_bleu': [
            'hypothesis_length', 'closest_reference_length', 'order',
            'match_1', 'match_2', 'match_3', 'match_4',
        ],
        'gleu': [
            'hypothesis_length', 'reference_length',
            'overlap_1', 'overlap_2', 'overlap_3', 'overlap_4',
            'penalty_1', 'penalty_2', 'penalty_3', 'penalty_4',
            'difference_penalty_1', 'difference_penalty_2',
            'difference_penalty_3', 'difference_penalty_4',
        ],
        'sari': ['keep', 'delete', 'add'],
        'sari_single': ['keep', 'delete', 'add'],
        'source_distance': ['distance', 'source_length', 'hypothesis_length'],
        'reference_distance': ['distance', 'reference_length', 'hypothesis_length'],
        'm2': ['tp', 'proposed', 'gold', 'approximated'],
        'errant': ['tp', 'fp', 'fn'],
        'imeasure': imeasure,
        'imeasure_mix': imeasure,
    }[family]) }}
{%- endmacro %}

{#- One statistic of a flattened list; `reference` counts from 0 where a family keeps one row of
    statistics for each reference. -#}
{% macro statistic(family, name, reference='0', statistics='statistics') -%}
    {%- set names = statistic_names(family) -%}
    {{ statistics }}[{{ reference }} * {{ names | length }} + {{ names.index(name) + 1 }}]
{%- endmacro %}

{#- A value for each reference, as a list: `expression` may use the lambda's `reference`. -#}
{% macro for_each_reference(family, expression, statistics='statistics') -%}
    list_transform(
        range(len({{ statistics }}) // {{ statistic_names(family) | length }}),
        lambda reference: {{ expression }}
    )
{%- endmacro %}

{#- Sentence BLEU, smoothing method 3 of Chen and Cherry (2014): the k-th order without a match
    counts 1 / 2^k matches. Orders up to `order`; 0 without a matching word. -#}
{% macro sentence_bleu(family) -%}
    {%- set length = statistic(family, 'hypothesis_length') -%}
    {%- set closest = statistic(family, 'closest_reference_length') -%}
    {%- set order = statistic(family, 'order') -%}
    case
        when {{ length }} = 0 or {{ statistic(family, 'match_1') }} = 0 then 0.0
        else
            if({{ length }} > {{ closest }}, 1.0, exp(1 - {{ closest }} / {{ length }}))
            * exp((
                {%- for n in range(1, 5) %}
                {%- set match = statistic(family, 'match_' ~ n) %}
                {{ "+ " if n > 1 }}if(
                    {{ order }} < {{ n }},
                    0.0,
                    ln(
                        if(
                            {{ match }} > 0,
                            {{ match }},
                            0.5 ^ ({% for k in range(2, n + 1) %}{{ "+ " if k > 2 }}({{ statistic(family, 'match_' ~ k) }} = 0)::integer{% else %}0{% endfor %})
                        )
                        / greatest({{ length }} - {{ n - 1 }}, 1)
                    )
                )
                {%- endfor %}
            ) / {{ order }})
    end
{%- endmacro %}

{#- GLEU+ against one reference, every zero among its statistics counted as one. -#}
{% macro sentence_gleu(penalty) -%}
    {%- set length = statistic('gleu', 'hypothesis_length', 'reference') -%}
    exp(
        least(
            0,
            1 - greatest({{ statistic('gleu', 'reference_length', 'reference') }}, 1)
            / greatest({{ length }}, 1)
        )
        + (
            {%- for n in range(1, 5) %}
            {{ "+ " if n > 1 }}ln(
                greatest(
                    {{ statistic('gleu', 'overlap_' ~ n, 'reference') }}
                    - {{ statistic('gleu', penalty ~ '_' ~ n, 'reference') }},
                    1
                )
                / greatest({{ length }} - {{ n - 1 }}, 1)
            )
            {%- endfor %}
        ) / 4
    )
{%- endmacro %}

{#- 1 - distance / length of the first string; 1 where that string is empty. -#}
{% macro similarity(distance, length) -%}
    if({{ length }} = 0, 1.0, 1 - {{ distance }} / {{ length }})
{%- endmacro %}

{#- F.5 of a sentence: 1 with nothing to correct and nothing corrected; NULL for an annotator who has
    no line. -#}
{% macro sentence_f_score(tp, proposed, gold) -%}
    case
        when isnan({{ gold }}) then null
        when {{ proposed }} + 0.25 * {{ gold }} = 0 then 1.0
        else 1.25 * {{ tp }} / ({{ proposed }} + 0.25 * {{ gold }})
    end
{%- endmacro %}

{#- WAcc of the I-measure with w = 2; 1 for a sentence without tokens. -#}
{% macro weighted_accuracy(family, aspect) -%}
    {%- set right = "(2 * " ~ statistic(family, aspect ~ '_tp') ~ " + "
        ~ statistic(family, aspect ~ '_tn') ~ ")" -%}
    {%- set all = "(" ~ right ~ " + 2 * " ~ statistic(family, aspect ~ '_fp') ~ " + "
        ~ statistic(family, aspect ~ '_fn') ~ " - 1.5 * " ~ statistic(family, aspect ~ '_fpn')
        ~ ")" -%}
    if({{ all }} = 0, 1.0, {{ right }} / {{ all }})
{%- endmacro %}

{#- How far a system's accuracy gets from the source's own towards 1, or back towards 0. -#}
{% macro improvement(accuracy, base) -%}
    case
        when {{ accuracy }} = {{ base }} then floor({{ accuracy }})
        when {{ accuracy }} > {{ base }} then ({{ accuracy }} - {{ base }}) / (1 - {{ base }})
        else {{ accuracy }} / {{ base }} - 1
    end
{%- endmacro %}
