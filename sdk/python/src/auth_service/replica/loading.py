"""Which snapshot is being loaded, if any, and who waits for it."""

from __future__ import annotations

from collections.abc import Callable

from .reading import Snapshot, begin_snapshot


class Deferred:
    """Something that is settled once; whoever waits for it is called."""

    def __init__(self) -> None:
        self.is_settled = False
        self.error: Exception | None = None
        self._waiting: list[Callable[[], object]] = []

    def settle(self, error: Exception | None = None) -> None:
        if self.is_settled:
            return
        self.is_settled, self.error = True, error
        for call in self._waiting:
            call()

    def when_settled(self, call: Callable[[], object]) -> None:
        """Calls at once if it is settled already."""
        if self.is_settled:
            call()
        else:
            self._waiting.append(call)


class Loading:
    """Begins with the first snapshot, unless the replica already has data."""

    def __init__(self, app_id: str, has_data: bool) -> None:
        self._app_id = app_id
        self._resynced: Deferred | None = None
        self.snapshot: Snapshot | None = None if has_data else begin_snapshot(app_id)
        """``None`` while the replica follows changes. After a failed poll, the next one continues with the same snapshot."""

    def begin(self) -> Snapshot:
        """Begins to load a snapshot, unless one is being loaded."""
        return self.snapshot or self.restart()

    def restart(self) -> Snapshot:
        """Begins to load a new snapshot instead of the current one."""
        self.snapshot = begin_snapshot(self._app_id)
        return self.snapshot

    def resync(self) -> Deferred:
        """Restarts; settled when a snapshot that was begun from now on decides."""
        self.restart()
        self._resynced = self._resynced or Deferred()
        return self._resynced

    def finish(self, snapshot: Snapshot) -> bool:
        """Ends with a snapshot that decides. ``False`` if another one was begun meanwhile, which is loaded next."""
        if self.snapshot is not snapshot:
            return False
        self.snapshot = None
        if self._resynced is not None:
            self._resynced.settle()
            self._resynced = None
        return True

    def fail(self, error: Exception) -> None:
        """Fails what ``resync`` has returned."""
        if self._resynced is not None:
            self._resynced.settle(error)
