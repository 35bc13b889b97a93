"""All answers of all systems in a release: how they are settled, placed, verified and compared."""

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from exporters.planned_release import ReleaseContent
from tests.exporters.answered import ANSWERED, ANSWERS, PARIS, QA, QE, asked
from tests.exporters.builders import build_dataset, release_preview, write_release, write_verified
from tests.exporters.samples import AE_SCHEME, CONTENT, ITEMS, reseal
from tomahto.releases.comparison.diff import diff_releases
from tomahto.releases.dataset.choices import SplitError, parse_split_spec
from tomahto.releases.dataset.split_report import split_differences, split_report
from tomahto.releases.figures.statistics import release_statistics
from tomahto.releases.records.columns import ANSWER_COLUMNS, arrow_schema
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import AnswerRecord, SplitSpec
from tomahto.releases.stored.digest import content_digest
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release
from tomahto.text.normalisation import ExactRule

pytestmark = pytest.mark.slow


@pytest.fixture
def release(tmp_path: Path) -> Path:
    write_release(ANSWERED, tmp_path / "release")
    return tmp_path / "release"


def test_an_answer_is_settled_by_what_of_it_is_released(release: Path) -> None:
    answers = read_release(release).dataset.answers
    assert answers == build_dataset(ANSWERED).answers
    assert {(*each.key[:2], each.settled, each.items) for each in answers} == {
        ("qa", "bidaf", "rated", ("a1", "a2")),
        ("qa", "luke", "exact", ()),
        ("qa", "xlnet", "rated", ("a1", "a2")),
        ("qb", "luke", "rated", ("b1",)),
        ("qc", "xlnet", "rated", ("c1",)),
        ("qd", "bidaf", "rated", ("d1",)),
        ("qd", "bidaf", "not-rated", ()),
        ("qe", "bidaf", "exact", ()),
        ("qe", "xlnet", "not-rated", ()),
    }
    assert verify_release(release) == []


def test_an_answer_of_which_an_item_is_not_rated_is_not_rated() -> None:
    votes = [rating for rating in CONTENT.ratings if rating.item_id != "a2"]
    dataset = build_dataset(replace(ANSWERED, ratings=votes))
    assert [
        (each.settled, each.items) for each in dataset.answers if each.key[:2] == ("qa", "xlnet")
    ] == [("not-rated", ("a1",))]


def test_statistics_count_answers_and_put_the_best_system_first() -> None:
    statistics = release_statistics(build_dataset(ANSWERED))
    assert statistics["answers"]["total"] == {"exact": 2, "rated": 5, "not-rated": 2}
    assert {
        settled: sum(part[settled] for part in statistics["answers"]["splits"].values())
        for settled in statistics["answers"]["total"]
    } == statistics["answers"]["total"]
    # xlnet: qa is right (a1 2 to 1), qc is right, qe is empty and so wrong.
    # luke: qa is exact; qb, a tie, is left open, so nothing of what is to be rated is known.
    # bidaf: qe is exact, qa is right; qd is half open, and taken to be like qa.
    assert [
        (
            each["system"],
            each["answers"],
            each["judged_candidates"],
            each["accuracy"]["with_exact_matches"]["value"],
        )
        for each in statistics["systems"]
    ] == [
        ("bidaf", {"exact": 1, "rated": 2, "not-rated": 1}, 1, 1.0),
        ("xlnet", {"exact": 0, "rated": 2, "not-rated": 1}, 2, 2 / 3),
        ("luke", {"exact": 1, "rated": 1, "not-rated": 0}, 0, None),
    ]
    assert release_preview(ANSWERED)["statistics"] == statistics
    plain = release_statistics(build_dataset(replace(ANSWERED, answers=())))
    assert plain == {
        name: table for name, table in statistics.items() if name not in ("answers", "systems")
    }


def test_passages_stand_with_answers_where_no_item_has_them(release: Path) -> None:
    rows = [
        json.loads(line)
        for path in (release / "jsonl/answers").iterdir()
        for line in path.read_bytes().splitlines()
    ]
    assert {row["question_id"]: row["context"] for row in rows} == {
        "qa": None, "qb": None, "qc": None, "qd": None, "qe": "A passage of E."
    }  # fmt: skip


def test_csv_cells_of_answers_are_safe_for_spreadsheets(release: Path) -> None:
    cells = []
    for path in (release / "csv/answers").iterdir():
        with path.open(encoding="utf-8", newline="") as file:
            cells += [row["candidate"] for row in csv.DictReader(file)]
    assert "'=2+2" in cells
    assert not any(cell.startswith("=") for cell in cells)


