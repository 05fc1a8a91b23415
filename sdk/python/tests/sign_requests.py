"""Prints random signed requests, one JSON object a line, for another library to verify."""

from __future__ import annotations

import json
import random
from urllib.parse import quote

from auth_service import ApiKey, sign_request

KEY = ApiKey("svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX", "svs_this-is-test-data-and-it-opens-no-door-here")
CREATED = 1_795_201_200


def main() -> None:
    chance = random.Random(9421)
    characters = "abcXYZ019-._~!$&'()*+,;=:@|"
    for _ in range(500):
        user = "".join(chance.choices(characters, k=chance.randint(1, 40)))
        origin = chance.choice(["https://auth.example.com", "https://auth.example.com:8443", "http://127.0.0.1:3000"])
        url = f"{origin}/api/service/users/{quote(user, safe='')}/access"
        if chance.random() < 0.4:
            url += f"?role={quote(user, safe='')}"
        body = "" if chance.random() < 0.4 else json.dumps({"reason": chance.choice(["left – “for good”", "x" * 200])})
        if_match = None if chance.random() < 0.5 else f'"{chance.randint(0, 99)}"'
        method = chance.choice(["GET", "PUT", "POST", "DELETE"])
        headers = sign_request(method, url, KEY, body=body.encode(), if_match=if_match, created=CREATED, expires=CREATED + 9)
        if if_match is not None:
            headers["if-match"] = if_match
        print(json.dumps({"method": method, "url": url, "headers": headers, "body": body}))


if __name__ == "__main__":
    main()
