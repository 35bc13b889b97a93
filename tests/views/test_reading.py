"""Marks in the passage and the difference of two answers."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.views.reading import Passage, Segment, compare_answers, read_passage


def joined(segments: tuple[Segment, ...]) -> str:
    return "".join(segment.text for segment in segments)


def test_read_passage_marks_whole_words_whatever_their_case() -> None:
    passage = read_passage("Art, art and party.", ["art"], "party")
    assert passage == Passage(
        (
            Segment("Art", "reference"),
            Segment(", "),
            Segment("art", "reference"),
            Segment(" and "),
            Segment("party", "candidate"),
            Segment("."),
        )
    )


def test_read_passage_cuts_overlapping_marks() -> None:
    passage = read_passage("the old stone bridge fell", ["old stone"], "stone bridge")
    assert passage.whole == (
        Segment("the "),
        Segment("old ", "reference"),
        Segment("stone", "both"),
        Segment(" bridge", "candidate"),
        Segment(" fell"),
    )


def test_read_passage_finds_an_answer_across_other_spacing() -> None:
    passage = read_passage("on the\n left bank", ["the left"], "")
    assert passage.whole[1] == Segment("the\n left", "reference")


def test_read_passage_folds_a_long_context_around_its_marks() -> None:
    context = "before " * 200 + "the Vistula " + "after " * 200
    passage = read_passage(context, ["Vistula"], "Oder")
    assert joined(passage.whole) == context
    assert Segment("Vistula", "reference") in passage.excerpt
    assert joined(passage.excerpt).startswith("… before")
    assert joined(passage.excerpt).endswith("after …")
    assert len(joined(passage.excerpt)) < 600


def test_read_passage_leaves_a_short_context_whole() -> None:
    assert read_passage("short", ["x"], "y") == Passage((Segment("short"),))


@given(st.text(max_size=2000), st.lists(st.text(max_size=20), max_size=3), st.text(max_size=20))
def test_read_passage_never_changes_the_text(
    context: str, references: list[str], candidate: str
) -> None:
    assert joined(read_passage(context, references, candidate).whole) == context


def test_compare_answers_marks_the_words_each_has_alone() -> None:
    compared = compare_answers(["its location"], "its location by the river")
    assert compared.references == ((Segment("its location"),),)
    assert compared.candidate == (Segment("its location"), Segment(" by the river", "own"))


def test_compare_answers_compares_with_the_closest_reference() -> None:
    compared = compare_answers(["a bridge", "the grey stone"], "grey stone walls")
    assert compared.references == (
        (Segment("a bridge"),),
        (Segment("the ", "own"), Segment("grey stone")),
    )


def test_compare_answers_without_a_shared_word_marks_nothing() -> None:
    compared = compare_answers(["north wind"], "south gate")
    assert compared.references == ((Segment("north wind"),),)
    assert compared.candidate == (Segment("south gate"),)


@given(st.text(min_size=1, max_size=60), st.text(max_size=60))
def test_compare_answers_never_changes_the_texts(reference: str, candidate: str) -> None:
    compared = compare_answers([reference], candidate)
    assert (joined(compared.references[0]), joined(compared.candidate)) == (reference, candidate)
