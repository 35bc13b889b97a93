"""`manage.py evaluate reproduce cap RELEASE`: labels of models and of people side by side."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from exporters.planned_release import ReleaseContent
from tasks.protocols.cap import PROTOCOL
from tasks.protocols.statement import PROTOCOL as STATEMENTS
from tests.exporters.builders import build_dataset, write_release
from tests.exporters.format_samples import json_rows
from tests.exporters.samples import CAP_CONTENT, item
from tests.tasks.management.conftest import Evaluate
from tests.tasks.management.reproduction import FEW, figures, ours, why
from tests.tomahto.interchange.files import Write
from tomahto.interchange.judgements.published import read_cap_answers
from tomahto.lab.reproduce.cap.answers import CapAnswer
from tomahto.lab.reproduce.cap.release import cap_release
from tomahto.matching.interface import Pair
from tomahto.releases.records.records import RatingRecord, SplitSpec
from tomahto.releases.stored.reading import read_release

SYNTHETIC = ("exact", "partial", "partial", "invalid")
HUMAN = ("exact", "partial", "invalid", "invalid")


def campaign_content() -> ReleaseContent:
    return replace(
        CAP_CONTENT,
        campaign=replace(
            CAP_CONTENT.campaign,
            scheme=PROTOCOL.scheme,
            question_keys=("label",),
            accepted_labels=PROTOCOL.accepted_labels,
        ),
        spec=SplitSpec("document", {"test": 100.0}),
    )


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Four generated answers, and one of a language model."""
    items = [
        item(f"g{n}", "A", question=f"q{n}", index=None, systems=("finch-7b",))
        for n in range(len(SYNTHETIC))
    ]
    items = [replace(one, intended=label) for one, label in zip(items, SYNTHETIC, strict=True)]
    items.append(item("m", "A", question="qm", index=None, systems=("gpt-4o-2024-08-06",)))
    ratings = [
        RatingRecord(one.id, "r1", label, {"label": label})
        for one, label in zip(items, (*HUMAN, "exact"), strict=True)
    ]
    content = replace(campaign_content(), items=items, ratings=ratings)
    write_release(content, tmp_path / "cap-1.0.0")
    return tmp_path / "cap-1.0.0"


def test_a_release_has_both_labels_of_generated_answers(evaluate: Evaluate, release: Path) -> None:
    found = figures(evaluate.json("reproduce", "cap", release, *FEW))
    assert ours(found, "Tab. 1", "CAP-Correctness", "Test") == 4
    # agreement 3/4; by chance 1/4*1/4 + 1/2*1/4 + 1/4*1/2 = 5/16: kappa = (12 - 5) / (16 - 5)
    assert ours(found, "Tab. 7", "Cohen's κ", "Score") == pytest.approx(700 / 11)
    assert why(found, "Tab. 14", "GPT-4o", "Spearman ρ").startswith('needs lines with "scores"')
    assert why(found, "Tab. 14", "Qwen 3", "Spearman ρ") == 'needs lines whose "system" is Qwen 3'


def without_sources(answer: CapAnswer) -> CapAnswer:
    """Lines know neither the passage nor the document nor further labels."""
    pair = answer.pair
    return replace(
        answer,
        pair=Pair(pair.question, "", tuple(pair.references), pair.candidate),
        corpus="",
        labels={},
    )


MODELS = (("gpt-4o-2024-08-06",), ("gemini-flash", "qwen-3"), ("finch-7b",), ())


