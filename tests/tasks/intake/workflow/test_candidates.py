"""From predictions to candidates and items."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tasks.home.queries.situation import contents_of
from tasks.intake.workflow.candidates import PredictionIntake, answer_questions, import_predictions
from tasks.intake.workflow.identity import question_key
from tasks.intake.workflow.questions import import_questions
from tasks.models import (
    Campaign,
    Candidate,
    Item,
    ItemSystem,
    JobFailure,
    Question,
    Slot,
)
from tasks.releases.queries.releasable import answer_records
from tasks.votes.shared_items import system_answers
from tests.tasks.conftest import MakeCampaign
from tests.tasks.intake.questions import job_of, question
from tomahto.answerers.interface import Answer, Failure, QuestionToAnswer, ScoredText
from tomahto.interchange.reading.records import InputError, PredictionRecord, Source


def prediction(key: str, text: str, line: int = 1) -> PredictionRecord:
    return PredictionRecord(Source("predictions.json", line), key, text)


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=0)
    import_questions(campaign=campaign, records=[question(n) for n in (1, 2, 3)])
    return campaign


def test_import_predictions_rates_what_matches_no_reference(campaign: Campaign) -> None:
    records = [
        prediction("q1", "The One!"),  # equals "one" after normalisation
        prediction("q2", "neither"),
        prediction("q3", "  "),
        prediction("q9", "whatever"),
    ]
    intake = import_predictions(campaign=campaign, system="juniper", records=records)
    assert intake == PredictionIntake(
        candidates=3,
        exact_matches=1,
        empty=1,
        unanswerable=0,
        items_created=2,
        items_existing=0,
        unknown_questions=1,
    )
    rated = Item.objects.order_by("reference_index")
    assert [(i.candidate, i.references, i.reference_index) for i in rated] == [
        ("neither", ["one"], 0),
        ("neither", ["two"], 1),
    ]
    assert list(Candidate.objects.order_by("id").values_list("is_exact_match", flat=True)) == [
        True,
        False,
        False,
    ]


def test_import_predictions_of_a_second_system_adds_it_to_the_same_items(
    campaign: Campaign,
) -> None:
    records = [prediction("q1", "neither")]
    import_predictions(campaign=campaign, system="juniper", records=records)
    intake = import_predictions(campaign=campaign, system="thistle", records=records)
    assert (intake.items_created, intake.items_existing) == (0, 2)
    assert ItemSystem.objects.count() == 4


def test_import_predictions_again_changes_nothing(campaign: Campaign) -> None:
    records = [prediction("q1", "neither"), prediction("q2", "one")]
    import_predictions(campaign=campaign, system="juniper", records=records)
    intake = import_predictions(campaign=campaign, system="juniper", records=records)
    assert intake == PredictionIntake(0, 0, 0, 0, 0, 2, 0)


@pytest.mark.parametrize("first", ["q1", "q2"])
def test_import_predictions_refuses_a_second_answer_and_stores_nothing_of_the_file(
    campaign: Campaign, first: str
) -> None:
    import_predictions(campaign=campaign, system="juniper", records=[prediction("q1", "early")])
    records = [prediction("q2", "x"), prediction(first, "late", line=7)]
    with pytest.raises(InputError, match="line 7, field candidate: juniper has already answered"):
        import_predictions(campaign=campaign, system="juniper", records=records)
    assert Candidate.objects.count() == 1


def test_import_predictions_by_texts_mean_the_only_question_that_has_them(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    records = [question(1, key=None), question(2, key=None, document="Rivers")]
    import_questions(campaign=campaign, records=records)
    by_texts = [prediction(f"q-{record.fingerprint}", "neither") for record in records]
    intake = import_predictions(campaign=campaign, system="juniper", records=by_texts)
    assert (intake.candidates, intake.unknown_questions) == (2, 0)
    import_questions(campaign=campaign, records=[question(1, key=None, document="Alps")])
    with pytest.raises(InputError) as error:
        import_predictions(campaign=campaign, system="thistle", records=by_texts)
    assert str(error.value) == (
        "predictions.json, line 1, field id: the question occurs in 2 documents ('Alps', "
        "'Lighthouses'): give its id or its document"
    )
    by_document = [
        prediction(question_key(question(1, key=None, document=name)), name)
        for name in ("Alps", "Lighthouses")
    ]
    intake = import_predictions(campaign=campaign, system="thistle", records=by_document)
    assert (intake.candidates, intake.unknown_questions) == (2, 0)
    given = Candidate.objects.filter(system__name="thistle").order_by("text")
    assert list(given.values_list("text", "question__document__key")) == [
        ("Alps", "Alps"),
        ("Lighthouses", "Lighthouses"),
    ]


class Echo:
    """An answerer that repeats the question."""

    name = "echo"
    version = "1"

    def answer(self, questions: Sequence[QuestionToAnswer]) -> Sequence[Answer | Failure]:
        return [Answer(q.key, q.question, 0.5) for q in questions]


def test_answer_questions_makes_candidates_once(campaign: Campaign) -> None:
    job = job_of(campaign)
    assert list(answer_questions(job=job, answerer=Echo())) == [3, 0]
    assert list(answer_questions(job=job, answerer=Echo())) == [0]
    assert Candidate.objects.filter(system__name="echo").count() == 3
    assert Item.objects.count() == 6


class Scribe(Echo):
    """Answers with all that an answer may carry, and what PostgreSQL cannot store."""

    name = "scribe"
    version = "scribe|2"

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer]:
        return [
            Answer(
                question.key,
                "neither",
                None if question.key == "q1" else 2.5,
                (ScoredText("or\0", 1.5), ScoredText("", -0.25)),
                {"model": "m", "parameters": {"seed": 0}, "reply": ["a\0b", "\ud83d", "😀"]},
            )
            for question in questions
        ]


def test_answer_questions_stores_scores_alternatives_and_provenance(campaign: Campaign) -> None:
    list(answer_questions(job=job_of(campaign), answerer=Scribe()))
    found = Candidate.objects.order_by("question__key")
    assert list(found.values_list("text", "score")) == [
        ("neither", None),
        ("neither", 2.5),
        ("neither", 2.5),
    ]
    assert found[0].alternatives == [["or\ufffd", 1.5], ["", -0.25]]
    assert found[0].provenance == {
        "version": "scribe|2",
        "model": "m",
        "parameters": {"seed": 0},
        "reply": ["a\ufffdb", "\ufffd", "😀"],
    }


def test_answer_questions_of_a_second_answerer_adds_it_to_the_same_items(
    campaign: Campaign,
) -> None:
    import_predictions(campaign=campaign, system="juniper", records=[prediction("q1", "neither")])
    list(answer_questions(job=job_of(campaign), answerer=Scribe()))
    shared = Item.objects.filter(question__key="q1", candidate="neither")
    assert shared.count() == 2  # one for each reference
    for item in shared:
        names = item.item_systems.values_list("system__name", flat=True)
        assert sorted(names) == ["juniper", "scribe"]


def test_import_predictions_stores_a_score_but_no_second_one(campaign: Campaign) -> None:
    for score in (0.75, 0.5):
        record = replace(prediction("q1", "neither"), score=score)
        import_predictions(campaign=campaign, system="juniper", records=[record])
    candidate = Candidate.objects.get()
    assert (candidate.score, candidate.alternatives, candidate.provenance) == (0.75, [], {})


class Refusing(Echo):
    """Fails at some questions, in three ways."""

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer | Failure]:
        return [self._answer(question) for question in questions]

    def _answer(self, question: QuestionToAnswer) -> Answer | Failure:
        odd: dict[str, Answer | Failure] = {
            "q1": Failure("q1", "the model said \0 and \udfff"),
            "q2": Answer("q2", "half an answer\0", 0.5),
        }
        return odd.get(question.key, Answer(question.key, "an answer", 0.5))


def test_answer_questions_records_what_the_answerer_fails_at(campaign: Campaign) -> None:
    job = job_of(campaign)
    assert list(answer_questions(job=job, answerer=Refusing())) == [3, 0]
    found = JobFailure.objects.order_by("question__key")
    assert list(found.values_list("job", "question__key", "reason", "attempts")) == [
        (job.pk, "q1", "the model said \u2400 and ?", 1),
        (job.pk, "q2", "the answer holds a NUL character", 1),
    ]
    assert list(Candidate.objects.values_list("question__key", flat=True)) == ["q3"]


def test_answer_questions_does_not_repeat_a_failure_by_itself(campaign: Campaign) -> None:
    job = job_of(campaign)
    list(answer_questions(job=job, answerer=Refusing()))
    assert list(answer_questions(job=job, answerer=Echo())) == [0]
    JobFailure.objects.filter(question__key="q1").update(is_due=True)
    assert list(answer_questions(job=job, answerer=Echo())) == [1, 0]
    assert set(Candidate.objects.values_list("question__key", flat=True)) == {"q1", "q3"}


def test_predictions_for_unanswerable_questions_are_kept_and_not_rated(
    campaign: Campaign,
) -> None:
    impossible = [
        question(n, references=(), answer_starts=(), is_unanswerable=True) for n in (4, 5)
    ]
    assert import_questions(campaign=campaign, records=impossible).unanswerable == 2
    records = [prediction("q4", ""), prediction("q5", "Rollo"), prediction("q1", "one")]
    intake = import_predictions(campaign=campaign, system="juniper", records=records)
    assert (intake.candidates, intake.unanswerable, intake.items_created) == (3, 2, 0)
    stored = Candidate.objects.order_by("question__key").values_list("text", "is_exact_match")
    assert list(stored) == [("one", True), ("", False), ("Rollo", False)]
    (answers,) = system_answers(campaign)
    assert answers.questions.tolist() == [Question.objects.get(key="q1").pk]
    contents = contents_of(campaign)
    assert (contents.questions, contents.unanswerable) == (5, 2)
    assert (contents.candidates, contents.exact_matches) == (1, 1)


def test_import_predictions_of_which_some_are_for_the_campaign_is_taken(
    campaign: Campaign,
) -> None:
    records = [prediction(key, "neither") for key in ("elsewhere", "q1")]
    intake = import_predictions(campaign=campaign, system="juniper", records=records)
    assert (intake.candidates, intake.unknown_questions) == (1, 1)


def test_import_predictions_sets_the_overlap_of_all_items_of_the_system(
    campaign: Campaign,
) -> None:
    import_predictions(campaign=campaign, system="juniper", records=[prediction("q1", "neither")])
    import_predictions(
        campaign=campaign, system="juniper", records=[prediction("q2", "neither")], overlap=4
    )
    assert Slot.objects.count() == 4 * 4  # two references each
    import_predictions(
        campaign=campaign, system="juniper", records=[prediction("q3", "neither")], overlap=1
    )
    assert Slot.objects.count() == 6


def test_exact_matches_become_items_where_they_are_asked_for(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, protocol="cap")
    import_questions(campaign=campaign, records=[question(n) for n in (1, 2)])
    records = [prediction("q1", "The One!"), prediction("q2", "neither")]
    import_predictions(campaign=campaign, system="juniper", records=records)
    assert list(Item.objects.values_list("candidate", flat=True)) == ["neither"]
    intake = import_predictions(
        campaign=campaign, system="juniper", records=records[:1], rates_exact=True
    )
    assert (intake.candidates, intake.items_created) == (0, 1)
    intake = import_predictions(
        campaign=campaign, system="thistle", records=records, rates_exact=True
    )
    assert (intake.candidates, intake.exact_matches, intake.items_created) == (2, 0, 0)
    # without asking nothing that is there changes
    import_predictions(campaign=campaign, system="juniper", records=records)
    assert sorted((a.system, a.candidate, a.settled) for a in answer_records(campaign)) == [
        (system, text, "rated")
        for system in ("juniper", "thistle")
        for text in ("The One!", "neither")
    ]
    assert not Candidate.objects.filter(is_exact_match=True).exists()
