"""One process at a time does what all of them would do alike: a lock on a directory.

Workers that start together would each compile the same rules, on as many cores as there are. Knows
directories and locks, not what is done meanwhile.
"""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

# How often whoever waits looks again: a lock of the system knows no deadline.
LOOK_SECONDS: Final = 0.05


@contextmanager
def alone(directory: Path, seconds: float) -> Generator[bool]:
    """Alone with a directory, and whether that had to be waited for.

    Together with others after a while, and where no lock can be had: that is no fault. The system
    takes a lock away from a process that dies.
    """
    try:
        descriptor = os.open(directory, os.O_RDONLY)
    except OSError:
        yield False
        return
    try:
        yield waited(descriptor, time.monotonic() + seconds)
    finally:
        released(descriptor)
        os.close(descriptor)


def waited(descriptor: int, until: float) -> bool:
    """Take the lock, or give up; whether somebody else had it first."""
    # Not there on every system; but where files have no owners nothing is kept in any, either.
    import fcntl  # noqa: PLC0415

    held = False
    while time.monotonic() < until:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            held = True
            time.sleep(LOOK_SECONDS)
        except OSError:
            break
        else:
            break
    return held


def released(descriptor: int) -> None:
    """Give the lock back: to close is not enough, where a fork has the same file open."""
    import fcntl  # noqa: PLC0415

    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_UN)
