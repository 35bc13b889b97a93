"""`manage.py evaluate reproduce` on files in the published layouts. No test here may touch the
database. The figures are worked out by hand beside the data."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import kendalltau, spearmanr

from tests.tasks.management.conftest import Evaluate
from tests.tasks.management.reproduction import (
    BIDAF,
    DEV,
    FEW,
    GOLD,
    TEST,
    TRAIN,
    Lines,
    ae_lines,
    figures,
    judged,
    ours,
    why,
)
from tests.tasks.management.samples import PREDICTIONS, SQUAD
from tests.tomahto.interchange.files import Write


@pytest.fixture
def splits(write: Write) -> list[Path]:
    """Under the names that the files are published under."""
    return [
        write("train.jsonl", TRAIN),
        write("ae_dev.jsonl", DEV),
        write("ae_test.jsonl", TEST),
    ]


def test_bulian_counts_the_files_as_published(evaluate: Evaluate, splits: list[Path]) -> None:
    found = figures(evaluate.json("reproduce", "bulian", *splits, *FEW))
    sizes = {
        column: tuple(ours(found, "Tab. 2", row, column) for row in ("AE-examples", "Ratings"))
        for column in ("AE Train", "AE Dev", "AE Test", "Total")
    }
    assert sizes == {
        "AE Train": (3, 3),
        "AE Dev": (3, 4),
        "AE Test": (3, 9),
        "Total": (9, 16),
    }
    # of dev and test; d2's two AE-examples have one candidate
    assert ours(found, "Tab. 10", "Non-exact matches", "Total") == 5
    assert ours(found, "Tab. 10", "AE-examples", "Total") == 6
    assert ours(found, "Tab. 10", "Ratings", "Total") == 13
    per_item = [
        ours(found, "§3.5", f"AE-examples with {count}", "SQuAD dev")
        for count in ("one rating", "two ratings", "three ratings", "four ratings")
    ]
    assert per_item == [2, 2, 1, 1]
    assert ours(found, "§3.5", "Ties", "SQuAD dev") == 1
    total = found["Tab. 2", "Ratings", "Total"]
    assert (total["published"], total["published_as"], total["unit"]) == (23260, "23,260", "count")
    assert (total["difference"], total["as_printed"]) == (16 - 23260, False)
    assert found["§3.5", "Ties", "SQuAD dev"]["as_printed"] is True  # <25


def test_bulian_computes_agreement(evaluate: Evaluate, splits: list[Path]) -> None:
    # d1 ++, e1 +-+, e2 +-, e3 ----: full agreement in 2 of 4; pairs agree 1, 1/3, 0, 1.
    # Alpha: 5 + and 6 -; D_o = (2 + 2) / 11, D_e = 60 / 110, so 1 - 440/660.
    found = figures(evaluate.json("reproduce", "bulian", *splits, *FEW))
    agreement = {
        column: ours(found, "§3.5", "AE", column)
        for column in (
            "Equivalent ratings, all",
            "Equivalent ratings, train",
            "Full agreement",
            "Random pair agrees",
            "Krippendorff's α",
        )
    }
    assert agreement == {
        "Equivalent ratings, all": 50.0,
        "Equivalent ratings, train": pytest.approx(200 / 3),
        "Full agreement": 50.0,
        "Random pair agrees": pytest.approx(700 / 12),
        "Krippendorff's α": pytest.approx(1 / 3),
    }
    alpha = found["§3.5", "AE", "Krippendorff's α"]
    assert alpha["difference"] == pytest.approx(1 / 3 - 0.84)
    assert alpha["ours"]["low"] <= 1 / 3 <= alpha["ours"]["high"]


def test_bulian_judges_metrics_by_ratings(evaluate: Evaluate, splits: list[Path]) -> None:
    # EM takes nothing for equivalent. F1 at 0.5: d1 right twice, d2 wrong and right; e1 right once,
    # e2 once, e3 four times. Tuned on train 0.4 is the lowest threshold that is right everywhere.
    result = evaluate.json("reproduce", "bulian", *splits, *FEW)
    found = figures(result)
    rows = {
        row: (ours(found, "Tab. 4", row, "Dev Acc"), ours(found, "Tab. 4", row, "Test Acc"))
        for row in ("EM", "F1", "F1 (tuned)")
    }
    assert rows == {
        "EM": (25.0, pytest.approx(600 / 9)),
        "F1": (75.0, pytest.approx(600 / 9)),
        "F1 (tuned)": (75.0, pytest.approx(700 / 9)),
    }
    assert ours(found, "Tab. 9", "F1", "Threshold") == pytest.approx(0.4)
    assert ours(found, "Tab. 9", "F1", "AE Test") == pytest.approx(700 / 9)
    rho = spearmanr([2 / 3, 2 / 3, 0, 0], [1, 1, 1, 0]).statistic
    assert ours(found, "Tab. 4", "F1", "Dev ρ") == pytest.approx(100 * rho)
    assert found["Tab. 4", "F1", "Test Acc"]["ours"]["n"] == 9
    assert [matcher["name"] for matcher in result["matchers"]] == ["em", "f1"]
    (metrics,) = result["tables"]
    accuracies = {
        (row["metric"], row["file"]): (row["accuracy"]["value"], row["tuned"]["value"])
        for row in metrics["rows"]
    }
    assert accuracies == {
        ("em", "AE Train"): (pytest.approx(1 / 3), pytest.approx(2 / 3)),
        ("em", "AE Dev"): (0.25, 0.75),
        ("em", "AE Test"): (pytest.approx(6 / 9), pytest.approx(3 / 9)),
        ("f1", "AE Train"): (pytest.approx(2 / 3), 1.0),
        ("f1", "AE Dev"): (0.75, 0.75),
        ("f1", "AE Test"): (pytest.approx(6 / 9), pytest.approx(7 / 9)),
    }
    assert why(found, "Tab. 4", "BEM", "Dev Acc") == (
        'needs "scores": {"bem": …} on the lines of AE Dev, or --matcher bem'
    )
    assert why(found, "Tab. 4", "LERC (tuned)", "Dev ρ") == (
        'needs "scores": {"lerc": …} on the lines of AE Dev, or lerc=FILE beside a release'
    )


def test_bulian_judges_systems_on_all_of_squad(evaluate: Evaluate, write: Write) -> None:
    # s3 and s4 match exactly. s1's x: F1 2/3, equivalent to one of two references; s2's q: nothing.
    files = (write("dev_bidaf.jsonl", BIDAF), f"squad={write('dev-v1.1.jsonl', GOLD)}")
    found = figures(evaluate.json("reproduce", "bulian", *files, *FEW))
    system = {row: ours(found, "Tab. 6", row, "BiDAF") for row in ("EM", "F1", "Human")}
    assert system == {"EM": 50.0, "F1": pytest.approx(200 / 3), "Human": 75.0}
    assert ours(found, "Tab. 7", "BiDAF", "F1, all references") == pytest.approx(200 / 3)
    equivalent = [
        ours(found, "Tab. 11", f"Equivalent {what}", "BiDAF")
        for what in ("candidates", "AE-examples", "ratings")
    ]
    assert equivalent == [50.0, pytest.approx(100 / 3), pytest.approx(100 / 3)]
    assert ours(found, "Tab. 5", "F1", "BiDAF") == 100.0
    assert why(found, "Tab. 6", "EM", "Luke") == (
        "needs Luke (luke=FILE, or a release's system with luke in its name)"
    )
    assert why(found, "Tab. 2", "Ratings", "Total") == (
        "needs AE Train (train=FILE) and AE Dev (dev=FILE) and AE Test (test=FILE)"
    )


def test_bulian_leaves_out_questions_without_references(evaluate: Evaluate, write: Write) -> None:
    gold = [*GOLD, {"id": "s5", "answers": {"text": []}}]
    files = (write("dev_bidaf.jsonl", BIDAF), f"squad={write('dev-v2.0.jsonl', gold)}")
    found = figures(evaluate.json("reproduce", "bulian", *files, *FEW))
    assert found["Tab. 6", "EM", "BiDAF"]["ours"]["n"] == 4
    assert ours(found, "Tab. 6", "EM", "BiDAF") == 50.0


@pytest.mark.parametrize(
    ("gold", "lines", "reason"),
    [
        (GOLD[1:], BIDAF, "1 of the file's candidates are of questions that the SQuAD data lack"),
        (
            GOLD,
            [*BIDAF, *ae_lines("s1", "x y", "y", "+")],
            "the file has several candidates for a question: it is not of one system",
        ),
    ],
)
def test_bulian_says_why_a_system_and_squad_do_not_fit(
    evaluate: Evaluate, write: Write, gold: Lines, lines: Lines, reason: str
) -> None:
    files = (f"bidaf={write('b.jsonl', lines)}", f"squad={write('s.jsonl', gold)}")
    found = figures(evaluate.json("reproduce", "bulian", *files, *FEW))
    assert why(found, "Tab. 6", "EM", "BiDAF") == reason


def test_bulian_refuses_files_it_cannot_place(evaluate: Evaluate, write: Write) -> None:
    path = write("ratings.jsonl", TRAIN)
    assert evaluate.error("reproduce", "bulian", path) == (
        f"CommandError: {path}: name it, as in test={path}: predictions-bidaf, predictions-xlnet, "
        "predictions-luke, squad, nbest, bidaf, xlnet, luke, train, dev, test\n"
    )
    twice = (f"train={path}", write("train.jsonl", TRAIN))
    assert evaluate.error("reproduce", "bulian", *twice) == (
        f"CommandError: {twice[1]}: is train, and so is {path}\n"
    )
    bad = write("train.jsonl", [{**TRAIN[0], "question_2": "undefined"}])
    assert evaluate.error("reproduce", "bulian", bad) == (
        f"CommandError: {bad}, line 1, field question_2: is not answered\n"
    )
    assert "missing.jsonl" in evaluate.error("reproduce", "bulian", "train=missing.jsonl")


def test_bulian_takes_ratings_without_answers_for_not_equivalent(
    evaluate: Evaluate, write: Write
) -> None:
    """As a release writes those of a label alone, and as training reads them."""
    none = {f"question_{place}": "undefined" for place in range(1, 5)}
    lines = [*ae_lines("d1", "x y", "x", "++"), {**ae_lines("d1", "x y", "x", "-")[0], **none}]
    found = figures(evaluate.json("reproduce", "bulian", write("dev_luke.jsonl", lines), *FEW))
    assert ours(found, "Tab. 11", "Equivalent ratings", "Luke") == pytest.approx(200 / 3)


def cap_line(
    label: str, score: float, human: str | None = None, system: str = ""
) -> dict[str, Any]:
    return {
        "question": "Which planet is largest?",
        "gold_answer": "Jupiter",
        "candidate_answer": f"{label} {score}",
        "correctness_label": label,
        "scores": {"cap": score},
        **({"human_label": human} if human else {}),
        **({"system": system} if system else {}),
    }


CAP = [
    cap_line("exact", 0.9, human="exact"),
    cap_line("equivalent", 0.8, human="equivalent"),
    cap_line("partial", 0.85, human="equivalent"),
    cap_line("overinclusive-valid", 0.5),
    cap_line("overinclusive-invalid", 0.5),
    cap_line("invalid", 0.1, human="invalid"),
    cap_line("invalid", 0.6),
    cap_line("exact", 0.7, human="exact", system="GPT-4o"),
    cap_line("exact", 0.3, human="contradictory", system="GPT-4o"),
]


def test_cap_orders_scores_of_the_file(evaluate: Evaluate, write: Write) -> None:
    result = evaluate.json("reproduce", "cap", write("test.jsonl", CAP))
    found = figures(result)
    ranks, scores = [7, 6, 4, 5, 2, 1, 1], [0.9, 0.8, 0.85, 0.5, 0.5, 0.1, 0.6]
    assert ours(found, "Tab. 1", "CAP-Correctness", "Test") == 7
    assert ours(found, "Tab. 2", "CAP", "Spearman ρ") == pytest.approx(
        100 * spearmanr(ranks, scores).statistic
    )
    assert ours(found, "Tab. 2", "CAP", "Kendall τ") == pytest.approx(
        100 * kendalltau(ranks, scores).statistic
    )
    # 21 pairs less the two invalid ones: 20; lost: equivalent < partial, ov < partial,
    # ov < 0.6, oi < 0.6; tied: ov and oi
    assert ours(found, "Tab. 2", "CAP", "Pairwise Acc.") == pytest.approx(100 * 15 / 20)
    assert ours(found, "Tab. 3", "OV > OI", "CAP AUC") == 50.0
    assert ours(found, "Tab. 4", "CAP", "OV > OI") == 0.0
    assert ours(found, "Tab. 3", "Exact > Invalid", "CAP AUC") == 100.0
    assert why(found, "Tab. 4", "CAP", "Alt > Inv") == (
        "needs answers of the class alternative-correct: there is none"
    )
    # violations of means: equivalent/partial, ov/partial, ov/oi; 15 pairs of six classes
    assert ours(found, "Tab. 12", "CAP", "Violation rate") == pytest.approx(100 * 3 / 15)
    assert why(found, "Tab. 12", "CAP", "Violating pairs of 27") == (
        "needs answers of the class alternative-correct, contradictory: there is none"
    )
    assert why(found, "Tab. 2", "BLEU", "Kendall τ") == (
        'needs lines with "scores": {"bleu-nltk": …}, or scores=FILE by item,'
        " or --matcher bleu-nltk"
    )
    labels, metrics, *_ = result["tables"]
    assert [(row["metric"], row["n"]) for row in metrics["rows"]] == [("cap", 7)]
    assert metrics["rows"][0]["accuracy"]["value"] == 0.75
    assert {row["label"]: row["n"] for row in labels["rows"] if row["n"]} == {
        "exact": 1,
        "equivalent": 1,
        "overinclusive-valid": 1,
        "partial": 1,
        "overinclusive-invalid": 1,
        "invalid": 2,
    }


def test_cap_compares_labels_of_people(evaluate: Evaluate, write: Write) -> None:
    # 4 answers, 3 alike. By chance: exact 1/16, equivalent 1 * 2 / 16, invalid 1/16: p_e = 4/16;
    # kappa = (3/4 - 1/4) / (3/4).
    found = figures(evaluate.json("reproduce", "cap", write("test.jsonl", CAP)))
    assert ours(found, "Tab. 7", "Cohen's κ", "Score") == pytest.approx(200 / 3)
    assert ours(found, "Tab. 17", "Partial", "Synthetic") == 85.0
    assert ours(found, "Tab. 17", "Equivalent", "Annotator") == pytest.approx(82.5)
    assert ours(found, "Tab. 16", "Human-labeled", "PairAcc") == 100.0
    assert ours(found, "Tab. 16", "Synthetic", "PairAcc") == pytest.approx(500 / 6)
    # people's labels count for answers by language models
    assert ours(found, "Tab. 5", "GPT-4o", "Exact") == 70.0
    assert ours(found, "Tab. 5", "GPT-4o", "Contradictory") == 30.0
    assert ours(found, "Tab. 14", "GPT-4o", "PairAcc") == 100.0
    assert why(found, "Tab. 14", "Qwen 3", "PairAcc") == 'needs lines whose "system" is Qwen 3'


def test_cap_asks_matchers_for_what_lines_do_not_have(evaluate: Evaluate, write: Write) -> None:
    lines = [
        {**cap_line(label, 0), "scores": None, "candidate_answer": text}
        for label, text in (("exact", "Jupiter"), ("invalid", "Mars"))
    ]
    file = write("c.jsonl", lines)
    found = figures(evaluate.json("reproduce", "cap", file, "--matcher", "bleu-nltk"))
    assert ours(found, "Tab. 2", "BLEU", "Pairwise Acc.") == 100.0
    assert why(found, "Tab. 7", "Cohen's κ", "Score") == (
        'needs a "human_label" on any of the 2 lines without a "system"'
    )
    bleu = [{**line, "scores": {"bleu": place}} for place, line in enumerate(lines)]
    found = figures(evaluate.json("reproduce", "cap", write("b.jsonl", bleu)))
    assert ours(found, "Tab. 2", "BLEU", "Pairwise Acc.") == 0.0
    lines[0]["scores"] = {"comet": 0.5}
    found = figures(evaluate.json("reproduce", "cap", write("d.jsonl", lines)))
    assert why(found, "Tab. 2", "COMET", "Kendall τ") == "1 of 2 lines have no score 'comet'"


NQ = [
    judged("q1", "Seine", "correct", "chatgpt"),
    judged("q2", "It is the Seine in France", "correct", "chatgpt"),
    judged("q1", "Seine", "correct", "fid"),
    judged("q2", "Rhine", "incorrect", "fid"),
]


def test_cfmatch_judges_metrics_and_ranks_systems(evaluate: Evaluate, write: Write) -> None:
    # F1 of the sentence: 1 of 5 words shared, 2 * 1 * 0.2 / 1.2 = 1/3, below 0.5.
    jeopardy = [judged("q1", "Seine", "correct"), judged("q2", "Seine river", "incorrect")]
    files = (write("evouna_nq.jsonl", NQ), write("jeopardy.jsonl", jeopardy))
    result = evaluate.json("reproduce", "cfmatch", *files, *FEW)
    found = figures(result)
    # answers of other systems than the paper's are not set beside its figures
    assert why(found, "Tab. 4", "NQ-OPEN, GPT-3.5-TURBO", "EM O") == (
        "needs original-gpt-3.5.jsonl (in nq-open=FOLDER)"
    )
    assert ours(found, "Tab. 4", "Jeopardy!", "F1 (0.5) O") == 100.0  # 2 * 1 * 0.5 / 1.5 = 2/3
    assert ours(found, "Tab. 5", "EM", "Jeopardy! O") == 100.0
    assert ours(found, "Tab. 5", "F1 (0.5)", "Jeopardy! O") == 50.0
    assert ours(found, "§5", "Jeopardy!", "Correct") == 50.0
    assert why(found, "Tab. 5", "CFM", "Jeopardy! O") == (
        'needs "scores": {"cfm": …} on the lines of jeopardy=, or --matcher cfm=MATCHER'
    )
    quality, ranks = result["tables"]
    (em,) = (
        row
        for row in quality["rows"]
        if (row["file"], row["metric"], row["system"]) == ("evouna_nq", "em", "all")
    )
    # right of 3, taken for right 2, both 2: 2 * 2 / 5
    assert (em["n"], em["accuracy"]["value"], em["f1"]["value"]) == (4, 0.75, 0.8)
    places = {
        (row["metric"], row["system"]): (row["right"]["value"], row["rank"]["value"])
        for row in ranks["rows"]
        if row["metric"] != "cfmatch"
    }
    assert places == {
        ("human", "chatgpt"): (1.0, 1.0),
        ("human", "fid"): (0.5, 2.0),
        ("em", "chatgpt"): (0.5, 1.0),
        ("em", "fid"): (0.5, 1.0),
        ("f1", "chatgpt"): (0.5, 1.0),
        ("f1", "fid"): (0.5, 1.0),
    }


def test_cfmatch_without_files_says_what_it_needs(evaluate: Evaluate) -> None:
    found = figures(evaluate.json("reproduce", "cfmatch"))
    assert why(found, "Tab. 5", "EM", "Jeopardy! O") == "needs the Jeopardy! set (jeopardy=FILE)"
    assert why(found, "Tab. 4", "Jeopardy!", "F1 (0.5) E") == (
        "needs the Jeopardy! set (jeopardy-expanded=FILE)"
    )
    assert why(found, "Tab. 4", "NQA, Flan-T5 xl", "BERT E") == (
        "needs expanded-t5-xl.jsonl (in narrative-qa=FOLDER)"
    )
    assert why(found, "Tab. 3", "CFM-Aug", "E runtime (s)") == (
        "needs cost-expanded=FILE, what evaluate cost --json --pairs FILE of pairs with expanded"
        " references printed"
    )


@pytest.mark.parametrize(
    ("paper", "line", "message"),
    [
        ("cap", cap_line("right", 1), "field correctness_label: 'right' is not one of exact, "),
        ("cap", {**CAP[0], "scores": [1]}, "field scores: must be an object, not an array"),
        ("cap", {**CAP[0], "scores": {"cap": "1"}}, "field scores.cap: must be a number, not text"),
        ("cfmatch", judged("q", "a", "good"), "field label: 'good' is not one of true,"),
    ],
)
def test_reproduce_names_file_line_and_field(
    evaluate: Evaluate, write: Write, paper: str, line: dict[str, object], message: str
) -> None:
    path = write("f.jsonl", [line])
    assert f"CommandError: {path}, line 1, {message}" in evaluate.error("reproduce", paper, path)


def test_squad_reproduces_the_metric_card_to_the_last_digit(evaluate: Evaluate) -> None:
    found = figures(evaluate.json("reproduce", "squad"))
    examples = [one for key, one in found.items() if key[2].endswith("match") and key[1] != "Human"]
    card = [one for one in examples if not one["row"].startswith(("Best model", "Human"))]
    assert len(card) == 30
    assert {one["difference"] for one in card} == {0}
    assert why(found, "Metric card", "Human performance", "F1") == (
        "needs data=FILE and human=FILE of predictions"
    )


def test_squad_compares_with_expected_values(evaluate: Evaluate, write: Write) -> None:
    data, predictions = write("d.json", SQUAD), write("p.json", PREDICTIONS)
    official = evaluate.json("squad_v2", data, predictions)
    expected = write("e.json", json.dumps({**official, "f1": 55.5, "best_f1": 60.0}, indent=2))
    result = evaluate.json("reproduce", "squad", data, predictions, "--expected", expected)
    found = figures(result)
    assert [file["file"] for file in result["files"]] == ["d.json", "p.json", "e.json"]
    assert [key[1] for key in found] == [*official, "best_f1"]
    numbers = {row: found["Expected", row, "Value"]["ours"]["n"] for row in ("f1", "HasAns_f1")}
    assert numbers == {"f1": 3, "HasAns_f1": 2}
    differing = {key[1]: one["difference"] for key, one in found.items() if one["difference"] != 0}
    assert differing == {"f1": official["f1"] - 55.5, "best_f1": None}
    assert why(found, "Expected", "best_f1", "Value") == (
        "needs no-answer probabilities (NA_PROBS)"
    )
    assert evaluate.error("reproduce", "squad", data, "--expected", expected) == (
        "CommandError: squad takes DATA PREDICTIONS [NA_PROBS] --expected FILE\n"
    )
    assert evaluate.error("reproduce", "squad", data, predictions) == (
        "CommandError: squad takes DATA PREDICTIONS [NA_PROBS] --expected FILE; or data=FILE with "
        "model=FILE or human=FILE\n"
    )


def test_squad_computes_the_figures_of_the_paper_from_predictions(
    evaluate: Evaluate, write: Write
) -> None:
    files = [f"data={write('d.json', SQUAD)}", f"model={write('p.json', PREDICTIONS)}"]
    found = figures(evaluate.json("reproduce", "squad", *files))
    official = evaluate.json("squad_v2", *(text.partition("=")[2] for text in files))
    assert ours(found, "Metric card", "Best model", "F1") == official["f1"]
    assert ours(found, "Metric card", "Best model", "Exact match") == official["exact"]
    assert why(found, "Metric card", "Human performance", "F1") == (
        "needs human=FILE of predictions"
    )


def test_squad_takes_files_and_options_in_any_order_and_both_tables_at_once(
    evaluate: Evaluate, write: Write
) -> None:
    data, predictions = write("d.json", SQUAD), write("p.json", PREDICTIONS)
    probabilities = write("na.json", '{"capital": 0.1, "nobody": 0.9, "river": 0.3}')
    official = evaluate.json("squad_v2", data, predictions, "--na-probs", probabilities)
    expected = ("--expected", write("e.json", json.dumps(official)))
    wanted = figures(
        evaluate.json("reproduce", "squad", data, predictions, probabilities, *expected)
    )
    assert [key[1] for key in wanted] == [*official]
    assert {one["difference"] for one in wanted.values()} == {0}
    for arguments in (
        (*expected, "squad", data, predictions, probabilities),
        ("squad", *expected, data, "--seed", "0", predictions, probabilities),
        ("squad", data, *expected, predictions, "--replicates", "2000", probabilities),
        (*expected, "squad", f"na_probs={probabilities}", f"predictions={predictions}", data),
        ("squad", data, *expected, predictions, f"na_probs={probabilities}"),
    ):
        assert figures(evaluate.json("reproduce", *arguments)) == wanted
    paper = (f"data={data}", f"model={predictions}")
    both = ("squad", data, predictions, probabilities, *expected, *paper)
    alone = figures(evaluate.json("reproduce", "squad", *paper))
    assert figures(evaluate.json("reproduce", *both)) == {**wanted, **alone}


def test_reproduce_writes_markdown_csv_and_latex(
    evaluate: Evaluate, splits: list[Path], tmp_path: Path
) -> None:
    table, tex = tmp_path / "all.csv", tmp_path / "all.tex"
    files = ("--csv", table, "--latex", tex)
    printed = evaluate("reproduce", "bulian", *splits, *FEW, *files)
    assert "| Ratings | Total | 23,260 | 16 | 16 | −23,244 |  |" in printed
    assert "| EM | Dev Acc | 54.00 % | 25.000 \\[" in printed
    assert "of AE Dev, or --matcher bem |" in printed
    assert "train.jsonl (sha256 " in printed
    assert printed.endswith(
        "\nbulian: 36 of 149 published figures computed, 1 of them as printed\n"
    )
    rows = list(csv.DictReader(io.StringIO(table.read_text(), newline="")))
    result = evaluate.json("reproduce", "bulian", *splits, *FEW)
    assert result["counts"] == {"listed": 149, "computed": 36, "as_printed": 1}
    assert len(rows) == len(result["figures"]) == 149
    overview = result["overview"]
    assert overview[:2] == [
        {
            "table": "Tab. 1",
            "title": "Examples where F1 misleads",
            "listed": 0,
            "computed": 0,
            "as_printed": 0,
            "command": "none",
            "input": "texts only",
        },
        {
            "table": "Tab. 2",
            "title": "Sizes of the splits",
            "listed": 8,
            "computed": 8,
            "as_printed": 0,
            "command": "evaluate reproduce bulian",
            "input": "train, dev, test; or a release",
        },
    ]
    for column, total in result["counts"].items():
        assert sum(row[column] for row in overview) == total
    by_place = {(row["table"], row["row"], row["column"]): row for row in rows}
    em = by_place["Tab. 4", "EM", "Dev Acc"]
    assert (em["unit"], em["published"], em["ours"], em["n"]) == ("percent", "54.00 %", "25.0", "4")
    assert by_place["Tab. 4", "BEM", "Dev ρ"]["ours"] == ""
    assert tex.read_text().count(r"\begin{table}") == 15
