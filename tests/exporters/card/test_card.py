import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from exporters.planned_release import ReleaseContent
from tests.exporters.answered import ANSWERED
from tests.exporters.builders import write_release, write_verified
from tests.exporters.samples import CAMPAIGN, CONTENT, DIFFERING
from tomahto.releases.records.records import Documentation, SplitSpec


@pytest.fixture(scope="module")
def page(written: Path) -> str:
    return (written / "README.md").read_text().split("\n---\n", 1)[1]


def test_card_begins_with_title_and_description(page: str) -> None:
    start = "\n# Answers \\| about cities\n\nWhat people asked about cities.\n\n## Labels\n"
    assert page.startswith(start)


def test_card_counts_labels_and_ties(page: str) -> None:
    assert (
        "Raters answered the protocol `ae` (q1, q2, q3, q4). Raters worked by `guidelines/v1.md`, "
        "`guidelines/v2.md`.\n"
        "\n"
        "| label | items | ratings |\n"
        "| --- | --- | --- |\n"
        "| equivalent | 3 | 4 |\n"
        "| not-equivalent | 2 | 7 |\n"
        "\n"
        "`label` is the label of most of an item's counted ratings. 1 item had no label that most "
        "of its counted ratings have: `tie` is true, `tied_labels` are those in first place, and "
        "`majority_label` is one of them, drawn by the SHA-256 of the seed 13 and the item's id. "
        "`label_source` gives the source of every item's label.\n"
        "\n"
        "Items are counted by `label` here and in `splits.json`, also where it was drawn. The "
        "shares of labels by system and by type of question in `tables/` leave drawn labels out.\n"
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
    assert "\n# Answers \\| about cities\n\n## Labels\n" in page
    assert "guidelines/" not in page


def test_card_says_what_the_other_opinions_are(page: str) -> None:
    assert "a symmetric Dirichlet prior over the 2 labels that weighs as much as one vote." in page
    assert "the model of Dawid and Skene (1979), fitted to the counted ratings" in page
    assert "(1270 iterations, converged; every cell of a rater's matrix has 0.01 ratings" in page
    assert "adjudicat" not in page.replace("`adjudicated_label`", "").replace(
        "Source of the label: majority, adjudicated", ""
    ).replace("The label that all adjudicators of the item share", "")


def test_card_tells_of_adjudications_and_of_those_that_differ(tmp_path: Path) -> None:
    content = replace(CONTENT, adjudications=DIFFERING, labels="adjudicated")
    write_release(content, tmp_path / "out")
    page = (tmp_path / "out/README.md").read_text()
    assert "| equivalent | 2 | 4 |\n| not-equivalent | 3 | 7 |" in page
    assert (
        "`label` is the decision of an item's adjudicators; without one, or if they differ," in page
    )
    assert (
        "`adjudications/` has 5 decisions of adjudicators on 3 items. `adjudicated_label` is the "
        "decision of all adjudicators of an item; on 1 item they differ and it is null."
    ) in page
    assert "`items/`, `ratings/` and `adjudications/` are Parquet" in page
    assert "## Columns of adjudications" in page


HOSTILE = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) `b` | *c* # d\r\n## e"
_MARKDOWN = MarkdownIt("commonmark").enable("table")


def named(name: str) -> ReleaseContent:
    """A release in which everything that people and files name has this name."""
    systems = {each: f"{each} {name}" for each in ("xlnet", "bidaf", "luke")}
    items = [
        replace(
            each,
            systems=tuple(map(systems.__getitem__, each.systems)),
            document=f"{each.document} {name}",
            question_type=name[:60],
        )
        for each in ANSWERED.items
    ]
    answers = [
        replace(
            each,
            system=systems[each.system],
            question=replace(each.question, document=f"{each.question.document} {name}"),
        )
        for each in ANSWERED.answers or ()
    ]
    return replace(
        ANSWERED,
        campaign=replace(
            ANSWERED.campaign, title=name, description=name, licence=name, language=name
        ),
        items=items,
        answers=answers,
        documentation=Documentation(answers={"purpose": name, "authors": f"{name.split()[0]}, Bo"}),
        spec=SplitSpec(
            "system",
            {},
            systems={"dev": (systems["bidaf"],), "test": (systems["luke"], systems["xlnet"])},
        ),
    )


def test_card_says_in_which_words_raters_were_asked(page: str, tmp_path: Path) -> None:
    first, second, *others = CONTENT.ratings
    worded = (replace(first, wording="de-1"), replace(second, wording="de-1"), *others)
    folder = write_verified(replace(CONTENT, ratings=worded), tmp_path / "worded")
    card = (folder / "README.md").read_text()
    assert "published words" not in page
    assert (
        "Raters gave 10 ratings in the published words of the form and 2 ratings in `de-1`, a"
        " translation of them by language and version: the column `wording` of the ratings says"
        " which." in card
    )


def shape(tokens: Sequence[Token]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Markdown's own signs: everything but texts and their lines."""
    for token in tokens:
        if token.type not in ("text", "softbreak", "hardbreak"):
            yield token.type, token.attrs
        yield from shape(token.children or ())


def test_no_page_takes_a_name_for_markup(tmp_path: Path) -> None:
    """A page of GitHub or the hub has the headings, tables and links that it has without."""
    plain = write_verified(named("plain"), tmp_path / "plain")
    hostile = write_verified(named(HOSTILE), tmp_path / "hostile")
    pages = sorted(path.relative_to(plain) for path in plain.rglob("*.md"))
    assert len(pages) > 5
    for page in pages:
        found, expected = (
            list(shape(_MARKDOWN.parse((folder / page).read_text().split("\n---\n", 1)[-1])))
            for folder in (hostile, plain)
        )
        assert found == expected, page
    assert json.loads((hostile / "croissant.json").read_text())["name"]
