"""Finds what differs from the service, and reads it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from .._core.answers import Members
from .._core.call import Clocks
from .._core.effects import Routine
from .._core.ids import is_user_id
from .._core.operations import Operations
from .facts import NEVER, Fact, Facts, add_fact, erased_until, evaluate, facts_of, parse_ms, read_entry, require_complete
from .facts import time_of_change
from .health import back_off, jitter
from .knowledge import Knowledge, Page, add_page
from .reading import SNAPSHOT_PAGE_SIZE, ServiceReader, parsed
from .rollout import digest_of, texts_of

_max_users_per_check = 100
_max_doubts = 1000
_soon_seconds = 600.0
"""Whatever hid one change may have hidden others: the next comparison is at most this long after the previous one."""
_last_id = "\uffff"

Settle = Callable[[set[str]], None]
"""Call it after the next complete poll, with the users in that poll."""


class _Range(NamedTuple):
    """Consecutive user ids of one kind of entry, after one id and through another; ``None`` has all further ones."""

    kind: str
    after: str
    through: str | None
    digest: str


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A comparison under way: its next page, and the user ids through which each kind has been compared."""

    after: str | None
    reached: Mapping[str, str]
    differs: bool = False
    """Whether a digest of the page differed, so that its entries are read."""


class Repair:
    """``report`` is called with a failure, or with the users whose data was replaced; ``reload`` reads the snapshot again."""

    def __init__(
        self,
        operations: Operations,
        reader: ServiceReader,
        knowledge: Knowledge,
        clocks: Clocks,
        *,
        verify_seconds: float,
        report: Callable[[Exception, list[str] | None], None],
        reload: Callable[[], object],
    ) -> None:
        self._operations = operations
        self._reader = reader
        self._knowledge = knowledge
        self._clocks = clocks
        self._report = report
        self._reload = reload
        self._every = verify_seconds or NEVER
        self._doubts: dict[str, int] = {}
        # The ids of changes without a signature: those that were refused, and those of the current poll.
        self._refused: set[str] = set()
        self._met: set[str] = set()
        # The users of those that came first with the current poll: an answer about them may be older.
        self._fresh: set[str] = set()
        self._comparison: _Comparison | None = None
        self._next_at = self._next_comparison()
        self._failures = 0
        self._paused_until = float("-inf")

    def _next_comparison(self) -> float:
        return self._clocks.monotonic() + jitter(self._every, self._clocks.random)

    @property
    def is_busy(self) -> bool:
        """Whether users or pages are left to read, so that the next poll should begin soon."""
        is_paused = self._clocks.monotonic() < self._paused_until
        return not is_paused and (bool(self._doubts) or self._comparison is not None)

    def doubt(self, user_id: str, until: int = 0) -> None:
        """Doubts a user, who counts as erased until a time if the service does not know the user."""
        if len(self._doubts) == _max_doubts:
            self._reload()
        self._doubts[user_id] = until

    def doubt_all(self, changes: Sequence[Fact]) -> None:
        """Doubts the users of changes that do not continue what was known."""
        for fact in changes:
            self.doubt(fact.user_id, erased_until(time_of_change(fact.id)))
        if changes and self._every < NEVER:
            self._next_at = min(self._next_at, self._next_at - self._every + _soon_seconds)

    def refuse(self, changes: Iterable[Mapping[str, Any]]) -> None:
        """Doubts the users of changes that the service does not vouch for, once for each change."""
        for change in changes:
            change_id, user_id = str(change.get("id")), change.get("userId")
            self._met.add(change_id)
            if change_id in self._refused:
                continue
            self._refused.add(change_id)
            if isinstance(user_id, str) and is_user_id(user_id):
                # An unknown id may be that of an erased user.
                self.doubt(user_id, erased_until(round(self._clocks.wall() * 1000)))
                self._fresh.add(user_id)
            elif change.get("action") == "application.updated":
                self._reload()

    def compare_now(self) -> None:
        """Begins a comparison with the next poll."""
        if self._every < NEVER:
            self._next_at = float("-inf")

    def reset(self) -> None:
        """Forgets all doubts, because everything has been read again."""
        self._doubts.clear()
        self._comparison = None
        self._next_at = self._next_comparison()

    def read(self) -> Routine[Settle | None]:
        """Reads something to compare or replace, if it is time.

        For all users but those of the next complete poll, what was read is also the state after it.
        """
        # What is pending comes again with each poll.
        self._refused, self._met = self._met, set()
        self._fresh.clear()
        now = self._clocks.monotonic()
        if now < self._paused_until:
            return None
        if now >= self._next_at:
            self._next_at = NEVER
            self._comparison = _Comparison(None, {"erased": "", "inactive": "", "access": ""})
        try:
            found = yield from self._read_next()
        except Exception as error:  # a failed repair must not end the replica
            self._report(error, None)
            retry_after = getattr(error, "retry_after_seconds", 0.0)
            pause = back_off(1, self._failures, retry_after, self._clocks.random)
            self._failures += 1
            self._paused_until = now + pause
            return None
        self._failures = 0
        return None if found is None else partial(self._settle, found)

    def _settle(self, settle: Settle, seen: set[str]) -> None:
        settle(seen | self._fresh)

    def _read_next(self) -> Routine[Settle | None]:
        if self._doubts:
            return (yield from self._read_doubts())
        if self._comparison is not None:
            return (yield from self._read_page(self._comparison))
        return None

    def _read_doubts(self) -> Routine[Settle]:
        asked = [*self._doubts][:_max_users_per_check]
        answers = yield from self._operations.check_access_raw(asked)

        def settle(seen: set[str]) -> None:
            settled = {user_id: members for user_id, members in zip(asked, answers) if user_id not in seen}
            users = self._knowledge.require_state().users

            def replace_facts() -> None:
                for user_id, members in settled.items():
                    users[user_id] = facts_of(members, self._doubts.get(user_id, 0))

            self._knowledge.change(settled, replace_facts)
            for user_id in settled:
                self._doubts.pop(user_id, None)
            if settled:
                count = len(settled)
                self._report(RuntimeError(f"read the data about {count} users again"), [*settled])

        return settle

    def _read_page(self, comparison: _Comparison) -> Routine[Settle]:
        members, _ = yield from self._reader.read(
            "access", SNAPSHOT_PAGE_SIZE, comparison.after, option=None if comparison.differs else "digest=true"
        )
        compare: Settle = parsed(self._prepare_comparison, members, comparison)
        return compare

    def _prepare_comparison(self, members: Members, comparison: _Comparison) -> Settle:
        live_at = parse_ms(members["liveAt"]) or 0
        cursor = members["cursor"]
        require_complete(live_at and isinstance(members["ranges"], list) and (cursor or "") != comparison.after)
        reached = dict(comparison.reached)
        ranges = []
        for each in members["ranges"]:
            kind, through = each["kind"], each["through"]
            ranges.append(_Range(kind, reached[kind], through, each["digest"]))
            reached[kind] = _last_id if through is None else through
        rollout = (members["rolloutPercent"], members["applicationVersion"])
        theirs: dict[str, dict[str, Facts]] = {each.kind: {} for each in ranges}
        if comparison.differs:
            for entry in members["items"]:
                for fact in read_entry(entry) if entry["kind"] in theirs else []:
                    add_fact(theirs[entry["kind"]], fact)
        following = None if cursor is None else _Comparison(cursor, reached)

        def compare(seen: set[str]) -> None:
            state = self._knowledge.require_state()
            self._knowledge.change([], lambda: add_page(state, Page([], [rollout])))
            if comparison.differs:
                for each in ranges:
                    for user_id, until in _different_users(state.users, theirs[each.kind], each, live_at):
                        if user_id not in seen:
                            self.doubt(user_id, until)
            elif any(self._digest(each, live_at) != each.digest for each in ranges):
                self._comparison = replace(comparison, differs=True)
                return
            self._comparison = following
            if following is None:
                self._next_at = self._next_comparison()

        return compare

    def _digest(self, each: _Range, live_at: int) -> str:
        users = self._knowledge.require_state().users
        return digest_of(texts_of(users, each.kind, each.after, each.through, live_at).values())


def _different_users(
    users: Mapping[str, Facts], theirs: Mapping[str, Facts], each: _Range, time: int
) -> list[tuple[str, int]]:
    """The users about whom the entries of a snapshot say something else, and until when these say that the user was erased.

    While a user is being erased, the snapshot still has other entries of the user.
    """
    own = texts_of(users, each.kind, each.after, each.through, time)
    read = texts_of(theirs, each.kind, each.after, each.through, time)

    def erased(facts: Facts) -> int:
        return int(evaluate(facts, time).erased_until)

    different = [user_id for user_id in dict.fromkeys([*own, *read]) if own.get(user_id) != read.get(user_id)]
    return [
        (user_id, erased(theirs.get(user_id, {})))
        for user_id in different
        if each.kind == "erased" or not erased(users.get(user_id, {}))
    ]
