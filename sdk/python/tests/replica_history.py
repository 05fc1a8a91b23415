"""Lets a replica live through a history of the kit, in virtual time."""

from __future__ import annotations

import heapq
import itertools
import json
import re
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from auth_service import ApiKey, AuthServiceError
from auth_service._core.answers import Answer
from auth_service._core.effects import EffectFailed, Pause, ReadKey, Send
from auth_service._core.operations import Operations
from auth_service._core.settings import create_caller
from auth_service.replica.core import Life, ReadFile, ReplicaCore, ReplicaEffect, Rest, Tell, WriteFile, begin
from auth_service.replica.decision import ReplicaDecision
from auth_service.replica.options import ReplicaChange, ReplicaFailure, ReplicaOptions
from kit import KEY, ORIGIN, Case, VirtualTime

def _lower(found: re.Match[str]) -> str:
    return "_" + found.group().lower()


_when_stale = {"goOn": "go_on"}


class HistoryRun:
    """The virtual world of one history: tasks that wait, and the exchanges that are left."""

    def __init__(self, case: Case) -> None:
        self.time = VirtualTime(random=0.5)
        self.reports: list[Case] = []
        self._case = case
        self._left: list[Case] = [*case["exchanges"]]
        self._files: dict[Path, bytes] = {}
        self._waiting: list[tuple[float, int, Generator[Any, Any, Any], bool]] = []
        self._order = itertools.count()
        self._core: ReplicaCore | None = None
        self._key = ApiKey(**KEY)

    @property
    def unsent(self) -> list[Case]:
        """The exchanges that no request has asked for."""
        return self._left

    def until(self, milliseconds: float) -> None:
        """Lets time pass."""
        while self._waiting and self._waiting[0][0] <= milliseconds / 1000 + 1e-9:
            at, _, task, _ = heapq.heappop(self._waiting)
            self.time.seconds = max(self.time.seconds, at)
            self._advance(task, None)
        self.time.seconds = max(self.time.seconds, milliseconds / 1000)

    def open(self) -> str | None:
        """Opens the replica; returns the code of the error if that fails."""
        caller = create_caller(
            ORIGIN,
            timeout_seconds=10,
            max_attempts=4,
            circuit=None,
            hooks=None,
            allow_http=False,
            clocks=self.time.clocks(),
        )
        options = self._options()
        self._core = core = self._run_now(begin(Operations(caller), caller, options))
        core.wake = self._wake
        self._advance(core.remind(), None)
        self._advance(core.live(), None)
        while not core.has_data and not core.synchronized.is_settled:
            assert self._waiting
            self.until(self._waiting[0][0] * 1000)
        error = core.synchronized.error
        if error is None:
            return None
        assert isinstance(error, AuthServiceError)
        return error.code

    def _options(self) -> ReplicaOptions:
        given = self._case["options"]
        renamed = {re.sub("[A-Z]", _lower, name): value for name, value in given.items()}
        if "when_stale" in renamed:
            renamed["when_stale"] = _when_stale.get(renamed["when_stale"], renamed["when_stale"])
        file = Path("replica") if self._case["file"] else None
        return ReplicaOptions(**renamed, file=file, on_change=self._note_change, on_error=self._note_failure)

    def _note_change(self, change: ReplicaChange) -> None:
        noted = {"at": self.time.milliseconds, "kind": "change", "all": change.all}
        self.reports.append(noted if change.user_ids is None else {**noted, "userIds": sorted(change.user_ids)})

    def _note_failure(self, failure: ReplicaFailure) -> None:
        noted = {"at": self.time.milliseconds, "kind": "error", "during": failure.during}
        if isinstance(failure.error, AuthServiceError):
            noted["code"] = failure.error.code
        self.reports.append(noted if failure.user_ids is None else {**noted, "userIds": sorted(failure.user_ids)})

    @property
    def core(self) -> ReplicaCore:
        assert self._core is not None
        return self._core

    def check_or_ask(self, user_id: str) -> ReplicaDecision:
        """Asks now; time may pass until the answer."""
        outcome: list[Any] = []

        def task() -> Life[None]:
            try:
                outcome.append((yield from self.core.check_or_ask(user_id, None)))
            except AuthServiceError as error:
                outcome.append(error)

        self._advance(task(), None)
        while not outcome:
            self.until(self._waiting[0][0] * 1000)
        if isinstance(outcome[0], AuthServiceError):
            raise outcome[0]
        found: ReplicaDecision = outcome[0]
        return found

    def close(self) -> None:
        self.core.end()
        self._waiting.clear()
        self._run_now(self.core.save())

    def _run_now(self, routine: Life[Any]) -> Any:
        reply: object = None
        try:
            while True:
                reply = self._perform(routine.send(reply))
        except StopIteration as stop:
            return stop.value

    def _wake(self) -> None:
        now = self.time.seconds
        self._waiting = [(now if rests else at, order, task, rests) for at, order, task, rests in self._waiting]
        heapq.heapify(self._waiting)

    def _advance(self, task: Generator[ReplicaEffect, Any, Any], reply: object) -> None:
        """Runs a task until it waits or ends; answers take no time."""
        failure: Exception | None = None
        while True:
            try:
                effect = task.send(reply) if failure is None else task.throw(failure)
            except StopIteration:
                return
            reply, failure = None, None
            if isinstance(effect, (Rest, Pause)):
                at = self.time.seconds + effect.seconds
                heapq.heappush(self._waiting, (at, next(self._order), task, isinstance(effect, Rest)))
                return
            try:
                reply = self._perform(effect)
            except (EffectFailed, OSError) as error:
                failure = error

    def _perform(self, effect: ReplicaEffect) -> object:
        if isinstance(effect, ReadKey):
            return self._key
        if isinstance(effect, ReadFile):
            return self._files.get(effect.path)
        if isinstance(effect, WriteFile):
            self._files[effect.path] = effect.content
            return None
        if isinstance(effect, Tell):
            return effect.call()
        assert isinstance(effect, Send)
        return self._send(effect)

    def _send(self, effect: Send) -> Answer:
        request = effect.request
        target = request.url.removeprefix(f"{ORIGIN}/api/service/")
        found = next((each for each in self._left if each["target"] == target), None)
        assert found is not None, f"{target} at {self.time.milliseconds} is not expected"
        self._left.remove(found)
        assert request.method == found["method"]
        assert abs(found["at"] - self.time.milliseconds) < 2, f"{target} at {self.time.milliseconds}, not {found['at']}"
        answer = found["answer"]
        if "fault" in answer:
            raise EffectFailed("no answer")
        body = answer["body"]
        if "body" in found:
            asked = json.loads(request.body)["userIds"]
            assert sorted(asked) == sorted(found["body"]["userIds"])
            body = {"items": [next(item for item in body["items"] if item["userId"] == user_id) for user_id in asked]}
        return _answer_of(answer, body, request.headers["signature-input"])


