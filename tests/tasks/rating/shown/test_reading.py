"""Marks in the passage and the difference of two answers."""

from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tasks.rating.shown.reading import (
    MAX_COMPARED,
    MAX_MARKS,
    MAX_REFERENCE_TEXT,
    MAX_REFERENCES,
    MAX_SEARCHED,
    ComparedAnswers,
    Passage,
    Segment,
    answer_marker,
    compare_answers,
    read_passage,
    shown_references,
)


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


@given(st.text(max_size=500), st.lists(st.text(max_size=20), max_size=3), st.text(max_size=20))
def test_read_passage_never_changes_the_text(
    context: str, references: list[str], candidate: str
) -> None:
    assert joined(read_passage(context, references, candidate).whole) == context


WORDS = st.lists(
    st.sampled_from(["a", "B", "ß", "SS", ".", "é", "e\u0301", "北", "दिल", "दिल्ली"]),
    min_size=1,
    max_size=5,
)


@given(st.lists(WORDS, max_size=4), WORDS, st.lists(WORDS, max_size=8))
@example([["a"], ["a"] * 4], ["B"], [["a"] * 4])  # one covers several before it
def test_read_passage_marks_what_every_place_of_every_answer_covers(
    references: list[list[str]], candidate: list[str], passage: list[list[str]]
) -> None:
    words = [word for part in passage for word in part]
    context = " ".join(words)
    marks = [
        ("reference", covered(words, references)),
        ("candidate", covered(words, [candidate])),
    ]
    expected = [
        "both"
        if all(place in places for _mark, places in marks)
        else next((mark for mark, places in marks if place in places), "")
        for place in range(len(context))
    ]
    found = read_passage(context, [" ".join(each) for each in references], " ".join(candidate))
    assert [segment.mark for segment in found.whole for _char in segment.text] == expected


def covered(words: list[str], answers: list[list[str]]) -> set[int]:
    """The characters that any occurrence covers, by comparing every answer with every place."""
    folded = [normalize("NFC", word.casefold()) for word in words]
    starts = [sum(len(each) + 1 for each in words[:place]) for place in range(len(words) + 1)]
    places: set[int] = set()
    for answer in answers:
        wanted = [normalize("NFC", word.casefold()) for word in answer]
        for first in range(len(words) - len(wanted) + 1):
            if folded[first : first + len(wanted)] == wanted:
                places |= set(range(starts[first], starts[first + len(wanted)] - 1))
    return places


def nfd(text: str) -> str:
    return normalize("NFD", text)


@pytest.mark.parametrize(
    ("context", "answer", "marked"),
    [
        ("दिल्ली में दिल की बात", "दिल", ["दिल"]),
        ("نزلت مُحَمَّدٌ وَمُحَمَّدٌ", "مُحَمَّدٌ", ["مُحَمَّدٌ"]),
        ("שָׁלוֹם עוֹלָם, שָׁלוֹמִי", "שָׁלוֹם", ["שָׁלוֹם"]),
        ("กรุงเทพมหานครมีน้ำท่วม", "น้ำ", ["น้ำ"]),
        ("北京是中国的首都。", "中国", ["中国"]),
        ("首都は東京、トムはトムソンと東京へ。", "トム", ["トム"]),
        ("서울은 서울 시", "서울", ["서울"]),
        (nfd("서울은 서울 시"), "서울", [nfd("서울")]),
        ("ở Việt Nam", nfd("Việt Nam"), ["Việt Nam"]),
        (nfd("ở Việt Nam"), "Việt Nam", [nfd("Việt Nam")]),
        ("GROSSE STRASSE, große Straße", "straße", ["STRASSE", "Straße"]),
        ("İİİ İstanbul'un İSTANBUL", "İstanbul", ["İstanbul", "İSTANBUL"]),
        ("a 👩\u200d💻 and 👩, 💻", "👩", ["👩"]),
        ("🇩🇪🇫🇷, 🇪🇫", "🇫🇷", ["🇫🇷"]),
        ("ＮＡＴＯは１９４９年に", "NATO", ["ＮＡＴＯ"]),
        ("in 1949 or １９４９", "１９４９", ["1949", "１９４９"]),
        ("of 1,000,000 only 1,000", "1,000", ["1,000"]),
        ("Beyoncé’s and l'eau", "Beyoncé", ["Beyoncé"]),
        ("Bun\u00addes\u00adtag", "Bundestag", ["Bun\u00addes\u00adtag"]),
    ],
)
def test_read_passage_marks_answers_in_every_script(
    context: str, answer: str, marked: list[str]
) -> None:
    passage = read_passage(context, [answer], "")
    assert joined(passage.whole) == context
    assert [each.text for each in passage.whole if each.mark] == marked


SIGNS = st.text("aßİé\u0301\u00ad, \u200fกำน้दि北カ한\u1112\u1161\u11abＡ🇩🇪", max_size=12)


@given(SIGNS, SIGNS, SIGNS)
def test_read_passage_marks_what_equals_the_answer(before: str, answer: str, after: str) -> None:
    answer = f"x{answer}x"
    passage = read_passage(f"{before} {nfd(answer)} {after}", [normalize("NFC", answer)], "")
    assert [plain(each.text) for each in passage.whole if each.mark] == [plain(answer)]