@pytest.mark.parametrize("has_generated", [False, True])
def test_the_lines_of_a_release_give_the_same(
    evaluate: Evaluate, tmp_path: Path, write: Write, has_generated: bool
) -> None:
    """Answers of models, of another system and of none, and texts written for a class: by a model
    alone, by one that answers so too, and by one that has another answer."""
    items = [
        item(f"m{n}", "A", question=f"q{n}", index=None, systems=names)
        for n, names in enumerate(MODELS)
    ]
    writers = (
        ("q2", ("finch-7b",)),
        ("q3", ("finch-7b", "gpt-4o-2024-08-06")),
        ("q1", ("gemini-flash",)),
    )
    items += [
        replace(item(f"g{n}", "A", question=q, index=None, systems=names), intended=label)
        for n, ((q, names), label) in enumerate(zip(writers, SYNTHETIC, strict=False))
        if has_generated
    ]
    ratings = [
        RatingRecord(one.id, "r1", label, {"label": label})
        for one, label in zip(items, (*HUMAN, *HUMAN), strict=False)
    ]
    release = tmp_path / "release"
    write_release(replace(campaign_content(), items=items, ratings=ratings), release)
    lines = json_rows(release / "cap_correctness/test.jsonl")
    scores = {one.id: n / 10 for n, one in enumerate(items)}
    of_items = [{"id": key, "scores": {"cap": score}} for key, score in scores.items()]
    of_lines = [{**one, "scores": {"cap": scores[one["id"]]}} for one in lines]
    by_release, by_lines = (
        evaluate.json("reproduce", "cap", *given, *FEW)
        for given in (
            (release, f"scores={write('scores.jsonl', of_items)}"),
            (write("cap.jsonl", of_lines),),
        )
    )
    assert by_lines["figures"] == by_release["figures"]
    tables = [
        [table["rows"] for table in made["tables"] if table["key"] in {"labels", "metrics"}]
        for made in (by_lines, by_release)
    ]
    assert tables[0] == tables[1]
    read = read_cap_answers(write("lines.jsonl", lines), PROTOCOL.scheme.labels)
    answers = cap_release(read_release(release).dataset, PROTOCOL.scheme)
    assert list(map(without_sources, read)) == list(map(without_sources, answers))
    assert sorted((one.id, one.system) for one in read) == (
        [
            *[("g0", ""), ("g1", ""), ("g1", "GPT-4o"), ("g2", "")],
            *[("m0", "GPT-4o"), ("m1", "Gemini Flash"), ("m1", "Qwen 3")],
        ]
        if has_generated
        else [*[("m0", "GPT-4o"), ("m1", "Gemini Flash"), ("m1", "Qwen 3"), ("m2", ""), ("m3", "")]]
    )


def test_scores_come_beside_the_release_and_every_source_of_labels_has_its_rows(
    evaluate: Evaluate, release: Path, write: Write
) -> None:
    rows = json_rows(release / "jsonl/items/test.jsonl")
    scores = {"exact": 0.9, "partial": 0.5, "invalid": 0.1}
    path = write(
        "s.jsonl", [{"id": row["id"], "scores": {"cap": scores[row["label"]]}} for row in rows]
    )
    made = evaluate.json("reproduce", "cap", release, f"scores={path}", *FEW)
    found = figures(made)
    assert ours(found, "Tab. 5", "GPT-4o", "Exact") == 90
    assert ours(found, "Tab. 17", "Partial", "Synthetic") == pytest.approx(30)
    assert ours(found, "Tab. 17", "Partial", "Annotator") == 50
    assert ours(found, "Tab. 16", "Human-labeled", "PairAcc") == 100
    tables = {table["key"]: table["rows"] for table in made["tables"]}
    sources = {
        row["source"]: (row["n"], row["spearman"]["value"]) for row in tables["label_sources"]
    }
    # one rater gave every label, in the order of the scores
    assert sources["majority"] == sources["r1"] == (4, pytest.approx(1))
    assert sources["dawid-skene"][0] == 4
    assert len(sources) == 3
    partial = [
        row["mean"]["value"]
        for row in tables["label_source_means"]
        if (row["source"], row["class"]) == ("r1", "Partial")
    ]
    assert partial == [0.5]
    assert tables["sources"] == [{"source": "A", "questions": 4, "share": 1.0}]


