import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tomahto.answerers.interface import Answer, QuestionToAnswer
from tomahto.answerers.lexical import LexicalAnswerer

CONTEXT = (
    "The lighthouse of Port Vell was built by Clara Montfort. "
    "Its lamp was first lit in 1887 and used 40 litres of oil a night. "
    "Fishermen called the tower the old candle."
)


def answer(question: str, context: str = CONTEXT) -> Answer:
    return LexicalAnswerer().answer([QuestionToAnswer("q1", question, context)])[0]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who built the lighthouse?", "Clara Montfort"),
        ("When was the lamp first lit?", "1887"),
        ("How many litres of oil were used?", "40"),
        ("What did fishermen call the tower?", "old candle"),
    ],
)
def test_answer_is_a_span_of_the_asked_kind(question: str, text: str) -> None:
    assert answer(question).text == text


def test_score_is_the_weighted_share_of_the_question() -> None:
    # `lamp` is in 1 of 3 sentences, `tower` in 1 of 3, `Port` in 1 of 3: the lamp's sentence
    # holds one of three words of the same weight ln(1 + 3).
    assert answer("When did the lamp of Port reach the tower?").score == pytest.approx(1 / 3)


def test_rare_words_of_the_question_weigh_more() -> None:
    # `tower` is in 2 of 3 sentences: ln(1 + 3/2); `candle` is in 1: ln(1 + 3). The candle's
    # sentence wins although the first sentence comes earlier and both hold one word.
    context = "Tower one stood in Rome. A candle burned in Bonn. Tower two stood in Oslo."

    result = answer("Where was the candle of the tower?", context)

    assert result.text == "Bonn"
    assert result.score == pytest.approx(math.log(4) / (math.log(2.5) + math.log(4)))


def test_answer_looks_in_the_next_sentence_for_the_asked_kind() -> None:
    assert answer("When did fishermen call the tower a candle?").text == "1887"


def test_answer_falls_back_to_a_phrase() -> None:
    assert answer("When did it rain?", "Heavy rain fell all summer.").text == "Heavy"


def test_of_equally_good_sentences_the_first_answers() -> None:
    assert answer("Who won?", "Ada won. Bob won.").text == "Ada"


@pytest.mark.parametrize("context", ["", "  \n", "What is it?", "…!"])
def test_answer_is_empty_if_the_context_offers_no_span(context: str) -> None:
    assert answer("What is it?", context) == Answer("q1", "", 0.0)


def test_answers_keep_the_order_and_the_keys() -> None:
    questions = [
        QuestionToAnswer("b", "When was the lamp first lit?", CONTEXT),
        QuestionToAnswer("a", "Who?", ""),
    ]

    answers = LexicalAnswerer().answer(questions)

    assert [(a.key, a.text) for a in answers] == [("b", "1887"), ("a", "")]


@settings(deadline=None)
@given(
    st.sampled_from(["Who is it?", "When?", "How many?", "What fox?", ""]),
    st.text(alphabet="aAfoxéÉ 1,.!?\n'’-$%", max_size=60),
)
def test_answer_is_always_a_part_of_the_context(question: str, context: str) -> None:
    given_answer = answer(question, context)

    assert given_answer.text in context
    assert given_answer.score is not None
    assert 0 <= given_answer.score <= 1
