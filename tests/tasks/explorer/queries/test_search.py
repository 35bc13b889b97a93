"""The same items are found by the same words on both databases."""

import pytest

from tasks.explorer.workflow.refreshing import refresh_all
from tasks.models import Campaign, Item, Question
from tests.factories import make_campaign, make_item
from tests.tasks.explorer.steps import asking, found

pytestmark = pytest.mark.django_db


@pytest.fixture
def rivers() -> Campaign:
    campaign = make_campaign("rivers", protocol="cap")
    make_item(
        campaign,
        id="elbe",
        question="Where does the Élbe rise?",
        context="The Elbe rises in the Giant Mountains, near Špindlerův Mlýn.",
        references=("in the Giant Mountains", "Krkonoše"),
        candidate="in the mountains of Bohemia",
    )
    make_item(
        campaign,
        id="rhine",
        question="Where does the Rhine rise?",
        context="Two sources in the Swiss Alps: Vorderrhein and Hinterrhein (1,232.7 km).",
        references=("in the Alps",),
        candidate="Lake Toma",
    )
    make_item(
        campaign,
        id="tokyo-1",
        question="東京 の 川 は?",
        context="",
        references=("隅田川",),
        candidate="Sumida, don't you know; a state-of-the-art river",
    )
    return campaign


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("rise", ["elbe", "rhine"]),
        ("ELBE", ["elbe"]),
        ("élbe", ["elbe"]),
        ("krkonose", ["elbe"]),
        ("Krkonoše", ["elbe"]),
        ("lake rhine alps", ["rhine"]),  # in candidate, question and reference
        ("bohemia giant mlyn", ["elbe"]),  # in candidate and passage
        ("lake bohemia", []),
        ("mount", ["elbe"]),  # the beginning of the last word
        ("mount bohemia", []),  # of no other
        ("m", []),  # a single letter begins too many
        ('"giant mountains"', ["elbe"]),
        ('"mountains giant"', []),
        ('"swiss al"', []),
        ("swiss-al", ["rhine"]),
        ('"alps lake"', []),  # no phrase reaches from one text into the next
        ("bohemia OR toma", ["elbe", "rhine"]),
        ("bohemia or toma", []),
        ("rise -alps", ["elbe"]),
        ("-alps", ["elbe", "tokyo-1"]),
        ('-"swiss alps" -river', ["elbe"]),
        ("-alps OR toma", ["elbe", "rhine", "tokyo-1"]),
        ("1,232.7", ["rhine"]),
        ("1232", []),
        ("don't", ["tokyo-1"]),
        ("state-of-the-art", ["tokyo-1"]),
        ("隅田川", ["tokyo-1"]),
        ("隅", ["tokyo-1"]),
        ("ß", []),
        ("tokyo", []),  # a key is no text
        ("' & | ! :* <-> \\ % _", []),
        ("rise'; --", ["elbe", "rhine"]),
        ("NEAR(rise alps)", []),
        ("words:rise", []),
        ("", ["elbe", "rhine", "tokyo-1"]),
        ("   ", []),
    ],
)
def test_items_are_found_by_the_words_of_their_texts(
    rivers: Campaign, words: str, keys: list[str]
) -> None:
    assert found(asking(rivers), q=words) == keys


@pytest.mark.parametrize(
    ("words", "is_found"),
    [
        ("东京", True),
        ("京东", False),
        ("东京 河边", True),
        ("เจ้าพระยา", True),
        ("น้ำ", True),
        ("นา", False),
        ("नदी", True),
        ("नद", True),  # the beginning of a word
        ("नादी", False),
    ],
)
def test_words_of_other_scripts_are_found(words: str, is_found: bool) -> None:
    campaign = make_campaign("scripts")
    make_item(
        campaign,
        question="我住在东京附近的河边",
        references=("แม่น้ำเจ้าพระยาไหลผ่านกรุงเทพ",),
        candidate="गंगा नदी हिमालय से निकलती है",
        context="",
    )
    assert bool(found(asking(campaign), q=words)) == is_found


def test_many_finds_are_asked_of_each_item(
    rivers: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a word is in most of a million items."""
    monkeypatch.setattr("tasks.explorer.queries.sets.SMALL", 0)
    member = asking(rivers)
    assert found(member, q="rise", order="-question") == ["rhine", "elbe"]
    assert found(member, q="rise -alps", system="juniper") == ["elbe"]
    assert found(member, q="-alps", system="juniper", order="-number") == ["tokyo-1", "elbe"]


def test_changed_texts_are_found_by_what_they_say_now(rivers: Campaign) -> None:
    member = asking(rivers)
    assert found(member, q="switzerland") == []
    Question.objects.filter(items__key="rhine").update(context="In Switzerland.")
    assert found(member, q="switzerland") == ["rhine"]
    assert found(member, q="hinterrhein") == []
    Item.objects.filter(key="elbe").update(candidate="in the Riesengebirge")
    assert found(member, q="riesen") == ["elbe"]
    assert found(member, q="bohemia") == []


def test_nothing_of_another_campaign_is_found(rivers: Campaign) -> None:
    lakes = make_campaign("lakes")
    make_item(lakes, id="tarn", candidate="rise")
    refresh_all(campaign=lakes)
    assert found(asking(rivers), q="rise") == ["elbe", "rhine"]
    assert found(asking(lakes), q="rise") == ["tarn"]


def test_a_campaign_without_items_is_searched(db: None) -> None:
    assert found(asking(make_campaign("none")), q="rise") == []


def test_a_text_of_any_length_is_found(rivers: Campaign) -> None:
    words = " ".join(f"w{number}" for number in range(120_000))
    make_item(rivers, id="long", candidate="short", context=f"{words} {'x' * 5000}")
    assert found(asking(rivers), q="w90000 short") == ["long"]


@pytest.mark.parametrize("letter", ["a", "я"])
def test_a_passage_that_is_too_long_is_found_by_its_beginning(
    rivers: Campaign, letter: str
) -> None:
    """And keeps nothing else from being found."""
    passage = " ".join(f"{letter * 12}{number}" for number in range(60_000))[:1_000_000]
    references = tuple(f"{letter * 90} {number}" * 200 for number in range(20))
    make_item(rivers, id="long", context=f"Estuary {passage}", references=references)
    asker = asking(rivers)
    assert found(asker, q="estuary") == ["long"]
    assert found(asker, q="vorderrhein") == ["rhine"]
