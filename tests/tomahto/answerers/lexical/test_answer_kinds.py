import pytest

from tomahto.answerers.lexical import AnswerKind, answer_kind, spans_of_kind

NOTHING: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did it sink?", AnswerKind.DATE),
        ("In what year was it built?", AnswerKind.DATE),
        ("How many people came?", AnswerKind.NUMBER),
        ("What percentage of votes was counted?", AnswerKind.NUMBER),
        ("Who wrote it?", AnswerKind.NAME),
        ("where is it", AnswerKind.NAME),
        ("Which city is the capital?", AnswerKind.NAME),
        ("What did she discover?", AnswerKind.PHRASE),
        ("How does it work?", AnswerKind.PHRASE),
        ("", AnswerKind.PHRASE),
    ],
)
def test_answer_kind_follows_the_question(question: str, kind: AnswerKind) -> None:
    assert answer_kind(question) is kind


@pytest.mark.parametrize(
    ("kind", "sentence", "spans"),
    [
        (
            AnswerKind.DATE,
            "Begun in May 1903, halted 4 June, in the 1920s a 19th-century relic of 12 tons.",
            ["May 1903", "4 June", "1920s", "19th-century"],
        ),
        (
            AnswerKind.NUMBER,
            "It cost $1,250.50 for two, 40% or 3.2 million more, B2 apart.",
            ["$1,250.50", "two", "40%", "3.2 million"],
        ),
        (
            AnswerKind.NAME,
            "The University of Basel invited Élie Faure and friends; He met J. Smith.",
            ["University of Basel", "Élie Faure", "J. Smith"],
        ),
        (
            AnswerKind.PHRASE,
            "It is a large lake, deep blue water near the old town.",
            ["large lake", "deep blue water", "old town"],
        ),
    ],
)
def test_spans_are_those_of_the_kind(kind: AnswerKind, sentence: str, spans: list[str]) -> None:
    found = spans_of_kind(kind, sentence, NOTHING)

    assert [sentence[span.start : span.end] for span in found] == spans


def test_spans_that_only_repeat_the_question_are_left_out() -> None:
    sentence = "Marie Curie met Albert Einstein."

    found = spans_of_kind(AnswerKind.NAME, sentence, frozenset({"mari", "curi"}))

    assert [sentence[span.start : span.end] for span in found] == ["Albert Einstein"]


def test_phrases_end_at_words_of_the_question() -> None:
    sentence = "Green plants absorb visible light."

    found = spans_of_kind(AnswerKind.PHRASE, sentence, frozenset({"absorb"}))

    assert [sentence[span.start : span.end] for span in found] == ["Green plants", "visible light"]
