-- The counts behind the corpus scores of edit-based metrics, and what is computed from them: of the
-- annotator that M2 and ERRANT choose for each sentence, of the best mixture for the I-measure.
with

choices as (

    select * from {{ ref('chosen_annotators') }}

),

inputs as (

    select * from {{ ref('system_inputs') }}

),

imeasure_families as (

    select distinct
        family,
        signature_key

    from {{ ref('metric_registry') }}
    where is_selected and family in ('imeasure', 'imeasure_mix')

),

imeasure_counts as (

    select
        inputs.corpus,
        inputs.reference_set,
        inputs.system,
        imeasure_families.family as metric,
    {%- for aspect in ['correction', 'detection'] %}
    {%- for base in ['', 'base_'] %}
    {%- for count in ['tp', 'tn', 'fp', 'fn', 'fpn'] %}
        sum({{ statistic('imeasure', base ~ aspect ~ '_' ~ count) }})
            as {{ base ~ aspect ~ '_' ~ count }}
        {{- "," if not (loop.last and base and aspect == 'detection') }}
    {%- endfor %}
    {%- endfor %}
    {%- endfor %}

    from inputs
    cross join imeasure_families
    inner join {{ ref('metric_statistics') }} as cached
        on
            imeasure_families.signature_key = cached.signature_key
            and inputs.source_text_id = cached.source_text_id
            and inputs.hypothesis_text_id = cached.hypothesis_text_id
            and inputs.gold_key = cached.references_key
    group by inputs.corpus, inputs.reference_set, inputs.system, imeasure_families.family

),

counts as (

    select
        corpus,
        reference_set,
        system,
        metric,
        'correction' as aspect,
        sum(tp) as tp,
        null as tn,
        sum(proposed - tp) as fp,
        sum(gold - tp) as fn,
        null as fpn,
        null as base_right,
        null as base_all
    from choices
    group by corpus, reference_set, system, metric
    {%- for aspect in ['correction', 'detection'] %}
        union all
        select
            corpus,
            reference_set,
            system,
            metric,
            '{{ aspect }}' as aspect,
            {{ aspect }}_tp as tp,
            {{ aspect }}_tn as tn,
            {{ aspect }}_fp as fp,
            {{ aspect }}_fn as fn,
            {{ aspect }}_fpn as fpn,
            2 * base_{{ aspect }}_tp + base_{{ aspect }}_tn as base_right,
            2 * base_{{ aspect }}_tp + base_{{ aspect }}_tn + 2 * base_{{ aspect }}_fp
            + base_{{ aspect }}_fn - 1.5 * base_{{ aspect }}_fpn as base_all
        from imeasure_counts
    {%- endfor %}

),

beta as (

    -- F.5 of edits, F1 of the I-measure's tokens: what each program reports.
    select
        *,
        if(metric in ('m2', 'errant'), 0.25, 1.0) as beta_squared,
        if(tp + fp = 0, 1.0, tp / (tp + fp)) as p,
        if(tp + fn = 0, 1.0, tp / (tp + fn)) as r,
        if(2 * (tp + fp) + tn + fn = 0, 1.0, (2 * tp + tn) / (2 * (tp + fp) + tn + fn - 1.5 * fpn))
            as wacc,
        if(base_all = 0, 1.0, base_right / base_all) as base_wacc

    from counts

)

select
    corpus,
    reference_set,
    system,
    metric,
    aspect,
    tp::integer as tp,
    tn::integer as tn,
    fp::integer as fp,
    fn::integer as fn,
    fpn::integer as fpn,
    p,
    r,
    if(p + r = 0, 0.0, (1 + beta_squared) * p * r / (beta_squared * p + r)) as f,
    (tp + tn) / nullif(tp + tn + fp + fn - fpn, 0) as acc,
    wacc,
    base_wacc,
    {{ improvement('wacc', 'base_wacc') }} as improvement

from beta
