"""What the clients do when something fails, by the conformance kit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kit import Calls, Case, Exchanges, VirtualTime, async_calls, name_of, read_kit, run_call, sync_calls

CreateCalls = Callable[..., Calls]


@pytest.mark.parametrize("create", [sync_calls, async_calls], ids=["sync", "async"])
@pytest.mark.parametrize("case", read_kit("failures"), ids=name_of)
def test_failures(case: Case, create: CreateCalls) -> None:
    time = VirtualTime(random=0)
    exchanges = Exchanges(time, case["exchanges"])
    calls = create(time, exchanges, case.get("client", {}))
    outcomes = []
    for step in case["steps"]:
        if "wait" in step:
            time.wait(step["wait"])
        else:
            outcomes.append(run_call(calls, step))
    expected = case["expected"]
    assert [without_zero(each) for each in outcomes] == [without_zero(each) for each in expected["outcomes"]]
    assert len(exchanges.requests) == len(expected["requests"])
    for sent, wanted in zip(exchanges.requests, expected["requests"]):
        assert sent.pop("sentAt") == pytest.approx(wanted["sentAt"], abs=2)
        assert sent == {name: value for name, value in wanted.items() if name != "sentAt"}


def without_zero(outcome: Case) -> Case:
    """An error without ``Retry-After`` has 0 or nothing; the circuit's is a fraction."""
    error = {name: value for name, value in outcome.get("error", {}).items() if value != 0}
    if "retryAfterSeconds" in error:
        error["retryAfterSeconds"] = round(error["retryAfterSeconds"], 3)
    return {**outcome, "error": error} if error else outcome
