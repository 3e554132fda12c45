"""A scheduler here, and jobs of SLURM with eight workers each: `python slurm.py 10.0.0.5 4`.

The address is this machine's as compute nodes see it, the number that of jobs. Run it where the
build runs or near to it, in an environment that nodes see at the same path, with
maege[cluster] and dask-jobqueue. It prints what the build needs, and stays until Ctrl-C.
"""

import signal
import sys

import dask
from dask_jobqueue import SLURMCluster

WORKERS_A_JOB = 8
host, jobs = sys.argv[1], int(sys.argv[2])
# A task during which three workers died is tried alone and then reported.
dask.config.set({"distributed.scheduler.allowed-failures": 2})
cluster = SLURMCluster(
    queue="compute",
    walltime="04:00:00",
    cores=WORKERS_A_JOB,
    # One thread each: a worker computes one chunk at a time.
    processes=WORKERS_A_JOB,
    memory=f"{2 * WORKERS_A_JOB}GB",
    scheduler_options={"host": host, "port": 8786, "dashboard": False},
    # A worker passes on its results before its job ends.
    worker_extra_args=["--lifetime", "225m", "--lifetime-stagger", "10m"],
)
cluster.scale(jobs=jobs)
sys.stdout.write(f"export MAEGE_SCHEDULER={cluster.scheduler_address}\n")
sys.stdout.flush()
signal.pause()
