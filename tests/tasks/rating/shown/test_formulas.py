"""TeX of foreign texts as MathML: nothing of it can do anything but draw a formula."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.timing import fastest
from tasks.rating.shown.formulas import MAX_TEX, mathml

ELEMENT = re.compile(r"<(/?)(\w+)((?: \w+=\"[^\"<>]*\")*)>")


def test_a_formula_is_drawn() -> None:
    assert mathml(r"\frac{a}{2}") == (
        '<math display="inline"><mrow><mfrac><mrow><mi>a</mi></mrow><mrow><mn>2</mn></mrow>'
        "</mfrac></mrow></math>"
    )
    assert mathml("x", is_block=True).startswith('<math display="block">')


DEFINITIONS = (
    r"\newcommand{\a}{x}\newcommand{\b}{\a\a}\b",
    r"\def\a{x}\a",
    r"\DeclareMathOperator{\a}{x}\a",
    r"\newenvironment{a}{x}{y}\begin{a}\end{a}",
)


@pytest.mark.parametrize(
    "tex", ["x^{", r"\left(", "", "  ", "{" * 400, "a" * (MAX_TEX + 1), *DEFINITIONS]
)
def test_what_is_no_formula_or_too_long_stays_tex(tex: str) -> None:
    assert mathml(tex) == f"<code>${tex}$</code>"


@pytest.mark.parametrize(
    "tex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(//example.org)}{x}",
        r"\class{calm}{x}",
        r"\text{</math><img src=x onerror=alert(1)>}",
        r"x \& \text{&lt;b&gt;}",
    ],
)
def test_nothing_but_a_formula_comes_through(tex: str) -> None:
    assert is_harmless(mathml(tex))


@given(st.text(alphabet=r"\{}^_&$<>\"'=/ abchrefstylextfrac12", max_size=60))
def test_no_text_makes_other_elements_or_attributes(tex: str) -> None:
    assert is_harmless(mathml(tex))


@pytest.mark.parametrize(
    "piece", ["{", "x^", r"\frac{", r"\left(", r"\sqrt", "_", r"\begin{matrix}", "&", "a", r"\\"]
)
def test_the_longest_formula_takes_a_moment(piece: str) -> None:
    assert fastest(lambda: mathml((piece * MAX_TEX)[:MAX_TEX]), time.process_time) < 0.3


def is_harmless(html: str) -> bool:
    """Whether the HTML is balanced elements of a formula, none with more than their looks."""
    open_elements: list[str] = []
    for closing, name, attributes in ELEMENT.findall(html):
        if not re.fullmatch(r"code|math|m[a-z]+", name):
            return False
        if re.search(r"(?:href|style|class|id|on\w+|src)=", attributes):
            return False
        if closing and (not open_elements or open_elements.pop() != name):
            return False
        if not closing:
            open_elements.append(name)
    return not open_elements and "<" not in ELEMENT.sub("", html)
