"""Three ways to work on the rating pages: by keyboard alone, without JavaScript, by touch."""

from collections.abc import Callable, Mapping
from typing import Protocol

from playwright.sync_api import Locator, Page, expect

CAP_LABELS = [
    "exact",
    "equivalent",
    "alternative-correct",
    "overinclusive-valid",
    "partial",
    "overinclusive-invalid",
    "invalid",
    "contradictory",
]
KEYS = {"yes": "y", "no": "n"} | {label: str(n) for n, label in enumerate(CAP_LABELS, start=1)}


class Hands(Protocol):
    """The acts of a rater; the journey sees whether they have worked."""

    def agree(self) -> None:
        """To the consent text."""

    def go_on(self) -> None:
        """To where the page leads next."""

    def answer(self, answers: Mapping[str, str]) -> None:
        """All questions in turn, and submit."""

    def open_the_item_before(self) -> None:
        """To revise its rating, from its first question on."""

    def skip(self, reason: str) -> None: ...

    def flag(self, reason: str) -> None: ...


class Keyboard:
    """No pointer at all."""

    def __init__(self, page: Page) -> None:
        self.page, self.keyboard = page, page.keyboard

    def agree(self) -> None:
        self.page.get_by_role("checkbox").focus()
        self.keyboard.press("Space")
        self.keyboard.press("Tab")
        self.go_on()

    def go_on(self) -> None:
        # a key pressed while the next page is on its way would be lost
        with self.page.expect_navigation():
            self.keyboard.press("Enter")

    def answer(self, answers: Mapping[str, str]) -> None:
        for value in answers.values():
            self.keyboard.press(KEYS[value])
        self.keyboard.press("Enter")

    def open_the_item_before(self) -> None:
        with self.page.expect_navigation():
            self.keyboard.press("b")
        _reopen_the_first_question(self.page, back=lambda: self.keyboard.press("b"))

    def skip(self, reason: str) -> None:
        self.keyboard.press("s")
        for _button in range(3):
            self.keyboard.press("Tab")
        self.keyboard.type(reason)
        self.keyboard.press("Enter")

    def flag(self, reason: str) -> None:
        self.keyboard.press("f")
        self.keyboard.type(reason)
        self.keyboard.press("Enter")


class WithoutScript:
    """Plain forms: every question is submitted by its button."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, target: Locator) -> None:
        target.click()

    def agree(self) -> None:
        self.press(self.page.get_by_role("checkbox"))
        self.press(self.page.get_by_role("button", name="Agree and continue"))

    def go_on(self) -> None:
        self.press(self.page.locator("main .primary"))

    def answer(self, answers: Mapping[str, str]) -> None:
        button = self.page.locator(".go .primary")
        for value in answers.values():
            self._choose(value)
            says = button.inner_text()
            self.press(button)
        if "Continue" in says:
            self.press(self.page.get_by_role("button", name="Submit"))

    def open_the_item_before(self) -> None:
        back = self.page.get_by_role("button", name="Back")
        self.press(back)
        expect(self.page.get_by_text("You rated this item")).to_be_visible()
        _reopen_the_first_question(self.page, back=lambda: self.press(back))

    def skip(self, reason: str) -> None:
        self.press(self.page.locator("details.skip summary"))
        self.page.get_by_label("Another reason").fill(reason)
        self.press(self.page.get_by_role("button", name="Skip", exact=True))

    def flag(self, reason: str) -> None:
        self.press(self.page.locator("details.flag summary"))
        self.page.get_by_label("What is wrong with it?").fill(reason)
        self.press(self.page.get_by_role("button", name="Flag", exact=True))

    def _choose(self, value: str) -> None:
        self.press(self.page.locator(f"fieldset.asked label:has(input[value={value}])"))


class Touch(WithoutScript):
    """Fingers, on a page with its script: an answer leads to the next question by itself."""

    def press(self, target: Locator) -> None:
        target.tap()

    def answer(self, answers: Mapping[str, str]) -> None:
        for value in answers.values():
            self._choose(value)
        self.press(self.page.get_by_role("button", name="Submit"))


def _reopen_the_first_question(page: Page, *, back: Callable[[], None]) -> None:
    asked = page.locator("input[name=asked]")
    first = page.locator("fieldset").first.get_attribute("data-question")
    while (before := asked.input_value()) != first:
        back()
        expect(asked).not_to_have_value(before)