def plain(text: str) -> str:
    """Without differences of case and form, invisible signs and spaces."""
    seen = "".join(char for char in text if char not in "\u00ad\u200f ")
    return normalize("NFKD", normalize("NFKD", seen).casefold())


def test_read_passage_folds_a_context_without_spaces_between_its_words() -> None:
    north, south = "北方地名。" * 200, "น้ำท่วม" * 200
    passage = read_passage(f"{north}维斯瓦河{south}", ["维斯瓦河"], "")
    assert passage.excerpt == (
        Segment("… "),
        Segment(north[-260:]),
        Segment("维斯瓦河", "reference"),
        Segment(south[:260] + south[260:][: south[260:].index("ท")]),
        Segment(" …"),
    )


def test_read_passage_folds_a_context_of_emoji_between_them() -> None:
    passage = read_passage("🇩🇪" * 600 + "here" + "🇫🇷" * 600, ["here"], "")
    assert joined(passage.excerpt) == f"… {'🇩🇪' * 130}here{'🇫🇷' * 130} …"


def test_read_passage_marks_nothing_that_its_limit_cuts() -> None:
    context = "x " * (MAX_SEARCHED // 2 - 2) + "का कार का"
    assert context[:MAX_SEARCHED].endswith("का क")
    assert len(read_passage(context, ["का", "क"], "").whole) == 3


def test_answer_marker_marks_one_text_after_the_other() -> None:
    marked = answer_marker(["left bank"], "bank")
    assert marked("the left bank") == (
        Segment("the "),
        Segment("left ", "reference"),
        Segment("bank", "both"),
    )
    assert marked("bank ") == (Segment("bank", "candidate"), Segment(" "))
    assert marked("") == ()


def test_read_passage_marks_so_many_places_and_says_so() -> None:
    passage = read_passage("a " * (MAX_MARKS + 1), ["a"], "b")
    assert passage.most_marks == MAX_MARKS
    assert sum(segment.mark == "reference" for segment in passage.whole) == MAX_MARKS
    assert read_passage("a " * MAX_MARKS, ["a"], "b").most_marks == 0


def test_read_passage_searches_so_much_and_says_so() -> None:
    context = "river " + "x" * MAX_SEARCHED + " river"
    passage = read_passage(context, ["river"], "")
    assert passage.searched == MAX_SEARCHED
    assert joined(passage.whole) == context
    assert [each.text for each in passage.whole if each.mark] == ["river"]
    assert read_passage("x" * MAX_SEARCHED, ["river"], "").searched == 0


def test_shown_references_are_as_many_as_can_be_read() -> None:
    assert shown_references([]) == []
    assert shown_references(["a"] * (MAX_REFERENCES + 1)) == ["a"] * MAX_REFERENCES
    long = "x" * (MAX_REFERENCE_TEXT // 2)
    assert shown_references([long, long, "y"]) == [long, long]
    assert shown_references(["x" * (MAX_REFERENCE_TEXT + 1), "y"]) == [
        "x" * (MAX_REFERENCE_TEXT + 1)
    ]


def test_compare_answers_leaves_long_ones_alone_and_says_so() -> None:
    words = " ".join(map(str, range(MAX_COMPARED // 2 + 1)))
    assert compare_answers([words], f"{words} so") == ComparedAnswers(
        ((Segment(words),),), (Segment(f"{words} so"),), of_references=1, is_too_long=True
    )
    repeated = "a " * 200
    assert compare_answers([repeated], f"{repeated} b").is_too_long


def test_compare_answers_compares_answers_of_hundreds_of_words() -> None:
    text = " ".join(f"word{number}" for number in range(900))
    compared = compare_answers([text], text.replace(" word450 ", " "))
    assert [each.text for each in compared.references[0] if each.mark] == ["word450 "]


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


@pytest.mark.parametrize(
    ("reference", "candidate", "own"),
    [
        ("दिल्ली की बात", "दिल की बात", ["दिल्ली", "दिल"]),
        ("中国的首都北京", "中国首都在北京", ["的", "在"]),
        ("น้ำท่วม", "น้ำวน", ["ท่", "ม", "น"]),
        ("TRƯỜNG Sa", nfd("Trường Sa lớn"), [nfd(" lớn")]),
        ("１００ km", "100\u00a0KM \u200b", []),
    ],
)
def test_compare_answers_marks_whole_words_in_every_script(
    reference: str, candidate: str, own: list[str]
) -> None:
    compared = compare_answers([reference], candidate)
    shown = (*compared.references[0], *compared.candidate)
    assert joined(shown) == reference + candidate
    assert [each.text for each in shown if each.mark] == own


def test_compare_answers_finds_the_closest_reference_without_spaces() -> None:
    compared = compare_answers(["南京市", "北京市中心"], "北京")
    assert compared.references == (
        (Segment("南京市"),),
        (Segment("北京"), Segment("市中心", "own")),
    )


def test_compare_answers_without_a_shared_word_marks_nothing() -> None:
    compared = compare_answers(["north wind"], "south gate")
    assert compared.references == ((Segment("north wind"),),)
    assert compared.candidate == (Segment("south gate"),)


@given(st.text(min_size=1, max_size=60), st.text(max_size=60))
def test_compare_answers_never_changes_the_texts(reference: str, candidate: str) -> None:
    compared = compare_answers([reference], candidate)
    assert (joined(compared.references[0]), joined(compared.candidate)) == (reference, candidate)
