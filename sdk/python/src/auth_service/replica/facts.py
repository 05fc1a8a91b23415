"""The facts about one user, and what follows from them at a time. All times are milliseconds since the epoch."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple, Union

from .._core.answers import parse_time

Value = Union[str, int, bool, None]
NEVER: Final = math.inf


class Unknown:
    """The value of what a change does not say."""


UNKNOWN: Final = Unknown()

Facts = dict[str, tuple[str, Value]]
"""The value of each part of a user, with the id of its last change.

A removed value is ``False`` and kept until no earlier change can arrive and restore it.

- ``all``: until when the user is known as erased; ``False`` once the user exists again
- ``user``: whether the user is inactive
- ``*``: ``False``; all of the access is known up to this change
- ``set``: the status that was set, or until when it is disabled; ``False`` if none was
- ``+role``: when this role expires, ``None`` for never; ``False`` if it was revoked
"""

ERASED_DAYS = 30
"""For how many days the id of an erased user is known as one."""


class IncompleteAnswerError(Exception):
    """A response of the service is incomplete, and not used."""


class Fact(NamedTuple):
    """The value of one part of a user in a snapshot or a change, and the value that the change replaced."""

    user_id: str
    part: str
    id: str
    value: Value
    before: Value | Unknown = UNKNOWN


@lru_cache(maxsize=65536)
def parse_ms(text: str) -> int | None:
    """A timestamp; ``None`` if it is not valid."""
    try:
        return round(parse_time(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def setting_of(status: str, until: object) -> str | int:
    """The status that was set, or until when the user is disabled."""
    return (parse_ms(until) if isinstance(until, str) else None) or status


def erased_until(erased_at: int) -> int:
    """Until when the id of a user who was erased at this time is known as that of an erased user."""
    return erased_at + ERASED_DAYS * 86_400_000


def time_of_change(change_id: str) -> int:
    """The time of a change from its id, a ULID; 0 without an id."""
    time = 0
    for digit in change_id[:10]:
        time = time * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".find(digit)
    return time


def read_entry(entry: Mapping[str, Any]) -> list[Fact]:
    """Reads an entry of the snapshot; raises if its kind is unknown, because it could be a block."""
    kind, user_id, change_id = entry["kind"], entry["userId"], entry["changeId"]
    if kind == "inactive":
        return [Fact(user_id, "user", change_id, True)]
    if kind == "erased":
        return [Fact(user_id, "all", change_id, erased_until(time_of_change(change_id)))]
    if kind != "access":
        raise IncompleteAnswerError(f"unknown entry: {kind}")
    status = entry["status"]
    setting = False if status is None else setting_of(status, entry["until"])
    roles = [Fact(user_id, f"+{role['name']}", change_id, role["expiresAt"]) for role in entry["roles"]]
    return [Fact(user_id, "*", change_id, False), Fact(user_id, "set", change_id, setting), *roles]


def read_change(change: Mapping[str, Any]) -> list[Fact]:
    """Reads the facts of a change; none if no decision depends on it."""
    action = change["action"]
    if action not in _readers:
        return []
    part, of_state = _readers[action]
    before = change.get("before")
    known = UNKNOWN if before is None or action.startswith(("user.c", "user.d")) else of_state(before)
    name = f"+{change['role']}" if part == "+" else part
    value = _value_of_erased(change) if action == "user.deleted" else of_state(change["after"])
    return [Fact(change["userId"], name, change["id"], value, known)]


def _value_of_erased(change: Mapping[str, Any]) -> int:
    return erased_until(time_of_change(change["id"]))


def _recorded_setting(state: Mapping[str, Any]) -> Value:
    return setting_of(state["status"], state.get("until")) if state["explicit"] else False


def _recorded_role(state: Mapping[str, Any]) -> Value:
    expires_at: Value = state["expiresAt"] if state["granted"] else False
    return expires_at


_readers: Mapping[str, tuple[str, Any]] = {
    "user.deleted": ("all", None),
    "user.created": ("all", lambda state: False),
    "user.status.changed": ("user", lambda state: state["status"] != "active"),
    "access.changed": ("set", _recorded_setting),
    "role.assigned": ("+", _recorded_role),
    "role.revoked": ("+", _recorded_role),
}


def facts_of(members: Mapping[str, Any], until: int) -> Facts:
    """The facts of a user that the service was asked about, who counts as erased until this time if there is no such user."""
    if "code" in members:
        return {"all": ("", until)}
    facts: Facts = {}
    if members["userStatus"] != "active":
        facts["user"] = ("", True)
    if members["explicit"]:
        facts["set"] = ("", setting_of(members["status"], members["until"]))
    for role in members["roles"]:
        facts[f"+{role['name']}"] = ("", role["expiresAt"])
    return facts


def add_fact(users: dict[str, Facts], fact: Fact, horizon: float = 0) -> bool:
    """Adds a fact, unless a later one is known.

    Returns whether it is known, or continues what is known: roles that expire by ``horizon`` may already have been dropped on
    either side.
    """
    facts = users.setdefault(fact.user_id, {})
    known = facts.get(fact.part)
    is_new = known is None or known[0] < fact.id
    continues = not is_new or _is_continued(facts, known, fact, horizon)
    if is_new:
        facts[fact.part] = (fact.id, fact.value)
    return continues


def _is_continued(facts: Facts, known: tuple[str, Value] | None, fact: Fact, horizon: float) -> bool:
    whole, access = _id_of(facts, "all"), _id_of(facts, "*")
    if isinstance(fact.before, Unknown) or _is_outdated(fact.part, fact.id, whole, access):
        return True
    is_known = known is not None and not _is_outdated(fact.part, known[0], whole, access)

    def live(value: Value) -> Value | float:
        end = NEVER if fact.part == "set" else _end_of(fact.part, value)
        return False if end <= horizon else value if end == NEVER else end

    return _same(live(fact.before), live(known[1] if known is not None and is_known else False))


def _same(one: object, other: object) -> bool:
    """Equality that does not take ``False`` for 0."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


