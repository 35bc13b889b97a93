"""The site with doors that lose patience within a second, and an answer without an end.

`/endless` is made up while it is fetched, and the file that CLOSED names says when it was given up.
`/mirror` tells the request that reached the application.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation_site.serving import limits
from annotation_site.wsgi import application as site

__all__ = ["application"]

limits.HEADER_SECONDS = limits.GRACE_SECONDS = 1.0
limits.LINGER_SECONDS = 0.5
PIECE = b"x" * (64 << 10)


def application(environ: dict[str, Any], start_response: Any) -> Any:
    pages = {"/endless": endless, "/mirror": mirror}
    return pages.get(environ["PATH_INFO"], site)(environ, start_response)


def endless(_environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain")])
    try:
        while True:
            yield PIECE
    finally:
        Path(os.environ["CLOSED"]).touch()


def mirror(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    digest, size = hashlib.sha256(), 0
    while piece := environ["wsgi.input"].read(64 << 10):
        digest.update(piece)
        size += len(piece)
    said = {key: value for key, value in environ.items() if isinstance(value, str)}
    body = json.dumps({"size": size, "sha256": digest.hexdigest(), **said}).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
