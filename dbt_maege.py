"""What dbt itself loads of ours when it starts: a second build ends before the project is parsed.

The first does without what nobody reads (analysis/stored/spared_work.py), and NumPy, which is
imported later, does sums of matrices in the thread that asks for them.
dbt imports every module that is called dbt_..., and makes what it finds in `plugins`.
"""

import os
from pathlib import Path
from typing import Any

from dbt.flags import get_flags
from dbt.plugins.manager import dbtPlugin
from dbt_common.exceptions import DbtRuntimeError

from build_holder import find_holder, in_use

# Commands that write; all others may be of use meanwhile.
WRITING = ("build", "retry", "run", "run-operation", "seed", "test")
PROJECT = "maege"
# Further threads of NumPy's OpenBLAS wait for work by running in circles, while models that run
# beside could have the processor: a third of what bootstraps cost.
BLAS_THREADS = "OPENBLAS_NUM_THREADS"


class OneBuild(dbtPlugin):
    """Refuses a second build of the warehouse while another process has it; sets up the first."""

    def initialize(self) -> None:
        """Raise DbtRuntimeError where another process has the build file."""
        flags: Any = get_flags()  # type: ignore[no-untyped-call]
        if self.project_name == PROJECT and flags.WHICH in WRITING:
            os.environ.setdefault(BLAS_THREADS, "1")
            path = Path(os.environ.get("MAEGE_WAREHOUSE", "warehouse")) / "build.duckdb"
            if holder := find_holder(path):
                raise DbtRuntimeError(in_use(path, holder))
            # Imported here, because dbt loads this module for every project and command.
            from analysis.stored.kept_work import keep_work
            from analysis.stored.little_data import is_first_build, is_small
            from analysis.stored.node_order import order_nodes
            from analysis.stored.spared_work import spare_work
            from analysis.workers.template import start_template

            is_little = is_small(path)
            keep_work(templates=is_little)
            spare_work(writes_at_end=flags.WHICH != "run-operation")
            if flags.WHICH == "build" and is_little:
                order_nodes()
                if is_first_build(path.parent):
                    start_template()


plugins = [OneBuild]
