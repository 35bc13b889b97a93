"""A release as a benchmark, from the sample release whose items are known one by one."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.exporters.answered import ANSWERED, asked
from tests.exporters.builders import write_release
from tests.exporters.samples import CAMPAIGN, CONTENT, DIFFERENT, EQUIVALENT, item, rating
from tomahto.lab.benchmark import (
    EVERYTHING,
    Benchmark,
    BenchmarkQuestion,
    UnknownSplit,
    benchmark_of,
    benchmark_systems,
    question_ids,
    usual_split,
)
from tomahto.lab.leaderboard import score_submission
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import AnswerRecord, SplitSpec
from tomahto.releases.stored.reading import StoredRelease, read_release
from tomahto.text.normalisation import ExactRule

# Question qa has two references. Of its candidates, "Lutetia" is accepted beside one and "Rome"
# rejected beside one, "in Paris" is left open by a tie, and "the Paris" is accepted but a
# reference. Question qb has blank references only.
ONE_SPLIT = SplitSpec("document", {"test": 100.0})
ITEMS = (
    item("a1", "A", question="qa", candidate="Lutetia", systems=("one",)),
    item("a2", "A", question="qa", reference="City of Light", candidate="lutetia!", index=1),
    item("a3", "A", question="qa", candidate="Rome", systems=("one", "two")),
    item("a4", "A", question="qa", candidate="in Paris", systems=("two",)),
    item("a5", "A", question="qa", candidate="the Paris", systems=("two",)),
    item("b1", "B", question="qb", reference=" ", candidate="two", systems=("one",)),
)
RATINGS = (
    rating("a1", "r1", EQUIVALENT),
    rating("a2", "r1", DIFFERENT),
    rating("a3", "r1", DIFFERENT),
    rating("a4", "r1", DIFFERENT),
    rating("a4", "r2", EQUIVALENT),
    rating("a5", "r1", EQUIVALENT),
    rating("b1", "r1", EQUIVALENT),
)


def write(folder: Path, spec: SplitSpec, accepted: tuple[str, ...] = ("equivalent",)) -> Path:
    campaign = replace(CAMPAIGN, accepted_labels=accepted)
    content = replace(CONTENT, campaign=campaign, items=ITEMS, ratings=RATINGS, spec=spec)
    write_release(content, folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("one") / "r", ONE_SPLIT)


@pytest.fixture(scope="module")
def by_system(tmp_path_factory: pytest.TempPathFactory) -> Path:
    systems = {"dev": ("one", "bidaf"), "test": ("two",)}
    return write(tmp_path_factory.mktemp("two") / "r", SplitSpec("system", {}, systems=systems))


def benchmark(folder: Path, split: str = EVERYTHING) -> tuple[StoredRelease, Benchmark]:
    stored = read_release(folder)
    return stored, benchmark_of(stored, split)


def test_benchmark_knows_references_accepted_candidates_and_verdicts(folder: Path) -> None:
    stored, found = benchmark(folder)
    assert found == Benchmark(
        digest=stored.manifest.digest,
        split=EVERYTHING,
        questions=(
            BenchmarkQuestion(
                id="qa",
                question="What is qa?",
                context="A passage of A.",
                references=("Paris", "City of Light"),
                accepted=("Lutetia",),
                verdicts={
                    "Lutetia": True,
                    "Rome": None,
                    "in Paris": None,
                    "the Paris": True,
                    "lutetia!": None,
                },
            ),
        ),
        without_references=1,
        has_verdicts=True,
        exact_rule=ExactRule.STRICT,
    )


def test_a_split_has_the_answers_of_its_own_items(by_system: Path) -> None:
    _stored, found = benchmark(by_system, "test")
    assert found.questions[0].references == ("Paris",)
    assert found.questions[0].verdicts == {"Rome": False, "in Paris": None, "the Paris": True}
    assert found.without_references == 0


def test_a_protocol_without_right_answers_judges_nothing(tmp_path: Path) -> None:
    stored, found = benchmark(write(tmp_path / "r", ONE_SPLIT, accepted=()))
    assert (found.has_verdicts, found.questions[0].verdicts) == (False, {})
    assert all("accuracy" not in each for each in benchmark_systems(stored, EVERYTHING))


def test_question_ids_are_those_of_the_benchmark(folder: Path, by_system: Path) -> None:
    for place, split in ((folder, EVERYTHING), (folder, "test"), (by_system, "dev")):
        assert question_ids(place, split) == benchmark(place, split)[1].ids == {"qa"}


@pytest.mark.parametrize("has_systems", [True, False])
def test_references_belong_to_the_question_rated_or_not(tmp_path: Path, has_systems: bool) -> None:
    """Beside the second reference of qa no candidate is rated, and beside that of qc there is no
    item: an answer has said all that it was asked, a candidate of no system is open."""
    both = ("Paris", "City of Light")
    answered = (("r", "A", "qa", "Rome"), ("l", "A", "qa", "Lutetia"), ("o", "B", "qb", "Oslo"))
    items = [
        item(f"{id_}{place}", doc, question=key, candidate=text, reference=reference, index=place)
        for id_, doc, key, text in answered
        for place, reference in enumerate(both)
    ]
    items.append(item("c0", "C", question="qc", candidate="two", reference=" "))
    known = {"qa": both, "qb": both, "qc": (" ", "Seine")}
    items = [replace(each, unrated_references=known[each.question_id]) for each in items]
    answers = [
        AnswerRecord(asked(key, document, *both), "bidaf", text, "rated", (f"{id_}0", f"{id_}1"))
        for id_, document, key, text in answered
    ]
    answers.append(AnswerRecord(asked("qc", "C", " ", "Seine"), "bidaf", "two", "rated", ("c0",)))
    ratings = [rating("l0", "r1", EQUIVALENT)]
    ratings += [rating(id_, "r1", DIFFERENT) for id_ in ("r0", "o0", "o1", "c0")]
    content = replace(ANSWERED, items=items, ratings=ratings, spec=ONE_SPLIT)
    write_release(replace(content, answers=answers if has_systems else ()), tmp_path / "r")
    stored, found = benchmark(tmp_path / "r")
    assert stored.dataset.optional_columns == (set() if has_systems else {"unrated_references"})
    benched = {each.id: (each.references, each.accepted, each.verdicts) for each in found.questions}
    assert benched == {
        "qa": (both, ("Lutetia",), {"Lutetia": True, "Rome": None}),
        "qb": (both, (), {"Oslo": False}),
        "qc": (("Seine",), (), {"two": False if has_systems else None}),
    }
    assert question_ids(tmp_path / "r", "test") == found.ids
    second = {each.id: each.references[-1] for each in found.questions}
    assert score_submission(found, second, []).scores["em"].tolist() == [1, 1, 1]


def test_unknown_splits_are_refused_with_those_there_are(by_system: Path) -> None:
    for call in (lambda: question_ids(by_system, "train"), lambda: benchmark(by_system, "train")):
        with pytest.raises(UnknownSplit, match="no split 'train'; the splits are dev, test, "):
            call()


def test_a_damaged_file_is_named(folder: Path, tmp_path: Path) -> None:
    damaged = write(tmp_path / "r", ONE_SPLIT)
    (damaged / "items/test.parquet").write_bytes(b"PAR1")
    with pytest.raises(ReleaseError, match=r"^items/test.parquet: cannot be read"):
        question_ids(damaged, EVERYTHING)


def test_the_usual_split_is_test_or_everything() -> None:
    assert (usual_split(("dev", "test")), usual_split(("fold1", "fold2"))) == ("test", EVERYTHING)


def test_systems_of_the_benchmark_are_judged_by_their_answers(folder: Path) -> None:
    """Of a release without all answers, by those of its items; question qb has no reference."""
    stored, _benchmark = benchmark(folder)
    found = benchmark_systems(stored, EVERYTHING)
    # one: Lutetia right and Rome wrong, half of its answer to qa, and two right. two: the Paris
    # right and Rome wrong, but in Paris is open, and so is its answer. bidaf: lutetia! rejected.
    shown = {
        each["system"]: (each["candidates"], each["accuracy"]["with_exact_matches"]["value"])
        for each in found
    }
    assert shown == {"one": (2, 0.75), "two": (1, None), "bidaf": (1, 0.0)}
    assert [each["system"] for each in found] == ["one", "bidaf", "two"]


def test_systems_of_a_release_are_those_of_its_own_table(tmp_path: Path) -> None:
    write_release(replace(ANSWERED, spec=ONE_SPLIT), tmp_path / "r")
    stored = read_release(tmp_path / "r")
    shown = json.loads((tmp_path / "r/statistics.json").read_bytes())["systems"]
    assert benchmark_systems(stored, EVERYTHING) == benchmark_systems(stored, "test") == shown
    assert any(each["exact_matches"] for each in shown)
