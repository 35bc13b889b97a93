"""Answers of one class: what is asked, what is checked, and how questions are shared out."""

import json
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.protocols import get_protocol
from tests.chat_server import endpoint, fails, says
from tests.http_server import Act, LocalServer, answers
from tests.injections import INJECTIONS
from tomahto.generation.candidates import (
    CLASSES,
    SourceQuestion,
    generate_candidates,
    sources_of_class,
)
from tomahto.generation.drafts import Draft, Fault

RHINE = SourceQuestion("q1", "Where does the Rhine rise?", "", ("in the Alps", "Switzerland"))
ELBE = SourceQuestion("q2", "Where does the Elbe rise?", "It rises in Bohemia.", ("in Bohemia",))


def replies(*texts: object) -> Act:
    return says(json.dumps(texts))


def test_the_classes_are_those_that_people_judge_by() -> None:
    assert sorted(CLASSES) == sorted(label.value for label in get_protocol("cap").labels)


def test_a_class_is_asked_for_with_its_own_instruction_in_one_template(
    server: LocalServer,
) -> None:
    server.otherwise = lambda _: replies("x", "y")
    for label in CLASSES:
        generate_candidates(endpoint(server), label, [RHINE, ELBE])
    sent = [request.json for request in server.received]
    systems = [request["messages"][0]["content"] for request in sent]
    assert len(set(systems)) == 8
    assert all(f"Class: {label}\n" in text for label, text in zip(CLASSES, systems, strict=True))
    [user] = {request["messages"][1]["content"] for request in sent}
    assert json.loads(user) == [
        {"question": "Where does the Rhine rise?", "reference": "in the Alps"},
        {
            "question": "Where does the Elbe rise?",
            "reference": "in Bohemia",
            "passage": "It rises in Bohemia.",
        },
    ]
    assert {(request["temperature"], request["top_p"]) for request in sent} == {(1.0, 0.95)}


def test_each_question_gets_its_answer_with_provenance(server: LocalServer) -> None:
    server.script.append(replies(" in the mountains ", "far away"))
    first, second = generate_candidates(endpoint(server), "partial", [RHINE, ELBE])
    assert isinstance(first, Draft)
    assert first == Draft(
        target="partial",
        question="Where does the Rhine rise?",
        reference="in the Alps",
        candidate="in the mountains",
        provenance=first.provenance,
        question_key="q1",
    )
    assert first.provenance["prompt"].startswith("candidate-1:")
    assert first.provenance["parameters"] == {
        "max_tokens": 4096,
        "temperature": 1.0,
        "top_p": 0.95,
    }
    assert isinstance(second, Draft)
    assert (second.question_key, second.candidate) == ("q2", "far away")


@pytest.mark.parametrize(
    ("label", "answer", "reason"),
    [
        ("exact", "in the Alps", ""),
        ("exact", "In the Alps", "the answer is not the reference"),
        ("exact", "Switzerland", "the answer is not the reference"),
        ("equivalent", "within the Alps", ""),
        ("equivalent", "In Alps!", "matches a reference exactly, which is not equivalent"),
        ("alternative-correct", "switzerland", "matches a reference exactly"),
        ("contradictory", "in the Alps", "matches a reference exactly"),
        ("contradictory", "Switz-er-land", ""),  # of the same normal form
        ("invalid", " ", "the answer is empty"),
        ("invalid", "x" * 2001, "more than 2,000 characters"),
        ("invalid", "a\x00b", "control characters"),
        ("invalid", "\ud800", "halves of characters"),
        ("invalid", 7, "the answer is not a text"),
        ("invalid", None, "the answer is not a text"),
        ("invalid", ["x"], "the answer is not a text"),
    ],
)
def test_what_can_be_told_of_a_class_is_checked(
    server: LocalServer, label: str, answer: object, reason: str
) -> None:
    server.script.append(replies(answer, "in Bohemia" if label == "exact" else "elsewhere"))
    first, second = generate_candidates(endpoint(server), label, [RHINE, ELBE])
    assert isinstance(first, Fault) == bool(reason)
    if isinstance(first, Fault):
        assert reason in first.reason
        assert (first.target, first.question_key) == (label, "q1")
        assert first.provenance["raw_reply"]
    assert isinstance(second, Draft)


