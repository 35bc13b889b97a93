"""Telephone numbers as people type them, and the numbers of answers that are none."""

import time

import pytest

from exporters.privacy import has_telephone_number
from tests.sampling import some_of

pytestmark = pytest.mark.slow


# Numbers of ranges that are set aside for fiction or documentation, where there are any.
NUMBERS = [
    "+49 30 23125 000",
    "+1 202-555-0143",
    "+1 (202) 555-0143",
    "+44 (0)20 7946 0958",
    "+49(0)30/23125000",
    "(+49) 30 23125000",
    "0049 30 23125 000",
    "00493023125000",
    "(202) 555-0143",
    "202-555-0143",
    "202.555.0143",
    "202 555 0143",
    "1-800-555-0199",
    "030/2312500",
    "(030) 2312500",
    "020 7946 0958",
    "01 99 00 12 34",
    "06 12345678",
    "0171 234 56 78",
    "call 555-0199",
    "my phone is 5550199",
    "Tel.: 0306406152",
    "\u260e 555 0199",
    "01 23 45 6789",  # as written in Côte d'Ivoire
    "02-212-3456",
    "+672 3 12345",
    "٠٣٠/٢٣١٢٥٠٠",
    "+٤٩ ٣٠ ٢٣١٢٥٠٠٠",
]
OTHER_NUMBERS = [
    "",
    "1984",
    "1914-1918",
    "in 2001, 2002, 2003 and 2004",
    "called in 1984",
    "1969-07-20",
    "20-07-1969",
    "09-11-2001 2001",
    "2003-01-02 10:30",
    "01.02.2003",
    "13:45:00",
    "1/2/2003 - 4/5/2006",
    "978-3-16-148410-0",
    "ISBN 0-306-40615-2",
    "0306406152",
    "12345678901",
    "3.14159265358979",
    "0.123456789",
    "0.123 456 789",
    "6.022 140 76",
    "10,000,000",
    "+10,000,000 people",
    "+10 000 000",
    "1 234 567 890",
    "299 792 458",
    "1 000 000 000 000",
    "5 000 000 - 6 000 000",
    "192.168.100.200",
    "DOI 10.1000/182.5555",
    "call number 810.5 B12",
    "+888 292 813",  # no country
    "+49 000 000 000",
    "(691) 234-5678",  # no such area code
    "08001/1234567890",
    "01 02 2003",
    "03-10-53",
    "0-852-94116-9",
    "ISSN 0431-6405",
    "016-68-9628",
    "059-16228",
    "345 1234567",
    "131 2345 6789",
    "4111 1111 1111 1111",
    "text 1 2 3",
]
LENGTH = 10**5
HOSTILE = [
    "1", "1 ", "0-", "+1", "(", "(+", "12 ", "1234567 ", "tel ", "tel 1234 ", "0 ", ") ", "1()- ",
    "+" + "1" * 30 + " ", "call aa aa ", "0123 4 5x ",
]  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_number_is_found_alone_and_in_a_sentence(text: str) -> None:
    assert has_telephone_number(text)
    assert has_telephone_number(f"Ask me, {text}, or leave it.")


@pytest.mark.parametrize("text", OTHER_NUMBERS)
def test_other_number_is_none(text: str) -> None:
    assert not has_telephone_number(text)


@pytest.mark.parametrize("unit", some_of(HOSTILE, 3))
def test_a_hostile_text_takes_no_time(unit: str) -> None:
    text = (unit * (LENGTH // len(unit) + 1))[:LENGTH]
    begun = time.process_time()
    assert not has_telephone_number(text)
    assert (
        time.process_time() - begun < 5
    )  # the slowest takes below 0.1 s; quadratic would be minutes
