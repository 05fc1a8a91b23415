"""An application with one guarded route, which is integrated rightly or with one mistake, with the standard library alone:

PORT=8080 AUTH_URL=... AUTH_KEY_ID=... AUTH_SECRET=... PYTHONPATH=examples/signers integrations.py 'caches for an hour'
"""

import json
import os
import secrets
import sys
import time
from datetime import datetime, timezone
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote
from urllib.request import HTTPErrorProcessor, HTTPRedirectHandler, Request, build_opener

from sign import sign


class Answers(HTTPErrorProcessor):
    http_response = https_response = lambda self, request, response: response  # follows no redirect, raises no error


class AnswersElsewhere(Answers):
    """Raises no error, but leaves redirects to urllib, which follows them."""

    def http_response(self, request, response):
        redirects = 300 <= response.status < 400
        return HTTPErrorProcessor.http_response(self, request, response) if redirects else response


def has_ended(expires_at):
    return expires_at is not None and datetime.fromisoformat(expires_at.replace("Z", "+00:00")) <= datetime.now(timezone.utc)


class Integration:
    kept_seconds = 0.0
    admits_unknown = False
    in_outage = 503
    opener = build_opener(Answers)
    seconds = 2.0
    keeps_session = False

    def __init__(self):
        self.kept = {}

    def id_of(self, user_id):
        return user_id

    def is_enabled(self, access):
        return access["effectiveStatus"] == "enabled"

    def has_role(self, roles):
        return any(role["name"] == "editor" and not has_ended(role["expiresAt"]) for role in roles)

    def is_answer(self, answer, nonce):
        return answer.headers["Request-Nonce"] == nonce

    def decide(self, user_id, session):
        if self.keeps_session and session == user_id:
            return 200
        try:
            access = self.read(self.id_of(user_id))
        except (OSError, ValueError):
            return self.in_outage
        if access is None:
            return 200 if self.admits_unknown else 403
        return 200 if self.is_enabled(access) and self.has_role(access["roles"]) else 403

    def read(self, user_id):
        access, until = self.kept.get(user_id, (None, 0.0))
        if time.monotonic() < until:
            return access
        access = self.ask(user_id)
        self.kept[user_id] = (access, time.monotonic() + self.kept_seconds)
        return access

    def ask(self, user_id):
        """The access of a user, or None if the service does not know the user; raises if the service does not say."""
        nonce = secrets.token_hex(16)
        url = f"{os.environ['AUTH_URL']}/api/service/users/{quote(user_id, safe='')}/access"
        headers, _ = sign("GET", url, b"", os.environ["AUTH_KEY_ID"], os.environ["AUTH_SECRET"], nonce)
        with self.opener.open(Request(url, headers=headers), timeout=self.seconds) as answer:
            body = json.loads(answer.read())
        if not self.is_answer(answer, nonce):
            raise ValueError("this is not the answer of the service")
        if answer.status == 404 and body["code"] == "user_not_found":
            return None
        if answer.status != 200:
            raise ValueError(f"the service answers {answer.status}")
        return body


class Caching(Integration):
    kept_seconds = 1.0


class TakesEveryAnswer(Integration):
    def is_enabled(self, access):
        return True


class ObeysTheSetting(Integration):
    def is_enabled(self, access):
        return access["status"] == "enabled"


class CachesForAnHour(Integration):
    kept_seconds = 3600.0


class AsksOnceASession(Integration):
    keeps_session = True


class OpensInAnOutage(Integration):
    in_outage = 200


class KeepsARole(Integration):
    kept_seconds = 1.9

    def has_role(self, roles):
        return any(role["name"] == "editor" for role in roles)


class TakesALongerRole(Integration):
    def has_role(self, roles):
        return any("editor" in role["name"] for role in roles)


class AsksAboutAnotherId(Integration):
    def id_of(self, user_id):
        return user_id.lower()


class AdmitsUnknownUsers(Integration):
    admits_unknown = True


class FollowsRedirects(Integration):
    opener = build_opener(AnswersElsewhere, HTTPRedirectHandler)


class BelievesAnEarlierAnswer(Integration):
    def is_answer(self, answer, nonce):
        return True


class WaitsWithoutALimit(Integration):
    seconds = 3600.0


INTEGRATIONS = {
    "by hand": Integration,
    "by hand, with a cache": Caching,
    "takes every answer for a permission": TakesEveryAnswer,
    "obeys the setting, not the effective status": ObeysTheSetting,
    "caches for an hour": CachesForAnHour,
    "asks once a session": AsksOnceASession,
    "opens in an outage": OpensInAnOutage,
    "keeps a role beyond its end": KeepsARole,
    "takes a longer role for the required one": TakesALongerRole,
    "asks about another id": AsksAboutAnotherId,
    "admits users whom the service does not know": AdmitsUnknownUsers,
    "follows redirects": FollowsRedirects,
    "believes an earlier answer": BelievesAnEarlierAnswer,
    "waits without a limit": WaitsWithoutALimit,
}


class Handler(BaseHTTPRequestHandler):
    integration = INTEGRATIONS[sys.argv[1]]()

    def do_GET(self):
        # The login of a test: never believe such a header in production.
        user_id = self.headers["X-User"]
        cookies = SimpleCookie(self.headers["Cookie"])
        session = unquote(cookies["session"].value) if "session" in cookies else None
        status = 401 if user_id is None else self.integration.decide(user_id, session)
        self.send_response(status)
        if status == 200:
            self.send_header("Set-Cookie", f"session={quote(user_id, safe='')}; Path=/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
