select corpus, path, format, role, lines, sha256, origin
from corpus_files
order by corpus, path
