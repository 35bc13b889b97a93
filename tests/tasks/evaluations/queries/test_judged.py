"""The lab's part of a campaign: labels of live items, and exact answers."""

import hashlib

import pytest

from tasks.evaluations.queries.judged import judged_data_of_campaign, judged_splits
from tasks.intake.workflow.candidates import import_predictions
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.models import Campaign, Item, ItemPurpose, Question
from tests.bulk import make_large_campaign
from tests.sampling import mostly
from tests.tasks.adjudication.acts import decide, vote
from tests.tasks.conftest import EQUIVALENT, YES_DIFFERENT, MakeCampaign, MakeMember, item_row
from tests.tasks.intake.questions import question
from tests.tasks.statements import statements
from tomahto.interchange.reading.records import PredictionRecord, Source
from tomahto.lab.judged import JudgedItem, Votes
from tomahto.releases.records.records import AnsweredQuestion, AnswerRecord

pytestmark = pytest.mark.slow


# votes, decisions, whether questions share items, questions, candidates, items of answers, rated
# items, keys of live items
QUERIES = 8


def judged(number: int, label: str = "equivalent", **changes: object) -> JudgedItem:
    fields = {
        "id": f"item-{number}",
        "question_id": f"question-{number}",
        "document": f"document-{number % 3}",
        "question": f"Question {number}?",
        "context": f"Passage {number}.",
        "references": (f"reference {number}",),
        "candidate": f"candidate {number}",
        "systems": ("juniper",),
        "split": "",
        "label": label,
        "is_right": label == "equivalent",
        "reference_index": 0,
    }
    return JudgedItem(**{**fields, **changes})  # type: ignore[arg-type]  # named fields


def test_rated_live_items_have_their_majority_label(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=5, overlap=3)
    vote(campaign, 2, "een")
    vote(campaign, 1, "nne")
    vote(campaign, 3, "en")
    vote(campaign, 4, "e")
    Item.objects.filter(key="item-4").update(purpose=ItemPurpose.CONTROL)
    Question.objects.filter(key="question-1").update(split="dev")
    import_items(campaign=campaign, rows=[item_row(2, systems=("larch", "juniper"))])
    data = judged_data_of_campaign(campaign)
    assert data.items == (
        judged(1, "not-equivalent", split="dev"),
        judged(2, systems=("juniper", "larch")),
    )
    assert data.votes == [Votes(1, 2), Votes(2, 1)]
    assert (data.ties, data.protocol) == (1, "ae")
    assert data.majority == {"item-1": "not-equivalent", "item-2": "equivalent", "item-3": None}
    assert (data.name, data.correct_labels) == (campaign.title, frozenset({"equivalent"}))
    assert judged_splits(campaign) == ["dev"]


def test_what_adjudicators_agree_on_comes_before_votes(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=4, adjudicates_blind=False)
    oak, elm = (make_member(campaign, name, role="admin") for name in ("oak", "elm"))
    for number, votes in {1: "ee", 2: "en", 3: "ee"}.items():
        vote(campaign, number, votes)
    decide(oak, 1, YES_DIFFERENT)  # against both voters
    decide(oak, 2, EQUIVALENT)  # settles a tie
    decide(oak, 3, YES_DIFFERENT)
    decide(elm, 3, EQUIVALENT)  # they differ, and the votes stand
    decide(oak, 4, EQUIVALENT)  # nobody voted: no release has it
    data = judged_data_of_campaign(campaign)
    assert data.items == (judged(1, "not-equivalent"), judged(2), judged(3))
    assert data.label_sources == {
        "adjudicated": ["not-equivalent", "equivalent", "equivalent"],
        "majority": ["equivalent", None, "equivalent"],
    }
    assert data.ties == 0


def test_classes_have_further_sources_of_labels(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=3, protocol="cap")
    given = {1: ("partial", "partial"), 2: ("exact", "invalid"), 3: ("exact", "exact")}
    for number, labels in given.items():
        vote(campaign, number, "ee", answers=[{"label": label} for label in labels])
    Item.objects.filter(key="item-1").update(intended="exact")
    Item.objects.filter(key="item-3").update(intended="Biology/short-question")
    data = judged_data_of_campaign(campaign)
    assert [item.id for item in data.items] == ["item-1", "item-3"]  # item 2 is tied
    assert data.tie_sources == {"dawid-skene": ["exact"]}
    assert data.label_sources == {
        "adjudicated": ["partial", "exact"],
        "dawid-skene": ["partial", "exact"],
    }
    raters = campaign.memberships.filter(ratings__isnull=False).distinct()
    assert data.part_sources == {
        "synthetic": ["exact", None],
        **{rater.pseudonym: ["partial", "exact"] for rater in raters},
    }
    assert len(data.part_sources) == 3
    Item.objects.filter(key="item-1").update(intended="partial")
    assert judged_data_of_campaign(campaign).digest != data.digest


