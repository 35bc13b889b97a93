"""A rater that is a program: the two calls of the API, with the standard library alone.

rater = Rater("http://127.0.0.1:8000", token)
while work := rater.claim("my-campaign"):
    rater.submit(work, {"q1": False, "q2": True})
"""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

Json = dict[str, Any]


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status, self.body = status, body
        super().__init__(f"{status}: {body[:500].decode(errors='replace')}")


class Rater:
    """Speaks for one rater over one connection that is kept open. Not for several threads.

    A call whose connection breaks is sent again: both calls may be repeated without harm.
    """

    tries = 3

    def __init__(self, address: str, token: str, *, timeout: float = 30) -> None:
        parts = urlsplit(address)
        connect = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        self._connection = connect(parts.hostname or "", parts.port, timeout=timeout)
        self._headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}

    def claim(self, campaign: str) -> Json | None:
        """The next item to rate, None when nothing is left. Raises Refused."""
        status, body = self._post(f"/api/v1/campaigns/{campaign}/claim", b"", {})
        return json.loads(body) if status == 200 else None

    def submit(self, work: Json, answers: Json) -> Json:
        """Send the rating of a claimed item. Sending it again is safe: the key is the claim's."""
        key = {"Idempotency-Key": work["idempotency_key"]}
        address = f"/api/v1/assignments/{work['assignment']}/rating"
        stored: Json = json.loads(self._post(address, json.dumps(answers).encode(), key)[1])
        return stored

    def close(self) -> None:
        self._connection.close()

    def _post(self, address: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        for tries_left in reversed(range(self.tries)):
            try:
                self._connection.request("POST", address, body, {**self._headers, **headers})
                response = self._connection.getresponse()
                content = response.read()
                break
            except (ConnectionError, http.client.HTTPException):
                self._connection.close()
                if not tries_left:
                    raise
        if response.status >= 400:
            raise Refused(response.status, content)
        return response.status, content
