"""How long to wait for the next poll; in seconds."""

from __future__ import annotations

from collections.abc import Callable

MAX_BACK_OFF_SECONDS = 25.0
"""At most 30 seconds with jitter."""
_max_retry_after_seconds = 300.0


def jitter(seconds: float, random: Callable[[], float]) -> float:
    """Adds 20 % jitter, so that replicas do not poll in sync."""
    return seconds * (0.8 + 0.4 * random())


def back_off(first: float, failures: int, retry_after: float, random: Callable[[], float]) -> float:
    """How long to wait after a failure: doubles with each earlier failure, and is at least as long as the server asks."""
    seconds = jitter(min(first * 2.0 ** min(failures, 30), MAX_BACK_OFF_SECONDS), random)
    return max(seconds, min(retry_after, _max_retry_after_seconds))


class PollHealth:
    """How polling the service has gone since the last success."""

    def __init__(self, random: Callable[[], float], is_refused: bool) -> None:
        self._random = random
        self._failures = 0
        self.is_refused = is_refused
        """Whether the service has rejected the key, possibly before a restart."""

    @property
    def is_failing(self) -> bool:
        """Whether the last poll failed."""
        return self._failures > 0

    def succeed(self) -> None:
        self._failures = 0
        self.is_refused = False

    def back_off(self, first: float, retry_after: float) -> float:
        """Counts a failure, and returns how long to wait."""
        seconds = back_off(first, self._failures, retry_after, self._random)
        self._failures += 1
        return seconds
