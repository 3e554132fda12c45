select corpus, path, format, role, n_lines, sha256, origin
from corpus_files
order by corpus, path
