import pytest

from tomahto.releases.documents.citation import Author, AuthorsError, parse_authors

# the example that ORCID itself gives, and one that ends in X
ORCID, ORCID_X = "0000-0002-1825-0097", "0000-0002-1694-233X"


def test_authors_are_people_and_institutions_in_their_order() -> None:
    text = (
        f"van der Berg,  Anna Maria ({ORCID})\n\n"
        "  Institute of Rivers  \n"
        f"Hill, Bo (https://orcid.org/{ORCID_X})\n"
    )
    assert parse_authors(text) == (
        Author("van der Berg", "Anna Maria", ORCID),
        Author("Institute of Rivers"),
        Author("Hill", "Bo", ORCID_X),
    )
    assert parse_authors(" \n ") == ()


def test_authors_are_written_as_the_citation_format_has_them() -> None:
    assert [author.as_cff() for author in parse_authors(f"Hill, Bo ({ORCID})\nInstitute")] == [
        {"family-names": "Hill", "given-names": "Bo", "orcid": f"https://orcid.org/{ORCID}"},
        {"name": "Institute"},
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Hill, Bo\n, Anna",
            "line 2: is neither a name (Family name, Given names) nor an institution",
        ),
        ("Hill,", "line 1: is neither a name (Family name, Given names) nor an institution"),
        (f"({ORCID})", "line 1: is neither a name (Family name, Given names) nor an institution"),
        ("Hill, Bo (0000-0002-1825-0098)", "line 1: (0000-0002-1825-0098) is not an ORCID iD"),
        ("Hill, Bo (hill@example.org)", "line 1: (hill@example.org) is not an ORCID iD"),
    ],
)
def test_authors_that_cannot_be_are_named_by_their_line(text: str, message: str) -> None:
    with pytest.raises(AuthorsError) as caught:
        parse_authors(text)
    assert str(caught.value) == message
