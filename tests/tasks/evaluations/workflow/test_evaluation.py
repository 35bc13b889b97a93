"""Evaluations: worked out by a job, stored once, and never changed."""

import json
from pathlib import Path

import numpy as np
import pytest
from django.db import DatabaseError, IntegrityError, transaction

from exporters.planned_release import ReleasePlan
from tasks.evaluations.queries.judged import judged_data_of_campaign
from tasks.evaluations.workflow import evaluation as stage
from tasks.evaluations.workflow.evaluation import (
    EvaluationPlan,
    EvaluationRefused,
    evaluate,
    metric_scores,
    run_evaluation,
)
from tasks.intake.workflow.candidates import import_predictions
from tasks.jobs.workflow import jobs as job_table
from tasks.models import (
    Campaign,
    Evaluation,
    Item,
    Job,
    JobKind,
    JobState,
    Question,
    Suggestion,
    TrainedMatcherKind,
)
from tasks.prefill.workflow.matchers import train_on_labels
from tasks.releases.workflow.listing import withdraw_release
from tasks.releases.workflow.release import publish_release
from tasks.votes.ratings import counted_ratings
from tests.evaluations import SECTION, plan, run_job
from tests.factories import make_campaign, make_item, make_labelled_items
from tomahto.estimates.estimate import Estimate
from tomahto.interchange.reading.records import PredictionRecord, Source
from tomahto.lab.judged import UNITS
from tomahto.lab.report import report_from_json
from tomahto.lab.sections import SECTIONS, make_report
from tomahto.matching.em import ExactMatch
from tomahto.matching.f1 import TokenF1


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign("lakes", title="Lakes", overlap=1)
    make_labelled_items(campaign, items=12, documents=4)
    return campaign


def release_of(campaign: Campaign, folder: Path, version: str = "1.0.0") -> None:
    chosen = ReleasePlan(version=version, split="document:dev=50,test=50", seed=0)
    publish_release(campaign=campaign, plan=chosen, out=folder / version)


def begun(campaign: Campaign, chosen: EvaluationPlan) -> Job:
    job = job_table.enqueue(campaign=campaign, kind=JobKind.EVALUATE, parameters=chosen.as_json())
    held = job_table.begin(job_id=job.pk)
    assert held is not None
    return held


def test_a_job_stores_the_report_with_all_it_rests_on(campaign: Campaign) -> None:
    job = run_job(campaign, plan(metrics=("f1", "em")))
    found = Evaluation.objects.get()
    assert (job.state, job.error) == (JobState.DONE, "")
    assert job.result == {"evaluation": found.pk, "digest": found.digest}
    assert (job.done, job.total) == (4, 4)  # the data, two metrics, a section
    assert (found.job, found.release) == (job, None)
    assert found.parameters == {
        "metrics": ["f1", "em"],
        "seed": 3,
        "sections": [SECTION],
        "tune_on": None,
        "replicates": 20,
        "unit": "items",
    }
    report = report_from_json(json.loads(found.report))
    assert report.digest == found.digest == judged_data_of_campaign(campaign).digest
    assert (report.name, report.items) == ("Lakes", 12)
    assert (report.seed, report.replicates) == (3, 20)
    assert [(each.metric, each.version) for each in report.metrics] == [
        ("f1", TokenF1.version),
        ("em", ExactMatch().version),
    ]
    assert [section.key for section in report.sections] == [SECTION]


def test_without_a_choice_every_section_is_made(campaign: Campaign) -> None:
    report = evaluate(campaign=campaign, plan=plan(sections=None))
    assert [section.key for section in report.sections] == list(SECTIONS)


