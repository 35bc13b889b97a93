"""Of the 81 ways to fill Q1 to Q4 six are permitted (Bulian et al. 2022, §3.1). The other 75 get
in nowhere: not by the form, not by the API, not by a file of any format, not past the constraints
of the database; and the six get in everywhere."""

import csv
import json
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction
from django.forms import model_to_dict
from django.test import Client

from tasks.intake.workflow.ratings import import_ratings
from tasks.models import (
    ApiToken,
    Assignment,
    AssignmentState,
    Item,
    Membership,
    Outcome,
    Rating,
    Slot,
)
from tasks.models.guards import LISTED, earlier_outcomes_admitted
from tasks.models.rating import store_outcomes
from tasks.protocols.definition import outcome_id
from tasks.rating.workflow.assignment import claim_item
from tests.factories import make_campaign, make_item, make_member
from tests.sampling import mostly
from tests.tasks.browsers import HTMX
from tests.tasks.models.guards import remove_guard
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.reading.records import InputError

pytestmark = pytest.mark.slow


KEYS = ("q1", "q2", "q3", "q4")
Given = dict[str, str]
Attempt = Callable[[Given], bool]
"""Tries to store answers on the one item; whether that was let through."""

EVERY: list[Given] = [
    {key: value for key, value in zip(KEYS, values, strict=True) if value}
    for values in product(("yes", "no", ""), repeat=4)
]
PERMITTED: list[Given] = [
    {"q1": "yes"},
    {"q1": "no", "q2": "yes"},
    *({"q1": "no", "q2": "no", "q3": q3, "q4": q4} for q3, q4 in product(("yes", "no"), repeat=2)),
]


@pytest.fixture
def rater(db: None) -> Membership:
    """A rater who holds the one item of a campaign."""
    campaign = make_campaign("rivers", overlap=1)
    make_item(campaign)
    rater = make_member(campaign)
    claim_item(membership=rater)
    return rater


@pytest.fixture
def by_form(rater: Membership) -> Attempt:
    assert rater.user is not None
    client = Client()
    client.force_login(rater.user, backend="django.contrib.auth.backends.ModelBackend")
    assignment = Assignment.objects.get()
    fields = {"action": "submit", "guideline_version": "1"}

    def attempt(given: Given) -> bool:
        body = {**fields, **given, "idempotency_key": str(given)}
        response = client.post(f"/c/rivers/rate/{assignment.pk}/", body, headers=HTMX)
        assert response.status_code in {200, 422}
        return response.status_code == 200

    return attempt


@pytest.fixture
def by_api(rater: Membership) -> Attempt:
    assert rater.user is not None
    client = Client(headers={"Authorization": f"Token {ApiToken.issue(rater.user)}"})
    assignment = Assignment.objects.get()

    def attempt(given: Given) -> bool:
        response = client.post(
            f"/api/v1/assignments/{assignment.pk}/rating",
            {key: given.get(key) for key in KEYS},
            content_type="application/json",
            headers={"Idempotency-Key": str(given)},
        )
        assert response.status_code in {201, 400}
        return response.status_code == 201

    return attempt


@pytest.fixture(params=mostly(["jsonl", "csv", "ae"], "jsonl"))
def by_file(rater: Membership, tmp_path: Path, request: pytest.FixtureRequest) -> Attempt:
    kind: str = request.param
    item = Item.objects.get()

    def attempt(given: Given) -> bool:
        path = tmp_path / f"ratings.{kind}"
        _WRITERS[kind](path, item, given)
        rows = read_ratings(path, format=kind, question_keys=KEYS)
        try:
            return import_ratings(campaign=rater.campaign, rows=rows).ratings_created == 1
        except InputError:
            return False

    return attempt


@pytest.fixture
def by_database(rater: Membership) -> Attempt:
    """Past all code: a row of the rating table that claims to have this outcome."""
    item = Item.objects.get()

    def attempt(given: Given) -> bool:
        try:
            with transaction.atomic():
                Rating.objects.create(
                    item=item,
                    rater=rater,
                    outcome_id=outcome_id("ae", given),
                    idempotency_key=str(given),
                )
                # both databases look at foreign keys at the end of a transaction only
                connection.check_constraints()
        except IntegrityError:
            return False
        return True

    return attempt


@pytest.fixture
def by_two_inserts(by_database: Attempt) -> Attempt:
    """Past all code: first the outcome, so that a rating can point to it."""

    def attempt(given: Given) -> bool:
        with suppress(IntegrityError):
            store_outcome(outcome_id("ae", given))
        return by_database(given)

    return attempt


def store_outcome(name: str) -> None:
    row = {"id": name, "protocol": "ae", "answers": "{}", "label": "x", "reading": "x"}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_INSERT_OUTCOME, row)


