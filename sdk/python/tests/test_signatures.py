"""The signer, by the vectors that an independent library signed."""

from __future__ import annotations

import re
from base64 import b64decode

import pytest

from auth_service import ApiKey, sign_request
from auth_service._core.signing import sign
from kit import Case, name_of, read_kit


def is_ours(case: Case) -> bool:
    """Whether the profile of the SDK signs such a request: the required components in their order, and no more parameters."""
    request = case["request"]
    if case["expected"] != "accepted" or case["key"]["algorithm"] != "hmac-sha256" or "|" in request["url"]:
        return False
    covered = '"@method" "@authority" "@path"'
    covered += ' "@query"' if re.search(r"\?.", request["url"]) else ""
    covered += ' "content-digest"' if "body" in request or "bodyBase64" in request else ""
    covered += ' "if-match"' if "If-Match" in request["headers"] else ""
    pattern = rf'sig1=\({re.escape(covered)}\);created=\d+;nonce="[^"\\]*";keyid="[^"]*"(;expires=\d+)?'
    is_single = all(isinstance(value, str) for value in request["headers"].values())
    has_one_digest = "sha-512" not in str(request["headers"].get("Content-Digest", ""))
    return bool(is_single and has_one_digest and re.fullmatch(pattern, request["headers"]["Signature-Input"]))


vectors = [case for case in read_kit("signatures") if is_ours(case)]


def test_most_accepted_vectors_are_signed() -> None:
    assert len(vectors) > 20


@pytest.mark.parametrize("case", vectors, ids=name_of)
def test_signature(case: Case) -> None:
    request, headers = case["request"], case["request"]["headers"]
    parameters = dict(re.findall(r';(\w+)="?([^";]+)', headers["Signature-Input"]))
    body = request.get("body", "").encode() or b64decode(request.get("bodyBase64", ""))
    if_match = headers.get("If-Match")
    expires = float(parameters["expires"]) if "expires" in parameters else None
    signature = sign(
        request["method"],
        request["url"],
        body,
        ApiKey(case["key"]["id"], case["key"]["secret"]),
        created=int(parameters["created"]),
        expires=expires,
        nonce=parameters["nonce"],
        if_match=if_match.strip() if if_match else None,
    )
    assert signature.base == case["signatureBase"]
    assert signature.headers["signature"] == f"sig1=:{case['signature']}:"
    assert signature.headers["signature-input"] == headers["Signature-Input"]
    assert signature.headers.get("content-digest") == headers.get("Content-Digest")


def test_sign_request_signs_now_with_a_new_nonce() -> None:
    key = ApiKey("svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX", f"svs_{'A' * 43}")
    url = "https://auth.example.com/api/service/users/ada/access"
    one, other = (sign_request("GET", url, key, now=lambda: 1795201200.9)["signature-input"] for _ in range(2))
    assert one != other
    assert ";created=1795201200;" in one and "expires" not in one


@pytest.mark.parametrize(
    ("key_id", "secret"),
    [
        ("", f"svs_{'A' * 43}"),
        (f"svs_{'A' * 43}", f"svs_{'A' * 43}"),
        ("svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX", "svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX"),
        ("svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX", f"svs_{'A' * 43}\n"),
    ],
)
def test_what_is_no_key_is_refused_without_its_values(key_id: str, secret: str) -> None:
    with pytest.raises(ValueError) as caught:
        ApiKey(key_id, secret)
    assert "A" * 43 not in str(caught.value) and "01JD2Y8Q4M5N6P7R8S9TAVBWCX" not in str(caught.value)


def test_the_secret_of_a_key_is_not_shown() -> None:
    key = ApiKey("svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX", f"svs_{'A' * 43}")
    assert "svs_" not in repr(key) and key.app_id == "billing"
