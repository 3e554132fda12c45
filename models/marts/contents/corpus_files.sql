-- Files that the warehouse was loaded from. A file with several roles lists them all.
select
    corpus,
    path,
    format,
    string_agg(distinct role, ', ' order by role) as role,
    max(lines) as n_lines,
    sha256,
    origin

from {{ source('raw', 'files') }}
group by corpus, path, format, sha256, origin
