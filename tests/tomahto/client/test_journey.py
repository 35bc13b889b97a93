"""The client against a real site: from the first claim to the files of a release."""

import json
from pathlib import Path

import pytest

from tests.site import running_site
from tomahto.client import Client, Refused
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.faults  # it starts a real server

MAKE = """
import json
from tomahto.interchange.reading.records import ItemRow, Source
from tasks.models import ApiToken, User
from tasks.campaigns.workflow.campaign import add_member, create_campaign
from tasks.intake.workflow.items import import_items

campaign = create_campaign(slug="rivers", protocol="ae", overlap=2)
import_items(campaign=campaign, rows=[
    ItemRow(Source("items", n), f"item-{n}", None, f"document-{n}", f"Question {n}?",
            "A passage.", (f"reference {n}",), f"candidate {n}", ("juniper",))
    for n in range(4)
])
tokens = {}
for name, role in (("ann", "rater"), ("ben", "rater"), ("oak", "researcher")):
    user = User.objects.create(username=name)
    add_member(campaign=campaign, user=user, role=role)
    tokens[name] = ApiToken.issue(user)
print(json.dumps(tokens))
"""
WORK = "from tasks.jobs.work import run_job\nrun_job({job})"


def test_from_the_first_claim_to_the_files_of_a_release(tmp_path: Path) -> None:
    with running_site(tmp_path / "site") as site:
        tokens = json.loads(site.python(MAKE))
        for name in ("ann", "ben"):
            with Client(site.address, tokens[name]) as client:
                rivers = client.campaign("rivers")
                labels = []
                while claim := rivers.claim():
                    answers = {"q1": name == "ann" and claim["item"]["candidate"] == "candidate 0"}
                    if not answers["q1"]:
                        answers["q2"] = True
                    stored = rivers.submit(claim, answers, seconds=1.5)
                    assert rivers.submit(claim, answers, seconds=1.5) == stored
                    labels.append(stored["label"])
                assert labels.count("not-equivalent") == (name == "ann")
                with pytest.raises(Refused, match="403: required role"):
                    rivers.agreement()
        with Client(site.address, tokens["oak"]) as client:
            rivers = client.campaign("rivers")
            assert rivers.agreement()["ratings_per_item"] == {"2": 4}
            assert rivers.figures("raters")["is_current"]
            assert rivers.agreement(source="imported")["ratings_per_item"] == {}
            figures = rivers.figures("time", guideline=0)["figures"]
            assert figures
            assert figures["versions"] == []
            assert (list(rivers.alerts()), list(rivers.adjudications())) == ([], [])
            desk = rivers.next_to_adjudicate()
            assert desk is not None
            assert (desk["item"]["id"], desk["is_blind"], desk["evidence"]) == (
                *("item-0", True),
                None,
            )
            rivers.first_look("item-0", {"q1": True})
            rivers.adjudicate("item-0", {"q1": True}, "It says so.", key=desk["idempotency_key"])
            assert [each["label"] for each in rivers.adjudications()] == ["not-equivalent"]
            assert rivers.next_to_adjudicate() is None
            started = rivers.make_release(version="1.0.0", split="document:dev=50,test=50")
            site.python(WORK.format(job=started["job"]))
            with pytest.raises(Refused) as refused:
                rivers.download("1.0.0", tmp_path / "release")
            assert refused.value.status == 409  # who judges says first that they want all votes
            folder = rivers.download("1.0.0", tmp_path / "release", votes_seen=True)
            assert verify_release(folder) == []
            assert {file["path"] for file in rivers.release("1.0.0")["files"]} == {
                path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
            }
