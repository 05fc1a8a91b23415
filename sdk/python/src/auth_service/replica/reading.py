"""Reads the snapshot and the changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .._core.answers import Answer, Members, NotExpected, http_date
from .._core.call import MAX_SKEW_SECONDS, Call, Caller
from .._core.effects import Routine
from .._core.ids import encode
from .._core.operations import MAX_PAGE_SIZE
from .decision import ReplicaState
from .facts import IncompleteAnswerError, checked, read_change, read_entry, require_complete
from .knowledge import Page, add_page

SNAPSHOT_PAGE_SIZE = 2500


class ServiceReader:
    """Sends signed reads without retries."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def read(
        self, path: str, limit: int, after: str | None = None, *, option: str | None = None
    ) -> Routine[tuple[Members, float]]:
        """The body, and the date of the response in milliseconds, 0 if it has none."""
        now = self._caller.clocks.now
        asked_at = now()

        def read(members: Members, _key_id: str, answer: Answer) -> tuple[Members, float]:
            header = answer.headers.get("date")
            date = None if header is None else http_date(header)
            if not isinstance(members["items"], list) or not (date is None or _is_plausible(date, asked_at, now())):
                raise NotExpected
            return members, (date or 0) * 1000

        position = f"&after={encode(after)}" if after else ""
        target = f"{path}?limit={limit}{position}{f'&{option}' if option else ''}"
        call = Call(method="GET", path=path, target=target, read=read, reads=True, max_attempts=1)
        return (yield from self._caller.run(call))


def _is_plausible(date: float, asked_at: float, now: float) -> bool:
    """A read is signed within five minutes of this machine's time, and the service accepts it within five minutes of its own.

    So the clocks cannot differ by more; a date has whole seconds.
    """
    return asked_at - 2 * MAX_SKEW_SECONDS - 1 < date <= now + 2 * MAX_SKEW_SECONDS


@dataclass(slots=True)
class Snapshot:
    """A partially read snapshot; after a failure, reading continues with the same page."""

    state: ReplicaState
    entries: int = 0
    unsigned: list[Mapping[str, Any]] = field(default_factory=list)
    """The changes after it that the service does not vouch for."""
    after: str | None = None
    is_read: bool = False
    is_followed: bool = False
    """Whether a poll has begun to read the changes after it."""


def begin_snapshot(app_id: str) -> Snapshot:
    return Snapshot(ReplicaState(app_id, {}))


def load_snapshot(reader: ServiceReader, snapshot: Snapshot) -> Routine[ReplicaState]:
    """Reads the rest of a snapshot. Raises unless its last page and the number of its entries prove that it is complete."""
    state = snapshot.state
    while not snapshot.is_read:
        members, _ = yield from reader.read("access", SNAPSHOT_PAGE_SIZE, snapshot.after)
        page, cursor, changes_cursor, total = parsed(_read_snapshot_page, members)
        state.cursor = state.cursor or changes_cursor
        snapshot.entries += len(members["items"])
        require_complete(changes_cursor and changes_cursor == state.cursor)
        require_complete(total == snapshot.entries if cursor is None else cursor and cursor != snapshot.after)
        add_page(state, page)
        snapshot.after, snapshot.is_read = cursor, cursor is None
    return state


def _read_snapshot_page(members: Members) -> tuple[Page, str | None, str, object]:
    facts = checked(fact for entry in members["items"] for fact in read_entry(entry))
    percent, version = members["rolloutPercent"], members["applicationVersion"]
    require_complete(percent >= 0 and version >= 0)
    cursor, changes_cursor = members["cursor"], members["changesCursor"]
    require_complete(isinstance(changes_cursor, str) and (cursor is None or isinstance(cursor, str)))
    return Page(facts, [(percent, version)]), cursor, changes_cursor, members.get("total")


@dataclass(frozen=True, slots=True)
class Poll:
    """What a poll has found."""

    is_complete: bool
    """Whether it has read everything; otherwise it has given up."""
    date: float
    """The date of its last response, in milliseconds."""
    seen: set[str]
    """The users of changes that the service vouches for."""
    omits: bool
    """Whether there may be changes without a number that only a poll before had: they come once more with their numbers."""


def follow_changes(
    reader: ServiceReader, state: ReplicaState, apply: Callable[[Page], None], most_pages: float
) -> Routine[Poll]:
    """Reads the changes after the state's cursor until there are no more.

    Each page is read and checked as a whole, then applied together with the cursor. At the end, everything committed before the last
    request has been applied. Gives up after ``most_pages``, unless what follows has no number yet: it would follow a snapshot just
    the same.
    """
    seen: set[str] = set()
    omits = False
    pages = 0
    while True:
        pages += 1
        members, date = yield from reader.read("changes", MAX_PAGE_SIZE, state.cursor, option="pending=new")
        page, cursor, more, users = parsed(_read_change_page, members, state.cursor)
        apply(page)
        seen |= users
        state.cursor = cursor
        omits = omits or bool(members.get("omitted"))
        if not more or (pages >= most_pages and not members.get("pending") and not members.get("omitted")):
            return Poll(not more, date, seen, omits)


def _read_change_page(members: Members, after: str) -> tuple[Page, str, bool, set[str]]:
    cursor, more = members["cursor"], members["more"]
    require_complete(isinstance(cursor, str) and cursor and (cursor != after if more is True else more is False))
    items = members["items"]
    signed = [item for item in items if _is_signed(item)]
    rollouts = [
        (item["after"]["rolloutPercent"], item["after"]["version"])
        for item in signed
        if item["action"] == "application.updated" and item["after"].get("rolloutPercent", -1) >= 0
    ]
    # The order of numbers is that of commits, and of one user's changes that of their ids; pending ones are in any order.
    facts = sorted(checked(fact for item in signed for fact in read_change(item)), key=lambda fact: fact.id)
    users = {item["userId"] for item in signed if "userId" in item}
    return Page(facts, rollouts, [item for item in items if not _is_signed(item)]), cursor, more, users


def _is_signed(change: Mapping[str, Any]) -> bool:
    """Whether the service vouches for a change: it signs those whose MAC is valid when it hands them out.

    What somebody wrote to its table has no signature (JWS with detached content, RFC 7515 appendix F).
    """
    signature = change.get("signature")
    return isinstance(signature, str) and re.fullmatch(r"[\w-]+\.\.[\w-]+", signature, re.ASCII) is not None


def parsed(parse: Callable[..., Any], *given: object) -> Any:
    """What a parser returns; raises an ``IncompleteAnswerError`` for a shape that it cannot read."""
    try:
        return parse(*given)
    except (KeyError, TypeError, ValueError, AttributeError, AssertionError) as cause:
        raise IncompleteAnswerError("a response of the service cannot be read") from cause
