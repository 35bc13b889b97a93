import pytest

from tomahto.votes.scheme import CHOSEN, NOT_CHOSEN, QuestionScheme, question_parts

LABEL = QuestionScheme("label", ("correct", "incorrect"))
RULES = QuestionScheme("rules", ("aliasing", "numerical", "semantic"), is_multiple=True)
Q1 = QuestionScheme("q1", ("yes", "no"))


def test_question_parts_are_questions_and_the_values_of_those_with_several() -> None:
    parts = question_parts([LABEL, Q1, RULES])
    assert [(part.key, part.scheme.labels) for part in parts] == [
        ("q1", ("yes", "no")),
        ("rules.aliasing", (CHOSEN, NOT_CHOSEN)),
        ("rules.numerical", (CHOSEN, NOT_CHOSEN)),
        ("rules.semantic", (CHOSEN, NOT_CHOSEN)),
    ]
    assert {part.scheme.level for part in parts} == {"nominal"}


def test_question_part_tells_not_chosen_from_not_asked() -> None:
    parts = question_parts([Q1, RULES])
    answers = {"label": "correct", "rules": "aliasing+semantic"}
    assert [part.answer_in(answers) for part in parts] == [None, CHOSEN, NOT_CHOSEN, CHOSEN]
    assert [part.answer_in({"q1": "no"}) for part in parts] == ["no", None, None, None]


def test_question_scheme_permits_its_values_only() -> None:
    assert [Q1.permits(answer) for answer in ("yes", "no", "yes+no", "maybe", "")] == [
        *(True, True, False, False, False)
    ]
    assert [RULES.permits(answer) for answer in ("semantic", "aliasing+semantic")] == [True, True]
    assert not any(RULES.permits(answer) for answer in ("", "aliasing+", "semantic+semantic"))


def test_question_scheme_names_a_repeated_value() -> None:
    with pytest.raises(ValueError, match="question 'q1': values repeat"):
        QuestionScheme("q1", ("yes", "yes"))
