import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tomahto.releases.formats.formats import FORMATS
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import parse_manifest, read_manifest
from tomahto.text.normalisation import ExactRule

DIGEST = "0" * 64
ANSWERS = {"question": "q1", "values": ["yes", "no"], "several": False}
FILE = {"path": "README.md", "sha256": DIGEST, "bytes": 3, "rows": None}
SELECTION = {
    "without_controls": True,
    "without_deactivated": False,
    "guideline_versions": [1, 3],
    "consented_only": False,
}
# two of the ratings are left out for both reasons
LEFT_OUT = {
    "items": 2,
    "ratings": 7,
    "ratings_by_filter": {"without_controls": 4, "guideline_versions": 5},
}
MANIFEST: dict[str, Any] = {
    "format": 2,
    "software": "tomahto",
    "campaign": "demo",
    "title": "Demo",
    "version": "1.0.0",
    "created_at": "2026-03-02T09:00:00+00:00",
    "protocol": "ae",
    "labels": ["equivalent", "not-equivalent"],
    "ranks": [1.0, 0.0],
    "level": "nominal",
    "questions": ["q1"],
    "answers": [ANSWERS],
    "yes_no_questions": ["q1"],
    "seed": 13,
    "split": "document:dev=30,test=70",
    "digest": DIGEST,
    "sizes": {"total": {}},
    "items_without_ratings": 0,
    "label_choice": "adjudicated",
    "accepted_labels": ["equivalent"],
    "exact_rule": "strict",
    "adjudications": 3,
    "selection": SELECTION,
    "left_out": LEFT_OUT,
    "further_formats": ["squad"],
    "files": [FILE],
}


def test_manifest_is_read_back_as_it_was_written() -> None:
    assert parse_manifest(MANIFEST).as_json() == MANIFEST


def test_manifest_tells_imported_raters_where_there_are_any() -> None:
    told = MANIFEST | {"imported_raters": ["r-aaaaaaaaaa", "r-bbbbbbbbbb"]}
    manifest = parse_manifest(told)
    assert manifest.as_json() == told
    assert manifest.imported_raters == ("r-aaaaaaaaaa", "r-bbbbbbbbbb")
    assert parse_manifest(MANIFEST).imported_raters == ()


def test_manifest_of_the_first_releases_means_the_one_rule_there_was() -> None:
    rest = {name: value for name, value in MANIFEST.items() if name != "exact_rule"}
    assert parse_manifest(rest).terms.exact_rule is ExactRule.SQUAD


def test_manifest_may_have_fields_that_are_not_known_here() -> None:
    assert parse_manifest(MANIFEST | {"doi": "x"}) == parse_manifest(MANIFEST)


def test_manifest_without_a_version_of_figures_has_the_first() -> None:
    assert parse_manifest(MANIFEST).terms.figures_version == 1
    now = MANIFEST | {"figures_version": 2}
    assert parse_manifest(now).as_json() == now


@pytest.mark.parametrize("number", [1, 3])
def test_manifest_of_another_format_is_refused_whatever_else_it_has(number: int) -> None:
    with pytest.raises(ReleaseError) as caught:
        parse_manifest({"format": number})
    assert str(caught.value) == (
        f"manifest.json, field format: is {number}, only 2 can be read here; release the campaign"
        " again with this version of Tomahto, or read the folder with the one that wrote it"
    )


