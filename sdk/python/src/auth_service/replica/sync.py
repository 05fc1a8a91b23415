"""The replica for threads: one that polls, one that reports."""

from __future__ import annotations

import math
import os
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from .._core.effects import EffectFailed, Pause, ReadKey, Send
from .._sync import AuthServiceClient, Outcome
from .core import ClosedError, Life, ReadFile, ReplicaCore, ReplicaEffect, Rest, Result, Tell, WriteFile, begin
from .decision import ReplicaDecision
from .file import read_file, write_file
from .loading import Deferred
from .options import ReplicaChange, ReplicaFailure, ReplicaOptions, WhenStale, WhenUnknown


def open_replica(
    client: AuthServiceClient,
    *,
    poll_seconds: float = 5,
    max_staleness_seconds: float = 60,
    when_stale: WhenStale = "ask",
    unknown: WhenUnknown = "default",
    verify_seconds: float = 3600,
    file: str | os.PathLike[str] | None = None,
    start_timeout_seconds: float = 60,
    on_change: Callable[[ReplicaChange], object] | None = None,
    on_error: Callable[[ReplicaFailure], object] | None = None,
) -> AccessReplica:
    """Loads all non-default data of the client's application and follows changes, to decide locally.

    Returns as soon as it can decide: immediately with a valid file, otherwise with the complete snapshot. Raises an
    :class:`AuthServiceError` if that takes longer than ``start_timeout_seconds``, and immediately if the key is rejected.

    The replica polls every ``poll_seconds``, and decides by data of at most ``max_staleness_seconds``. With older data,
    ``when_stale="ask"`` lets ``check_or_ask`` ask the service while ``check`` denies everyone, ``"deny"`` denies everyone, and
    ``"go_on"`` decides by the last data, unless the service has rejected the key.

    An untouched user has no data, nor has a mistyped id. ``unknown="default"`` decides about both as for an untouched user, ``"ask"``
    lets ``check_or_ask`` ask the service once, while ``check`` denies until then, and ``"deny"`` denies.

    All data is compared with the service's every ``verify_seconds``; 0 is never. ``file`` keeps the data for the next start: only for
    one application and one process at a time. ``on_change`` gets the users whose decision has changed, ``on_error`` each failure; the
    replica recovers automatically. Both are called in a thread of the replica, one after the other.

    Open it after a server has forked its workers, in each of them.
    """
    options = ReplicaOptions(
        poll_seconds=poll_seconds,
        max_staleness_seconds=max_staleness_seconds,
        when_stale=when_stale,
        unknown=unknown,
        verify_seconds=verify_seconds,
        file=None if file is None else _path_of(file),
        start_timeout_seconds=start_timeout_seconds,
        on_change=on_change,
        on_error=on_error,
    )
    if not isinstance(client, AuthServiceClient):
        raise TypeError("client of a replica must be an AuthServiceClient")
    return AccessReplica(client, options)


def _path_of(file: str | os.PathLike[str]) -> Path:
    if not os.fspath(file):
        raise ValueError("file of a replica must be a path")
    return Path(file)


