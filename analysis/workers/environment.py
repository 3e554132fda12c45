"""What a worker has in its environment before it imports NumPy or pyarrow, which read it then."""

BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# One BLAS thread a process. Arrow's own allocator keeps some 35 MB in each for its next table.
WORKER = dict.fromkeys(BLAS_THREADS, "1") | {"ARROW_DEFAULT_MEMORY_POOL": "system"}
