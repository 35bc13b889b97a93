import pytest

from tests.tomahto.estimates.intervals import ends
from tests.tomahto.strategies import LEVELS, canonical_example
from tomahto.estimates.estimate import Estimate
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.reliability.reliability_data import Row, RowError, agreement_of_units
from tomahto.votes.scheme import Level

OBSERVERS = {"A": "123321412***", "B": "1233224125*3", "C": "*3332342251*", "D": "12332441251*"}
CANONICAL: list[Row] = [
    (f"unit {number}", observer, value)
    for observer, values in OBSERVERS.items()
    for number, value in enumerate(values)
    if value != "*"
]


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_units_is_that_of_their_votes(level: Level) -> None:
    # test_alpha.py has the values that Krippendorff published
    found = agreement_of_units(CANONICAL, level, seed=4).alpha
    votes = alpha_with_interval(canonical_example(level), seed=4)
    assert (found.value, *ends(found)) == pytest.approx((votes.value, *ends(votes)), abs=1e-12)
    assert (found.n, found.replicates, found.seed) == (11, 2000, 4)


def test_agreement_of_units_counts_what_the_table_holds() -> None:
    # Unit 12 has one rating; 3 and 3.0 are one value only where values are numbers.
    rows = [*CANONICAL, ("unit 13", "E", "3.0")]
    values = agreement_of_units(rows, "interval", seed=4).as_json()
    alpha = agreement_of_units(rows, "interval", seed=4).alpha
    assert values == {
        "level": "interval",
        "value": alpha.value,
        "low": alpha.low,
        "high": alpha.high,
        "n": 11,
        "replicates": 2000,
        "seed": 4,
        "drew": "items",
        "clusters": 11,
        "units": 13,
        "raters": 5,
        "ratings": 42,
        "values": 5,
    }
    assert agreement_of_units(rows, "nominal").values == 6


def test_alpha_of_units_does_not_depend_on_the_order_of_rows() -> None:
    assert (
        agreement_of_units(reversed(CANONICAL), "interval").alpha
        == agreement_of_units(CANONICAL, "interval").alpha
    )


def test_alpha_of_units_orders_numbers_as_numbers() -> None:
    # As text, 10 would stand before 9. Mid-ranks of 2, 9, 10 with n_c = 1, 1, 2: 0.5, 1.5, 3.
    # n D_o = 2 * 1^2, for all pairs 2 * (1 * 1^2 + 2 * 2.5^2 + 2 * 1.5^2) = 36, n D_e = 36 / 3
    rows = [("u", "A", "2"), ("u", "B", "9"), ("v", "A", "10"), ("v", "B", "10")]
    assert agreement_of_units(rows, "ordinal").alpha.value == pytest.approx(1 - 2 / 12, abs=1e-15)


def test_alpha_of_units_reads_one_number_in_several_spellings() -> None:
    rows = [("u", "A", "1"), ("u", "B", "1.0"), ("v", "A", "-0"), ("v", "B", "0e3")]
    assert agreement_of_units(rows, "interval").alpha.value == 1
    # As text all four differ: n D_o = 4, n D_e = (16 - 4) / 3 = 4
    assert agreement_of_units(rows, "nominal").alpha.value == 0


def test_alpha_of_units_bears_values_far_from_one() -> None:
    rows = [("u", "A", "1e300"), ("u", "B", "1e300"), ("v", "A", "-1e-300"), ("v", "B", "0")]
    assert agreement_of_units(rows, "interval").alpha.value == pytest.approx(1, abs=1e-12)


def test_alpha_of_units_takes_names_and_labels_in_one_spelling() -> None:
    spelled = [(f"{unit}\ufeff", f" {rater}", f"{value}\u00a0") for unit, rater, value in CANONICAL]
    mixed = CANONICAL[::2] + spelled[1::2]
    assert agreement_of_units(mixed, "nominal") == agreement_of_units(CANONICAL, "nominal")


def test_alpha_of_units_says_why_it_is_undefined() -> None:
    assert agreement_of_units([], "nominal").alpha == Estimate(
        value=None, reason="no item has two ratings", n=0, seed=0
    )


@pytest.mark.parametrize(
    ("row", "level", "field", "message"),
    [
        (("u", "A", "2"), "nominal", "rater", "row 2, rater: 'A' rated unit 'u' before"),
        (("u ", "A\u00a0", "1"), "nominal", "rater", "row 2, rater: 'A' rated unit 'u' before"),
        (("u", "\u200b", "1"), "nominal", "rater", "row 2, rater: is empty"),
        (("u", "B", "two"), "ordinal", "value", "row 2, value: 'two' is not a number"),
        (("u", "B", "nan"), "interval", "value", "row 2, value: 'nan' is not a finite number"),
        (("u", "B", "9" * 400), "interval", "value", "is not a finite number"),
        (("u", "B", " "), "nominal", "value", "row 2, value: is empty"),
        (("", "B", "1"), "nominal", "unit", "row 2, unit: is empty"),
        (("u", "", "1"), "nominal", "rater", "row 2, rater: is empty"),
    ],
)
def test_alpha_of_units_names_row_and_field_of_a_wrong_value(
    row: Row, level: Level, field: str, message: str
) -> None:
    with pytest.raises(RowError, match=message) as caught:
        agreement_of_units([("u", "A", "1"), row], level)
    assert (caught.value.row, caught.value.field) == (2, field)
