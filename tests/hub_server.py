"""A stand-in for the Hugging Face hub: the HTTP interface that its client uploads a dataset by.

It keeps commits as trees of contents, sends large files the way of Git LFS, and can be told to cut
connections before or after it has done what was asked.
"""

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha1, sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import RLock, Thread
from typing import Any, Literal

TOKEN = "hf_test0123456789"

Tree = dict[str, bytes]
Answer = tuple[int, Any]


def git_name(content: bytes) -> str:
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def is_large(path: str) -> bool:
    """Whether the hub keeps such files apart from git."""
    return path.endswith((".parquet", ".jsonl"))


@dataclass
class Repository:
    is_private: bool
    commits: dict[str, Tree] = field(default_factory=dict)
    history: list[str] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)

    def commit(self, tree: Tree, message: str) -> str:
        named = json.dumps([self.history, sorted((p, git_name(c)) for p, c in tree.items())])
        name = sha1(named.encode(), usedforsecurity=False).hexdigest()
        self.commits[name] = tree
        self.history.append(name)
        self.messages.append(message)
        return name

    @property
    def head(self) -> str:
        return self.history[-1]

    def tree(self, revision: str) -> Tree:
        name = self.head if revision == "main" else self.tags.get(revision, revision)
        return self.commits[name]


@dataclass
class Fault:
    """A single disturbance of a request: cut `before` or `after` it has its effect, or
    `answered`."""

    method: str
    path: str
    how: Literal["before", "after"] | Answer


