"""The verification of changes, by the conformance kit and over the code of the service."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auth_service.changes import ChangeKeys, ChangeNotVerifiedError, canonical_json, verify_change
from auth_service.testing import FakeAuthService
from kit import Case, name_of, read_kit
from stub_server import respond, stub_server


@pytest.mark.parametrize("case", read_kit("changes"), ids=name_of)
def test_change(case: Case) -> None:
    change = json.loads(case["change"])
    if case["expected"] == "verified":
        verify_change(change, case["keys"])
        return
    with pytest.raises(ChangeNotVerifiedError) as caught:
        verify_change(change, case["keys"])
    assert caught.value.reason == case["expected"]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (999999999999999900000.0, "999999999999999900000"),
        (9.999999999999997e22, "9.999999999999997e+22"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (333333333.33333329, "333333333.3333333"),
        (-1e-9, "-1e-9"),
        (10**21, "1e+21"),
        (2**53, "9007199254740992"),
        (9007199254740993, "9007199254740992"),
    ],
)
def test_numbers_are_written_as_by_ecmascript(number: float, text: str) -> None:
    assert canonical_json(number) == text


def test_the_changes_of_the_service_are_verified(fake_auth_service: FakeAuthService) -> None:
    fake_auth_service.create_user("ada")
    fake_auth_service.set_rollout(33.33)
    keys = ChangeKeys(fake_auth_service.base_url)
    with fake_auth_service.client() as client:
        client.set_access("ada", "disabled", reason="left – “for good”")
        changes = [change for page in client.changes() for change in page.items]
    assert len(changes) >= 2
    for change in changes:
        verify_change(change, keys)
        with pytest.raises(ChangeNotVerifiedError, match="altered"):
            verify_change({**change.raw, "userId": "eve"}, keys)
    assert [request.path for request in fake_auth_service.requests].count("/api/service/change-keys") == 1


def test_without_keys_nothing_is_known() -> None:
    case: Any = read_kit("changes")[0]
    with stub_server() as server:
        body = json.dumps(case["keys"]).encode()
        server.reactions = [respond(302, body, f"Location: {server.url}/keys\r\n"), respond(200, body)]
        keys = ChangeKeys(server.url)
        for _ in range(2):
            with pytest.raises(ChangeNotVerifiedError, match="keys-unavailable"):
                verify_change(json.loads(case["change"]), keys)
        assert len(server.seen) == 1
        verify_change(json.loads(case["change"]), ChangeKeys(server.url))
