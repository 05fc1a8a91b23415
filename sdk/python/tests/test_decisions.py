"""The decisions of the replica, and the rollout, by the conformance kit."""

from __future__ import annotations

import pytest

from auth_service._core.answers import parse_time
from auth_service.replica import is_in_rollout, rollout_bucket
from auth_service.replica.decision import ReplicaDecision, ReplicaState, decide_locally
from auth_service.replica.facts import read_entry
from auth_service.replica.knowledge import Page, add_page
from auth_service.replica.rollout import murmur3
from kit import Case, name_of, read_kit


def to_json(decision: ReplicaDecision) -> Case:
    roles = [
        {
            "name": role.name,
            "expiresAt": role.expires_at and role.expires_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }
        for role in decision.roles
    ]
    return {
        "effectiveStatus": decision.effective_status,
        "decidedBy": decision.decided_by,
        "roles": roles,
        "code": decision.code,
    }


@pytest.mark.parametrize("case", read_kit("decisions"), ids=name_of)
def test_decision(case: Case) -> None:
    state = ReplicaState(case["appId"], {})
    facts = [fact for entry in case["entries"] for fact in read_entry(entry)]
    add_page(state, Page(facts, [(case["rolloutPercent"], 1)]))
    decision = decide_locally(state, case["userId"], parse_time(case["at"]).timestamp() * 1000, 0)
    assert to_json(decision) == case["expected"]
    assert decision.is_enabled is (case["expected"]["effectiveStatus"] == "enabled")


@pytest.mark.parametrize("case", read_kit("rollout"), ids=lambda case: str(case["userId"]))
def test_rollout(case: Case) -> None:
    app_id, user_id, lowest = case["appId"], case["userId"], case["lowestPercent"]
    assert murmur3(f"{app_id}:{user_id}") == case["hash"]
    assert rollout_bucket(app_id, user_id) == case["bucket"]
    assert is_in_rollout(app_id, user_id, lowest)
    assert not is_in_rollout(app_id, user_id, round(lowest * 100 - 1) / 100)
