import pytest

from tomahto.text.normalisation import joined_names, parted_names


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ((), ""),
        (("gpt-4o",), "gpt-4o"),
        (("gpt-4o", "gemini flash"), "gpt-4o+gemini flash"),
        (("T5+search", "a"), "T5\\+search+a"),
        (("a+", "+b", "c\\"), "a\\++\\+b+c\\\\"),
    ],
)
def test_names_come_back_from_one_text(names: tuple[str, ...], text: str) -> None:
    assert joined_names(names) == text
    assert parted_names(text) == list(names)