def _answer_of(answer: Case, body: object, signature_input: str) -> Answer:
    status = answer.get("status", 200)
    kind = "application/json" if status < 400 else "application/problem+json"
    headers = {"content-type": kind, **answer.get("headers", {})}
    if "date" in answer:
        headers["date"] = answer["date"]
    nonce = re.search(r';nonce="([^"]+)"', signature_input)
    assert nonce
    if not answer.get("foreign"):
        headers["request-nonce"] = nonce.group(1)
    return Answer(status, headers, json.dumps(body).encode())


def run_history(case: Case, note: Callable[[Case, ReplicaDecision | None, str | None], None]) -> HistoryRun:
    """Runs all steps; ``note`` gets each with its decision or the code of its error."""
    run = HistoryRun(case)
    for step in case["steps"]:
        if step["do"] == "checkOrAsk":
            # Its time is that of the answer: a request that is repeated is sent before.
            run.until(_asked_at(case, step))
            try:
                note(step, run.check_or_ask(step["userId"]), None)
            except AuthServiceError as error:
                note(step, None, error.code)
            assert abs(run.time.milliseconds - step["at"]) < 2
            continue
        run.until(step["at"])
        if step["do"] == "open":
            note(step, None, run.open())
        elif step["do"] == "check":
            note(step, run.core.check(step["userId"]), None)
        elif step["do"] == "resync":
            run.core.resync()
            run.until(step["at"])
        else:
            run.close()
    run.until(max([run.time.milliseconds, *(each["at"] for each in [*case["exchanges"], *case["reports"]])]))
    return run


def _asked_at(case: Case, step: Case) -> float:
    target = f"users/{step['userId']}/access"
    sent = [each["at"] for each in case["exchanges"] if each["target"] == target and step["at"] - 5000 < each["at"] <= step["at"]]
    return float(min([step["at"], *sent])) if "error" in step["outcome"] else float(step["at"])


