"""`manage.py evaluate reproduce` on releases: as on the same ratings in the published layouts."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.exporters.builders import write_release
from tests.exporters.format_samples import AE
from tests.exporters.samples import CAP_CONTENT, CONTENT, DIFFERENT, EQUIVALENT, item, rating
from tests.tasks.management.conftest import Evaluate, Manage
from tests.tasks.management.reproduction import (
    DEV,
    FEW,
    TEST,
    TRAIN,
    Lines,
    figures,
    ours,
    why,
)
from tests.tomahto.interchange.files import Write
from tests.tomahto.lab.sections import cells_of
from tests.tomahto.lab.sections import number as number_in
from tomahto.lab.report import report_from_json
from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnsweredQuestion,
    AnswerRecord,
    ItemRecord,
    RatingRecord,
    Settled,
    SplitSpec,
)
from tomahto.scoring.squad import SquadQuestion, squad_v1
from tomahto.votes.scheme import LabelScheme, QuestionScheme

RULES = QuestionScheme("rules", ("aliasing", "more-details", "irrelevant"), is_multiple=True)
SPLITS = {"train": TRAIN, "dev": DEV, "test": TEST}
EXACT = AnsweredQuestion("s1", "sure", "What is s1?", "A passage.", ("k",), "test")


Rated = tuple[ItemRecord, list[RatingRecord]]


def rated() -> Iterator[Rated]:
    """An item with its ratings for each AE-example of the lines."""
    for split, lines in SPLITS.items():
        found: dict[tuple[str, str, str], Lines] = {}
        for line in lines:
            key = str(line["qid"]), str(line["reference"]), str(line["candidate"])
            found.setdefault(key, []).append(line)
        for number, ((qid, reference, candidate), own) in enumerate(found.items()):
            record = item(f"{split}{number}", split, question=qid, reference=reference)
            systems = ("albert",) if split == "train" else ("BiDAF (2016)",)
            yield (
                replace(
                    record,
                    context="A passage.",
                    candidate=candidate,
                    systems=systems,
                    source_split=split,
                ),
                [
                    rating(
                        record.id,
                        f"r{place}",
                        EQUIVALENT if line["question_1"] == "no" else DIFFERENT,
                    )
                    for place, line in enumerate(own)
                ],
            )


def answers(items: list[ItemRecord]) -> Iterator[AnswerRecord]:
    """Of each system, with its items; and an exact one."""
    questions: dict[str, list[ItemRecord]] = {}
    for record in items:
        questions.setdefault(record.question_id, []).append(record)
    for id_, own in questions.items():
        by_candidate: dict[str, list[ItemRecord]] = {}
        for record in own:
            by_candidate.setdefault(record.candidate, []).append(record)
        first = own[0]
        references = tuple(dict.fromkeys(record.references[0] for record in own))
        question = AnsweredQuestion(
            id_, first.document, first.question, first.context, references, first.source_split
        )
        for candidate, rated in by_candidate.items():
            ids = tuple(record.id for record in rated)
            yield AnswerRecord(question, first.systems[0], candidate, "rated", ids)
    yield AnswerRecord(EXACT, "BiDAF (2016)", "k", "exact")


def write_rated(
    out: Path, more: Sequence[AnswerRecord] = (), made: Sequence[Rated] | None = None
) -> Path:
    """A release of what the lines hold, or of what else was rated, and of more answers."""
    made = list(rated()) if made is None else made
    items = [record for record, _ in made]
    content = replace(
        CONTENT,
        items=items,
        ratings=[each for _, ratings in made for each in ratings],
        answers=[*answers(items), *more],
        spec=SplitSpec("predefined", {}),
    )
    return write_release(content, out).path


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_rated(tmp_path / "ae-1.0.0")


def without_reason(figure: Mapping[str, Any]) -> dict[str, Any]:
    """Reasons name what is missing of a file, or of a release."""
    return {**figure, "ours": {**figure["ours"], "reason": None}}


def test_a_release_gives_the_figures_of_the_published_files(
    evaluate: Evaluate, release: Path, write: Write
) -> None:
    gold = [
        {"id": qid, "answers": {"text": texts}}
        for qid, texts in {
            "d1": ["x y"],
            "d2": ["k", "m"],
            "e1": ["x y z w"],
            "e2": ["p"],
            "e3": ["p"],
            "s1": ["k"],
        }.items()
    ]
    predictions = {"d1": "x", "d2": "l", "e1": "x", "e2": "q", "e3": "r", "s1": "k"}
    files: tuple[str | Path, ...] = (
        *(write(f"{name}.jsonl", lines) for name, lines in SPLITS.items()),
        write("bidaf.jsonl", [*DEV, *TEST]),
        f"squad={write('gold.jsonl', gold)}",
        f"predictions-bidaf={write('predictions.json', json.dumps(predictions))}",
    )
    published = evaluate.json("reproduce", "bulian", *files, *FEW)
    released = evaluate.json("reproduce", "bulian", release, *FEW)
    assert list(map(without_reason, released["figures"])) == [
        *map(without_reason, published["figures"])
    ]
    assert released["tables"][0]["rows"] == published["tables"][0]["rows"]
    found = figures(released)
    # of six answers one is exact; people take d1 and e1 for right, d2 by one of two references
    assert ours(found, "Tab. 6", "EM", "BiDAF") == pytest.approx(100 / 6)
    assert ours(found, "Tab. 6", "Human", "BiDAF") >= 400 / 6 - 1e-9
    assert ours(found, "Tab. 7", "BiDAF", "F1, 1 reference") is not None


REFERENCES = ("Ada", "Lady Ada")
KINDS = {"exact": "Ada", "partial": "Ada King of Rome", "rated": "Lady"}


def half_rated(out: Path, kinds: Sequence[str] = tuple(KINDS)) -> Path:
    """A release of ten questions of each kind that Luke answered. Raters found no answer equivalent
    to the first reference; with the second the rated ones were compared alone, and are equivalent.
    """
    items, ratings, given = [], [], []
    for kind in kinds:
        for number in range(10):
            key = f"{kind}{number}"
            two = [
                replace(
                    item(f"{key}.{index}", key, question=key, reference=reference, index=index),
                    candidate=KINDS[kind],
                    systems=("luke",),
                )
                for index, reference in enumerate(REFERENCES)
            ]
            ratings += [rating(f"{key}.0", "r1", DIFFERENT)] if kind != "exact" else []
            ratings += [rating(f"{key}.1", "r1", EQUIVALENT)] if kind == "rated" else []
            asked = AnsweredQuestion(key, key, two[0].question, two[0].context, REFERENCES)
            ids = () if kind == "exact" else tuple(record.id for record in two)
            settled: Settled = "rated" if ids else "exact"
            given.append(AnswerRecord(asked, "luke", KINDS[kind], settled, ids))
            items += two if ids else []
    spec = SplitSpec("document", {"test": 100.0})
    campaign = replace(CONTENT.campaign, accepted_labels=("equivalent",))
    content = replace(
        CONTENT, campaign=campaign, items=items, ratings=ratings, answers=given, spec=spec
    )
    return write_release(content, out).path


def test_half_rated_answers_are_open_here_as_in_the_releases_own_table(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    release = half_rated(tmp_path / "half")
    found = figures(evaluate.json("reproduce", "bulian", release, *FEW))
    cells = {
        "with_exact_matches": found["Tab. 6", "Human", "Luke"]["ours"],
        "candidates": found["Tab. 11", "Equivalent candidates", "Luke"]["ours"],
        "items": found["Tab. 11", "Equivalent AE-examples", "Luke"]["ours"],
    }
    (statistics,) = json.loads((release / "statistics.json").read_bytes())["systems"]
    accuracy = statistics["accuracy"]
    assert {name: (cell["value"], cell["n"]) for name, cell in cells.items()} == {
        name: (100 * accuracy[name]["value"], accuracy[name]["n"]) for name in cells
    }
    assert (cells["with_exact_matches"]["value"], cells["with_exact_matches"]["n"]) == (100.0, 20)
    assert (
        "Tab. 6, Human: 10 of 20 answers of Luke that match no reference are open, and the judged"
        " ones stand for them"
    ) in evaluate("reproduce", "bulian", release, *FEW)


def test_em_and_f1_need_no_rating_and_are_those_of_squad_everywhere(
    evaluate: Evaluate, manage: Manage, tmp_path: Path
) -> None:
    release = half_rated(tmp_path / "half")
    predictions = {f"{kind}{n}": text for kind, text in KINDS.items() for n in range(10)}
    squad = squad_v1([SquadQuestion(key, REFERENCES) for key in predictions], predictions)
    found = figures(evaluate.json("reproduce", "bulian", release, *FEW))
    metrics = ("--matcher", "em", "--matcher", "f1")
    report = manage.json("evaluate", "report", release, "--section", "systems", *metrics)
    (section,) = report_from_json(report).sections
    (cells,) = cells_of(section, "systems")
    # "Ada King of Rome" shares 1 of 4 tokens with "Ada", 2/5; "Lady" 1 of 2 with "Lady Ada", 2/3
    assert squad.f1 == pytest.approx(100 * (1 + 2 / 5 + 2 / 3) / 3)
    for em, f1 in (
        (ours(found, "Tab. 6", "EM", "Luke"), ours(found, "Tab. 6", "F1", "Luke")),
        tuple(100 * number_in(cells[key]) for key in ("em", "f1 mean score")),
    ):
        assert (em, f1) == pytest.approx((squad.exact_match, squad.f1), abs=1e-11)
    assert ours(found, "Tab. 7", "Luke", "F1, all references") == pytest.approx(squad.f1)


def test_each_empty_cell_has_a_reason_of_its_own(evaluate: Evaluate, tmp_path: Path) -> None:
    release = half_rated(tmp_path / "open", ("exact", "partial"))
    found = figures(evaluate.json("reproduce", "bulian", release, *FEW))
    empty = {
        key: one["ours"]["reason"]
        for key, one in found.items()
        if key[0] in ("Tab. 6", "Tab. 7") and "Luke" in key and one["ours"]["value"] is None
    }
    scores = "needs scores of the release's items (bem=FILE), or --matcher bem"
    assert empty == {
        ("Tab. 6", "BEM", "Luke"): scores,
        ("Tab. 6", "Human", "Luke"): "none of those that are to be rated is judged",
        ("Tab. 7", "Luke", "F1, 1 reference"): (
            "the release does not say which reference of 10 questions is the first, as no answer"
            " was rated beside it; needs squad=FILE of the questions with references"
        ),
        ("Tab. 7", "Luke", "BEM, 1 reference"): "needs --matcher bem",
        ("Tab. 7", "Luke", "BEM, all references"): scores,
    }


def test_answers_that_nobody_rated_leave_people_alone_open(
    evaluate: Evaluate, release: Path, tmp_path: Path, write: Write
) -> None:
    question = replace(EXACT, id="s2", question="What is s2?")
    write_rated(tmp_path / "open", [AnswerRecord(question, "BiDAF (2016)", "z", "not-rated")])
    items = [record.id for record, _ in rated() if record.source_split != "train"]
    bem = write("bem.jsonl", [{"id": id_, "score": 0.9} for id_ in items])
    found = figures(evaluate.json("reproduce", "bulian", tmp_path / "open", f"bem={bem}", *FEW))
    whole = figures(evaluate.json("reproduce", "bulian", release, *FEW))
    # one of seven is exact, and of six that are not, five are judged
    human = (6 * ours(whole, "Tab. 6", "Human", "BiDAF") - 100) / 5
    assert ours(found, "Tab. 6", "Human", "BiDAF") == pytest.approx((100 + 6 * human) / 7)
    assert ours(found, "Tab. 6", "EM", "BiDAF") == pytest.approx(100 / 7)
    assert why(found, "Tab. 6", "BEM", "BiDAF") == (
        "needs --matcher bem, as 1 answers of BiDAF are not all rated"
    )


def test_ties_and_adjudicated_items_are_what_the_release_says(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    # Of 20 questions half the raters take an answer for right, and adjudicators so with 3 of them.
    items = [
        replace(item(f"t{n}", f"D{n}", question=f"q{n}"), candidate="Rome", systems=("luke",))
        for n in range(20)
    ]
    said = (("r1", EQUIVALENT), ("r2", DIFFERENT))
    content = replace(
        CONTENT,
        items=items,
        ratings=[rating(record.id, *one) for record in items for one in said],
        answers=list(answers(items))[:-1],  # without the exact one of BiDAF
        adjudications=[
            AdjudicationRecord(record.id, "x1", "equivalent" if place < 3 else "not-equivalent")
            for place, record in enumerate(items)
        ],
        spec=SplitSpec("document", {"test": 100.0}),
    )
    shares = {}
    for labels in ("majority", "adjudicated"):
        out = tmp_path / labels
        write_release(replace(content, labels=labels), out)
        found = figures(evaluate.json("reproduce", "bulian", out, *FEW))
        human = ours(found, "Tab. 6", "Human", "Luke")
        assert human == ours(found, "Tab. 11", "Equivalent AE-examples", "Luke")
        assert ours(found, "Tab. 11", "Equivalent ratings", "Luke") == 50.0
        lines = (out / "jsonl" / "items" / "test.jsonl").read_text().splitlines()
        right = sum(json.loads(line)["label"] == "equivalent" for line in lines)
        shares[labels] = (human, 100 * right / 20)
    assert shares["majority"][0] == pytest.approx(shares["majority"][1])
    assert shares["adjudicated"] == (pytest.approx(15.0), pytest.approx(15.0))


def test_a_squad_file_beside_a_release_orders_the_references_of_its_questions(
    evaluate: Evaluate, release: Path, tmp_path: Path, write: Write
) -> None:
    # The file has questions that the release lacks, one of them without an answer. It says that k
    # is the first reference of s2, which m answers exactly, so that F1 with the first is less by 1.
    several = replace(EXACT, id="s2", question="What is s2?", references=("m", "k"))
    write_rated(tmp_path / "more", [AnswerRecord(several, "BiDAF (2016)", "m", "exact")])
    gold = {"s2": ["k", "m"], "elsewhere": ["x"], "unanswerable": []}
    lines = [{"id": key, "answers": {"text": texts}} for key, texts in gold.items()]
    squad = f"squad={write('gold.jsonl', lines)}"
    found = figures(evaluate.json("reproduce", "bulian", tmp_path / "more", squad, *FEW))
    # d1 2/3, d2 0, e1 2/5, e2 0, e3 0, s1 1, s2 0 with the first and 1 with all
    first, every = ("Tab. 7", "BiDAF", "F1, 1 reference"), ("Tab. 6", "F1", "BiDAF")
    assert ours(found, *first) == pytest.approx(100 * (2 / 3 + 2 / 5 + 1) / 7)
    assert ours(found, *every) == pytest.approx(100 * (2 / 3 + 2 / 5 + 2) / 7)
    other = write("other.jsonl", lines[1:])
    assert evaluate.error("reproduce", "bulian", tmp_path / "more", f"squad={other}") == (
        f"CommandError: {other}: none of the 1 questions is in the release\n"
    )


def test_questions_that_a_system_of_a_release_did_not_answer_are_counted(
    evaluate: Evaluate, release: Path, tmp_path: Path
) -> None:
    write_rated(tmp_path / "two", [AnswerRecord(EXACT, "luke", "k", "exact")])
    found = figures(evaluate.json("reproduce", "bulian", tmp_path / "two", *FEW))
    assert {
        why(found, "Tab. 6", "EM", "Luke"),
        why(found, "Tab. 7", "Luke", "F1, 1 reference"),
    } == {"the release lacks answers of Luke to 5 of 6 questions"}


def test_the_first_reference_is_the_questions_own(
    evaluate: Evaluate, release: Path, tmp_path: Path
) -> None:
    # Of d2 "m" is the question's first reference, although "k" goes before it in the release's
    # order; of s2, which is only answered exactly, nothing says which is the first.
    turned = [
        (
            replace(record, candidate="m o", reference_index=int(record.references == ("k",)))
            if record.question_id == "d2"
            else record,
            ratings,
        )
        for record, ratings in rated()
    ]
    write_rated(tmp_path / "turned", made=turned)
    found = figures(evaluate.json("reproduce", "bulian", tmp_path / "turned", *FEW))
    # F1 with the first reference: d1 2/3, d2 "m o" with m 2/3, e1 2/5, e2 0, e3 0, s1 1
    assert ours(found, "Tab. 7", "BiDAF", "F1, 1 reference") == pytest.approx(
        100 * (2 / 3 + 2 / 3 + 2 / 5 + 1) / 6
    )
    several = replace(EXACT, id="s2", question="What is s2?", references=("k", "l"))
    exact = AnswerRecord(several, "BiDAF (2016)", "k", "exact")
    write_rated(tmp_path / "unordered", [exact], turned)
    found = figures(evaluate.json("reproduce", "bulian", tmp_path / "unordered", *FEW))
    assert why(found, "Tab. 7", "BiDAF", "F1, 1 reference") == (
        "the release does not say which reference of 1 question is the first, as"
        " no answer was rated beside it; needs squad=FILE of the questions with references"
    )
    assert ours(found, "Tab. 6", "F1", "BiDAF") is not None


def test_scores_made_elsewhere_come_by_the_items_of_a_release(
    evaluate: Evaluate, release: Path, write: Write
) -> None:
    # On train t1 and t2 are right and t3 is wrong: 3.5 is the lowest threshold without an error.
    # Of dev's ratings (d1 ++, d2 +, d2 -) LERC then errs in the last, BLEURT at 0.5 in the first
    # two. Tests have no score of BLEURT but one; items of no release are passed over.
    lerc = {"train0": 3.5, "train1": 4.5, "train2": 2.0, "dev0": 4.0, "dev1": 3.6, "dev2": 3.7}
    bleurt = {"dev0": 0.4, "dev1": 0.7, "dev2": -0.2, "test0": 0.1, "elsewhere": 1.0}
    files = [
        f"{name}={write(f'{name}.jsonl', [{'id': id_, 'score': x} for id_, x in scores.items()])}"
        for name, scores in (("lerc", lerc), ("bleurt", bleurt))
    ]
    found = figures(evaluate.json("reproduce", "bulian", release, *files, *FEW))
    assert ours(found, "Tab. 9", "LERC", "Threshold") == 3.5
    assert ours(found, "Tab. 9", "LERC", "AE Dev") == 75.0
    assert ours(found, "Tab. 4", "Bleurt 2.0", "Dev Acc") == 50.0
    assert why(found, "Tab. 4", "Bleurt 2.0", "Test Acc") == (
        "2 of 3 AE-examples of AE Test lack a 'bleurt'"
    )


def test_scores_made_elsewhere_name_their_items(
    evaluate: Evaluate, release: Path, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"question": "Who?", "reference": "Ada", "candidate": "Ada L.", "score": 3.0}
    path = write("scores.jsonl", [line])
    with pytest.raises(SystemExit):
        evaluate("reproduce", "bulian", release, f"lerc={path}")
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"CommandError: {path}, line 1, field id: is missing, but identifies the items of a release"
    )


def test_scores_made_elsewhere_are_of_a_releases_items_each_once(
    evaluate: Evaluate, release: Path, write: Write
) -> None:
    unknown = write("unknown.jsonl", [{"id": "elsewhere", "score": 3.0}])
    assert evaluate.error("reproduce", "bulian", release, f"lerc={unknown}") == (
        f"CommandError: {unknown}: none of the 1 ids is in the release\n"
    )
    assert evaluate.error("reproduce", "bulian", f"lerc={unknown}") == (
        f"CommandError: {unknown}: has scores of a release's items, but no release was given\n"
    )
    twice = write("twice.jsonl", [{"id": "dev0", "score": 3.0}, {"id": "dev0", "score": 4.0}])
    assert evaluate.error("reproduce", "bulian", release, f"lerc={twice}") == (
        f"CommandError: {twice}, line 2, field id: the id 'dev0' is also on line 1\n"
    )


def test_reasons_of_a_release_name_files_of_its_items(evaluate: Evaluate, release: Path) -> None:
    found = figures(evaluate.json("reproduce", "bulian", release, *FEW))
    assert why(found, "Tab. 4", "LERC (tuned)", "Dev Acc") == (
        "needs scores of the release's items (lerc=FILE)"
    )
    assert why(found, "Tab. 5", "BEM", "BiDAF") == (
        "needs scores of the release's items (bem=FILE), or --matcher bem"
    )


def test_a_release_of_another_protocol_is_refused(
    evaluate: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_release(CAP_CONTENT, tmp_path / "cap")
    with pytest.raises(SystemExit):
        evaluate("reproduce", "bulian", tmp_path / "cap")
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"CommandError: {tmp_path / 'cap'}: is of the protocol cap, not of answer equivalence"
    )


@pytest.fixture
def rules_release(tmp_path: Path) -> Path:
    """Of four answers three are right to people and none to EM; two of them are so by rule 4. F1
    takes a (6/7) and d (4/5) for right. Three were generated, d to be correct. So was e, on which
    two raters disagree. The split "train" has a alone."""
    said = {
        "a": ("correct", "more-details", "x y z w", "more-details/correct"),
        "b": ("correct", "aliasing+more-details", "v", "aliasing/correct"),
        "c": ("correct", "aliasing", "u", ""),
        "d": ("incorrect", "more-details", "x y", "more-details/correct"),
        "e": ("correct", "aliasing", "t", "aliasing/correct"),
    }
    campaign = replace(
        CONTENT.campaign,
        protocol="rules",
        scheme=LabelScheme(("correct", "incorrect"), (1, 0)),
        question_keys=("label", "rules"),
        question_schemes=(QuestionScheme("label", ("correct", "incorrect")), RULES),
        accepted_labels=("correct",),
    )
    content = replace(
        CONTENT,
        campaign=campaign,
        items=[
            replace(
                item(key, "A", question=f"q{key}", reference="x y z"),
                candidate=candidate,
                intended=intended,
                systems=("one" if key == "a" else "two",),
            )
            for key, (_, _, candidate, intended) in said.items()
        ],
        ratings=[
            RatingRecord(key, "r1", label, {"label": label, "rules": rules})
            for key, (label, rules, _, _) in said.items()
        ]
        + [RatingRecord("e", "r2", "incorrect", {"label": "incorrect", "rules": "irrelevant"})],
        spec=SplitSpec("system", {}, systems={"train": ("one",), "test": ("two",)}),
    )
    write_release(content, tmp_path / "release")
    return tmp_path / "release"


def test_cfmatch_counts_the_rules_of_a_release(evaluate: Evaluate, rules_release: Path) -> None:
    found = figures(evaluate.json("reproduce", "cfmatch", rules_release, *FEW))
    assert ours(found, "§5.2", "Annotated", "Examples") == 5
    assert ours(found, "§5.2", "Annotated", "Right to people, wrong to EM") == 75.0
    assert ours(found, "§5.2", "Annotated", "Right by rule 4") == 50.0
    none = figures(evaluate.json("reproduce", "cfmatch", *FEW))
    assert why(none, "§5.2", "Annotated", "Examples") == "needs a release of a rules campaign"


def test_cfmatch_refuses_releases_without_rules_and_one_that_is_given_twice(
    evaluate: Evaluate, rules_release: Path, tmp_path: Path
) -> None:
    release = tmp_path / "ae"
    write_release(AE, release)
    assert evaluate.error("reproduce", "cfmatch", release) == (
        f"CommandError: {release}: is of the protocol ae, whose raters name no rules\n"
    )
    again = tmp_path / "again"
    shutil.copytree(rules_release, again)
    error = evaluate.error("reproduce", "cfmatch", rules_release, again)
    assert error.startswith(f"CommandError: {again}: has the item '")
    assert error.endswith(f"and so has {rules_release}\n")


def test_cfmatch_counts_what_was_generated_and_what_people_said_of_it(
    evaluate: Evaluate, rules_release: Path, write: Write
) -> None:
    line = {"question": "q", "reference": "a", "candidate": "b", "label": "correct"}
    ae = write("ae.jsonl", [line, {**line, "candidate": "c"}])
    found = figures(evaluate.json("reproduce", "cfmatch", rules_release, f"ae-train={ae}", *FEW))
    sizes = {row: ours(found, "§3.2", row, "Examples") for row in (
        "Generated, kept", "Checked by people", "Consistent after self-evaluation", "Revised",
        "AE train",
    )}  # fmt: skip
    assert sizes == {
        "Generated, kept": 4,
        "Checked by people": 4,
        "Consistent after self-evaluation": 2,
        "Revised": 1,
        "AE train": 2,
    }
    assert why(found, "§3.2", "ROPES dev", "Examples") == "needs the judged answers (ropes=FILE)"
    assert why(found, "§3.2", "Removed", "Examples") == (
        "a release has none of the drafts that nobody approved"
    )


def test_cfmatch_says_which_of_two_named_matchers_is_as_people(
    evaluate: Evaluate, rules_release: Path
) -> None:
    named = ("--matcher", "cfm=em", "--matcher", "cfmatch=f1")
    found = figures(evaluate.json("reproduce", "cfmatch", rules_release, *named, *FEW))
    # they differ on a, where F1 is as people, and on d, where EM is; both are decided by rule 4
    rows = ("All", "Specificity", "Semantic similarity", "Aliases")
    assert [ours(found, "§5.3", row, "Share") for row in rows] == [50.0, 100.0, 0.0, 0.0]
    rows = ("All", "Irrelevant", "Specificity", "Token overlap")
    assert [ours(found, "§5.4", row, "Share") for row in rows] == [50.0, 0.0, 50.0, 0.0]
    alike = ("--matcher", "cfm=em", "--matcher", "cfmatch=em")
    found = figures(evaluate.json("reproduce", "cfmatch", rules_release, *alike, *FEW))
    assert why(found, "§5.3", "All", "Share") == "CFM and CFM-Aug judge all items alike"
    found = figures(evaluate.json("reproduce", "cfmatch", rules_release, *FEW))
    assert why(found, "§5.4", "All", "Share") == "needs --matcher cfm=MATCHER"


def test_cfmatch_compares_on_a_split_of_a_release(
    evaluate: Evaluate, rules_release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a, whose split is train, metrics differ on d alone, where EM is as people."""
    named, test = ("--matcher", "cfm=em", "--matcher", "cfmatch=f1"), f"{rules_release}:test"
    found = figures(evaluate.json("reproduce", "cfmatch", rules_release, test, *named, *FEW))
    assert [ours(found, table, "All", "Share") for table in ("§5.3", "§5.4")] == [0.0, 100.0]
    assert found["§5.4", "All", "Share"]["ours"]["n"] == 1
    assert ours(found, "§5.2", "Annotated", "Examples") == 5
    printed = evaluate("reproduce", "cfmatch", rules_release, test, *named, *FEW)
    assert "§5.3, 5.4: on release:test alone" in printed
    assert "§3.2, 5.2: 1 of 5 items are tied" in printed
    alone = figures(evaluate.json("reproduce", "cfmatch", test, *named, *FEW))
    assert ours(alone, "§5.2", "Annotated", "Examples") == 4
    assert ours(alone, "§5.4", "All", "Share") == 100.0
    assert "in-sample" in evaluate("reproduce", "cfmatch", rules_release, *named, *FEW)
    with pytest.raises(SystemExit):
        evaluate("reproduce", "cfmatch", f"{rules_release}:dev")
    assert f"has no split 'dev': {rules_release}:train, {test}" in capsys.readouterr().err


def test_bulian_takes_all_splits_of_a_release(
    evaluate: Evaluate, release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        evaluate("reproduce", "bulian", f"{release}:train", *FEW)
    assert "train: is one split, and the figures are of all three" in capsys.readouterr().err


def test_a_named_matcher_must_be_one(
    evaluate: Evaluate, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        evaluate("reproduce", "cfmatch", "--matcher", "cfm=nothing")
    assert "nothing" in capsys.readouterr().err
