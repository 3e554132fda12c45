-- Which numbers of the paper do not hold: the repeated published run does not reproduce them, or
-- their sign changes with the paper's own definition? Without p-values, which follow from the other
-- numbers, and without Table 4's columns that repeat Table 2.
with

replication as (

    select * from main.replication
    where
        paper = 'maege'
        and reproduced is not null
        and column_label not like '%\_p' escape '\'
        and column_label not like '%\_random\_source' escape '\'

),

-- With one or two pairs of a rare type, the sign is random.
rare_types as (

    select distinct error_type from main.type_deltas
    where
        corpus = 'conll14'
        and pair_rule = 'adjacent'
        and n_pairs < 10

),

judged as (

    select
        exhibit,
        row_label,
        column_label,
        published,
        round(reproduced, 4) as reproduced,
        round(corrected, 4) as corrected,
        status = 'differs' as differs,
        sign(published) * sign(corrected) < 0 as changes_sign

    from replication
    where
        exhibit <> 'table_3'
        or row_label not in (select rare_types.error_type from rare_types)

),

failing as (

    select
        exhibit,
        row_label,
        column_label,
        published,
        reproduced,
        corrected,
        concat_ws(
            ', ',
            if(differs, 'not reproduced', null),
            if(changes_sign, 'changes sign', null)
        ) as verdict

    from judged
    where differs or changes_sign

),

-- Only the largest changes of Table 3.
ranked as (

    select
        *,
        row_number() over (
            partition by exhibit
            order by abs(published - corrected) desc, row_label asc, column_label asc
        ) as place

    from failing

),

listed as (

    select * exclude (place) from ranked
    where exhibit <> 'table_3' or place <= 10

)

select * from listed
order by exhibit, row_label, column_label