class HeldRole(NamedTuple):
    name: str
    expires_at: str | None


@dataclass(slots=True)
class Findings:
    """The state of a user at a time."""

    erased_until: float = 0
    is_inactive: bool = False
    setting: str | None = None
    """The explicit status, ``lapsed`` if a block has expired, or ``None`` without an explicit status."""
    stored: str | int | None = None
    """The same as it is stored."""
    roles: list[HeldRole] = field(default_factory=list)
    next_end: float = NEVER
    """When the next of these expires."""
    newest: str = ""
    """The id of the last change; empty once the order of changes has been dropped."""


def evaluate(facts: Facts, now: float) -> Findings:
    """Evaluates the facts at a time."""
    whole, access = _id_of(facts, "all"), _id_of(facts, "*")
    found = Findings()
    for part, (change_id, value) in facts.items():
        found.newest = max(found.newest, change_id)
        if value is not False and not _is_outdated(part, change_id, whole, access):
            _take(found, part, value, now)
    # A later change proves that the user exists again.
    if found.newest != whole:
        found.erased_until = 0
    found.roles.sort()
    return found


def _take(found: Findings, part: str, value: Value, now: float) -> None:
    end = _end_of(part, value)
    if now < end < found.next_end:
        found.next_end = end
    if part == "user":
        found.is_inactive = True
    elif part == "set":
        assert isinstance(value, (str, int))
        found.stored = value
        found.setting = str(value) if end == NEVER else "disabled" if end > now else "lapsed"
    elif end <= now:
        return
    elif part == "all":
        found.erased_until = end
    else:
        found.roles.append(HeldRole(part[1:], value if isinstance(value, str) else None))


def _end_of(part: str, value: Value) -> float:
    """When a value expires; never if it is not a valid time."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return (parse_ms(value) if isinstance(value, str) and part != "set" else None) or NEVER


def without_order(facts: Facts) -> Facts:
    """The facts without the order of changes, once no earlier change can arrive any more."""
    whole, access = _id_of(facts, "all"), _id_of(facts, "*")
    is_followed = any(change_id > whole for change_id, _ in facts.values())
    return {
        part: ("", value)
        for part, (change_id, value) in facts.items()
        if value is not False
        and not _is_outdated(part, change_id, whole, access)
        and not (part == "all" and is_followed)
    }


def _is_outdated(part: str, change_id: str, whole: str, access: str) -> bool:
    return change_id < whole or (change_id < access and part not in ("user", "all"))


def _id_of(facts: Facts, part: str) -> str:
    return facts[part][0] if part in facts else ""


def require_complete(is_complete: object) -> None:
    """Rejects a page as a whole if it cannot be parsed or is inconsistent."""
    if not is_complete:
        raise IncompleteAnswerError("a response of the service is incomplete")


def checked(facts: Iterable[Fact]) -> list[Fact]:
    """The facts; raises unless all have a user and an id."""
    found = list(facts)
    for fact in found:
        require_complete(isinstance(fact.user_id, str) and isinstance(fact.id, str))
    return found
