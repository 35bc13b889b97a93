"""A release has all answers of all systems, so that it says of them what the campaign says.

On both databases.
"""

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import pytest

from exporters.planned_release import ReleasePlan
from tasks.agreement.figures.systems_figures import systems_figures
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.evaluations.workflow.evaluation import EvaluationPlan, evaluate
from tasks.intake.workflow.adjudications import import_adjudications
from tasks.intake.workflow.answers import AnswerIntake, import_answers
from tasks.intake.workflow.candidates import import_predictions
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Candidate, Item, ItemSystem, Question, Release, Slot
from tasks.releases.workflow.release import publish_release
from tests.sampling import mostly
from tests.tasks.conftest import item_row
from tests.tomahto.lab.sections import values
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.questions import read_answers
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.reading.records import (
    AdjudicationRow,
    GivenAnswer,
    InputError,
    PredictionRecord,
    QuestionRecord,
    RatingRow,
    Source,
)
from tomahto.lab.report import LabReport
from tomahto.releases.dataset.choices import Selection
from tomahto.releases.records.records import AnswerRecord
from tomahto.releases.stored.manifest import read_manifest
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


QUESTIONS = 24
SHARES = "document:dev=40,test=60"
Fill = Callable[[str], Campaign]


def question(number: int) -> QuestionRecord:
    """Six documents; the last one's questions are all answered exactly or not at all."""
    source = Source("questions.jsonl", number)
    lake = f"lake {number}"
    return QuestionRecord(
        source=source,
        key=f"question-{number:02}",
        document=f"document-{number // 4}",
        text=f"{'abcdefghijklmnopqrstuvwx'[number] * 3} names the water beside tower {number}?",
        context=f"People call it {lake}, or the deep pool of {number}.",
        references=(lake, f"the deep pool of {number}"),
        answer_starts=(None, None),
        split=("dev", "test")[number // 4 % 2],
    )


def answers(system: str) -> Mapping[int, str]:
    """juniper is exact most of the time and wrong where it is rated; thistle is rated right more
    often than any other, and exact least of all."""
    given: dict[int, str] = {}
    for number in range(QUESTIONS):
        if number >= 20:
            exact = system == "juniper" or number % 2
            given[number] = f"The lake {number}." if exact else ""
        elif system == "juniper" and number % 4:
            given[number] = f"Lake {number}"
        elif system == "larch" and number % 3 == 0:
            given[number] = f"deep pool of {number}"
        elif system == "thistle":
            given[number] = f"the pool near {number}"
        else:
            given[number] = f"some pool near {number}"
    return given


def votes_on(item: Item) -> str:
    """Equivalent or not, by three raters; a tie, and nothing on every seventh item."""
    number = int(item.question.key[-2:])
    if number % 7 == 3 and item.reference_index in (1, None):
        return ""
    if number % 5 == 2:
        return "en"
    return "een" if item.candidate.startswith("the pool") and number % 2 else "nne"


def filled(protocol: str) -> Campaign:
    campaign = create_campaign(slug=protocol, protocol=protocol, overlap=3)
    import_questions(campaign=campaign, records=map(question, range(QUESTIONS)))
    for system in ("juniper", "larch", "thistle"):
        records = [
            PredictionRecord(Source("predictions.jsonl", n), question(n).key or "", text)
            for n, text in answers(system).items()
        ]
        import_predictions(campaign=campaign, system=system, records=records)
    said = {"e": right_label(campaign), "n": campaign.annotation_protocol.scheme.labels[-1]}
    rows = [
        RatingRow(Source("r.jsonl", 1), None, item.key, f"rater-{place}", said[vote])
        for item in campaign.items.select_related("question")
        for place, vote in enumerate(votes_on(item))
    ]
    import_ratings(campaign=campaign, rows=rows)
    return campaign


def right_label(campaign: Campaign) -> str:
    return campaign.annotation_protocol.accepted_labels[0]


def publish(campaign: Campaign, out: Path, **changes: Any) -> Release:
    plan = ReleasePlan(version="1.0.0", split=SHARES, seed=campaign.seed, labels="adjudicated")
    return publish_release(campaign=campaign, plan=replace(plan, **changes), out=out)


@pytest.fixture(scope="module")
def _kept(kept_rows: None) -> Mapping[str, Campaign]:
    return {protocol: filled(protocol) for protocol in ("ae", "cap")}


@pytest.fixture
def fill(_kept: Mapping[str, Campaign], db: None) -> Fill:
    """Makes a campaign of a protocol; those of two are there already, without releases."""

    def fill(protocol: str) -> Campaign:
        if protocol in _kept:
            Release.objects.all().delete()
            return Campaign.objects.get(pk=_kept[protocol].pk)
        return filled(protocol)

    return fill


@pytest.fixture(scope="module")
def _published(
    _kept: Mapping[str, Campaign], tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Release]:
    folder = tmp_path_factory.mktemp("releases")
    return {protocol: publish(kept, folder / protocol) for protocol, kept in _kept.items()}


@pytest.fixture
def published(_published: Mapping[str, Release], db: None) -> Mapping[str, Release]:
    """Releases of the campaigns that are there already."""
    return {name: Release.objects.get(pk=made.pk) for name, made in _published.items()}


def settled(release: Release) -> dict[str, dict[str, int]]:
    systems = json.loads((release.folder / "statistics.json").read_bytes())["systems"]
    return {each["system"]: each["answers"] for each in systems}


def report(campaign: Campaign, release: str | None = None) -> LabReport:
    plan = EvaluationPlan(metrics=("em", "f1", "feather"), replicates=50, seed=7, release=release)
    return evaluate(campaign=campaign, plan=plan)


def cells(found: LabReport) -> dict[str, Any]:
    """Everything but whose data it is, section by section: what is in tables, charts and notes."""
    return {
        section.key: (
            section.reason,
            section.charts,
            [(each.key, each.columns, each.rows, each.notes, each.reasons) for each in tables],
        )
        for section in found.sections
        for tables in [section.tables]
    }


def decide(campaign: Campaign) -> None:
    """One adjudicator settles a tie and turns a majority round."""
    tied = campaign.items.filter(question__key="question-02").order_by("key")[0]
    lost = campaign.items.filter(question__key="question-00").order_by("key")[0]
    label = campaign.annotation_protocol.scheme.labels[-1]
    rows = [
        AdjudicationRow(Source("d.jsonl", 1), item.key, "oak", GivenAnswer(label))
        for item in (tied, lost)
    ]
    import_adjudications(campaign=campaign, rows=rows)


@pytest.mark.parametrize("is_adjudicated", mostly([False, True], True))
@pytest.mark.parametrize("protocol", mostly(["ae", "cap", "rules"], "cap"))
def test_report_from_the_release_equals_the_campaigns(
    fill: Fill, tmp_path: Path, protocol: str, is_adjudicated: bool
) -> None:
    campaign = fill(protocol)
    if is_adjudicated:
        decide(campaign)
    publish(campaign, tmp_path / "release", split="predefined")
    now, released = report(campaign), report(campaign, "1.0.0")
    assert now.items == released.items < campaign.items.count()
    of_campaign, of_release = cells(now), cells(released)
    del of_campaign["answer_sets"], of_release["answer_sets"]  # no release has n best answers
    assert of_release == of_campaign
    (systems,) = (each for each in released.sections if each.key == "systems")
    right = {str(row["system"]): float(str(row["people"])) for row in values(systems.tables[0])}
    assert right["juniper"] > right["thistle"]  # and the other way round among rated answers


@pytest.mark.thorough
def test_report_from_a_release_by_documents_differs_in_its_splits_alone(
    published: Mapping[str, Release],
) -> None:
    campaign = published["ae"].campaign
    of_campaign, of_release = cells(report(campaign)), cells(report(campaign, "1.0.0"))
    for key in ("data", "label_sources", "answer_sets"):
        del of_campaign[key], of_release[key]
    assert of_release == of_campaign


@pytest.mark.parametrize("protocol", mostly(["ae", "cap", "rules"], "cap"))
def test_systems_of_a_release_are_those_of_the_page(
    fill: Fill, tmp_path: Path, protocol: str
) -> None:
    campaign = fill(protocol)
    release = publish(campaign, tmp_path / "release")
    assert verify_release(release.folder) == []
    page = systems_figures(campaign)["systems"]
    shown = json.loads((release.folder / "statistics.json").read_bytes())["systems"]
    assert [each["system"] for each in shown] == ["juniper", "thistle", "larch"]
    for each in shown:
        counts = each.pop("answers")
        assert counts["exact"] == each["exact_matches"]
        assert sum(counts.values()) == each["candidates"] == QUESTIONS
    assert shown == [
        {name: each[name] for name in each if name not in ("items", "unrated_items")}
        for each in page
    ]
    with (release.folder / "tables/systems.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [(row["system"], float(row["with_exact_matches"])) for row in table] == [
        (each["system"], each["accuracy"]["with_exact_matches"]["value"]) for each in page
    ]
    card = (release.folder / "README.md").read_text()
    rows = [line for line in card.splitlines() if line.startswith(("| juniper", "| thistle"))]
    value = page[0]["accuracy"]["with_exact_matches"]
    assert "| {value:.3f} ({low:.3f} to {high:.3f}) |".format(**value) in rows[0]
    assert [row.split()[1] for row in rows] == ["juniper", "thistle"]


def test_answers_are_all_there_and_loaded_by_datasets(
    published: Mapping[str, Release], tmp_path: Path
) -> None:
    release = published["ae"]
    assert verify_release(release.folder) == []
    stored = read_release(release.folder)
    found = {each.key: each for each in stored.dataset.answers}
    assert len(found) == 3 * QUESTIONS == read_manifest(release.folder).answers
    loaded = datasets.load_dataset(str(release.folder), "answers", cache_dir=str(tmp_path / "c"))
    assert {name: len(split) for name, split in loaded.items()} == {
        split: len(answers) for split, answers in stored.dataset.answers_by_split.items()
    }
    rows = [row for split in loaded.values() for row in split]
    (alone,) = (
        row for row in rows if (row["question_id"], row["system"]) == ("question-21", "larch")
    )
    assert alone == {
        "document": "document-5",
        "question_id": "question-21",
        "source_split": "test",
        "question": "vvv names the water beside tower 21?",
        "context": "People call it lake 21, or the deep pool of 21.",  # no item has it
        "references": ["lake 21", "the deep pool of 21"],
        "system": "larch",
        "candidate": "The lake 21.",
        "settled": "exact",
        "items": [],
    }
    assert found["question-22", "larch", ""].settled == "not-rated"  # it abstained
    partly = found["question-03", "thistle", "the pool near 3"]
    assert (partly.settled, len(partly.items)) == ("not-rated", 1)  # of two
    assert {row["context"] for row in rows if row["items"]} == {None}
    split_of = {each.question.document: each.splits for each in found.values()}
    assert len(split_of) == 6
    assert all(split_of[each.question.document] == each.splits for each in found.values())
    assert release.documents == {document: split for document, (split,) in split_of.items()}


def test_answers_whose_items_a_selection_leaves_out_are_not_rated(
    published: Mapping[str, Release], tmp_path: Path
) -> None:
    campaign = published["cap"].campaign
    item = campaign.items.filter(question__key="question-00", candidate="the pool near 0").get()
    expected = GivenAnswer(right_label(campaign))
    control = item_row(
        1,
        id="gold",
        purpose="control",
        expected=expected,
        question=item.question.text,
        context=item.question.context,
        references=tuple(item.references),
        candidate=item.candidate,
        systems=(),
        document=item.question.document.key,
        question_key=item.question.key,
    )
    import_items(campaign=campaign, rows=[control])
    without = publish(
        campaign, tmp_path / "some", version="2.0.0", selection=Selection(without_controls=True)
    )
    assert verify_release(without.folder) == []
    before, after = settled(published["cap"])["thistle"], settled(without)["thistle"]
    assert (after["rated"], after["not-rated"]) == (before["rated"] - 1, before["not-rated"] + 1)
    assert sum(after.values()) == sum(before.values())
    left: AnswerRecord
    (left,) = (
        each
        for each in read_release(without.folder).dataset.answers
        if each.key == ("question-00", "thistle", "the pool near 0")
    )
    assert (left.settled, left.items) == ("not-rated", ())


def load(campaign: Campaign, folder: Path, suffix: str) -> list[AnswerIntake]:
    """The files of the release, the answers last."""
    keys = campaign.annotation_protocol.question_keys
    for path in folder.glob(f"items/*.{suffix}"):
        import_items(campaign=campaign, rows=read_items(path, format=None, question_keys=keys))
    for path in folder.glob(f"ratings/*.{suffix}"):
        import_ratings(campaign=campaign, rows=read_ratings(path, format=None, question_keys=keys))
    return [
        import_answers(campaign=campaign, rows=read_answers(path, format=None))
        for path in sorted(folder.glob(f"answers/*.{suffix}"), reverse=True)
    ]


def stored() -> dict[str, int]:
    models = (Candidate, Item, ItemSystem, Question, Slot)
    return {model.__name__: model._default_manager.count() for model in models}


@pytest.mark.parametrize("suffix", mostly(["jsonl", "csv"], "csv"))
@pytest.mark.parametrize("protocol", mostly(["ae", "cap"], "cap"))
def test_answers_come_back_with_the_release(
    fill: Fill, tmp_path: Path, protocol: str, suffix: str
) -> None:
    first = publish(fill(protocol), tmp_path / "one")
    again = create_campaign(slug="again", protocol=protocol, overlap=1)
    intakes = load(again, first.folder / suffix, suffix)
    assert sum(each.answers for each in intakes) == 3 * QUESTIONS
    assert sum(each.questions_created for each in intakes) == again.questions.count() - len(
        {item.record.question_id for item in read_release(first.folder).dataset.items}
    )
    second = publish(again, tmp_path / "two")
    assert verify_release(second.folder) == []
    assert (second.digest, second.documents) == (first.digest, first.documents)
    assert settled(second) == settled(first)
    before = stored()
    load(again, second.folder / suffix, suffix)
    assert stored() == before


def test_an_empty_answer_with_items_comes_back_half_rated(db: None, tmp_path: Path) -> None:
    """Predictions make no items of one, but a file of items may."""
    first, second = (create_campaign(slug=slug, protocol="ae", overlap=1) for slug in "ab")
    rows = [item_row(1, id=None, references=("a", "b"), candidate=""), item_row(2)]
    import_items(campaign=first, rows=rows)
    rated = first.items.exclude(references=["b"]).values_list("key", flat=True)
    ratings = [
        RatingRow(Source("ratings.jsonl", 1), None, key, "ann", "equivalent") for key in rated
    ]
    import_ratings(campaign=first, rows=ratings)
    load(second, publish(first, tmp_path / "one").folder / "jsonl", "jsonl")
    digests = [publish(each, tmp_path / f"{each.slug}.again").digest for each in (first, second)]
    assert digests[0] == digests[1]


def test_answers_that_contradict_what_is_there_are_refused(fill: Fill, tmp_path: Path) -> None:
    campaign = fill("ae")
    rows = [
        {
            "question_id": "question-21",
            "question": question(21).text,
            "references": ["lake 21"],
            "system": "larch",
            "candidate": "lake 21",
            "settled": "exact",
        }
    ]
    path = tmp_path / "answers.jsonl"
    for change, message in (
        ({}, "field candidate: larch has already answered question 'question-21' differently"),
        ({"settled": "guessed"}, "field settled: is not one of exact, rated, not-rated"),
        ({"question": "Who?"}, "field question: question 'question-21' already exists with"),
    ):
        path.write_text(json.dumps(rows[0] | change))
        before = stored()
        with pytest.raises(InputError) as error:
            import_answers(campaign=campaign, rows=read_answers(path, format=None))
        assert str(error.value).startswith(f"{path}, line 1, {message}")
        assert stored() == before


def test_systems_that_a_split_does_not_name_are_left_out(fill: Fill, tmp_path: Path) -> None:
    campaign = fill("ae")
    release = publish(campaign, tmp_path / "one", split="system:dev=juniper,test=larch:others=omit")
    assert verify_release(release.folder) == []
    assert list(settled(release)) == ["juniper", "larch"]
    dataset = read_release(release.folder).dataset
    assert {(each.system, each.splits) for each in dataset.answers} == {
        ("juniper", ("dev",)),
        ("larch", ("test",)),
    }
    assert (
        "24 answers of no system that a split names are left out as well."
        in (release.folder / "README.md").read_text()
    )


@pytest.mark.parametrize("suffix", mostly(["jsonl", "csv"], "jsonl"))
def test_answers_to_unanswerable_questions_are_released_and_judged_nowhere(
    fill: Fill, tmp_path: Path, suffix: str
) -> None:
    campaign = fill("ae")
    asked = question(QUESTIONS - 1)
    changes: dict[str, Any] = {
        "text": "who?",
        "references": (),
        "answer_starts": (),
        "is_unanswerable": True,
    }
    unanswerable = replace(asked, key="question-30", **changes)
    import_questions(campaign=campaign, records=[unanswerable])
    given = [PredictionRecord(Source("p.jsonl", 1), "question-30", text) for text in ("", "me")]
    for system, record in zip(("juniper", "larch"), given, strict=True):
        import_predictions(campaign=campaign, system=system, records=[record])
    release = publish(campaign, tmp_path / "release")
    assert verify_release(release.folder) == []
    found = [
        (each.system, each.candidate, each.settled)
        for each in read_release(release.folder).dataset.answers
        if each.question.id == "question-30"
    ]
    assert found == [("juniper", "", "not-rated"), ("larch", "me", "not-rated")]
    of_page = [each["accuracy"] for each in systems_figures(campaign)["systems"]]
    shown = json.loads((release.folder / "statistics.json").read_bytes())["systems"]
    assert [each["accuracy"] for each in shown] == of_page
    asked_in_squad = {
        each["id"]: each["is_impossible"]
        for path in (release.folder / "squad").iterdir()
        for article in json.loads(path.read_bytes())["data"]
        for paragraph in article["paragraphs"]
        for each in paragraph["qas"]
    }
    assert asked_in_squad == {
        each.key: each.key == "question-30" for each in campaign.questions.all()
    }
    again = create_campaign(slug="again", protocol="ae", overlap=1)
    load(again, release.folder / suffix, suffix)
    assert again.questions.get(key="question-30").references == []
    assert publish(again, tmp_path / "again").digest == release.digest