@dataclass
class Hub:
    url: str = ""
    repositories: dict[str, Repository] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    lock: RLock = field(default_factory=RLock)

    def count(self, method: str, path: str) -> int:
        return sum(m == method and bool(re.search(path, p)) for m, p in self.requests)

    def fault(self, method: str, path: str) -> Fault | None:
        for each in self.faults:
            if each.method == method and re.search(each.path, path):
                self.faults.remove(each)
                return each
        return None

    def add(self, name: str, tree: Tree, *, is_private: bool = False) -> Repository:
        """A repository that is there before."""
        made = self.repositories[name] = Repository(is_private)
        made.commit({".gitattributes": b"*.parquet filter=lfs\n", **tree}, "initial commit")
        return made

    # --- the interface --------------------------------------------------------------------

    def create(self, body: Any) -> Answer:
        name = f"{body['organization']}/{body['name']}"
        assert body["type"] == "dataset"
        status = 409 if name in self.repositories else 200
        if status == 200:
            self.add(name, {}, is_private=body.get("visibility") == "private")
        return status, {"url": f"{self.url}/datasets/{name}"}

    def info(self, _body: Any, name: str) -> Answer:
        repository = self.repositories[name]
        return 200, {"id": name, "sha": repository.head, "private": repository.is_private}

    def refs(self, _body: Any, name: str) -> Answer:
        repository = self.repositories[name]

        def ref(kind: str, short: str, commit: str) -> dict[str, str]:
            return {"name": short, "ref": f"refs/{kind}/{short}", "targetCommit": commit}

        tags = [ref("tags", *item) for item in repository.tags.items()]
        return 200, {
            "branches": [ref("heads", "main", repository.head)],
            "converts": [],
            "tags": tags,
        }

    def list_tree(self, _body: Any, name: str, revision: str) -> Answer:
        files = self.repositories[name].tree(revision)
        return 200, [self._entry(path, files[path]) for path in sorted(files)]

    def _entry(self, path: str, content: bytes) -> dict[str, Any]:
        entry = {"type": "file", "path": path, "size": len(content), "oid": git_name(content)}
        if not is_large(path):
            return entry
        name = sha256(content).hexdigest()
        pointer = {"oid": name, "size": len(content), "pointerSize": 130}
        return {**entry, "oid": git_name(name.encode()), "lfs": pointer}

    def preupload(self, body: Any, name: str) -> Answer:
        tree = self.repositories[name].tree("main")
        files = []
        for file in body["files"]:
            path, mode = file["path"], "lfs" if is_large(file["path"]) else "regular"
            there = tree.get(path)
            digest = git_name if mode == "regular" else lambda data: sha256(data).hexdigest()
            oid = None if there is None else digest(there)
            files.append({"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid})
        return 200, {"files": files}

    def batch(self, body: Any, name: str) -> Answer:
        assert body["operation"] == "upload"
        objects = []
        for each in body["objects"]:
            there = each["oid"] in self.large
            target = {"href": f"{self.url}/large/{each['oid']}"}
            objects.append(each if there else {**each, "actions": {"upload": target}})
        return 200, {"transfer": "basic", "objects": objects}

    def commit(self, body: list[Any], name: str) -> Answer:
        repository = self.repositories[name]
        [header, *changes] = body
        if header["value"]["parentCommit"] != repository.head:
            return 412, {"error": "The branch has moved"}
        tree = dict(repository.tree("main"))
        for change in changes:
            value = change["value"]
            if change["key"] == "file":
                tree[value["path"]] = base64.b64decode(value["content"])
            elif change["key"] == "lfsFile":
                tree[value["path"]] = self.large[value["oid"]]
            else:
                assert change["key"] == "deletedFile"
                del tree[value["path"]]
        oid = repository.commit(tree, header["value"]["summary"])
        return 200, {
            "success": True,
            "commitOid": oid,
            "commitUrl": f"{self.url}/datasets/{name}/commit/{oid}",
        }

    def tag(self, body: Any, name: str, revision: str) -> Answer:
        repository = self.repositories[name]
        if body["tag"] in repository.tags:
            return 409, {"error": "Tag exists"}
        repository.tags[body["tag"]] = revision
        return 200, {}

    def store(self, body: bytes, oid: str) -> Answer:
        if sha256(body).hexdigest() != oid:
            return 400, {"error": "other content"}
        self.large[oid] = body
        return 200, {}


_NAME = r"([\w.-]+/[\w.-]+)"
_ROUTES: list[tuple[str, str, Callable[..., Answer]]] = [
    ("POST", r"/api/repos/create", Hub.create),
    ("POST", r"/api/validate-yaml", lambda *_: (200, {"warnings": [], "errors": []})),
    ("GET", rf"/api/datasets/{_NAME}(?:/revision/main)?", Hub.info),
    ("GET", rf"/api/datasets/{_NAME}/refs", Hub.refs),
    ("GET", rf"/api/datasets/{_NAME}/tree/([\w.-]+)\?.*", Hub.list_tree),
    ("POST", rf"/api/datasets/{_NAME}/preupload/main", Hub.preupload),
    ("POST", rf"/datasets/{_NAME}\.git/info/lfs/objects/batch", Hub.batch),
    ("POST", rf"/api/datasets/{_NAME}/commit/main", Hub.commit),
    ("POST", rf"/api/datasets/{_NAME}/tag/([\w.-]+)", Hub.tag),
    ("PUT", r"/large/(\w+)", Hub.store),
]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def do_GET(self) -> None:
        self._do()

    def do_POST(self) -> None:
        self._do()

    def do_PUT(self) -> None:
        self._do()

    def _do(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.hub.lock:
            self.hub.requests.append((self.command, self.path))
            fault = self.hub.fault(self.command, self.path)
            if fault and isinstance(fault.how, tuple):
                self._send(*fault.how)
                return
            answer = None if fault and fault.how == "before" else self._answer(body)
        if fault or answer is None:
            self.close_connection = True
        else:
            self._send(*answer)

    def _answer(self, body: bytes) -> Answer:
        # what is stored large goes to an address that is a secret itself
        if self.command != "PUT" and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return 401, {"error": "Invalid username or password."}
        for method, pattern, answer in _ROUTES:
            found = re.fullmatch(pattern, self.path)
            if method == self.command and found:
                if "/datasets/" in self.path and found[1] not in self.hub.repositories:
                    return 404, {"error": "Repository not found"}
                return answer(self.hub, self._parsed(body), *found.groups())
        raise AssertionError(f"nobody expected {self.command} {self.path}")

    def _parsed(self, body: bytes) -> Any:
        if self.command == "PUT":
            return body
        if "ndjson" in self.headers.get("Content-Type", ""):
            return [json.loads(line) for line in body.splitlines()]
        return json.loads(body) if body else None

    def _send(self, status: int, answer: Any) -> None:
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def running_hub() -> Iterator[Hub]:
    """On a free port of loopback, stopped at the end."""
    hub = Hub()
    handler = type("Handler", (_Handler,), {"hub": hub})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        hub.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield hub
        finally:
            server.shutdown()
            thread.join()
