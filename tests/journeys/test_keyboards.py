"""Keys of the rating form on the keyboards of the world: what Chromium says of a press there."""

import uuid
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage, Tomahto, item
from tests.journeys.hands import CAP_LABELS

pytestmark = pytest.mark.browser

ALT, CONTROL, SHIFT = 1, 2, 8
COMMANDS = "ynbcsfgp"


class Layout(NamedTuple):
    """The signs of a keyboard: its first eight keys of digits without and with Shift, the keys that
    have the letters of the commands on a keyboard of the US, and its question mark."""

    row: str
    shifted: str
    letters: tuple[str, ...]
    question_mark: tuple[str, str, int]
    y: str = "KeyY"  # the key for "yes"


LATIN = tuple(COMMANDS)
LAYOUTS = {
    "US": Layout("12345678", "!@#$%^&*", LATIN, ("?", "Slash", SHIFT)),
    "UK": Layout("12345678", '!"£$%^&*', LATIN, ("?", "Slash", SHIFT)),
    "German": Layout("12345678", '!"§$%&/(', LATIN, ("?", "Minus", SHIFT), y="KeyZ"),
    "French": Layout("&é\"'(-è_", "12345678", LATIN, ("?", "KeyM", SHIFT)),
    "Belgian": Layout("&é\"'(§è!", "12345678", LATIN, ("?", "KeyM", SHIFT)),
    "Czech": Layout("+ěščřžýá", "12345678", LATIN, ("?", "Comma", SHIFT), y="KeyZ"),
    "Russian": Layout("12345678", '!"№;%:?*', tuple("нтисыапз"), ("?", "Digit7", SHIFT)),
    "Arabic": Layout(
        *("12345678", "!@#$%^&*"),
        ("غ", "ى", "لا", "ؤ", "س", "ب", "ل", "ح"),
        ("\u061f", "Slash", SHIFT),
    ),
    "Arabic of Linux": Layout(
        *("١٢٣٤٥٦٧٨", "!@#$%^&*"), tuple("غىﻻؤسبلح"), ("\u061f", "Slash", SHIFT)
    ),
    "Hebrew": Layout("12345678", "!@#$%^&*", tuple("טמנבדכעפ"), ("?", "Slash", SHIFT)),
    "Greek": Layout("12345678", "!@#$%^&*", tuple("υνβψσφγπ"), (";", "KeyQ", 0)),
    "Thai": Layout(
        "ๅ/-ภถ\u0e38\u0e36ค",
        "+๑๒๓๔\u0e39฿๕",
        tuple("\u0e31\u0e37\u0e34แหดเย"),
        ("?", "KeyM", SHIFT),
    ),
}

Press = Callable[..., None]


@pytest.fixture
def open_form(tomahto: Tomahto, open_page: OpenPage) -> Callable[[str], tuple[Page, Press]]:
    """A rating form of a protocol, and a press of a key as the browser gets it from a keyboard."""

    def open_(protocol: str) -> tuple[Page, Press]:
        slug = f"keys-{uuid.uuid4().hex[:8]}"
        items = [item(1, context="A passage about rivers that goes on for a good while. " * 30)]
        rater = tomahto.campaign(slug, items=items, rater=f"pine-{slug}", protocol=protocol)
        page = open_page(rater, f"/c/{slug}/rate/")
        browser = page.context.new_cdp_session(page)

        def press(key: str, code: str, modifiers: int = 0) -> None:
            text = {} if key[1:].isascii() and key[1:] else {"text": key}
            stroke = {"key": key, "code": code, "modifiers": modifiers}
            browser.send("Input.dispatchKeyEvent", {"type": "keyDown", **stroke, **text})
            browser.send("Input.dispatchKeyEvent", {"type": "keyUp", **stroke})

        return page, press

    return open_


def chosen(page: Page) -> str:
    return str(page.evaluate("document.querySelector('#rating :checked')?.value ?? ''"))


