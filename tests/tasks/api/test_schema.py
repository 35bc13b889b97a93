"""The schema describes every call of the API."""

import json

from django.test import Client
from drf_spectacular.validation import validate_schema


def test_schema_is_valid_openapi_31_and_names_every_call(client: Client) -> None:
    response = client.get("/api/schema?format=json")
    schema = json.loads(response.content)
    assert response.status_code == 200
    assert schema["openapi"].startswith("3.1")
    validate_schema(schema)  # type: ignore[no-untyped-call]  # untyped library
    operations = {
        operation["operationId"]: sorted(operation["responses"])
        for path in schema["paths"].values()
        for operation in path.values()
    }
    assert operations == {
        "claim": ["200", "204", "403", "404", "409"],
        "submit_rating": ["200", "201", "400", "404", "409"],
        "agreement": ["200", "403", "404"],
        "adjudications": ["200", "403", "404"],
        "adjudicate": ["200", "201", "400", "403", "404", "409"],
        "first_look": ["201", "400", "403", "404", "409"],
        "adjudication_agreement": ["200", "403", "404"],
        "figures": ["200", "202", "403", "404"],
        "looks": ["200", "403", "404"],
        "alerts": ["200", "403", "404"],
        "acknowledge_alert": ["200", "403", "404", "409"],
        "evaluations": ["200", "403", "404"],
        "evaluation": ["200", "403", "404"],
        "releases": ["200", "403", "404", "503"],
        "release_file": ["200", "206", "403", "404", "410", "416", "503"],
        "release_changes": ["200", "400", "403", "404", "409", "410", "503"],
        "withdraw_release": ["201", "400", "403", "404", "409"],
        "leaderboard": ["200", "202", "403", "404"],
        "submit_predictions": ["201", "400", "403", "404", "409", "413", "503"],
        "withdraw_submission": ["201", "400", "403", "404", "409"],
    }
