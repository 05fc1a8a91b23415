#!/usr/bin/env python3
"""Signs a request and sends it: KEY_ID=... SECRET=... sign.py METHOD URL [BODY]"""
import hashlib, hmac, os, secrets, sys, time
from base64 import b64encode
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen


def sign(method, url, body, key_id, secret, created=None, nonce=None):
    """Returns the headers to add, and the signature base that they sign."""
    parts, headers = urlsplit(url), {}
    authority = parts.netloc.lower().removesuffix({"http": ":80", "https": ":443"}[parts.scheme])
    covered = {"@method": method, "@authority": authority, "@path": parts.path}
    if parts.query:
        covered["@query"] = "?" + parts.query
    if body:
        digest = f"sha-256=:{b64encode(hashlib.sha256(body).digest()).decode()}:"
        headers["Content-Digest"] = covered["content-digest"] = digest
    names = " ".join(f'"{name}"' for name in covered)
    params = f'({names});created={created or int(time.time())};nonce="{nonce or secrets.token_hex(16)}";keyid="{key_id}"'
    base = "\n".join(f'"{name}": {value}' for name, value in {**covered, "@signature-params": params}.items())
    mac = b64encode(hmac.digest(secret.encode(), base.encode(), "sha256")).decode()
    return {**headers, "Signature-Input": f"sig1={params}", "Signature": f"sig1=:{mac}:"}, base


if __name__ == "__main__":
    env = os.environ
    method, url, *rest = sys.argv[1:]
    body = "".join(rest).encode()
    headers, base = sign(method, url, body, env["KEY_ID"], env["SECRET"], env.get("SIGN_CREATED"), env.get("SIGN_NONCE"))
    if env.get("SIGN_ONLY"):
        print(base, headers["Signature"], sep="\n\n")
        sys.exit()
    request = Request(url, body or None, {"Content-Type": "application/json", **headers}, method=method)
    try:
        print(urlopen(request, timeout=10).read().decode())
    except HTTPError as error:
        print(error.read().decode())
        sys.exit(1)
