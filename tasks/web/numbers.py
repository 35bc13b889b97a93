"""Numbers as they are sent."""

import math
import re

from rest_framework import serializers

_DIGITS = re.compile(r"[0-9]{1,18}")  # as many as any column has room for


def row_number(text: str) -> int | None:
    """The number of a row, or as large a one, in plain digits; None of any other text."""
    return int(text) if _DIGITS.fullmatch(text) else None


class FiniteFloat(serializers.FloatField):
    """A number. What limits compare with in vain, such as "nan", is none."""

    def to_internal_value(self, data: float | str) -> float:
        number: float = super().to_internal_value(data)
        if not math.isfinite(number):
            self.fail("invalid")
        return number
