-- The inputs of a metric determine its group.
select
    metric,
    case
        when not reference_based then 'no references'
        when metric in (select metric from edit_metric_scores) then 'edits'
        else 'texts'
    end as metric_group
from metrics
where is_selected
order by metric
