"""The replica, by the histories of the conformance kit."""

from __future__ import annotations

import pytest

from auth_service.replica.decision import ReplicaDecision
from kit import Case, name_of, read_kit
from replica_history import run_history
from test_decisions import to_json


@pytest.mark.parametrize("case", read_kit("replicas"), ids=name_of)
def test_history(case: Case) -> None:
    def compare(step: Case, decision: ReplicaDecision | None, code: str | None) -> None:
        if step["do"] == "open":
            assert code == step.get("fails")
        elif decision is None:
            assert code == step["outcome"]["error"]
        else:
            expected = dict(step["outcome"]["decision"])
            assert decision.user_id == expected.pop("userId")
            assert decision.age_seconds == pytest.approx(expected.pop("ageSeconds"), abs=0.002)
            assert to_json(decision) == expected, step

    run = run_history(case, compare)
    assert run.unsent == []
    assert [comparable(each) for each in sorted(run.reports, key=order)] == [
        comparable(each) for each in sorted(case["reports"], key=order)
    ]


def comparable(report: Case) -> Case:
    users = {"userIds": sorted(report["userIds"])} if "userIds" in report else {}
    return {**report, "at": round(report["at"] / 10), **users}


def order(report: Case) -> tuple[int, str, str]:
    return round(report["at"] / 10), report["kind"], str(sorted(report.get("userIds", [])))
