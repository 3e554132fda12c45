-- The edits that turn sources into system outputs, one row each. Equal outputs share them.
with

wanted as (

    select distinct edits_key as annotation_key from {{ ref('system_inputs') }}

),

annotations as (

    select
        annotation_key,
        annotation
    from {{ ref('text_edits') }}
    union
    select
        annotation_key,
        annotation
    from {{ ref('ingested_edits') }}

),

wanted_annotations as (

    select annotations.*
    from annotations
    inner join wanted using (annotation_key)

)

{{ edits_of_annotations('wanted_annotations', ['annotation_key']) }}
