"""Questions with the same text and passage, and ids of their own: judged once, counted each.

On both databases.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from exporters.planned_release import ReleasePlan
from tasks.agreement.figures.more_figures import more_figures
from tasks.agreement.figures.systems_figures import systems_figures
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.evaluations.queries.judged import judged_data_of_campaign
from tasks.evaluations.queries.metric_scores import judged_answers
from tasks.evaluations.workflow.evaluation import EvaluationPlan, evaluate
from tasks.intake.workflow.answers import import_answers
from tasks.intake.workflow.candidates import import_predictions
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Candidate, Item, ItemSystem, Question, Release, Slot
from tasks.releases.workflow.release import publish_release
from tasks.votes.shared_items import system_answers
from tests.sampling import mostly
from tests.tasks.conftest import item_row
from tests.tomahto.lab.sections import values
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.questions import read_answers
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.reading.records import PredictionRecord, QuestionRecord, RatingRow, Source
from tomahto.lab.benchmark import EVERYTHING, benchmark_of, benchmark_systems, question_ids
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release
from tomahto.text.normalisation import exact_match

pytestmark = pytest.mark.slow


WATERS = ("lake", "river", "marsh", "spring", "canal")


def question(key: str, water: str, *references: str, **changes: Any) -> QuestionRecord:
    fields = {
        "source": Source("questions.jsonl", 1),
        "key": key,
        "document": f"document {key}",
        "text": f"{water * 3} which {water} is deep?",
        "context": f"Of every {water} some are.",
        "references": references or (f"the {water}", f"old {water}"),
        "answer_starts": (None,) * len(references or "12"),
    }
    return QuestionRecord(**{**fields, **changes})


def predict(campaign: Campaign, system: str, given: Mapping[str, str]) -> None:
    records = [
        PredictionRecord(Source("predictions.json", line), key, text)
        for line, (key, text) in enumerate(given.items(), start=1)
    ]
    import_predictions(campaign=campaign, system=system, records=records)


def rate(campaign: Campaign, votes: Mapping[str, str]) -> None:
    """Votes by candidate: `e` for a right label, `n` for a wrong one, each by a rater."""
    protocol = campaign.annotation_protocol
    labels = {"e": protocol.accepted_labels[0], "n": protocol.scheme.labels[-1]}
    rows = [
        RatingRow(Source("r.jsonl", 1), None, key, f"rater-{place}", labels[vote])
        for key, candidate in campaign.items.order_by("key").values_list("key", "candidate")
        for place, vote in enumerate(votes.get(candidate, ""))
    ]
    import_ratings(campaign=campaign, rows=rows)


def publish(campaign: Campaign, out: Path, split: str = "document:dev=50,test=50") -> Release:
    plan = ReleasePlan(version="1.0.0", split=split, seed=campaign.seed)
    release = publish_release(campaign=campaign, plan=plan, out=out)
    assert verify_release(release.folder) == []
    return release


def load(campaign: Campaign, folder: Path, suffix: str) -> None:
    keys = campaign.annotation_protocol.question_keys
    for path in folder.glob(f"items/*.{suffix}"):
        import_items(campaign=campaign, rows=read_items(path, format=None, question_keys=keys))
    for path in folder.glob(f"ratings/*.{suffix}"):
        import_ratings(campaign=campaign, rows=read_ratings(path, format=None, question_keys=keys))
    for path in sorted(folder.glob(f"answers/*.{suffix}"), reverse=True):
        import_answers(campaign=campaign, rows=read_answers(path, format=None))


def stored() -> dict[str, int]:
    models = (Candidate, Item, ItemSystem, Question, Slot)
    return {model.__name__: model._default_manager.count() for model in models}


class Settled(NamedTuple):
    question: str
    system: str
    candidate: str
    settled: str
    compared_with: tuple[tuple[str, ...], ...]


def settled(release: Release) -> list[Settled]:
    """The answers of a release, with the references of their items."""
    dataset = read_release(release.folder).dataset
    references = {record.id: record.references for record in dataset.items.records}
    return [
        Settled(*each.key, each.settled, tuple(sorted(references[item] for item in each.items)))
        for each in dataset.answers
    ]


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Two ids of one question about a lake, and one about a river that keeps a split from being
    empty. Juniper says the same to both, thistle something else to each, larch answers one."""
    campaign = create_campaign(slug="waters", protocol="ae", overlap=2)
    records = [question("q1", "lake"), question("q2", "lake"), question("q3", "river")]
    import_questions(campaign=campaign, records=records)
    predict(campaign, "juniper", {"q1": "deep one", "q2": "deep one", "q3": "wide one"})
    predict(campaign, "larch", {"q2": "deep one"})
    predict(campaign, "thistle", {"q1": "far one", "q2": "deep one", "q3": "wide one"})
    rate(campaign, {"deep one": "ee", "far one": "nn", "wide one": "nn"})
    return campaign