class AccessReplica:
    """An in-memory copy that decides about an application's users locally and follows changes; created by :func:`open_replica`.

    Close it, or use it as a context manager. It serves any number of threads.
    """

    def __init__(self, client: AuthServiceClient, options: ReplicaOptions) -> None:
        self._client = client
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._is_closing = threading.Event()
        self._pending: Outcome | None = None
        self._core: ReplicaCore = self._drive(begin(client._operations, client._caller, options), self._perform)
        self._core.wake = self._changed.notify_all
        self._threads = [
            threading.Thread(target=self._drive, args=(routine, perform), name=f"auth-service-{name}", daemon=True)
            for name, routine, perform in [
                ("replica", self._core.live(), self._perform_closable),
                ("reports", self._core.remind(), self._perform),
            ]
        ]
        for thread in self._threads:
            thread.start()
        if not self._core.has_data:
            try:
                self._wait_for(self._core.synchronized, None)
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> AccessReplica:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def check(self, user_id: str) -> ReplicaDecision:
        """Decides without a request. The option ``unknown`` decides about ids of which the replica knows nothing."""
        with self._lock:
            return self._core.check(user_id)

    def check_or_ask(self, user_id: str, *, timeout_seconds: float | None = None) -> ReplicaDecision:
        """Decides like :meth:`check`, but asks the service where the options say so.

        That is with stale data and ``when_stale="ask"``, and about an unknown id with ``unknown="ask"``. Raises the error of the
        client if the service then does not answer.
        """
        return self._drive(self._core.check_or_ask(user_id, timeout_seconds), self._client._perform)

    def wait_until_synchronized(self, timeout_seconds: float | None = None) -> None:
        """Waits until the replica has caught up with the service for the first time; with a file it can decide earlier.

        Raises a ``TimeoutError``, or a :class:`ClosedError` if it is closed before.
        """
        self._wait_for(self._core.synchronized, timeout_seconds)

    def resync(self, timeout_seconds: float | None = None) -> None:
        """Reads the whole snapshot again, and waits until it decides, together with the changes since.

        After a failure it tries again. Raises a ``TimeoutError``, or a :class:`ClosedError` if the replica is closed before.
        """
        with self._lock:
            resynced = self._core.resync()
        self._wait_for(resynced, timeout_seconds)

    @property
    def age_seconds(self) -> float:
        """The age of the data, for telemetry: the time since the sending of the last request that found nothing more to read."""
        with self._lock:
            return self._core.age_seconds

    def close(self) -> None:
        """Stops following changes and writes the file. :meth:`check` decides by the last data for as long as allowed."""
        with self._lock:
            self._core.end()
            if self._pending is not None:
                self._pending.put((None, ClosedError("the replica is closed")))
        self._is_closing.set()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()
        self._drive(self._core.save(), self._perform)

    def _wait_for(self, deferred: Deferred, timeout_seconds: float | None) -> None:
        settled = threading.Event()
        with self._lock:
            deferred.when_settled(settled.set)
        if not settled.wait(timeout_seconds):
            raise TimeoutError("the replica has not caught up in time")
        if deferred.error is not None:
            raise deferred.error

    def _drive(self, routine: Life[Result], perform: Callable[[Any], object]) -> Result:
        """Drives a routine to its end. Its code runs with the lock, its effects without."""
        reply: object = None
        failure: Exception | None = None
        try:
            while True:
                with self._lock:
                    effect = routine.send(reply) if failure is None else routine.throw(failure)
                    reply, failure = None, None
                    while isinstance(effect, Rest):
                        self._changed.wait(None if effect.seconds == math.inf else effect.seconds)
                        effect = routine.send(None)
                try:
                    reply = perform(effect)
                except (EffectFailed, OSError) as error:
                    failure = error
        except StopIteration as stop:
            result: Result = stop.value
            return result
        finally:
            with self._lock:
                routine.close()

    def _perform(self, effect: ReplicaEffect) -> object:
        if isinstance(effect, ReadFile):
            return read_file(effect.path)
        if isinstance(effect, WriteFile):
            write_file(effect.path, effect.content)
            return None
        if isinstance(effect, Tell):
            return _error_of(effect.call)
        assert not isinstance(effect, Rest)
        return self._client._perform(effect)

    def _perform_closable(self, effect: ReplicaEffect) -> object:
        """The same for the thread that polls, which ``close`` interrupts."""
        if isinstance(effect, Pause):
            self._is_closing.wait(effect.seconds)
            return None
        if not isinstance(effect, (Send, ReadKey)):
            return self._perform(effect)
        outcome: Outcome = queue.SimpleQueue()
        with self._lock:
            if self._core.is_ended:
                raise EffectFailed("the replica is closed")
            self._pending = outcome
        return self._client._ask(effect, outcome)


def _error_of(call: Callable[[], object]) -> Exception | None:
    """Whatever the application raises never reaches the replica."""
    try:
        call()
    except Exception as error:
        return error
    return None
