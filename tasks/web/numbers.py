"""Numbers as they are sent."""

import math

from rest_framework import serializers


class FiniteFloat(serializers.FloatField):
    """A number. What limits compare with in vain, such as "nan", is none."""

    def to_internal_value(self, data: float | str) -> float:
        number: float = super().to_internal_value(data)
        if not math.isfinite(number):
            self.fail("invalid")
        return number