def test_texts_are_judged_once_and_settle_the_answers_to_both_questions(campaign: Campaign) -> None:
    assert campaign.items.count() == 6  # three candidates, two references
    assert set(campaign.items.filter(candidate="deep one").values_list("question__key")) == {
        ("q1",)
    }
    keys = dict(Question.objects.values_list("pk", "key"))
    found = {
        each.system: {keys[question]: each.value(question) for question in each.questions.tolist()}
        for each in system_answers(campaign)
    }
    assert found == {
        "juniper": {"q1": 1.0, "q2": 1.0, "q3": 0.0},
        "larch": {"q2": 1.0},  # and none to q1, which its item belongs to
        "thistle": {"q1": 0.0, "q2": 1.0, "q3": 0.0},
    }


def test_figures_count_both_answers(campaign: Campaign) -> None:
    figures = {each["system"]: each for each in systems_figures(campaign)["systems"]}
    assert {
        name: (each["judged_candidates"], each["candidates"], each["rated_items"])
        for name, each in figures.items()
    } == {"juniper": (3, 3, 6), "larch": (1, 1, 2), "thistle": (3, 3, 6)}
    accuracy = figures["juniper"]["accuracy"]["candidates"]
    assert (accuracy["value"], accuracy["n"]) == (2 / 3, 3)
    more = {each["key"]: each for each in more_figures(campaign)["quantities"]}
    assert more["accuracy/juniper"]["estimate"]["n"] == 3
    assert more["difference/juniper/thistle"]["estimate"]["n"] == 3
    assert judged_answers(campaign) == {
        ("q1", "deep one"): True,
        ("q2", "deep one"): True,
        ("q1", "far one"): False,
        ("q2", "far one"): False,
        ("q3", "wide one"): False,
    }


def test_the_release_says_of_both_how_they_were_settled(campaign: Campaign, tmp_path: Path) -> None:
    release = publish(campaign, tmp_path / "one")
    lake, river = (("old lake",), ("the lake",)), (("old river",), ("the river",))
    assert settled(release) == [
        Settled("q1", "juniper", "deep one", "rated", lake),
        Settled("q1", "thistle", "far one", "rated", lake),
        Settled("q2", "juniper", "deep one", "rated", lake),
        Settled("q2", "larch", "deep one", "rated", lake),
        Settled("q2", "thistle", "deep one", "rated", lake),
        Settled("q3", "juniper", "wide one", "rated", river),
        Settled("q3", "thistle", "wide one", "rated", river),
    ]
    assert release.documents["document q1"] == release.documents["document q2"]
    asked = {
        each["id"]: [answer["text"] for answer in each["answers"]]
        for path in (release.folder / "squad").iterdir()
        for article in json.loads(path.read_bytes())["data"]
        for paragraph in article["paragraphs"]
        for each in paragraph["qas"]
    }
    assert asked == {
        "q1": ["the lake", "old lake", "deep one"],
        "q2": ["the lake", "old lake", "deep one"],
        "q3": ["the river", "old river"],
    }


def test_a_report_and_a_benchmark_have_both_questions(campaign: Campaign, tmp_path: Path) -> None:
    release = publish(campaign, tmp_path / "one")
    plan = EvaluationPlan(metrics=("em", "f1"), replicates=20, seed=7)
    of_release = EvaluationPlan(metrics=("em", "f1"), replicates=20, seed=7, release="1.0.0")
    for each in (plan, of_release):
        sections = {
            section.key: section for section in evaluate(campaign=campaign, plan=each).sections
        }
        rows = values(sections["systems"].tables[0])
        assert [(row["system"], row["n"], row["people"]) for row in rows] == [
            ("juniper", 3, 2 / 3),
            ("larch", 1, 1.0),
            ("thistle", 3, 1 / 3),
        ]
        more = values(sections["more_references"].tables[0])
        assert {row["system"]: row["n"] for row in more} == {"juniper": 3, "larch": 1, "thistle": 3}
    stored_release = read_release(release.folder)
    benchmark = benchmark_of(stored_release, EVERYTHING)
    assert {each.id: (each.verdicts, each.references) for each in benchmark.questions} == {
        "q1": ({"deep one": True, "far one": False}, ("the lake", "old lake")),
        "q2": ({"deep one": True}, ("the lake", "old lake")),
        "q3": ({"wide one": False}, ("the river", "old river")),
    }
    assert question_ids(release.folder, EVERYTHING) == benchmark.ids
    shown = benchmark_systems(stored_release, EVERYTHING)
    accuracies = {each["system"]: each["accuracy"]["with_exact_matches"] for each in shown}
    assert {system: (each["value"], each["n"]) for system, each in accuracies.items()} == {
        "juniper": (2 / 3, 3),
        "larch": (1.0, 1),
        "thistle": (1 / 3, 3),
    }


