"""Items that import admits and that are the hardest to show: every page of theirs stays quick."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from django.test import Client

from tasks.adjudication.workflow import adjudicate
from tasks.intake.workflow.items import import_items
from tasks.models import CalibrationAttempt, Campaign, Flag, Item, Membership
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.training.queries import run_of
from tests.factories import make_campaign, make_member
from tests.sampling import mostly
from tests.tasks.browsers import signed_in
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.reading.records import (
    MAX_CONTEXT,
    MAX_LIST,
    MAX_RECORD_SIZE,
    MAX_TEXT,
    GivenAnswer,
)
from tomahto.votes.remarks import Remarks

pytestmark = pytest.mark.slow


SECONDS = 1.0  # of processor time, the best of three; none takes more than 0.2 on a quiet machine
EXACT, INVALID = {"label": "exact"}, {"label": "invalid"}


def repeated(unit: str, size: int) -> str:
    """The unit again and again, without blanks at an end."""
    return (unit * (size // len(unit) + 1))[:size].strip()


def alike(unit: str, references: int = 8) -> dict[str, object]:
    """An item whose texts are as long as they may be and one unit over and over."""
    answers = [repeated(unit, MAX_TEXT - place) for place in range(references)]
    candidate = repeated(unit, MAX_TEXT - 2) + " z"
    return {"context": repeated(unit, MAX_CONTEXT), "references": answers, "candidate": candidate}


TEXTS: dict[str, dict[str, object]] = {
    "letters": alike("a "),
    "no spaces": alike("a"),
    "signs": alike("."),
    "signs and words": alike("a."),
    "periods": alike("a b a c "),
    "lines": alike("a\n\n"),
    "combining marks": alike("e\u0301 "),
    "marks only": alike("\u0301"),
    "characters outside the first plane": alike("\U0001f600"),
    "right to left": alike("אב "),
    "overrides of direction": alike("\u202ea "),
    "overrides alone": alike("\u202e"),
    "longer when folded": alike("ß İ ŉ "),
    "longer when normalised": alike("\ufdfa "),
    "markup": alike("<&\"' "),
    "Markdown": {
        "context": repeated("| $x_{1}$ | **a** [b](https://e.org) |\n|-|-|\n\n", 15_000),
        "references": ["a b"],
        "candidate": "x",
    },
    "words in reverse": {
        "context": " ".join(map(str, range(150_000))),
        "references": [" ".join(map(str, range(3_000)))],
        "candidate": " ".join(map(str, reversed(range(3_000)))),
    },
    "few words that never meet": {
        "context": repeated("x y z ", MAX_CONTEXT),
        "references": [repeated("x y z ", 480)],
        "candidate": repeated("z y x ", 480),
    },
    "many references": {
        "context": repeated("a b ", MAX_CONTEXT),
        "references": [repeated(f"a {number} b ", 90) for number in range(MAX_LIST)],
        "candidate": repeated("b a ", MAX_TEXT),
    },
    "references that begin alike": {
        "context": repeated("a ", MAX_CONTEXT),
        "references": [repeated("a ", MAX_TEXT - 8) + f" {place}" for place in range(300)],
        "candidate": repeated("a ", MAX_TEXT),
    },
}


def import_hard(campaign: Campaign, folder: Path, fields: dict[str, object]) -> None:
    """A live item and a calibration item with these texts, as import reads them from a file."""
    line = {"id": "hard", "question": repeated("why ", MAX_TEXT), "systems": ["juniper"], **fields}
    text = json.dumps(line, ensure_ascii=False)
    assert len(text.encode()) < MAX_RECORD_SIZE
    path = folder / "items.jsonl"
    path.write_text(text, encoding="utf-8")
    (row,) = read_items(path, format=None, name=path.name)
    import_items(campaign=campaign, rows=[row])
    to_learn = replace(row, id="learn", purpose="calibration", expected=GivenAnswer("exact"))
    import_items(campaign=campaign, rows=[to_learn])


def quickest(call: Callable[[], object]) -> float:
    """The processor time of a call, tried again where something else may have slowed it down."""
    best = float("inf")
    for _time in range(3):
        began = time.process_time()
        call()
        best = min(best, time.process_time() - began)
        if best < SECONDS:
            break
    return best


def rated_by(member: Membership, answers: Mapping[str, str]) -> int:
    """The assignment of a member who has rated the only item."""
    claim = claim_item(membership=member)
    assert claim is not None
    submit_rating(
        assignment_id=claim.assignment_id,
        membership=member,
        answers=answers,
        idempotency_key=f"key-{member.pk}",
        remarks=Remarks(comment=repeated("because ", MAX_TEXT)),
    )
    return claim.assignment_id


def calibration_pages(client: Client, start: str) -> Iterator[str]:
    """The form of the item, what was expected, and the result."""
    client.post(f"{start}start/")
    attempt = CalibrationAttempt.objects.latest("pk")
    item = run_of(attempt).next_item
    assert item is not None
    address = f"{start}{attempt.number}/{item.pk}/"
    yield address
    client.post(address, {"action": "submit", "asked": "label", "label": "invalid"})
    yield from (address, start)


@pytest.mark.parametrize("name", mostly(TEXTS, "signs and words", "words in reverse", "Markdown"))
def test_every_page_of_an_item_that_import_admits_is_quick(
    name: str, db: None, tmp_path: Path
) -> None:
    campaign = make_campaign("rivers", protocol="cap", overlap=3)
    import_hard(campaign, tmp_path, TEXTS[name])
    pine, ash, elm = (make_member(campaign, "rater", each) for each in ("pine", "ash", "elm"))
    oak, fern = (make_member(campaign, "admin", each) for each in ("oak", "fern"))
    assignment = rated_by(pine, EXACT)
    rated_by(ash, INVALID)
    item = Item.objects.get(key="hard")
    Flag.objects.create(item=item, rater=pine, reason="broken")
    Campaign.objects.update(adjudicates_blind=False, passages_are_markdown=True)
    fern.campaign.refresh_from_db()
    adjudicate(item=item, adjudicator=fern, answers=EXACT, reason="so", idempotency_key="decision")
    rater, reviser, admin = (signed_in(each) for each in (elm, pine, oak))
    base, api = "/c/rivers", "/api/v1/campaigns/rivers"
    pages = [
        (rater, f"{base}/rate/"),
        (reviser, f"{base}/rate/{assignment}/"),
        (reviser, f"{base}/history/"),
        (admin, f"{base}/items/{item.pk}/"),
        (admin, f"{base}/flags/"),
        (admin, f"{base}/agreement/raters/{pine.pseudonym}/"),
        (admin, f"{base}/items/?vote=exact&other_vote=invalid"),
        (admin, f"{base}/adjudicate/"),
        (admin, f"{base}/adjudicate/{item.pk}/"),
        (admin, f"{base}/adjudicate/decided/"),
        (admin, f"{api}/items"),
        (admin, f"{api}/items/{item.pk}"),
        (admin, f"{api}/items/{item.pk}/votes"),
        (admin, f"{api}/adjudications/item?item=hard"),
    ]
    took = {address: quickest(partial(shown, client, address)) for client, address in pages}
    Campaign.objects.update(requires_calibration=True)
    for step, address in enumerate(calibration_pages(rater, f"{base}/calibration/")):
        took[f"{address} {step}"] = quickest(partial(shown, rater, address))
    assert {address: seconds for address, seconds in took.items() if seconds > SECONDS} == {}


def shown(client: Client, address: str) -> None:
    assert client.get(address).status_code == 200, address
