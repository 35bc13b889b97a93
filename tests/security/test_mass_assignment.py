"""A request changes what its form or its operation names, and nothing else.

Every form of every page is sent as a browser would send it, and every operation of the schema with
what it requires: once so, and once with every field of every model beside it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from html.parser import HTMLParser
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models, transaction
from django.test import Client

from tests.security.addresses import every
from tests.security.conftest import content_of, signed_in
from tests.security.filled import Filled

pytestmark = pytest.mark.slow


MARK = "mass-assigned"
_ASSIGNED_YEAR = 2001
# What every request writes anew, whatever it says: times, and what is drawn at random.
_DRAWN = (
    "digest",
    "hash",
    "previous",
    "secret",
    "key",
    "password",
    "pseudonym",
    "path",
    "seed",
    "_at",
    "last_login",
)
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

Snapshot = dict[str, dict[Any, tuple[Any, ...]]]


@dataclass
class Write:
    """One way to change something: a form of a page, or an operation of the API."""

    method: str
    address: str
    body: dict[str, Any]
    named: set[str]
    is_json: bool = False

    def send(self, client: Client, more: Mapping[str, Any]) -> int:
        body = {**more, **self.body}
        if self.is_json:
            answer = client.generic(
                self.method, self.address, json.dumps(body), "application/json",
                headers={"Idempotency-Key": "one"},
            )  # fmt: skip
        else:
            answer = client.post(self.address, body)
        return answer.status_code

    def extras(self) -> dict[str, Any]:
        """Every field of every model that the request does not name itself."""
        return {
            name: value if self.is_json else str(value)
            for name, value in _every_field().items()
            if name not in self.named
        }


@dataclass
class _Form:
    address: str
    fields: dict[str, str] = field(default_factory=dict)


class _Forms(HTMLParser):
    """The forms of a page that are sent by POST, filled as a browser would fill them."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.found = address, list[_Form]()
        self.form: _Form | None = None
        self.asked = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form" and said.get("method") == "post":
            self.form = _Form(said.get("action") or self.address)
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
            if is_chosen or name not in fields:
                fields[name] = value


def _every_field() -> dict[str, Any]:
    """A value for every column that any table has, other than any it has now."""
    return {
        name: _value(column)
        for model in apps.get_models()
        for column in model._meta.get_fields()
        if isinstance(column, models.Field)
        for name in {column.name, getattr(column, "attname", column.name)}
    }


def _value(column: Any) -> Any:
    if isinstance(column, models.BooleanField):
        return not column.default if column.has_default() else True
    if isinstance(column, models.DateTimeField):
        return f"{_ASSIGNED_YEAR}-01-01T00:00:00Z"
    if isinstance(column, models.IntegerField | models.FloatField | models.ForeignKey):
        return 2
    if column.choices:
        return column.choices[-1][0]
    return MARK


def snapshot() -> Snapshot:
    """Every table's rows by their primary key, without what is drawn or told by the clock."""
    found: Snapshot = {}
    for model in apps.get_models():
        columns = [
            column for column in model._meta.concrete_fields if not column.name.endswith(_DRAWN)
        ]
        names = ", ".join(f'"{column.column}"' for column in columns)
        key = model._meta.pk.column
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT "{key}", {names} FROM "{model._meta.db_table}"')
            rows = [tuple(map(_without_time, row)) for row in cursor.fetchall()]
        found[model.__name__] = {row[0]: row[1:] for row in rows}
    found.pop("Session")
    return found


def _without_time(cell: Any) -> Any:
    """Of a time no more than whether it is the one that was assigned."""
    return cell.year == _ASSIGNED_YEAR if isinstance(cell, datetime) else cell


def changes(before: Snapshot, after: Snapshot) -> dict[str, list[tuple[Any, ...]]]:
    """What is new or other, by table."""
    rows = {
        name: [row for key, row in found.items() if before[name].get(key) != row]
        + [("gone", key) for key in before[name].keys() - found.keys()]
        for name, found in after.items()
    }
    return {name: found for name, found in rows.items() if found}


def effect(client: Client, write: Write, before: Snapshot, more: Mapping[str, Any]) -> Any:
    """Status and changes of a request that is undone again."""
    cookies = client.cookies.output()
    with transaction.atomic():
        status = write.send(client, more)
        changed = changes(before, snapshot())
        transaction.set_rollback(True)
    client.cookies.load(cookies)
    return status, changed


def forms(client: Client, filled: Filled) -> Iterator[Write]:
    """Every form of every page once, by its address and its fields."""
    seen = set()
    for name, address in every(filled.parts):
        if name.startswith(("admin:", "api-")) or name in ("release-download", "logout"):
            continue
        reader = _Forms(address)
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


def _apart(plain: Any, more: Any) -> list[Any]:
    """The rows of either that the other has not."""
    return [
        (table, [row for row in rows if row not in other.get(table, [])])
        for changed, other in ((plain, more), (more, plain))
        for table, rows in changed.items()
        if rows != other.get(table)
    ]


@pytest.mark.thorough
def test_no_request_changes_a_field_that_it_does_not_declare(filled: Filled) -> None:
    client = signed_in(filled.usernames["admin"])
    writes = [*operations(filled), *forms(client, filled)]
    before, wrong, effective = snapshot(), [], 0
    for write in writes:
        plain = effect(client, write, before, {})
        more = effect(client, write, before, write.extras())
        effective += bool(plain[1])
        if (more[1] and more[1] != plain[1]) or MARK in repr(more[1]):  # or refused as a whole
            wrong.append((write.address, *_apart(plain[1], more[1])))
    assert wrong == []
    assert effective >= 25, f"only {effective} of {len(writes)} requests changed anything"
