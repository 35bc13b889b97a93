"""Why a request brought no answer. No message holds more of the address than host and port."""

from typing import ClassVar


class OutgoingError(Exception):
    """`may_pass`: whether the same request may succeed later."""

    may_pass: ClassVar[bool] = False


class DestinationRefused(OutgoingError):
    """The address is not one this site sends requests to. Nothing was sent."""


class AnswerTooLarge(OutgoingError):
    """The answer is longer than the caller wants to read."""


class NoAnswer(OutgoingError):
    """Nobody was reached, or the connection broke before the answer was complete."""

    may_pass = True


class TimedOut(NoAnswer):
    """The answer took too long: to connect, between two pieces, or altogether."""
