-- What a metric reads decides the group that it is shown in.
select
    name as metric,
    case
        when not bool_or(reference_based) then 'no references'
        when name in (select metric from edit_metric_scores) then 'edits'
        else 'texts'
    end as metric_group
from metrics
group by name
order by name
