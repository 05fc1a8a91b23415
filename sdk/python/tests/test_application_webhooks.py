"""The webhooks of the application, over a stub: the test double of the service has none."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from auth_service import AuthServiceClient, InvalidRequestError, UnexpectedAnswerError
from kit import KEY
from stub_server import respond, stub_server

webhook: dict[str, object] = {
    "webhookId": "backend",
    "url": "https://billing.example.com/hooks",
    "format": "standard",
    "enabled": True,
    "events": ["access.changed"],
    "state": "on",
    "lastError": None,
    "version": 1,
}


def test_each_operation() -> None:
    answers: list[dict[str, object]] = [
        {"items": [webhook], "cursor": None},
        {**webhook, "changed": True, "secret": "whsec_abc"},
        {**webhook, "secret": "whsec_def"},
        {"complete": True},
        {**webhook, "webhookId": "other"},
    ]
    with stub_server() as server, AuthServiceClient(server.url, **KEY) as client:
        server.reactions = [respond(200, json.dumps(answer).encode()) for answer in answers]
        assert [each.events for each in client.webhooks.list()] == [("access.changed",)]
        created = client.webhooks.set("backend", "https://billing.example.com/hooks", events=["access.changed"])
        assert (created.secret, created.changed) == ("whsec_abc", True) and "whsec" not in repr(created)
        assert client.webhooks.rotate_secret("backend", timedelta(hours=24)).secret == "whsec_def"
        client.webhooks.delete("backend")
        with pytest.raises(UnexpectedAnswerError):
            client.webhooks.set("backend", "https://billing.example.com/hooks")
        with pytest.raises(InvalidRequestError):
            client.webhooks.delete("../x")
        sent = [request.split(b" HTTP")[0].decode() for request in server.seen]
    base = "/api/service/webhooks"
    assert sent == [f"GET {base}", f"PUT {base}/backend", f"POST {base}/backend/rotate", f"DELETE {base}/backend", f"PUT {base}/backend"]
    assert json.loads(server.seen[2].rpartition(b"\r\n")[2]) == {"overlap": "PT86400S"}
