from dataclasses import replace

import numpy as np
import pytest

from tests.tomahto.lab.answer_data import BOOTSTRAP, Said, judged_data, lab_input
from tests.tomahto.lab.sections import charted_columns_are_there, estimates, table_of, values
from tomahto.lab.judged import JudgedData
from tomahto.lab.metric_quality import metric_quality_section
from tomahto.lab.more_references import more_references_section
from tomahto.lab.report import LabInput, score_items
from tomahto.lab.system_answers import answers_in, best_values
from tomahto.lab.systems import systems_section
from tomahto.matching.em import ExactMatch
from tomahto.matching.f1 import TokenF1
from tomahto.releases.records.records import AnsweredQuestion, AnswerRecord, Settled
from tomahto.scoring.squad import SquadQuestion, squad_v1

# a answers two questions, b three; the second of a is compared with two references.
SAID = [
    Said("ab", "q1", "x", "r1", True),
    Said("a", "q2", "y", "r2", False),
    Said("a", "q2", "y", "r3", True),
    Said("b", "q2", "z", "r2", False),
    Said("b", "q2", "z", "r3", False),
    Said("b", "q3", "w", "r4", False),
]
SCORES = {"f1": [0.25, 0.0, 0.5, 0.75, 0.0, 0.5], "em": [0.0] * 6}


def test_an_answer_is_as_good_as_the_best_of_its_items() -> None:
    section = systems_section(lab_input(judged_data(SAID), SCORES))
    table = table_of(section, "systems")
    assert values(table) == [
        {"system": "a", "n": 2, "people": 1.0, "f1": 0.5, "f1 mean score": 0.375, "em": 0.0},
        {"system": "b", "n": 3, "people": 1 / 3, "f1": 2 / 3, "f1 mean score": 0.5, "em": 0.0},
    ]
    for key in ("people", "f1", "f1 mean score", "em"):
        assert [each.n for each in estimates(table, key)] == [2, 3]
        assert all(each.seed == 3 for each in estimates(table, key))
    assert [(each.low, each.high) for each in estimates(table, "people")] == [(0, 1), (0, 1)]
    assert any("No answer is known here that is a reference" in note for note in table.notes)
    assert any("People: the labels of the data." in note for note in table.notes)
    assert charted_columns_are_there(section)


def test_exact_answers_are_right_to_everybody() -> None:
    exact = [("a", "q3", "r4"), ("a", "q4", "r5"), ("c", "q4", "r5")]
    section = systems_section(lab_input(judged_data(SAID, exact), SCORES))
    table = table_of(section, "systems")
    a, _, c = values(table)
    assert a == {
        "system": "a",
        "n": 4,
        "people": 1.0,
        "f1": 0.75,
        "f1 mean score": 0.6875,
        "em": 0.5,
    }
    assert c == {"system": "c", "n": 1, "people": 1.0, "f1": 1.0, "f1 mean score": 1.0, "em": 1.0}
    assert any("are in, 3 of them" in note for note in table.notes)


def test_an_empty_answer_is_wrong_to_people_and_to_every_metric() -> None:
    data = judged_data(SAID)
    asked = AnsweredQuestion("q4", "d", "q4", "", ("r5",))
    empty = AnswerRecord(asked, "a", " ", "not-rated")
    silent = replace(data, all_answers=(*data.all_answers, empty))
    section = systems_section(lab_input(silent, SCORES))
    a, b = values(table_of(section, "systems"))
    assert a == {
        "system": "a",
        "n": 3,
        "people": pytest.approx(2 / 3),
        "f1": pytest.approx(1 / 3),
        "f1 mean score": 0.25,
        "em": 0.0,
    }
    assert (b["n"], b["people"]) == (3, 1 / 3)
    assert any("Empty answers are in, 1 of them" in note for note in section.tables[0].notes)
    # where it is said how well metrics agree with people, it is no judged pair
    before, after = (
        metric_quality_section(lab_input(each, SCORES)).tables for each in (data, silent)
    )
    assert [table.rows for table in after] == [table.rows for table in before]


def test_answers_that_are_judged_stand_for_open_ones() -> None:
    """One is exact, and of two to be rated one is wrong, and the other tied beside a refusal."""
    tied = Said("a", "q2", "y", "r3", False)
    data = judged_data([SAID[5]._replace(systems="a"), *SAID[1:2], tied], [("a", "q4", "r5")])
    labels = {"0": "not-equivalent", "1": "not-equivalent", "2": None}
    without_tie = replace(data, items=data.items[:2], majority=labels)
    (row,) = values(
        table_of(systems_section(lab_input(without_tie, {"em": [1.0, 0.0]})), "systems")
    )
    assert row == {
        "system": "a",
        "n": 2,
        "people": pytest.approx(1 / 3),
        "em": 1.0,
    }


