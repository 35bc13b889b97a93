"""The whole product asked twice by who holds an item: once where the others found its answer
equivalent, once where they did not. Every answer is the same."""

import json
import logging
import random
import re
import secrets
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models.functions import Now
from django.test import Client

from exporters.planned_release import ReleasePlan
from tasks.agreement.workflow import alerts, assessment
from tasks.agreement.workflow.assessment import assess
from tasks.evaluations.queries.leaderboard import known_questions, splits_of
from tasks.evaluations.workflow.submissions import submit_predictions
from tasks.intake.workflow.adjudications import import_adjudications
from tasks.intake.workflow.ratings import import_ratings
from tasks.jobs.work import run_job
from tasks.models import (
    Assignment,
    Campaign,
    Evaluation,
    Flag,
    Item,
    Job,
    JobState,
    Membership,
    Slot,
)
from tasks.rating.workflow.rating import submit_rating
from tasks.releases.workflow import release as preview
from tasks.releases.workflow.release import publish_release
from tasks.talk.workflow import note_flag
from tests import evaluations
from tests.factories import make_campaign, make_item, make_member
from tests.sampling import mostly
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import rating_row
from tests.tasks.whole.routes import OPERATORS_LOGIN, addresses, filled
from tomahto.interchange.reading.records import AdjudicationRow, GivenAnswer, Source

pytestmark = pytest.mark.slow

ITEMS = 4
HELD, RATED = "item-1", "item-2"
FOLDS = f"folds:{ITEMS}"
OF_LABEL = {"equivalent": {"q1": "no", "q2": "yes"}, "not-equivalent": {"q1": "yes"}}
EACH_TIME_NEW = re.compile(
    r'nonce="[^"]*"|name="(csrfmiddlewaretoken|idempotency_key|seconds)" value="[^"]*"'
    r"|\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)?"  # times, for programs and for people
    r"|\d\d:\d\d</time>|(?<=X-Figures\": \")\w+"
)
HASHES = re.compile("[0-9a-f]{64}")
Told = tuple[int, str, str]  # status, where to, and what
Answers = dict[str, Told]


class World(NamedTuple):
    """A campaign of four questions in four documents, one of them in the reader's hands."""

    campaign: Campaign
    reader: Membership
    held: Item


def make_world(folder: Path, role: str, label: str) -> World:
    """Others have found what the label says of the item that the reader holds, and the same of all
    other items in either world. All that is made of votes is made."""
    campaign = make_campaign("rivers", title="Rivers", overlap=4)
    for number in range(1, ITEMS + 1):
        system = "lonely" if number == 1 else "juniper"
        make_item(
            campaign,
            id=f"item-{number}",
            document=f"document-{number}",
            question_key=f"question-{number}",
            question=f"Where does river {number} rise?",
            context=f"River {number} rises in the northern hills.",
            systems=(system,),
        )
    rows = [rating_row(1, "ann", label), rating_row(1, "ben", "equivalent")]
    for number in range(2, ITEMS + 1):
        rows += [
            rating_row(number, "ann", "not-equivalent"),
            rating_row(number, "ben", "equivalent"),
        ]
        rows += [rating_row(number, "cat", "equivalent")] * (number % 2)
    import_ratings(campaign=campaign, rows=rows)
    place = Source("adjudications.jsonl", 1)
    decision = AdjudicationRow(place, HELD, "dan", GivenAnswer(label))
    import_adjudications(campaign=campaign, rows=[decision])
    reader = make_member(campaign, role, "oak")
    submit_rating(
        assignment_id=hand(reader, RATED).pk,
        membership=reader,
        answers={"q1": True},
        idempotency_key="rated",
    )
    held = hand(reader, HELD).item
    pine = make_member(campaign, "rater", "pine")
    note_flag(flag=Flag.objects.create(item=held, rater=pine, reason=f"Surely {label}."))
    make_all_of_votes(campaign, held, folder)
    return World(campaign, reader, held)


