"""Estimates the service's time, and how much has passed since the last complete poll; in milliseconds."""

from __future__ import annotations

from collections.abc import Callable

from .._core.call import Clocks

KnownAt = tuple[float, float]
"""The service's time of the last complete poll, and by how much it is ahead of this machine's."""


class ServiceClock:
    """Starts with a stored time and is set by the dates of responses.

    It uses whichever of two clocks has advanced further: the wall clock can be set back, and the monotonic one may stop while the
    machine sleeps. Moving ``now`` ahead of this machine's time, as tests do, does not age the data.
    """

    def __init__(self, clocks: Clocks, known_at: KnownAt | None = None) -> None:
        self._clocks = clocks
        at, self._ahead = known_at or (self._machine(), 0.0)
        self._wall = at - self._ahead
        self._monotonic = self.monotonic() - max(0.0, self._machine() - self._wall)

    def monotonic(self) -> float:
        return self._clocks.monotonic() * 1000

    def _machine(self) -> float:
        return self._clocks.wall() * 1000

    def _moved(self) -> float:
        return (self._clocks.now() - self._clocks.wall()) * 1000

    def now(self) -> tuple[float, float]:
        """The service's time, and the age of the data in seconds."""
        passed = max(self._machine() - self._wall, self.monotonic() - self._monotonic)
        return self._wall + self._ahead + self._moved() + passed, passed / 1000

    def ask(self) -> Callable[[float], None]:
        """Starts a poll; call the result with the date of the last response, or 0, when the poll is complete."""
        asked_at, asked_monotonic = self._machine(), self.monotonic()

        def set_known(date: float) -> None:
            if date:
                # A date has whole seconds. This machine's clock is finer, so it is corrected only as far as it is certainly wrong.
                latest = date - self._moved() + 999 - asked_at
                self._ahead = min(max(self._ahead, date - self._clocks.now() * 1000), latest)
            self._wall, self._monotonic = asked_at, asked_monotonic

        return set_known

    def known_at(self) -> KnownAt:
        return self._wall + self._ahead, self._ahead