def test_em_and_f1_are_those_of_all_texts_whatever_is_rated() -> None:
    """Of b's answers one is exact, one is empty, one is tied beside a refusal, and one was compared
    with one of its references alone."""
    asked = {
        "q1": ("Ada", "Lady Ada"),
        "q2": ("red car", "car"),
        "q3": ("Nile",),
        "q4": ("“Nile”",),
    }
    said = [Said("b", "q1", "Lady King", "Ada", False), Said("b", "q2", "a car", "red car", False)]
    given = {"q1": "Lady King", "q2": "a car", "q3": " ", "q4": "the “Nile”"}
    data = judged_data(said)
    settled: dict[str, tuple[Settled, tuple[str, ...]]] = {
        "q1": ("rated", ("0", "tied")),
        "q2": ("not-rated", ("1",)),
        "q3": ("not-rated", ()),
        "q4": ("exact", ()),
    }
    answers = [
        AnswerRecord(AnsweredQuestion(key, "d", key, "", asked[key]), "b", given[key], *found)
        for key, found in settled.items()
    ]
    half = replace(
        data,
        all_answers=answers,
        majority={"0": "not-equivalent", "tied": None, "1": "not-equivalent"},
    )
    metrics = [score_items(half.items, matcher) for matcher in (ExactMatch(), TokenF1())]
    table = table_of(systems_section(LabInput(half, metrics, BOOTSTRAP)), "systems")
    (row,) = values(table)
    squad = squad_v1([SquadQuestion(key, texts) for key, texts in asked.items()], given)
    assert squad.as_json() == {"exact_match": 50.0, "f1": 62.5, "total": 4}
    assert row == {
        "system": "b",
        "n": 2,
        "people": None,
        "em": squad.exact_match / 100,
        "f1": 3 / 4,
        "f1 mean score": squad.f1 / 100,
    }
    assert [each.n for each in estimates(table, "f1 mean score")] == [4]
    sets = more_references_section(LabInput(two_systems(half), metrics, BOOTSTRAP))
    before = {row["measure"]: row["before"] for row in values(sets.tables[0])[2:]}
    assert before == {"EM": row["em"], "F1": row["f1 mean score"]}


def two_systems(data: JudgedData) -> JudgedData:
    """With an answer of a, so that the answers of one can be references to the other."""
    (first, *_) = data.answers
    return replace(data, all_answers=[replace(first, system="a", items=()), *data.answers])


def test_labels_of_adjudicators_have_a_column_beside_those_of_voters() -> None:
    """They settle the tie and turn the first item: two of three right."""
    data = judged_data([SAID[5]._replace(systems="a"), *SAID[1:3]], [("a", "q4", "r5")])
    decided = replace(
        data,
        majority={"0": "equivalent", "1": "not-equivalent", "2": None},
        label_sources={"adjudicated": [item.label for item in data.items]},
    )
    (row,) = values(table_of(systems_section(lab_input(decided, {})), "systems"))
    assert row == {
        "system": "a",
        "n": 2,
        "people": 1.0,  # an exact one and one right; the third is open
        "people_adjudicated": pytest.approx(2 / 3),
    }


def test_one_reference_is_compared_with_all() -> None:
    section = systems_section(lab_input(judged_data(SAID, [("a", "q4", "r5")]), SCORES))
    table = table_of(section, "systems_one_reference")
    rows = {(row["system"], row["judge"]): row for row in values(table)}
    assert len(rows) == 2 * 4
    assert rows["a", "people"] == {
        "system": "a",
        "judge": "people",
        "n": 2,
        "one": 0.5,
        "all": 1.0,
        "difference": 0.5,
    }
    assert [rows["a", "f1"][key] for key in ("one", "all")] == [0.0, 0.5]
    assert [rows["a", "f1 mean score"][key] for key in ("one", "all")] == [0.125, 0.375]
    assert [rows["b", "f1"][key] for key in ("n", "one", "all")] == [3, 2 / 3, 2 / 3]
    assert "left out: 0" in table.notes[0]


def test_an_answer_without_the_first_reference_is_left_out_of_both_sides() -> None:
    said = [*SAID, Said("a", "q3", "v", "r9", True)]
    scores = {"em": [*SCORES["em"], 1.0]}
    table = table_of(systems_section(lab_input(judged_data(said), scores)), "systems_one_reference")
    assert {row["n"] for row in values(table) if row["system"] == "a"} == {2}
    assert "left out: 1" in table.notes[0]


