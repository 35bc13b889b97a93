"""Sources that label some items: raters, and what texts were meant to be."""

from tomahto.lab.judged import RATERS, part_sources

ITEMS = ["a", "b", "c"]
MEANT = {"a": "exact", "b": "", "c": "partial"}


def test_each_source_has_a_place_for_every_item() -> None:
    ratings = [("a", "r2", "exact"), ("c", "r2", "invalid"), ("b", "r1", "partial")]
    assert part_sources(ITEMS, MEANT, {"b": "exact", "c": None}, ratings) == {
        "synthetic": ["exact", None, "partial"],
        "adjudicators": [None, "exact", None],
        "r1": [None, "partial", None],
        "r2": ["exact", None, "invalid"],
    }


def test_a_rater_takes_the_place_of_no_other_source() -> None:
    names = ["synthetic", "adjudicators", "majority", "dawid-skene", "rater majority", "r1"]
    found = part_sources(ITEMS, MEANT, {"b": "partial"}, [("b", name, "exact") for name in names])
    assert found == {
        "synthetic": ["exact", None, "partial"],
        "adjudicators": [None, "partial", None],
        **{
            name: [None, "exact", None]
            for name in (
                "r1",
                "rater adjudicators",
                "rater dawid-skene",
                "rater majority",
                "rater rater majority",
                "rater synthetic",
            )
        },
    }


def test_a_source_without_a_label_of_these_items_is_none() -> None:
    assert part_sources(["a", "b"], {}, {"z": "exact"}, [("z", "r1", "exact")]) == {}


def test_of_many_raters_those_with_most_labels_are_there() -> None:
    few = [("a", f"few{number:02}", "exact") for number in range(RATERS)]
    many = [(item, "many", "exact") for item in "abc"]
    found = part_sources(ITEMS, {}, {}, [*few, *many])
    assert list(found) == [*(f"few{number:02}" for number in range(RATERS - 1)), "many"]