def hand(reader: Membership, key: str) -> Assignment:
    item = reader.campaign.items.get(key=key)
    slot = Slot.objects.filter(item=item, is_filled=False).earliest("number")
    assignment = Assignment.objects.create(item=item, rater=reader, slot=slot)
    Slot.objects.filter(pk=slot.pk).update(holder=assignment, expires_at=Now())
    return assignment


def make_all_of_votes(campaign: Campaign, held: Item, folder: Path) -> None:
    """Figures and looks, two releases with a document in each fold, a leaderboard with the one
    prediction that the item is of, an evaluation."""
    assess(campaign=campaign)
    for version in ("1.0.0", "1.1.0"):
        plan = ReleasePlan(version=version, split=FOLDS, seed=0)
        release = publish_release(campaign=campaign, plan=plan, out=folder / version)
    question = held.question.key
    for split in splits_of(release):
        if question not in known_questions(release, split):
            continue
        submit_predictions(
            release=release,
            name=f"guess in {split}",
            content=json.dumps({question: held.candidate}).encode(),
            file_name="one.json",
            split=split,
        )
    evaluations.run_job(campaign, evaluations.plan())
    for job in Job.objects.filter(state=JobState.QUEUED):
        run_job(job.pk)


@pytest.fixture(params=mostly(["live", "stored"], "live"))
def figures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether the campaign is one whose figures are worked out at once, or by a worker."""
    monkeypatch.setattr(alerts, "FIRST_AT", 1)
    if request.param == "stored":
        monkeypatch.setattr(assessment, "LIVE_RATINGS", 1)
        monkeypatch.setattr(preview, "LIVE_PREVIEW", 1)
    return str(request.param)


def in_both_worlds(folder: Path, role: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, ...]:
    """The answers to the reader, and to somebody who has never rated."""
    told = []
    for label in OF_LABEL:
        forget_numbers()
        monkeypatch.setattr(secrets, "token_bytes", drawn_bytes())
        with transaction.atomic():
            world = make_world(folder / label, role, label)
            idle = make_member(world.campaign, role, "elm")
            asked_by_idle = TELLING | TELLING_ADMINS
            told.append((answers(world, world.reader), answers(world, idle, asked_by_idle)))
            transaction.set_rollback(True)
    (first, idle_first), (second, idle_second) = told
    return different(first, second), different(idle_first, idle_second), len(first)


def drawn_bytes() -> Callable[..., bytes]:
    """Secrets are the same in both worlds."""
    drawn = random.Random(1)

    def token_bytes(size: int | None = None) -> bytes:
        return drawn.randbytes(size or 32)

    return token_bytes


def forget_numbers() -> None:
    """PostgreSQL would give the rows of each world other numbers, and after other tests as well."""
    from django.apps import apps

    models = apps.get_app_config("tasks").get_models()
    for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
        with connection.cursor() as cursor:
            cursor.execute(statement)


def different(first: Answers, second: Answers) -> list[str]:
    assert first.keys() == second.keys()
    return [asked for asked in first if first[asked] != second[asked]]


def answers(world: World, who: Membership, among: Collection[str] = ()) -> Answers:
    """To every request, or to those of these addresses."""
    client = signed_in(who)
    logging.disable(logging.ERROR)
    try:
        return dict(asked(client, world, who, among))
    finally:
        logging.disable(logging.NOTSET)


class Request(NamedTuple):
    """`body` is None of what is read; `is_form` of a page's form."""

    address: str
    body: Any = None
    is_form: bool = False

    def send(self, client: Client) -> Any:
        if self.body is None:
            return client.get(self.address)
        if not self.is_form:
            return client.post(self.address, self.body, "application/json")
        files = {
            name: SimpleUploadedFile("ratings.jsonl", value)
            for name, value in self.body.items()
            if isinstance(value, bytes)
        }
        return client.post(self.address, self.body | files, follow=True)


