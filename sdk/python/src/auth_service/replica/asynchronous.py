"""The replica for async code: two tasks, one that polls, one that reports."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread

from .._async import AsyncAuthServiceClient
from .._core.effects import EffectFailed
from .core import Life, ReadFile, ReplicaCore, ReplicaEffect, Rest, Result, Tell, WriteFile, begin
from .decision import ReplicaDecision
from .file import read_file, write_file
from .loading import Deferred
from .options import ReplicaChange, ReplicaFailure, ReplicaOptions, WhenStale, WhenUnknown
from .sync import _path_of


@asynccontextmanager
async def open_async_replica(
    client: AsyncAuthServiceClient,
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
) -> AsyncIterator[AsyncAccessReplica]:
    """The same as :func:`open_replica`, as a context: ``async with open_async_replica(client) as replica``.

    ``on_change`` and ``on_error`` may be async; they are called one after the other.
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
    if not isinstance(client, AsyncAuthServiceClient):
        raise TypeError("client of an async replica must be an AsyncAuthServiceClient")
    driver = _Driver(client)
    core = await driver.drive(begin(client._operations, client._caller, options))
    core.wake = driver.wake
    replica = AsyncAccessReplica(core, driver)
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:
        try:
            tasks.start_soon(driver.drive, core.live())
            tasks.start_soon(driver.drive, core.remind())
            if not core.has_data:
                await driver.wait_for(core.synchronized)
            yield replica
        except Exception as error:  # a task group would wrap what the application raises
            failure = error
        finally:
            core.end()
            tasks.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                await driver.drive(core.save())
    if failure is not None:
        raise failure


class AsyncAccessReplica:
    """An in-memory copy that decides about an application's users locally; created by :func:`open_async_replica`."""

    def __init__(self, core: ReplicaCore, driver: _Driver) -> None:
        self._core = core
        self._driver = driver

    def check(self, user_id: str) -> ReplicaDecision:
        """See :meth:`AccessReplica.check`."""
        return self._core.check(user_id)

    async def check_or_ask(self, user_id: str, *, timeout_seconds: float | None = None) -> ReplicaDecision:
        """See :meth:`AccessReplica.check_or_ask`."""
        return await self._driver.drive(self._core.check_or_ask(user_id, timeout_seconds))

    async def wait_until_synchronized(self) -> None:
        """See :meth:`AccessReplica.wait_until_synchronized`."""
        await self._driver.wait_for(self._core.synchronized)

    async def resync(self) -> None:
        """See :meth:`AccessReplica.resync`."""
        await self._driver.wait_for(self._core.resync())

    @property
    def age_seconds(self) -> float:
        """See :attr:`AccessReplica.age_seconds`."""
        return self._core.age_seconds


class _Driver:
    """Drives routines with the I/O of a client."""

    def __init__(self, client: AsyncAuthServiceClient) -> None:
        self._client = client
        self._woken = anyio.Event()

    def wake(self) -> None:
        self._woken.set()
        self._woken = anyio.Event()

    async def wait_for(self, deferred: Deferred) -> None:
        settled = anyio.Event()
        deferred.when_settled(settled.set)
        await settled.wait()
        if deferred.error is not None:
            raise deferred.error

    async def drive(self, routine: Life[Result]) -> Result:
        """Drives a routine to its end."""
        reply: object = None
        failure: Exception | None = None
        try:
            while True:
                effect = routine.send(reply) if failure is None else routine.throw(failure)
                reply, failure = None, None
                try:
                    reply = await self._perform(effect)
                except (EffectFailed, OSError) as error:
                    failure = error
        except StopIteration as stop:
            result: Result = stop.value
            return result
        finally:
            routine.close()

    async def _perform(self, effect: ReplicaEffect) -> object:
        if isinstance(effect, Rest):
            with anyio.move_on_after(None if effect.seconds == math.inf else effect.seconds):
                await self._woken.wait()
            return None
        if isinstance(effect, ReadFile):
            return await anyio.to_thread.run_sync(read_file, effect.path)
        if isinstance(effect, WriteFile):
            return await anyio.to_thread.run_sync(write_file, effect.path, effect.content)
        if isinstance(effect, Tell):
            return await _error_of(effect.call)
        return await self._client._perform(effect)


async def _error_of(call: Callable[[], Any]) -> Exception | None:
    """Whatever the application raises never reaches the replica."""
    try:
        result = call()
        if inspect.isawaitable(result):
            await result
    except Exception as error:
        return error
    return None
