"""Words in every script: where they end, and which are the same."""

from time import process_time
from unicodedata import category, normalize

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tasks.rating.shown.words import parts, words

# signs that are hard to cut between, far more often than chance would have them
SIGNS = st.one_of(
    st.sampled_from(
        "aBéßİı 1,.:'’\"-_\n\r\t\u00a0\u202f\u0301\u0308\u00ad\u200b\u200c\u200d\u200f"
        "กน้ำทदिलक北中ーカﾞ한\u1112\u1161\u11abשׁםم\u0651Ａ１👩🏽🇩🇪"
    ),
    st.characters(codec="utf-8"),
)
TEXTS = st.text(SIGNS, max_size=40)


def pieces(text: str) -> list[str]:
    return [text[start:end] for _key, start, end in parts(text)]


# By the rules of Unicode Standard Annex 29; Perl 5.36 (`\b{wb}`) cuts each so, too.
@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("WB3", ["a", "\r\n", "b"]),
        ("WB3a", ["a", "\n", "\u0301", "b"]),
        ("WB3c", ["👩\u200d👩\u200d👧\u200d👦", "👍🏽"]),
        ("WB3d", ["a", "  ", "b"]),
        ("WB4", ["दिल्ली", " ", "में", " ", "a\u00adb", " ", "مُحَمَّدٌ", " ", "שָׁלוֹם"]),
        ("WB5", ["Straße", " ", "İstanbul", " ", "한국어", " ", normalize("NFD", "한국어")]),
        ("WB6, WB7", ["col·lecció"]),
        ("WB7b, WB7c", ['ש"ך', " ", '"', "ש", '"']),
        ("WB8 to WB10", ["A4", " ", "４０", " ", "3a1"]),
        ("WB11, WB12", ["1,000,000", " ", "1,000.5", " ", "1'000", ",", " ", "2"]),
        ("WB13", ["カタカナ", "語", "と", "ラーメン"]),
        ("WB13a, WB13b", ["a_b", " ", "_1"]),
        ("WB15, WB16", ["🇩🇪", "🇫🇷", "a", "🇩🇪"]),
        ("WB999", ["北", "京", "2008", "年", "a", "-", "b", "(", "€"]),
    ],
)
def test_parts_end_where_words_do(rule: str, expected: list[str]) -> None:
    assert pieces("".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["น้ำ", "ท่", "ว", "ม"],  # the vowel of the first is no letter of its own
        ["ນ້ຳ"],
        ["မြ", "န်", "မာ"],
        ["ខ្មែ", "រ"],
    ],
)
def test_parts_of_a_script_without_spaces_are_grapheme_clusters(expected: list[str]) -> None:
    assert pieces("".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["Paris", "’", "s", " ", "l", "'", "eau", " ", "end", ".", "Next", " ", "a", ":", "b"],
        ["'", "a", "'", " ", "'\u200f", "ש"],
        ["Paris", "\u202f", "?", " ", "1", "\u202f", "000"],
    ],
)
def test_parts_end_where_answers_do(expected: list[str]) -> None:
    assert pieces("".join(expected)) == expected


@given(TEXTS)
def test_parts_are_the_text_and_cut_no_cluster_and_no_mark_off(text: str) -> None:
    assert "".join(pieces(text)) == text
    clusters = {cluster.start() for cluster in regex.finditer(r"\X", text)}
    starts = {start for _key, start, _end in parts(text)}
    assert starts <= clusters
    assert {
        start
        for start in starts
        if start
        and category(text[start]).startswith("M")
        and text[start - 1] not in "\n\v\f\r\u0085\u2028\u2029"
    } == set()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("STRASSE", "straße"),
        ("ẞ", "ss"),
        ("İzmir", "İZMIR"),
        ("ΣΑΣ", "σας"),
        ("Việt", normalize("NFD", "VIỆT")),
        ("한국", normalize("NFD", "한국")),
        ("が", normalize("NFD", "が")),
        ("Ａ１", "a1"),
        ("ﾄﾞｲﾂ", "ドイツ"),
        ("ﬁn", "fin"),
        ("Bun\u00addes\u2060tag", "Bundestag"),
        ("\u200fשלום\u200e", "שלום"),
        ("می\u200cخواهم", "میخواهم"),
        ("❤\ufe0f", "❤"),
    ],
)
def test_words_are_the_same_in_other_case_form_and_with_invisible_signs(
    first: str, second: str
) -> None:
    [(first_key, *first_span)], [(second_key, *second_span)] = words(first), words(second)
    assert first_key == second_key
    assert (first_span, second_span) == ([0, len(first)], [0, len(second)])


@pytest.mark.parametrize(
    ("first", "second"),
    [("दिल", "दिल्ली"), ("é", "e"), ("İ", "i"), ("محمد", "مُحَمَّد"), ("👍🏽", "👍"), ("🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿")],
)
def test_words_differ_by_marks_that_are_seen(first: str, second: str) -> None:
    assert [key for key, *_span in words(first)] != [key for key, *_span in words(second)]


@pytest.mark.parametrize("sign", ["\u00ad", "🇩", "\u0301", "'", "a'", "\u200f", "'\u00ad", "\n"])
def test_parts_of_one_sign_over_and_over_take_no_square_of_its_number(sign: str) -> None:
    text = "x" + sign * 50_000
    begun = process_time()
    assert "".join(pieces(text)) == text
    assert process_time() - begun < 3  # 0.1 s; the square of the flags took 12 s


def test_words_leave_out_what_cannot_be_seen() -> None:
    assert words(" a\u00a0\u200b \n\u3000b\u202f") == [("a", 1, 2), ("b", 7, 8)]