def asked(
    client: Client, world: World, who: Membership, among: Collection[str]
) -> Iterator[tuple[str, Told]]:
    """Every request and its answer; nothing that a request does stays."""
    for request in (*reading(world, who), *calling(world), *posting(world)):
        if among and request.address not in among:
            continue
        with transaction.atomic():
            response = request.send(client)
            body = b"".join(response) if response.streaming else response.content
            transaction.set_rollback(True)
        told = EACH_TIME_NEW.sub("…", body.decode(errors="replace"))
        if "/audit" in request.address:  # hashes of all there is, times of day included
            told = HASHES.sub("…", told)
        yield (
            f"{request.address} {request.body}",
            (response.status_code, response.headers.get("Location", ""), told),
        )


def reading(world: World, who: Membership) -> Iterator[Request]:
    """Every address there is, with every part and every filter that could single the item out."""
    campaign, held = world.campaign, world.held
    jobs, evaluation = Job.objects.values_list("pk", flat=True), Evaluation.objects.get().pk
    ann = campaign.memberships.get(name="ann").pseudonym
    own = Assignment.objects.filter(rater=world.reader, state="active").get()
    parts: dict[str, list[Any]] = {
        "item_id": [held.pk],
        "assignment_id": [own.pk],
        "pseudonym": [ann, world.reader.pseudonym],
        "job_id": list(jobs),
        "evaluation_id": [evaluation],
        "section": [evaluations.SECTION],
        "version": ["1.0.0", "1.1.0"],
        "path": [
            "manifest.json",
            "SHA256SUMS",
            "splits.json",
            "README.md",
            "jsonl/items/fold1.jsonl",
        ],
        "name": ["agreement", "labels", "raters", "systems", "more", "time"],
    }
    for name, pattern in addresses():
        if name in ("logout", "language", OPERATORS_LOGIN):
            continue
        used = [part for part in parts if f":{part}>" in pattern or f"<{part}>" in pattern]
        known: list[dict[str, object]] = [{}]
        for part in used:
            known = [{**one, part: value} for one in known for value in parts[part]]
        for one in known:
            for query in ("", *QUERIES.get(name, ())):
                yield Request(filled(pattern, who, **one) + query.format(ann=ann))


PLACE = "/api/v1/campaigns/rivers"
TELLING = {
    *(f"{PLACE}/{name}" for name in ("agreement", "figures/systems", "release-previews")),
    *(f"{PLACE}/releases/1.1.0/leaderboard?split=*", f"{PLACE}/releases/1.0.0/files/SHA256SUMS"),
    *("/c/rivers/agreement/", "/c/rivers/releases/1.0.0/", "/c/rivers/lab/1/"),
}
# what the rater who flagged the item wrote to the admins
TELLING_ADMINS = {f"{PLACE}/flags", f"{PLACE}/threads/1/messages"}
TELLING_ADMINS |= {"/c/rivers/flags/", "/c/rivers/threads/1/"}
OF_ITEMS = (
    *("?label=equivalent", "?label=not-equivalent", "?vote=not-equivalent", "?rater={ann}"),
    *("?rater={ann}&vote=equivalent", "?disputed=yes", "?unfinished=yes", "?flagged=open"),
    "?guideline=1",
    "?assigned=ann",
    *(f"?state={state}" for state in ("open", "rated", "disputed", "decided", "complete")),
    *(f"?order={order}" for order in ("share", "-share", "label", "-ratings")),
    *("?matcher=f1&differs=yes", "?matcher=f1&order=score", "?q=hills&label=equivalent"),
)
QUERIES: dict[str, tuple[str, ...]] = {
    "items": OF_ITEMS,
    "api-items": OF_ITEMS,
    "items-file": tuple(f"{query}&format=csv" for query in OF_ITEMS),
    "api-items-file": tuple(f"{query}&format=jsonl" for query in OF_ITEMS),
    "item-votes": OF_ITEMS[:4],
    "api-ratings": ("?label=equivalent", "?label=not-equivalent", "?rater={ann}", "?item=item-1"),
    "api-adjudications": ("?item=item-1", "?adjudicator={ann}"),
    "api-leaderboard": ("?split=*", "?split=fold1", "?split=fold4"),
    "release-leaderboard": ("?split=*", "?split=fold1"),
    "adjudicate": tuple(f"?show={shelf}" for shelf in ("waiting", "unfinished", "second", "left")),
    "api-adjudication-queue": ("?shelf=own", "?shelf=unfinished", "?shelf=own&reason=tie"),
    "api-plan": ("?width=0.1",),
    "more": ("?width=0.1",),
    "release-changes": ("?to=1.0.0",),
    "api-release-changes": ("?to=1.0.0",),
}


