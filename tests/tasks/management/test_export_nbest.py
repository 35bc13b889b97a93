"""`manage.py export_nbest`: what `evaluate conformal` reads."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tasks.evaluations.queries.metric_scores import ranked_candidates
from tasks.intake.workflow.candidates import answer_questions
from tasks.models import Campaign
from tests.tasks.intake.questions import job_of
from tests.tasks.management.conftest import Manage
from tests.tasks.management.samples import QUESTION
from tests.tomahto.interchange.files import Write
from tomahto.answerers.interface import Answer, QuestionToAnswer, ScoredText
from tomahto.lab.report import MetricSignature
from tomahto.matching.registry import load_matcher


class Ranker:
    """Ranks a reference behind another answer; of the question q3 it has no score."""

    name = "ranker"
    version = "ranker|1"

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer]:
        return [
            Answer(q.key, "elsewhere", None if q.key == "q3" else 2.5, (ScoredText(gold, -1.0),))
            for q in questions
            for gold in [f"The {QUESTION['references'][0]}!"]
        ]


@pytest.fixture
def answered(manage: Manage, campaign: str, write: Write) -> str:
    rows = [{**QUESTION, "id": f"q{n}", "question": f"Where {n}?"} for n in range(1, 12)]
    manage("import_questions", campaign, write("q.jsonl", rows))
    job = job_of(Campaign.objects.get(slug=campaign))
    list(answer_questions(job=job, answerer=Ranker()))
    return campaign


def test_export_nbest_writes_every_question_with_scores(
    manage: Manage, answered: str, tmp_path: Path
) -> None:
    out = tmp_path / "nbest.jsonl"
    printed = manage.json("export_nbest", answered, "--system", "ranker", "--out", out)
    assert printed == {"questions": 10, "calibration": 8, "answers": 20, "path": str(out)}
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["id"] for line in lines] == ["q1", "q2", *(f"q{n}" for n in range(4, 12))]
    first = dict(lines[0])
    assert first.pop("fold") in {"calibration", "test"}
    assert first == {
        "id": "q1",
        "question": "Where 1?",
        "references": QUESTION["references"],
        "answers": ["elsewhere", f"The {QUESTION['references'][0]}!"],
        "scores": [-2.5, 1.0],
        "admissible": [0, 1],
    }
    assert [line["fold"] for line in lines].count("calibration") == 8
    # every calibration question has its right answer at 1.0, so that far all sets reach
    judged = manage.json("evaluate", "conformal", out, "--targets", "0.8")
    assert [(one["mean_set_size"], one["accuracy"]) for one in judged.values()] == [(2.0, 1.0)]


class Signed(Ranker):
    """Has a sign that no reference has."""

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer]:
        return [Answer(q.key, "-5", 1.0, (ScoredText("", 0.5),)) for q in questions]


@pytest.mark.parametrize(("rule", "admissible"), [("strict", [0, 0]), ("squad", [1, 0])])
def test_export_nbest_admits_by_the_rule_of_the_campaign(
    manage: Manage, campaign: str, write: Write, tmp_path: Path, rule: str, admissible: list[int]
) -> None:
    manage("configure_campaign", campaign, "--exact-rule", rule)
    rows = [{**QUESTION, "references": ["5", "the"]}]
    manage("import_questions", campaign, write("q.jsonl", rows))
    list(answer_questions(job=job_of(Campaign.objects.get(slug=campaign)), answerer=Signed()))
    out = tmp_path / "nbest.jsonl"
    for choice in ("exact", "labels"):
        options = ("--system", "ranker", "--out", out, "--admissible", choice)
        manage("export_nbest", campaign, *options)
        assert _admissible(out) == {"q1": admissible}


def test_export_nbest_draws_the_same_folds_with_the_same_seed(
    manage: Manage, answered: str, tmp_path: Path
) -> None:
    files = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        out = tmp_path / name
        options = ("--system", "ranker", "--out", out, "--seed", seed, "--calibration", 50)
        manage("export_nbest", answered, *options)
        files.append(out.read_text())
    assert files[0] == files[1] != files[2]


def test_export_nbest_names_the_systems_that_have_scores(
    manage: Manage, answered: str, tmp_path: Path
) -> None:
    out = tmp_path / "nbest.jsonl"
    printed = manage.error("export_nbest", answered, "--system", "juniper", "--out", out)
    assert printed == (
        "CommandError: no system 'juniper' has scores in rivers; those that do: ranker\n"
    )
    assert not out.exists()


@pytest.fixture
def rated(manage: Manage, answered: str, write: Write) -> str:
    """Of "elsewhere", one question's is rated right, one's wrong, and one's is tied. A fourth is
    right with one reference and not rated with the other."""
    campaign = Campaign.objects.get(slug=answered)
    votes = {"q1": (True, True), "q2": (False, False), "q4": (True, False)}
    ratings = [
        _rating(question, reference, f"rater-{place}", is_right=is_right)
        for question, given in votes.items()
        for reference in QUESTION["references"]
        for place, is_right in enumerate(given)
    ]
    ratings.append(_rating("q5", QUESTION["references"][0], "rater-0", is_right=True))
    manage("import_ratings", answered, write("ratings.jsonl", ratings))
    assert campaign.items.filter(candidate="elsewhere").count() == 22
    return answered


def _rating(question: str, reference: str, rater: str, *, is_right: bool) -> dict[str, object]:
    return {
        **QUESTION,
        "id": None,
        "question": f"Where {question[1:]}?",
        "references": [reference],
        "candidate": "elsewhere",
        "rater": rater,
        "label": "equivalent" if is_right else "not-equivalent",
    }


def _admissible(path: Path) -> dict[str, list[int]]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {line["id"]: line["admissible"] for line in lines}


def test_export_nbest_admits_what_people_judged_right(
    manage: Manage, rated: str, tmp_path: Path
) -> None:
    out = tmp_path / "nbest.jsonl"
    options = ("--system", "ranker", "--out", out)
    printed = manage.json("export_nbest", rated, *options, "--admissible", "labels")
    assert printed == {
        "questions": 10,
        "calibration": 8,
        "answers": 20,
        "exact_matches": 10,
        "rated_right": 1,
        "rated_wrong": 1,
        "tied": 1,
        "unrated": 7,
        "path": str(out),
    }
    admissible = _admissible(out)
    assert admissible.pop("q1") == [1, 1]
    assert set(map(tuple, admissible.values())) == {(0, 1)}
    manage.json("export_nbest", rated, *options)
    assert set(map(tuple, _admissible(out).values())) == {(0, 1)}


def test_export_nbest_lets_a_matcher_admit_beside_the_labels(
    manage: Manage, rated: str, tmp_path: Path
) -> None:
    out = tmp_path / "nbest.jsonl"
    options = ("--admissible", "labels", "--approximate", "em", "--calibration", 50)
    printed = manage.json("export_nbest", rated, "--system", "ranker", "--out", out, *options)
    assert printed["matcher"] == {
        "metric": "em",
        "version": "em|norm:squad|agg:max-ref|v1",
        "threshold": 1.0,
    }
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["approximate"] for line in lines] == [[0, 1]] * 10
    # its top answer is wrong nowhere, and where people say more, the sets become smaller
    sets = manage.json("evaluate", "conformal", out, "--targets", "0.5")["0.5"]
    assert sets["approximate"]["error"]["wrong"] == 0
    tried = manage.json("evaluate", "conformal", out, "--targets", "0.1", "--trials", "20")
    assert tried["targets"]["0.1"]["approximate"]["raw"]["mean_set_size"]["value"] == 2


def test_an_evaluation_takes_the_ranked_answers_of_the_campaign(answered: str) -> None:
    found = ranked_candidates(Campaign.objects.get(slug=answered))
    assert found is not None
    assert (found.system, len(found.labels)) == ("ranker", 10)
    assert found.labels.scores[0].tolist() == [-2.5, 1.0]
    assert found.labels.is_admissible.tolist() == [[False, True]] * 10


def test_an_evaluation_has_a_metric_admit_them_too(answered: str) -> None:
    metric = load_matcher("f1")
    found = ranked_candidates(Campaign.objects.get(slug=answered), [metric])
    assert found is not None
    ((signature, admitted),) = found.metrics
    assert signature == MetricSignature("f1", metric.version, metric.threshold)
    assert admitted.is_admissible.tolist() == [[False, True]] * 10


def imported_lists() -> dict[str, list[dict[str, object]]]:
    """The answers of `Ranker`, as SQuAD's scripts write them; unknown questions are passed over."""
    right = f"The {QUESTION['references'][0]}!"
    return {
        f"q{n}": [
            {"text": text, "probability": 0.5, "start_logit": start, "end_logit": 0.5}
            for text, start in (("elsewhere", 2.0), (right, -1.5))
        ]
        for n in (1, 2, *range(4, 13))
    }


def test_lists_that_are_imported_are_those_of_an_answerer(
    manage: Manage, answered: str, write: Write, tmp_path: Path
) -> None:
    path = write("nbest_predictions.json", json.dumps(imported_lists()))
    brought = manage.json("import_predictions", answered, path, "--system", "luke")
    assert (brought["candidates"], brought["unknown_questions"]) == (10, 1)
    lines: list[dict[str, object]] = [
        {
            "id": key,
            "answers": [
                {"text": each["text"], "score": 2.5 if place == 0 else -1}
                for place, each in enumerate(answers)
            ],
        }
        for key, answers in imported_lists().items()
    ]
    manage("import_predictions", answered, write("l.jsonl", lines), "--system", "lines")
    files = []
    for system in ("ranker", "luke", "lines"):
        out = tmp_path / system
        manage("export_nbest", answered, "--system", system, "--out", out)
        files.append(out.read_text())
    assert files[0] == files[1] == files[2]


def test_a_campaign_without_ranked_answers_has_no_candidates(campaign: str) -> None:
    assert ranked_candidates(Campaign.objects.get(slug=campaign)) is None
