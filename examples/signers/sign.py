#!/usr/bin/env python3
"""Signs a request and sends it: KEY_ID=... SECRET=... sign.py METHOD URL [BODY]"""
import hashlib, hmac, os, secrets, sys, time
from base64 import b64encode
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen


def sign(method, url, body, key_id, secret, created=None, nonce=None, if_match=None):
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
    params = f'({names});created={created or int(time.time())};nonce="{nonce or secrets.token_hex(16)}";keyid="{key_id}"'
    base = "\n".join(f'"{name}": {value}' for name, value in {**covered, "@signature-params": params}.items())
    mac = b64encode(hmac.digest(secret.encode(), base.encode(), "sha256")).decode()
    return {**headers, "Signature-Input": f"sig1={params}", "Signature": f"sig1=:{mac}:"}, base


if __name__ == "__main__":
    method, url, body = [*sys.argv[1:], ""][:3]
    given = [os.environ.get(name) for name in ("KEY_ID", "SECRET", "SIGN_CREATED", "SIGN_NONCE", "IF_MATCH")]
    headers, base = sign(method, url, body.encode(), *given)
    if "SIGN_ONLY" in os.environ:
        sys.exit(print(base, headers["Signature"], sep="\n\n"))
    request = Request(url, body.encode() or None, {"Content-Type": "application/json", **headers}, method=method)
    try:
        print(urlopen(request, timeout=10).read().decode())
    except HTTPError as error:
        print(error.read().decode())
        sys.exit(1)