def test_a_job_that_runs_again_leaves_one_evaluation(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its worker died after the report was stored, and before it could say so."""
    job = begun(campaign, plan())
    first = run_evaluation(job=job)
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
    again = job_table.begin(job_id=job.pk)
    assert again is not None
    monkeypatch.setattr(stage, "evaluate", lambda **_asked: pytest.fail("worked out twice"))
    assert run_evaluation(job=again) == first
    assert Evaluation.objects.count() == 1


def test_what_is_asked_again_later_is_evaluated_again(campaign: Campaign) -> None:
    first, second = run_job(campaign, plan()), run_job(campaign, plan())
    assert first.pk != second.pk
    one, other = Evaluation.objects.all()
    assert (one.digest, one.report) == (other.digest, other.report)


@pytest.mark.parametrize("end", ["cancelled", "taken over"])
def test_who_has_lost_the_job_stores_nothing(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    job = begun(campaign, plan())

    def lose_it(*given: object, **more: object) -> object:
        if end == "cancelled":
            job_table.cancel(job=job)
        else:
            Job.objects.filter(pk=job.pk).update(fence=2)
        return make_report(*given[:2], **more)  # type: ignore[arg-type]  # without telling anybody

    monkeypatch.setattr(stage, "make_report", lose_it)
    with pytest.raises(job_table.LeaseLost):
        run_evaluation(job=job)
    assert not Evaluation.objects.exists()


def test_the_database_keeps_evaluations_as_they_are(campaign: Campaign) -> None:
    run_job(campaign, plan())
    made = Evaluation.objects.get()
    rows = Evaluation.objects.filter(pk=made.pk)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rows.update(report="{}")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rows.delete()
    again = {"campaign": campaign, "parameters": {}, "digest": "d", "report": "{}"}
    with pytest.raises(IntegrityError), transaction.atomic():
        Evaluation.objects.create(job=made.job, **again)
    other = job_table.enqueue(campaign=campaign, kind=JobKind.EVALUATE, parameters={})
    for field in ("digest", "report"):
        with pytest.raises(IntegrityError), transaction.atomic():
            Evaluation.objects.create(job=other, **{**again, field: ""})
    assert rows.get().report == made.report


def test_a_release_is_evaluated_from_its_files(campaign: Campaign, tmp_path: Path) -> None:
    release_of(campaign, tmp_path)
    make_item(campaign)
    run_job(campaign, plan(release="1.0.0", tune_on="dev"))
    found = Evaluation.objects.get()
    report = report_from_json(json.loads(found.report))
    assert found.release is not None
    assert (found.release.version, found.digest) == ("1.0.0", found.release.digest)
    assert (report.items, report.tune_on) == (12, "dev")
    assert found.parameters["tune_on"] == "dev"


def test_stored_scores_are_taken_and_missing_ones_made(campaign: Campaign) -> None:
    items = judged_data_of_campaign(campaign).items
    for place, score in ((0, 0.125), (2, 0.875)):
        Suggestion.objects.create(
            item=Item.objects.get(key=items[place].id),
            matcher="f1",
            version=TokenF1.version,
            score=score,
            is_correct=score >= 0.5,
        )
    found = metric_scores(campaign, items[:4], "f1")
    # "nobody knows" shares no token; "about 13 metres deep" has both of "13 metres": 2·2/(4 + 2)
    assert found.scores.tolist() == pytest.approx([0.125, 2 / 3, 0.875, 0])
    assert (found.metric, found.version, found.threshold) == ("f1", TokenF1.version, 0.5)


def test_a_slow_matcher_must_have_scored_everything(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "is_quick", lambda _name: False)
    items = judged_data_of_campaign(campaign).items
    message = rf"^f1 has not scored 3 of 3 items with its version {TokenF1.version}; let it make"
    with pytest.raises(EvaluationRefused, match=message):
        metric_scores(campaign, items[:3], "f1")
    Suggestion.objects.bulk_create(
        Suggestion(item=item, matcher="f1", version=TokenF1.version, score=1, is_correct=True)
        for item in campaign.items.all()
    )
    assert np.array_equal(metric_scores(campaign, items[:3], "f1").scores, np.ones(3))


def test_imported_scores_are_of_all_items_and_accept_from_a_score(campaign: Campaign) -> None:
    items = judged_data_of_campaign(campaign).items[:3]

    def imported(version: str, *scores: tuple[float, bool]) -> None:
        Suggestion.objects.bulk_create(
            Suggestion(
                item=Item.objects.get(key=item.id),
                matcher="lerc",
                version=f"imported|{version}",
                score=score,
                is_correct=is_correct,
            )
            for item, (score, is_correct) in zip(items, scores, strict=False)
        )

    imported("a", (0.1, False), (0.7, True), (0.6, False))
    found = metric_scores(campaign, items, "lerc")
    assert (found.scores.tolist(), found.threshold) == ([0.1, 0.7, 0.6], 0.7)
    imported("b", (0.1, False), (0.7, True))
    with pytest.raises(
        EvaluationRefused, match=r"^lerc has no score of 1 of 3 items in the latest"
    ):
        metric_scores(campaign, items, "lerc")
    imported("c", (0.8, False), (0.7, True), (0.6, False))
    with pytest.raises(
        EvaluationRefused, match=r"^lerc: no score is its threshold: one of 0\.7 is"
    ):
        metric_scores(campaign, items, "lerc")
    made = evaluate(campaign=campaign, plan=plan(metrics=("f1",), sections=("answer_sets",)))
    assert made.sections


def test_a_matcher_that_the_campaign_trained_is_a_metric(db: None) -> None:
    campaign = make_campaign("seas", overlap=1)
    make_labelled_items(campaign, items=24, documents=6)
    job = job_table.enqueue(campaign=campaign, kind=JobKind.TRAIN, parameters={})
    held = job_table.begin(job_id=job.pk)
    assert held is not None
    trained = train_on_labels(job=held, kind=TrainedMatcherKind.CFMATCH, seed=0)
    scores = metric_scores(campaign, judged_data_of_campaign(campaign).items, "cfmatch@seas")
    assert len(scores.scores) == 24
    assert trained.digest[:12] in scores.version


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"sections": ("oracle",)}, "no section 'oracle'; known: "),
        ({"metrics": ("f1", "em", "f1")}, "the same metric is named twice: f1, em, f1"),
        ({"metrics": ("blue",)}, "no matcher 'blue'; known: em, f1"),
        ({"release": "9.9.9"}, "there is no release 9.9.9 of lakes"),
        ({"tune_on": "dev"}, "no item is of the split 'dev' to tune on; known: no splits"),
    ],
)
def test_what_cannot_be_evaluated_is_given_up_at_once(
    campaign: Campaign, changes: dict[str, object], error: str
) -> None:
    job = run_job(campaign, plan(**changes))
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert job.error.startswith(error)
    assert not Evaluation.objects.exists()


def test_a_split_that_is_all_there_is_leaves_nothing_to_judge(campaign: Campaign) -> None:
    Question.objects.update(split="dev")
    with pytest.raises(EvaluationRefused, match=r"^every item is of the split 'dev'"):
        evaluate(campaign=campaign, plan=plan(tune_on="dev"))
    Question.objects.filter(key="labelled-1").update(split="test")
    assert evaluate(campaign=campaign, plan=plan(tune_on="dev")).tune_on == "dev"


def test_nothing_comes_of_nothing(db: None) -> None:
    empty = make_campaign("empty")
    make_item(empty)
    with pytest.raises(
        EvaluationRefused, match=r"^nothing has been judged yet: no item has a label$"
    ):
        evaluate(campaign=empty, plan=plan())
    statements = make_campaign("said", protocol="statement")
    with pytest.raises(EvaluationRefused, match=r"^protocol statement has no label"):
        evaluate(campaign=statements, plan=plan())


def test_a_withdrawn_release_is_not_evaluated(campaign: Campaign, tmp_path: Path) -> None:
    release_of(campaign, tmp_path)
    withdraw_release(release=campaign.releases.get(), reason="Names are in it.")
    with pytest.raises(EvaluationRefused, match=r"^release 1\.0\.0 was withdrawn: Names are in it"):
        evaluate(campaign=campaign, plan=plan(release="1.0.0"))


def test_a_plan_comes_back_from_the_parameters_of_a_job() -> None:
    other = plan(sections=None, release="1.0.0", tune_on="dev", replicates=7, unit="ratings")
    for chosen in (plan(), other):
        assert EvaluationPlan.from_json(json.loads(json.dumps(chosen.as_json()))) == chosen
    before_units = {name: value for name, value in plan().as_json().items() if name != "unit"}
    assert EvaluationPlan.from_json(before_units) == plan()


def test_metrics_are_set_against_ratings_where_the_plan_says_so(campaign: Campaign) -> None:
    reports = {
        unit: evaluate(campaign=campaign, plan=plan(sections=("metric_quality",), unit=unit))
        for unit in UNITS
    }
    numbers = {}
    for unit, report in reports.items():
        (section,) = report.sections
        (table, *_) = section.tables
        numbers[unit] = (table.title, table.rows[0][1])
    rated = counted_ratings(campaign).count()
    assert numbers == {
        "items": ("Metrics against people's judgement (unit: item)", 12),
        "ratings": ("Metrics against people's judgement (unit: rating)", rated),
    }


def test_answer_sets_have_rows_of_people_and_of_every_metric(campaign: Campaign) -> None:
    questions = campaign.questions.order_by("pk")
    records = [
        PredictionRecord(
            Source("p", 1), question.key, "nobody knows", 1.0, ((question.references[0], 0.5),)
        )
        for question in questions
    ]
    import_predictions(campaign=campaign, system="luke", records=records)
    made = evaluate(campaign=campaign, plan=plan(metrics=("f1", "em"), sections=("answer_sets",)))
    (section,) = made.sections
    sizes = section.tables[-2]
    assert [row[:2] for row in sizes.rows] == [
        ("people", "exact"),
        *((metric, way) for metric in ("f1", "em") for way in ("exact", "raw", "corrected")),
    ]
    at_70 = [row[-1] for row in sizes.rows]
    assert [each.value for each in at_70 if isinstance(each, Estimate)] == [2.0] * 7
