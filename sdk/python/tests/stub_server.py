"""A server on a socket that misbehaves on demand."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Reaction = Callable[[socket.socket, str], None]
"""Answers one request; gets the connection and the request's nonce."""

ACCESS = (
    b'{"userId":"ada","appId":"billing","status":"enabled","explicit":false,"until":null,"reason":null,"userStatus":"active",'
    b'"effectiveStatus":"enabled","decidedBy":"default","roles":[],"version":0,"updatedAt":null}'
)


def respond(status: int, body: bytes, headers: str = "", *, length: int | None = None) -> Reaction:
    """A whole answer, with the nonce of the request."""

    def react(connection: socket.socket, nonce: str) -> None:
        head = f"HTTP/1.1 {status} X\r\nContent-Length: {len(body) if length is None else length}\r\n"
        head += f"Content-Type: application/json\r\nRequest-Nonce: {nonce}\r\nConnection: close\r\n{headers}\r\n"
        connection.sendall(head.encode() + body)

    return react


def drip(connection: socket.socket, nonce: str) -> None:
    """A header that never ends, one byte at a time."""
    try:
        connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
        for _ in range(200):
            connection.sendall(b"x")
            time.sleep(0.05)
    except OSError:
        pass


def hang(connection: socket.socket, nonce: str) -> None:
    """Nothing, until the client closes the connection."""
    try:
        connection.settimeout(10)
        connection.recv(1)
    except OSError:
        pass


def drop(connection: socket.socket, nonce: str) -> None:
    """The connection is closed."""


class StubServer:
    """Serves one request for each connection."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.seen: list[bytes] = []
        self.reactions: list[Reaction] = []
        """The reactions to the next requests, in turn; the last one repeats."""
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            request = _read_request(connection)
            if not request:
                return
            self.seen.append(request)
            reaction = self.reactions.pop(0) if len(self.reactions) > 1 else self.reactions[0]
            found = re.search(rb';nonce="([^"]+)"', request)
            reaction(connection, found.group(1).decode() if found else "")

    def close(self) -> None:
        self._listener.close()


def _read_request(connection: socket.socket) -> bytes:
    request = b""
    while b"\r\n\r\n" not in request:
        part = connection.recv(65536)
        if not part:
            return b""
        request += part
    head, _, body = request.partition(b"\r\n\r\n")
    found = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    while found and len(body) < int(found.group(1)):
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


@contextmanager
def stub_server() -> Iterator[StubServer]:
    server = StubServer()
    try:
        yield server
    finally:
        server.close()
