"""A release as a benchmark, from the sample release whose items are known one by one."""

from dataclasses import replace
from pathlib import Path

import pytest

from exporters.errors import ReleaseError
from exporters.reading import StoredRelease, read_release
from exporters.records import SplitSpec
from exporters.release import write_release
from lab.benchmark import (
    EVERYTHING,
    Benchmark,
    BenchmarkQuestion,
    UnknownSplit,
    benchmark_of,
    question_ids,
    usual_split,
)
from lab.benchmark_systems import benchmark_systems
from measures.bootstrap import Bootstrap
from tests.exporters.samples import CAMPAIGN, CONTENT, DIFFERENT, EQUIVALENT, item, rating

# Question qa has two references. Of its candidates, "Lutetia" is accepted by one of two items,
# "Rome" by none, "in Paris" is left open by a tie, and "the Paris" is accepted but a reference.
# Question qb has blank references only.
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
BOOTSTRAP = Bootstrap(200, seed=1)


def write(folder: Path, spec: SplitSpec, accepted: tuple[str, ...] = ("equivalent",)) -> Path:
    campaign = replace(CAMPAIGN, accepted_labels=accepted)
    content = replace(CONTENT, campaign=campaign, items=ITEMS, ratings=RATINGS, spec=spec)
    write_release(content, folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("one") / "r", SplitSpec("document", {"test": 100.0}))


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
                accepted=("Lutetia", "lutetia!"),
                verdicts={"lutetia": True, "rome": False, "paris": True},
            ),
        ),
        without_references=1,
        has_verdicts=True,
    )


def test_a_split_has_the_answers_of_its_own_items(by_system: Path) -> None:
    _stored, found = benchmark(by_system, "test")
    assert found.questions[0].references == ("Paris",)
    assert found.questions[0].verdicts == {"rome": False, "paris": True}
    assert found.without_references == 0


def test_a_protocol_without_right_answers_judges_nothing(tmp_path: Path) -> None:
    spec = SplitSpec("document", {"test": 100.0})
    stored, found = benchmark(write(tmp_path / "r", spec, accepted=()))
    assert (found.has_verdicts, found.questions[0].verdicts) == (False, {})
    systems = benchmark_systems(stored, EVERYTHING, BOOTSTRAP)
    assert systems[0].right.reason == "the protocol accepts no candidate as an answer"


def test_question_ids_are_those_of_the_benchmark(folder: Path, by_system: Path) -> None:
    for place, split in ((folder, EVERYTHING), (folder, "test"), (by_system, "dev")):
        assert question_ids(place, split) == benchmark(place, split)[1].ids == {"qa"}


def test_unknown_splits_are_refused_with_those_there_are(by_system: Path) -> None:
    for call in (lambda: question_ids(by_system, "train"), lambda: benchmark(by_system, "train")):
        with pytest.raises(UnknownSplit, match="no split 'train'; there are dev, test, "):
            call()


def test_a_damaged_file_is_named(folder: Path, tmp_path: Path) -> None:
    damaged = write(tmp_path / "r", SplitSpec("document", {"test": 100.0}))
    (damaged / "items/test.parquet").write_bytes(b"PAR1")
    with pytest.raises(ReleaseError, match=r"^items/test.parquet: cannot be read"):
        question_ids(damaged, EVERYTHING)


def test_the_usual_split_is_test_or_everything() -> None:
    assert (usual_split(("dev", "test")), usual_split(("fold1", "fold2"))) == ("test", EVERYTHING)


def test_systems_of_the_benchmark_are_judged_over_their_rated_answers(folder: Path) -> None:
    stored, _benchmark = benchmark(folder)
    bidaf, one, two = benchmark_systems(stored, EVERYTHING, BOOTSTRAP)
    # bidaf: its only answer was rejected. one: Lutetia and two right, Rome wrong. two: the Paris
    # right, Rome wrong, in Paris open.
    assert [(s.system, s.answers, s.open, s.right.value, s.right.n) for s in (bidaf, one, two)] == [
        ("bidaf", 1, 0, 0.0, 1),
        ("one", 3, 0, 2 / 3, 3),
        ("two", 3, 1, 0.5, 2),
    ]
    assert (one.right.low, one.right.high) == (0.5, 1.0)  # drawn are qa (1 of 2) and qb (1 of 1)
    assert (
        bidaf.right.reason == "all judged answers are alike: resampling them shows no uncertainty"
    )
    assert bidaf.as_json()["right"]["low"] is None
