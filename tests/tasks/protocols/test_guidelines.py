"""The default guidelines are short and name every label, question and rule of their protocol."""

import re
from pathlib import Path

import pytest

from tasks.protocols import get_protocol

GUIDELINES = Path(__file__).parents[3] / "tasks" / "protocols" / "guidelines"

LABELS = {
    "ae": ("equivalent", "not-equivalent"),
    "cap": (
        "exact",
        "equivalent",
        "alternative-correct",
        "overinclusive-valid",
        "partial",
        "overinclusive-invalid",
        "invalid",
        "contradictory",
    ),
    "rules": (
        "correct",
        "incorrect",
        "aliasing",
        "numerical",
        "fewer-details",
        "more-details",
        "semantic",
        "irrelevant",
        "other-answers",
    ),
    "statement": ("correct", "syntactic", "semantic", "wrong"),
}
AE_QUESTIONS = (
    "Is the second answer a completely different answer?",
    (
        "Would using the second answer in place of the first answer convey at least the same "
        "information to someone asking this question, without leaving out any important "
        "information nor adding any misleading or superfluous information?"
    ),
    "Does the second answer remove important information?",
    "Does the second answer add misleading or excessive superfluous information?",
)
"""The instrument's wording (Bulian et al. 2022, §3.1)."""
AE_NOTE = (
    "Note that either adding important information or removing superfluous or misleading "
    "information in the second answer from the first answer would still convey at least the same "
    "information."
)
"""The note to its second question."""


def guideline(protocol: str) -> str:
    return (GUIDELINES / f"{protocol}.md").read_text(encoding="utf-8")


def test_guidelines_exist_for_every_protocol_and_no_other() -> None:
    assert {path.stem for path in GUIDELINES.iterdir()} == set(LABELS)


@pytest.mark.parametrize("protocol", LABELS)
def test_guidelines_name_every_label(protocol: str) -> None:
    named = set(re.findall(r"`([a-z-]+)`", guideline(protocol)))

    assert set(LABELS[protocol]) - named == set()


@pytest.mark.parametrize("protocol", LABELS)
def test_guidelines_have_300_to_600_words(protocol: str) -> None:
    words = re.findall(r"\w[\w’'-]*", guideline(protocol))

    assert 300 <= len(words) <= 600


@pytest.mark.parametrize("protocol", LABELS)
def test_guidelines_say_what_to_do_when_unsure(protocol: str) -> None:
    advice = guideline(protocol).split("## When you are unsure")[1]

    assert [word for word in ("comment", "Flag", "Skip") if word not in advice] == []


def test_guidelines_ae_quote_the_questions_with_their_source() -> None:
    text = guideline("ae")

    assert [question for question in AE_QUESTIONS if f"“{question}”" not in text] == []
    assert f"“({AE_NOTE})”" in text
    assert "Bulian et al. (2022)" in text


def test_form_ae_has_the_questions_and_the_note_word_for_word() -> None:
    questions = get_protocol("ae").questions

    assert tuple(question.text for question in questions) == AE_QUESTIONS
    assert [question.note for question in questions] == ["", AE_NOTE, "", ""]
    assert get_protocol("ae").source == "Bulian et al. 2022, §3.1"


def test_guidelines_rules_say_which_rules_settle_the_label() -> None:
    offered = re.findall(r"[Rr]ule (\d) is offered with `(\w+)` alone", guideline("rules"))
    offered += re.findall(r", rule (\d) with `(\w+)` alone", guideline("rules"))
    _label, rules = get_protocol("rules").questions

    assert offered == [
        (choice.key, choice.when["label"]) for choice in rules.choices if choice.when
    ]


def test_guidelines_ae_work_through_every_outcome() -> None:
    examples = re.findall(r"^\| .+? \| (1 .+?) \| .+? \|$", guideline("ae"), re.MULTILINE)

    assert set(examples) == {
        "1 yes",
        "1 no, 2 yes",
        "1 no, 2 no, 3 yes, 4 no",
        "1 no, 2 no, 3 no, 4 yes",
        "1 no, 2 no, 3 yes, 4 yes",
        "1 no, 2 no, 3 no, 4 no",
    }


@pytest.mark.parametrize("protocol", ["cap", "statement", "rules"])
def test_guidelines_work_through_every_label_in_order(protocol: str) -> None:
    rows = re.findall(r"^\| (?:\d )?`([a-z-]+)` \| .+ \| .+ \|$", guideline(protocol), re.MULTILINE)

    in_table = [label for label in LABELS[protocol] if label not in ("correct", "incorrect")]
    assert [row for row in rows if row != "correct"] == in_table
