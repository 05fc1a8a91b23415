"""The options of a replica, and what it reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

WhenStale = Literal["ask", "deny", "go_on"]
"""What a replica does when its data is older than allowed."""
WhenUnknown = Literal["default", "ask", "deny"]
"""What a replica does with an id of which it knows nothing."""


@dataclass(frozen=True, slots=True)
class ReplicaChange:
    """The users whose decision has changed; ``None`` for possibly all users, because the rollout was changed."""

    user_ids: tuple[str, ...] | None
    """The users; ``None`` for possibly all of them."""

    @property
    def all(self) -> bool:
        """Whether all users may be concerned."""
        return self.user_ids is None


@dataclass(frozen=True, slots=True)
class ReplicaFailure:
    """A failure of polling the service, of the file, or of ``on_change``; or wrong data that was found, or not repaired."""

    during: Literal["poll", "repair", "file", "on_change"]
    """What the replica was doing."""
    error: Exception
    """What was raised."""
    user_ids: tuple[str, ...] | None = None
    """The users whose data was read again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaOptions:
    """The limits of a replica, and its callbacks."""

    poll_seconds: float = 5
    max_staleness_seconds: float = 60
    when_stale: WhenStale = "ask"
    unknown: WhenUnknown = "default"
    verify_seconds: float = 3600
    file: Path | None = None
    start_timeout_seconds: float = 60
    on_change: Callable[[ReplicaChange], object] | None = None
    on_error: Callable[[ReplicaFailure], object] | None = None

    def __post_init__(self) -> None:
        for name in ("poll_seconds", "max_staleness_seconds", "start_timeout_seconds"):
            if not 0 < getattr(self, name) <= 1_000_000:
                raise ValueError(f"{name} of a replica must be more than 0 and at most 1000000")
        if not self.verify_seconds >= 0:
            raise ValueError("verify_seconds of a replica must be 0 or a number of seconds")
        if self.when_stale not in ("ask", "deny", "go_on"):
            raise ValueError("when_stale of a replica must be ask, deny or go_on")
        if self.unknown not in ("default", "ask", "deny"):
            raise ValueError("unknown of a replica must be default, ask or deny")