@pytest.mark.parametrize("field", sorted(MANIFEST.keys() - {"exact_rule"}))
def test_manifest_names_a_missing_field(field: str) -> None:
    rest = {name: value for name, value in MANIFEST.items() if name != field}
    with pytest.raises(ReleaseError) as caught:
        parse_manifest(rest)
    assert str(caught.value) == f"manifest.json, field {field}: is missing"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"label_choice": "best"},
            "field label_choice: is 'best', not one of majority, adjudicated, dawid-skene",
        ),
        ({"adjudications": -1}, "field adjudications: is -1"),
        ({"exact_rule": "loose"}, "field exact_rule: is 'loose', not one of strict, squad"),
        ({"figures_version": 0}, "field figures_version: is 0, only 1 to 2 are known here"),
        ({"figures_version": 3}, "field figures_version: is 3, only 1 to 2 are known here"),
        (
            {"accepted_labels": ["exact"]},
            "field accepted_labels: names something that is not a label",
        ),
        (
            {"accepted_labels": []},
            "field further_formats: format squad is not for the protocol ae",
        ),
        (
            {"further_formats": ["zip"]},
            f"field further_formats: format 'zip' is not one of {', '.join(FORMATS)}",
        ),
        ({"format": True}, "field format: is not a whole number"),
        ({"campaign": None}, "field campaign: is not a text"),
        ({"seed": 1.5}, "field seed: is not a whole number"),
        ({"created_at": "yesterday"}, "field created_at: Invalid isoformat string: 'yesterday'"),
        ({"created_at": "2026-03-02"}, "field created_at: '2026-03-02' has no time zone"),
        ({"level": "ratio"}, "field level: is 'ratio', not one of nominal, ordinal, interval"),
        ({"labels": ["a", 1]}, "field labels: is not a list of texts"),
        ({"ranks": [1, True]}, "field ranks: is not a list of numbers"),
        ({"ranks": [1, float("nan")]}, "field ranks: is not a list of numbers"),
        (
            {"answers": [ANSWERS | {"several": 0}]},
            "field answers[0], field several: is not true or false",
        ),
        (
            {"answers": [ANSWERS | {"values": ["a", "a"]}]},
            "field answers[0], field values: question 'q1': values repeat: ('a', 'a')",
        ),
        (
            {"yes_no_questions": ["q2"]},
            "field yes_no_questions: names something that is not a question",
        ),
        ({"labels": ["a", "a"]}, "field labels: labels repeat: ('a', 'a')"),
        ({"version": "1"}, "field version: version '1' is not three numbers like 1.0.0"),
        ({"split": "document:a=1"}, "field split: the shares sum to 1, not to 100"),
        ({"digest": "A" * 64}, "field digest: is not a SHA-256 in small hexadecimal digits"),
        ({"sizes": []}, "field sizes: is not an object"),
        ({"items_without_ratings": -1}, "field items_without_ratings: is -1"),
        ({"selection": []}, "field selection: is not an object"),
        (
            {"selection": SELECTION | {"consented_only": 0}},
            "field selection, field consented_only: is not true or false",
        ),
        (
            {"selection": SELECTION | {"guideline_versions": [1, True]}},
            "field selection, field guideline_versions: is not a list of whole numbers from 0",
        ),
        (
            {"selection": SELECTION | {"guideline_versions": []}},
            "field left_out, field ratings_by_filter: does not have the filters of the selection",
        ),
        (
            {"left_out": LEFT_OUT | {"ratings": 4}},
            "field left_out, field ratings: is 4, which no union of its parts has",
        ),
        (
            {"left_out": LEFT_OUT | {"ratings": 10}},
            "field left_out, field ratings: is 10, which no union of its parts has",
        ),
        ({"left_out": LEFT_OUT | {"items": -1}}, "field left_out, field items: is -1"),
        ({"files": {}}, "field files: is not a list"),
        ({"files": [3]}, "field files[0]: is not an object"),
        ({"files": [FILE | {"bytes": "3"}]}, "field files[0], field bytes: is not a whole number"),
        ({"files": [FILE, FILE]}, "field files[1], field path: 'README.md' is named twice"),
    ],
)
def test_manifest_names_a_wrong_field(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ReleaseError) as caught:
        parse_manifest(MANIFEST | changes)
    assert str(caught.value) == f"manifest.json, {message}"


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../x", "a/../../x", "a//b", "./a", "", ".", "a\0"]
)
def test_manifest_names_no_path_outside_the_release(path: str) -> None:
    with pytest.raises(ReleaseError, match="is not a path inside the release"):
        parse_manifest(MANIFEST | {"files": [FILE | {"path": path}]})


@pytest.mark.parametrize("path", ["manifest.json", "SHA256SUMS"])
def test_manifest_does_not_list_what_is_written_after_it(path: str) -> None:
    with pytest.raises(ReleaseError, match="cannot be listed in the manifest"):
        parse_manifest(MANIFEST | {"files": [FILE | {"path": path}]})


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff", b"[" * 100_000, b'{"format": ' + b"9" * 5_000 + b"}", b"[]", b"null"],
)
def test_read_manifest_says_in_one_line_that_it_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(ReleaseError) as caught:
        read_manifest(tmp_path)
    assert str(caught.value).startswith("manifest.json: ")
    assert "\n" not in str(caught.value)


def test_read_manifest_does_not_follow_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text(json.dumps(MANIFEST))
    (tmp_path / "manifest.json").symlink_to("real.json")
    with pytest.raises(ReleaseError, match=r"manifest\.json: is missing or not a regular file"):
        read_manifest(tmp_path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(), values, max_size=3),
    max_leaves=5,
)


@settings(max_examples=100)
@given(st.sampled_from(sorted(MANIFEST)), json_values)
def test_manifest_with_any_value_is_read_or_refused(field: str, value: object) -> None:
    outcome = _read_or_refuse(MANIFEST | {field: value})
    assert outcome.startswith("manifest.json") or json.loads(outcome).keys() == MANIFEST.keys()


def _read_or_refuse(data: object) -> str:
    try:
        return parse_manifest(data).as_text()
    except ReleaseError as error:
        return str(error)
