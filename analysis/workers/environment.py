"""What a worker sets before it imports NumPy or pyarrow, which read it then and never again."""

import os

BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# Arrow's own keeps some 35 MB in each worker for its next table.
C_ALLOCATOR = {"ARROW_DEFAULT_MEMORY_POOL": "system"}


def prepare_imports() -> None:
    """Have one BLAS thread a process, no allocator of Arrow's own, and no pandas."""
    os.environ.update(dict.fromkeys(BLAS_THREADS, "1") | C_ALLOCATOR)
    # Imported here, because it imports pyarrow, and that NumPy.
    from analysis.workers.without_pandas import spare_pandas

    spare_pandas()
