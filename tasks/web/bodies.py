"""Bodies of calls: undeclared fields are refused."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request


class Body(serializers.Serializer[Any]):
    """The JSON object of a call; a subclass names its fields. Any other field is refused."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            _refuse_undeclared(data, self.fields)
        return super().to_internal_value(data)


class NoBody(Body):
    """For calls that take nothing."""


class IdField(serializers.IntegerField):
    """The number of a row, as large as a database has them."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=2**63 - 1, **kwargs)


def read_body(request: Request, kind: type[Body], *, partial: bool = False) -> dict[str, Any]:
    """The checked fields. Raises ValidationError naming the one that is wrong or not declared."""
    body = kind(data=request.data, partial=partial)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


def _refuse_undeclared(data: Mapping[Any, Any], declared: Mapping[str, object]) -> None:
    for name in data:
        if name not in declared:
            there_are = ", ".join(declared) or "none"
            raise serializers.ValidationError({str(name): f"no such field; known: {there_are}"})