def test_scores_are_of_one_item_each(
    evaluate: Evaluate, release: Path, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write("s.jsonl", [{"id": "g0", "scores": {"cap": 0.1}}] * 2)
    with pytest.raises(SystemExit):
        evaluate("reproduce", "cap", release, f"scores={path}", *FEW)
    assert "line 2, field id" in capsys.readouterr().err


def test_what_export_suggestions_wrote_is_scores(
    evaluate: Evaluate, release: Path, write: Write
) -> None:
    """A line for each version of each matcher; the last version of each counts."""
    rows = json_rows(release / "jsonl/items/test.jsonl")
    lines = [
        {"id": row["id"], "matcher": matcher, "version": version, "score": score}
        for matcher, version, score in (("cap", "1", 0.1), ("comet", "1", 0.3), ("cap", "2", 0.9))
        for row in rows
    ]
    made = evaluate.json("reproduce", "cap", release, f"scores={write('s.jsonl', lines)}", *FEW)
    found = figures(made)
    assert ours(found, "Tab. 5", "GPT-4o", "Exact") == 90
    assert ours(found, "Tab. 2", "COMET", "Pairwise Acc.") == 0


def test_files_that_do_not_go_with_a_release_are_refused(
    evaluate: Evaluate, release: Path, write: Write, tmp_path: Path
) -> None:
    other = write("s.jsonl", [{"id": "x", "scores": {"cap": 0.1}}])
    assert evaluate.error("reproduce", "cap", release, f"scores={other}") == (
        f"CommandError: {other}: has no id of an answer that is given beside it\n"
    )
    scored = json_rows(release / "jsonl/items/test.jsonl")
    items = write("scored.jsonl", [{**row, "score": 0.5} for row in scored])
    assert evaluate.error("reproduce", "cap", release, items) == (
        f"CommandError: {items}, line 1, field correctness_label: is missing; scored items of a"
        " release go beside it: scores=FILE\n"
    )
    again = tmp_path / "again"
    shutil.copytree(release, again)
    for given in (again, f"{release}:test", release / "cap_correctness/test.jsonl"):
        error = evaluate.error("reproduce", "cap", release, given)
        assert error == f"CommandError: {given}: has the item 'g0', and so has {release}\n"


def test_a_line_that_stands_twice_is_refused(
    evaluate: Evaluate, release: Path, write: Write
) -> None:
    lines = json_rows(release / "cap_correctness/test.jsonl")
    path = write("cap.jsonl", [*lines, lines[-1]])
    assert evaluate.error("reproduce", "cap", path) == (
        f"CommandError: {path}: has the item 'm' of GPT-4o, and has it again\n"
    )


def test_several_files_say_several_metrics_of_an_item(
    evaluate: Evaluate, release: Path, write: Write
) -> None:
    keys = [row["id"] for row in json_rows(release / "jsonl/items/test.jsonl")]

    def scores(name: str, metric: str) -> Path:
        return write(name, [{"id": key, "scores": {metric: 0.5}} for key in keys])

    one, other, more = scores("a", "cap"), scores("b", "comet"), scores("c", "cap")
    made = evaluate.json("reproduce", "cap", release, f"scores={one}", f"scores={other}", *FEW)
    found = figures(made)
    for row in ("CAP", "COMET"):
        assert ours(found, "Tab. 2", row, "Pairwise Acc.") == 0
    assert evaluate.error("reproduce", "cap", release, f"scores={one}", f"scores={more}") == (
        f"CommandError: {more}: has a score 'cap' of '{keys[0]}', and so has {one}\n"
    )


def test_a_name_says_what_a_file_is_even_of_a_release(
    evaluate: Evaluate, release: Path, tmp_path: Path
) -> None:
    for name in ("generator", "scores"):
        error = evaluate.error("reproduce", "cap", f"{name}={release}")
        assert error == f"CommandError: {release}: is not a regular file\n"
    error = evaluate.error("reproduce", "cap", f"statements={release}")
    assert error == f"CommandError: {release}: is not a release of statements\n"
    error = evaluate.error("reproduce", "cap", tmp_path)
    assert error == f"CommandError: {tmp_path}: is a folder but not a release\n"


def test_a_text_written_for_a_class_can_be_a_models_answer_too() -> None:
    scheme = PROTOCOL.scheme
    shared = replace(
        item("g", "A", question="q", index=None, systems=("finch-7b", "gpt-4o")), intended="exact"
    )
    own = replace(item("o", "A", question="p", index=None, systems=("gpt-4o",)), intended="partial")
    alone = item("m", "A", question="p", index=None, systems=("gpt-4o", "qwen-3"))
    items = [shared, own, alone]
    ratings = [RatingRecord(one.id, "r1", "exact", {"label": "exact"}) for one in items]
    content = replace(campaign_content(), items=items, ratings=ratings)
    answers = cap_release(build_dataset(content), scheme)
    # gpt-4o has two texts for p, so it wrote one of them for a class
    assert sorted((one.id, one.system, one.label) for one in answers) == [
        ("g", "", "exact"),
        ("g", "GPT-4o", "exact"),
        ("m", "GPT-4o", "exact"),
        ("m", "Qwen 3", "exact"),
        ("o", "", "partial"),
    ]


def test_what_training_said_of_the_generator_fills_section_4(
    evaluate: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    test = {"n": 8, "bleu": 0.5, "exact": 0.25, "rouge": {"rougeL": 0.75}}
    said = {"dev_examples": 3, "bleu": 0.9, "exact": 0.9, "rouge": None}
    path = tmp_path / "generator.json"
    path.write_text(json.dumps({**said, "test": test}))
    found = figures(evaluate.json("reproduce", "cap", f"generator={path}", *FEW))
    assert [ours(found, "§4", "mT5", name) for name in ("BLEU", "ROUGE-L", "Exact match")] == [
        *(50, 75, 25)
    ]
    path.write_text(json.dumps({**said, "test": {**test, "n": 0}}))
    found = figures(evaluate.json("reproduce", "cap", f"generator={path}", *FEW))
    assert why(found, "§4", "mT5", "BLEU") == (
        "generator=FILE is of no held-out question; needs train_statements --test"
    )
    path.write_text("\ufeff" + json.dumps({**said, "test": {**test, "rouge": None}}))
    found = figures(evaluate.json("reproduce", "cap", f"generator={path}", *FEW))
    assert why(found, "§4", "mT5", "ROUGE-L") == "train_statements had no package rouge-score"
    path.write_text(json.dumps({**said, "test": None}))
    found = figures(evaluate.json("reproduce", "cap", f"generator={path}", *FEW))
    assert [why(found, "§4", "mT5", name) for name in ("BLEU", "ROUGE-L", "Exact match")] == [
        "generator=FILE is of the split that chose the epoch; needs train_statements --test"
    ] * 3
    for text, fault in (
        ("[]", f"{path}: is not what train_statements --json prints"),
        ('{"dev_examples": 1e999}', f"{path}: is not what train_statements --json prints: the"),
        (json.dumps({**said, "dev_examples": 1.5}), "field dev_examples: must be a whole number"),
        (json.dumps({**said, "dev_examples": -1}), "field dev_examples: must be a whole number"),
        (json.dumps({**said, "bleu": 1.5}), "field bleu: must be between 0 and 1"),
        (json.dumps({**said, "rouge": {"rougeL": "x"}}), "field rouge.rougeL: must be a number"),
    ):
        path.write_text(text)
        with pytest.raises(SystemExit):
            evaluate("reproduce", "cap", f"generator={path}", *FEW)
        assert fault in capsys.readouterr().err


def test_a_label_drawn_in_a_tie_is_nobodys(
    evaluate: Evaluate, tmp_path: Path, write: Write
) -> None:
    items = [
        replace(
            item(f"g{n}", "A", question=f"q{n}", index=None, systems=("finch-7b",)), intended=label
        )
        for n, label in enumerate(SYNTHETIC)
    ]
    items += [
        item("m", "A", question="qm", index=None, systems=("gpt-4o", "gemini-flash")),
        item("t", "A", question="qt", index=None, systems=("gpt-4o",)),
    ]
    labels = dict(zip((one.id for one in items), (*SYNTHETIC, "exact", "exact"), strict=True))
    ratings = [RatingRecord(one, "r1", name, {"label": name}) for one, name in labels.items()]
    ratings += [RatingRecord(one, "r2", "partial", {"label": "partial"}) for one in ("g3", "t")]
    release = tmp_path / "tied"
    write_release(replace(campaign_content(), items=items, ratings=ratings), release)
    scores = write("s.jsonl", [{"id": one, "scores": {"cap": 0.5}} for one in labels])
    made = evaluate.json("reproduce", "cap", release, f"scores={scores}", *FEW)
    found = figures(made)
    # g0 to g2, on which people agree with the models, and not g3, on which they do not agree
    assert ours(found, "Tab. 7", "Cohen's κ", "Score") == 100
    assert ours(found, "Tab. 1", "CAP-Correctness", "Test") == 4
    for system in ("GPT-4o", "Gemini Flash"):  # m alone; t is a tie
        assert found["Tab. 5", system, "Exact"]["ours"]["n"] == 1
    printed = evaluate("reproduce", "cap", release, f"scores={scores}", *FEW)
    assert "Left out: 2 labels of releases that were drawn in a tie" in printed
    lines = json_rows(release / "cap_correctness/test.jsonl")
    by_lines = read_cap_answers(write("cap.jsonl", lines), PROTOCOL.scheme.labels)
    answers = cap_release(read_release(release).dataset, PROTOCOL.scheme)
    assert list(map(without_sources, by_lines)) == list(map(without_sources, answers))


def test_statements_are_counted_by_split_type_and_label(
    evaluate: Evaluate, release: Path, tmp_path: Path
) -> None:
    labels = ("correct", "wrong", "correct", "semantic")
    subjects = ("General knowledge", "Biology", "General knowledge", "")
    items = [
        replace(
            item(f"s{n}", f"d{n}", question=f"q{n}", index=None),
            question_type="short-question" if n < 3 else "long-question",
            intended=f"{subject}/short-question" if subject else "",
            source_split="train" if n < 3 else "test",
        )
        for n, subject in enumerate(subjects)
    ]
    content = replace(
        CAP_CONTENT,
        campaign=replace(
            CAP_CONTENT.campaign,
            protocol="statement",
            scheme=STATEMENTS.scheme,
            question_keys=("label",),
            accepted_labels=STATEMENTS.accepted_labels,
        ),
        items=items,
        ratings=[
            RatingRecord(one.id, "r1", label, {"label": label})
            for one, label in zip(items, labels, strict=True)
        ],
        spec=SplitSpec("predefined", {}),
    )
    write_release(content, tmp_path / "statements")
    found = figures(evaluate.json("reproduce", "cap", release, tmp_path / "statements", *FEW))
    assert ours(found, "Tab. 1", "CAP-Correctness", "Test") == 4
    assert ours(found, "Tab. 1", "CAP-Statements", "Train") == 3
    assert ours(found, "Tab. 1", "CAP-Statements", "Test") == 1
    assert why(found, "Tab. 1", "CAP-Statements", "Validation") == (
        "needs a release of statements with the split validation"
    )
    assert ours(found, "Tab. 15", "Short question", "wrong") == pytest.approx(100 / 3)
    assert ours(found, "Tab. 15", "Long context", "semantic") == 100
    assert why(found, "Tab. 15", "Blank-space task", "wrong") == (
        "needs statements of the type blank-spaces-task"
    )
    assert ours(found, "Fig. 8", "correct", "Share") == 50
    for again in (f"{tmp_path / 'statements'}:train", f"statements={tmp_path / 'statements'}"):
        error = evaluate.error("reproduce", "cap", tmp_path / "statements", again)
        assert "has the item 's0', and " in error
    assert ours(found, "Fig. 7", "General knowledge", "Share") == pytest.approx(200 / 3)
    lines = tmp_path / "statements/cap_statements/train.jsonl"
    found = figures(evaluate.json("reproduce", "cap", f"statements={lines}", *FEW))
    assert ours(found, "Fig. 8", "wrong", "Share") == pytest.approx(100 / 3)
    assert why(found, "Tab. 1", "CAP-Correctness", "Test") == (
        "needs lines of CAP-Correctness, or a release of the protocol cap"
    )


def test_a_release_of_another_protocol_is_no_cap_release(
    evaluate: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_release(CAP_CONTENT, tmp_path / "three")
    with pytest.raises(SystemExit):
        evaluate("reproduce", "cap", tmp_path / "three")
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"CommandError: {tmp_path / 'three'}: is of the protocol cap, not of CAP's classes"
    )
