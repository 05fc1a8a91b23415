"""The verification of deliveries, by the conformance kit."""

from __future__ import annotations

import pytest

from auth_service.webhooks import Delivery, WebhookNotVerifiedError, verify_webhook
from kit import Case, name_of, read_kit

cases = read_kit("webhooks")


def verify(case: Case, **changed: object) -> Delivery:
    given = {**case, **changed}
    return verify_webhook(given["secret"], given["body"].encode(), given["headers"], now=lambda: float(given["time"]))


@pytest.mark.parametrize("case", cases, ids=name_of)
def test_delivery(case: Case) -> None:
    if case["expected"] == "refused":
        with pytest.raises(WebhookNotVerifiedError):
            verify(case)
        return
    delivery = verify(case)
    assert (delivery.id, delivery.type) == (case["headers"]["webhook-id"], "access.changed")
    assert (delivery.change.user_id, delivery.change.reason) == ("ada", "left – “for good”")
    assert delivery.timestamp.isoformat() == "2026-11-20T12:14:11.123000+00:00"


def test_names_of_headers_are_case_insensitive() -> None:
    assert verify(cases[0], headers={name.title(): value for name, value in cases[0]["headers"].items()})


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_!!", "svs_secret-in-the-wrong-place"])
def test_what_is_no_secret_is_a_mistake_of_the_receiver(secret: str) -> None:
    with pytest.raises(ValueError) as caught:
        verify(cases[0], secret=secret)
    assert not isinstance(caught.value, WebhookNotVerifiedError) and "wrong-place" not in str(caught.value)