@pytest.mark.parametrize("seed", range(5))
def test_digest_has_the_answers_and_not_their_order(seed: int) -> None:
    shuffled = [
        replace(
            each,
            question=replace(each.question, references=each.question.references[::-1]),
            items=each.items[::-1],
        )
        for each in ANSWERS
    ]
    Random(seed).shuffle(shuffled)
    digest = content_digest(build_dataset(ANSWERED))
    assert content_digest(build_dataset(replace(ANSWERED, answers=shuffled))) == digest
    others = [
        ANSWERS[:-1],
        (*ANSWERS[:-1], replace(ANSWERS[-1], candidate="Seine")),
        (*ANSWERS[:-2], *(replace(e, question=replace(QE, context="")) for e in ANSWERS[-2:])),
        (),
    ]
    assert len({content_digest(build_dataset(replace(ANSWERED, answers=a))) for a in others}) == 4
    assert digest not in {
        content_digest(build_dataset(replace(ANSWERED, answers=other))) for other in others
    }


WRONG: dict[str, tuple[Any, str]] = {
    "exact": (
        replace(ANSWERS[2], candidate="Rome"),
        "answer of 'luke' to question 'qa': is marked as exact, but is not one of the references",
    ),
    "twice": (ANSWERS[0], "an answer of 'xlnet' to question 'qa' occurs twice"),
    "texts": (
        AnswerRecord(replace(QA, question="Which?"), "t5", "no", "not-rated"),
        "question 'qa': its answers say two things of it",
    ),
    "surrogate": (
        AnswerRecord(QA, "t5", "\ud800", "not-rated"),
        "answer of 't5' to question 'qa': a text contains half a surrogate pair",
    ),
    "nameless": (
        AnswerRecord(QA, "", "no", "not-rated"),
        "answer of '' to question 'qa': a name is empty",
    ),
    "another's": (
        AnswerRecord(QA, "t5", PARIS, "rated", ("a1",)),
        "item 'a1': is not of 't5', but in its answers",
    ),
    "another text": (
        AnswerRecord(QA, "xlnet", "Lutetia", "rated", ("c1",)),
        "item 'c1': is not that of an answer of 'xlnet'",
    ),
}


TWIN = replace(QA, id="qz")  # of the same text and passage


def test_an_answer_is_settled_by_items_of_another_question_with_its_texts() -> None:
    twin = AnswerRecord(TWIN, "xlnet", PARIS, "rated", ("a1", "a2"))
    dataset = build_dataset(replace(ANSWERED, answers=(*ANSWERS, twin)))
    (found,) = (each for each in dataset.answers if each.question.id == "qz")
    assert (found.settled, found.items) == ("rated", ("a1", "a2"))
    systems = {each["system"]: each for each in release_statistics(dataset)["systems"]}
    assert (systems["xlnet"]["candidates"], systems["xlnet"]["judged_candidates"]) == (4, 3)


WRONG |= {
    name: (
        AnswerRecord(question, "xlnet", PARIS, "rated", ("a1", "a2")),
        f"item {item!r}: is not that of an answer of 'xlnet'",
    )
    for name, question, item in (
        ("another passage", replace(TWIN, context="Another passage."), "a1"),
        ("another question", replace(TWIN, question="Which?"), "a1"),
        ("other references", replace(TWIN, references=("the city of Paris", "Rome")), "a1"),
    )
}


@pytest.mark.parametrize(("wrong", "message"), WRONG.values(), ids=WRONG)
def test_answers_that_contradict_are_refused(wrong: AnswerRecord, message: str) -> None:
    answers: tuple[AnswerRecord, ...] = (*ANSWERS, wrong)
    if wrong.system == "luke":
        answers = tuple(each for each in answers if each != ANSWERS[2])
    with pytest.raises(ReleaseError) as error:
        build_dataset(replace(ANSWERED, answers=answers))
    assert str(error.value) == message


@pytest.mark.parametrize("candidate", ["P.a.r.i.s", "“Paris”"])
def test_an_answer_stays_exact_by_the_rule_that_it_came_under(candidate: str) -> None:
    settled = replace(ANSWERS[2], candidate=candidate)
    dataset = build_dataset(replace(ANSWERED, answers=(*ANSWERS[:2], settled, *ANSWERS[3:])))
    assert {each.key: each.settled for each in dataset.answers}[settled.key] == "exact"


