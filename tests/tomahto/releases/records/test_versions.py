import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.releases.records.fields import (
    Bump,
    ReleaseError,
    Required,
    Version,
    is_enough,
    parse_version,
)

NUMBERS = st.integers(min_value=0, max_value=3)
VERSIONS = st.builds(Version, NUMBERS, NUMBERS, NUMBERS)


def test_parse_version_reads_three_numbers() -> None:
    assert parse_version("10.0.3") == Version(10, 0, 3)
    assert str(parse_version("10.0.3")) == "10.0.3"


@pytest.mark.parametrize("version", ["1.0", "1.0.0.0", "v1.0.0", "01.0.0", "1.0.0-rc1", "1.0.٣"])
def test_parse_version_refuses_anything_else(version: str) -> None:
    with pytest.raises(ReleaseError, match="is not three numbers"):
        parse_version(version)


@pytest.mark.parametrize(
    ("step", "following"),
    [("none", "1.2.4"), ("patch", "1.2.4"), ("minor", "1.3.0"), ("major", "2.0.0")],
)
def test_next_sets_lower_numbers_back(step: Required, following: str) -> None:
    assert str(Version(1, 2, 3).next(step)) == following


@pytest.mark.parametrize(
    ("later", "bump"),
    [
        ("2.0.0", "major"),
        ("2.2.3", "major"),
        ("1.3.0", "minor"),
        ("1.2.9", "patch"),
        ("1.2.3", "none"),
        ("1.2.2", "backward"),
        ("0.9.9", "backward"),
    ],
)
def test_bump_to_names_the_greatest_number_that_changed(later: str, bump: Bump) -> None:
    assert Version(1, 2, 3).bump_to(parse_version(later)) == bump


@given(VERSIONS, VERSIONS)
def test_bump_is_backward_exactly_where_the_order_is(one: Version, other: Version) -> None:
    assert (one.bump_to(other) == "backward") == (other < one)
    assert (one.bump_to(other) == "none") == (other == one)


@given(VERSIONS, st.sampled_from(["patch", "minor", "major"]))
def test_next_is_the_least_version_that_is_enough(version: Version, step: Required) -> None:
    following = version.next(step)
    assert version.bump_to(following) == step
    lower = (Version(a, b, c) for a in range(6) for b in range(6) for c in range(6))
    assert not any(
        is_enough(version.bump_to(each), step) for each in lower if version < each < following
    )
