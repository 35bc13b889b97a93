"""The words of texts, and what a search asks for, whatever is typed."""

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from tasks.explorer.queries.words import (
    Alternative,
    Phrase,
    as_vector,
    beginning_of_key,
    for_postgres,
    for_sqlite,
    read_search,
    words_of,
    words_of_item,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Where is the Élbe?", ["where", "is", "the", "elbe"]),
        ("Straße ﬁne", ["strasse", "fine"]),
        ("don't: item-12, 3.14", ["don", "t", "item", "12", "3", "14"]),
        ("İstanbul ΣΊΣΥΦΟΣ", ["istanbul", "σισυφοσ"]),
        ("東京 2020", ["東", "京", "2020"]),
        ("が・カメラ", ["が", "カ", "メ", "ラ"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("한국어", ["한국어"]),
        ("שָׁלוֹם مَرْحَبًا", ["שלום", "مرحبا"]),
        ("snake_case", ["snake", "case"]),
        (" … ", []),
        ("x" * 150, ["x" * 100]),
    ],
)
def test_words_are_runs_of_letters_and_digits(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_an_item_has_its_key_as_a_word_of_its_own_and_marks_between_texts() -> None:
    assert words_of_item("Item-7", [["where", "is"], ["here"]]) == [
        *("ßitem7", "ß", "where", "is", "ß", "here")
    ]


def test_places_are_numbered_as_far_as_postgres_can() -> None:
    assert as_vector(["a", "b", "a"]) == "a:1 b:2 a:3"
    assert as_vector(["a"] * 16_384).endswith(" a:16383 a")


@pytest.mark.parametrize("letter", ["a", "я", "字", "𞤢"])
def test_an_item_has_no_more_words_than_a_database_has_room_for(letter: str) -> None:
    word = letter * 50
    words = words_of_item("item-7", [["first"], [word] * 70_000])
    assert words[:4] == ["ßitem7", "ß", "first", "ß"]
    room = 900_000 // len(word.encode())
    assert 0 <= min(room, 70_000) - (len(words) - 4) <= 1


def phrase(*words: str, is_beginning: bool = False) -> Phrase:
    return Phrase(words, is_beginning)


@pytest.mark.parametrize(
    ("text", "search"),
    [
        (
            "river Ri",
            (Alternative((phrase("river"), phrase("ri", is_beginning=True)), ()),),
        ),
        ('"northern hills"', (Alternative((phrase("northern", "hills"),), ()),)),
        ('"northern hills', (Alternative((phrase("northern", "hills"),), ()),)),
        ("item-12", (Alternative((phrase("item", "12", is_beginning=True),), ()),)),
        (
            "lake OR -river",
            (Alternative((phrase("lake"),), ()), Alternative((), (phrase("river"),))),
        ),
        (
            'sea -"north sea" a',
            (Alternative((phrase("sea"), phrase("a")), (phrase("north", "sea"),)),),
        ),
        (
            "or and not",
            (Alternative((phrase("or"), phrase("and"), phrase("not", is_beginning=True)), ()),),
        ),
        ("OR OR", ()),
        ("- \" ' *", ()),
    ],
)
def test_a_search_is_read(text: str, search: tuple[Alternative, ...]) -> None:
    assert read_search(text) == search


def test_the_beginning_of_a_key_is_a_search() -> None:
    assert beginning_of_key("Item 1") == (Alternative((phrase("ßitem1", is_beginning=True),), ()),)
    assert beginning_of_key("…") == ()


def test_searches_are_written_for_each_database() -> None:
    search = read_search('lake "far away" -sea OR -river')
    assert (
        for_postgres(search) == "(('lake') & ('far' <-> 'away') & !('sea')) | (('ß') & !('river'))"
    )
    assert for_sqlite(search) == '(("lake" AND "far away") NOT "sea") OR (("ß") NOT "river")'


@pytest.mark.django_db
@given(st.text(max_size=500))
def test_no_search_is_an_error(text: str) -> None:
    search = read_search(text)
    if not search:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT %s::tsquery", [for_postgres(search)])
        else:
            cursor.execute(
                "SELECT rowid FROM tomahto_words WHERE words MATCH %s", [for_sqlite(search)]
            )


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text", ["a " * 250, "-a " * 160, "a OR " * 100, "x-" * 250, '"a b" ' * 80]
)
def test_a_long_search_is_no_error(text: str) -> None:
    search = read_search(text)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT '' @@ %s::tsquery", [for_postgres(search)])
        else:
            cursor.execute(
                "SELECT rowid FROM tomahto_words WHERE words MATCH %s", [for_sqlite(search)]
            )
        assert len(cursor.fetchall()) <= 1