def test_adjudicators_of_ties_alone_are_a_source_of_some_items(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=2, protocol="cap", adjudicates_blind=False)
    vote(campaign, 1, "ee", answers=[{"label": "partial"}] * 2)
    vote(campaign, 2, "ee", answers=[{"label": "exact"}, {"label": "invalid"}])
    decide(make_member(campaign, "elm", role="admin"), 2, {"label": "exact"})
    data = judged_data_of_campaign(campaign)
    assert list(data.label_sources) == ["adjudicated", "majority", "dawid-skene"]
    assert data.part_sources["adjudicators"] == [None, "exact"]


def test_all_answers_come_beside_items(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    import_questions(campaign=campaign, records=[question(n) for n in (1, 2)])
    asked = Question.objects.get(key=question(2).key)
    for system, texts in {
        "larch": ("nowhere", asked.references[0]),
        "elm": ("far", "away"),
    }.items():
        records = [
            PredictionRecord(Source("p.json", n), f"q{n}", text)
            for n, text in enumerate(texts, start=1)
        ]
        import_predictions(campaign=campaign, system=system, records=records)
    data = judged_data_of_campaign(campaign)
    settled = {answer.key[:2]: (answer.settled, len(answer.items)) for answer in data.answers}
    (first, second) = sorted(Question.objects.values_list("key", flat=True))
    assert settled == {
        (first, "elm"): ("rated", 2),
        (first, "larch"): ("rated", 2),
        (second, "elm"): ("rated", 2),
        (second, "larch"): ("exact", 0),
    }
    (exact,) = (answer for answer in data.answers if answer.settled == "exact")
    assert exact == AnswerRecord(
        AnsweredQuestion(
            asked.key, asked.document.key, asked.text, asked.context, tuple(asked.references)
        ),
        "larch",
        "one",
        "exact",
    )
    assert (data.items, data.systems) == ((), ("elm", "larch"))


def test_the_digest_is_that_of_the_content_alone(make_campaign: MakeCampaign) -> None:
    """The same figure on both databases, and worked out by hand here."""
    first, second = make_campaign(items=2), make_campaign(items=0)
    import_items(campaign=second, rows=[item_row(n) for n in (2, 1)])
    for campaign in (first, second):
        vote(campaign, 2, "e")
    second.title = "Another name"
    second.save()
    line = (
        '{"candidate":"candidate 2","context":"Passage 2.","document":"document-2","id":"item-2",'
        '"intended":"","is_right":true,"label":"equivalent","question":"Question 2?",'
        '"question_id":"question-2","reference_index":0,"references":["reference 2"],"split":"",'
        '"systems":["juniper"],"votes":[1,0]}'
    )
    terms = '{"format":"tomahto judged answers 3","protocol":"ae"}'
    majority = '{"majority":{"item-2":"equivalent"}}'
    answers = [
        f'{{"answer":["question-{n}","juniper","candidate {n}"],"items":["item-{n}"],'
        f'"references":["reference {n}"],"settled":"rated"}}'
        for n in (1, 2)
    ]
    expected = hashlib.sha256(
        "".join(f"{each}\n" for each in (terms, line, majority, *answers)).encode()
    ).hexdigest()
    assert {judged_data_of_campaign(each).digest for each in (first, second)} == {expected}
    vote(first, 1, "n")
    assert judged_data_of_campaign(first).digest != expected


@pytest.mark.parametrize("items", mostly([10, 300, 2100], 10, 300))
def test_it_costs_the_same_statements_in_every_campaign(db: None, items: int) -> None:
    campaign = make_large_campaign("large", items=items, rated=items, overlap=2, raters=3)
    number, data = statements(lambda: judged_data_of_campaign(campaign))
    assert number == QUERIES
    assert len(data.items) + data.ties == items
    assert {answer.system for answer in data.answers} == set(data.systems)


def test_a_campaign_without_ratings_has_no_items(make_campaign: MakeCampaign) -> None:
    campaign: Campaign = make_campaign(items=1)
    assert judged_data_of_campaign(campaign).items == ()


def test_rules_are_those_that_counted_ratings_with_the_label_chose(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=2, protocol="rules", overlap=3)
    said = (
        {"label": "correct", "rules": "semantic"},
        {"label": "correct", "rules": "aliasing+semantic"},
        {"label": "incorrect", "rules": "numerical"},
        {"label": "correct", "rules": "more-details"},
    )
    vote(campaign, 1, "eee", "e", answers=said)
    before = judged_data_of_campaign(campaign)
    assert before.decided_by is not None
    assert before.decided_by.by_item == {"item-1": ("aliasing", "semantic")}
    assert before.decided_by.rules[:2] == ("aliasing", "numerical")
    vote(campaign, 2, "eee", answers=[{"label": "incorrect", "rules": "irrelevant"}] * 3)
    after = judged_data_of_campaign(campaign)
    assert after.decided_by is not None
    assert after.decided_by.by_item["item-2"] == ("irrelevant",)
    assert judged_data_of_campaign(make_campaign()).decided_by is None
