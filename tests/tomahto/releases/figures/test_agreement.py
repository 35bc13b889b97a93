import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.exporters.builders import build_dataset
from tests.exporters.samples import AE_SCHEME, CAMPAIGN, CONTENT, DIFFERING, RATINGS
from tests.tomahto.oracles import AnsweredLabel, fold_ratings
from tomahto.releases.figures.figures import release_agreement
from tomahto.reliability.report import agreement_report
from tomahto.votes.answer_patterns import AnswerColumns
from tomahto.votes.patterns import pair_tables_from_votes
from tomahto.votes.scheme import question_parts


def test_release_agreement_is_that_of_the_counted_ratings() -> None:
    votes: dict[str, dict[str, str]] = {}
    answers: dict[str, dict[str, list[AnsweredLabel]]] = {}
    questions = {item.id: item.question_id for item in CONTENT.items}
    for rating in RATINGS:
        if rating.counted:
            votes.setdefault(rating.item_id, {})[rating.rater] = rating.label
            of_question = answers.setdefault(questions[rating.item_id], {})
            of_question.setdefault(rating.item_id, []).append((rating.label, rating.answers))
    columns = AnswerColumns(AE_SCHEME, question_parts(CAMPAIGN.question_schemes))
    patterns = fold_ratings(columns, [items.values() for items in answers.values()])
    pairs = pair_tables_from_votes(AE_SCHEME, votes.values())
    expected = agreement_report("ae", patterns, pairs, seed=CONTENT.seed).as_json()
    assert release_agreement(build_dataset(CONTENT))["whole"] == expected


def test_release_agreement_has_the_figures_of_the_sample() -> None:
    # Items with two or more ratings: a1 (2, 1), b1 (1, 1), d1 (0, 4). Pairs that agree: 1 of 3,
    # 0 of 1, 6 of 6. Mean over items (1/3 + 0 + 1) / 3 = 4/9, pooled 7/10, full agreement 1/3.
    agreement = release_agreement(build_dataset(CONTENT))["whole"]
    assert (agreement["items"], agreement["ratings"], agreement["ties"]) == (5, 11, 1)
    assert agreement["ratings_per_item"] == {"1": 2, "2": 1, "3": 1, "4": 1}
    assert agreement["labels"] == {"equivalent": 4, "not-equivalent": 7}
    assert agreement["majority"] == {"equivalent": 2, "not-equivalent": 2}
    assert agreement["pair_agreement"] == {"item_mean": 4 / 9, "pooled": 7 / 10}
    assert agreement["full_agreement"] == 1 / 3


def test_the_first_version_of_the_figures_drew_items_and_plain_percentiles() -> None:
    # as tomahto 0.1.0 wrote them
    dataset = build_dataset(CONTENT)
    first = replace(dataset, terms=replace(dataset.terms, figures_version=1))
    agreement = release_agreement(first)["whole"]
    assert agreement["ac1"] == {
        "value": pytest.approx(-0.09170305676855887),
        "low": pytest.approx(-0.923076923076923),
        "high": 1.0,
        "n": 3,
        "replicates": 2000,
        "seed": 13,
        "undefined_replicates": 18,
    }
    now = release_agreement(dataset)["whole"]
    assert (now["ac1"]["drew"], now["ac1"]["clusters"]) == ("questions", 3)
    # values do not depend on what is drawn
    assert now["ac1"]["value"] == agreement["ac1"]["value"]
    assert now["alpha"]["value"] == agreement["alpha"]["value"]


def test_release_agreement_is_given_for_each_split(written: Path) -> None:
    agreement = json.loads((written / "agreement.json").read_text())
    sizes = {split: part["items"] for split, part in agreement["splits"].items()}
    assert agreement["whole"]["items"] == sum(sizes.values())
    assert list(sizes) == ["dev", "test"]


def test_release_agreement_of_adjudicators_is_given_where_there_are_any() -> None:
    # a1 by two who agree, b1 by two who differ, d1 by one; e1 is not released.
    # Coincidences: values 2 + 2 = 4 pairable, n_not-equivalent 3, n_equivalent 1; observed
    # disagreement 2/4, expected 2*3*1 / (4*3) = 1/2, so alpha is 0 (Krippendorff 2011).
    assert "adjudication" not in release_agreement(build_dataset(CONTENT))
    dataset = build_dataset(replace(CONTENT, adjudications=DIFFERING))
    found = release_agreement(dataset)["adjudication"]
    assert (found["items"], found["ratings"], found["ties"]) == (3, 5, 1)
    assert found["ratings_per_item"] == {"1": 1, "2": 2}
    assert found["alpha"]["value"] == 0
    assert [(kappa["raters"], kappa["items"]) for kappa in found["kappa"]] == [(["x1", "x2"], 2)]
    assert release_agreement(dataset)["whole"] == release_agreement(build_dataset(CONTENT))["whole"]
