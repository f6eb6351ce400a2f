"""How costs grow, in processor time: a neighbour's noise only adds, so the least of many counts."""

import math
import time
from collections.abc import Callable

# So often a measurement may have been somebody else's noise.
MORE_TRIES = 10


def spent(act: Callable[[], object]) -> float:
    """What this thread took of the processor."""
    started = time.thread_time()
    act()
    return time.thread_time() - started


def times(
    reference: Callable[[], float], other: Callable[[], float], most: float, tries: int = 3
) -> float:
    """How many times the reference the other costs; measured again while it is more than `most`."""
    least, found, ratio = math.inf, math.inf, math.inf
    for turn in range(tries + MORE_TRIES):
        least, found = min(least, reference()), min(found, other())
        ratio = found / max(least, 1e-9)
        if turn + 1 >= tries and ratio <= most:
            break
    return ratio
