#!/usr/bin/env python3
"""Signs a request and sends it: KEY_ID=... SECRET=... sign.py METHOD URL [BODY]"""
import hashlib, hmac, os, secrets, sys, time
from base64 import b64encode
from urllib.parse import urlsplit
from urllib.request import HTTPErrorProcessor, Request, build_opener


def sign(method, url, body, key_id, secret, nonce, created=None, if_match=None):
    """Returns headers and signature base. The nonce identifies the call: a retry keeps it and uses a later time."""
    parts, headers = urlsplit(url), {}
    authority = parts.netloc.lower().removesuffix({"http": ":80", "https": ":443"}[parts.scheme])
    covered = {"@method": method, "@authority": authority, "@path": parts.path}
    if parts.query:
        covered["@query"] = "?" + parts.query
    if body:
        digest = f"sha-256=:{b64encode(hashlib.sha256(body).digest()).decode()}:"
        headers["Content-Digest"] = covered["content-digest"] = digest
    if if_match:
        headers["If-Match"] = covered["if-match"] = if_match
    names = " ".join(f'"{name}"' for name in covered)
    params = f'({names});created={created or int(time.time())};nonce="{nonce}";keyid="{key_id}"'
    base = "\n".join(f'"{name}": {value}' for name, value in {**covered, "@signature-params": params}.items())
    mac = b64encode(hmac.digest(secret.encode(), base.encode(), "sha256")).decode()
    return {**headers, "Signature-Input": f"sig1={params}", "Signature": f"sig1=:{mac}:"}, base


class AsReceived(HTTPErrorProcessor):
    http_response = https_response = lambda self, request, response: response  # follows no redirect


if __name__ == "__main__":
    method, url, body = [*sys.argv[1:], ""][:3]
    key_id, secret, created, if_match = map(os.environ.get, ("KEY_ID", "SECRET", "SIGN_CREATED", "IF_MATCH"))
    nonce = os.environ.get("SIGN_NONCE") or secrets.token_hex(16)
    headers, base = sign(method, url, body.encode(), key_id, secret, nonce, created, if_match)
    if "SIGN_ONLY" in os.environ:
        sys.exit(print(base, headers["Signature"], sep="\n\n"))
    request = Request(url, body.encode() or None, {"Content-Type": "application/json", **headers}, method=method)
    answer = build_opener(AsReceived).open(request, timeout=10)
    if answer.headers["Request-Nonce"] != nonce:
        sys.exit(f"HTTP {answer.status}, not the service's answer to this request")
    print(answer.read().decode())
    sys.exit(not 200 <= answer.status < 300)