def test_a_release_from_before_rules_were_named_verifies(tmp_path: Path) -> None:
    """It has an empty answer as exact, of a reference whose normal form is empty as well."""
    the = AnswerRecord(asked("qf", "F", "the"), "luke", "", "exact")
    campaign = replace(ANSWERED.campaign, exact_rule=ExactRule.SQUAD)
    folder = tmp_path / "release"
    write_release(replace(ANSWERED, campaign=campaign, answers=(*ANSWERS, the)), folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["exact_rule"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    reseal(folder)
    assert verify_release(folder) == []
    assert read_release(folder).manifest.terms.exact_rule is ExactRule.SQUAD


def test_answers_that_leave_out_an_item_or_say_another_question_are_refused() -> None:
    with pytest.raises(ReleaseError, match=r"^item 'c1': is not that of an answer of 'xlnet'$"):
        build_dataset(replace(ANSWERED, answers=(*ANSWERS[:4], *ANSWERS[5:])))
    moved = AnswerRecord(asked("qb", "A", "two"), "luke", "=2+2", "rated", ("b1",))
    with pytest.raises(ReleaseError, match=r"^item 'b1': its question is another one in the answ"):
        build_dataset(replace(ANSWERED, answers=(*ANSWERS[:3], moved, *ANSWERS[4:])))


def rewrite(folder: Path, split: str, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the answers of a split in all three formats and hide it."""
    path = folder / "answers" / f"{split}.parquet"
    rows = pq.read_table(path).to_pylist()
    change(rows)
    schema = arrow_schema(ANSWER_COLUMNS, AE_SCHEME.labels)
    pq.write_table(pa.Table.from_pylist(rows, schema), path)
    manifest = json.loads((folder / "manifest.json").read_text())
    for file in manifest["files"]:
        if file["path"] == f"answers/{split}.parquet":
            file["rows"] = len(rows)
    reseal(folder, files=manifest["files"])


def only(folder: Path, key: tuple[str, str]) -> tuple[str, dict[str, Any]]:
    """The split of an answer, and its row."""
    ((split, row),) = (
        (path.stem, row)
        for path in (folder / "answers").iterdir()
        for row in pq.read_table(path).to_pylist()
        if (row["question_id"], row["system"]) == key
    )
    return split, row


@pytest.mark.parametrize(
    ("key", "changes", "found"),
    [
        (
            ("qb", "luke"),
            {"settled": "exact", "items": ["b1"]},
            "is marked as exact, but is not one",
        ),
        (("qa", "luke"), {"settled": "rated"}, "does not follow from the records"),
        (("qb", "luke"), {"items": ["b1", "b2"]}, "does not follow from the records"),
        (("qb", "luke"), {"items": []}, "item 'b1': is not that of an answer of 'luke'"),
        (("qc", "xlnet"), {"candidate": "O"}, "item 'c1': is not that of an answer of 'xlnet'"),
        (("qe", "bidaf"), {"settled": "sure"}, "field settled: 'sure'"),
        (("qe", "bidaf"), {"context": None}, "field context: is nowhere for question 'qe'"),
        (("qe", "bidaf"), {"settled": "not-rated"}, "manifest.json, field digest: is "),
    ],
)
def test_verification_finds_what_was_changed_under_right_checksums(
    release: Path, key: tuple[str, str], changes: dict[str, Any], found: str
) -> None:
    split, row = only(release, key)
    rewrite(release, split, lambda rows: rows[rows.index(row)].update(changes))
    assert any(found in line for line in verify_release(release))


def test_verification_finds_answers_that_are_gone(release: Path) -> None:
    split, row = only(release, ("qe", "bidaf"))
    rewrite(release, split, lambda rows: rows.remove(row))
    lines = verify_release(release)
    assert "manifest.json, field system_answers: is 9, there are 8" in lines
    assert any(line.startswith("manifest.json, field digest: is ") for line in lines)
    (release / f"answers/{split}.parquet").unlink()
    assert verify_release(release) == [f"answers/{split}.parquet: is missing"]


def test_verification_finds_a_document_whose_answers_are_on_two_sides(release: Path) -> None:
    split, row = only(release, ("qa", "luke"))
    other = {"dev": "test", "test": "dev"}[split]
    rewrite(release, split, lambda rows: rows.remove(row))
    rewrite(release, other, lambda rows: rows.append(row))
    assert verify_release(release) in (
        [f"document 'A' is in {one} and {two}"] for one, two in (("dev", "test"), ("test", "dev"))
    )


def test_documents_of_which_nothing_was_rated_have_a_split_and_move_no_other() -> None:
    alone = build_dataset(CONTENT)
    dataset = build_dataset(ANSWERED)
    assert dataset.items.each_split() == alone.items.each_split()
    many = [
        AnswerRecord(asked(f"{word} {n}", f"E{n}", "x"), "t5", "y", "not-rated")
        for n, word in enumerate("bcdefghijklmnopqrstu")
    ]
    dataset = build_dataset(replace(ANSWERED, answers=many))
    assert dataset.items.each_split() == alone.items.each_split()
    splits = [each.splits for each in dataset.answers]
    assert (splits.count(("dev",)), splits.count(("test",))) == (6, 14)  # 30 and 70 %
    assert split_report(dataset)["documents"] == 4 + 20
    kept = {f"E{n}": "dev" for n in range(20)}
    stay = build_dataset(replace(ANSWERED, answers=many, kept_documents=kept))
    assert {each.splits for each in stay.answers} == {("dev",)}


LONG = "which of the many old bridges over the wide grey river was built first of all"


def test_answered_questions_that_are_near_duplicates_stay_together() -> None:
    items = [replace(item, question=LONG) if item.id == "b1" else item for item in ITEMS]
    luke = replace(ANSWERS[3], question=replace(ANSWERS[3].question, question=LONG))
    near = AnswerRecord(asked("near", "N", "x", question=f"{LONG} then"), "t5", "y", "not-rated")
    content = replace(ANSWERED, items=items, answers=(*ANSWERS[:3], luke, *ANSWERS[4:], near))
    dataset = build_dataset(content)
    (b1,) = (item for item in dataset.items if item.record.id == "b1")
    (found,) = (each for each in dataset.answers if each.key[0] == "near")
    assert found.splits == b1.splits
    assert split_report(dataset)["near_duplicates"]["across_documents"] == [
        [{"document": "B", "question_id": "qb"}, {"document": "N", "question_id": "near"}]
    ]
    other = {"dev": "test", "test": "dev"}[b1.split]
    kept = replace(content, kept_documents={"B": b1.split, "N": other})
    with pytest.raises(
        SplitError, match=r"near-duplicate questions .* in (dev|test) \(not rated\)"
    ):
        build_dataset(kept)
    leaking = build_dataset(
        replace(kept, spec=parse_split_spec("document:dev=30,test=70:leaks=report"))
    )
    assert len(split_report(leaking)["leaks"]) == 1
    assert split_differences(leaking) == []


def test_by_system_answers_are_in_the_splits_of_their_system(tmp_path: Path) -> None:
    spec = parse_split_spec("system:one=luke+xlnet,two=bidaf")
    content = replace(ANSWERED, spec=spec)
    write_verified(content, tmp_path / "release")
    dataset = read_release(tmp_path / "release").dataset
    assert dataset.answers == build_dataset(content).answers
    assert {(each.system, each.splits) for each in dataset.answers} == {
        ("bidaf", ("two",)), ("luke", ("one",)), ("xlnet", ("one",)),
    }  # fmt: skip


def test_predefined_splits_have_the_answers_to_their_questions(tmp_path: Path) -> None:
    splits = {"A": "dev", "B": "dev", "C": "test", "D": "test", "E": "unseen"}
    content = replace(
        ANSWERED,
        items=[replace(item, source_split=splits[item.document]) for item in ITEMS],
        answers=[
            replace(
                each,
                question=replace(each.question, source_split=splits[each.question.document]),
            )
            for each in ANSWERS
        ],
        spec=SplitSpec("predefined", {}),
    )
    write_verified(content, tmp_path / "release")
    dataset: Any = read_release(tmp_path / "release").dataset
    assert {each.question.document: each.splits for each in dataset.answers} == {
        "A": ("dev",), "B": ("dev",), "C": ("test",), "D": ("test",),
    }  # fmt: skip
    card = (tmp_path / "release/README.md").read_text()
    assert "2 answers in no split of their source that is named are left out as well." in card


def differ(tmp_path: Path, **changes: Any) -> Any:
    after: ReleaseContent = replace(ANSWERED, **{"version": "1.1.0", **changes})
    write_release(after, tmp_path / "after")
    return diff_releases(tmp_path / "release", tmp_path / "after")


def test_comparisons_count_answers(release: Path, tmp_path: Path) -> None:
    assert release.name == "release"
    found = differ(
        tmp_path,
        answers=(
            *ANSWERS[:-2],
            replace(ANSWERS[-2], settled="not-rated"),
            AnswerRecord(QE, "luke", "Seine", "not-rated"),
        ),
    )
    assert found.as_json()["answers"] == {
        "added": {
            "count": 1,
            "ids": [{"question_id": "qe", "system": "luke", "candidate": "Seine"}],
        },
        "removed": {"count": 1, "ids": [{"question_id": "qe", "system": "xlnet", "candidate": ""}]},
        "changed": {
            "count": 1,
            "ids": [{"question_id": "qe", "system": "bidaf", "candidate": "The Seine"}],
        },
    }
    assert (found.required_bump, found.is_honest) == ("minor", True)