def test_the_digest_of_judged_answers_says_who_answered_which(campaign: Campaign) -> None:
    before = judged_data_of_campaign(campaign)
    predict(campaign, "larch", {"q1": "deep one"})
    after = judged_data_of_campaign(campaign)
    assert before.items == after.items
    assert before.digest != after.digest


def test_splits_of_the_source_stay_and_the_leak_is_reported(db: None, tmp_path: Path) -> None:
    campaign = create_campaign(slug="waters", protocol="ae", overlap=2)
    records = [question("q1", "lake", split="dev"), question("q2", "lake", split="test")]
    import_questions(campaign=campaign, records=[*records, question("q3", "river", split="test")])
    predict(campaign, "juniper", {"q1": "deep one", "q2": "deep one", "q3": "wide one"})
    rate(campaign, {"deep one": "ee", "wide one": "nn"})
    first = publish(campaign, tmp_path / "one", split="predefined")
    assert [(each.question, each.settled) for each in settled(first)] == [
        ("q1", "rated"),
        ("q2", "rated"),
        ("q3", "rated"),
    ]
    report = json.loads((first.folder / "splits.json").read_bytes())
    assert report["leaks"] == [
        [
            {"document": "document q1", "question_id": "q1"},
            {"document": "document q2", "question_id": "q2"},
        ]
    ]
    assert "deep one" not in (first.folder / "squad/test.json").read_text()
    assert question_ids(first.folder, "test") == {"q3"}
    assert benchmark_of(read_release(first.folder), "test").ids == {"q3"}
    again = create_campaign(slug="again", protocol="ae", overlap=1)
    load(again, first.folder / "jsonl", "jsonl")
    assert publish(again, tmp_path / "two", split="predefined").digest == first.digest


def test_another_passage_makes_another_item(db: None) -> None:
    campaign = create_campaign(slug="waters", protocol="ae", overlap=2)
    other = question("q2", "lake", context="Another passage.")
    import_questions(campaign=campaign, records=[question("q1", "lake"), other])
    predict(campaign, "juniper", {"q1": "deep one", "q2": "deep one"})
    assert [len(each.items) for each in system_answers(campaign)] == [4]
    assert campaign.items.count() == 4


def test_each_question_has_its_own_references(db: None, tmp_path: Path) -> None:
    """A candidate is a reference of the one question and is judged for the other."""
    campaign = create_campaign(slug="waters", protocol="ae", overlap=2)
    records = [
        question("q1", "lake", "a", "b"),
        question("q2", "lake", "c", "b"),
        question("q3", "river"),
    ]
    import_questions(campaign=campaign, records=records)
    predict(campaign, "juniper", {"q1": "c", "q2": "c", "q3": "wide"})
    predict(campaign, "larch", {"q1": "x", "q2": "x", "q3": "wide"})
    rate(campaign, {"c": "nn", "x": "ee", "wide": "nn"})
    expected = [
        Settled("q1", "juniper", "c", "rated", (("a",), ("b",))),
        Settled("q1", "larch", "x", "rated", (("a",), ("b",))),
        Settled("q2", "juniper", "c", "exact", ()),
        Settled("q2", "larch", "x", "rated", (("b",), ("c",))),
    ]
    first = publish(campaign, tmp_path / "one")
    assert settled(first)[:4] == expected
    again = create_campaign(slug="again", protocol="ae", overlap=1)
    load(again, first.folder / "jsonl", "jsonl")
    assert publish(again, tmp_path / "two").digest == first.digest


@pytest.mark.parametrize("keys", mostly([("q1", "q2"), ("q2", "q1")], ("q2", "q1")))
def test_items_of_files_answer_the_questions_that_their_rows_name(
    db: None, tmp_path: Path, keys: Sequence[str]
) -> None:
    campaign = create_campaign(slug="waters", protocol="ae", overlap=2)
    texts = {"question": "Which?", "context": "A passage.", "references": ("one",), "id": None}
    row = {**texts, "document": "d", "candidate": "two"}
    for key in keys:  # files of their own
        rows = [item_row(1, **row, question_key=key, systems=("juniper", f"only {key}"))]
        import_items(campaign=campaign, rows=rows)
    rows = [item_row(2, id="other", systems=("juniper",), document="e")]
    import_items(campaign=campaign, rows=rows)
    rate(campaign, {"two": "ee", "candidate 2": "nn"})
    first = publish(campaign, tmp_path / "one")
    assert [each[:2] for each in settled(first)] == [
        ("q1", "juniper"),
        ("q1", "only q1"),
        ("q2", "juniper"),
        ("q2", "only q2"),
        ("question-2", "juniper"),
    ]
    assert {each.settled for each in settled(first)} == {"rated"}
    again = create_campaign(slug="again", protocol="ae", overlap=1)
    load(again, first.folder / "jsonl", "jsonl")
    assert publish(again, tmp_path / "two").digest == first.digest