def test_row_of_digits_gives_classes_on_every_keyboard(
    open_form: Callable[[str], tuple[Page, Press]],
) -> None:
    page, press = open_form("cap")

    def along(row: str, modifiers: int) -> Iterator[str]:
        for place, key in enumerate(row, 1):
            press(key, f"Digit{place}", modifiers)
            yield chosen(page)
            page.keyboard.press("Escape")  # a question mark opens the list of keys

    for name, layout in LAYOUTS.items():
        assert (name, list(along(layout.row, 0))) == (name, CAP_LABELS)
        expected = [CAP_LABELS[-1]]
        for key in layout.shifted:
            expected.append(CAP_LABELS[int(key) - 1] if key.isdigit() else expected[-1])
        assert (name, list(along(layout.shifted, SHIFT))) == (name, expected[1:])


def test_letters_and_question_mark_work_on_every_keyboard(
    open_form: Callable[[str], tuple[Page, Press]],
) -> None:
    page, press = open_form("ae")
    asked, passage = page.locator("input[name=asked]"), page.locator("#whole-passage")
    for layout in LAYOUTS.values():
        codes = {letter: f"Key{letter.upper()}" for letter in COMMANDS} | {"y": layout.y}

        def give(letter: str, layout: Layout = layout, codes: dict[str, str] = codes) -> None:
            press(layout.letters[COMMANDS.index(letter)], codes[letter])

        give("n")
        expect(asked).to_have_value("q2")
        give("b")
        expect(asked).to_have_value("q1")
        for letter, panel in (("c", "comment"), ("f", "flag"), ("s", "skip")):
            give(letter)
            expect(page.locator(f"details.{panel}")).to_have_attribute("open", "")
            page.keyboard.press("Escape")
        expect(page.locator("textarea")).to_have_value("")
        page.keyboard.press("Escape")
        give("g")
        expect(page.locator("#guidelines")).to_be_visible()
        give("g")
        expect(page.locator("#guidelines")).to_be_hidden()
        give("p")
        expect(passage).to_have_attribute("open", "")
        give("p")
        press(*layout.question_mark)
        expect(page.locator("#keys")).to_be_visible()
        page.keyboard.press("Escape")
        give("y")
        assert chosen(page) == "yes"
        page.locator("details.comment").evaluate("details => { details.open = false; }")


def test_keys_beside_the_row_and_with_other_keys_held(
    open_form: Callable[[str], tuple[Page, Press]],
) -> None:
    page, press = open_form("cap")

    def gives(label: int, *stroke: object) -> None:
        press(*stroke)
        assert (stroke, chosen(page)) == (stroke, CAP_LABELS[label - 1])

    gives(3, "3", "Numpad3")
    gives(3, "PageDown", "Numpad3")  # without the lock of numbers
    gives(3, "End", "Numpad1")
    gives(1, "1", "Digit1")  # French with Caps Lock, which gives digits there
    gives(5, "Dead", "Digit5")  # Vietnamese
    gives(5, "~", "Digit2", CONTROL | ALT)  # AltGr, as some systems say it
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: '~', code: 'Digit2', modifierAltGraph: true, bubbles: true}))"
    )
    assert chosen(page) == CAP_LABELS[4]
    gives(5, "q", "KeyA")  # French: a letter is what it prints
    press("G", "KeyG")  # Caps Lock
    expect(page.locator("#guidelines")).to_be_visible()


def test_sign_on_the_row_of_digits_is_a_command_where_it_is_asked_for(
    tomahto: Tomahto, open_page: OpenPage
) -> None:
    """The slash of the French BÉPO keyboard; and the palette by a letter of another script."""
    slug = f"keys-{uuid.uuid4().hex[:8]}"
    tomahto.campaign(slug, items=[item(1)], rater=f"pine-{slug}")
    page = open_page(tomahto.person(f"oak-{slug}", slug, "admin"), f"/c/{slug}/items/")
    browser = page.context.new_cdp_session(page)
    slash = {"type": "keyDown", "key": "/", "code": "Digit9", "text": "/"}
    browser.send("Input.dispatchKeyEvent", slash)
    expect(page.locator("#id_q")).to_be_focused()
    letter = {"type": "keyDown", "key": "л", "code": "KeyK", "modifiers": CONTROL}
    browser.send("Input.dispatchKeyEvent", letter)
    expect(page.locator("#palette")).to_be_visible()
