"""An application with one guarded route: with the argument ``editor`` for editors, with ``open`` for all users, also in an outage.

PORT=8080 AUTH_URL=... AUTH_KEY_ID=... AUTH_SECRET=... PYTHONPATH=src python3 tests/guarded.py open
"""

from __future__ import annotations

import os
import sys
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import flask

from auth_service import AuthServiceClient, CircuitOptions
from auth_service.guards.flask import access_of_request, guard

choices: dict[str, dict[str, Any]] = {"editor": {"role": "editor"}, "open": {"when_unavailable": "allow"}}


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def create_app(client: AuthServiceClient, options: dict[str, Any]) -> flask.Flask:
    app = flask.Flask("guarded")

    @app.get("/")
    @guard(client, lambda request: request.headers.get("X-User"), **options)
    def home() -> str:
        return "welcome " + access_of_request().user_id

    return app


if __name__ == "__main__":
    key_id, secret = os.environ["AUTH_KEY_ID"], os.environ["AUTH_SECRET"]
    circuit = CircuitOptions(open_seconds=0.5)
    with AuthServiceClient(
        os.environ["AUTH_URL"], key_id=key_id, secret=secret, timeout_seconds=2, circuit=circuit
    ) as service:
        app = create_app(service, choices[sys.argv[1]])
        with make_server("127.0.0.1", int(os.environ["PORT"]), app, Server, Handler) as server:
            server.serve_forever()
