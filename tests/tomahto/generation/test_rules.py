"""Pairs by rule: kept only if the second look agrees."""

import json
from pathlib import Path

import pytest

from tasks.protocols import default_guidelines, get_protocol
from tests.chat_server import endpoint, says
from tests.http_server import LocalServer
from tomahto.generation.drafts import Draft, Fault
from tomahto.generation.rules import (
    GUIDELINE_SEEDS,
    RULES,
    TARGETS,
    WRITTEN_FOR,
    Seed,
    generate_rule_pairs,
    target_counts,
)

TOWER = {
    "question": "What is the tallest tower of the town?",
    "reference": "the water tower",
    "candidate": "the old tower of the waterworks",
}
BRIDGE = {
    "question": "Which bridge is the oldest?",
    "reference": "the stone bridge",
    "candidate": "the bridge of stone",
}


def test_the_rules_are_those_that_people_judge_by() -> None:
    questions = {q.key: q for q in get_protocol("rules").questions}
    assert list(RULES) == [choice.value for choice in questions["rules"].choices]


def test_every_rule_gets_as_many_pairs() -> None:
    counts = target_counts(5)
    assert list(counts) == list(TARGETS)
    assert len(TARGETS) == 12  # two of the seven rules go one way
    assert counts["aliasing/correct"] == 3
    assert counts["aliasing/incorrect"] == 2
    assert counts["irrelevant/incorrect"] == counts["other-answers/correct"] == 5
    assert sum(counts.values()) == 7 * 5


def test_a_pair_has_the_verdict_that_was_given_without_the_first(server: LocalServer) -> None:
    pairs = [TOWER, BRIDGE, {**TOWER, "question": "Which?"}]
    server.script += [
        says(json.dumps(pairs)),
        says(json.dumps(["correct", "incorrect", "invalid"])),
    ]
    found = generate_rule_pairs(endpoint(server), "aliasing/correct", 3)
    kept = [draft for draft in found if isinstance(draft, Draft)]
    assert [(d.target, d.question, d.provenance.get(WRITTEN_FOR)) for d in kept] == [
        ("aliasing/correct", TOWER["question"], None),
        ("aliasing/incorrect", BRIDGE["question"], "aliasing/correct"),
    ]
    assert [fault.reason for fault in found if isinstance(fault, Fault)] == [
        "the verification says invalid, not correct"
    ]
    assert kept[0].provenance["prompt"].startswith("rule-2:")
    verification = kept[1].provenance["verification"]
    assert verification["prompt"].startswith("verify_rule-1:")
    assert verification["verdict"] == "incorrect"
    first, second = (request.json for request in server.received)
    assert (first["temperature"], second["temperature"]) == (0.9, 0.0)
    # the second look is not told the verdict of the first
    assert "Verdict: the candidate is correct" not in json.dumps(second)
    assert json.loads(second["messages"][1]["content"]) == pairs


def test_a_verdict_that_the_rule_cannot_have_keeps_nothing(server: LocalServer) -> None:
    server.script += [says(json.dumps([TOWER])), says('["correct"]')]
    [found] = generate_rule_pairs(endpoint(server), "irrelevant/incorrect", 1)
    assert isinstance(found, Fault)
    assert found.reason == "the verification says correct, not incorrect"


def test_the_model_is_shown_the_seeds_and_provenance_names_them(server: LocalServer) -> None:
    seed = Seed("seed 4", "aliasing", "Who wrote $count?", "one", "another", "incorrect")
    server.script += [says(json.dumps([TOWER])), says('["correct"]')]
    [found] = generate_rule_pairs(
        endpoint(server), "aliasing/correct", 1, seeds=[seed], round_number=2
    )
    asked = server.received[0].json["messages"][1]["content"]
    shown = asked.partition("Examples of the rule:\n")[2].partition("\n\nWrite 1 other")[0]
    assert json.loads(shown) == [
        {"question": "Who wrote $count?", "reference": "one", "candidate": "another",
         "label": "incorrect"}
    ]  # fmt: skip
    origin = {key: found.provenance[key] for key in ("rule", "round", "seeds")}
    assert origin == {"rule": "aliasing", "round": 2, "seeds": ["seed 4"]}


def test_every_rule_has_a_seed_that_the_guidelines_work_out() -> None:
    guidelines = default_guidelines("rules")
    assert [seed.rule for seed in GUIDELINE_SEEDS] == list(RULES)
    for seed in GUIDELINE_SEEDS:
        assert f"*{seed.question}* {seed.reference} → {seed.candidate}: {seed.label}" in guidelines


@pytest.mark.parametrize(
    "verdicts", ['["yes"]', '["CORRECT"]', "[true]", '["correct", "correct"]', "correct", "[]"]
)
def test_a_verification_that_cannot_be_read_keeps_nothing(
    server: LocalServer, verdicts: str
) -> None:
    server.script += [says(json.dumps([TOWER])), says(verdicts)]
    [found] = generate_rule_pairs(endpoint(server), "aliasing/correct", 1)
    assert isinstance(found, Fault)
    assert "verification" in found.reason


def test_the_verdict_of_the_same_pair_is_asked_for_anew_by_another_draw(
    server: LocalServer, tmp_path: Path
) -> None:
    chat = endpoint(server, cache=tmp_path)
    server.script += [says(json.dumps([TOWER])), says("I'd rather not.")]
    [lost] = generate_rule_pairs(chat, "aliasing/correct", 1)
    server.script += [says(json.dumps([TOWER])), says('["correct"]')]
    [found] = generate_rule_pairs(chat, "aliasing/correct", 1, draw=1)
    assert (type(lost), type(found), len(server.received)) == (Fault, Draft, 4)


def test_a_candidate_that_is_the_reference_is_not_even_verified(server: LocalServer) -> None:
    server.script.append(says(json.dumps([{**TOWER, "candidate": "The water tower."}])))
    [found] = generate_rule_pairs(endpoint(server), "semantic/correct", 1)
    assert isinstance(found, Fault)
    assert found.reason == "the candidate matches the reference exactly"
    assert len(server.received) == 1


def test_a_candidate_with_another_sign_is_no_reference(server: LocalServer) -> None:
    other = {**TOWER, "reference": "5", "candidate": "-5"}
    server.script += [says(json.dumps([other])), says('["incorrect"]')]
    [found] = generate_rule_pairs(endpoint(server), "semantic/incorrect", 1)
    assert isinstance(found, Draft)
