"""What a release says of comments that hold personal data, once somebody has confirmed them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConfirmedPersonalData:
    """Comments that may hold personal data and are released all the same, and why."""

    comments: int
    reason: str
