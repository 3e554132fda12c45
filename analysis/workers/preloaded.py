"""What the template of workers imports and loads, once for all of them (template.py).

What cannot be loaded is left to the workers that need it: they say what is wrong with it. Kernels
are, too, because they may be about to be compiled, which workers wait for only where they need it.
"""

import gc
from contextlib import suppress

from analysis.workers.environment import prepare_imports

# Families that read dictionaries and models when they are first asked. None that starts a process,
# such as METEOR's Java: forked workers would all talk to the one.
_READERS = ("fluency", "meaning", "gug_features")


def _preload() -> None:
    prepare_imports()
    for load in (_load_parsing, _load_estimates, _load_scoring):
        with suppress(Exception):
            load()
    # Nothing here is garbage, and to look at it would copy it into each worker.
    gc.freeze()


def _load_parsing() -> None:
    import errant.en.classifier  # noqa: F401

    import analysis.extraction.chunks  # noqa: F401
    from analysis.extraction.pipeline import load_pipeline

    load_pipeline()


def _load_estimates() -> None:
    import analysis.stored.crowd_estimates  # noqa: F401


def _load_scoring() -> None:
    import numpy as np
    from numba.core.registry import cpu_target

    import analysis.workers.chunks  # noqa: F401
    from analysis.metrics.base import RequestGroup
    from analysis.metrics.kernel_code import put_off_machine_code
    from analysis.metrics.registry import TEXT_FAMILIES

    # What numba loads with the first kernel, compiled or kept.
    put_off_machine_code()
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    one = RequestGroup(
        references=("he goes",),
        sources=("he go",),
        hypotheses=("he goes",),
        source_index=np.zeros(1, dtype=np.intp),
        hypothesis_index=np.zeros(1, dtype=np.intp),
    )
    for name in _READERS:
        with suppress(Exception):
            TEXT_FAMILIES[name].compute(one)


_preload()
