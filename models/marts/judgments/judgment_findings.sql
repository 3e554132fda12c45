-- What files of judgments hold that is no judgment.
select
    judgment_set,
    task,
    path,
    line,
    kind,
    detail

from {{ ref('stg_judged__findings') }}