def _write_jsonl(path: Path, item: Item, given: Given) -> None:
    answers = {key: given[key] == "yes" if key in given else None for key in KEYS}
    path.write_text(json.dumps({"id": item.key, "rater": "elm", **answers}) + "\n")


def _write_csv(path: Path, item: Item, given: Given) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", "rater", *KEYS])
        writer.writeheader()
        writer.writerow({"id": item.key, "rater": "elm", **given})


def _write_ae(path: Path, item: Item, given: Given) -> None:
    line = {
        "qid": item.question.key,
        "context": item.question.context,
        "question": item.question.text,
        "reference": item.references[0],
        "candidate": item.candidate,
        "gold_index": 0,
        "score": 0,
        **{f"question_{n}": given.get(f"q{n}", "undefined") for n in (1, 2, 3, 4)},
    }
    path.write_text(json.dumps(line) + "\n")


_INSERT_OUTCOME = """
INSERT INTO tasks_outcome (id, protocol, answers, label, reading)
VALUES (%(id)s, %(protocol)s, %(answers)s, %(label)s, %(reading)s)
"""
_WRITERS = {"jsonl": _write_jsonl, "csv": _write_csv, "ae": _write_ae}


def let_in(attempt: Attempt) -> list[Given]:
    """The combinations that are stored; each attempt starts from the same database."""
    found = []
    for given in EVERY:
        with transaction.atomic():
            is_stored = attempt(given)
            assert Rating.objects.count() == is_stored
            if is_stored:
                found.append(given)
                transaction.set_rollback(True)
        assert not Rating.objects.exists()
        assert not Slot.objects.filter(is_filled=True).exists()
        assert Assignment.objects.get().state == AssignmentState.ACTIVE
    return found


def test_there_are_81_combinations_of_which_six_are_permitted() -> None:
    assert (len(EVERY), len(PERMITTED)) == (81, 6)


def test_by_form_only_the_permitted_are_stored(by_form: Attempt) -> None:
    assert sorted(map(str, let_in(by_form))) == sorted(map(str, PERMITTED))


def test_by_api_only_the_permitted_are_stored(by_api: Attempt) -> None:
    assert sorted(map(str, let_in(by_api))) == sorted(map(str, PERMITTED))


def test_by_file_only_the_permitted_are_stored(
    by_file: Attempt, request: pytest.FixtureRequest
) -> None:
    # a line of AE without any answer is the label "not equivalent" alone
    bare: list[Given] = [{}] if "ae" in request.node.callspec.params.values() else []
    assert sorted(map(str, let_in(by_file))) == sorted(map(str, [*bare, *PERMITTED]))


def test_by_database_only_the_permitted_are_stored(by_database: Attempt) -> None:
    assert sorted(map(str, let_in(by_database))) == sorted(map(str, PERMITTED))


def test_by_two_inserts_only_the_permitted_are_stored(by_two_inserts: Attempt) -> None:
    assert sorted(map(str, let_in(by_two_inserts))) == sorted(map(str, PERMITTED))


def test_by_two_inserts_all_are_stored_without_the_guard(by_two_inserts: Attempt) -> None:
    on_table = " ON tasks_outcome" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {LISTED}{on_table}")
    # the one without any answer has the name of no outcome: `ae:`
    assert sorted(map(str, let_in(by_two_inserts))) == sorted(map(str, EVERY))


@pytest.mark.parametrize(
    "changed",
    [
        {"label": "equivalent"},
        {"reading": "other"},
        {"answers": "{}"},
        {"protocol": "rules"},
        {"id": "ae:equivalent "},
        {"id": 'ae:"'},
    ],
)
def test_an_outcome_is_stored_as_its_protocol_lists_it_or_not_at_all(
    db: None, changed: dict[str, str]
) -> None:
    remove_guard("tasks_outcome")
    found = Outcome.objects.get(id="ae:q1=yes")
    listed = {**model_to_dict(found), "answers": json.dumps(found.answers)}
    found.delete()
    with connection.cursor() as cursor:
        with pytest.raises(IntegrityError, match="that its protocol lists"), transaction.atomic():
            cursor.execute(_INSERT_OUTCOME, {**listed, **changed})
        cursor.execute(_INSERT_OUTCOME, listed)


def test_outcomes_that_an_earlier_version_listed_stay(db: None) -> None:
    with transaction.atomic(), earlier_outcomes_admitted():
        store_outcome("ae:q1=yes,q2=yes")
    store_outcomes()
    assert Outcome.objects.filter(id="ae:q1=yes,q2=yes").exists()
    with pytest.raises(IntegrityError):
        store_outcome("ae:q1=yes,q3=yes")