def test_the_first_reference_is_the_question_s_own_also_where_nothing_is_settled_on_it() -> None:
    said = [
        Said("ab", "q1", "x", "r1", True),
        Said("b", "q1", "x", "r2", True),
        Said("a", "q2", "y", "r2", True),
    ]
    data = judged_data(said)
    items = tuple(
        replace(item, reference_index=int(item.references == ("r2",))) for item in data.items
    )
    given = lab_input(replace(data, items=items), {"em": [0.0] * 3})
    table = table_of(systems_section(given), "systems_one_reference")
    assert {row["system"]: row["n"] for row in values(table)} == {"a": 1, "b": 1}
    assert "left out: 1" in table.notes[0]


def test_a_metric_knows_nothing_of_an_answer_whose_items_have_no_label() -> None:
    """As where votes have a majority and the labels of the data none."""
    first, *others = answers_in(judged_data(SAID))
    values_ = best_values(np.ones(len(SAID)), [first._replace(items=((),)), *others])
    assert first.is_judged
    assert np.isnan(values_).tolist() == [True, *(False for _ in others)]


def test_without_items_by_reference_there_is_no_table_of_one_reference() -> None:
    said = [SAID[0], SAID[1], SAID[3], SAID[5]]
    section = systems_section(lab_input(judged_data(said), {"em": [0.0] * 4}))
    assert [table.key for table in section.tables] == [
        *("systems", "system_differences", "rank_agreement", "rank_flips")
    ]


def test_every_two_systems_are_compared_on_the_questions_both_answered() -> None:
    section = systems_section(lab_input(judged_data(SAID), SCORES))
    # On q1 and q2: people 1 and 0.5, F1 0.5 and 0.5, its mean 0.375 and 0.5.
    assert values(table_of(section, "system_differences")) == [
        {
            "first": "a",
            "second": "b",
            "n": 2,
            "people": 0.5,
            "f1": 0.0,
            "f1 mean score": -0.125,
            "em": 0.0,
        }
    ]


def test_systems_that_change_places_are_named_with_the_chance_that_they_do() -> None:
    section = systems_section(lab_input(judged_data(SAID), SCORES))
    # On q1 and q2, which both answered: people 1 and 0.5, F1 0.5 and 0.5, its mean 0.375 and 0.5.
    flips = table_of(section, "rank_flips")
    (row,) = values(flips)
    assert {key: row[key] for key in row if key != "probability"} == {
        "judge": "People",
        "system": "a",
        "other_system": "b",
        "other_judge": "f1 mean score",
        "n": 2,
        "difference": 0.5,
        "other_difference": -0.125,
    }
    # The flip holds if q2 is drawn: not in (2/3)^3 of the replicates.
    assert row["probability"] == pytest.approx(1 - 8 / 27, abs=0.12)
    assert flips.notes[0] == "Flips found: 1 in 6 comparisons of two systems by two judges."
    agreement = {row["metric"]: row for row in values(table_of(section, "rank_agreement"))}
    assert agreement["f1 mean score"] == {
        "metric": "f1 mean score",
        "pairs": 1,
        "concordant": 0,
        "flipped": 1,
        "tau": -1.0,
    }
    assert (agreement["f1"]["concordant"], agreement["f1"]["flipped"]) == (0, 0)
    assert agreement["em"]["tau"] is None
    reasons = table_of(section, "rank_agreement").remarks
    assert any("all systems are tied" in reason for reason in reasons)


def test_where_nothing_flips_the_table_says_so() -> None:
    scores = {"bem": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]}
    table = table_of(systems_section(lab_input(judged_data(SAID), scores)), "rank_flips")
    assert table.rows == ()
    assert table.notes[0] == "Flips found: 0 in 1 comparisons of two systems by two judges."


def test_one_system_has_no_rank() -> None:
    section = systems_section(lab_input(judged_data([Said("a", "q", "x", "r", True)]), {"em": [0]}))
    assert [table.key for table in section.tables] == ["systems"]
    (people,) = estimates(section.tables[0], "people")
    assert people.reason == "one unit cannot be resampled into an interval"


def test_people_alone_rank_systems_without_a_metric() -> None:
    section = systems_section(lab_input(judged_data(SAID), {}))
    assert [table.key for table in section.tables] == [
        "systems",
        "systems_one_reference",
        "system_differences",
        "rank_flips",
    ]


def test_a_metric_cannot_take_the_place_of_people() -> None:
    with pytest.raises(ValueError, match="two judges are called people"):
        systems_section(lab_input(judged_data(SAID), {"people": [0.0] * 6}))


def test_without_systems_the_section_says_why() -> None:
    section = systems_section(lab_input(judged_data([Said("", "q", "x", "r", True)]), {"em": [0]}))
    assert (section.tables, section.reason) == ((), "no answer is of a named system")
