from tests.tomahto.matching.examples import example
from tomahto.learning.token_rows import Row
from tomahto.matching.feather.training import plain_cases

WHEN = "When did it sink?"


def test_plain_cases_come_from_the_closest_reference_of_every_sixteenth_example() -> None:
    examples = [
        example("in April 1912", "1900", "14 April 1912", correct=False, question=WHEN),
        *([example("x", "y", correct=True)] * 15),
        example("Ada", "Ada King", correct=True),
    ]

    assert list(plain_cases(examples)) == [
        (Row("14 April 1912", "14 April 1912", WHEN), True),
        (Row("", "14 April 1912", WHEN), False),
        (Row("I don't know.", "14 April 1912", WHEN), False),
        (Row("14 April 1913", "14 April 1912", WHEN), False),
        (Row("Ada King", "Ada King", "Who wrote it?"), True),
        (Row("", "Ada King", "Who wrote it?"), False),
        (
            Row(
                "I'm sorry, but I do not have enough information to answer this question.",
                "Ada King",
                "Who wrote it?",
            ),
            False,
        ),
    ]
