"""What a guard does while the service does not answer, in all frameworks."""

from __future__ import annotations

from typing import Any

import pytest

from auth_service.guards import GuardDecision, OutageAccess, Passage
from auth_service.guards.flask import guard
from auth_service.testing import FakeAuthService
from test_guards import Ask, ask_flask, frameworks

in_every_framework = pytest.mark.parametrize("ask", frameworks, ids=lambda ask: str(ask.__name__))


class Code(Exception):
    """An error as a client or replica raises it."""

    def __init__(self, code: object) -> None:
        super().__init__(code)
        self.code = code


class Failing:
    """A source that has only this error."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def get_access(self, user_id: str) -> object:
        raise self._error


class Undecided:
    """A replica without a decision, for this reason."""

    def __init__(self, code: str) -> None:
        self.code = code

    def check_or_ask(self, user_id: str) -> object:
        return self


@in_every_framework
@pytest.mark.parametrize("failure", [{"failure": "no answer"}, {"code": "unavailable"}, {"status": 502}])
def test_every_user_is_admitted_without_roles_if_the_options_say_so(
    fake_auth_service: FakeAuthService, ask: Ask, failure: dict[str, Any]
) -> None:
    fake_auth_service.create_user("ben")
    fake_auth_service.set_access("ben", "disabled")
    fake_auth_service.fail(**failure)
    told: list[GuardDecision] = []

    def note(decision: GuardDecision, request: object) -> None:
        told.append(decision)

    assert ask(fake_auth_service, "ben").status == 503
    assert ask(fake_auth_service, "ben", when_unavailable="deny").status == 503
    answer = ask(fake_auth_service, "ben", when_unavailable="allow", on_decision=note)
    assert (answer.status, answer.text.strip('"')) == (200, "welcome ben")
    [passage] = told
    assert isinstance(passage, Passage)
    assert passage.access == OutageAccess("ben")
    assert (passage.access.decided_by, passage.access.roles) == ("outage", ())
    assert getattr(passage.error, "code") in ("no_answer", "unavailable")


@in_every_framework
def test_a_route_with_a_role_stays_closed_and_nobody_passes_without_a_login(
    fake_auth_service: FakeAuthService, ask: Ask
) -> None:
    fake_auth_service.fail("no answer")
    assert ask(fake_auth_service, "ada", when_unavailable="allow", role="editor").code == "access_unavailable"
    assert ask(fake_auth_service, None, when_unavailable="allow").code == "not_authenticated"


def test_an_open_circuit_and_a_replica_that_is_too_old_are_outages_too(fake_auth_service: FakeAuthService) -> None:
    for source in (Failing(Code("circuit_open")), Undecided("stale")):
        assert ask_flask(fake_auth_service, "ada", source=source).status == 503
        assert ask_flask(fake_auth_service, "ada", source=source, when_unavailable="allow").status == 200


@pytest.mark.parametrize(
    "code", ["key_revoked", "key_expired", "signature_mismatch", "scope_missing", "too_many_requests", "internal"]
)
def test_a_refusal_is_not_an_outage(fake_auth_service: FakeAuthService, code: str) -> None:
    # Because a leaked key or a flood must not open the application.
    fake_auth_service.fail(code=code)
    assert ask_flask(fake_auth_service, "ada", when_unavailable="allow").code == "access_unavailable"


def test_neither_is_what_a_source_must_not_do(fake_auth_service: FakeAuthService) -> None:
    fake_auth_service.create_user("eve")
    failures = [Failing(error) for error in (RuntimeError("broken"), Code("aborted"), Code(None), Code(["stale"]))]
    with fake_auth_service.client() as client:
        eve = client.get_access("eve")

    class Wrong:
        def get_access(self, user_id: str) -> object:
            return eve

    for source in (*failures, Undecided("key_refused"), Wrong()):
        assert ask_flask(fake_auth_service, "ada", source=source, when_unavailable="allow").status == 503


def test_the_service_still_decides_while_it_answers(fake_auth_service: FakeAuthService) -> None:
    for user_id in ("ada", "ben"):
        fake_auth_service.create_user(user_id)
    fake_auth_service.set_access("ben", "disabled")
    statuses = [ask_flask(fake_auth_service, user, when_unavailable="allow").status for user in ("ada", "ben", "nobody")]
    assert statuses == [200, 403, 403]


def test_nobody_has_a_role_in_an_outage() -> None:
    access = OutageAccess("ada")
    assert access.is_enabled and access.may() and not access.may("editor") and not access.role_names


def test_another_value_of_the_option_is_an_error() -> None:
    wrong: Any = "open"
    with pytest.raises(ValueError):
        guard(Undecided("stale"), lambda request: None, when_unavailable=wrong)