def calling(world: World) -> Iterator[Request]:
    """Calls whose answer could depend on votes."""
    place = PLACE
    ann = world.campaign.memberships.get(name="ann").pseudonym
    for split in (FOLDS, "document:dev=50,test=50", "document:a=25,b=25,c=25,d=25"):
        yield Request(f"{place}/release-previews", {"split": split})
        yield Request(f"{place}/release-previews", {"split": split, "labels": "adjudicated"})
        yield Request(f"{place}/releases", {"split": split, "version": "1.1.1"})
    for label, own in OF_LABEL.items():
        yield Request(f"{place}/first-looks", {"item": HELD, "answers": own})
        decision = {"item": HELD, "answers": own, "reason": "so it is", "settles_flags": False}
        yield Request(f"{place}/adjudications", decision)
        for rater in ("ann", ann):
            row = {"id": HELD, "rater": rater, "label": label}
            yield Request(f"{place}/imports/ratings?format=jsonl", row)
        row = {"id": HELD, "adjudicator": "dan", "label": label}
        yield Request(f"{place}/imports/adjudications?format=jsonl", row)
    yield Request(f"{place}/evaluations", {"metrics": ["em"]})
    yield Request(f"{place}/evaluations", {"metrics": ["em"], "release": "1.0.0"})
    yield Request(f"{place}/matchers/train", {"kind": "cfmatch"})
    yield Request(f"{place}/seen-votes", {"rater": ann})
    yield Request(f"{place}/seen-votes", {"labels": list(OF_LABEL)})
    yield Request(f"{place}/items/{world.held.pk}/votes", {})


def posting(world: World) -> Iterator[Request]:
    """Pages that one may send a form to, and where it leads."""
    place, held = "/c/rivers", world.held.pk
    ann = world.campaign.memberships.get(name="ann").pseudonym
    draft = {"version": "1.2.0", "seed": 0, "split_by": "text", "split": FOLDS}
    for action in ("preview", "build"):
        fields = draft | {"labels": "majority", "action": action}
        yield Request(f"{place}/releases/new/", fields, is_form=True)
    for page in (
        f"items/{held}",
        f"agreement/raters/{ann}",
        "agreement/goal",
        "agreement/alerts/rules",
        "agreement/alerts/channels",
        "lab",
        "matchers/train",
    ):
        yield Request(f"{place}/{page}/", {}, is_form=True)
    yield Request(f"{place}/adjudicate/{held}/", {"q1": "yes"}, is_form=True)
    for label in OF_LABEL:
        line = json.dumps({"id": HELD, "rater": "ann", "label": label}).encode()
        fields = {"kind": "ratings", "ratings-file": line, "ratings-format": ""}
        yield Request(f"{place}/import/", fields, is_form=True)


@pytest.mark.parametrize("role", mostly(["researcher", "admin"], "admin"))
def test_nothing_tells_who_holds_an_item_what_others_found(
    db: None, tmp_path: Path, figures: str, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, told_idle, requests_sent = in_both_worlds(tmp_path, role, monkeypatch)
    assert requests_sent > 150
    assert not told, told
    if figures == "live":
        # to somebody who has nothing to rate blind, each of these tells it: the worlds differ
        expected = TELLING | (TELLING_ADMINS if role == "admin" else set())
        assert {asked.partition(" ")[0] for asked in told_idle} == expected
