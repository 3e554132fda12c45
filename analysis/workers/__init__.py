"""Compute chunks of work, in processes on this machine or on a cluster."""

# Workers start with these variables, because NumPy and pyarrow read them at import.
BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# One BLAS thread per process. Arrow's own allocator would keep about 35 MB per process for later
# tables.
WORKER_ENVIRONMENT = dict.fromkeys(BLAS_THREADS, "1") | {"ARROW_DEFAULT_MEMORY_POOL": "system"}
