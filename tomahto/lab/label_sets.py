"""The labels of the protocols that are known, for data that do not bring their own."""

from typing import Protocol

from tomahto.votes.scheme import LabelScheme


class LabelSet(Protocol):
    """The labels of a protocol, and those under which a candidate is a right answer; none where
    candidates are no answers."""

    @property
    def name(self) -> str: ...

    @property
    def scheme(self) -> LabelScheme: ...

    @property
    def accepted_labels(self) -> tuple[str, ...]: ...
