import threading

import pytest

from tomahto.matching.feather.texts import MAX_WORDS, Lexicon, split


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\u202eÆrø\u202c – “Łódź”, El\u00a0Niño’s straße\u200b", "Aero Lodz , El Nino's strasse"),
        (
            "(The U.S. won: 1,000 well-known $5 prizes.)",
            "The U.S. won 1,000 well known 5 prizes.",
        ),
    ],
)
def test_split_drops_accents_and_marks_but_for_what_hangs_on_words(text: str, words: str) -> None:
    assert split(text) == words.split()


def test_split_reads_the_first_words_only() -> None:
    assert split("  " + "word " * 20_000) == ["word"] * MAX_WORDS
    assert len("".join(split("x" * 100_000))) == 12 * MAX_WORDS


def test_lexicon_leaves_articles_out_unless_there_is_nothing_else() -> None:
    texts = Lexicon().read(["The red fox", "A", ""])

    assert texts.phrases() == [["red", "fox"], ["a"], []]
    assert texts.length.tolist() == [2, 1, 0]


def test_lexicon_gives_equal_words_equal_numbers_whenever_they_come() -> None:
    lexicon = Lexicon()

    first = lexicon.read(["seven foxes"])
    second = lexicon.read(["a dog", "foxes 7"])

    assert second.phrases() == [["dog"], ["foxes", "7"]]
    assert first.phrases() == [["7", "foxes"]]
    seven, foxes = first.columns["canonical"][first.word]
    assert second.columns["canonical"][second.word].tolist()[1:] == [foxes, seven]


def test_lexicon_may_be_read_by_several_threads() -> None:
    lexicon = Lexicon()
    wrong: list[str] = []

    def read(thread: int) -> None:
        for number in range(200):
            text = f"word{'x' * thread}y{'z' * number}"
            if lexicon.read([text]).phrases() != [[text]]:
                wrong.append(text)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []
    assert len(lexicon) == 800
