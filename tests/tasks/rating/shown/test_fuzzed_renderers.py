"""Whatever text import admits is drawn, harmless and in a moment: renderers are fuzzed.

The long form tries more texts; either steers towards those that take long.
"""

import re
import time
from collections.abc import Callable, Mapping

import pytest
from hypothesis import Phase, given, settings, target

from tasks.rating.shown.formulas import MAX_TEX, mathml
from tasks.rating.shown.reading import compare_answers, read_passage
from tasks.rating.shown.rich_passage import MAX_MARKDOWN, read_rich_passage
from tests.sampling import IS_LONG
from tests.tasks.rating.shown.hard_texts import HardText, hard_texts
from tomahto.interchange.reading.records import MAX_TEXT

pytestmark = pytest.mark.slow

SECONDS = 1.0  # of processor time, the best of three
EXAMPLES = 2_000 if IS_LONG else 25
_LONGEST = {"markdown": MAX_MARKDOWN, "formula": 2 * MAX_TEX, "plain": 60_000, "compared": 1}
_TAG = re.compile(r"<(/?[a-z0-9]+)((?: [a-z-]+=\"[^\"<>]*\")*)(?: /)?>")

Renderer = Callable[[str, str, str], str]


def _markdown(passage: str, reference: str, candidate: str) -> str:
    rich = read_rich_passage(passage, [reference], candidate)
    return rich.whole + rich.excerpt if rich else ""


def _formula(passage: str, _reference: str, _candidate: str) -> str:
    return mathml.__wrapped__(passage, is_block=True)


def _plain(passage: str, reference: str, candidate: str) -> str:
    whole = read_passage(passage, [reference], candidate).whole
    assert "".join(segment.text for segment in whole) == passage
    return ""


def _compared(_passage: str, reference: str, candidate: str) -> str:
    compared = compare_answers([reference], candidate)
    assert "".join(segment.text for segment in compared.candidate) == candidate
    assert "".join(segment.text for segment in compared.references[0]) == reference
    return ""


RENDERERS: Mapping[str, Renderer] = {
    "markdown": _markdown,
    "formula": _formula,
    "plain": _plain,
    "compared": _compared,
}


def check(name: str, passage: str, reference: str, candidate: str) -> float:
    """The processor time of drawing it; AssertionError where it takes long or is not harmless."""
    took: list[float] = []
    while not took or (min(took) > SECONDS and len(took) < 3):
        began = time.process_time()
        html = RENDERERS[name](passage, reference, candidate)
        took.append(time.process_time() - began)
    assert min(took) <= SECONDS
    assert not re.search(r"[<>]", _TAG.sub("", html))
    assert {tag for tag, _rest in _TAG.findall(html)}.isdisjoint({"script", "style", "iframe"})
    return min(took)


def draw(name: str, passage: HardText, reference: HardText, candidate: HardText) -> float:
    """The same with texts as long as this renderer is given them."""
    answers = (each.upto(MAX_TEXT) for each in (reference, candidate))
    return check(name, passage.upto(_LONGEST[name]), *answers)


@pytest.mark.parametrize("name", RENDERERS)
def test_whatever_text_is_drawn_harmless_and_in_a_moment(name: str) -> None:
    @settings(max_examples=EXAMPLES, phases=(Phase.generate, Phase.target))
    @given(hard_texts, hard_texts, hard_texts)
    def drawn(passage: HardText, reference: HardText, candidate: HardText) -> None:
        target(draw(name, passage, reference, candidate))

    drawn()


def test_check_finds_what_is_slow_and_what_is_not_harmless(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways: dict[str, Renderer] = {
        "slow": lambda passage, *_answers: str(sum(map(ord, passage * 50_000))),
        "raw": lambda passage, *_answers: f"<p>{passage}</p>",
    }
    monkeypatch.setattr(f"{__name__}.SECONDS", 0.01)
    monkeypatch.setattr(f"{__name__}.RENDERERS", ways)
    assert check("raw", "a &lt; b", "", "") < SECONDS
    for name, passage in (("slow", "a" * 100), ("raw", "a < b"), ("raw", "<script>b</script>")):
        with pytest.raises(AssertionError):
            check(name, passage, "", "")