BROKEN: dict[str, tuple[Act, str]] = {
    "prose": (says("Here you are: mountains"), "the reply is not JSON"),
    "fenced": (says('```json\n["a", "b"]\n```'), "the reply is not JSON"),
    "text behind": (says('["a", "b"] I hope this helps'), "Extra data"),
    "two arrays": (says('["a"] ["b"]'), "Extra data"),
    "object": (says('{"a": 1, "b": 2}'), "JSON, but not an array"),
    "too few": (replies("a"), "the reply has 1 elements, not 2"),
    "too many": (replies("a", "b", "c"), "the reply has 3 elements, not 2"),
    "NaN": (says('["a", NaN]'), "holds NaN"),
    "twice": (says('["a", {"x": 1, "x": 2}]'), "the same key twice"),
    "deep": (says("[" * 50 + "]" * 50), "nested more than 32 deep"),
    "cut": (says('["a", "b', finish_reason="length"), "did not come to its end (length)"),
    "declined": (says(None, refusal="I will not."), "did not come to its end (I will not.)"),
    "no completion": (answers({"x": 1}), "not a chat completion"),
    "refused": (fails(400, "too long"), "answered 400: too long"),
}


@pytest.mark.parametrize(("act", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_reply_that_is_no_array_of_texts_is_one_fault(
    server: LocalServer, act: Act, reason: str
) -> None:
    server.script.append(act)
    [fault] = generate_candidates(endpoint(server), "partial", [RHINE, ELBE])
    assert isinstance(fault, Fault)
    assert reason in fault.reason
    assert fault.provenance["prompt"].startswith("candidate-1:")


@pytest.mark.parametrize("text", INJECTIONS)
def test_an_injection_is_material_and_whatever_comes_of_it_is_a_draft_or_a_fault(
    server: LocalServer, text: str
) -> None:
    server.otherwise = lambda _: replies(text)
    source = SourceQuestion("q1", text, text, ("in the Alps",))
    [found] = generate_candidates(endpoint(server), "invalid", [source])
    system, user = server.received[0].json["messages"]
    assert text not in system["content"]
    assert json.loads(user["content"])[0]["question"] == text
    if len(text.strip()) > 2000:
        assert isinstance(found, Fault)
    else:
        assert isinstance(found, Draft)
        assert (found.candidate, found.target) == (text.strip(), "invalid")
    server.script.append(says(text))
    [bare] = generate_candidates(endpoint(server), "invalid", [source])
    assert isinstance(bare, Fault)


def sources(count: int) -> list[SourceQuestion]:
    return [SourceQuestion(f"q{n}", f"Question {n}?", "", ("yes",)) for n in range(count)]


def shares(all_sources: Sequence[SourceQuestion], per_class: int) -> dict[str, list[str]]:
    return {
        label: [s.key for s in sources_of_class(all_sources, label, per_class)][:per_class]
        for label in CLASSES
    }


def test_classes_take_their_questions_one_after_another() -> None:
    # two each: q0 q1, q2 q3, … and after the tenth question from the beginning
    taken = shares(sources(10), 2)
    assert list(taken.values()) == [
        ["q0", "q1"], ["q2", "q3"], ["q4", "q5"], ["q6", "q7"], ["q8", "q9"],
        ["q0", "q1"], ["q2", "q3"], ["q4", "q5"],
    ]  # fmt: skip


@given(st.integers(1, 40), st.integers(1, 40))
def test_questions_are_used_equally_often_and_by_no_class_twice(count: int, per_class: int) -> None:
    per_class = min(count, per_class)
    taken = shares(sources(count), per_class)
    assert all(len(set(keys)) == per_class for keys in taken.values())
    uses = Counter(key for keys in taken.values() for key in keys)
    times = [uses[source.key] for source in sources(count)]
    assert max(times) - min(times) <= 1