def test_of_several_texts_each_is_kept(db: None, tmp_path: Path) -> None:
    """Files of items give a system two answers, one of them a reference's by a prediction."""
    campaign = create_campaign(slug="waters", protocol="ae", overlap=2)
    import_questions(campaign=campaign, records=[question("q1", "lake"), question("q3", "river")])
    asked = question("q1", "lake")
    row = {"question_key": "q1", "question": asked.text, "context": asked.context, "id": None}
    rows = [
        item_row(1, **row, document=asked.document, references=asked.references, candidate=text)
        for text in ("zebra", "ant")
    ]
    import_items(campaign=campaign, rows=rows)
    predict(campaign, "juniper", {"q1": "the lake", "q3": "wide"})
    rate(campaign, {"zebra": "ee", "ant": "nn", "wide": "nn"})
    first = publish(campaign, tmp_path / "one")
    assert [each[1:4] for each in settled(first)] == [
        ("juniper", "ant", "rated"),
        ("juniper", "the lake", "exact"),
        ("juniper", "zebra", "rated"),
        ("juniper", "wide", "rated"),
    ]
    again = create_campaign(slug="again", protocol="ae", overlap=1)
    load(again, first.folder / "jsonl", "jsonl")
    assert publish(again, tmp_path / "two").digest == first.digest


def generated(random: Random) -> Iterator[QuestionRecord]:
    """Every text under one to three ids, most of them with the same references."""
    numbers = iter(range(100))
    for water in WATERS:
        for _ in range(random.choice((1, 2, 2, 3))):
            references = [f"{word} {water}" for word in ("the", "old", "new")]
            references = references[: random.choice((2, 2, 3))]
            yield question(f"q{next(numbers):02}", water, *references)


def expected_answers(
    records: Sequence[QuestionRecord],
    given: Mapping[str, Mapping[str, str]],
    votes: Mapping[str, str],
    protocol: str,
) -> list[Settled]:
    """The equalities that follow from the texts alone."""
    found = []
    by_key = {record.key: record for record in records}
    for system, answers in given.items():
        for key, text in answers.items():
            references = sorted(by_key[key].references)
            sets = [(each,) for each in references] if protocol == "ae" else [tuple(references)]
            if exact_match(text, references):
                found.append(Settled(key, system, text, "exact", ()))
            elif votes.get(text):
                found.append(Settled(key, system, text, "rated", tuple(sets)))
            else:
                found.append(Settled(key, system, text, "not-rated", ()))
    return sorted(found)


@pytest.mark.parametrize("protocol", mostly(["ae", "cap"], "ae"))
@pytest.mark.parametrize("seed", mostly(range(4), 0))
def test_generated_duplicates_come_back_with_their_release(
    db: None, tmp_path: Path, seed: int, protocol: str
) -> None:
    random = Random(seed)
    records = list(generated(random))
    campaign = create_campaign(slug="waters", protocol=protocol, overlap=2)
    import_questions(campaign=campaign, records=records)
    given: dict[str, dict[str, str]] = {}
    for system in ("juniper", "larch", "thistle"):
        given[system] = {
            str(record.key): random.choice(
                (record.references[0], "", *(f"{word} {record.text[:6]}" for word in "abcd"))
            )
            for record in random.sample(records, len(records) - 2)
        }
        predict(campaign, system, given[system])
    texts = sorted(set(campaign.items.values_list("candidate", flat=True)))
    votes = {text: random.choice(("", "ee", "en", "nn", "n")) for text in texts}
    rate(campaign, votes)
    first = publish(campaign, tmp_path / "one")
    found = [
        each._replace(compared_with=tuple(tuple(sorted(e)) for e in each.compared_with))
        for each in settled(first)
    ]
    assert sorted(found) == expected_answers(records, given, votes, protocol)
    splits = {record.text: set[str]() for record in records}
    for each in read_release(first.folder).dataset.answers:
        splits[each.question.question].update(each.splits)
    assert max(len(found) for found in splits.values()) == 1
    page = {each["system"]: each["accuracy"] for each in systems_figures(campaign)["systems"]}
    shown = json.loads((first.folder / "statistics.json").read_bytes())["systems"]
    assert {each["system"]: each["accuracy"] for each in shown} == page

    suffix = random.choice(("jsonl", "csv"))
    again = create_campaign(slug="again", protocol=protocol, overlap=1)
    load(again, first.folder / suffix, suffix)
    second = publish(again, tmp_path / "two")
    assert (second.digest, second.documents) == (first.digest, first.documents)
    before = stored()
    load(again, first.folder / suffix, suffix)
    load(campaign, first.folder / suffix, suffix)
    assert stored() == before
