"""The ways to change something: every form of every page, and every operation of the schema."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client

from tests.security.addresses import every
from tests.security.conftest import content_of
from tests.security.filled import Filled

_KNOWN = {
    "answers": {"q1": "yes"},
    "item": "item-0",
    "predictions": {"question": "an answer"},
    "system": "larch",
    "reason": "a reason",
    "q1": "yes",
    "username": "larch-of-rivers",
    "role": "rater",
    "version": "9.0.0",
    "title": "Rivers",
    "slug": "larch",
}


@dataclass
class Write:
    """One way to change something: a form of a page, or an operation of the API."""

    method: str
    address: str
    body: dict[str, Any]
    named: set[str]
    is_json: bool = False

    def send(self, client: Client, more: Mapping[str, Any]) -> Any:
        """The answer to it, with more in its body than it names."""
        body = {**more, **self.body}
        if self.is_json:
            return client.generic(
                self.method, self.address, json.dumps(body), "application/json",
                headers={"Idempotency-Key": "one"},
            )  # fmt: skip
        return client.post(self.address, body)


@dataclass
class PageForm:
    address: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class PageForms(HTMLParser):
    """The forms of a page that are sent by POST, filled as a browser would fill them."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.found = address, list[PageForm]()
        self.form: PageForm | None = None
        self.asked = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form" and said.get("method") == "post":
            self.form = PageForm(said.get("action") or self.address)
            self.found.append(self.form)
        elif tag == "select":
            self.asked = said.get("name", "")
        elif self.form is not None and said.get("disabled") is None:
            self._take(tag, said)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None

    def _take(self, tag: str, said: dict[str, str]) -> None:
        assert self.form is not None
        fields, name, kind = self.form.fields, said.get("name", ""), said.get("type", "text")
        if tag == "option" and (self.asked not in fields or "selected" in said):
            fields[self.asked] = said.get("value", "")
        elif tag in ("input", "textarea", "button") and name and kind != "file":
            is_chosen = kind not in ("checkbox", "radio") or "checked" in said
            value = said.get("value", "") or str(_KNOWN.get(name, "text"))
            if tag == "button" or kind == "submit":
                self.form.buttons.append((name, value))
            if is_chosen or name not in fields:
                fields[name] = value


def forms(client: Client, filled: Filled) -> Iterator[Write]:
    """Every form of every page once, by its address and its fields."""
    seen = set()
    for name, address in every(filled.parts):
        if name.startswith(("admin:", "api-")) or name in ("release-download", "logout"):
            continue
        reader = PageForms(address)
        reader.feed(content_of(client.get(address)).decode(errors="replace"))
        for form in reader.found:
            shape = (re.sub(r"\d+", "1", form.address), *sorted(form.fields))
            if shape not in seen and "logout" not in form.address:
                seen.add(shape)
                yield Write("POST", form.address, dict(form.fields), set(form.fields))


def operations(filled: Filled) -> Iterator[Write]:
    """Every unsafe operation of the live schema with what it requires."""
    schema = json.loads(Client().get("/api/schema?format=json").content)
    for path, methods in schema["paths"].items():
        address = re.sub(r"{(\w+)}", lambda gap: filled.parts.get(gap[1], "1"), path)
        for method in methods.keys() & {"post", "put", "patch", "delete"}:
            content = methods[method].get("requestBody", {}).get("content", {})
            shape = _resolved(schema, content.get("application/json", {}).get("schema", {}))
            named = shape.get("properties", {})
            body = {
                name: _KNOWN.get(name, _example(_resolved(schema, named[name])))
                for name in {*shape.get("required", ()), *(named.keys() & {"answers"})}
            }
            yield Write(method.upper(), address, body, set(named), is_json=True)


def _resolved(schema: Any, shape: Any) -> Any:
    for name in shape.get("$ref", "#/").removeprefix("#/").split("/"):
        if name:
            schema = schema[name]
    return schema if "$ref" in shape else shape


def _example(shape: Any) -> Any:
    if "enum" in shape:
        return shape["enum"][0]
    kinds = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    return kinds.get(shape.get("type"), "text")
