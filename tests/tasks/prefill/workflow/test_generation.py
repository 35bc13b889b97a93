"""Drafts of a model: kept apart, balanced, never twice, and items only once a person approves."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F

from tasks.intake.workflow.questions import import_questions
from tasks.models import (
    Campaign,
    Candidate,
    GeneratedKind,
    GeneratedState,
    GeneratedText,
    Item,
    ItemSystem,
    Rating,
    Slot,
)
from tasks.prefill.workflow.generation import (
    GenerationRefused,
    Progress,
    approve,
    generate,
    reject,
)
from tests.chat_server import endpoint, fails, says, says_of
from tests.http_server import LocalServer, local_server
from tests.injections import INJECTIONS
from tests.tasks.conftest import MakeCampaign, MakeMember
from tomahto.endpoint.reply import EndpointUnavailable
from tomahto.generation.candidates import CLASSES
from tomahto.generation.rules import Seed
from tomahto.interchange.reading.records import QuestionRecord, Source

pytestmark = pytest.mark.slow


CANDIDATES, STATEMENTS, RULES = GeneratedKind


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as server:
        yield server


def add_questions(campaign: Campaign, count: int) -> None:
    records = [
        QuestionRecord(
            source=Source("questions.jsonl", n),
            key=f"q{n}",
            document=f"d{n}",
            text=f"Where is number {n}?",
            context=f"Number {n} is in the north.",
            references=(f"in place {n}", f"place {n} of the north"),
            answer_starts=(None, None),
        )
        for n in range(1, count + 1)
    ]
    import_questions(campaign=campaign, records=records)


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=0, protocol="cap")
    add_questions(campaign, 8)
    return campaign


def obedient(system: str, user: str) -> str:
    """A model that writes what is asked: the reference, or another text for every class."""
    label = system.partition("Class: ")[2].partition("\n")[0]
    items = json.loads(user)
    return json.dumps(
        [i["reference"] if label == "exact" else f"{label} of {i['reference']}" for i in items]
    )


def run(
    campaign: Campaign,
    server: LocalServer,
    number: int,
    kind: GeneratedKind = CANDIDATES,
    cache: Path | None = None,
) -> list[Progress]:
    chat = endpoint(server, cache=cache, requests_per_minute=100_000)
    return list(generate(campaign=campaign, kind=kind, number=number, endpoint=chat))


def by_state() -> Counter[str]:
    return Counter(GeneratedText.objects.values_list("state", flat=True))


def test_every_class_gets_as_many_drafts_and_nothing_becomes_an_item(
    campaign: Campaign, server: LocalServer
) -> None:
    server.otherwise = says_of(obedient)
    progress = run(campaign, server, 2)
    assert (progress[0], progress[-1]) == (Progress(0, 16), Progress(16, 16))
    texts = GeneratedText.objects.select_related("source")
    assert Counter(text.target for text in texts) == dict.fromkeys(CLASSES, 2)
    # 16 drafts from 8 questions: each is used twice
    assert set(Counter(text.source_id for text in texts).values()) == {2}
    assert by_state() == {GeneratedState.PENDING: 16}
    assert {text.system for text in texts} == {"finch-7b"}
    assert all(text.provenance["prompt"] for text in texts)
    assert (Item.objects.count(), Slot.objects.count(), Candidate.objects.count()) == (0, 0, 0)


def test_doing_it_again_asks_for_nothing(campaign: Campaign, server: LocalServer) -> None:
    server.otherwise = says_of(obedient)
    run(campaign, server, 2)
    asked = len(server.received)
    assert run(campaign, server, 2)[-1] == Progress(16, 16)
    assert (len(server.received), GeneratedText.objects.count()) == (asked, 16)


def test_a_job_that_broke_off_goes_on_where_it_was(campaign: Campaign, server: LocalServer) -> None:
    replies = iter([True, True, True])
    answer = says_of(obedient)
    server.otherwise = lambda request: answer(request) if next(replies, False) else fails(500)
    with pytest.raises(EndpointUnavailable):
        run(campaign, server, 2)
    assert GeneratedText.objects.count() == 6
    server.otherwise = answer
    assert run(campaign, server, 2)[-1] == Progress(16, 16)


def test_a_reply_that_came_before_a_job_broke_off_is_not_asked_for_again(
    make_campaign: MakeCampaign, server: LocalServer, tmp_path: Path
) -> None:
    campaign = make_campaign(items=0, protocol="rules")
    replies = iter([True, True, True])  # the fourth is the second verdict on the second pair
    answer = says_of(usable)
    server.otherwise = lambda request: answer(request) if next(replies, False) else fails(500)
    with pytest.raises(EndpointUnavailable):
        run(campaign, server, 2, RULES, tmp_path)
    assert GeneratedText.objects.count() == 1
    server.otherwise = answer
    assert run(campaign, server, 2, RULES, tmp_path)[-1] == Progress(14, 14)
    asked = [str(request.json["messages"]) for request in server.received]
    written = [messages for messages in asked if "You judge" not in messages]
    assert (len(written), len(set(written))) == (14, 14)


def test_what_is_not_of_the_class_is_replaced_and_kept_as_a_failure(
    campaign: Campaign, server: LocalServer
) -> None:
    """The model repeats one answer for `invalid` once; balance is kept all the same."""

    def slips_once(system: str, user: str) -> str:
        slip = "Class: invalid\n" in system and not slipped
        if slip:
            slipped.append(1)
            return json.dumps([i["reference"] for i in json.loads(user)])
        return obedient(system, user)

    slipped: list[int] = []
    server.otherwise = says_of(slips_once)
    assert run(campaign, server, 2)[-1] == Progress(16, 16)
    assert by_state() == {GeneratedState.PENDING: 16, GeneratedState.FAILED: 2}
    failed = GeneratedText.objects.filter(state=GeneratedState.FAILED)
    assert {text.error for text in failed} == {
        "the answer matches a reference exactly, which is not invalid"
    }
    assert all("in place" in text.provenance["raw_reply"] for text in failed)


def test_a_model_that_never_obeys_makes_failures_and_the_job_ends(
    campaign: Campaign, server: LocalServer
) -> None:
    server.otherwise = lambda _: says("I'd rather not.\x00")
    made = run(campaign, server, 1)[-1]
    assert made == Progress(0, 8, dict.fromkeys(CLASSES, 1), {"the reply is not JSON": 24})
    assert set(by_state()) == {GeneratedState.FAILED}
    failed = GeneratedText.objects.first()
    assert failed is not None
    assert (failed.candidate, failed.question) == ("", "")
    assert failed.error.startswith("the reply is not JSON")
    assert "I'd rather not." in failed.provenance["raw_reply"]


def usable(system: str, user: str) -> str:
    """One text of the kind that is asked for; the second verdict is the first."""
    if "Class: " in system:
        return obedient(system, user)
    if system.startswith("You judge"):
        return json.dumps([pair["candidate"] for pair in json.loads(user)])
    question = f"{crc32(f'{system} {user}'.encode())} {crc32(user.encode())} _____"
    if label := system.partition("the candidate is ")[2].partition("\n")[0]:
        return json.dumps([{"question": question, "reference": "that", "candidate": label}])
    return json.dumps([{"question": question, "answer": "yes", "statement": "It is so."}])


REFUSED = "I'm sorry, but I can't help with that."
ASKS = json.dumps([{"question": "_____", "answer": "yes", "statement": "Is it?"}] * 2)


def verdicts_refused(system: str, user: str) -> str:
    """A pair that cannot be meant, and two whose verdicts the model does not give again."""
    if system.startswith("You judge"):
        return REFUSED
    same = {"question": "Which?", "reference": "that", "candidate": "that"}
    return json.dumps([same, *json.loads(usable(system, user)) * 2])


@pytest.mark.parametrize(
    ("protocol", "kind", "number", "says_now", "replies", "reasons"),
    [
        ("cap", CANDIDATES, 2, lambda *_: REFUSED, 24, {"the reply is not JSON": 24}),
        ("statement", STATEMENTS, 9, lambda *_: REFUSED, 24, {"the reply is not JSON": 24}),
        ("statement", STATEMENTS, 9, lambda *_: "[]", 24, {"the reply is an empty array": 24}),
        (
            "statement",
            STATEMENTS,
            9,
            lambda *_: ASKS,
            24,
            {"the statement holds a question mark": 27},
        ),
        ("rules", RULES, 2, lambda *_: REFUSED, 36, {"the reply is not JSON": 36}),
        (
            "rules",
            RULES,
            8,
            verdicts_refused,
            36,
            {
                "in the verification, the reply is not JSON": 36,
                "the candidate matches the reference exactly": 36,
                "the reply contains fewer texts than requested": 22,
            },
        ),
    ],
)
def test_a_model_that_repeats_itself_is_asked_anew(
    make_campaign: MakeCampaign,
    server: LocalServer,
    tmp_path: Path,
    protocol: str,
    kind: GeneratedKind,
    number: int,
    says_now: Callable[[str, str], str],
    replies: int,
    reasons: dict[str, int],
) -> None:
    """Replies are cached. Every one that came is a failure and is counted once; none is taken for
    the reply to a later request."""
    campaign = make_campaign(items=0, protocol=protocol)
    add_questions(campaign, 8)
    server.otherwise = says_of(says_now)
    assert run(campaign, server, number, kind, tmp_path)[-1].reasons == reasons
    asked = [request.json["messages"] for request in server.received]
    assert sum("You judge" not in str(messages) for messages in asked) == replies
    stored = Counter(
        text.error.partition(": ")[0] for text in GeneratedText.objects.filter(state="failed")
    )
    short = "the reply contains fewer texts than requested"
    assert stored == {reason: n for reason, n in reasons.items() if reason != short}
    server.otherwise = says_of(usable)
    for _ in range(5):  # a model that writes one text a time takes some rounds
        last = run(campaign, server, number, kind, tmp_path)[-1]
    assert last == Progress(last.wanted, last.wanted)
    asked_so_far = len(server.received)
    assert run(campaign, server, number, kind, tmp_path) == [last]
    assert len(server.received) == asked_so_far


def test_more_answers_of_a_class_than_there_are_questions_are_missing(
    campaign: Campaign, server: LocalServer
) -> None:
    server.otherwise = says_of(obedient)
    assert run(campaign, server, 9)[-1] == Progress(
        64, 72, dict.fromkeys(CLASSES, 1), {"no question of the campaign is left for this text": 8}
    )


def test_the_same_answer_for_two_classes_is_a_failure(
    campaign: Campaign, server: LocalServer
) -> None:
    server.otherwise = says_of(
        lambda system, user: (
            obedient(system, user)
            if "Class: exact\n" in system
            else json.dumps(["always this"] * len(json.loads(user)))
        )
    )
    made = run(campaign, server, 8)[-1]
    assert (made.done, made.wanted) == (16, 64)
    assert sum(made.missing.values()) == 48
    assert set(made.reasons) == {"the question has the same answer already"}
    kept = GeneratedText.objects.filter(state=GeneratedState.PENDING).exclude(target="exact")
    # eight questions, and each can have that answer once
    assert kept.count() == 8
    assert kept.values("source").distinct().count() == 8
    errors = GeneratedText.objects.filter(state=GeneratedState.FAILED)
    assert {text.error for text in errors} == {
        "the question has the same answer already: always this"
    }


def test_statements_fill_their_cells_without_near_duplicates(
    make_campaign: MakeCampaign, server: LocalServer
) -> None:
    campaign = make_campaign(items=0, protocol="statement")

    def triples(system: str, user: str) -> str:
        made.append(user)
        n = len(made)
        blank = " _____" if "blank" in user else ""
        one = {"question": f"Question {n} about {n * 7}{blank}", "answer": "yes",
               "statement": f"Statement {n} is so."}  # fmt: skip
        same = {**one, "question": f"question {n}, about the {n * 7}{blank}!"}
        return json.dumps([one, same])

    made: list[str] = []
    server.otherwise = says_of(triples)
    progress = run(campaign, server, 40, STATEMENTS)
    assert progress[-1].wanted == 40
    kept = GeneratedText.objects.filter(state=GeneratedState.PENDING)
    failed = GeneratedText.objects.filter(state=GeneratedState.FAILED)
    assert progress[-1].done == kept.count()
    assert sum(progress[-1].missing.values()) == 40 - kept.count()
    assert set(progress[-1].reasons) == {
        "the question is a near-duplicate of an existing one",
        "the reply contains fewer texts than requested",
    }
    assert Counter(text.question_type for text in kept).keys() == {
        "short-question", "sentence-to-complete", "long-question", "blank-spaces-task",
    }  # fmt: skip
    assert failed.exists()
    assert all(text.error.startswith("the question is a near-duplicate") for text in failed)


def pairs_of(made: list[str], *, verdict: str) -> Callable[[str, str], str]:
    """A model that writes ten pairs a time, and finds all of them of this verdict."""

    def pairs(system: str, user: str) -> str:
        if system.startswith("You judge"):
            return json.dumps([verdict] * len(json.loads(user)))
        made.append(user)
        return json.dumps([
            {"question": f"What about {len(made)} and {n}?", "reference": "that",
             "candidate": "this"}
            for n in range(10)
        ])  # fmt: skip

    return pairs


def test_rule_pairs_count_where_both_verdicts_are_the_same(
    make_campaign: MakeCampaign, server: LocalServer
) -> None:
    campaign = make_campaign(items=0, protocol="rules")
    made: list[str] = []
    server.otherwise = says_of(pairs_of(made, verdict="correct"))
    # of five rules the correct pair of two is confirmed, and two pairs of other-answers
    two_labels = ("aliasing", "numerical", "fewer-details", "more-details", "semantic")
    assert run(campaign, server, 2, RULES)[-1] == Progress(
        7,
        14,
        {**{f"{rule}/incorrect": 1 for rule in two_labels}, "irrelevant/incorrect": 2},
        {
            "the second verdict differs from the first, so a person has to approve it": 15,
            "the verification says correct, not incorrect": 4,
        },
    )
    pending = GeneratedText.objects.filter(state=GeneratedState.PENDING)
    assert all(text.provenance["verification"]["raw_reply"] for text in pending)
    same = pending.exclude(provenance__has_key="written_for")
    assert Counter(text.target for text in same) == {
        **dict.fromkeys(
            ["aliasing/correct", "numerical/correct", "fewer-details/correct",
             "more-details/correct", "semantic/correct"], 1
        ),
        "other-answers/correct": 2,
    }  # fmt: skip
    # each of the three rounds asked again for the incorrect one; it is kept under what was said
    differs = pending.filter(provenance__has_key="written_for")
    assert Counter((text.target, text.provenance["written_for"]) for text in differs) == {
        (f"{rule}/correct", f"{rule}/incorrect"): 3
        for rule in ("aliasing", "numerical", "fewer-details", "more-details", "semantic")
    }
    # the series in a request is never that of an earlier one, whose reply might be a kept one
    asked = [request.json["messages"] for request in server.received]
    assert len(set(map(str, asked))) == len(asked)


def test_rule_pairs_are_seeds_of_the_next_round(
    make_campaign: MakeCampaign, make_member: MakeMember, server: LocalServer
) -> None:
    campaign = make_campaign(items=0, protocol="rules")
    server.otherwise = says_of(pairs_of([], verdict="correct"))
    chat = endpoint(server, requests_per_minute=100_000)
    own = Seed("seed 1", "other-answers", "What about 4 and 2?", "a", "b", "correct")
    asked: dict[str, Any] = {"campaign": campaign, "kind": RULES, "endpoint": chat, "seeds": [own]}
    list(generate(number=3, rounds=2, **asked))
    texts = GeneratedText.objects.filter(target="other-answers/correct", question__gt="")
    by_round = {text.provenance["round"]: text for text in texts.order_by("id")}
    first = [f"generated text {text.pk}" for text in texts if text.provenance["round"] == 1]
    assert len(first) == 2  # half of three, and the rest
    assert by_round[1].provenance["seeds"] == ["seed 1"]
    assert sorted(by_round[2].provenance["seeds"]) == sorted(["seed 1", *first])
    # none repeats a seed's question
    assert not GeneratedText.objects.filter(question=own.question).exists()
    # another job goes on counting, and a rejected pair is no seed any more
    gone = by_round[2]
    GeneratedText.objects.filter(pk=gone.pk).update(
        state="rejected",
        reviewed_by=make_member(campaign, role="admin"),
        reviewed_at=gone.created_at,
    )
    list(generate(number=3, rounds=1, **asked))
    again = GeneratedText.objects.filter(target=gone.target).order_by("-id")[0]
    assert again.provenance["round"] == 3
    assert f"generated text {gone.pk}" not in again.provenance["seeds"]


@pytest.mark.parametrize(
    ("protocol", "kind", "reason"),
    [
        ("ae", CANDIDATES, "candidates are for campaigns of the protocol cap, and this one is ae"),
        ("cap", STATEMENTS, "statements are for campaigns of the protocol statement"),
        ("cap", RULES, "rules are for campaigns of the protocol rules or ae"),
        ("cap", CANDIDATES, "no question with a reference"),
    ],
)
def test_what_the_campaign_cannot_rate_is_refused(
    make_campaign: MakeCampaign,
    server: LocalServer,
    protocol: str,
    kind: GeneratedKind,
    reason: str,
) -> None:
    campaign = make_campaign(items=0, protocol=protocol)
    with pytest.raises(GenerationRefused, match=reason):
        run(campaign, server, 1, kind)
    assert server.received == []


# --- review ---------------------------------------------------------------------------------


def test_approving_makes_items_of_the_model_and_rejecting_none(
    campaign: Campaign, server: LocalServer, make_member: MakeMember
) -> None:
    admin = make_member(campaign, role="admin")
    server.otherwise = says_of(obedient)
    run(campaign, server, 1)
    first, second, third, *_ = GeneratedText.objects.order_by("id")
    intake = approve(campaign=campaign, ids=[first.pk, second.pk, first.pk], by=admin)
    assert (intake.items_created, intake.items_existing) == (2, 0)
    assert reject(campaign=campaign, ids=[second.pk, third.pk], by=admin) == 1
    assert approve(campaign=campaign, ids=[first.pk, third.pk], by=admin).items_created == 0
    items = Item.objects.select_related("question__document").order_by("id")
    assert [(i.candidate, i.question.key, i.question.document.key) for i in items] == [
        (t.candidate, t.source.key, t.source.document.key)
        for t in (first, second)
        if t.source is not None
    ]
    assert [i.intended for i in items] == [first.target, second.target]
    assert items[0].references == items[0].question.references
    systems = ItemSystem.objects.values_list("system__name", flat=True)
    assert list(systems) == ["finch-7b", "finch-7b"]
    assert Slot.objects.count() == 4
    assert by_state() == {"approved": 2, "rejected": 1, "pending": 5}
    third.refresh_from_db()
    assert (third.reviewed_by, third.reviewed_at is None) == (admin, False)


def test_a_rejected_draft_is_replaced_by_another_question(
    campaign: Campaign, server: LocalServer, make_member: MakeMember
) -> None:
    server.otherwise = says_of(obedient)
    run(campaign, server, 1)
    draft = GeneratedText.objects.get(target="partial")
    reject(campaign=campaign, ids=[draft.pk], by=make_member(campaign, role="admin"))
    assert run(campaign, server, 1)[-1] == Progress(8, 8)
    again = GeneratedText.objects.get(target="partial", state=GeneratedState.PENDING)
    assert again.source_id != draft.source_id


def test_a_statement_brings_its_own_question_and_document(
    make_campaign: MakeCampaign, server: LocalServer, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=0, protocol="statement")
    triple = {"question": "What is it _____?", "answer": "that", "statement": "It is that."}
    server.otherwise = lambda _: says(json.dumps([triple]))
    run(campaign, server, 1, STATEMENTS)
    [draft] = GeneratedText.objects.filter(state=GeneratedState.PENDING)
    approve(campaign=campaign, ids=[draft.pk], by=make_member(campaign, role="admin"))
    item = Item.objects.select_related("question__document").get()
    assert (item.question.text, item.references, item.candidate, item.question.question_type) == (
        "What is it _____?", ["that"], "It is that.", draft.question_type,
    )  # fmt: skip
    assert item.question.document.key == item.question.key
    assert item.intended == draft.target == "General knowledge/short-question"


def test_drafts_of_another_campaign_stay_as_they_are(
    campaign: Campaign, server: LocalServer, make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    other = make_campaign(items=0, protocol="cap")
    stranger = make_member(other, role="admin")
    server.otherwise = says_of(obedient)
    run(campaign, server, 1)
    ids = list(GeneratedText.objects.values_list("pk", flat=True))
    assert approve(campaign=other, ids=ids, by=stranger).items_created == 0
    assert reject(campaign=other, ids=ids, by=stranger) == 0
    assert by_state() == {"pending": 8}


def test_failures_cannot_be_approved(
    campaign: Campaign, server: LocalServer, make_member: MakeMember
) -> None:
    server.otherwise = lambda _: says("no")
    run(campaign, server, 1)
    ids = list(GeneratedText.objects.values_list("pk", flat=True))
    approve(campaign=campaign, ids=ids, by=make_member(campaign, role="admin"))
    assert (Item.objects.count(), set(by_state())) == (0, {"failed"})


def test_the_database_refuses_a_draft_that_is_approved_by_nobody(
    campaign: Campaign, server: LocalServer
) -> None:
    server.otherwise = says_of(obedient)
    run(campaign, server, 1)
    for wrong in ({"state": "approved"}, {"state": "failed"}, {"error": "x"}, {"candidate": ""},
                  {"kind": "other"}, {"reviewed_at": F("created_at")}):  # fmt: skip
        with pytest.raises(IntegrityError), transaction.atomic():
            GeneratedText.objects.update(**wrong)


def test_whatever_a_hostile_model_writes_stays_an_unapproved_draft_with_provenance(
    make_campaign: MakeCampaign, server: LocalServer
) -> None:
    """50 injections in questions and passages, and a model that repeats every one of them."""
    campaign = make_campaign(items=0, protocol="cap")
    import_questions(
        campaign=campaign,
        records=[
            QuestionRecord(Source("q.jsonl", n), f"q{n}", f"d{n}", text, text, ("yes",), (None,))
            for n, text in enumerate(INJECTIONS, start=1)
        ],
    )
    server.otherwise = says_of(
        lambda system, user: json.dumps([item["question"] for item in json.loads(user)])
    )
    run(campaign, server, 50)
    texts = GeneratedText.objects.all()
    assert set(by_state()) == {GeneratedState.PENDING, GeneratedState.FAILED}
    assert all(text.provenance["model"] == "finch-7b" for text in texts)
    assert all(text.provenance["raw_reply"] for text in texts)
    assert all((text.reviewed_by_id, text.reviewed_at) == (None, None) for text in texts)
    # every injection was written down once, bar the one too long for an answer
    kept = texts.filter(state=GeneratedState.PENDING).values_list("candidate", flat=True)
    assert sorted(kept) == sorted(t.strip() for t in INJECTIONS if len(t.strip()) <= 2000)
    assert (Item.objects.count(), Candidate.objects.count(), Rating.objects.count()) == (0, 0, 0)
