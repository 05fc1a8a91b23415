"""The current data of a replica; reports changed decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .clock import ServiceClock
from .decision import ReplicaDecision, ReplicaState, decide_locally
from .facts import NEVER, Fact, add_fact, evaluate, without_order

_horizon_ms = 10_000
"""More than two clocks differ, once the service's time is estimated, and a poll takes."""
_min_delay_ms = 100
"""Expiries within this time are reported together."""


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a page: facts about users, and rollouts with the versions of the application that set them."""

    facts: list[Fact]
    rollouts: list[tuple[float, float]]
    unsigned: list[Mapping[str, Any]] = field(default_factory=list)
    """Changes that the service does not vouch for. Nothing of them is known to be true but that something may have changed."""


def add_page(state: ReplicaState, page: Page, now: float = 0) -> list[Fact]:
    """Adds a page that was read and checked; cannot fail. Returns the changes that do not continue what was known."""
    for rollout in page.rollouts:
        if rollout[1] >= state.rollout[1]:
            state.rollout = rollout
    return [fact for fact in page.facts if not add_fact(state.users, fact, now + _horizon_ms)]


class Knowledge:
    """Tells the users whose decision has changed; ``None`` stands for all of them."""

    def __init__(self, clock: ServiceClock, tell: Callable[[list[str] | None], None]) -> None:
        self.state: ReplicaState | None = None
        self.report_at = NEVER
        """When ``report_expired`` is due, by the monotonic clock in milliseconds."""
        self._clock = clock
        self._tell = tell
        self._checks: dict[str, float] = {}
        self.ordered: set[str] = set()
        """The users whose facts have the order of changes."""

    def require_state(self) -> ReplicaState:
        assert self.state is not None, "the replica has loaded nothing"
        return self.state

    def change(self, user_ids: Iterable[str], step: Callable[[], object]) -> None:
        """Runs a step that may change the decisions about these users."""
        # Reports expiries up to now first, because the step is compared with the current decisions.
        self.report_expired()
        time, _ = self._clock.now()
        users = list(dict.fromkeys(user_ids))
        percent = None if self.state is None else self.state.rollout[0]
        before = [self._decide(user_id, time) for user_id in users]
        step()
        self._watch(users)
        if percent is None or self.state is None:
            return
        if percent != self.state.rollout[0]:
            self._tell(None)
        else:
            self._tell_users([each for each, was in zip(users, before) if was != self._decide(each, time)])

    def settle(self, seen: set[str]) -> None:
        """Drops the order of changes after a complete poll, except of the users of whom it told something.

        What preceded that of the others has a number that the cursor has passed, so it never comes again.
        """
        users = self.require_state().users
        settled = self.ordered - seen
        self.ordered &= seen
        for user_id in settled:
            users[user_id] = without_order(users.get(user_id, {}))
        if settled:
            self._watch(settled)

    def report_expired(self) -> None:
        """Reports the users whose block, role or erasure has expired."""
        time, _ = self._clock.now()
        due = [(user_id, at) for user_id, at in self._checks.items() if at <= time]
        changed = [user_id for user_id, at in due if self._decide(user_id, at - 1) != self._decide(user_id, time)]
        self._watch(user_id for user_id, _ in due)
        self._tell_users(changed)

    def _tell_users(self, user_ids: list[str]) -> None:
        if user_ids:
            self._tell(user_ids)

    def _decide(self, user_id: str, time: float) -> ReplicaDecision | None:
        return None if self.state is None else decide_locally(self.state, user_id, time, 0)

    def _watch(self, user_ids: Iterable[str]) -> None:
        time, _ = self._clock.now()
        for user_id in user_ids:
            at = self._next_check(user_id, time)
            if at < NEVER:
                self._checks[user_id] = at
            else:
                self._checks.pop(user_id, None)
        following = min(self._checks.values(), default=NEVER)
        self.report_at = self._clock.monotonic() + max(following - time, _min_delay_ms)

    def _next_check(self, user_id: str, time: float) -> float:
        """When to re-evaluate a user; drops data that is no longer needed."""
        users = self.require_state().users
        found = evaluate(users.get(user_id, {}), time)
        if found.newest:
            self.ordered.add(user_id)
        elif not found.erased_until and not found.is_inactive and found.setting is None and not found.roles:
            users.pop(user_id, None)
        return found.next_end
