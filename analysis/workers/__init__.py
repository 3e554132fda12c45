"""Chunks of work, over processes on this machine or on a cluster."""

# A worker has these in its environment before it imports NumPy and pyarrow, which read them then.
BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# One BLAS thread per process. Arrow's own allocator keeps some 35 MB in each for its next table.
WORKER_ENVIRONMENT = dict.fromkeys(BLAS_THREADS, "1") | {"ARROW_DEFAULT_MEMORY_POOL": "system"}
