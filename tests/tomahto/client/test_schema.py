"""The client asks for nothing that the schema does not have, and its bodies are the schema's."""

import ast
import json
import sys
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Required, get_args, get_origin, get_type_hints

import pytest
from django.test import Client

import tomahto.client
from tomahto.client import client, operations
from tomahto.client.operations import Operation

NAMED = {
    name: operation
    for name, operation in vars(operations).items()
    if isinstance(operation, Operation)
}


@cache
def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Client().get("/api/schema?format=json").content)
    return found


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """The schema that a part refers to; of several, the one that is not null."""
    if "$ref" in part:
        return resolved(schema()["components"]["schemas"][part["$ref"].rpartition("/")[2]])
    for name in ("allOf", "oneOf", "anyOf"):
        real = [each for each in part.get(name, []) if each.get("type") != "null"]
        if len(real) == 1:
            return resolved(real[0])
    return part


def differences(kind: Any, part: dict[str, Any], place: str) -> list[str]:
    """The places where a type of the client and a part of the schema name other fields."""
    while get_origin(kind) in (NotRequired, Required):
        (kind,) = get_args(kind)
    if get_origin(kind) is UnionType:
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
        return differences(kind, part, place)
    part = resolved(part)
    if get_origin(kind) is list:
        return differences(get_args(kind)[0], part.get("items", {}), f"{place}[]")
    if get_origin(kind) is Literal:
        listed = {each for each in part.get("enum", get_args(kind)) if each}
        return [] if set(get_args(kind)) == listed else [f"{place}: {sorted(listed)}"]
    if not hasattr(kind, "__required_keys__"):
        return []
    fields = get_type_hints(kind, include_extras=True)
    known = part.get("properties", {})
    found = [f"{place}.{name}" for name in fields.keys() ^ known.keys()]
    for name in fields.keys() & known.keys():
        found += differences(fields[name], known[name], f"{place}.{name}")
    return found


def content(part: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = part.get("content", {}).get("application/json", {}).get("schema", {})
    return found


@pytest.mark.parametrize("name", NAMED)
def test_operation_is_that_of_the_schema(db: None, name: str) -> None:
    operation = NAMED[name]
    described = schema()["paths"].get(operation.path, {}).get(operation.method.lower())
    assert described, f"{operation.method} {operation.path} is not in the schema"
    known = {each["name"]: each["in"] for each in described.get("parameters", [])}
    asked = dict.fromkeys(operation.parameters, "query") | dict.fromkeys(
        operation.headers, "header"
    )
    parts = {place: "path" for place, kind in known.items() if kind == "path"}
    assert asked.items() <= known.items()
    assert ("votes" in asked) == ("votes" in known)  # else `votes_seen` would not reach the call
    assert operation.at(**dict.fromkeys(parts, "x")).count("{") == 0
    found: list[str] = []
    if operation.takes:
        found += differences(operation.takes, content(described["requestBody"]), "takes")
    answered = next(code for code in described["responses"] if code.startswith("2"))
    given = resolved(content(described["responses"][answered]))
    if operation.is_paged:
        given = resolved(given["properties"]["results"])["items"]
    elif given.get("type") == "array":
        given = given["items"]
    if operation.gives:
        found += differences(operation.gives, given, "gives")
    assert found == []


def test_client_uses_every_operation_and_no_other(db: None) -> None:
    source = Path(str(client.__file__)).read_text()
    used = {
        node.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "operations"
    }
    assert used == NAMED.keys()
    assert "/api/" not in source


def test_client_needs_the_standard_library_alone() -> None:
    folder = Path(str(tomahto.client.__file__)).parent
    imported = {
        name.partition(".")[0]
        if name != "tomahto.client" and not name.startswith("tomahto.client.")
        else "tomahto.client"
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else []
        )
    }
    assert imported <= {*sys.stdlib_module_names, "tomahto.client"}
