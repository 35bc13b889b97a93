from tomahto.answerers.lexical import Word, words


def test_words_keep_their_places_and_inner_marks() -> None:
    assert words("In 1,912, O'Neill's mid-war plan.") == [
        Word(0, 2, "in"),
        Word(3, 8, "1,912"),
        Word(10, 19, "o'neill's"),
        Word(20, 27, "mid-war"),
        Word(28, 32, "plan"),
    ]


def test_words_of_no_text_are_none() -> None:
    assert words(" …— ") == []


def test_stem_joins_forms_of_a_word() -> None:
    assert {word.stem for word in words("Invents invented invention")} == {"invent"}
    assert {word.stem for word in words("call calls called calling")} == {"call"}


def test_function_words_carry_no_content() -> None:
    assert [word.is_content for word in words("Who wrote the letter")] == [
        False,
        True,
        False,
        True,
    ]
