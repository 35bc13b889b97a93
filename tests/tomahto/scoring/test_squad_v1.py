import pytest

from tomahto.scoring.squad import SquadQuestion, UnscorableQuestion, squad_v1

QUESTIONS = (
    SquadQuestion("capital", ("Paris", "the city of Paris")),
    SquadQuestion("river", ("the river Seine in France",)),
    SquadQuestion("article", ("the",)),
)


def test_squad_v1_gives_exact_match_and_f1_in_percent() -> None:
    # capital 1 and 1; river: 3 shared of 5 and of 4, F1 = 2/3; article: equal without words, but
    # no word is shared: 1 and 0
    predictions = {"capital": "PARIS!", "river": "the Seine in the north of France", "article": "a"}
    scores = squad_v1(QUESTIONS, predictions | {"elsewhere": "ignored"})
    assert scores.as_json() == {
        "exact_match": 66.66666666666667,
        "f1": pytest.approx(100 * (1 + 2 / 3) / 3, abs=1e-12),
        "total": 3,
    }


def test_squad_v1_scores_a_missing_prediction_as_nothing_on_request() -> None:
    # Not as the empty text: that would equal the article.
    scores = squad_v1(QUESTIONS, {"capital": "Paris"}, missing="zero")
    assert (scores.exact_match, scores.f1, scores.total) == (100 / 3, 100 / 3, 3)


@pytest.mark.parametrize(
    ("questions", "problem", "source"),
    [
        (QUESTIONS, "question 'river' has no prediction", "predictions"),
        ([SquadQuestion("q", [])], "question 'q' has no answer, as in SQuAD 2.0", "questions"),
        (QUESTIONS[:1] * 2, "question 'capital' occurs twice in the data", "questions"),
    ],
)
def test_squad_v1_names_the_question_it_cannot_score(
    questions: list[SquadQuestion], problem: str, source: str
) -> None:
    with pytest.raises(UnscorableQuestion) as caught:
        squad_v1(questions, {"capital": "Paris", "q": "x"})
    assert (str(caught.value), caught.value.source) == (problem, source)


def test_squad_v1_refuses_data_without_questions() -> None:
    with pytest.raises(ValueError, match="there is no question to score"):
        squad_v1([], {"q": "x"})
