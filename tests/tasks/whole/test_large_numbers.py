"""Numbers that no column has room for, wherever a request may have one: never an error of the
server's."""

import json
import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils.http import urlencode

import tasks
from tasks.models import Membership
from tests.sampling import sample
from tests.tasks.browsers import signed_in
from tests.tasks.whole.routes import ROWS, addresses, filled, status

pytestmark = pytest.mark.slow

DIGITS = "9" * 5000  # more than Python makes a number of
NUMBERS = [DIGITS, str(2**63), "-1", str(2**64), "٣", "-" + DIGITS, "²"]
JSON_NUMBERS = [DIGITS, str(2**63), "-1", str(2**64), "1e999", f'"{DIGITS}"', "-" + DIGITS, '"²"']
_SOURCES = "".join(path.read_text() for path in Path(tasks.__path__[0]).rglob("*.py"))
_ASKED = r'(?:GET|POST)(?:\.get(?:list)?\(|\[)"(\w+)"'
_FIELD = r"^    (\w+) = (?:\w+\.)?\w*(?:Field|Input|Float)\("
NAMES = {*re.findall(_ASKED, _SOURCES), *re.findall(_FIELD, _SOURCES, re.MULTILINE)}
# buttons without which a form does nothing; what is asked with a number that stands elsewhere
GIVEN = {"action": "approve-ticked", "state": "pending", "protocol": "ae"}
Request = tuple[str, str, str]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def browser(admin: Membership) -> Client:
    client = signed_in(admin)
    client.raise_request_exception = False
    return client


def faults(client: Client, requests: Iterable[Request]) -> list[tuple[str, ...]]:
    """Those requests, of a method, an address and a body, that end in an error of the server."""
    made = list(requests)
    assert len(made) > 100
    found = [each for each in made if status(client, *each)[0] == 500]
    return [tuple(part[:200] for part in each) for each in found]


def patterns(kind: str) -> Iterator[tuple[str, str]]:
    """Name and pattern of the pages, or of the calls."""
    for name, pattern in addresses():
        if name in ROWS and name.startswith("api-") == (kind == "call"):
            yield name, pattern


@pytest.mark.parametrize("kind", ["page", "call"])
def test_no_number_in_an_address(kind: str, browser: Client, admin: Membership) -> None:
    requests = (
        (method, filled(re.sub("<int:[^>]+>", number, pattern), admin), "{}")
        for name, pattern in patterns(kind)
        if "<int:" in pattern
        for method in ROWS[name].methods
        for number in sample(NUMBERS, 4)
    )
    assert faults(browser, requests) == []


@pytest.mark.thorough
def test_no_number_that_a_page_is_asked_with(browser: Client, admin: Membership) -> None:
    requests = (
        ("GET", f"{filled(pattern, admin)}?{urlencode(dict.fromkeys(NAMES, number))}", "")
        for name, pattern in patterns("page")
        if "GET" in ROWS[name].methods
        for number in sample(NUMBERS, 3)
    )
    assert faults(browser, requests) == []


@pytest.mark.thorough
def test_no_number_in_a_form(browser: Client, admin: Membership) -> None:
    assert len(NAMES) > 100
    found = []
    for name, pattern in patterns("page"):
        for number in sample(NUMBERS, 3) if "POST" in ROWS[name].methods else ():
            with transaction.atomic():
                form = dict.fromkeys(NAMES, number) | GIVEN
                answer = browser.post(filled(pattern, admin), form)
                transaction.set_rollback(True)
            found += [(name, number[:20])] if answer.status_code == 500 else []
    assert found == []


@pytest.mark.thorough
def test_no_number_that_a_call_is_given(browser: Client, admin: Membership) -> None:
    schema = json.loads(Client().get("/api/schema?format=json").content)
    requests = (
        request
        for path, operations in schema["paths"].items()
        for address in [filled(re.sub(r"{(\w+)}", r"<\1>", path[1:]), admin)]
        for method, operation in operations.items()
        for request in _asked(method.upper(), address, operation, schema["components"]["schemas"])
    )
    assert faults(browser, requests) == []


def _asked(method: str, address: str, operation: Any, schemas: Any) -> Iterator[Request]:
    """A number as each parameter, and as all fields of the body, by itself and inside of others."""
    for each in operation.get("parameters", ()):
        for number in sample(NUMBERS, 3) if each["in"] == "query" else ():
            yield method, f"{address}?{urlencode({each['name']: number})}", "{}"
    content = operation.get("requestBody", {}).get("content", {})
    kind = content.get("application/json", {}).get("schema", {}).get("$ref", "").split("/")[-1]
    fields = schemas.get(kind, {}).get("properties", {})
    for number in sample(JSON_NUMBERS, 3) if fields else ():
        for value in sample([number, f"[{number}]", f'{{"a": {number}}}'], 2):
            yield method, address, _json(fields, value)
        yield from ((method, address, _json([name], number)) for name in fields)


def _json(names: Iterable[str], value: str) -> str:
    return "{" + ", ".join(f'"{name}": {value}' for name in names) + "}"
