import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tomahto.lab.answer_data import Said, judged_data, lab_input
from tests.tomahto.lab.sections import estimates, table_of, values
from tomahto.lab.more_references import LeftOut, ReferenceSets, more_references_section
from tomahto.lab.system_answers import Answer, answers_in

SAID = [
    Said("a", "q1", "red big car", "car", True),
    Said("b", "q1", "big car", "car", True),
    Said("c", "q1", "The big car", "car", False),
    Said("ab", "q2", "blue", "azure", True),
    Said("c", "q2", "blue sky", "azure", False),
]


def _answer(system: str, candidate: str) -> Answer:
    (answer,) = (
        each
        for each in answers_in(judged_data(SAID))
        if (each.system, each.texts) == (system, (candidate,))
    )
    return answer


def test_references_grow_by_what_people_accepted_of_other_systems() -> None:
    sets = ReferenceSets(judged_data(SAID))
    assert sets.added(_answer("a", "red big car"), "other") == ["big car"]
    assert sets.added(_answer("b", "big car"), "other") == ["red big car"]
    # not what people refused: c's own answer, and that of c for nobody
    assert sets.added(_answer("c", "The big car"), "other") == ["red big car", "big car"]
    assert sets.added(_answer("c", "blue sky"), "other") == ["blue"]


def test_an_answer_of_two_systems_is_a_reference_to_either_only_as_if_it_were_new() -> None:
    sets = ReferenceSets(judged_data(SAID))
    for system in "ab":
        assert sets.added(_answer(system, "blue"), "other") == []
        assert sets.added(_answer(system, "blue"), "new") == ["blue"]
    # and what a system alone gave is never a reference to it
    assert sets.added(_answer("a", "red big car"), "new") == ["big car"]


def test_what_is_a_reference_already_is_not_added() -> None:
    said = [*SAID, Said("c", "q1", "car", "motor", True)]
    assert ReferenceSets(judged_data(said)).added(_answer("a", "red big car"), "other") == [
        "big car"
    ]


def test_em_and_f1_before_and_after_by_hand() -> None:
    section = more_references_section(lab_input(judged_data(SAID), {}))
    other, new = (
        {(row["system"], row["measure"]): row for row in values(table)} for table in section.tables
    )
    # a before: "red big car" shares 1 of 3 and 1 tokens with "car", F1 1/2; "blue" none: mean 1/4.
    # With "big car": 2 of 3 and 2, F1 4/5; "blue" gains nothing: mean 2/5.
    assert other["a", "F1"] == {
        "system": "a",
        "measure": "F1",
        "n": 2,
        "added": 0.5,
        "people": 1.0,
        "before": pytest.approx(1 / 4),
        "after": pytest.approx(2 / 5),
        "difference": pytest.approx(3 / 20),
        "reached_before": pytest.approx(1 / 4),
        "reached_after": pytest.approx(2 / 5),
    }
    assert (other["a", "EM"]["after"], new["a", "EM"]["after"]) == (0, 1 / 2)
    # As if a were new, "blue" is what people accepted of b.
    assert new["a", "F1"]["after"] == pytest.approx((4 / 5 + 1) / 2)
    # c: people accept nothing, but "The big car" is "big car" in normal form
    assert (other["c", "EM"]["people"], other["c", "EM"]["after"]) == (0, 1 / 2)
    assert other["c", "EM"]["reached_after"] is None
    assert any(
        "people: no answer of the system is right" in text for text in section.tables[0].remarks
    )
    for estimate in estimates(table_of(section, "more_references"), "difference"):
        assert estimate.low is not None
        assert (estimate.n, estimate.seed) == (2, 3)


def test_exact_answers_are_right_before_and_after() -> None:
    section = more_references_section(lab_input(judged_data(SAID, [("a", "q3", "x")]), {}))
    row = values(section.tables[0])[0]
    assert (row["system"], row["measure"], row["n"]) == ("a", "EM", 3)
    assert (row["before"], row["people"], row["reached_before"]) == (1 / 3, 1, 1 / 3)
    assert any("are in, 1 of them" in note for note in section.tables[0].notes)


def test_questions_without_a_reference_are_left_out_and_counted() -> None:
    said = [*SAID, Said("a", "q9", "x", "", True)]
    section = more_references_section(lab_input(judged_data(said), {}))
    assert values(section.tables[0])[0]["n"] == 2
    assert any("no reference: 1." in note for note in section.tables[0].notes)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ([Said("", "q", "x", "r", True)], "no answer is of a named system"),
        ([Said("a", "q", "x", "", True)], "no question has a reference"),
        (
            [Said("a", "q", "x", "r", True)],
            "there is one system only, so no other's answers can become references",
        ),
    ],
)
def test_without_data_the_section_says_why(said: list[Said], reason: str) -> None:
    section = more_references_section(lab_input(judged_data(said), {}))
    assert (section.tables, section.reason) == ((), reason)


ITEMS = st.lists(
    st.builds(
        Said,
        systems=st.sampled_from(["a", "b", "c", "ab", "bc"]),
        question=st.just("q"),
        candidate=st.sampled_from(["x", "the x", "x y", "z", "r"]),
        reference=st.sampled_from(["r", "r s"]),
        is_right=st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


@pytest.mark.parametrize("left_out", ["other", "new"])
@given(said=ITEMS)
def test_no_judgement_of_the_answer_itself_or_of_a_new_system_is_used(
    left_out: LeftOut, said: list[Said]
) -> None:
    for answer in answers_in(judged_data(said)):
        is_its_own = [
            each.candidate in answer.texts if left_out == "other" else each.systems == answer.system
            for each in said
        ]
        turned = [
            each._replace(is_right=each.is_right != own)
            for each, own in zip(said, is_its_own, strict=True)
        ]
        before, after = (
            set(ReferenceSets(judged_data(each)).added(answer, left_out)) for each in (said, turned)
        )
        assert before == after


@given(ITEMS)
def test_more_references_never_take_anything_away(said: list[Said]) -> None:
    sets = ReferenceSets(judged_data(said))
    for answer in answers_in(sets.data):
        before = sets.overlaps(answer)
        for left_out in ("other", "new"):
            after = sets.overlaps(answer, sets.added(answer, left_out))
            assert after.em >= before.em
            assert after.f1 >= before.f1
