"""Arithmetic of one verification's wall-clock budget, and of a provider's wish to be left alone."""

from typing import Final

# While a retry is left, one attempt may not eat the whole budget.
FIRST_SHARE: Final = 0.6
# Less than this buys no answer from anybody.
LEAST_ATTEMPT_SECONDS: Final = 0.0005

PAUSE_SHARE: Final = 0.1
PAUSE_MOST_SECONDS: Final = 0.25

THROTTLE_DEFAULT_SECONDS: Final = 1.0
THROTTLE_MOST_SECONDS: Final = 60.0


def attempt_seconds(total: float, left: float, retries_left: int) -> float:
    """How long the next attempt may take; 0 when the budget cannot pay for one."""
    if left < LEAST_ATTEMPT_SECONDS:
        return 0.0
    return min(left, total * FIRST_SHARE) if retries_left > 0 else left


def pause_seconds(left: float, jitter: float) -> float:
    """How long to wait before a retry: a random part of a tenth of what is left, so that many
    callers of a provider that stumbled do not come back as one.
    """
    return max(0.0, min(left * PAUSE_SHARE, PAUSE_MOST_SECONDS)) * jitter


def throttle_seconds(retry_after: float | None) -> float:
    """How long to stay away after a 429: what was asked for, within reason."""
    if retry_after is None or retry_after != retry_after:  # noqa: PLR0124 - a NaN wish is no wish
        return THROTTLE_DEFAULT_SECONDS
    return min(max(retry_after, 0.0), THROTTLE_MOST_SECONDS)
