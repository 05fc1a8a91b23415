"""The examples of the README, as they are printed. Its quickstart is run by the project's own tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from auth_service.testing import FakeAuthService

readme = (Path(__file__).parents[1] / "README.md").read_text()
guarded, tested = re.findall(r"^```python\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)


def test_the_guarded_application(fake_auth_service: FakeAuthService, monkeypatch: pytest.MonkeyPatch) -> None:
    service = fake_auth_service
    for user_id in ("ada", "ben"):
        service.create_user(user_id)
    service.set_access("ben", "disabled")
    service.define_role("editor")
    service.assign_role("ada", "editor")
    monkeypatch.setenv("AUTH_URL", service.base_url)
    monkeypatch.setenv("AUTH_KEY_ID", service.key.key_id)
    monkeypatch.setenv("AUTH_SECRET", service.key.secret)
    names: dict[str, Any] = {"__name__": "readme"}
    exec(compile(guarded, "README.md", "exec"), names)
    with names["client"], names["replica"], TestClient(names["app"]) as http:
        answers = [http.get("/", headers={"x-user": user}) for user in ("ada", "ben", "nobody", "")]
    assert [answer.status_code for answer in answers] == [200, 403, 403, 401]
    assert answers[0].json() == {"roles": ["editor"]}


def test_the_test(fake_auth_service: FakeAuthService) -> None:
    names: dict[str, Any] = {}
    exec(compile(tested, "README.md", "exec"), names)
    names["test_a_block_ends"](fake_auth_service)
