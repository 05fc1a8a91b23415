"""Keeps calls from waiting for a service that does not answer."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import UnavailableError

__all__ = ["CircuitOptions"]


@dataclass(frozen=True, slots=True)
class CircuitOptions:
    """When the client stops sending requests to a service that does not answer."""

    timeouts: float = 3
    """The number of consecutive timed-out calls that opens the circuit. ``math.inf`` keeps it closed."""
    open_seconds: float = 5
    """How long calls then fail immediately, until one call is let through as a probe."""

    def __post_init__(self) -> None:
        if not self.timeouts > 0:
            raise ValueError("timeouts of circuit must be more than 0")
        if not 0 < self.open_seconds <= 1_000_000:
            raise ValueError("open_seconds of circuit must be more than 0 and at most 1000000")


class Circuit:
    """Counts timed-out calls; for any number of threads."""

    def __init__(self, options: CircuitOptions, monotonic: Callable[[], float]) -> None:
        self._options = options
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._count = 0
        self._closed_at = -math.inf

    def enter(self) -> None:
        """Call before each call. Raises ``circuit_open`` while the circuit is open."""
        with self._lock:
            if self._count < self._options.timeouts:
                return
            left = self._closed_at - self._monotonic()
            if left > 0:
                detail = f"{self._count} calls timed out"
                raise UnavailableError("circuit_open", detail, retry_after_seconds=left)
            # This call is the probe. The others keep failing until it has ended.
            self._open()

    def leave(self, timed_out: bool) -> None:
        """Records after a call whether it timed out."""
        with self._lock:
            self._count = self._count + 1 if timed_out else 0
            self._open()

    def _open(self) -> None:
        self._closed_at = self._monotonic() + self._options.open_seconds
