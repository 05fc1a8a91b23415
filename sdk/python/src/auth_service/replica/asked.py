"""What the service has answered about ids of which the replica knows nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

_max_users = 100_000
_existing_seconds = 86_400
"""The end of a user's existence is a change; this is only for one that was missed."""
_missing_seconds = 60
"""The creation of a user is no change of an application."""


class AskedUsers:
    """Remembers the most recently asked ids."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._known: dict[str, tuple[bool, float]] = {}
        """Whether there is such a user, and until when that is remembered; in the order of use."""

    def exists(self, user_id: str) -> bool | None:
        """Whether there is such a user; ``None`` if the service has not been asked, or too long ago."""
        exists, end = self._known.get(user_id, (False, float("-inf")))
        if end <= self._monotonic():
            return None
        self._known[user_id] = self._known.pop(user_id)
        return exists

    def remember(self, user_id: str, exists: bool) -> None:
        self._known.pop(user_id, None)
        if len(self._known) == _max_users:
            del self._known[next(iter(self._known))]
        self._known[user_id] = (exists, self._monotonic() + (_existing_seconds if exists else _missing_seconds))

    def forget(self, user_ids: Iterable[str]) -> None:
        """Forgets users who have changed."""
        for user_id in user_ids:
            self._known.pop(user_id, None)

    def forget_all(self) -> None:
        self._known.clear()
