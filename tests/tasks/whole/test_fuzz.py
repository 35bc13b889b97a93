"""Whatever the schema allows, and what it does not: no server error, and no answer it does not
describe. Every operation of the live schema, also those to come."""

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import requests
import schemathesis
from django.db import connection, transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, Case, GenerationMode, checks
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.result import Ok
from schemathesis.core.transport import Response

from exporters.planned_release import ReleasePlan
from tasks.agreement.workflow.alerts import raise_trial
from tasks.models import Alert, ApiToken, Campaign, Membership
from tasks.rating.workflow.assignment import claim_item
from tasks.releases.workflow.release import publish_release
from tests.factories import make_campaign, make_labelled_items, make_member
from tests.sampling import IS_LONG

pytestmark = pytest.mark.slow


# of each operation, each sent in three roles; in the short form half of them on each database
EXAMPLES = 200 if IS_LONG else 5
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
ROLES = ("admin", "researcher", "rater")

Call = Callable[[requests.PreparedRequest], Response]
Operation: TypeAlias = "APIOperation[Any, Any, Any, Any]"
Faults = Counter[tuple[str, str, int, str]]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def campaign(db: None, tmp_path: Path) -> Campaign:
    campaign = make_campaign("rivers")
    make_labelled_items(campaign, items=8, documents=4)
    for version in ("1.0.0", "1.0.1"):
        plan = ReleasePlan(version=version, split="document:test=100", seed=0)
        publish_release(campaign=campaign, plan=plan, out=tmp_path / version)
    raise_trial(campaign=campaign, by=make_member(campaign, "admin"))
    return campaign


def known(member: Membership) -> dict[str, Any]:
    """The values for the gaps of addresses for which there is something."""
    claim = claim_item(membership=member)
    assert claim is not None
    return {
        "slug": "rivers",
        "assignment_id": claim.assignment_id,
        "version": "1.0.1",
        "path": "README.md",
        "name": "systems",
        "number": 1,
        "evaluation_id": 1,
        "alert_id": Alert.objects.get().pk,
    }


def in_process(member: Membership) -> Call:
    """Calls the site as a member; nothing that a call does stays."""
    assert member.user is not None
    token = {"Authorization": f"Token {ApiToken.issue(member.user)}"}
    client = Client(raise_request_exception=False)

    def call(request: requests.PreparedRequest) -> Response:
        headers = {name: str(value) for name, value in {**request.headers, **token}.items()}
        with transaction.atomic():
            answer: Any = client.generic(
                request.method or "GET",
                request.path_url,
                request.body or b"",
                headers.pop("Content-Type", "application/octet-stream"),
                headers=headers,
            )
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            transaction.set_rollback(True)
        given = {name.lower(): [value] for name, value in answer.headers.items()}
        return Response(answer.status_code, given, body, request, 0.0, verify=False)

    return call


def explore(
    operation: Operation, calls: Mapping[str, Call], parts: Mapping[str, Any], examples: int
) -> Faults:
    """The faults in the answers to so many requests, most of them about things that exist."""
    gaps = {gap.name for gap in operation.path_parameters}
    there = {name: value for name, value in parts.items() if name in gaps}
    faults: Faults = Counter()

    def check(case: "Case[Any]") -> None:
        request = requests.Request(**case.as_transport_kwargs("http://testserver")).prepare()
        for role, call in calls.items():
            response = call(request)
            try:
                case.validate_response(response, checks=CHECKS)
            except FailureGroup as group:
                for failure in group.exceptions:
                    faults[operation.label, role, response.status_code, _said(failure)] += 1

    for strategy, share in (
        (operation.as_strategy(path_parameters=there), 3),
        (operation.as_strategy(), 1),
        (operation.as_strategy(GenerationMode.NEGATIVE, path_parameters=there), 1),
    ):
        _try(check, strategy, max(1, examples * share // 5))
    return faults


def _said(failure: BaseException) -> str:
    return failure.title if isinstance(failure, Failure) else str(failure)


def _try(
    check: "Callable[[Case[Any]], None]", strategy: st.SearchStrategy[Any], times: int
) -> None:
    """The same examples in every run."""
    found = settings(
        max_examples=times,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )(given(strategy)(check))
    try:
        found()
    except Unsatisfiable:  # an operation that takes nothing cannot be given anything wrong
        return


@pytest.mark.thorough
def test_no_request_gets_an_answer_that_the_schema_does_not_describe(campaign: Campaign) -> None:
    members = {role: make_member(campaign, role) for role in ROLES}
    parts = known(members["rater"])
    calls = {role: in_process(member) for role, member in members.items()}
    schema = json.loads(Client().get("/api/schema?format=json").content)
    faults: Faults = Counter()
    operations = list(schemathesis.openapi.from_dict(schema).get_all_operations())
    for found in operations if IS_LONG else operations[connection.vendor == "sqlite" :: 2]:
        assert isinstance(found, Ok), found
        faults += explore(found.ok(), calls, parts, EXAMPLES)
    assert dict(faults) == {}
