from dataclasses import replace
from pathlib import Path

import pytest

from exporters.release import write_release
from tests.exporters.samples import CAMPAIGN, CONTENT


@pytest.fixture(scope="module")
def page(written: Path) -> str:
    return (written / "README.md").read_text().split("\n---\n", 1)[1]


def test_card_begins_with_title_and_description(page: str) -> None:
    start = "\n# Answers | about cities\n\nWhat people asked about cities.\n\n## Labels\n"
    assert page.startswith(start)


def test_card_counts_labels_and_ties(page: str) -> None:
    assert (
        "Raters answered the protocol `ae` (q1, q2, q3, q4). "
        "Raters worked by `guidelines/v1.md`, `guidelines/v2.md`.\n\n"
        "| label | items | ratings |\n"
        "| --- | --- | --- |\n"
        "| equivalent | 3 | 4 |\n"
        "| not-equivalent | 2 | 7 |\n\n"
        "An item has the label that most of its counted ratings have. "
        "1 item had no such label: one of the labels in first place was drawn by the SHA-256 of"
        " the seed 13 and the item's id, and `tie` is true.\n"
    ) in page


def test_card_says_how_it_was_split_and_what_is_left_out(page: str) -> None:
    assert "Split by `document:dev=30,test=70` with the seed 13:" in page
    assert "| total | 4 | 4 | 4 | 5 | 11 | 1 |" in page
    assert "1 item of the campaign had no counted rating and is left out." in page


def test_card_gives_agreement_with_n_and_interval_or_the_reason(page: str) -> None:
    # Items a1 (2, 1), b1 (1, 1), d1 (0, 4): observed disagreement (2*2/2 + 2) / 9 = 4/9, expected
    # 2*3*6 / (9*8) = 1/2, so alpha is 1/9 (Krippendorff 2011).
    (whole,) = (line for line in page.splitlines() if line.startswith("| all | 3 |"))
    assert whole.startswith("| all | 3 | 0.111 (")
    assert whole.endswith(") | 33.3 % | 44.4 % | 70.0 % |")
    reasons = [line for line in page.splitlines() if line.startswith("| dev |")]
    assert any("undefined: " in line for line in reasons)


def test_card_names_version_digest_and_software(page: str) -> None:
    assert "Version 1.0.0 of the campaign `demo`, made on 2026-03-02 with tomahto 0.1.0." in page


def test_card_says_nothing_of_guidelines_that_are_not_there(tmp_path: Path) -> None:
    campaign = replace(CAMPAIGN, guidelines=(), description="")
    write_release(replace(CONTENT, campaign=campaign), tmp_path / "out")
    page = (tmp_path / "out/README.md").read_text()
    assert "\n# Answers | about cities\n\n## Labels\n" in page
    assert "guidelines/" not in page
