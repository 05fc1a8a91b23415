"""The replica without its I/O: a routine that polls, one that reports, and the decisions."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, Union

from .._core.call import Caller
from .._core.effects import Effect, ReadKey, Routine
from .._core.ids import is_user_id
from .._core.operations import Operations
from .._core.signing import ApiKey
from ..errors import AuthServiceError, SignatureError
from .asked import AskedUsers
from .clock import ServiceClock
from .decision import NoDecisionCode, ReplicaDecision, ReplicaState, decide_locally, no_decision
from .file import StoredReplica, decode_replica, encode_replica
from .health import MAX_BACK_OFF_SECONDS, PollHealth, jitter
from .knowledge import Knowledge, Page, add_page
from .loading import Deferred, Loading
from .options import ReplicaChange, ReplicaFailure, ReplicaOptions
from .reading import SNAPSHOT_PAGE_SIZE, Poll, ServiceReader, Snapshot, follow_changes, load_snapshot
from .repair import Repair

Result = TypeVar("Result")

_save_every_seconds = 60.0
_pages_of_changes = 5
"""A page of a snapshot takes about as long as so many pages of changes."""
_fewest_pages = 50
"""So many pages of changes are always followed."""

_refusals = ("signature_mismatch", "key_revoked", "key_expired", "scope_missing", "address_not_allowed")
"""Codes that reject the key itself. Others can be caused by a wrong clock or by a request altered on the way."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Waits until the time is over, or the replica wakes the routine; never ends with ``math.inf`` but by waking."""

    seconds: float


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Results in the bytes of the file; ``None`` if there is none."""

    path: Path


@dataclass(frozen=True, slots=True)
class WriteFile:
    """Replaces the file."""

    path: Path
    content: bytes


@dataclass(frozen=True, slots=True)
class Tell:
    """Calls a function of the application, and results in what it raises."""

    call: Callable[[], object]


ReplicaEffect = Union[Effect, Rest, ReadFile, WriteFile, Tell]
Life = Generator[ReplicaEffect, Any, Result]


class ClosedError(Exception):
    """The replica is closed."""


def begin(operations: Operations, caller: Caller, options: ReplicaOptions) -> Life[ReplicaCore]:
    """Reads the key and the file."""
    key = yield ReadKey(options.start_timeout_seconds)
    if not isinstance(key, ApiKey):
        raise SignatureError("key_invalid", "the source of the key did not return an ApiKey")
    stored: StoredReplica | None = None
    error: Exception | None = None
    if options.file is not None:
        try:
            content = yield ReadFile(options.file)
            stored = None if content is None else decode_replica(content, key, caller.origin)
        except Exception as caught:  # without the file, the snapshot is read
            error = caught
    core = ReplicaCore(operations, caller, options, key, stored)
    if error is not None:
        core.report("file", error)
    return core


class ReplicaCore:
    """The state of a replica. A driver for threads holds a lock wherever this code runs."""

    def __init__(
        self,
        operations: Operations,
        caller: Caller,
        options: ReplicaOptions,
        key: ApiKey,
        stored: StoredReplica | None,
    ) -> None:
        clocks = caller.clocks
        self._operations = operations
        self._origin = caller.origin
        self._options = options
        self._clocks = clocks
        self._key = key
        self._reader = ServiceReader(caller)
        self._clock = ServiceClock(clocks, stored.known_at if stored else None)
        self._knowledge = Knowledge(self._clock, self._tell)
        self._asked = AskedUsers(clocks.monotonic)
        self._health = PollHealth(clocks.random, stored is not None and stored.is_refused)
        self._loading = Loading(key.app_id, stored is not None)
        self._is_whole = False
        """Whether the last poll was complete, so that the next one begins with the first change that has no number."""
        self._repair = Repair(
            operations,
            self._reader,
            self._knowledge,
            clocks,
            verify_seconds=options.verify_seconds,
            report=self._report_repair,
            reload=self._loading.begin,
        )
        self._starts_until = clocks.monotonic() + options.start_timeout_seconds
        self._saved_at = -math.inf
        self._is_saved = True
        self._events: deque[ReplicaChange | ReplicaFailure] = deque()
        self.is_ended = False
        self.is_woken = False
        """Whether the next poll should begin at once."""
        self.wake: Callable[[], None] = lambda: None
        """Ends the rests of the routines; set by the driver."""
        self.synchronized = Deferred()
        """Settled with the first complete poll, or when the first load is given up."""
        if stored is not None:
            self._replace_state(stored.state)
            self._repair.compare_now()

    @property
    def has_data(self) -> bool:
        return self._knowledge.state is not None

    @property
    def age_seconds(self) -> float:
        return self._clock.now()[1]

    # The routines

    def live(self) -> Life[None]:
        """Polls until the end."""
        while not self.is_ended:
            until = self._clocks.monotonic() + (yield from self.poll())
            while not self.is_ended and not self.is_woken and self._clocks.monotonic() < until:
                yield Rest(until - self._clocks.monotonic())
            self.is_woken = False

    def remind(self) -> Life[None]:
        """Reports what expires, and calls the application, until the end."""
        while True:
            if self.has_data and self._clock.monotonic() >= self._knowledge.report_at:
                self._knowledge.report_expired()
            while self._events:
                yield from self._deliver(self._events.popleft())
            if self.is_ended:
                return
            yield Rest(max(0.0, self._knowledge.report_at - self._clock.monotonic()) / 1000)

    def _deliver(self, event: ReplicaChange | ReplicaFailure) -> Life[None]:
        on_change, on_error = self._options.on_change, self._options.on_error
        if isinstance(event, ReplicaFailure):
            if on_error is not None:
                yield Tell(partial(on_error, event))
        elif on_change is not None:
            error = yield Tell(partial(on_change, event))
            if error is not None:
                self.report("on_change", error)

    def poll(self) -> Life[float]:
        """Polls once; results in how many seconds to wait for the next poll."""
        try:
            yield from self._catch_up(may_repair=not self._health.is_failing)
            wait = self._after_success()
        except Exception as error:  # the replica lives on after any failure
            if self.is_ended:
                return 0.0
            self.report("poll", error)
            wait = self._after_failure(error)
        if self._clocks.monotonic() - self._saved_at >= _save_every_seconds:
            yield from self.save()
        self.wake()
        return wait

    def save(self) -> Life[None]:
        """Writes the file, unless it already has what is known."""
        path, state = self._options.file, self._knowledge.state
        if path is None or state is None or self._is_saved:
            return
        self._is_saved = True
        self._saved_at = self._clocks.monotonic()
        try:
            stored = StoredReplica(state, self._clock.known_at(), self._health.is_refused)
            yield WriteFile(path, encode_replica(stored, self._key, self._origin))
        except Exception as error:  # the next time tries again
            self._is_saved = False
            self.report("file", error)

    # What a poll does

    def _catch_up(self, may_repair: bool) -> Life[None]:
        snapshot = self._loading.snapshot
        if snapshot is not None:
            yield from self._load(snapshot)
        else:
            yield from self._follow(may_repair)

    def _apply_changes(self, state: ReplicaState, apply: Callable[[Page], None], most_pages: float) -> Routine[Poll]:
        """Applies the changes after the state's cursor, and notes how current they are, unless it gives up."""
        set_known = self._clock.ask()

        def forget_and_apply(page: Page) -> None:
            self._asked.forget(user_id for change in page.unsigned if isinstance(user_id := change.get("userId"), str))
            apply(page)

        was_whole, self._is_whole = self._is_whole, False
        poll = yield from follow_changes(self._reader, state, forget_and_apply, most_pages)
        self._is_whole = poll.is_complete
        if poll.is_complete:
            set_known(poll.date)
        return poll if was_whole else replace(poll, omits=True)

    def _open_of(self, poll: Poll) -> set[str]:
        """The users of whom earlier changes may come once more: what a poll leaves out is of users whose order is known."""
        return poll.seen | self._knowledge.ordered if poll.omits else poll.seen

    def _load(self, snapshot: Snapshot) -> Life[None]:
        """Reads a snapshot and the changes since, and only then replaces the data: until then, the known data decides."""
        state = yield from load_snapshot(self._reader, snapshot)

        def apply(page: Page) -> None:
            add_page(state, page)
            snapshot.unsigned.extend(page.unsigned)

        # The first poll after a snapshot leaves nothing out; one that continues after a failure may.
        self._is_whole, snapshot.is_followed = not snapshot.is_followed, True
        poll = yield from self._apply_changes(state, apply, math.inf)
        self._asked.forget_all()
        self._repair.reset()
        self._replace_state(state)
        self._knowledge.settle(self._open_of(poll))
        if self._loading.finish(snapshot):
            self._repair.refuse(snapshot.unsigned)

    def _replace_state(self, state: ReplicaState) -> None:
        before = [] if self._knowledge.state is None else [*self._knowledge.state.users]
        self._knowledge.change([*before, *state.users], lambda: setattr(self._knowledge, "state", state))

    def _follow(self, may_repair: bool) -> Life[None]:
        """Applies the changes to the known data, page by page, then what a repair has read before them."""
        settle = (yield from self._repair.read()) if may_repair else None
        state = self._knowledge.require_state()

        def apply(page: Page) -> None:
            user_ids = [fact.user_id for fact in page.facts]
            self._repair.refuse(page.unsigned)
            now = self._clock.now()[0]
            self._knowledge.change(user_ids, lambda: self._repair.doubt_all(add_page(state, page, now)))
            self._asked.forget(user_ids)

        # How many pages of changes take as long as a snapshot of as much as is known.
        most = max(_fewest_pages, _pages_of_changes * math.ceil(len(state.users) / SNAPSHOT_PAGE_SIZE))
        poll = yield from self._apply_changes(state, apply, most)
        if not poll.is_complete:
            yield from self._load(self._loading.begin())
            return
        open_users = self._open_of(poll)
        self._knowledge.settle(open_users)
        if settle is not None:
            settle(open_users)

    def _after_success(self) -> float:
        self._health.succeed()
        self._is_saved = False
        self.synchronized.settle()
        random = self._clocks.random
        wait = jitter(self._options.poll_seconds, random)
        is_busy = self._repair.is_busy or self._loading.snapshot is not None
        return min(wait, jitter(1, random)) if is_busy else wait

    def _after_failure(self, error: Exception) -> float:
        code = error.code if isinstance(error, AuthServiceError) else ""
        retry_after = error.retry_after_seconds if isinstance(error, AuthServiceError) else 0.0
        if code in _refusals:
            self._health.is_refused = True
            self._is_saved = False
        # The cursor has expired or is invalid, or a response cannot be parsed.
        if code in ("cursor_expired", "invalid_request") or not isinstance(error, AuthServiceError):
            self._loading.restart()
        if not self.has_data:
            return self._after_failed_start(error, retry_after)
        # It may have expired for all replicas at the same time; until the reload, the known data decides.
        if code == "cursor_expired":
            return self._clocks.random() * min(MAX_BACK_OFF_SECONDS, self._options.max_staleness_seconds / 2)
        return self._health.back_off(self._options.poll_seconds, retry_after)

    def _after_failed_start(self, error: Exception, retry_after: float) -> float:
        """Nothing can decide before the first load, so it is given up if the key is rejected or it has taken too long."""
        left = self._starts_until - self._clocks.monotonic()
        if not self._health.is_refused and left > 0:
            return min(self._health.back_off(1, retry_after), left)
        self.synchronized.settle(error)
        self.is_ended = True
        return 0.0

    # What the application asks and gets

    def check(self, user_id: str) -> ReplicaDecision:
        """Decides without a request."""
        now, age_seconds = self._clock.now()
        is_stale = age_seconds > self._options.max_staleness_seconds
        if is_stale and self._health.is_refused:
            return no_decision(user_id, "key_refused", age_seconds)
        if is_stale and self._options.when_stale != "go_on":
            return no_decision(user_id, "stale", age_seconds)
        state = self._knowledge.require_state()
        is_known = self._options.unknown == "default" or not is_user_id(user_id) or user_id in state.users
        exists = True if is_known else self._asked.exists(user_id)
        if exists:
            return decide_locally(state, user_id, now, age_seconds)
        code: NoDecisionCode = "unknown" if exists is None else "user_not_found"
        return no_decision(user_id, code, age_seconds)

    def check_or_ask(self, user_id: str, timeout_seconds: float | None) -> Routine[ReplicaDecision]:
        """Decides like ``check``, but asks the service where the options say so."""
        decision = self.check(user_id)
        if decision.code == "unknown":
            if self._options.unknown != "ask":
                return decision
            return (yield from self._ask_about_unknown(user_id, timeout_seconds))
        if self._options.when_stale == "ask" and decision.code in ("stale", "key_refused"):
            return (yield from self._ask(user_id, timeout_seconds))
        return decision

    def _ask_about_unknown(self, user_id: str, timeout_seconds: float | None) -> Routine[ReplicaDecision]:
        decision = yield from self._ask(user_id, timeout_seconds)
        if decision.code is not None:
            self._asked.remember(user_id, False)
        elif decision.decided_by in ("default", "rollout") and not decision.roles:
            self._asked.remember(user_id, True)
        else:
            # Unless a change arrives that explains it, an entry of this user has been lost.
            self._repair.doubt(user_id)
        return decision

    def _ask(self, user_id: str, timeout_seconds: float | None) -> Routine[ReplicaDecision]:
        """Asks the service, which rejects an id that cannot be one: that is decided here."""
        if not is_user_id(user_id):
            return no_decision(user_id, "user_not_found", 0)
        try:
            access = yield from self._operations.get_access(user_id, timeout_seconds)
        except AuthServiceError as error:
            if error.code != "user_not_found":
                raise
            return no_decision(user_id, "user_not_found", 0)
        return ReplicaDecision(
            user_id=user_id,
            effective_status=access.effective_status,
            decided_by=access.decided_by,
            roles=access.roles,
            code=None,
            age_seconds=0,
        )

    def resync(self) -> Deferred:
        """Reads the whole snapshot again; settled when it decides, together with the changes since."""
        if self.is_ended:
            raise ClosedError("the replica is closed")
        resynced = self._loading.resync()
        self.is_woken = True
        self.wake()
        return resynced

    def end(self) -> None:
        """Ends the routines."""
        self.is_ended = True
        error = ClosedError("the replica is closed")
        self.synchronized.settle(error)
        self._loading.fail(error)
        self.wake()

    def report(
        self, during: Literal["poll", "repair", "file", "on_change"], error: Exception, user_ids: list[str] | None = None
    ) -> None:
        """Reports a failure to the application."""
        self._events.append(ReplicaFailure(during, error, None if user_ids is None else tuple(user_ids)))

    def _report_repair(self, error: Exception, user_ids: list[str] | None) -> None:
        if self.is_ended:
            return
        if user_ids is not None:
            # So that a restart does not bring back what was wrong.
            self._saved_at = -math.inf
        self.report("repair", error, user_ids)

    def _tell(self, user_ids: list[str] | None) -> None:
        self._events.append(ReplicaChange(None if user_ids is None else tuple(user_ids)))
