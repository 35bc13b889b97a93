from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.text.normalisation import ExactRule, is_empty, is_exact


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("-5", "5"),
        ("−5", "5"),
        ("3.14", "314"),
        ("1.5", "15"),
        (".5", "5"),
        ("C#", "C++"),
        ("C", "C++"),
        ("-", "+"),
        ("the", "A"),
        ("an", "A"),
        ("", "A"),
        ("?", "!"),
        ("$5", "5"),
        ("5%", "5"),
        ("5'", "5"),
        ('5"', "5'"),
        ("5!", "5"),
        ("10²", "102"),
        ("1/2", "12"),
        ("A+", "A"),
        ("A-", "A"),
        ("A +", "+"),
        ("vitamin A", "vitamin"),
        ("vitamin A deficiency", "vitamin deficiency"),
        ("hepatitis a virus", "hepatitis virus"),
        ("The The", "the"),
        ("a x", "x"),
        ('6½"', "6½'"),
        ("f'", "f"),
        ("n!", "n"),
        ("f(x)'", "f(x)"),
        ('"5!"', "5"),
        ("A and B", "and B"),
        ("A, B", "B"),
        ("re-cover", "recover"),
        ("Nil", "Nile"),
        ("A minus", "minus"),
        ("A flat", "flat"),
        ('"A" team', "team"),
        ("A'B'", "A'B"),
        ("2n!", "2n"),
        ("|x|!", "|x|"),
        ("5m'", "5m"),
        ("A^T'", "A^T"),
        ("--..", "--"),
        (".-.", ".-"),
        ("0.999...", "0.999"),
        ("1, 2, 3, …", "1, 2, 3"),
        ("2\u20643", "23"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4"),
        ("അവന്\u200d", "അവന്"),
    ],
)
def test_strict_rule_leaves_to_people_what_may_differ(answer: str, reference: str) -> None:
    assert not is_exact(answer, [reference], ExactRule.STRICT)
    assert not is_exact(reference, [answer], ExactRule.STRICT)


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("the Nile", "Nile"),
        ("THE NILE.", "nile"),
        ("“The Nile”", "Nile"),
        ('"Apollo 11"', "Apollo 11"),
        ("‘Apollo 11.’", "apollo 11"),
        ("Ｎｉｌｅ", "Nile"),
        ("don’t", "don't"),
        ("1914–18", "1914-18"),
        ("−5", "-5"),
        ("cafe\u0301", "café"),
        ("Straße", "STRASSE"),
        ("a", "A."),
        ("once upon a time", "Once Upon A Time"),
        ("Paris, the city", "paris city!"),
        ("5", "5."),
        ("the 5", "5"),
        ("二〇〇八年。", "二〇〇八年"),
        ("soft\u00adware\u200b", "software"),
        ("Paris .", "Paris"),
        ("“Paris” .", "Paris"),
        ("« Paris »", "Paris"),
        ("Vraiment ?", "vraiment"),
        ("Don't!", "don't"),
        ("« Paris » . .", "Paris"),
        ("\u200cسلام\u200c", "سلام"),
        ("کراچی۔", "کراچی"),
        ("አዲስ።", "አዲስ"),
        ("Երևան։", "Երևան"),
        ("ἔργον·", "ἔργον"),
        ("❤\ufe0f", "❤"),
        ("a dog", "dog"),
    ],
)
def test_strict_rule_settles_what_says_the_same(answer: str, reference: str) -> None:
    assert is_exact(answer, ["something else", reference], ExactRule.STRICT)
    assert is_exact(reference, [answer], ExactRule.STRICT)


@pytest.mark.parametrize(
    "answer", ["", " ", "\u00a0\n", "\u200b", "\ufeff\u2060", "\u3164\ufe0f\x01"]
)
@pytest.mark.parametrize("rule", ExactRule)
def test_empty_answer_is_never_exact(answer: str, rule: ExactRule) -> None:
    assert is_empty(answer)
    assert not is_exact(answer, ["A", "the", answer], rule)


def test_a_sign_that_can_be_seen_is_an_answer() -> None:
    assert not is_empty("\u06dd")


def test_squad_rule_is_the_normal_form_of_scoring() -> None:
    assert is_exact("the", ["A"], ExactRule.SQUAD)
    assert is_exact("C#", ["C++"], ExactRule.SQUAD)
    assert not is_exact("Nile’s", ["Nile's"], ExactRule.SQUAD)


def test_many_blanks_and_signs_cost_no_more_than_other_text() -> None:
    start = process_time()
    for text in (f"Paris{' ' * 20_000}France", "Paris" + " ." * 10_000, "“ " * 10_000 + "x"):
        is_exact(text, [f"{text}."], ExactRule.STRICT)
    assert process_time() - start < 1


@given(st.text(max_size=20))
def test_every_answer_that_can_be_seen_is_exact_to_itself(answer: str) -> None:
    assert is_exact(answer, [answer], ExactRule.STRICT) is not is_empty(answer)
